// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers as values, broadcasting, casts.
#include "compiler/Frontend/Block.h"
#include "compiler/Frontend/Semantics.h"
#include "compiler/Frontend/Types.h"
#include "compiler/Value/Operators.h"

namespace tilescope::frontend {

namespace {

double realOf(const Value &number) {
  if (const double *real = number.asFloat())
    return *real;
  return number.asBool() ? *number.asBool() : number.asInt()->toDouble();
}

Integer integerOf(const Value &number) {
  if (const bool *truth = number.asBool())
    return Integer(int64_t(*truth));
  if (const Integer *integer = number.asInt())
    return *integer;
  return Integer::fromDouble(*number.asFloat()).value_or(Integer(0));
}

llvm::APInt bitsOf(const Integer &number, unsigned width) {
  if (auto small = number.toInt64())
    return llvm::APInt(64, static_cast<uint64_t>(*small)).sextOrTrunc(width);
  std::string digits = number.toString();
  unsigned enough = static_cast<unsigned>(number.bitLength()) + 2;
  return llvm::APInt(std::max(enough, width), digits, 10).trunc(width);
}

mlir::TypedAttr attributeOf(mlir::Type element, const Value &number) {
  if (tile::isFloat(element)) {
    llvm::APFloat real(realOf(number));
    bool inexact = false;
    real.convert(llvm::cast<mlir::FloatType>(element).getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                 &inexact);
    return mlir::FloatAttr::get(element, real);
  }
  if (tile::isBoolean(element))
    return mlir::IntegerAttr::get(element, llvm::APInt(1, truth(number)));
  return mlir::IntegerAttr::get(element, bitsOf(integerOf(number), tile::bitWidthOf(element)));
}

/// `value`, whose shape is known to broadcast, in that shape.
mlir::Value stretch(Emitter &emitter, mlir::Value value, llvm::ArrayRef<int64_t> shape) {
  auto type = value.getType();
  if (tile::shapeOf(type) == shape)
    return value;
  mlir::Type result = tile::tileOrScalar(shape, tile::elementTypeOf(type));
  if (!llvm::isa<tile::TileType>(type))
    return emitter.create<tile::SplatOp>(result, value);
  while (tile::shapeOf(value.getType()).size() < shape.size())
    value = expandDims(emitter, value, 0);
  return value.getType() == result ? value : emitter.create<tile::BroadcastOp>(result, value).getResult();
}

void reportShapes(Emitter &emitter, mlir::Type left, mlir::Type right, SourceRange leftRange,
                  SourceRange rightRange, size_t dimension) {
  Diagnostic &error = emitter.error(
      emitter.range(), "tile-shapes-differ",
      {shapeName(tile::shapeOf(left)), shapeName(tile::shapeOf(right)), std::to_string(dimension)});
  error.notes.insert(error.notes.begin(), {{"has-type", {typeName(left)}, emitter.span(leftRange)},
                                           {"has-type", {typeName(right)}, emitter.span(rightRange)}});
}

} // namespace

std::optional<size_t> disagreement(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) {
  size_t rank = std::max(a.size(), b.size());
  for (size_t i = 0; i < rank; ++i) {
    int64_t left = i + a.size() < rank ? 1 : a[i + a.size() - rank];
    int64_t right = i + b.size() < rank ? 1 : b[i + b.size() - rank];
    if (left != right && left != 1 && right != 1)
      return i;
  }
  return std::nullopt;
}

llvm::SmallVector<int64_t> commonShape(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) {
  if (a.size() < b.size())
    std::swap(a, b);
  llvm::SmallVector<int64_t> shape(a);
  for (size_t i = 0; i < b.size(); ++i)
    if (int64_t &size = shape[i + a.size() - b.size()]; size == 1)
      size = b[i];
  return shape;
}

mlir::Value constantOf(Emitter &emitter, mlir::Type type, const Value &number) {
  return emitter.create<tile::ConstantOp>(type, attributeOf(tile::elementTypeOf(type), number));
}

mlir::Value toTensor(Emitter &emitter, const Operand &operand) {
  const Term &term = operand.term;
  if (term.isError() || term.value())
    return term.value();
  if (!term.isNumber()) {
    emitter.error(operand.range, "tensor-expected", {describe(term)});
    return {};
  }
  mlir::Type type = typeOfNumber(emitter.context(), *term.constant());
  if (!type) {
    emitter.error(operand.range, "number-out-of-range", {repr(*term.constant()), "uint64"});
    return {};
  }
  return constantOf(emitter, type, *term.constant());
}

mlir::Value toTile(Emitter &emitter, const Operand &operand) {
  const Term &term = operand.term;
  mlir::Value value = term.value();
  if (term.isError() || (value && llvm::isa<tile::TileType>(value.getType())))
    return value;
  emitter.error(operand.range, "tile-expected", {describe(term)});
  return {};
}

Term sanitise(Emitter &emitter, const Operand &operand) {
  if (operand.term.isNumber())
    return toTensor(emitter, operand);
  const TupleTerm *tuple = operand.term.tuple();
  if (!tuple || !tuple->type.isNone()) // the constants of an aggregate stay constants
    return operand.term;
  std::vector<Term> items;
  for (const Term &item : tuple->items)
    items.push_back(sanitise(emitter, {item, operand.range}));
  return tupleLike(*tuple, std::move(items));
}

mlir::Value toCondition(Emitter &emitter, const Operand &operand) {
  mlir::Value value = toTensor(emitter, operand);
  if (!value)
    return {};
  if (llvm::isa<tile::TileType>(value.getType())) {
    emitter.error(operand.range, "tile-condition", {typeName(value.getType())});
    return {};
  }
  if (tile::isPointer(value.getType()))
    value = emitter.create<tile::PtrToIntOp>(int64(emitter.context()), value);
  return castTo(emitter, value, boolean(emitter.context()), operand.range);
}

mlir::Value expandDims(Emitter &emitter, mlir::Value value, int64_t axis) {
  mlir::Type type = value.getType();
  if (!llvm::isa<tile::TileType>(type))
    return emitter.create<tile::SplatOp>(tile::tileOrScalar({1}, type), value);
  return emitter.create<tile::ExpandDimsOp>(value, static_cast<int32_t>(axis));
}

mlir::Value broadcastTo(Emitter &emitter, mlir::Value value, llvm::ArrayRef<int64_t> shape,
                        SourceRange range) {
  llvm::ArrayRef<int64_t> from = tile::shapeOf(value.getType());
  if (from.size() <= shape.size() && !disagreement(from, shape) && commonShape(from, shape) == shape)
    return stretch(emitter, value, shape);
  emitter.error(range, "cannot-broadcast", {shapeName(from), shapeName(shape)});
  return {};
}

bool broadcast(Emitter &emitter, mlir::Value &left, mlir::Value &right, SourceRange leftRange,
               SourceRange rightRange) {
  llvm::ArrayRef<int64_t> a = tile::shapeOf(left.getType()), b = tile::shapeOf(right.getType());
  if (auto dimension = disagreement(a, b)) {
    reportShapes(emitter, left.getType(), right.getType(), leftRange, rightRange, *dimension);
    return false;
  }
  llvm::SmallVector<int64_t> shape = commonShape(a, b);
  left = stretch(emitter, left, shape);
  right = stretch(emitter, right, shape);
  return true;
}

mlir::Value bitcast(Emitter &emitter, mlir::Value value, mlir::Type element, SourceRange range) {
  mlir::Type from = tile::elementTypeOf(value.getType());
  if (from == element)
    return value;
  if (tile::isPointer(from) != tile::isPointer(element))
    return castTo(emitter, value, element, range);
  if (tile::bitWidthOf(from) != tile::bitWidthOf(element)) {
    emitter.error(range, "bitcast-width",
                  {typeName(from), std::to_string(tile::bitWidthOf(from)), typeName(element),
                   std::to_string(tile::bitWidthOf(element))});
    return {};
  }
  return emitter.create<tile::BitcastOp>(tile::withElementType(value.getType(), element), value);
}

namespace {

void reportCast(Emitter &emitter, mlir::Type from, mlir::Type to, SourceRange range, const char *way) {
  Diagnostic &error = emitter.error(range, "cannot-cast", {typeName(from), typeName(to)});
  if (way)
    error.notes.insert(error.notes.begin(), {way, {}, emitter.span(range)});
}

/// An address as an integer: of 64 bits, or whether it is null.
mlir::Value addressAsInteger(Emitter &emitter, mlir::Value value, mlir::Type element, SourceRange range) {
  mlir::Type from = tile::elementTypeOf(value.getType());
  if (tile::bitWidthOf(element) != 64 && !tile::isBoolean(element)) {
    reportCast(emitter, from, element, range, "cast-through-int64");
    return {};
  }
  mlir::Type wide = tile::withElementType(value.getType(), int64(emitter.context()));
  return castTo(emitter, emitter.create<tile::PtrToIntOp>(wide, value), element, range);
}

} // namespace

mlir::Value castTo(Emitter &emitter, mlir::Value value, mlir::Type element, SourceRange range,
                   tile::Rounding rounding) {
  mlir::Type from = tile::elementTypeOf(value.getType());
  if (from == element)
    return value;
  mlir::Type result = tile::withElementType(value.getType(), element);
  bool fromPointer = tile::isPointer(from), toPointer = tile::isPointer(element);
  if (fromPointer && toPointer)
    return emitter.create<tile::BitcastOp>(result, value);
  if (toPointer && tile::isInteger(from))
    return emitter.create<tile::IntToPtrOp>(result, castTo(emitter, value, int64(emitter.context()), range));
  if (fromPointer && tile::isInteger(element))
    return addressAsInteger(emitter, value, element, range);
  bool throughFloat =
      (isFloat8(from) && tile::isInteger(element)) || (tile::isInteger(from) && isFloat8(element));
  if (fromPointer || toPointer || throughFloat) {
    reportCast(emitter, from, element, range, throughFloat ? "cast-through-float" : nullptr);
    return {};
  }
  return emitter.create<tile::CastOp>(result, value, rounding, /*saturate=*/false);
}

} // namespace tilescope::frontend
