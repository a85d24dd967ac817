// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Dialect/Tile/IR/TileLayout.h"

#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Layout/Constructors.h"
#include "compiler/Layout/Text.h"

#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilescope::tile {

using layout::Dim;
using layout::Extent;
using layout::LinearLayout;

//===- As text ------------------------------------------------------------------------------------===//

namespace {

std::optional<Dim> dimNamed(StringRef name) {
  for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block, Dim::Offset})
    if (name == StringRef(layout::name(dim)))
      return dim;
  return std::nullopt;
}

/// `[0, 1]`: one coordinate for each output, packed.
FailureOr<uint64_t> parseColumn(AsmParser &parser, ArrayRef<Extent> outputs) {
  uint64_t packed = 0;
  unsigned index = 0;
  auto one = [&]() -> ParseResult {
    uint64_t value = 0;
    SMLoc place = parser.getCurrentLocation();
    if (parser.parseInteger(value))
      return failure();
    if (index == outputs.size() || value >= outputs[index].size())
      return parser.emitError(place, "a coordinate outside of the tile");
    packed = packed << outputs[index].bits | value;
    ++index;
    return success();
  };
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one))
    return failure();
  if (index != outputs.size())
    return parser.emitError(place, "expected one coordinate for each dimension"), failure();
  return packed;
}

} // namespace

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> shape;
  if (parser.parseLess() || parser.parseDimensionList(shape, false, /*withTrailingX=*/false) ||
      parser.parseComma())
    return {};
  for (int64_t size : shape)
    if (!llvm::isPowerOf2_64(size))
      return parser.emitError(parser.getCurrentLocation(), "sizes are powers of two"), Attribute();
  std::vector<Extent> inputs, outputs = layout::tileExtents(shape);
  std::vector<uint64_t> columns;
  auto input = [&]() -> ParseResult {
    StringRef name;
    SMLoc place = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    std::optional<Dim> dim = dimNamed(name);
    if (!dim)
      return parser.emitError(place, "expected register, lane, warp, block or offset");
    const size_t before = columns.size();
    auto column = [&]() -> ParseResult {
      FailureOr<uint64_t> packed = parseColumn(parser, outputs);
      if (failed(packed))
        return failure();
      columns.push_back(*packed);
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, column))
      return failure();
    inputs.push_back({*dim, unsigned(columns.size() - before)});
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, input) || parser.parseGreater())
    return {};
  LinearLayout map(std::move(inputs), std::move(outputs), std::move(columns));
  if (failed(verify([&] { return parser.emitError(parser.getNameLoc()); }, map)))
    return {};
  return get(parser.getContext(), std::move(map));
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleave(
      getMap().outputs(), printer.getStream(), [&](const Extent &extent) { printer << extent.size(); }, "x");
  printer << ", " << layout::text(getMap()) << '>';
}

//===- Verification -------------------------------------------------------------------------------===//

namespace {

LogicalResult verifyOutputs(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                            const LinearLayout &map) {
  if (llvm::equal(map.outputs(), layout::tileExtents(shape)))
    return success();
  SmallVector<int64_t> sizes;
  for (const Extent &extent : map.outputs())
    sizes.push_back(int64_t(extent.size()));
  return emitError() << "the layout is of " << shapeText(sizes) << ", the shape " << shapeText(shape);
}

} // namespace

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, LinearLayout map) {
  if (map.isSurjective())
    return success();
  return emitError() << "the layout has " << map.outputSize() << " elements and reaches "
                     << (uint64_t(1) << map.rank());
}

LogicalResult verifyThreadLayout(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                 const LinearLayout &map) {
  const Dim wanted[] = {Dim::Register, Dim::Lane, Dim::Warp};
  if (!llvm::equal(map.inputs(), wanted, [](const Extent &extent, Dim dim) { return extent.dim == dim; }))
    return emitError() << "the layout of a tile maps register, lane and warp";
  if (map.inputBits(Dim::Lane) != 5)
    return emitError() << "a warp has 32 lanes, the layout " << map.inputSize(Dim::Lane);
  return verifyOutputs(emitError, shape, map);
}

