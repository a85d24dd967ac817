// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks a syntax tree: `forEachChild(node, visit)` calls `visit` with each child of a node, in the order of
// the source as far as the tree has it. Children are `const Expr *`, `const Stmt *` and `const Pattern *`,
// never null; what lies between (arguments, keywords, comprehensions, handlers, cases) is looked through.
// `visit` must take all three, as a generic lambda or a set of overloads does, and decides itself whether
// to go deeper:
//
//   void walk(const auto *node) { forEachChild(*node, [](const auto *child) { walk(child); }); }
#pragma once

#include "compiler/Syntax/Ast.h"

namespace tilescope::syntax {

namespace detail {

template <typename Visit> class Children {
public:
  explicit Children(Visit &visit) : m_visit(visit) {}

  void expr(const Expr *e) {
    if (e)
      m_visit(e);
  }
  void stmt(const Stmt *s) {
    if (s)
      m_visit(s);
  }
  void pattern(const Pattern *p) {
    if (p)
      m_visit(p);
  }
  void all(std::span<Expr *const> list) {
    for (const Expr *e : list)
      expr(e);
  }
  void all(Body list) {
    for (const Stmt *s : list)
      stmt(s);
  }
  void all(std::span<Pattern *const> list) {
    for (const Pattern *p : list)
      pattern(p);
  }
  void all(std::span<const Keyword> list) {
    for (const Keyword &keyword : list)
      expr(keyword.value);
  }
  void all(std::span<const Comprehension> list) {
    for (const Comprehension &generator : list) {
      expr(generator.target);
      expr(generator.iter);
      all(generator.ifs);
    }
  }
  void all(std::span<const TypeParam> list) {
    for (const TypeParam &param : list)
      expr(param.bound);
  }
  void all(std::span<const Arg> list) {
    for (const Arg &arg : list)
      one(&arg);
  }
  void one(const Arg *arg) {
    if (!arg)
      return;
    expr(arg->annotation);
    expr(arg->defaultValue);
  }
  void one(const Arguments *args) {
    all(args->posonlyargs);
    all(args->args);
    one(args->vararg);
    all(args->kwonlyargs);
    one(args->kwarg);
  }

private:
  Visit &m_visit;
};

} // namespace detail

template <typename Visit> void forEachChild(const Expr &node, Visit &&visit) {
  detail::Children<Visit> c(visit);
  switch (node.kind) {
  case ExprKind::BoolOp:
    return c.all(cast<BoolOp>(&node).values);
  case ExprKind::NamedExpr: {
    auto &e = cast<NamedExpr>(&node);
    return c.expr(e.target), c.expr(e.value);
  }
  case ExprKind::BinOp: {
    auto &e = cast<BinOp>(&node);
    return c.expr(e.left), c.expr(e.right);
  }
  case ExprKind::UnaryOp:
    return c.expr(cast<UnaryOp>(&node).operand);
  case ExprKind::Lambda: {
    auto &e = cast<Lambda>(&node);
    return c.one(e.args), c.expr(e.body);
  }
  case ExprKind::IfExp: {
    auto &e = cast<IfExp>(&node);
    return c.expr(e.body), c.expr(e.test), c.expr(e.orelse);
  }
  case ExprKind::Dict: {
    auto &e = cast<Dict>(&node);
    for (size_t i = 0; i < e.values.size(); ++i)
      c.expr(e.keys[i]), c.expr(e.values[i]);
    return;
  }
  case ExprKind::Set:
    return c.all(cast<Set>(&node).elts);
  case ExprKind::ListComp: {
    auto &e = cast<ListComp>(&node);
    return c.expr(e.elt), c.all(e.generators);
  }
  case ExprKind::SetComp: {
    auto &e = cast<SetComp>(&node);
    return c.expr(e.elt), c.all(e.generators);
  }
  case ExprKind::DictComp: {
    auto &e = cast<DictComp>(&node);
    return c.expr(e.key), c.expr(e.value), c.all(e.generators);
  }
  case ExprKind::GeneratorExp: {
    auto &e = cast<GeneratorExp>(&node);
    return c.expr(e.elt), c.all(e.generators);
  }
  case ExprKind::Await:
    return c.expr(cast<Await>(&node).value);
  case ExprKind::Yield:
    return c.expr(cast<Yield>(&node).value);
  case ExprKind::YieldFrom:
    return c.expr(cast<YieldFrom>(&node).value);
  case ExprKind::Compare: {
    auto &e = cast<Compare>(&node);
    return c.expr(e.left), c.all(e.comparators);
  }
  case ExprKind::Call: {
    auto &e = cast<Call>(&node);
    return c.expr(e.func), c.all(e.args), c.all(e.keywords);
  }
  case ExprKind::FormattedValue: {
    auto &e = cast<FormattedValue>(&node);
    return c.expr(e.value), c.expr(e.formatSpec);
  }
  case ExprKind::JoinedStr:
    return c.all(cast<JoinedStr>(&node).values);
  case ExprKind::Attribute:
    return c.expr(cast<Attribute>(&node).value);
  case ExprKind::Subscript: {
    auto &e = cast<Subscript>(&node);
    return c.expr(e.value), c.expr(e.slice);
  }
  case ExprKind::Starred:
    return c.expr(cast<Starred>(&node).value);
  case ExprKind::List:
    return c.all(cast<List>(&node).elts);
  case ExprKind::Tuple:
    return c.all(cast<Tuple>(&node).elts);
  case ExprKind::Slice: {
    auto &e = cast<Slice>(&node);
    return c.expr(e.lower), c.expr(e.upper), c.expr(e.step);
  }
  case ExprKind::Constant:
  case ExprKind::Name:
  case ExprKind::Error:
    return;
  }
}

template <typename Visit> void forEachChild(const Pattern &node, Visit &&visit) {
  detail::Children<Visit> c(visit);
  c.expr(node.value);
  for (size_t i = 0; i < node.patterns.size(); ++i) {
    if (i < node.keys.size())
      c.expr(node.keys[i]);
    c.pattern(node.patterns[i]);
  }
  c.all(node.kwdPatterns);
  c.pattern(node.pattern);
}

template <typename Visit> void forEachChild(const Stmt &node, Visit &&visit) {
  detail::Children<Visit> c(visit);
  switch (node.kind) {
  case StmtKind::FunctionDef: {
    auto &s = cast<FunctionDef>(&node);
    return c.all(s.decorators), c.all(s.typeParams), c.one(s.args), c.expr(s.returns), c.all(s.body);
  }
  case StmtKind::ClassDef: {
    auto &s = cast<ClassDef>(&node);
    return c.all(s.decorators), c.all(s.typeParams), c.all(s.bases), c.all(s.keywords), c.all(s.body);
  }
  case StmtKind::Return:
    return c.expr(cast<Return>(&node).value);
  case StmtKind::Delete:
    return c.all(cast<Delete>(&node).targets);
  case StmtKind::Assign: {
    auto &s = cast<Assign>(&node);
    return c.all(s.targets), c.expr(s.value);
  }
  case StmtKind::TypeAlias: {
    auto &s = cast<TypeAlias>(&node);
    return c.expr(s.name), c.all(s.typeParams), c.expr(s.value);
  }
  case StmtKind::AugAssign: {
    auto &s = cast<AugAssign>(&node);
    return c.expr(s.target), c.expr(s.value);
  }
  case StmtKind::AnnAssign: {
    auto &s = cast<AnnAssign>(&node);
    return c.expr(s.target), c.expr(s.annotation), c.expr(s.value);
  }
  case StmtKind::For: {
    auto &s = cast<For>(&node);
    return c.expr(s.target), c.expr(s.iter), c.all(s.body), c.all(s.orelse);
  }
  case StmtKind::While: {
    auto &s = cast<While>(&node);
    return c.expr(s.test), c.all(s.body), c.all(s.orelse);
  }
  case StmtKind::If: {
    auto &s = cast<If>(&node);
    return c.expr(s.test), c.all(s.body), c.all(s.orelse);
  }
  case StmtKind::With: {
    auto &s = cast<With>(&node);
    for (const WithItem &item : s.items)
      c.expr(item.contextExpr), c.expr(item.optionalVars);
    return c.all(s.body);
  }
  case StmtKind::Match: {
    auto &s = cast<Match>(&node);
    c.expr(s.subject);
    for (const MatchCase &item : s.cases)
      c.pattern(item.pattern), c.expr(item.guard), c.all(item.body);
    return;
  }
  case StmtKind::Raise: {
    auto &s = cast<Raise>(&node);
    return c.expr(s.exc), c.expr(s.cause);
  }
  case StmtKind::Try: {
    auto &s = cast<Try>(&node);
    c.all(s.body);
    for (const ExceptHandler &handler : s.handlers)
      c.expr(handler.type), c.all(handler.body);
    return c.all(s.orelse), c.all(s.finalbody);
  }
  case StmtKind::Assert: {
    auto &s = cast<Assert>(&node);
    return c.expr(s.test), c.expr(s.msg);
  }
  case StmtKind::Expr:
    return c.expr(cast<ExprStmt>(&node).value);
  case StmtKind::Import:
  case StmtKind::ImportFrom:
  case StmtKind::Global:
  case StmtKind::Nonlocal:
  case StmtKind::Pass:
  case StmtKind::Break:
  case StmtKind::Continue:
  case StmtKind::Error:
    return;
  }
}

} // namespace tilescope::syntax
