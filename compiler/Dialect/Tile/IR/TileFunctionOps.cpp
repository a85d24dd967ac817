// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions, calls and what a program starts from: builders, verifiers, the text of functions.
#include "compiler/Dialect/Tile/IR/Tile.h"

#include "mlir/Interfaces/FunctionImplementation.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilescope::tile {

/// `-> type` after a constant that is a tile; a scalar's type stands in its value.
static ParseResult parseSplatType(OpAsmParser &parser, TypedAttr value, Type &type) {
  type = value.getType();
  return succeeded(parser.parseOptionalArrow()) ? parser.parseType(type) : success();
}

static void printSplatType(OpAsmPrinter &printer, Operation *, TypedAttr value, Type type) {
  if (type != value.getType())
    printer << " -> " << type;
}

//===- Functions ----------------------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type,
                   bool isPublic) {
  state.addAttribute(getSymNameAttrName(state.name), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  if (!isPublic)
    state.addAttribute(getSymVisibilityAttrName(state.name), builder.getStringAttr("private"));
  Block &entry = state.addRegion()->emplaceBlock();
  entry.addArguments(type.getInputs(), SmallVector<Location>(type.getNumInputs(), state.location));
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto makeType = [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                     function_interface_impl::VariadicFlag,
                     std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), makeType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult FuncOp::verify() {
  if (isKernel() && getNumResults() != 0)
    return emitOpError() << "is a kernel and returns nothing, but has results";
  if (!isExternal() && !getBody().hasOneBlock())
    return emitOpError() << "has " << getBody().getBlocks().size() << " blocks, not one";
  for (Type type : llvm::concat<const Type>(getArgumentTypes(), getResultTypes()))
    if (!isElement(elementTypeOf(type)))
      return emitOpError() << type << " is no type of a value";
  if (std::optional<uint32_t> warps = getNumWarps())
    if (!llvm::isPowerOf2_32(*warps) || *warps > 32)
      return emitOpError() << "num_warps is " << *warps << ", not a power of two up to 32";
  if (std::optional<uint32_t> stages = getNumStages(); stages && static_cast<int32_t>(*stages) < 0)
    return emitOpError() << "num_stages is negative";
  return success();
}

StringRef FuncOp::argumentName(unsigned index) {
  auto name = getArgAttrOfType<StringAttr>(index, argumentNameAttr);
  return name ? name.getValue() : StringRef();
}

int64_t FuncOp::argumentDivisibility(unsigned index) {
  auto divisibility = getArgAttrOfType<IntegerAttr>(index, argumentDivisibilityAttr);
  return divisibility ? divisibility.getInt() : 1;
}

LogicalResult ReturnOp::verify() {
  auto function = cast<FuncOp>((*this)->getParentOp());
  ArrayRef<Type> results = function.getResultTypes();
  if (getNumOperands() != results.size())
    return emitOpError() << "has " << getNumOperands() << " operands, function @" << function.getSymName()
                         << " returns " << results.size();
  for (auto [index, operand, result] : llvm::enumerate(getOperandTypes(), results))
    if (operand != result)
      return emitOpError() << "operand " << index << " is of type " << operand << ", function @"
                           << function.getSymName() << " returns " << result;
  return success();
}

//===- Calls --------------------------------------------------------------------------------------===//

void CallOp::build(OpBuilder &builder, OperationState &state, FuncOp callee, ValueRange operands) {
  build(builder, state, callee.getResultTypes(), FlatSymbolRefAttr::get(callee.getSymNameAttr()), operands,
        /*arg_attrs=*/nullptr, /*res_attrs=*/nullptr);
}

/// Compares types one by one with those of the callee; `kind` is "operand" or "result".
static LogicalResult verifySignature(CallOp call, StringRef kind, TypeRange actual, ArrayRef<Type> expected) {
  if (actual.size() != expected.size())
    return call.emitOpError() << "has " << actual.size() << " " << kind << "s, @" << call.getCallee()
                              << " has " << expected.size();
  for (auto [index, type, wanted] : llvm::enumerate(actual, expected))
    if (type != wanted)
      return call.emitOpError() << kind << " " << index << " is of type " << type << ", @" << call.getCallee()
                                << " has " << wanted;
  return success();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!function)
    return emitOpError() << "calls @" << getCallee() << ", which is no function of this module";
  if (failed(verifySignature(*this, "operand", getOperandTypes(), function.getArgumentTypes())))
    return failure();
  return verifySignature(*this, "result", getResultTypes(), function.getResultTypes());
}

//===- Constants and ranges -----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

LogicalResult ConstantOp::verify() {
  if (!isa<IntegerAttr, FloatAttr>(getValue()))
    return emitOpError() << "value is neither an integer nor a float";
  if (getValue().getType() != elementTypeOf(getType()))
    return emitOpError() << "value is of type " << getValue().getType() << ", the result holds "
                         << elementTypeOf(getType());
  return success();
}

/// %c5, %cm1 for integers, %true and %false, %cst for floats.
void ConstantOp::getAsmResultNames(function_ref<void(Value, StringRef)> setName) {
  auto integer = dyn_cast<IntegerAttr>(getValue());
  if (!integer)
    return setName(getResult(), "cst");
  if (isBoolean(integer.getType()))
    return setName(getResult(), integer.getValue().isZero() ? "false" : "true");
  SmallString<24> digits;
  APInt value = integer.getValue();
  bool isNegative = isSigned(integer.getType()) && value.isNegative();
  (isNegative ? -value : value).toStringUnsigned(digits);
  setName(getResult(), ((isNegative ? "cm" : "c") + digits).str());
}

void MakeRangeOp::build(OpBuilder &builder, OperationState &state, int32_t start, int32_t end) {
  Type element = builder.getIntegerType(32, /*isSigned=*/true);
  build(builder, state, TileType::get({int64_t(end) - start}, element), builder.getI32IntegerAttr(start),
        builder.getI32IntegerAttr(end));
}

LogicalResult MakeRangeOp::verify() {
  TileType type = getType();
  int64_t count = int64_t(static_cast<int32_t>(getEnd())) - static_cast<int32_t>(getStart());
  if (!type.getElementType().isSignedInteger(32))
    return emitOpError() << "gives si32, not " << type.getElementType();
  if (type.getRank() != 1 || type.getDimSize(0) != count)
    return emitOpError() << "has " << count << " elements, its type " << shapeText(type.getShape());
  return success();
}

} // namespace tilescope::tile

#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileFunctionOps.cpp.inc"
