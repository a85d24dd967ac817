// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Frontend/Scan.h"

#include "compiler/Syntax/Visitor.h"

#include <algorithm>

namespace tilescope::frontend {

using namespace syntax;

namespace {

class NameScan {
public:
  explicit NameScan(const DecideTest &decide) : m_decide(decide) {}

  std::vector<std::string_view> names;

  void body(Body statements) {
    for (const Stmt *statement : statements)
      visit(*statement);
  }

private:
  /// `name := value` anywhere in an expression.
  void expression(const Expr &expr) {
    if (const auto *named = dynCast<NamedExpr>(&expr))
      target(*named->target);
    forEachChild(expr, [this](const auto *child) { inside(child); });
  }
  void inside(const Expr *child) { expression(*child); }
  void inside(const Stmt *) {}
  void inside(const Pattern *) {}

  void visit(const Stmt &stmt) {
    forEachChild(stmt, [this](const auto *child) { inside(child); });
    if (const auto *assign = dynCast<Assign>(&stmt)) {
      for (const Expr *t : assign->targets)
        target(*t);
    } else if (const auto *augmented = dynCast<AugAssign>(&stmt)) {
      target(*augmented->target);
    } else if (const auto *annotated = dynCast<AnnAssign>(&stmt)) {
      if (annotated->value)
        target(*annotated->target);
    } else if (const auto *loop = dynCast<For>(&stmt)) {
      target(*loop->target);
      body(loop->body);
      body(loop->orelse);
    } else if (const auto *whileLoop = dynCast<While>(&stmt)) {
      body(whileLoop->body);
      body(whileLoop->orelse);
    } else if (const auto *branch = dynCast<If>(&stmt)) {
      std::optional<bool> taken = m_decide ? m_decide(*branch->test) : std::nullopt;
      if (taken.value_or(true))
        body(branch->body);
      if (!taken.value_or(false))
        body(branch->orelse);
    } else if (const auto *with = dynCast<With>(&stmt)) {
      body(with->body);
    }
  }

  void target(const Expr &expr) {
    if (const auto *name = dynCast<Name>(&expr)) {
      if (std::find(names.begin(), names.end(), name->id) == names.end())
        names.push_back(name->id);
    } else if (const auto *tuple = dynCast<Tuple>(&expr)) {
      for (const Expr *item : tuple->elts)
        target(*item);
    } else if (const auto *list = dynCast<List>(&expr)) {
      for (const Expr *item : list->elts)
        target(*item);
    }
  }

  const DecideTest &m_decide;
};

} // namespace

std::vector<std::string_view> assignedNames(std::initializer_list<Body> bodies, const DecideTest &decide) {
  NameScan scan(decide);
  for (Body body : bodies)
    scan.body(body);
  return std::move(scan.names);
}

bool containsReturn(Body body) {
  return std::any_of(body.begin(), body.end(), [](const Stmt *stmt) {
    if (const auto *branch = dynCast<If>(stmt))
      return containsReturn(branch->body) || containsReturn(branch->orelse);
    if (const auto *loop = dynCast<For>(stmt))
      return containsReturn(loop->body);
    if (const auto *loop = dynCast<While>(stmt))
      return containsReturn(loop->body);
    if (const auto *with = dynCast<With>(stmt))
      return containsReturn(with->body);
    return stmt->kind == StmtKind::Return;
  });
}

} // namespace tilescope::frontend
