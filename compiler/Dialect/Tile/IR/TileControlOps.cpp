// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control flow and combining operations: builders, text, verifiers, interfaces.
#include "compiler/Dialect/Tile/IR/TileLayout.h"
#include "compiler/Dialect/Tile/IR/Verify.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

Block &addBlock(OperationState &state, TypeRange arguments) {
  Block &block = state.addRegion()->emplaceBlock();
  block.addArguments(arguments, SmallVector<Location>(arguments.size(), state.location));
  return block;
}

/// `(%a = %x, %b = %y)`: arguments of a block and their first values.
ParseResult parseAssignments(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &arguments,
                             SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values) {
  return parser.parseAssignmentList(arguments, values);
}

void printAssignments(OpAsmPrinter &printer, Block::BlockArgListType arguments, ValueRange values) {
  printer << '(';
  llvm::interleaveComma(llvm::zip_equal(arguments, values), printer,
                        [&](auto pair) { printer << std::get<0>(pair) << " = " << std::get<1>(pair); });
  printer << ')';
}

/// Gives the arguments their types and resolves their first values.
ParseResult resolveAssignments(OpAsmParser &parser, OperationState &result, ArrayRef<Type> types, SMLoc place,
                               MutableArrayRef<OpAsmParser::Argument> arguments,
                               ArrayRef<OpAsmParser::UnresolvedOperand> values) {
  if (types.size() != arguments.size())
    return parser.emitError(place) << types.size() << " types for " << arguments.size() << " carried values";
  for (auto [argument, type] : llvm::zip_equal(arguments, types))
    argument.type = type;
  return parser.resolveOperands(values, types, place, result.operands);
}

} // namespace

//===- For ----------------------------------------------------------------------------------------===//

void ForOp::build(OpBuilder &builder, OperationState &state, Value lower, Value upper, Value step,
                  ValueRange initial) {
  state.addOperands({lower, upper, step});
  state.addOperands(initial);
  state.addTypes(initial.getTypes());
  SmallVector<Type> arguments{lower.getType()};
  llvm::append_range(arguments, initial.getTypes());
  addBlock(state, arguments);
}

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::Argument induction;
  OpAsmParser::UnresolvedOperand bounds[3];
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> initial;
  SmallVector<Type> types;
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseArgument(induction) || parser.parseEqual() || parser.parseOperand(bounds[0]) ||
      parser.parseKeyword("to") || parser.parseOperand(bounds[1]) || parser.parseKeyword("step") ||
      parser.parseOperand(bounds[2]))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("iter_args")) &&
      (parseAssignments(parser, arguments, initial) || parser.parseArrowTypeList(types)))
    return failure();
  if (parser.parseColonType(induction.type) ||
      parser.resolveOperands(bounds, induction.type, result.operands) ||
      resolveAssignments(parser, result, types, place, arguments, initial))
    return failure();
  result.addTypes(types);
  arguments.insert(arguments.begin(), induction);
  if (parser.parseRegion(*result.addRegion(), arguments) || parser.parseOptionalAttrDict(result.attributes))
    return failure();
  ensureTerminator(*result.regions.front(), parser.getBuilder(), result.location);
  return success();
}

