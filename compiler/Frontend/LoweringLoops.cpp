// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops: those that run, and those that are unrolled.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Lowering.h"
#include "compiler/Frontend/Scan.h"
#include "compiler/Frontend/Types.h"
#include "compiler/Value/Operators.h"

namespace tilescope::frontend {

using namespace syntax;

std::vector<Lowering::Carried> Lowering::carriedNames(std::span<const std::string_view> assigned,
                                                      llvm::SmallVectorImpl<mlir::Value> &inits) {
  std::vector<Carried> carried;
  for (std::string_view name : assigned) {
    const Binding *binding = frame().names.find(name);
    if (!binding || binding->state != Binding::State::Bound)
      continue;
    size_t first = inits.size();
    collectValues(binding->term, inits);
    if (inits.size() > first)
      carried.push_back({name, binding->term, first, inits.size() - first});
  }
  return carried;
}

void Lowering::bindCarried(const std::vector<Carried> &carried, mlir::ValueRange values) {
  for (const Carried &c : carried) {
    mlir::ValueRange own = values.slice(c.first, c.count);
    SourceRange assigned = frame().names.find(c.name)->assigned;
    if (c.count == 1 && !frame().isPrelude)
      nameValue(own[0], c.name);
    frame().names.set(c.name, {withValues(c.before, own), assigned});
  }
}

llvm::SmallVector<mlir::Value> Lowering::yieldedValues(const std::vector<Carried> &carried,
                                                       mlir::ValueRange current) {
  llvm::SmallVector<mlir::Value> yielded;
  for (const Carried &c : carried) {
    const Binding *binding = frame().names.find(c.name);
    if (haveSameForm(c.before, binding->term)) {
      collectValues(binding->term, yielded);
      continue;
    }
    if (!binding->term.isError())
      m_emitter.error(binding->assigned, "loop-carried-type",
                      {std::string(c.name), describe(c.before), describe(binding->term)});
    yielded.append(llvm::SmallVector<mlir::Value>(current.slice(c.first, c.count)));
  }
  return yielded;
}

void Lowering::leaveLoop(const std::vector<Carried> &carried, mlir::ValueRange results, Names before,
                         std::span<const std::string_view> assigned) {
  Names inside = std::move(frame().names);
  frame().names = std::move(before);
  for (std::string_view name : assigned) {
    const Binding *after = inside.find(name), *outer = frame().names.find(name);
    if (!after)
      continue;
    if (!outer) {
      frame().names.set(
          name, {after->term.isError() ? after->term : Term(), after->assigned, Binding::State::LoopOnly});
      continue;
    }
    const Term &now = after->term, old = outer->term;
    if (outer->state != Binding::State::Bound || old.isError() || now.identical(old) ||
        llvm::any_of(carried, [&](const Carried &c) { return c.name == name; }) ||
        (old.isNumber() && now.isNumber())) // the variable of an unrolled loop
      continue;
    if (old.isNumber() && !now.isError())
      reportReassignedConstant(name, *after, old);
    else if (!now.isError())
      m_emitter.error(after->assigned, "loop-carried-type",
                      {std::string(name), describe(old), describe(now)});
    frame().names.set(name, {Term(), after->assigned});
  }
  for (const Carried &c : carried) {
    mlir::ValueRange own = results.slice(c.first, c.count);
    const Binding *last = inside.find(c.name);
    frame().names.set(c.name, {last->term.isError() ? Term() : withValues(c.before, own), last->assigned});
  }
}

bool Lowering::isStaticTest(const Expr &expr, std::span<const std::string_view> assigned) {
  auto all = [&](std::span<Expr *const> parts) {
    return llvm::all_of(parts, [&](const Expr *part) { return isStaticTest(*part, assigned); });
  };
  if (const auto *name = dynCast<Name>(&expr)) {
    if (llvm::is_contained(assigned, name->id))
      return false;
    if (const Binding *binding = frame().names.find(name->id))
      return binding->state == Binding::State::Bound && !binding->term.value() && !binding->term.isError();
    return frame().function->scope && frame().function->scope->find(name->id);
  }
  if (const auto *compare = dynCast<Compare>(&expr)) {
    const auto *name = dynCast<Name>(compare->left);
    bool isIdentity = compare->ops[0] == CompareOperator::Is || compare->ops[0] == CompareOperator::IsNot;
    if (isIdentity && name && !llvm::is_contained(assigned, name->id) && frame().names.find(name->id))
      return true;
    return isStaticTest(*compare->left, assigned) && all(compare->comparators);
  }
  if (const auto *logical = dynCast<BoolOp>(&expr))
    return all(logical->values);
  if (const auto *unaryOp = dynCast<UnaryOp>(&expr))
    return isStaticTest(*unaryOp->operand, assigned);
  if (const auto *op = dynCast<BinOp>(&expr))
    return isStaticTest(*op->left, assigned) && isStaticTest(*op->right, assigned);
  if (const auto *attribute = dynCast<Attribute>(&expr))
    return isStaticTest(*attribute->value, assigned);
  return expr.kind == ExprKind::Constant;
}

std::vector<std::string_view> Lowering::assignedInLoop(Body body) {
  std::vector<TypedExpression> *types = std::exchange(m_types, nullptr);
  std::vector<std::string_view> live, before;
  do { // what is assigned may undo what was taken for known: until nothing is added
    before = live;
    live = assignedNames({body}, [&](const Expr &test) -> std::optional<bool> {
      if (!isStaticTest(test, before))
        return std::nullopt;
      Term term = lower(test);
      return term.constant() ? std::optional(truth(*term.constant())) : std::nullopt;
    });
  } while (live.size() > before.size());
  m_types = types;
  return live;
}

Flow Lowering::lowerStaticFor(const For &stmt, std::span<const Term> items, const Continuation *next) {
  for (size_t i = 0; i < items.size() && m_statements <= statementLimit; ++i) {
    assign(*stmt.target, {items[i], stmt.iter->range});
    auto further = [&, i](const Continuation *after) {
      return lowerStaticFor(stmt, items.subspan(i + 1), after);
    };
    const Continuation afterTrip{further, next};
    if (lowerBody(stmt.body, &afterTrip) == Flow::Returned)
      return Flow::Returned;
  }
  return Flow::Falls;
}

namespace {

constexpr int64_t unrollLimit = 4096;

/// The bounds of `range(…)` brought to three, and its other keywords to `options`. Empty after an error.
std::vector<Operand> rangeBounds(Emitter &emitter, const CallArguments &arguments,
                                 std::vector<NamedOperand> &options) {
  std::vector<Operand> bounds = arguments.positional;
  std::optional<Operand> step;
  for (const NamedOperand &named : arguments.named) {
    if (named.name == "step")
      step = named.operand;
    else if (named.name == "arg1" || named.name == "arg2")
      bounds.push_back(named.operand);
    else
      options.push_back(named);
  }
  if (bounds.empty() || bounds.size() > (step ? 2u : 3u)) {
    emitter.error(arguments.call, "range-arguments", {std::to_string(bounds.size() + (step ? 1 : 0))});
    return {};
  }
  if (bounds.size() == 1)
    bounds.insert(bounds.begin(), Operand{Value(0), bounds[0].range});
  if (bounds.size() == 2)
    bounds.push_back(step.value_or(Operand{Value(1), arguments.call}));
  if (const Value *constant = bounds[2].term.constant(); constant && constant->index() == 0) {
    emitter.error(bounds[2].range, "range-step-zero");
    return {};
  }
  return bounds;
}

/// The numbers of a range that is unrolled; nothing after an error.
std::optional<std::vector<Term>> unrolledRange(Emitter &emitter, const std::vector<Operand> &bounds) {
  int64_t numbers[3];
  for (size_t i = 0; i < 3; ++i) {
    const Value *constant = bounds[i].term.constant();
    auto number = constant ? constant->index() : std::nullopt;
    if (!number && !bounds[i].term.isError())
      emitter.error(bounds[i].range, "static-range-bound", {describe(bounds[i].term)});
    if (!number)
      return std::nullopt;
    numbers[i] = *number;
  }
  RangeObject range(numbers[0], numbers[1], numbers[2]);
  if (range.length() > unrollLimit) {
    emitter.error(emitter.range(), "unroll-limit",
                  {std::to_string(range.length()), std::to_string(unrollLimit)});
    return std::nullopt;
  }
  std::vector<Term> items;
  for (int64_t i = 0; i < range.length(); ++i)
    items.push_back(Value(range.start + i * range.step));
  return items;
}

} // namespace

std::optional<std::vector<Term>> Lowering::loopItems(const For &stmt, std::string_view iterator) {
  const std::vector<Term> unknown{Term()}; // one trip with nothing known, for the errors inside
  if (iterator.empty()) {
    Operand iterable = operand(*stmt.iter);
    if (frame().isPrelude)
      return staticItems(iterable);
    if (!iterable.term.isError())
      m_emitter.error(stmt.iter->range, "loop-iterator", {describe(iterable.term)});
    return unknown;
  }
  std::vector<NamedOperand> options;
  std::vector<Operand> bounds = rangeBounds(m_emitter, lowerArguments(cast<Call>(stmt.iter)), options);
  if (bounds.empty())
    return unknown;
  if (iterator == "triton.language.static_range")
    return unrolledRange(m_emitter, bounds).value_or(unknown);
  lowerRange(stmt, bounds, options);
  return std::nullopt;
}

Flow Lowering::lowerFor(const For &stmt, const Continuation &after) {
  if (!stmt.orelse.empty())
    m_emitter.error(stmt.orelse.front()->range, "kernel-loop-else");
  const auto *call = dynCast<Call>(stmt.iter);
  Term callee = call ? lower(*call->func) : Term();
  std::string_view iterator = callee.symbol().value_or("");
  if (const LibraryFunction *row = findLibraryFunction(iterator))
    iterator = row->name;
  constexpr std::string_view iterators[] = {"builtins.range", "triton.language.range",
                                            "triton.language.static_range"};
  const auto *known = llvm::find(iterators, iterator);
  std::optional<std::vector<Term>> items;
  {
    Emitter::At at(m_emitter, stmt.iter->range);
    items = loopItems(stmt, known == std::end(iterators) ? std::string_view() : *known);
  }
  return items ? lowerStaticFor(stmt, *items, &after) : Flow::Falls;
}

namespace {

/// What `tl.range` may be told; each becomes an attribute of the loop.
struct RangeOption {
  std::string_view name;
  bool isFlag;
};
constexpr RangeOption rangeOptions[] = {
    {"num_stages", false},     {"loop_unroll_factor", false},       {"flatten", true},
    {"warp_specialize", true}, {"disallow_acc_multi_buffer", true}, {"disable_licm", true},
};

void setOption(Emitter &emitter, mlir::Operation *loop, const NamedOperand &option) {
  const RangeOption *row = llvm::find_if(rangeOptions, [&](const auto &r) { return r.name == option.name; });
  if (row == std::end(rangeOptions)) {
    emitter.error(option.nameRange, "unknown-keyword", {"range", std::string(option.name)});
    return;
  }
  const Value *constant = option.operand.term.constant();
  if (option.operand.term.isError() || option.operand.term.isNone())
    return;
  auto number = constant ? constant->index() : std::nullopt;
  if (!number) {
    emitter.error(option.operand.range, "constant-expected", {describe(option.operand.term)});
    return;
  }
  if (!row->isFlag)
    loop->setAttr(row->name, emitter.builder.getI32IntegerAttr(static_cast<int32_t>(*number)));
  else if (*number)
    loop->setAttr(row->name, emitter.builder.getUnitAttr());
}

/// The bounds as values of one integer type; null after an error.
mlir::Value commonBounds(Emitter &emitter, const std::vector<Operand> &bounds,
                         llvm::SmallVectorImpl<mlir::Value> &out) {
  mlir::Type common;
  for (const Operand &bound : bounds) {
    mlir::Value value = toTensor(emitter, bound);
    if (!value)
      return {};
    if (!tile::isInteger(value.getType())) {
      emitter.error(bound.range, "range-bound", {typeName(value.getType())});
      return {};
    }
    common = common ? commonType(common, false, value.getType(), false, false) : value.getType();
    out.push_back(value);
  }
  if (tile::isBoolean(common))
    common = int32(emitter.context());
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = castTo(emitter, out[i], common, bounds[i].range);
  return out[0];
}

} // namespace

void Lowering::lowerRange(const For &stmt, const std::vector<Operand> &bounds,
                          const std::vector<NamedOperand> &options) {
  llvm::SmallVector<mlir::Value> limits, inits;
  const Term unknown;
  if (!commonBounds(m_emitter, bounds, limits))
    return (void)lowerStaticFor(stmt, {&unknown, 1}, nullptr);
  std::vector<std::string_view> assigned = assignedInLoop(stmt.body);
  const auto *target = dynCast<Name>(stmt.target);
  if (target)
    std::erase(assigned, target->id);
  else
    m_emitter.error(stmt.target->range, "loop-target");
  std::vector<Carried> carried = carriedNames(assigned, inits);
  auto loop = m_emitter.create<tile::ForOp>(limits[0], limits[1], limits[2], inits);
  for (const NamedOperand &option : options)
    setOption(m_emitter, loop, option);
  Names before = frame().names;
  {
    mlir::OpBuilder::InsertionGuard guard(m_emitter.builder);
    m_emitter.builder.setInsertionPointToEnd(loop.getBody());
    bindCarried(carried, loop.carriedArguments());
    if (target)
      assign(*target, {mlir::Value(loop.inductionVariable()), stmt.iter->range});
    ++frame().loopDepth;
    lowerBody(stmt.body, nullptr);
    --frame().loopDepth;
    m_emitter.create<tile::YieldOp>(yieldedValues(carried, loop.carriedArguments()));
  }
  leaveLoop(carried, loop.getResults(), std::move(before), assigned);
  if (target)
    frame().names.set(target->id, {Term(), target->range, Binding::State::LoopOnly});
}

void Lowering::lowerWhile(const While &stmt) {
  if (!stmt.orelse.empty())
    m_emitter.error(stmt.orelse.front()->range, "kernel-loop-else");
  std::vector<std::string_view> assigned = assignedInLoop(stmt.body);
  llvm::SmallVector<mlir::Value> inits;
  std::vector<Carried> carried = carriedNames(assigned, inits);
  auto loop = m_emitter.create<tile::WhileOp>(mlir::TypeRange(inits), inits);
  Names before = frame().names;
  mlir::OpBuilder::InsertionGuard guard(m_emitter.builder);
  m_emitter.builder.setInsertionPointToEnd(loop.beforeBlock());
  bindCarried(carried, loop.beforeBlock()->getArguments());
  Operand test = operand(*stmt.test);
  if (test.term.constant() && !frame().isPrelude)
    m_emitter.error(test.range, "constant-loop-condition", {describe(test.term)});
  mlir::Value condition = toCondition(m_emitter, test);
  if (!condition)
    condition = constantOf(m_emitter, boolean(m_emitter.context()), Value(false));
  m_emitter.create<tile::ConditionOp>(condition, loop.beforeBlock()->getArguments());
  m_emitter.builder.setInsertionPointToEnd(loop.afterBlock());
  frame().names = before;
  bindCarried(carried, loop.afterBlock()->getArguments());
  ++frame().loopDepth;
  lowerBody(stmt.body, nullptr);
  --frame().loopDepth;
  m_emitter.create<tile::YieldOp>(yieldedValues(carried, loop.afterBlock()->getArguments()));
  leaveLoop(carried, loop.getResults(), std::move(before), assigned);
}

} // namespace tilescope::frontend
