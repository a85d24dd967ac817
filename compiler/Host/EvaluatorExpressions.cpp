// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions, but for displays and comprehensions (EvaluatorDisplays.cpp) and calls (EvaluatorCalls.cpp).
#include "compiler/Host/EvaluatorRun.h"
#include "compiler/Host/Functions.h"

#include "compiler/Value/Operators.h"

namespace tilescope::host {

using namespace syntax;

namespace {
/// How far the run may go down the stack; threads have 8 MiB.
constexpr std::ptrdiff_t StackBudget = 5 << 20;
} // namespace

Maybe Evaluation::evaluate(const Expr &expression) {
  if (m_stackTop - static_cast<const char *>(__builtin_frame_address(0)) > StackBudget)
    return raise(expression.range, {"recursion-limit", {std::to_string(m_frames.size())}});
  switch (expression.kind) {
  case ExprKind::Name:
    return evaluateName(cast<Name>(&expression));
  case ExprKind::Constant:
    return placed(expression.range, constant(cast<Constant>(&expression)));
  case ExprKind::Attribute:
    return evaluateAttribute(cast<Attribute>(&expression));
  case ExprKind::Call:
    return evaluateCall(cast<syntax::Call>(&expression));
  case ExprKind::Subscript:
    return evaluateSubscript(cast<Subscript>(&expression));
  case ExprKind::BinOp:
    return evaluateBinary(cast<BinOp>(&expression));
  case ExprKind::UnaryOp:
    return evaluateUnary(cast<UnaryOp>(&expression));
  case ExprKind::BoolOp:
    return evaluateBoolOp(cast<BoolOp>(&expression));
  case ExprKind::Compare:
    return evaluateCompare(cast<Compare>(&expression));
  case ExprKind::IfExp:
    return evaluateIf(cast<IfExp>(&expression));
  case ExprKind::Lambda:
    return evaluateLambda(cast<Lambda>(&expression));
  case ExprKind::Slice:
    return evaluateSlice(cast<Slice>(&expression));
  case ExprKind::JoinedStr:
    return evaluateJoined(cast<JoinedStr>(&expression));
  case ExprKind::FormattedValue:
    return evaluateFormatted(cast<FormattedValue>(&expression));
  case ExprKind::Dict:
    return evaluateDict(cast<Dict>(&expression));
  case ExprKind::Set:
    return evaluateSet(cast<Set>(&expression));
  case ExprKind::DictComp:
    return evaluateDictComp(cast<DictComp>(&expression));
  case ExprKind::ListComp:
    return evaluateList(*cast<ListComp>(&expression).elt, cast<ListComp>(&expression).generators, false);
  case ExprKind::SetComp:
    return evaluateList(*cast<SetComp>(&expression).elt, cast<SetComp>(&expression).generators, true);
  case ExprKind::GeneratorExp: {
    auto &generator = cast<GeneratorExp>(&expression);
    auto items = comprehend(*generator.elt, generator.generators);
    return items ? Maybe(makeObject<IteratorObject>("generator", std::move(*items))) : std::nullopt;
  }
  case ExprKind::List: {
    auto items = evaluateItems(cast<List>(&expression).elts);
    return items ? Maybe(makeList(std::move(*items))) : std::nullopt;
  }
  case ExprKind::Tuple: {
    auto items = evaluateItems(cast<Tuple>(&expression).elts);
    return items ? Maybe(makeTuple(std::move(*items))) : std::nullopt;
  }
  case ExprKind::NamedExpr: {
    auto &named = cast<NamedExpr>(&expression);
    auto value = evaluate(*named.value);
    if (value)
      top().functionScope->set(named.target->id, *value);
    return value;
  }
  case ExprKind::Await:
    return raiseUnsupported(expression.range, "await");
  case ExprKind::Yield:
  case ExprKind::YieldFrom:
    return raiseUnsupported(expression.range, "yield");
  case ExprKind::Starred:
    return raiseUnsupported(expression.range, "*");
  case ExprKind::Error:
    break; // a mistake of syntax, which has been reported
  }
  return raiseQuietly(true);
}

/// Scopes outwards. `unbound`: the name is local to the function and has no value yet.
const Value *Evaluation::lookUp(std::string_view name, bool &unbound) {
  const Frame &frame = top();
  for (Scope *scope = frame.scope.get(); scope; scope = scope->parent().get()) {
    if (Value *value = scope->findLocal(name))
      return value;
    if (scope == frame.functionScope.get() && frame.names && frame.names->locals.contains(name)) {
      unbound = true;
      return nullptr;
    }
  }
  return nullptr;
}

Maybe Evaluation::evaluateName(const Name &name) {
  bool unbound = false;
  if (const Value *value = lookUp(name.id, unbound))
    return *value;
  if (unbound)
    return raise(name.range, {"unbound-local", {std::string(name.id)}});
  if (isBuiltin(name.id))
    return makeSymbol("builtins." + std::string(name.id));
  if (const Value *library = top().globals->findLocal(StarImport))
    return placed(name.range, attributeOf(*library, name.id));
  return raiseUndefined(name);
}

Maybe Evaluation::evaluateBoolOp(const BoolOp &expression) {
  Maybe value;
  for (const Expr *operand : expression.values) {
    value = evaluate(*operand);
    if (!value || operand == expression.values.back())
      return value;
    auto truth = placed(operand->range, truthOf(*value));
    if (!truth || isUnknown(*truth))
      return truth;
    if (*truth->asBool() == (expression.op == BoolOperator::Or))
      return value;
  }
  return value;
}

Maybe Evaluation::evaluateCompare(const Compare &expression) {
  auto left = evaluate(*expression.left);
  for (size_t i = 0; left; ++i) {
    const Expr &operand = *expression.comparators[i];
    auto right = evaluate(operand);
    if (!right)
      return std::nullopt;
    m_at = expression.range;
    auto result = placed(expression.range, compareOf(expression.ops[i], *left, *right));
    if (!result || i + 1 == expression.ops.size())
      return result;
    auto truth = placed(expression.range, truthOf(*result));
    if (!truth || isUnknown(*truth) || !*truth->asBool())
      return truth && !isUnknown(*truth) ? result : truth;
    left = std::move(right);
  }
  return std::nullopt;
}

Maybe Evaluation::evaluateBinary(const BinOp &expression) {
  auto left = evaluate(*expression.left);
  auto right = left ? evaluate(*expression.right) : std::nullopt;
  if (!right)
    return std::nullopt;
  m_at = expression.range;
  for (auto [operand, value] : {std::pair(expression.left, &*left), std::pair(expression.right, &*right)})
    if (auto symbol = symbolName(*value))
      return raiseUnknownSymbol(operand->range, *symbol);
  return placed(expression.range, binaryOf(expression.op, *left, *right));
}

Maybe Evaluation::evaluateUnary(const UnaryOp &expression) {
  auto operand = evaluate(*expression.operand);
  if (!operand)
    return std::nullopt;
  m_at = expression.range;
  auto symbol = symbolName(*operand);
  return symbol ? Maybe(raiseUnknownSymbol(expression.operand->range, *symbol))
                : placed(expression.range, unaryOf(expression.op, *operand));
}

Maybe Evaluation::evaluateIf(const IfExp &expression) {
  auto test = evaluate(*expression.test);
  auto truth = test ? placed(expression.test->range, truthOf(*test)) : std::nullopt;
  if (truth && isUnknown(*truth) && m_declaring)
    return evaluate(*expression.body);
  if (!truth || isUnknown(*truth))
    return truth;
  return evaluate(*truth->asBool() ? *expression.body : *expression.orelse);
}

Maybe Evaluation::evaluateSubscript(const Subscript &expression) {
  auto value = evaluate(*expression.value);
  auto index = value ? evaluate(*expression.slice) : std::nullopt;
  if (!index)
    return std::nullopt;
  m_at = expression.range;
  if (auto *function = value->as<FunctionObject>(); function && function->isJit())
    return makeObject<KernelLaunchObject>(shared<FunctionObject>(*value), *index, expression.slice->range);
  else if (function && function->definition)
    return raiseMissingJit(expression.value->range, *function);
  if (auto symbol = symbolName(*value))
    return raiseUnknownSymbol(expression.value->range, *symbol);
  return placed(expression.range, subscriptOf(*value, *index));
}

/// `f[grid]` of an ordinary function: the decorator was forgotten.
std::nullopt_t Evaluation::raiseMissingJit(SourceRange range, const FunctionObject &function) {
  raise(range, {"launch-without-jit", {std::string(function.name())}});
  const SourceRange definition = function.definition->range;
  note("defined-here", function.module->span(function.definition->nameRange), {std::string(function.name())});
  if (function.module->file != top().module->file ||
      function.module->file->lineColumn(definition.begin).column != 1)
    return std::nullopt;
  const SourceRange before{definition.begin, definition.begin};
  m_raised->diagnostic.fix =
      DiagnosticFix{"add-jit", {std::string(function.name())}, before, "@triton.jit\n"};
  return std::nullopt;
}

Maybe Evaluation::evaluateAttribute(const Attribute &expression) {
  auto value = evaluate(*expression.value);
  if (!value)
    return std::nullopt;
  m_at = expression.range;
  auto result = attributeOf(*value, expression.attr);
  if (result || result.error().id != "no-attribute")
    return placed(expression.range, std::move(result));
  // A tensor of torch has far more members than the tables here.
  raise(expression.attrRange, value->as<TensorObject>()
                                  ? Error{"unknown-tensor-attribute", {std::string(expression.attr)}}
                                  : result.error());
  suggest(expression.attr, attributeNames(*value), expression.attrRange);
  return std::nullopt;
}

Maybe Evaluation::evaluateSlice(const Slice &expression) {
  Value parts[3];
  size_t next = 0;
  for (const Expr *part : {expression.lower, expression.upper, expression.step}) {
    Maybe value = part ? evaluate(*part) : Maybe(Value());
    if (!value)
      return std::nullopt;
    parts[next++] = std::move(*value);
  }
  return makeObject<SliceObject>(parts[0], parts[1], parts[2]);
}

Maybe Evaluation::evaluateLambda(const Lambda &expression) {
  auto function = makeFunction();
  function->lambda = &expression;
  if (!evaluateDefaults(*expression.args, *function))
    return std::nullopt;
  return Value(std::shared_ptr<Object>(std::move(function)));
}

} // namespace tilescope::host