void ForOp::print(OpAsmPrinter &printer) {
  printer << ' ' << inductionVariable() << " = " << getLower() << " to " << getUpper() << " step "
          << getStep();
  if (!getInitial().empty()) {
    printer << " iter_args";
    printAssignments(printer, carriedArguments(), getInitial());
    printer << " -> (" << getInitial().getTypes() << ")";
  }
  printer << " : " << getLower().getType() << ' ';
  printer.printRegion(getRegion(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!getInitial().empty());
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult ForOp::verify() {
  Type type = getLower().getType();
  if (getUpper().getType() != type || getStep().getType() != type)
    return emitOpError() << "counts from " << type << " to " << getUpper().getType() << " by "
                         << getStep().getType() << ": all of one type";
  return success();
}

// What is carried is compared by the interfaces of loops and branches.
LogicalResult ForOp::verifyRegions() {
  if (getBody()->getNumArguments() == 0 || inductionVariable().getType() != getLower().getType())
    return emitOpError() << "first argument of the body is not the induction variable of type "
                         << getLower().getType();
  return success();
}

YieldOp ForOp::terminator() { return cast<YieldOp>(getBody()->getTerminator()); }

SmallVector<Region *> ForOp::getLoopRegions() { return {&getRegion()}; }
Block::BlockArgListType ForOp::getRegionIterArgs() { return carriedArguments(); }
MutableArrayRef<OpOperand> ForOp::getInitsMutable() { return getInitialMutable(); }
std::optional<ResultRange> ForOp::getLoopResults() { return getResults(); }
std::optional<MutableArrayRef<OpOperand>> ForOp::getYieldedValuesMutable() {
  return terminator().getOperandsMutable();
}

OperandRange ForOp::getEntrySuccessorOperands(RegionSuccessor) { return getInitial(); }

void ForOp::getSuccessorRegions(RegionBranchPoint, SmallVectorImpl<RegionSuccessor> &successors) {
  successors.emplace_back(&getRegion(), carriedArguments());
  successors.emplace_back(getOperation(), getResults());
}

//===- If -----------------------------------------------------------------------------------------===//

static ParseResult parseBranches(OpAsmParser &parser, Region &thenRegion, Region &elseRegion) {
  Location location = parser.getEncodedSourceLoc(parser.getCurrentLocation());
  if (parser.parseRegion(thenRegion))
    return failure();
  IfOp::ensureTerminator(thenRegion, parser.getBuilder(), location);
  if (failed(parser.parseOptionalKeyword("else")))
    return success();
  if (parser.parseRegion(elseRegion))
    return failure();
  IfOp::ensureTerminator(elseRegion, parser.getBuilder(), location);
  return success();
}

static void printBranches(OpAsmPrinter &printer, IfOp op, Region &thenRegion, Region &elseRegion) {
  bool yields = op.getNumResults() > 0;
  printer.printRegion(thenRegion, /*printEntryBlockArgs=*/false, yields);
  if (elseRegion.empty())
    return;
  printer << " else ";
  printer.printRegion(elseRegion, /*printEntryBlockArgs=*/false, yields);
}

void IfOp::build(OpBuilder &, OperationState &state, TypeRange results, Value condition, bool withElse) {
  state.addOperands(condition);
  state.addTypes(results);
  addBlock(state, {});
  if (withElse)
    addBlock(state, {});
  else
    state.addRegion();
}

LogicalResult IfOp::verify() {
  if (getNumResults() > 0 && getElseRegion().empty())
    return emitOpError() << "has results, but no second region that yields them";
  return success();
}

void IfOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  if (!point.isParent()) {
    successors.emplace_back(getOperation(), getResults());
    return;
  }
  successors.emplace_back(&getThenRegion());
  if (elseBlock())
    successors.emplace_back(&getElseRegion());
  else
    successors.emplace_back(getOperation(), getResults());
}

void IfOp::getEntrySuccessorRegions(ArrayRef<Attribute> operands,
                                    SmallVectorImpl<RegionSuccessor> &successors) {
  auto condition = dyn_cast_or_null<IntegerAttr>(operands.front());
  if (!condition)
    return getSuccessorRegions(RegionBranchPoint::parent(), successors);
  if (!condition.getValue().isZero())
    successors.emplace_back(&getThenRegion());
  else if (elseBlock())
    successors.emplace_back(&getElseRegion());
  else
    successors.emplace_back(getOperation(), getResults());
}

//===- While --------------------------------------------------------------------------------------===//

void WhileOp::build(OpBuilder &, OperationState &state, TypeRange results, ValueRange initial) {
  state.addOperands(initial);
  state.addTypes(results);
  addBlock(state, initial.getTypes());
  addBlock(state, results);
}

ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> initial;
  FunctionType types;
  SMLoc place = parser.getCurrentLocation();
  if (parseAssignments(parser, arguments, initial) || parser.parseColonType(types) ||
      resolveAssignments(parser, result, types.getInputs(), place, arguments, initial))
    return failure();
  result.addTypes(types.getResults());
  return failure(parser.parseRegion(*result.addRegion(), arguments) || parser.parseKeyword("do") ||
                 parser.parseRegion(*result.addRegion()) || parser.parseOptionalAttrDict(result.attributes));
}

void WhileOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printAssignments(printer, beforeBlock()->getArguments(), getInitial());
  printer << " : ";
  printer.printFunctionalType(getInitial().getTypes(), getResultTypes());
  printer << ' ';
  printer.printRegion(getBefore(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.printRegion(getAfter());
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult WhileOp::verifyRegions() {
  if (!isa<ConditionOp>(beforeBlock()->getTerminator()))
    return emitOpError() << "first region does not end with tile.condition";
  if (!isa<YieldOp>(afterBlock()->getTerminator()))
    return emitOpError() << "second region does not end with tile.yield";
  return success();
}

ConditionOp WhileOp::condition() { return cast<ConditionOp>(beforeBlock()->getTerminator()); }
YieldOp WhileOp::terminator() { return cast<YieldOp>(afterBlock()->getTerminator()); }

SmallVector<Region *> WhileOp::getLoopRegions() { return {&getBefore(), &getAfter()}; }
Block::BlockArgListType WhileOp::getRegionIterArgs() { return beforeBlock()->getArguments(); }
MutableArrayRef<OpOperand> WhileOp::getInitsMutable() { return getInitialMutable(); }

OperandRange WhileOp::getEntrySuccessorOperands(RegionSuccessor) { return getInitial(); }

void WhileOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  Operation *terminator = point.getTerminatorPredecessorOrNull();
  if (!terminator || terminator->getParentRegion() == &getAfter()) {
    successors.emplace_back(&getBefore(), beforeBlock()->getArguments());
    return;
  }
  successors.emplace_back(&getAfter(), afterBlock()->getArguments());
  successors.emplace_back(getOperation(), getResults());
}

MutableOperandRange ConditionOp::getMutableSuccessorOperands(RegionSuccessor) { return getValuesMutable(); }

void ConditionOp::getSuccessorRegions(ArrayRef<Attribute> operands,
                                      SmallVectorImpl<RegionSuccessor> &successors) {
  auto loop = cast<WhileOp>((*this)->getParentOp());
  auto condition = dyn_cast_or_null<IntegerAttr>(operands.front());
  if (!condition || !condition.getValue().isZero())
    successors.emplace_back(&loop.getAfter(), loop.afterBlock()->getArguments());
  if (!condition || condition.getValue().isZero())
    successors.emplace_back(loop.getOperation(), loop.getResults());
}

//===- Reductions and scans -----------------------------------------------------------------------===//

Operation *singleCombiner(Region &combiner) {
  Block &block = combiner.front();
  if (block.getNumArguments() != 2 || !llvm::hasNItems(block, 2))
    return nullptr;
  Operation &op = block.front();
  Operation *yield = block.getTerminator();
  bool takesBoth = op.getNumOperands() == 2 && llvm::is_contained(op.getOperands(), block.getArgument(0)) &&
                   llvm::is_contained(op.getOperands(), block.getArgument(1));
  bool isYielded =
      op.getNumResults() == 1 && yield->getNumOperands() == 1 && yield->getOperand(0) == op.getResult(0);
  return takesBoth && isYielded ? &op : nullptr;
}

namespace {

/// Compares the types of two lists one by one; the names say what they are, in the plural.
LogicalResult verifyTypesAgree(Operation *op, StringRef firstName, TypeRange first, StringRef secondName,
                               TypeRange second) {
  if (first.size() != second.size())
    return op->emitOpError() << "has " << first.size() << " " << firstName << " and " << second.size() << " "
                             << secondName;
  for (auto [index, one, other] : llvm::enumerate(first, second))
    if (one != other)
      return op->emitOpError() << firstName << " and " << secondName << " differ at " << index << ": " << one
                               << " and " << other;
  return success();
}

/// The types of the combiner's arguments: every operand's element type, twice.
SmallVector<Type> combinerTypes(TypeRange operands) {
  SmallVector<Type> types = llvm::map_to_vector(operands, elementTypeOf);
  types.append(types.begin(), types.end());
  return types;
}

LogicalResult verifyCombining(Operation *op, uint32_t axis) {
  if (op->getNumOperands() == 0)
    return op->emitOpError() << "has no operand";
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0).getType());
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (shapeOf(type) != shape)
      return op->emitOpError() << "operand " << index << " has shape " << shapeText(shapeOf(type))
                               << ", operand 0 has " << shapeText(shape);
  if (axis >= shape.size())
    return op->emitOpError() << "axis " << static_cast<int32_t>(axis) << " is not between 0 and "
                             << shape.size() - 1;
  return success();
}

LogicalResult verifyCombiner(Operation *op, Block &block) {
  SmallVector<Type> elements = llvm::map_to_vector(op->getOperandTypes(), elementTypeOf);
  if (failed(verifyTypesAgree(op, "arguments of the combiner", block.getArgumentTypes(),
                              "elements, taken twice,", combinerTypes(op->getOperandTypes()))))
    return failure();
  if (!isa<YieldOp>(block.getTerminator()))
    return op->emitOpError() << "combiner does not end with tile.yield";
  return verifyTypesAgree(op, "yielded values", block.getTerminator()->getOperandTypes(), "elements",
                          elements);
}

/// Operands and a combiner without operations.
void addCombining(OperationState &state, ValueRange operands) {
  state.addOperands(operands);
  addBlock(state, combinerTypes(operands.getTypes()));
}

/// `type` without that axis.
Type reducedType(Type type, uint32_t axis) {
  SmallVector<int64_t> shape(shapeOf(type));
  shape.erase(shape.begin() + axis);
  return tileOrScalar(shape, elementTypeOf(type),
                      shape.empty() ? LayoutAttr() : reduceLayout(layoutOf(type), axis));
}

} // namespace

