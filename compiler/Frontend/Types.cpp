// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Frontend/Types.h"

#include <cmath>
#include <limits>

namespace tilescope::frontend {

namespace {

using mlir::IntegerType;

struct IntegerRow {
  ElementType element;
  unsigned width;
  IntegerType::SignednessSemantics sign;
};
constexpr IntegerRow integerRows[] = {
    {ElementType::Bool, 1, IntegerType::Signless},    {ElementType::Int8, 8, IntegerType::Signed},
    {ElementType::Int16, 16, IntegerType::Signed},    {ElementType::Int32, 32, IntegerType::Signed},
    {ElementType::Int64, 64, IntegerType::Signed},    {ElementType::UInt8, 8, IntegerType::Unsigned},
    {ElementType::UInt16, 16, IntegerType::Unsigned}, {ElementType::UInt32, 32, IntegerType::Unsigned},
    {ElementType::UInt64, 64, IntegerType::Unsigned},
};

struct FloatRow {
  ElementType element;
  mlir::Type (*make)(mlir::MLIRContext *);
};
template <typename T> mlir::Type make(mlir::MLIRContext *context) { return T::get(context); }
constexpr FloatRow floatRows[] = {
    {ElementType::Float8E4M3FN, make<mlir::Float8E4M3FNType>},
    {ElementType::Float8E5M2, make<mlir::Float8E5M2Type>},
    {ElementType::Float8E4M3FNUZ, make<mlir::Float8E4M3FNUZType>},
    {ElementType::Float8E5M2FNUZ, make<mlir::Float8E5M2FNUZType>},
    {ElementType::BFloat16, make<mlir::BFloat16Type>},
    {ElementType::Float16, make<mlir::Float16Type>},
    {ElementType::Float32, make<mlir::Float32Type>},
    {ElementType::Float64, make<mlir::Float64Type>},
};

} // namespace

mlir::Type mlirType(mlir::MLIRContext *context, ElementType element) {
  for (const IntegerRow &row : integerRows)
    if (row.element == element)
      return IntegerType::get(context, row.width, row.sign);
  for (const FloatRow &row : floatRows)
    if (row.element == element)
      return row.make(context);
  return {};
}

std::optional<ElementType> elementType(mlir::Type type) {
  if (auto integer = llvm::dyn_cast<IntegerType>(type)) {
    for (const IntegerRow &row : integerRows)
      if (row.width == integer.getWidth() && row.sign == integer.getSignedness())
        return row.element;
    return std::nullopt;
  }
  for (const FloatRow &row : floatRows)
    if (row.make(type.getContext()) == type)
      return row.element;
  return std::nullopt;
}

std::string shapeName(llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (int64_t size : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

std::string typeName(mlir::Type type) {
  mlir::Type element = tile::elementTypeOf(type);
  std::string name;
  if (auto pointer = llvm::dyn_cast<tile::PointerType>(element))
    name = "pointer<" + typeName(pointer.getPointee()) + ">";
  else if (auto known = elementType(element))
    name = tritonName(*known);
  return element == type ? name : name + shapeName(tile::shapeOf(type));
}

bool isFloat8(mlir::Type element) { return tile::isFloat(element) && tile::bitWidthOf(element) == 8; }

mlir::Type int32(mlir::MLIRContext *context) { return IntegerType::get(context, 32, IntegerType::Signed); }
mlir::Type int64(mlir::MLIRContext *context) { return IntegerType::get(context, 64, IntegerType::Signed); }
mlir::Type boolean(mlir::MLIRContext *context) { return IntegerType::get(context, 1); }

bool holds(mlir::Type integer, const Integer &number) {
  unsigned width = tile::bitWidthOf(integer);
  if (!tile::isSigned(integer))
    return !number.isNegative() && number.bitLength() <= width;
  Integer limit = Integer::shiftLeft(1, width - 1);
  return -limit <= number && number < limit;
}

mlir::Type typeOfNumber(mlir::MLIRContext *context, const Value &number) {
  if (number.asBool())
    return boolean(context);
  if (const double *real = number.asFloat()) {
    double size = std::fabs(*real);
    bool fits = size == 0 || !std::isfinite(size) ||
                (size >= std::numeric_limits<float>::min() && size <= std::numeric_limits<float>::max());
    return mlirType(context, fits ? ElementType::Float32 : ElementType::Float64);
  }
  for (ElementType candidate :
       {ElementType::Int32, ElementType::UInt32, ElementType::Int64, ElementType::UInt64})
    if (mlir::Type type = mlirType(context, candidate); holds(type, *number.asInt()))
      return type;
  return {};
}

} // namespace tilescope::frontend
