// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What scripts ask about element types: their limits, and whether something is a tensor.
#include "compiler/Host/Functions.h"

#include <cmath>
#include <limits>

namespace tilescope::host {

namespace {

/// A format of floats: the largest value, the distance from 1 to the next one, the least normal number.
struct FloatRow {
  ElementType type;
  double largest, epsilon, leastNormal;
};
constexpr FloatRow Floats[] = {
    {ElementType::Float64, std::numeric_limits<double>::max(), 0x1p-52, 0x1p-1022},
    {ElementType::Float32, std::numeric_limits<float>::max(), 0x1p-23, 0x1p-126},
    {ElementType::Float16, 65504, 0x1p-10, 0x1p-14},
    {ElementType::BFloat16, 0x1.fep127, 0x1p-7, 0x1p-126},
    {ElementType::Float8E4M3FN, 448, 0x1p-3, 0x1p-6},
    {ElementType::Float8E5M2, 57344, 0x1p-2, 0x1p-14},
    {ElementType::Float8E4M3FNUZ, 240, 0x1p-3, 0x1p-7},
    {ElementType::Float8E5M2FNUZ, 57344, 0x1p-2, 0x1p-15},
};

Result<ElementType> typeArgument(NativeCall &call) {
  auto symbol = symbolName(call[0]);
  auto type = symbol ? elementTypeOfSymbol(*symbol) : std::nullopt;
  return type ? Result<ElementType>(*type) : call.wrongType(0, "torch.dtype");
}

Value record(std::string className, std::initializer_list<std::pair<const char *, Value>> fields) {
  std::vector<Value> values;
  std::vector<std::string> names;
  for (const auto &[name, value] : fields) {
    names.emplace_back(name);
    values.push_back(value);
  }
  return makeObject<TupleObject>(std::move(values), std::move(names), std::move(className));
}

Value bitsOf(ElementType type) { return Value(static_cast<int64_t>(8 * byteSize(type))); }

/// The name without "torch.".
Value nameOf(ElementType type) { return Value(std::string(torchName(type).substr(6))); }

Result<Value> floatLimits(NativeCall &call) {
  const auto type = call.count() == 0 ? Result<ElementType>(ElementType::Float32) : typeArgument(call);
  if (!type)
    return type.error();
  for (const FloatRow &row : Floats)
    if (row.type == *type)
      return record("finfo", {{"bits", bitsOf(*type)},
                              {"eps", Value(row.epsilon)},
                              {"max", Value(row.largest)},
                              {"min", Value(-row.largest)},
                              {"smallest_normal", Value(row.leastNormal)},
                              {"tiny", Value(row.leastNormal)},
                              {"dtype", nameOf(*type)}});
  return call.wrongType(0, "float dtype");
}

Result<Value> integerLimits(NativeCall &call) {
  const auto type = typeArgument(call);
  if (!type)
    return type.error();
  if (isFloat(*type) || *type == ElementType::Bool)
    return call.wrongType(0, "int dtype");
  const int64_t bits = 8 * byteSize(*type);
  const bool isSigned = isSignedInt(*type);
  const Integer span = Integer::shiftLeft(Integer(1), isSigned ? bits - 1 : bits);
  return record("iinfo", {{"bits", bitsOf(*type)},
                          {"max", Value(span - Integer(1))},
                          {"min", isSigned ? Value(Integer(0) - span) : Value(0)},
                          {"dtype", nameOf(*type)}});
}

Result<Value> isTensor(NativeCall &call) { return Value(call[0].as<TensorObject>() != nullptr); }

constexpr NativeFunction Rows[] = {
    {"torch.finfo", 0, 1, "", floatLimits},
    {"torch.iinfo", 1, 1, "", integerLimits},
    {"torch.is_tensor", 1, 1, "", isTensor},
};

} // namespace

std::optional<Value> typeAttribute(std::string_view symbol, std::string_view name) {
  const auto type = elementTypeOfSymbol(symbol);
  if (type && name == "itemsize")
    return Value(static_cast<int64_t>(byteSize(*type)));
  if (type && name == "is_floating_point")
    return Value(isFloat(*type));
  if (type && name == "is_signed")
    return Value(isFloat(*type) || isSignedInt(*type));
  return std::nullopt;
}

NativeTable typeFunctions() { return Rows; }

} // namespace tilescope::host
