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
  if (value.term.isError())
    return {};
  if (auto symbol = value.term.symbol())
    return makeTerm(m_emitter.context(), makeSymbol(std::string(*symbol) + "." + std::string(expr.attr)));
  return attributeOf(value, expr);
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

std::optional<Term> typeAttribute(mlir::Type type, std::string_view name) {
  auto pointer = llvm::dyn_cast<tile::PointerType>(tile::elementTypeOf(type));
  if (name == "element_ty")
    return Term(pointer && !llvm::isa<tile::TileType>(type) ? pointer.getPointee()
                                                            : tile::elementTypeOf(type));
  if (name == "scalar")
    return Term(tile::elementTypeOf(type));
  if (name == "shape")
    return shapeTerm(tile::shapeOf(type));
  if (name == "block_type" && llvm::isa<tile::TileType>(type))
    return Term(type);
  if (name == "primitive_bitwidth")
    return Term(Value(int64_t(tile::bitWidthOf(tile::elementTypeOf(type)))));
  if (name == "itemsize")
    return Term(Value(int64_t(tile::byteSizeOf(tile::elementTypeOf(type)))));
  if (name == "name")
    return Term(Value(typeName(type)));
  return std::nullopt;
}

constexpr std::string_view typeMethods[] = {
    "is_floating", "is_int",  "is_int1", "is_ptr",  "is_block", "is_fp8",   "is_fp16",
    "is_bf16",     "is_fp32", "is_fp64", "is_int8", "is_int16", "is_int32", "is_int64",
};

} // namespace

Term Lowering::attributeOf(const Operand &value, const Attribute &expr) {
  auto method = [&]() -> Term {
    return std::make_shared<const MethodTerm>(MethodTerm{value.term, value.range, expr.attr});
  };
  if (mlir::Value runtime = value.term.value()) {
    if (auto term = valueAttribute(m_emitter, runtime, expr.attr))
      return *term;
    if (isMethod(expr.attr))
      return method();
  } else if (mlir::Type type = value.term.type()) {
    if (auto term = typeAttribute(type, expr.attr))
      return *term;
    if (llvm::is_contained(typeMethods, expr.attr))
      return method();
  } else if (const BlockTerm *block = value.term.block()) {
    if (auto term = blockAttribute(m_emitter, *block, expr.attr))
      return *term;
    if (findMethodOf(value.term, expr.attr))
      return method();
  } else if (const TupleTerm *tuple = value.term.tuple()) {
    for (size_t i = 0; i < tuple->fieldNames.size(); ++i)
      if (tuple->fieldNames[i] == expr.attr)
        return tuple->items[i];
  } else if (value.term.constant()) {
    if (expr.attr == "value")
      return value.term;
    if (value.term.isNumber() && isMethod(expr.attr))
      return method();
  }
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
