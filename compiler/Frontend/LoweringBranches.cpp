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
    flow = lowerBody(next->rest, next->next);
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

void Lowering::mergeNames(std::span<const std::string_view> assigned, const Names &before,
                          tile::IfOp skeleton, const Branch &first, const Branch &second) {
  llvm::SmallVector<mlir::Value> firstValues, secondValues;
  struct Merged {
    std::string_view name;
    Binding binding;
    size_t count;
  };
  std::vector<Merged> merged;
  auto flattenIn = [&](const Branch &branch, const Binding &binding,
                       llvm::SmallVectorImpl<mlir::Value> &values) {
    mlir::OpBuilder::InsertionGuard guard(m_emitter.builder);
    m_emitter.builder.setInsertionPointToEnd(branch.block);
    return flatten(m_emitter, {binding.term, binding.assigned}, values);
  };
  for (std::string_view name : assigned) {
    const Binding *a = first.names.find(name), *b = second.names.find(name);
    if (!a && !b)
      continue;
    const Binding *either = a ? a : b;
    if (!a || !b || a->state != Binding::State::Bound || b->state != Binding::State::Bound) {
      frame().names.set(name, {Term(), either->assigned, Binding::State::OneBranch});
      continue;
    }
    const Binding *old = before.find(name);
    const Binding *last = old && b->assigned == old->assigned ? a : b;
    if (a->term.isError() || b->term.isError() || a->term.identical(b->term)) {
      frame().names.set(name, a->term.isError() ? *a : Binding{b->term, last->assigned});
      continue;
    }
    llvm::SmallVector<mlir::Value> left, right;
    bool ok = a->term.hasFormOf(b->term) && flattenIn(first, *a, left) && flattenIn(second, *b, right) &&
              mlir::TypeRange(left) == mlir::TypeRange(right);
    if (!ok) {
      Diagnostic &error = m_emitter.error(last->assigned, "branch-types",
                                          {std::string(name), describe(a->term), describe(b->term)});
      const Binding *other = last == a ? b : a;
      error.notes.push_back(
          {"assigned-here-as", {std::string(name), describe(other->term)}, m_emitter.span(other->assigned)});
      frame().names.set(name, {Term(), last->assigned});
      continue;
    }
    firstValues.append(left);
    secondValues.append(right);
    merged.push_back({name, {a->term, last->assigned}, left.size()});
  }
  tile::IfOp result = withResults(skeleton, first, firstValues, second, secondValues);
  mlir::ValueRange values = result.getResults();
  for (Merged &m : merged) {
    mlir::ValueRange own = values.take_front(m.count);
    values = values.drop_front(m.count);
    frame().names.set(m.name, {unflatten(m.binding.term, own), m.binding.assigned});
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
  auto flattenIn = [&](const Branch &branch, const Operand &returned,
                       llvm::SmallVectorImpl<mlir::Value> &values) {
    mlir::OpBuilder::InsertionGuard guard(m_emitter.builder);
    m_emitter.builder.setInsertionPointToEnd(branch.block);
    return flatten(m_emitter, returned, values);
  };
  Operand result = a;
  bool merge = !a.term.isError() && !b.term.isError() && !a.term.identical(b.term);
  if (merge && !(flattenIn(first, a, firstValues) && flattenIn(second, b, secondValues) &&
                 a.term.hasFormOf(b.term) && mlir::TypeRange(firstValues) == mlir::TypeRange(secondValues))) {
    Diagnostic &error = m_emitter.error(b.range, "return-types", {shown(b.term), shown(a.term)});
    error.notes.push_back({"returned-here", {shown(a.term)}, m_emitter.span(a.range)});
    firstValues.clear();
    secondValues.clear();
    merge = false;
    result.term = Term();
  }
  tile::IfOp op = withResults(skeleton, first, firstValues, second, secondValues);
  if (merge) {
    mlir::ValueRange values = op.getResults();
    result.term = unflatten(a.term, values);
  } else if (b.term.isError()) {
    result.term = Term();
  }
  frame().returned = result;
  return Flow::Returned;
}

} // namespace tilescope::frontend