LogicalResult verifySharedLayout(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                 const LinearLayout &map) {
  if (map.inputs().size() != 1 || map.inputs()[0].dim != Dim::Offset || !map.isInjective())
    return emitError() << "the layout of a buffer maps each offset to one element";
  return verifyOutputs(emitError, shape, map);
}

//===- Buffers ------------------------------------------------------------------------------------===//

Type BufferType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  LayoutAttr layout;
  int64_t count = 1;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element) || parser.parseComma() || parser.parseAttribute(layout))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseInteger(count))
    return {};
  if (parser.parseGreater())
    return {};
  if (failed(verify([&] { return parser.emitError(parser.getNameLoc()); }, shape, element, layout, count)))
    return {};
  return get(shape, element, layout, count);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << 'x' << getElementType() << ", " << getLayout();
  if (getCount() != 1)
    printer << ", " << getCount();
  printer << '>';
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                 Type element, LayoutAttr layout, int64_t count) {
  if (!isElement(element))
    return emitError() << element << " cannot be an element of a buffer";
  if (count < 1)
    return emitError() << count << " buffers";
  return verifySharedLayout(emitError, shape, layout.getMap());
}

BufferType BufferType::cloneWith(std::optional<ArrayRef<int64_t>> shape, Type element) const {
  return get(shape.value_or(getShape()), element, getLayout(), getCount());
}

int64_t BufferType::slotBytes() const { return elementCount() * byteSizeOf(getElementType()); }

//===- By operation -------------------------------------------------------------------------------===//

namespace {

LayoutAttr attribute(LayoutAttr like, LinearLayout map) {
  return LayoutAttr::get(like.getContext(), std::move(map));
}

/// The layout of a tile that is `index` of the axis only, where others are an operand's registers of their
/// own: the bit of `Register` whose column is exactly `column`.
std::optional<unsigned> registerBit(const LinearLayout &map, uint64_t column) {
  for (unsigned bit = 0; bit < map.inputBits(Dim::Register); ++bit)
    if (map.basis(Dim::Register, bit) == column)
      return bit;
  return std::nullopt;
}

LinearLayout withoutLastDim(const LinearLayout &map, unsigned bit) {
  LinearLayout rest = map.withoutInputBits(Dim::Register, uint64_t(1) << bit);
  std::vector<Dim> inputs, outputs;
  for (const Extent &extent : rest.inputs())
    inputs.push_back(extent.dim);
  for (const Extent &extent : rest.outputs())
    outputs.push_back(extent.dim);
  outputs.pop_back();
  return rest.sublayout(inputs, outputs);
}

} // namespace

LayoutAttr expandDimsLayout(LayoutAttr operand, unsigned axis) {
  return operand ? attribute(operand, layout::expandDims(operand.getMap(), axis)) : LayoutAttr();
}

LayoutAttr reduceLayout(LayoutAttr operand, unsigned axis) {
  return operand ? attribute(operand, layout::slice(operand.getMap(), axis)) : LayoutAttr();
}

LayoutAttr permuteLayout(LayoutAttr operand, ArrayRef<int32_t> order) {
  if (!operand)
    return {};
  std::vector<Dim> dims;
  std::vector<Extent> outputs;
  for (int32_t axis : order) {
    dims.push_back(layout::tileDim(unsigned(axis)));
    outputs.push_back({layout::tileDim(unsigned(outputs.size())), operand.getMap().outputBits(dims.back())});
  }
  return attribute(operand, operand.getMap().transposeOutputs(dims).reshapeOutputs(std::move(outputs)));
}

LayoutAttr joinLayout(LayoutAttr operand) {
  if (!operand)
    return {};
  const Dim last = layout::tileDim(unsigned(operand.getMap().outputs().size()));
  const LinearLayout pair = LinearLayout::identity(Dim::Register, last, 1);
  std::vector<Dim> order;
  for (const Extent &extent : operand.getMap().outputs())
    order.push_back(extent.dim);
  order.push_back(last);
  return attribute(operand, (pair * operand.getMap()).transposeOutputs(order));
}

LayoutAttr splitLayout(LayoutAttr operand) {
  if (!operand)
    return {};
  std::optional<unsigned> bit = registerBit(operand.getMap(), 1);
  if (!bit)
    return {};
  // Nothing else may tell the two halves apart.
  for (unsigned i = 0; i < operand.getMap().inputBits(); ++i)
    if (i != *bit && operand.getMap().columns()[i] & 1)
      return {};
  return attribute(operand, withoutLastDim(operand.getMap(), *bit));
}

