// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subscripts, tuples, comprehensions, strings.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Lowering.h"
#include "compiler/Frontend/Types.h"
#include "compiler/Value/Operators.h"

namespace tilescope::frontend {

using namespace syntax;

Term Lowering::lowerSubscript(const Subscript &expr) {
  Operand value = operand(*expr.value);
  if (value.term.isError())
    return {};
  if (value.term.value())
    return lowerIndex(value, expr);
  if (const auto *slice = dynCast<Slice>(expr.slice))
    return lowerTupleSlice(value, *slice);
  Operand index = operand(*expr.slice);
  if (index.term.isError())
    return {};
  if (const TupleTerm *tuple = value.term.tuple(); tuple && tuple->type.isNone())
    return tupleItem(*tuple, index);
  if (!value.term.constant() || !index.term.constant()) {
    m_emitter.error(expr.range, "not-subscriptable", {describe(value.term)});
    return {};
  }
  Result<Value> item = subscript(*value.term.constant(), *index.term.constant());
  if (item)
    return makeTerm(m_emitter.context(), *item);
  m_emitter.error(expr.range, item.error().id, item.error().arguments);
  return {};
}

Term Lowering::tupleItem(const TupleTerm &tuple, const Operand &index) {
  auto size = static_cast<int64_t>(tuple.items.size());
  auto position = constantInt(m_emitter, index);
  if (!position)
    return {};
  if (*position >= -size && *position < size)
    return tuple.items[static_cast<size_t>(*position < 0 ? *position + size : *position)];
  m_emitter.error(index.range, "index-out-of-range", {std::to_string(*position), std::to_string(size)});
  return {};
}

Term Lowering::lowerTupleSlice(const Operand &value, const Slice &slice) {
  const TupleTerm *tuple = value.term.tuple();
  if (!tuple)
    return refuse(slice, "tile-index");
  bool isKnown = true;
  auto bound = [&](const Expr *expr) {
    auto number = expr ? constantInt(m_emitter, operand(*expr)) : std::nullopt;
    isKnown &= !expr || number;
    return number ? Value(*number) : Value();
  };
  Value lower = bound(slice.lower), upper = bound(slice.upper), step = bound(slice.step);
  if (!isKnown)
    return {};
  auto places = positions(SliceObject(lower, upper, step), static_cast<int64_t>(tuple->items.size()));
  if (!places) {
    m_emitter.error(slice.range, places.error().id, places.error().arguments);
    return {};
  }
  std::vector<Term> items;
  for (int64_t i = 0; i < places->count; ++i)
    items.push_back(tuple->items[static_cast<size_t>(places->start + i * places->step)]);
  return makeTuple(std::move(items));
}

Term Lowering::lowerIndex(const Operand &value, const Subscript &expr) {
  llvm::SmallVector<const Expr *> items{expr.slice};
  if (const auto *tuple = dynCast<Tuple>(expr.slice))
    items.assign(tuple->elts.begin(), tuple->elts.end());
  mlir::Value result = value.term.value();
  size_t rank = tile::shapeOf(result.getType()).size(), used = 0;
  int64_t axis = 0;
  for (const Expr *item : items) {
    if (const auto *slice = dynCast<Slice>(item)) {
      if (slice->lower || slice->upper || slice->step)
        return refuse(*item, "tile-index");
      ++used;
    } else {
      Term term = lower(*item);
      if (term.isError())
        return {};
      if (!term.isNone())
        return refuse(*item, rank == 0 ? "scalar-index" : "tile-index");
      result = expandDims(m_emitter, result, axis);
    }
    ++axis;
  }
  if (used <= rank)
    return result;
  m_emitter.error(expr.slice->range, "too-many-indices", {std::to_string(used), std::to_string(rank)});
  return {};
}

Term Lowering::lowerTuple(std::span<Expr *const> elts) {
  std::vector<Term> items;
  for (const Expr *elt : elts) {
    items.push_back(lower(*elt)); // a starred item is an error
    if (items.back().isError())
      return {};
  }
  return makeTuple(std::move(items));
}

bool Lowering::isKept(std::span<Expr *const> conditions) {
  return llvm::all_of(conditions, [&](const Expr *condition) {
    Operand test = operand(*condition);
    if (test.term.value())
      m_emitter.error(test.range, "comprehension-condition", {describe(test.term)});
    return staticTruth(test).value_or(false);
  });
}

Term Lowering::lowerComprehension(const Expr &elt, std::span<const Comprehension> generators) {
  if (generators.size() != 1)
    return refuse(elt, "kernel-comprehension");
  Operand iterable = operand(*generators[0].iter);
  if (!iterable.term.isError() && !iterable.term.tuple() && !frame().isPrelude) {
    m_emitter.error(iterable.range, "comprehension-iterable", {describe(iterable.term)});
    return {};
  }
  std::optional<std::vector<Term>> items = staticItems(iterable);
  if (!items)
    return {};
  Names before = frame().names;
  std::vector<Term> results;
  for (const Term &item : *items) {
    assign(*generators[0].target, {item, generators[0].iter->range});
    if (isKept(generators[0].ifs))
      results.push_back(lower(elt));
  }
  frame().names = std::move(before);
  return makeTuple(std::move(results));
}

Term Lowering::lowerFString(const JoinedStr &expr) {
  std::string text;
  for (const Expr *part : expr.values) {
    if (const auto *literal = dynCast<Constant>(part)) {
      text += literal->text;
      continue;
    }
    const auto *formatted = dynCast<FormattedValue>(part);
    if (!formatted)
      return {};
    Operand value = operand(*formatted->value);
    if (value.term.isError())
      return {};
    if (value.term.value()) {
      m_emitter.error(value.range, "fstring-run-time-value", {describe(value.term)});
      return {};
    }
    if (!value.term.constant()) {
      text += describe(value.term);
      continue;
    }
    const Value &constant = *value.term.constant();
    text +=
        formatted->conversion == 'r' ? repr(constant) : str(constant); // formats are left out, as in Triton
  }
  return Value(std::move(text));
}

std::optional<std::vector<Term>> Lowering::staticItems(const Operand &iterable) {
  if (iterable.term.isError())
    return std::nullopt;
  if (const TupleTerm *tuple = iterable.term.tuple())
    return tuple->items;
  if (const Value *constant = iterable.term.constant())
    if (Result<std::vector<Value>> items = elements(*constant)) {
      std::vector<Term> terms;
      for (const Value &item : *items)
        terms.push_back(makeTerm(m_emitter.context(), item));
      return terms;
    }
  m_emitter.error(iterable.range, "not-iterable", {describe(iterable.term)});
  return std::nullopt;
}

} // namespace tilescope::frontend