void ReduceOp::build(OpBuilder &builder, OperationState &state, ValueRange operands, uint32_t axis) {
  state.addAttribute(getAxisAttrName(state.name), builder.getI32IntegerAttr(axis));
  addCombining(state, operands);
  for (Type type : operands.getTypes())
    state.addTypes(reducedType(type, axis));
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  for (Type type : adaptor.getOperands().getTypes()) {
    if (adaptor.getAxis() >= shapeOf(type).size())
      return failure();
    types.push_back(reducedType(type, adaptor.getAxis()));
  }
  return success();
}

LogicalResult ReduceOp::verify() { return verifyCombining(*this, getAxis()); }
LogicalResult ReduceOp::verifyRegions() { return verifyCombiner(*this, *combinerBlock()); }
YieldOp ReduceOp::terminator() { return cast<YieldOp>(combinerBlock()->getTerminator()); }

void ScanOp::build(OpBuilder &builder, OperationState &state, ValueRange operands, uint32_t axis,
                   bool reverse) {
  state.addAttribute(getAxisAttrName(state.name), builder.getI32IntegerAttr(axis));
  if (reverse)
    state.addAttribute(getReverseAttrName(state.name), builder.getUnitAttr());
  addCombining(state, operands);
  state.addTypes(operands.getTypes());
}

LogicalResult ScanOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  llvm::append_range(types, adaptor.getOperands().getTypes());
  return success();
}

LogicalResult ScanOp::verify() { return verifyCombining(*this, getAxis()); }
LogicalResult ScanOp::verifyRegions() { return verifyCombiner(*this, *combinerBlock()); }
YieldOp ScanOp::terminator() { return cast<YieldOp>(combinerBlock()->getTerminator()); }

//===- Functions of elements ----------------------------------------------------------------------===//

namespace {

/// Every tile's element type `pack` times.
SmallVector<Type> packedElements(TypeRange tiles, uint32_t pack) {
  SmallVector<Type> types;
  for (Type type : tiles)
    types.append(pack, elementTypeOf(type));
  return types;
}

} // namespace

void MapOp::build(OpBuilder &builder, OperationState &state, TypeRange results, ValueRange operands,
                  uint32_t pack) {
  state.addAttribute(getPackAttrName(state.name), builder.getI32IntegerAttr(static_cast<int32_t>(pack)));
  state.addOperands(operands);
  state.addTypes(results);
  addBlock(state, packedElements(operands.getTypes(), pack));
}

LogicalResult verifyPacked(Operation *op, uint32_t pack) {
  Type result = op->getResult(0).getType();
  ArrayRef<int64_t> shape = shapeOf(result);
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types)
    if (shapeOf(type) != shape)
      return op->emitOpError() << "has shapes " << shapeText(shape) << " and " << shapeText(shapeOf(type));
  const int64_t size = static_cast<int32_t>(pack);
  if (size < 1 || elementCountOf(result) % size != 0)
    return op->emitOpError() << "pack of " << size << " does not divide " << elementCountOf(result)
                             << " elements";
  return success();
}

LogicalResult MapOp::verify() {
  if (getOperands().empty() || getResults().empty())
    return emitOpError() << "has no operand or no result";
  return verifyPacked(*this, getPack());
}

LogicalResult MapOp::verifyRegions() {
  if (failed(verifyTypesAgree(*this, "arguments of the function", functionBlock()->getArgumentTypes(),
                              "packed elements", packedElements(getOperandTypes(), getPack()))))
    return failure();
  if (!isa<YieldOp>(functionBlock()->getTerminator()))
    return emitOpError() << "function does not end with tile.yield";
  return verifyTypesAgree(*this, "yielded values", terminator().getOperandTypes(), "packed results",
                          packedElements(getResultTypes(), getPack()));
}

YieldOp MapOp::terminator() { return cast<YieldOp>(functionBlock()->getTerminator()); }

LogicalResult HistogramOp::verify() {
  TileType operand = getOperand().getType(), result = getType();
  if (!isWideInteger(operand.getElementType()))
    return emitOpError() << "counts integers, not " << operand.getElementType();
  if (operand.getRank() != 1 || result.getRank() != 1 || !result.getElementType().isSignedInteger(32))
    return emitOpError() << "from " << operand << " to " << result << ": from rank 1 to si32 of rank 1";
  if (getMask() && getMask().getType() != booleanLike(operand))
    return emitOpError() << "mask is of type " << getMask().getType() << ", the operand asks for "
                         << booleanLike(operand);
  return success();
}

} // namespace tilescope::tile

#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileControlOps.cpp.inc"