LayoutAttr catLayout(LayoutAttr operand, unsigned axis) {
  if (!operand)
    return {};
  return attribute(operand,
                   operand.getMap() * LinearLayout::identity(Dim::Register, layout::tileDim(axis), 1));
}

LayoutAttr reshapeLayout(LayoutAttr operand, ArrayRef<int64_t> shape) {
  return operand ? attribute(operand, operand.getMap().reshapeOutputs(layout::tileExtents(shape)))
                 : LayoutAttr();
}

LayoutAttr broadcastOperandLayout(LayoutAttr result, ArrayRef<int64_t> shape) {
  if (!result)
    return {};
  SmallVector<unsigned> stretched;
  for (const auto &[axis, extent] : llvm::enumerate(result.getMap().outputs()))
    if (shape[axis] == 1 && extent.bits > 0)
      stretched.push_back(unsigned(axis));
  return attribute(result, layout::squeezed(result.getMap(), std::span<const unsigned>(stretched)));
}

bool holdsPacks(const LinearLayout &map, uint32_t pack) {
  for (uint64_t column = 1; column < pack; column *= 2)
    if (!registerBit(map, column))
      return false;
  return true;
}

namespace {

/// All operands and results that are tiles have one layout.
bool keepsLayout(Operation *op) {
  return op->hasTrait<trait::Elementwise>() || isa<LoadOp, StoreOp, AtomicRmwOp, AtomicCasOp, AtomicLoadOp,
                                                   AtomicStoreOp, ScanOp, MapOp, AddPtrOp, AssertOp>(op);
}

SmallVector<int32_t> inverseOrder(ArrayRef<int32_t> order) {
  SmallVector<int32_t> inverse(order.size());
  for (auto [index, axis] : llvm::enumerate(order))
    inverse[axis] = int32_t(index);
  return inverse;
}

LayoutAttr dropDim(LayoutAttr layout, unsigned axis) {
  return layout ? attribute(layout, layout::slice(layout.getMap(), axis)) : LayoutAttr();
}

} // namespace

LayoutAttr resultLayout(Operation *op, unsigned, LayoutAttr layout) {
  if (!layout || keepsLayout(op))
    return layout;
  return llvm::TypeSwitch<Operation *, LayoutAttr>(op)
      .Case([&](ExpandDimsOp expand) { return expandDimsLayout(layout, expand.getAxis()); })
      .Case([&](ReduceOp reduce) { return reduceLayout(layout, reduce.getAxis()); })
      .Case([&](PermuteOp permute) { return permuteLayout(layout, permute.getOrder()); })
      .Case([&](JoinOp) { return joinLayout(layout); })
      .Case([&](SplitOp) { return splitLayout(layout); })
      .Case([&](CatOp cat) { return catLayout(layout, cat.getAxis()); })
      .Case([&](ReshapeOp reshape) { return reshapeLayout(layout, reshape.getType().getShape()); })
      .Default(LayoutAttr());
}

LayoutAttr operandLayout(Operation *op, unsigned index, LayoutAttr layout) {
  if (!layout || keepsLayout(op))
    return layout;
  return llvm::TypeSwitch<Operation *, LayoutAttr>(op)
      .Case([&](ExpandDimsOp expand) { return dropDim(layout, expand.getAxis()); })
      .Case([&](PermuteOp permute) { return permuteLayout(layout, inverseOrder(permute.getOrder())); })
      .Case([&](BroadcastOp broadcast) {
        return broadcastOperandLayout(layout, broadcast.getOperand().getType().getShape());
      })
      .Case(
          [&](ReshapeOp reshape) { return reshapeLayout(layout, reshape.getOperand().getType().getShape()); })
      .Case([&](SplitOp) { return joinLayout(layout); })
      .Case([&](DotOp) { return index == 2 ? layout : LayoutAttr(); })
      .Case([&](GatherOp) { return index == 1 ? layout : LayoutAttr(); })
      .Default(LayoutAttr());
}

} // namespace tilescope::tile
