// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of values, types, tuples and constants.
#include "compiler/Frontend/Block.h"
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Lowering.h"
#include "compiler/Frontend/Types.h"
#include "compiler/Value/Operators.h"

namespace tilescope::frontend {

using namespace syntax;

Term Lowering::lowerAttribute(const Attribute &expr) {
  Operand value = operand(*expr.value);
  return value.term.isError() ? Term() : attributeOf(value, expr);
}

namespace {

Term shapeTerm(llvm::ArrayRef<int64_t> shape) {
  std::vector<Term> sizes;
  for (int64_t size : shape)
    sizes.push_back(Value(size));
  return makeTuple(std::move(sizes));
}

/// An attribute of a run-time value, by name; a null handler's place is taken by methods of the library.
std::optional<Term> valueAttribute(Emitter &emitter, mlir::Value value, std::string_view name) {
  mlir::Type type = value.getType();
  if (name == "dtype")
    return Term(tile::elementTypeOf(type));
  if (name == "type")
    return Term(type);
  if (name == "shape")
    return shapeTerm(tile::shapeOf(type));
  if (name == "numel")
    return Term(Value(tile::elementCountOf(type)));
  if (name == "T" && tile::shapeOf(type).size() == 2)
    return Term(mlir::Value(emitter.create<tile::PermuteOp>(value, llvm::ArrayRef<int32_t>{1, 0})));
  return std::nullopt;
}

/// Of floats: bits of the fraction and what is added to the exponent.
struct FloatFormat {
  ElementType element;
  int64_t mantissaWidth, exponentBias;
};
constexpr FloatFormat floatFormats[] = {
    {ElementType::Float8E4M3FN, 3, 7},   {ElementType::Float8E5M2, 2, 15},
    {ElementType::Float8E4M3FNUZ, 3, 8}, {ElementType::Float8E5M2FNUZ, 2, 16},
    {ElementType::Float16, 10, 15},      {ElementType::BFloat16, 7, 127},
    {ElementType::Float32, 23, 127},     {ElementType::Float64, 52, 1023},
};

std::optional<Term> numberOfType(mlir::Type element, std::string_view name) {
  auto known = elementType(element);
  const auto *row = llvm::find_if(floatFormats, [&](const auto &r) { return r.element == known; });
  if (name == "primitive_bitwidth" || (name == "int_bitwidth" && tile::isInteger(element)))
    return Term(Value(int64_t(tile::bitWidthOf(element))));
  if (name == "itemsize") // as Triton counts: an int1 has none
    return Term(Value(int64_t(tile::bitWidthOf(element) / 8)));
  if (row == std::end(floatFormats))
    return std::nullopt;
  if (name == "fp_mantissa_width")
    return Term(Value(row->mantissaWidth));
  if (name == "exponent_bias")
    return Term(Value(row->exponentBias));
  return std::nullopt;
}

std::optional<Term> typeAttribute(mlir::Type type, std::string_view name) {
  mlir::Type element = tile::elementTypeOf(type);
  bool isTile = llvm::isa<tile::TileType>(type);
  auto pointer = llvm::dyn_cast<tile::PointerType>(element);
  if (name == "element_ty")
    return Term(pointer && !isTile ? pointer.getPointee() : element);
  if (name == "scalar")
    return Term(element);
  if (name == "shape")
    return shapeTerm(tile::shapeOf(type));
  if (name == "name")
    return Term(Value(typeName(type)));
  if (isTile && name == "block_type")
    return Term(type);
  if (isTile && name == "numel")
    return Term(Value(tile::elementCountOf(type)));
  if (isTile && name == "nbytes")
    return Term(Value(tile::elementCountOf(type) * int64_t(tile::bitWidthOf(element) / 8)));
  return numberOfType(element, name);
}

//===- Questions that types answer ----------------------------------------------------------------===//

struct TypeMethod {
  std::string_view name;
  Value (*answer)(mlir::Type type);
};

template <bool (*holds)(mlir::Type)> Value ofElement(mlir::Type type) {
  return Value(holds(tile::elementTypeOf(type)));
}
template <ElementType known> Value isElement(mlir::Type type) { return Value(elementType(type) == known); }
bool isUnsigned(mlir::Type element) { return tile::isInteger(element) && !tile::isSigned(element); }
bool isStandardFloat(mlir::Type element) { return tile::isFloat(element) && !isFloat8(element); }

Value leastInteger(mlir::Type type) {
  unsigned width = tile::bitWidthOf(type);
  return tile::isSigned(type) ? Value(-Integer::shiftLeft(1, width - 1)) : Value(0);
}
Value greatestInteger(mlir::Type type) {
  unsigned width = tile::bitWidthOf(type);
  return Integer::shiftLeft(1, tile::isSigned(type) ? width - 1 : width) - Integer(1);
}
/// The order bool < int < float.
Value kindOf(mlir::Type type) { return Value(tile::isFloat(type) ? 2 : tile::isBoolean(type) ? 0 : 1); }

constexpr TypeMethod typeMethods[] = {
    {"is_block", [](mlir::Type type) { return Value(llvm::isa<tile::TileType>(type)); }},
    {"is_ptr", [](mlir::Type type) { return Value(tile::isPointer(type)); }},
    {"is_const", [](mlir::Type) { return Value(false); }},
    {"is_void", [](mlir::Type) { return Value(false); }},
    {"is_floating", ofElement<tile::isFloat>},
    {"is_standard_floating", ofElement<isStandardFloat>},
    {"is_int", ofElement<tile::isInteger>},
    {"is_int_signed", ofElement<tile::isSigned>},
    {"is_int_unsigned", ofElement<isUnsigned>},
    {"is_bool", ofElement<tile::isBoolean>},
    {"is_int1", ofElement<tile::isBoolean>},
    {"is_fp8", ofElement<isFloat8>},
    {"is_fp8e4nv", isElement<ElementType::Float8E4M3FN>},
    {"is_fp8e4b8", isElement<ElementType::Float8E4M3FNUZ>},
    {"is_fp8e4b15", [](mlir::Type) { return Value(false); }},
    {"is_fp8e5", isElement<ElementType::Float8E5M2>},
    {"is_fp8e5b16", isElement<ElementType::Float8E5M2FNUZ>},
    {"is_fp16", isElement<ElementType::Float16>},
    {"is_bf16", isElement<ElementType::BFloat16>},
    {"is_fp32", isElement<ElementType::Float32>},
    {"is_fp64", isElement<ElementType::Float64>},
    {"is_int8", isElement<ElementType::Int8>},
    {"is_int16", isElement<ElementType::Int16>},
    {"is_int32", isElement<ElementType::Int32>},
    {"is_int64", isElement<ElementType::Int64>},
    {"is_uint8", isElement<ElementType::UInt8>},
    {"is_uint16", isElement<ElementType::UInt16>},
    {"is_uint32", isElement<ElementType::UInt32>},
    {"is_uint64", isElement<ElementType::UInt64>},
    {"get_int_max_value", greatestInteger},
    {"get_int_min_value", leastInteger},
    {"kind", kindOf},
};

const TypeMethod *findTypeMethod(std::string_view name) {
  const auto *row = llvm::find_if(typeMethods, [&](const TypeMethod &m) { return m.name == name; });
  return row == std::end(typeMethods) ? nullptr : row;
}

Term methodOf(const Operand &value, std::string_view name, Value function = {}) {
  return std::make_shared<const MethodTerm>(MethodTerm{value.term, value.range, name, std::move(function)});
}

} // namespace

Term callTypeMethod(Emitter &emitter, mlir::Type type, std::string_view name) {
  if (name == "get_block_shapes")
    return shapeTerm(tile::shapeOf(type));
  return findTypeMethod(name)->answer(type);
}

std::optional<Term> Lowering::symbolAttribute(std::string_view symbol, std::string_view name) {
  std::string full = std::string(symbol) + "." + std::string(name);
  bool isOurs = symbol.starts_with("triton.") || symbol == "triton" || symbol.starts_with("builtins.");
  if (std::shared_ptr<HostCalls> python = isOurs ? nullptr : host())
    if (Result<Value> value = python->attribute(makeSymbol(std::string(symbol)), name))
      return makeTerm(m_emitter.context(), *value);
  return makeTerm(m_emitter.context(), makeSymbol(std::move(full)));
}

std::optional<Term> Lowering::tupleAttribute(const Operand &value, std::string_view name) {
  const TupleTerm *tuple = value.term.tuple();
  for (size_t i = 0; i < tuple->fieldNames.size() && i < tuple->items.size(); ++i)
    if (tuple->fieldNames[i] == name)
      return tuple->items[i];
  std::shared_ptr<HostCalls> python = tuple->type.isNone() ? nullptr : host();
  if (!python)
    return std::nullopt;
  if (Result<Value> member = python->attribute(tuple->type, name))
    return member->as<FunctionObject>() ? methodOf(value, name, *member)
                                        : makeTerm(m_emitter.context(), *member);
  return std::nullopt;
}

std::optional<Term> Lowering::constantAttribute(const Operand &value, std::string_view name) {
  const Value &constant = *value.term.constant();
  if (auto symbol = value.term.symbol())
    return symbolAttribute(*symbol, name);
  if (name == "value")
    return value.term;
  if (value.term.isNumber() && isMethod(name))
    return methodOf(value, name);
  if (std::shared_ptr<HostCalls> python = host())
    if (Result<Value> attribute = python->attribute(constant, name))
      return makeTerm(m_emitter.context(), *attribute);
  return std::nullopt;
}

std::optional<Term> Lowering::findAttribute(const Operand &value, std::string_view name) {
  if (mlir::Value runtime = value.term.value()) {
    if (auto term = valueAttribute(m_emitter, runtime, name))
      return term;
    return isMethod(name) ? std::optional(methodOf(value, name)) : std::nullopt;
  }
  if (mlir::Type type = value.term.type()) {
    if (auto term = typeAttribute(type, name))
      return term;
    bool isKnown = name == "get_block_shapes" || findTypeMethod(name);
    return isKnown ? std::optional(methodOf(value, name)) : std::nullopt;
  }
  if (const BlockTerm *block = value.term.block()) {
    if (auto term = blockAttribute(m_emitter, *block, name))
      return term;
    return findMethodOf(value.term, name) ? std::optional(methodOf(value, name)) : std::nullopt;
  }
  if (value.term.tuple())
    return tupleAttribute(value, name);
  return value.term.constant() ? constantAttribute(value, name) : std::nullopt;
}

Term Lowering::attributeOf(const Operand &value, const Attribute &expr) {
  if (std::optional<Term> term = findAttribute(value, expr.attr))
    return *term;
  Diagnostic &error =
      m_emitter.error(expr.attrRange, "unknown-attribute", {describe(value.term), std::string(expr.attr)});
  std::vector<std::string_view> candidates{"dtype", "shape", "type", "T", "numel"};
  for (std::string_view name : languageNames())
    if (isMethod(name))
      candidates.push_back(name);
  if (std::string_view near = nearest(expr.attr, candidates); !near.empty() && value.term.value())
    error.fix = DiagnosticFix{"replace-name", {std::string(near)}, expr.attrRange, std::string(near)};
  return {};
}

} // namespace tilescope::frontend
