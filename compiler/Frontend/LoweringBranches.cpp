// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run-time branches. A branch is compiled into an operation without results first; which variables its two
// sides leave different is known after, and then it is given results.
#include "compiler/Frontend/Lowering.h"
#include "compiler/Frontend/Scan.h"
#include "compiler/Frontend/Types.h"

namespace tilescope::frontend {

using namespace syntax;

Lowering::Branch Lowering::lowerBranch(mlir::Block *block, Body body, const Continuation *next) {
  mlir::OpBuilder::InsertionGuard guard(m_emitter.builder);
  m_emitter.builder.setInsertionPointToEnd(block);
  Names before = frame().names;
  Flow flow = lowerBody(body, next);
  for (; next && flow == Flow::Falls; next = next->next)
    flow = next->rest(next->next);
  Branch branch{std::move(frame().names), std::move(frame().returned), block};
  frame().names = std::move(before);
  frame().returned.reset();
  return branch;
}

tile::IfOp Lowering::withResults(tile::IfOp skeleton, const Branch &first, mlir::ValueRange firstValues,
                                 const Branch &second, mlir::ValueRange secondValues) {
  auto yield = [&](mlir::Block *block, mlir::ValueRange values) {
    mlir::OpBuilder::InsertionGuard guard(m_emitter.builder);
    m_emitter.builder.setInsertionPointToEnd(block);
    m_emitter.create<tile::YieldOp>(values);
  };
  yield(first.block, firstValues);
  yield(second.block, secondValues);
  auto result =
      m_emitter.create<tile::IfOp>(mlir::TypeRange(firstValues), skeleton.getCondition(), /*withElse=*/false);
  result.getThenRegion().takeBody(skeleton.getThenRegion());
  bool needsElse = !firstValues.empty() || second.block->getOperations().size() > 1;
  if (needsElse)
    result.getElseRegion().takeBody(skeleton.getElseRegion());
  skeleton.erase();
  return result;
}

Flow Lowering::lowerRuntimeIf(const If &stmt, mlir::Value condition) {
  auto skeleton = m_emitter.create<tile::IfOp>(mlir::TypeRange(), condition, /*withElse=*/true);
  Names before = frame().names;
  Branch first = lowerBranch(skeleton.thenBlock(), stmt.body, nullptr);
  Branch second = lowerBranch(skeleton.elseBlock(), stmt.orelse, nullptr);
  mergeNames(assignedNames({stmt.body, stmt.orelse}), before, skeleton, first, second);
  return Flow::Falls;
}

namespace {

bool isKnown(const Binding *binding) {
  return binding && (binding->state == Binding::State::Bound || binding->state == Binding::State::Reset);
}

/// None, a data type, a constant: what Triton takes for no value of the program.
bool isStatic(const Term &term) { return !term.isError() && !term.value() && !term.tuple() && !term.block(); }

} // namespace

void Lowering::reportReassignedConstant(std::string_view name, const Binding &binding, const Term &before) {
  m_emitter.error(binding.assigned, "constant-reassigned", {std::string(name), describe(before)});
}

std::optional<Binding> Lowering::settledBinding(const Binding *before, const Binding *first,
                                                const Binding *second) {
  if (!isKnown(first) || !isKnown(second))
    return Binding{Term(), (first ? first : second)->assigned, Binding::State::OneBranch};
  const Term &a = first->term, &b = second->term;
  SourceRange assigned = before && second->assigned == before->assigned ? first->assigned : second->assigned;
  if (a.isError() || b.isError())
    return Binding{Term(), assigned};
  if (a.identical(b))
    return Binding{b, assigned, std::max(first->state, second->state)};
  if (!isKnown(before) || !isStatic(before->term))
    return std::nullopt;
  if (before->term.isNumber() && a.isNumber() && b.isNumber()) // the variable of an unrolled loop
    return *before;
  if (!before->term.isNone() && !before->term.type())
    return std::nullopt;
  if (a.identical(before->term) || b.identical(before->term))
    return Binding{before->term, assigned, Binding::State::Reset};
  return std::nullopt;
}

bool Lowering::bringTogether(const MergedTerm &merged, const Branch &first, const Branch &second,
                             llvm::SmallVectorImpl<mlir::Value> &firstValues,
                             llvm::SmallVectorImpl<mlir::Value> &secondValues) {
  const size_t count = firstValues.size();
  auto valueIn = [&](const Branch &branch, const Term &term) {
    mlir::OpBuilder::InsertionGuard guard(m_emitter.builder);
    m_emitter.builder.setInsertionPointToEnd(branch.block);
    return toTensor(m_emitter, {term, m_emitter.range()});
  };
  for (const auto &[a, b] : merged.pairs) {
    firstValues.push_back(valueIn(first, a));
    secondValues.push_back(valueIn(second, b));
    if (firstValues.back() && secondValues.back() &&
        firstValues.back().getType() == secondValues.back().getType())
      continue;
    firstValues.truncate(count);
    secondValues.truncate(count);
    return false;
  }
  return true;
}

void Lowering::mergeNames(std::span<const std::string_view> assigned, const Names &before,
                          tile::IfOp skeleton, const Branch &first, const Branch &second) {
  llvm::SmallVector<mlir::Value> firstValues, secondValues;
  struct Merged {
    std::string_view name;
    Binding binding;
    size_t count;
  };
  std::vector<Merged> merged;
  for (std::string_view name : assigned) {
    const Binding *a = first.names.find(name), *b = second.names.find(name), *old = before.find(name);
    if (!a && !b)
      continue;
    if (std::optional<Binding> settled = settledBinding(old, a, b)) {
      frame().names.set(name, *settled);
      continue;
    }
    const Binding *last = old && b->assigned == old->assigned ? a : b;
    if (old && old->term.isNumber() && !frame().isPrelude) {
      reportReassignedConstant(name, *last, old->term);
      frame().names.set(name, {Term(), last->assigned});
      continue;
    }
    std::optional<MergedTerm> terms = mergeTerms(a->term, b->term);
    if (!terms || !bringTogether(*terms, first, second, firstValues, secondValues)) {
      Diagnostic &error = m_emitter.error(last->assigned, "branch-types",
                                          {std::string(name), describe(a->term), describe(b->term)});
      const Binding *other = last == a ? b : a;
      error.notes.push_back(
          {"assigned-here-as", {std::string(name), describe(other->term)}, m_emitter.span(other->assigned)});
      frame().names.set(name, {Term(), last->assigned});
      continue;
    }
    merged.push_back({name, {terms->form, last->assigned}, terms->pairs.size()});
  }
  tile::IfOp result = withResults(skeleton, first, firstValues, second, secondValues);
  mlir::ValueRange values = result.getResults();
  for (Merged &m : merged) {
    mlir::ValueRange own = values.take_front(m.count);
    values = values.drop_front(m.count);
    frame().names.set(m.name, {filled(m.binding.term, own), m.binding.assigned});
  }
}

Flow Lowering::lowerReturningIf(const If &stmt, mlir::Value condition, const Continuation &after) {
  auto skeleton = m_emitter.create<tile::IfOp>(mlir::TypeRange(), condition, /*withElse=*/true);
  Branch first = lowerBranch(skeleton.thenBlock(), stmt.body, &after);
  Branch second = lowerBranch(skeleton.elseBlock(), stmt.orelse, &after);
  Operand a = first.returned.value_or(Operand{Value(), stmt.range});
  Operand b = second.returned.value_or(Operand{Value(), stmt.range});
  auto shown = [&](const Term &term) {
    return term.isNumber() ? typeName(typeOfNumber(m_emitter.context(), *term.constant())) : describe(term);
  };
  llvm::SmallVector<mlir::Value> firstValues, secondValues;
  std::optional<MergedTerm> merged;
  if (!a.term.isError() && !b.term.isError()) {
    merged = mergeTerms(a.term, b.term);
    if (merged && !bringTogether(*merged, first, second, firstValues, secondValues))
      merged.reset();
    if (!merged) {
      Diagnostic &error = m_emitter.error(b.range, "return-types", {shown(b.term), shown(a.term)});
      error.notes.push_back({"returned-here", {shown(a.term)}, m_emitter.span(a.range)});
    }
  }
  tile::IfOp op = withResults(skeleton, first, firstValues, second, secondValues);
  mlir::ValueRange values = op.getResults();
  frame().returned = Operand{merged ? filled(merged->form, values) : Term(), a.range};
  return Flow::Returned;
}

} // namespace tilescope::frontend
