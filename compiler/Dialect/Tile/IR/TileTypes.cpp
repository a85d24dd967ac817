// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types, enumerations, and the traits that compare types.
#include "compiler/Dialect/Tile/IR/Tile.h"

#include "compiler/Dialect/Tile/IR/TileLayout.h"

#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include "compiler/Dialect/Tile/IR/TileEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/Dialect/Tile/IR/TileAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/Dialect/Tile/IR/TileTypes.cpp.inc"

using namespace mlir;

namespace tilescope::tile {

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/Dialect/Tile/IR/TileAttrs.cpp.inc"
      >();
}

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/Dialect/Tile/IR/TileTypes.cpp.inc"
      >();
}

//===- Tile type ----------------------------------------------------------------------------------===//

Type TileType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  LayoutAttr layout;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(layout))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TileType>(parser.getContext(), shape, element, layout);
}

void TileType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << 'x' << getElementType();
  if (getLayout())
    printer << ", " << getLayout();
  printer << '>';
}

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                               Type element, LayoutAttr layout) {
  if (shape.empty())
    return emitError() << "a tile has one dimension or more";
  for (int64_t size : shape)
    if (size < 1 || !llvm::isPowerOf2_64(size))
      return emitError() << "dimension of size " << size << " in a tile: not a power of two";
  if (!isElement(element))
    return emitError() << element << " cannot be an element of a tile";
  return layout ? verifyThreadLayout(emitError, shape, layout.getMap()) : success();
}

TileType TileType::cloneWith(std::optional<ArrayRef<int64_t>> shape, Type element) const {
  return get(shape.value_or(getShape()), element, shape && *shape != getShape() ? LayoutAttr() : getLayout());
}

TileType TileType::withLayout(LayoutAttr layout) const { return get(getShape(), getElementType(), layout); }

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointee, AddressSpace) {
  if (!isElement(pointee))
    return emitError() << "a pointer cannot point to " << pointee;
  return success();
}

//===- Questions about types ----------------------------------------------------------------------===//

Type elementTypeOf(Type type) {
  auto tile = dyn_cast<TileType>(type);
  return tile ? tile.getElementType() : type;
}

ArrayRef<int64_t> shapeOf(Type type) {
  auto tile = dyn_cast<TileType>(type);
  return tile ? tile.getShape() : ArrayRef<int64_t>();
}

int64_t elementCountOf(Type type) {
  auto tile = dyn_cast<TileType>(type);
  return tile ? tile.elementCount() : 1;
}

Type withElementType(Type like, Type element) {
  auto tile = dyn_cast<TileType>(like);
  return tile ? tile.cloneWith(std::nullopt, element) : element;
}

Type booleanLike(Type like) { return withElementType(like, IntegerType::get(like.getContext(), 1)); }

Type pointeeLike(Type pointers) {
  auto pointer = dyn_cast<PointerType>(elementTypeOf(pointers));
  return pointer ? withElementType(pointers, pointer.getPointee()) : Type();
}

Type tileOrScalar(ArrayRef<int64_t> shape, Type element, LayoutAttr layout) {
  return shape.empty() ? element : TileType::get(shape, element, layout);
}

LayoutAttr layoutOf(Type type) {
  auto tile = dyn_cast<TileType>(type);
  return tile ? tile.getLayout() : LayoutAttr();
}

bool isBoolean(Type element) { return element.isSignlessInteger(1); }

bool isWideInteger(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  return integer && !integer.isSignless() && llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth());
}

bool isInteger(Type element) { return isBoolean(element) || isWideInteger(element); }

bool isFloat(Type element) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type, Float8E4M3FNType, Float8E5M2Type,
             Float8E4M3FNUZType, Float8E5M2FNUZType, Float8E4M3B11FNUZType>(element);
}

bool isNumber(Type element) { return isInteger(element) || isFloat(element); }
bool isPointer(Type element) { return isa<PointerType>(element); }
bool isElement(Type element) { return isNumber(element) || isPointer(element); }
bool isSigned(Type element) { return element.isSignedInteger(); }

unsigned bitWidthOf(Type element) { return isPointer(element) ? 64 : element.getIntOrFloatBitWidth(); }
unsigned byteSizeOf(Type element) { return llvm::divideCeil(bitWidthOf(element), 8); }

std::string shapeText(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleave(shape, stream, "x");
  return text;
}

//===- Traits -------------------------------------------------------------------------------------===//

namespace {

/// Compares every operand and result with the first operand; `differs` says how, into the diagnostic.
LogicalResult compareWithFirst(Operation *op, function_ref<bool(Type, Type)> same,
                               function_ref<void(InFlightDiagnostic &, Type, Type)> differs) {
  Type first = op->getOperand(0).getType();
  auto check = [&](StringRef kind, unsigned index, Type type) -> LogicalResult {
    if (same(first, type))
      return success();
    InFlightDiagnostic diagnostic = op->emitOpError() << kind << " " << index << " ";
    differs(diagnostic, first, type);
    return diagnostic;
  };
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(check("operand", index, type)))
      return failure();
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(check("result", index, type)))
      return failure();
  return success();
}

} // namespace

LogicalResult trait::verifyOneShape(Operation *op) {
  return compareWithFirst(
      op, [](Type first, Type type) { return shapeOf(first) == shapeOf(type); },
      [](InFlightDiagnostic &diagnostic, Type first, Type type) {
        diagnostic << "has shape " << shapeText(shapeOf(type)) << ", operand 0 has "
                   << shapeText(shapeOf(first));
      });
}

LogicalResult trait::verifyOneType(Operation *op) {
  return compareWithFirst(
      op, [](Type first, Type type) { return first == type; },
      [](InFlightDiagnostic &diagnostic, Type first, Type type) {
        diagnostic << "is of type " << type << ", operand 0 of " << first;
      });
}

} // namespace tilescope::tile
