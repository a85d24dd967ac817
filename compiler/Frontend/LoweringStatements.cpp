// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements, and what kernels cannot contain.
#include "compiler/Dialect/Tile/IR/Locations.h"
#include "compiler/Frontend/Lowering.h"
#include "compiler/Frontend/Scan.h"
#include "compiler/Frontend/Types.h"
#include "compiler/Value/Operators.h"

namespace tilescope::frontend {

using namespace syntax;

namespace {

/// The error for each form that has no meaning in a kernel; the sentence says what to write instead.
std::string_view refusal(StmtKind kind) {
  switch (kind) {
  case StmtKind::FunctionDef:
    return "kernel-nested-function";
  case StmtKind::ClassDef:
    return "kernel-class";
  case StmtKind::Delete:
    return "kernel-del";
  case StmtKind::TypeAlias:
    return "kernel-type-alias";
  case StmtKind::Match:
    return "kernel-match";
  case StmtKind::Raise:
    return "kernel-raise";
  case StmtKind::Try:
    return "kernel-try";
  case StmtKind::Import:
  case StmtKind::ImportFrom:
    return "kernel-import";
  case StmtKind::Global:
  case StmtKind::Nonlocal:
    return "kernel-global";
  case StmtKind::Break:
    return "kernel-break";
  case StmtKind::Continue:
    return "kernel-continue";
  default:
    return "";
  }
}

/// May a variable hold this? Strings, functions and library names are for constexpr variables only.
bool isAssignable(const Term &term) {
  if (const TupleTerm *tuple = term.tuple())
    return !tuple->type.isNone() || llvm::all_of(tuple->items, isAssignable);
  const Value *constant = term.constant();
  return !constant || constant->isNone() || term.isNumber();
}

} // namespace

Flow Lowering::lowerBody(Body body, const Continuation *next) {
  for (size_t i = 0; i < body.size(); ++i) {
    auto rest = [&, i](const Continuation *after) { return lowerBody(body.subspan(i + 1), after); };
    if (lowerStatement(*body[i], {rest, next}) == Flow::Returned)
      return Flow::Returned;
  }
  return Flow::Falls;
}

Flow Lowering::lowerStatement(const Stmt &stmt, const Continuation &after) {
  Emitter::At at(m_emitter, stmt.range);
  if (++m_statements > statementLimit) {
    m_emitter.error(stmt.range, "kernel-too-large", {std::to_string(statementLimit)});
    return Flow::Falls;
  }
  switch (stmt.kind) {
  case StmtKind::Return:
    return lowerReturn(cast<Return>(&stmt));
  case StmtKind::If:
    return lowerIf(cast<If>(&stmt), after);
  case StmtKind::Assign:
    lowerAssign(cast<Assign>(&stmt));
    break;
  case StmtKind::AugAssign:
    lowerAugAssign(cast<AugAssign>(&stmt));
    break;
  case StmtKind::AnnAssign:
    lowerAnnAssign(cast<AnnAssign>(&stmt));
    break;
  case StmtKind::For:
    return lowerFor(cast<For>(&stmt), after);
  case StmtKind::With:
    return lowerWith(cast<With>(&stmt));
  case StmtKind::While:
    lowerWhile(cast<While>(&stmt));
    break;
  case StmtKind::Assert:
    lowerAssert(cast<Assert>(&stmt));
    break;
  case StmtKind::Expr:
    lower(*cast<ExprStmt>(&stmt).value);
    break;
  case StmtKind::Pass:
  case StmtKind::Error:
    break;
  default:
    refuse(stmt);
  }
  return Flow::Falls;
}

void Lowering::refuse(const Stmt &stmt) {
  SourceRange range = stmt.range;
  if (const auto *function = dynCast<FunctionDef>(&stmt))
    range = function->nameRange;
  else if (const auto *definition = dynCast<ClassDef>(&stmt))
    range = definition->nameRange;
  else
    range.end = std::min(range.end, file().lineRange(file().line(range.begin)).end);
  m_emitter.error(range, std::string(refusal(stmt.kind)));
}

Flow Lowering::lowerReturn(const Return &stmt) {
  if (frame().loopDepth > 0) {
    m_emitter.error(stmt.range, "return-in-loop");
    return Flow::Falls;
  }
  frame().returned = stmt.value ? operand(*stmt.value) : Operand{Value(), stmt.range};
  if (m_isLaunched && !frame().caller && !frame().returned->term.isNone() &&
      !frame().returned->term.isError())
    m_emitter.error(stmt.range, "kernel-returns-value");
  return Flow::Returned;
}

std::optional<bool> Lowering::staticTruth(Operand &test) {
  const Value *constant = test.term.constant();
  if (test.term.value() || test.term.isError())
    return std::nullopt;
  if (constant && (constant->isNone() || constant->asBool() || constant->asInt() || frame().isPrelude))
    return truth(*constant);
  m_emitter.error(test.range, "kernel-condition-type", {describe(test.term)});
  test.term = Term();
  return std::nullopt;
}

void Lowering::unwrapSingle(Operand &test) {
  mlir::Value value = test.term.value();
  if (!value || !llvm::isa<tile::TileType>(value.getType()) || tile::elementCountOf(value.getType()) != 1)
    return;
  CallArguments arguments;
  arguments.positional = {{castTo(m_emitter, value, int32(m_emitter.context()), test.range), test.range}};
  arguments.call = arguments.callee = test.range;
  test.term = callSymbol("triton.language.max", arguments);
}

Flow Lowering::lowerWith(const With &stmt) {
  for (const WithItem &item : stmt.items) {
    const auto *call = dynCast<Call>(item.contextExpr);
    Term callee = call ? lower(*call->func) : Term();
    if (callee.symbol().value_or("").starts_with("triton.profiler.")) {
      lowerArguments(*call); // a name for a profiler: nothing that the program does
    } else if (!callee.isError() || !call) {
      m_emitter.error(item.contextExpr->range, "kernel-with");
      return Flow::Falls;
    }
  }
  if (!containsReturn(stmt.body)) {
    lowerBody(stmt.body, nullptr);
    return Flow::Falls;
  }
  m_emitter.error(stmt.items[0].contextExpr->range, "return-in-with");
  return Flow::Falls;
}

Flow Lowering::lowerIf(const If &stmt, const Continuation &after) {
  Operand test = operand(*stmt.test);
  if (std::optional<bool> taken = staticTruth(test))
    return lowerBody(*taken ? stmt.body : stmt.orelse, &after);
  unwrapSingle(test);
  if (test.term.isError()) { // both sides for their own errors, with neither believed
    Names before = frame().names;
    for (Body side : {stmt.body, stmt.orelse})
      lowerBody(side, nullptr), frame().returned.reset();
    for (std::string_view name : assignedNames({stmt.body, stmt.orelse}))
      before.set(name, {Term(), stmt.test->range});
    frame().names = std::move(before);
    return Flow::Falls;
  }
  mlir::Value condition = toCondition(m_emitter, test);
  if (!condition)
    condition = constantOf(m_emitter, boolean(m_emitter.context()), Value(true));
  if (frame().loopDepth == 0 && (containsReturn(stmt.body) || containsReturn(stmt.orelse)))
    return lowerReturningIf(stmt, condition, after);
  return lowerRuntimeIf(stmt, condition);
}

//===- Assignment ---------------------------------------------------------------------------------===//

Term Lowering::assignedTerm(const Expr &target, Operand value) {
  const auto *name = dynCast<Name>(&target);
  if (name && std::erase(frame().announcedConstants, name->id))
    return value.term;
  if (!frame().underConstruction.empty() && target.kind == ExprKind::Attribute)
    return value.term; // a field of an aggregate may be a constant
  if (isAssignable(value.term))
    return sanitise(m_emitter, value);
  Diagnostic &error = m_emitter.error(value.range, "not-a-variable-value", {describe(value.term)});
  if (name)
    error.fix = DiagnosticFix{"make-constexpr", {}, name->range, std::string(name->id) + ": tl.constexpr"};
  return {};
}

void Lowering::lowerAssign(const Assign &stmt) {
  Operand value = operand(*stmt.value);
  if (stmt.targets.size() > 1 && !frame().isPrelude) {
    auto text = [&](const Expr *e) { return std::string(file().text(e->range)); };
    m_emitter.error(stmt.range, "kernel-chained-assignment",
                    {text(stmt.targets[0]) + " = " + text(stmt.value),
                     text(stmt.targets[1]) + " = " + text(stmt.targets[0])});
  }
  value.term = assignedTerm(*stmt.targets[0], value);
  for (const Expr *target : stmt.targets)
    assign(*target, value);
}

void Lowering::lowerAugAssign(const AugAssign &stmt) {
  Operand before = operand(*stmt.target);
  Operand change = operand(*stmt.value);
  Term result = binary(m_emitter, stmt.op, before, change);
  assign(*stmt.target, {sanitise(m_emitter, {result, stmt.range}), stmt.range});
}

void Lowering::lowerAnnAssign(const AnnAssign &stmt) {
  const auto *name = dynCast<Name>(stmt.target);
  // In a body Triton looks at the annotation's value: a string is not constexpr.
  bool isConstant = stmt.annotation->kind != ExprKind::Constant &&
                    isConstexprAnnotation(*frame().function, *stmt.annotation);
  if (!stmt.value) {
    if (isConstant && name)
      frame().announcedConstants.push_back(name->id);
    return;
  }
  Operand value = operand(*stmt.value);
  if (!isConstant)
    value.term = assignedTerm(*stmt.target, value);
  else if (value.term.value() && !frame().isPrelude)
    m_emitter.warning(stmt.annotation->range, "constexpr-of-run-time-value",
                      {name ? std::string(name->id) : "", describe(value.term)});
  assign(*stmt.target, value);
}

void Lowering::assign(const Expr &target, const Operand &value) {
  switch (target.kind) {
  case ExprKind::Name:
    return assignName(cast<Name>(&target).id, target.range, value.term);
  case ExprKind::Tuple:
    return assignItems(cast<Tuple>(&target).elts, value, target.range);
  case ExprKind::List:
    m_emitter.error(target.range, "kernel-list-target");
    return assignItems(cast<List>(&target).elts, value, target.range);
  case ExprKind::Subscript:
    m_emitter.error(target.range, "item-assignment");
    return;
  case ExprKind::Attribute:
    return assignField(cast<Attribute>(&target), value);
  case ExprKind::Starred:
    m_emitter.error(target.range, "kernel-starred-target");
    return;
  default:
    return; // the parser has reported it
  }
}

/// Only the constructor of an aggregate sets fields, those of its first parameter.
void Lowering::assignField(const Attribute &target, const Operand &value) {
  const auto *owner = dynCast<Name>(target.value);
  const Binding *binding = owner ? frame().names.find(owner->id) : nullptr;
  const TupleTerm *object = binding ? binding->term.tuple() : nullptr;
  if (!object || frame().underConstruction != owner->id) {
    m_emitter.error(target.range, "attribute-assignment");
    return;
  }
  std::vector<Term> items = object->items;
  auto field = llvm::find(object->fieldNames, target.attr);
  if (field == object->fieldNames.end()) {
    m_emitter.error(target.attrRange, "unknown-attribute",
                    {describe(binding->term), std::string(target.attr)});
    return;
  }
  items[static_cast<size_t>(field - object->fieldNames.begin())] = value.term;
  frame().names.set(owner->id, {tupleLike(*object, std::move(items)), binding->assigned});
}

void Lowering::assignItems(std::span<Expr *const> targets, const Operand &value, SourceRange range) {
  const TupleTerm *tuple = value.term.tuple();
  bool matches = tuple && tuple->items.size() == targets.size();
  if (!matches && !value.term.isError()) {
    if (tuple)
      m_emitter.error(range, "unpack-count",
                      {std::to_string(targets.size()), std::to_string(tuple->items.size())});
    else
      m_emitter.error(value.range, "cannot-unpack", {describe(value.term)});
  }
  for (size_t i = 0; i < targets.size(); ++i)
    assign(*targets[i], {matches ? tuple->items[i] : Term(), value.range});
}

void nameValue(mlir::Value value, std::string_view name) {
  if (llvm::isa<mlir::NameLoc>(value.getLoc()))
    return;
  value.setLoc(tile::withVariable(value.getLoc(), llvm::StringRef(name.data(), name.size())));
}

/// May the value bear the variable's name? Not if it has another one, was made in a helper, is one of several
/// results, or comes out of a branch or loop.
static bool canBear(mlir::Value value, std::string_view name, mlir::Location here) {
  const auto origin = tile::readLocation(value.getLoc()), assigned = tile::readLocation(here);
  if (origin && !origin->variable.empty() && origin->variable != name)
    return false;
  mlir::Operation *op = value.getDefiningOp();
  if (op && (op->getNumResults() != 1 || llvm::isa<tile::IfOp, tile::ForOp, tile::WhileOp>(op)))
    return false;
  return !origin || !assigned || origin->callStack == assigned->callStack;
}

void Lowering::assignName(std::string_view name, SourceRange range, Term term) {
  if (mlir::Value value = term.value(); value && !frame().isPrelude) {
    if (!canBear(value, name, m_emitter.location())) { // the same under another name
      value = m_emitter.create<tile::BitcastOp>(value.getType(), value);
      term = Term(value);
    }
    nameValue(value, name);
  }
  record(range, name, term);
  frame().names.set(name, {std::move(term), range});
}

void Lowering::lowerAssert(const Assert &stmt) {
  Operand test = operand(*stmt.test);
  Operand message = stmt.msg ? operand(*stmt.msg) : Operand{Value(""), stmt.range};
  CallArguments arguments;
  arguments.positional = {test, message};
  arguments.call = stmt.range;
  arguments.callee = stmt.test->range;
  callSymbol("triton.language.device_assert", arguments);
}

} // namespace tilescope::frontend
