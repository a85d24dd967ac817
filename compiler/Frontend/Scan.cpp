// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Frontend/Scan.h"

#include <algorithm>

namespace tilescope::frontend {

using namespace syntax;

namespace {

class NameScan {
public:
  std::vector<std::string_view> names;

  void body(Body statements) {
    for (const Stmt *statement : statements)
      visit(*statement);
  }

private:
  void visit(const Stmt &stmt) {
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
      body(branch->body);
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
};

} // namespace

std::vector<std::string_view> assignedNames(std::initializer_list<Body> bodies) {
  NameScan scan;
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
