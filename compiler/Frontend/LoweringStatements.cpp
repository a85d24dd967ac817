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
  case StmtKind::With:
    return "kernel-with";
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
    return llvm::all_of(tuple->items, isAssignable);
  const Value *constant = term.constant();
  return !constant || constant->isNone() || term.isNumber();
}

} // namespace

Flow Lowering::lowerBody(Body body, const Continuation *next) {
  for (size_t i = 0; i < body.size(); ++i)
    if (lowerStatement(*body[i], {body.subspan(i + 1), next}) == Flow::Returned)
      return Flow::Returned;
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
    lowerFor(cast<For>(&stmt));
    break;
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

Flow Lowering::lowerIf(const If &stmt, const Continuation &after) {
  Operand test = operand(*stmt.test);
  if (test.term.isError()) { // both sides for their own errors, with neither believed
    Names before = frame().names;
    for (Body side : {stmt.body, stmt.orelse})
      lowerBody(side, nullptr), frame().returned.reset();
    for (std::string_view name : assignedNames({stmt.body, stmt.orelse}))
      before.set(name, {Term(), stmt.test->range});
    frame().names = std::move(before);
    return Flow::Falls;
  }
  if (!test.term.value()) {
    bool taken = !test.term.constant() || truth(*test.term.constant());
    if (const TupleTerm *tuple = test.term.tuple())
      taken = !tuple->items.empty();
    return lowerBody(taken ? stmt.body : stmt.orelse, &after);
  }
  mlir::Value condition = toCondition(m_emitter, test);
  if (!condition)
    condition = constantOf(m_emitter, boolean(m_emitter.context()), Value(true));
  if (frame().loopDepth == 0 && (containsReturn(stmt.body) || containsReturn(stmt.orelse)))
    return lowerReturningIf(stmt, condition, after);
  return lowerRuntimeIf(stmt, condition);
}

//===- Assignment ---------------------------------------------------------------------------------===//

void Lowering::lowerAssign(const Assign &stmt) {
  Operand value = operand(*stmt.value);
  if (!isAssignable(value.term)) {
    Diagnostic &error = m_emitter.error(value.range, "not-a-variable-value", {describe(value.term)});
    if (const auto *name = dynCast<Name>(stmt.targets[0]))
      error.fix = DiagnosticFix{"make-constexpr", {}, name->range, std::string(name->id) + ": tl.constexpr"};
    value.term = Term();
  }
  value.term = sanitise(m_emitter, value);
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
  if (!stmt.value) {
    return;
  }
  Operand value = operand(*stmt.value);
  if (!isConstexprAnnotation(*frame().function, *stmt.annotation)) {
    assign(*stmt.target, {sanitise(m_emitter, value), value.range});
    return;
  }
  if (value.term.value()) {
    m_emitter.error(value.range, "constexpr-of-run-time-value", {describe(value.term)});
    value.term = Term();
  }
  assign(*stmt.target, value);
}

void Lowering::assign(const Expr &target, const Operand &value) {
  switch (target.kind) {
  case ExprKind::Name:
    return assignName(cast<Name>(&target).id, target.range, value.term);
  case ExprKind::Tuple:
    return assignItems(cast<Tuple>(&target).elts, value, target.range);
  case ExprKind::List:
    return assignItems(cast<List>(&target).elts, value, target.range);
  case ExprKind::Subscript:
    m_emitter.error(target.range, "item-assignment");
    return;
  case ExprKind::Attribute:
    m_emitter.error(target.range, "attribute-assignment");
    return;
  case ExprKind::Starred:
    m_emitter.error(target.range, "kernel-starred-target");
    return;
  default:
    return; // the parser has reported it
  }
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

void Lowering::assignName(std::string_view name, SourceRange range, Term term) {
  if (mlir::Value value = term.value(); value && !frame().isPrelude)
    nameValue(value, name);
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
