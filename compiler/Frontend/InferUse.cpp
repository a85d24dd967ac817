// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and what they are given; what is wanted of an expression, carried back to names. What places want of
// the expressions in them is in InferPlaces.cpp.
#include "compiler/Frontend/InferUse.h"

#include "compiler/Frontend/Infer.h"
#include "compiler/Frontend/InferTables.h"
#include "compiler/Syntax/Visitor.h"

#include <algorithm>

namespace tilescope::frontend {

using namespace syntax;

UseAnalysis::UseAnalysis(const FunctionObject &kernel) {
  collect(kernel);
  // Twice: what the first round finds to be an integer makes one of what it is compared with.
  for (int round = 0; round < 2; ++round)
    for (const FunctionObject *function : m_functions)
      for (const Stmt *statement : function->definition->body)
        place(*function, *statement);
}

ParameterUse UseAnalysis::of(std::string_view parameter) const {
  const Variable *found = local(*m_functions.front(), parameter);
  return found ? found->use : ParameterUse();
}

//===- Names ---------------------------------------------------------------------------------------===//

UseAnalysis::Variable &UseAnalysis::variable(const FunctionObject &function, std::string_view name) {
  return m_variables[{function.definition, name}];
}

const UseAnalysis::Variable *UseAnalysis::local(const FunctionObject &function, std::string_view name) const {
  auto found = m_variables.find({function.definition, name});
  return found == m_variables.end() ? nullptr : &found->second;
}

void UseAnalysis::collect(const FunctionObject &function) {
  if (!function.definition || std::ranges::find(m_functions, &function) != m_functions.end())
    return;
  m_functions.push_back(&function);
  for (const Arg *parameter : parameters(*function.definition))
    variable(function, parameter->name).isParameter = true;
  for (const Stmt *statement : function.definition->body)
    collect(function, *statement);
}

void UseAnalysis::collect(const FunctionObject &function, const Stmt &statement) {
  if (const auto *assign = dynCast<Assign>(&statement)) {
    for (const Expr *target : assign->targets)
      bind(function, *target, function, *assign->value);
  } else if (const auto *annotated = dynCast<AnnAssign>(&statement); annotated && annotated->value) {
    bind(function, *annotated->target, function, *annotated->value);
  } else if (const auto *step = dynCast<AugAssign>(&statement)) {
    if (const auto *name = dynCast<Name>(step->target))
      variable(function, name->id).sources.push_back({&function, step->value, true});
  } else if (const auto *loop = dynCast<For>(&statement)) {
    if (const auto *name = dynCast<Name>(loop->target); name && loop->iter->kind == ExprKind::Call)
      variable(function, name->id).isCounter = true;
  }
  forEachChild(statement, [&](const auto *child) {
    if constexpr (std::is_same_v<decltype(child), const Stmt *>)
      collect(function, *child);
    else if constexpr (std::is_same_v<decltype(child), const Expr *>)
      collectCalls(function, *child);
  });
}

/// What helpers are given at their calls.
void UseAnalysis::collectCalls(const FunctionObject &function, const Expr &expr) {
  if (const auto *call = dynCast<Call>(&expr))
    if (const FunctionObject *helper = callee(function, *call).helper) {
      collect(*helper);
      bindArguments(function, *call, *helper);
    }
  forEachChild(expr, [&](const auto *child) {
    if constexpr (std::is_same_v<decltype(child), const Expr *>)
      collectCalls(function, *child);
  });
}

void UseAnalysis::bindArguments(const FunctionObject &function, const Call &call,
                                const FunctionObject &helper) {
  const std::vector<const Arg *> declared = parameters(*helper.definition);
  for (size_t i = 0; i < std::min(declared.size(), call.args.size()); ++i)
    variable(helper, declared[i]->name).sources.push_back({&function, call.args[i], false});
  for (const Keyword &keyword : call.keywords)
    for (const Arg *parameter : declared)
      if (parameter->name == keyword.name)
        variable(helper, parameter->name).sources.push_back({&function, keyword.value, false});
}

void UseAnalysis::bind(const FunctionObject &function, const Expr &target, const FunctionObject &origin,
                       const Expr &value) {
  if (const auto *name = dynCast<Name>(&target)) {
    variable(function, name->id).sources.push_back({&origin, &value, false});
    return;
  }
  const auto *targets = dynCast<Tuple>(&target);
  if (!targets)
    return;
  if (const auto *values = dynCast<Tuple>(&value); values && values->elts.size() == targets->elts.size()) {
    for (size_t i = 0; i < values->elts.size(); ++i)
      bind(function, *targets->elts[i], origin, *values->elts[i]);
  } else if (const auto *call = dynCast<Call>(&value)) {
    if (const FunctionObject *helper = callee(origin, *call).helper)
      forEachReturn(*helper, [&](const Expr &result) {
        if (result.kind == ExprKind::Tuple)
          bind(function, target, *helper, result);
      });
  }
}

template <typename Action>
void UseAnalysis::forEachReturn(const FunctionObject &function, Action action) const {
  auto visit = [&](auto &self, const Stmt &statement) -> void {
    if (const auto *result = dynCast<Return>(&statement); result && result->value)
      action(*result->value);
    forEachChild(statement, [&](const auto *child) {
      if constexpr (std::is_same_v<decltype(child), const Stmt *>)
        self(self, *child);
    });
  };
  for (const Stmt *statement : function.definition->body)
    visit(visit, *statement);
}

/// What a name that is not a variable stands for, or null.
const Value *UseAnalysis::global(const FunctionObject &function, const Expr &expr) const {
  const auto *name = dynCast<Name>(&expr);
  if (!name || local(function, name->id) || !function.scope)
    return nullptr;
  return function.scope->find(name->id);
}

UseAnalysis::Callee UseAnalysis::callee(const FunctionObject &function, const Call &call) const {
  const Value *value = global(function, *call.func);
  if (const auto *helper = value ? value->as<FunctionObject>() : nullptr)
    return helper->isJit() ? Callee{helper, {}, nullptr} : Callee{};
  if (value) {
    const std::string_view symbol = symbolName(*value).value_or(std::string_view());
    return {nullptr, symbol.substr(symbol.rfind('.') + 1), nullptr};
  }
  if (const auto *name = dynCast<Name>(call.func)) // `range` and the like
    return {nullptr, local(function, name->id) ? std::string_view() : name->id, nullptr};
  const auto *attribute = dynCast<Attribute>(call.func);
  if (!attribute)
    return {};
  return {nullptr, attribute->attr, rootOf(function, *attribute) ? nullptr : attribute->value};
}

const Value *UseAnalysis::rootOf(const FunctionObject &function, const Expr &expr) const {
  const Expr *root = &expr;
  while (const auto *outer = dynCast<Attribute>(root))
    root = outer->value;
  return global(function, *root);
}

//===- What is wanted ------------------------------------------------------------------------------===//

void UseAnalysis::want(Variable &variable, uint32_t uses) {
  const uint32_t added = uses & ~variable.use.uses;
  if (!added)
    return;
  variable.use.uses |= added;
  const std::vector<Source> sources = variable.sources; // may grow below
  for (const Source &source : sources)
    if (!source.isStep)
      want(*source.function, source.expr, added);
    else if (added & (AsAddress | AsInteger))
      want(*source.function, source.expr, AsInteger);
}

template <typename Action>
void UseAnalysis::forEachOrigin(const FunctionObject &function, const Expr &expr, Action action) {
  const auto *name = dynCast<Name>(&expr);
  auto found = name ? m_variables.find({function.definition, name->id}) : m_variables.end();
  if (found == m_variables.end() || !action(found->second))
    return;
  const std::vector<Source> sources = found->second.sources;
  for (const Source &source : sources)
    if (!source.isStep)
      forEachOrigin(*source.function, *source.expr, action);
}

void UseAnalysis::wantText(const FunctionObject &function, const Expr &expr, std::string_view text) {
  forEachOrigin(function, expr, [&](Variable &variable) {
    std::vector<std::string_view> &texts = variable.use.texts;
    const bool isNew = std::ranges::find(texts, text) == texts.end();
    if (isNew)
      texts.push_back(text);
    variable.use.uses |= WithText;
    return isNew;
  });
}

void UseAnalysis::wantBlock(const FunctionObject &function, const Expr &expr,
                            const std::vector<int64_t> &block) {
  forEachOrigin(function, expr, [&](Variable &variable) {
    const bool isNew = variable.use.block.empty();
    if (isNew)
      variable.use.block = block;
    variable.use.uses |= AsDescriptor;
    return isNew;
  });
}

void UseAnalysis::want(const FunctionObject &function, const Expr *expr, uint32_t uses) {
  constexpr uint32_t Addresses = AsAddress | ToIntegers | ToAddresses;
  if (!expr || !uses)
    return;
  if (const auto *name = dynCast<Name>(expr)) {
    auto found = m_variables.find({function.definition, name->id});
    if (found != m_variables.end())
      want(found->second, uses);
  } else if (const auto *op = dynCast<BinOp>(expr)) {
    const bool isSum = op->op == BinaryOperator::Add || op->op == BinaryOperator::Sub;
    const bool isSwapped = isSum && isOffset(function, *op->left) && !isOffset(function, *op->right);
    if (isSum && (uses & Addresses)) {
      want(function, isSwapped ? op->right : op->left, uses & Addresses);
      want(function, isSwapped ? op->left : op->right, AsInteger);
    }
    if (op->op != BinaryOperator::Div) {
      want(function, op->left, uses & (AsInteger | AsCount));
      want(function, op->right, uses & (AsInteger | AsCount));
    }
  } else if (const auto *unary = dynCast<UnaryOp>(expr)) {
    want(function, unary->operand, uses & (AsInteger | AsTest));
  } else if (const auto *choice = dynCast<IfExp>(expr)) {
    want(function, choice->body, uses);
    want(function, choice->orelse, uses);
  } else if (const auto *item = dynCast<Subscript>(expr)) {
    want(function, item->value, uses & (Addresses | AsInteger));
  } else if (const auto *named = dynCast<NamedExpr>(expr)) {
    want(function, named->value, uses);
  } else if (const auto *call = dynCast<Call>(expr)) {
    wantOfCall(function, *call, uses);
  }
}

void UseAnalysis::wantOfCall(const FunctionObject &function, const Call &call, uint32_t uses) {
  const Callee target = callee(function, call);
  if (target.helper)
    return forEachReturn(*target.helper, [&](const Expr &result) { want(*target.helper, &result, uses); });
  const CallView view(call, target.self);
  if (target.library == "load") {
    const Expr *address = view.argument(0, "pointer");
    want(function, address,
         (uses & AsInteger ? ToIntegers : 0u) | (uses & (AsAddress | AsNumberOfAddress) ? ToAddresses : 0u));
  } else if (target.library == "to" || target.library == "cast") {
    const auto *type = dynCast<Call>(view.argument(1, "dtype"));
    if (type && callee(function, *type).library == "pointer_type" && (uses & AsAddress))
      want(function, view.argument(0, "input"), AsNumberOfAddress);
  } else {
    for (size_t position : carriedArguments(target.library))
      want(function, view.argument(position, position == 0 ? "base" : ""), uses);
  }
}

void UseAnalysis::wantItems(const FunctionObject &function, const Expr *list, uint32_t uses) {
  if (const auto *tuple = dynCast<Tuple>(list))
    for (const Expr *item : tuple->elts)
      want(function, item, uses);
  else if (const auto *items = dynCast<List>(list))
    for (const Expr *item : items->elts)
      want(function, item, uses);
  else
    want(function, list, uses);
}

bool UseAnalysis::isInteger(const FunctionObject &function, const Expr &expr) const {
  if (const auto *name = dynCast<Name>(&expr)) {
    const Variable *found = local(function, name->id);
    if (!found || found->isVisited || found->use.is(AsAddress))
      return false;
    if (found->isCounter || found->use.is(AsInteger))
      return true;
    found->isVisited = true;
    const bool is = std::ranges::any_of(
        found->sources, [&](const Source &s) { return !s.isStep && isInteger(*s.function, *s.expr); });
    found->isVisited = false;
    return is;
  }
  if (const auto *op = dynCast<BinOp>(&expr))
    return op->op != BinaryOperator::Div &&
           (isInteger(function, *op->left) || isInteger(function, *op->right));
  if (const auto *unary = dynCast<UnaryOp>(&expr))
    return unary->op != UnaryOperator::Not && isInteger(function, *unary->operand);
  if (const auto *choice = dynCast<IfExp>(&expr))
    return isInteger(function, *choice->body);
  if (const auto *item = dynCast<Subscript>(&expr))
    return isInteger(function, *item->value);
  const auto *call = dynCast<Call>(&expr);
  return call && isIntegerCall(function, *call);
}

bool UseAnalysis::isOffset(const FunctionObject &function, const Expr &expr) const {
  if (const auto *name = dynCast<Name>(&expr)) {
    const Variable *found = local(function, name->id);
    if (!found || found->use.is(AsAddress) || found->isVisited)
      return found && found->isVisited; // one that steps on from itself is what it began as
    if (found->isCounter || found->use.is(AsInteger))
      return true;
    found->isVisited = true;
    bool is = false; // what is only stepped on is an argument, of which nothing is known
    for (const Source &source : found->sources)
      if (!source.isStep && !(is = isOffset(*source.function, *source.expr)))
        break;
    found->isVisited = false;
    return is;
  }
  if (const auto *op = dynCast<BinOp>(&expr)) {
    const bool isSum = op->op == BinaryOperator::Add || op->op == BinaryOperator::Sub;
    return !isSum || (isOffset(function, *op->left) && isOffset(function, *op->right));
  }
  if (const auto *item = dynCast<Subscript>(&expr))
    return isOffset(function, *item->value);
  if (const auto *call = dynCast<Call>(&expr)) {
    const std::string_view library = callee(function, *call).library;
    return library == "load" || isIntegerCall(function, *call);
  }
  return expr.kind == ExprKind::Constant || expr.kind == ExprKind::UnaryOp;
}

bool UseAnalysis::isIntegerCall(const FunctionObject &function, const Call &call) const {
  const Callee target = callee(function, call);
  const CallView view(call, target.self);
  if (isIntegerSource(target.library))
    return true;
  if (target.library == "to") {
    const auto *type = dynCast<Attribute>(view.argument(1, "dtype"));
    return type && (type->attr.starts_with("int") || type->attr.starts_with("uint"));
  }
  return std::ranges::any_of(carriedArguments(target.library), [&](size_t position) {
    const Expr *argument = view.argument(position, "");
    return argument && isInteger(function, *argument);
  });
}

} // namespace tilescope::frontend
