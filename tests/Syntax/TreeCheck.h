// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must hold of the tree and the diagnostics of any text whatever. Used by the fuzz target and by the
// mutation test.
#pragma once

#include "compiler/Syntax/Parser.h"
#include "compiler/Syntax/Visitor.h"

#include <algorithm>
#include <string>

namespace tilescope::syntax {

class TreeCheck {
public:
  /// What is wrong with the tree of `text`, otherwise empty.
  static std::string of(std::string text) {
    Diagnostics diagnostics;
    return of(std::move(text), diagnostics);
  }

  static std::string of(std::string text, Diagnostics &diagnostics) {
    auto file = std::make_shared<SourceFile>("fuzz.py", std::move(text));
    auto module = parse(file, diagnostics);
    TreeCheck check(*file);
    check.checkDiagnostics(diagnostics);
    SourceRange whole{0, static_cast<uint32_t>(file->text().size())};
    for (const Stmt *stmt : module->body)
      check.visit(stmt, whole);
    if (check.m_hasErrorNode && !diagnostics.hasErrors())
      check.complain("an error node without an error", whole);
    return check.m_problem;
  }

private:
  explicit TreeCheck(const SourceFile &file) : m_file(file) {}

  void visit(const auto *node, SourceRange parent) {
    if (node->range.begin > node->range.end)
      complain("a range that ends before it begins", node->range);
    if (node->range.begin < parent.begin || node->range.end > parent.end)
      complain("a child outside its parent", node->range);
    m_hasErrorNode |= isErrorNode(node);
    // As in Python's tree, decorators stand before the range of what they decorate.
    SourceRange inside = node->range;
    inside.begin = std::min(inside.begin, firstDecorator(node));
    forEachChild(*node, [&](const auto *child) { visit(child, inside); });
  }

  static bool isErrorNode(const Expr *expr) { return expr->kind == ExprKind::Error; }
  static bool isErrorNode(const Stmt *stmt) { return stmt->kind == StmtKind::Error; }
  static bool isErrorNode(const Pattern *) { return false; }

  static uint32_t firstDecorator(const Stmt *stmt) {
    std::span<Expr *const> decorators;
    if (auto *function = dynCast<FunctionDef>(stmt))
      decorators = function->decorators;
    if (auto *type = dynCast<ClassDef>(stmt))
      decorators = type->decorators;
    return decorators.empty() ? UINT32_MAX : decorators[0]->range.begin;
  }
  static uint32_t firstDecorator(const auto *) { return UINT32_MAX; }

  void checkDiagnostics(const Diagnostics &diagnostics) {
    for (const Diagnostic &diagnostic : diagnostics.all()) {
      checkRange(diagnostic.span.range);
      for (const DiagnosticNote &note : diagnostic.notes)
        checkRange(note.span.range);
      if (diagnostic.fix)
        checkRange(diagnostic.fix->range);
    }
  }

  void checkRange(SourceRange range) {
    if (range.begin > range.end || range.end > m_file.text().size())
      complain("a diagnostic outside the file", range);
  }

  void complain(const std::string &what, SourceRange range) {
    if (m_problem.empty())
      m_problem = what + " at " + std::to_string(range.begin) + "-" + std::to_string(range.end);
  }

  const SourceFile &m_file;
  bool m_hasErrorNode = false;
  std::string m_problem;
};

} // namespace tilescope::syntax
