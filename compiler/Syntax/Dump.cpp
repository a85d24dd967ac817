// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Syntax/Dump.h"

#include <algorithm>
#include <vector>

namespace tilescope::syntax {
namespace {

constexpr std::string_view ExprNames[] = {
    "BoolOp",    "NamedExpr", "BinOp",   "UnaryOp",        "Lambda",       "IfExp",    "Dict",
    "Set",       "ListComp",  "SetComp", "DictComp",       "GeneratorExp", "Await",    "Yield",
    "YieldFrom", "Compare",   "Call",    "FormattedValue", "JoinedStr",    "Constant", "Attribute",
    "Subscript", "Starred",   "Name",    "List",           "Tuple",        "Slice",    "ErrorExpr",
};
constexpr std::string_view StmtNames[] = {
    "FunctionDef", "ClassDef", "Return",   "Delete",     "Assign", "TypeAlias", "AugAssign",
    "AnnAssign",   "For",      "While",    "If",         "With",   "Match",     "Raise",
    "Try",         "Assert",   "Import",   "ImportFrom", "Global", "Nonlocal",  "Expr",
    "Pass",        "Break",    "Continue", "ErrorStmt",
};
constexpr std::string_view PatternNames[] = {
    "MatchValue", "MatchSingleton", "MatchSequence", "MatchMapping",
    "MatchClass", "MatchStar",      "MatchAs",       "MatchOr",
};
constexpr std::string_view ConstantNames[] = {"None", "True", "False", "Ellipsis"};

class Dumper {
public:
  Dumper(const Module &module, DumpOptions options) : m_file(*module.file), m_options(options) {
    m_hasMark = m_file.text().starts_with("\xEF\xBB\xBF");
  }

  std::string run(const Module &module) {
    m_out = "Module\n";
    children("body", module.body);
    return std::move(m_out);
  }

private:
  struct Level {
    explicit Level(Dumper &dumper) : m_dumper(dumper) { ++m_dumper.m_depth; }
    ~Level() { --m_dumper.m_depth; }
    Dumper &m_dumper;
  };

  // One line.
  void begin(std::string_view field, std::string_view kind) {
    m_out.append(2 * (m_depth + 1), ' ').append(field).append(" ").append(kind);
  }
  void begin(std::string_view field, std::string_view kind, SourceRange range) {
    begin(field, kind);
    if (m_fstrings > 0 && !m_options.fstringRanges)
      return;
    m_out += ' ';
    place(range.begin);
    m_out += '-';
    place(range.end);
  }
  void place(uint32_t offset) {
    uint32_t line = m_file.line(offset);
    uint32_t column = offset - m_file.lineRange(line).begin;
    if (line == 1 && m_hasMark)
      column -= std::min<uint32_t>(column, 3);
    m_out.append(std::to_string(line)).append(":").append(std::to_string(column));
  }
  void value(std::string_view name, std::string_view text) {
    if (!text.empty())
      m_out.append(" ").append(name).append("=").append(text);
  }
  void flag(std::string_view name, bool isSet) {
    if (isSet)
      m_out.append(" ").append(name);
  }
  void names(std::string_view name, std::span<const std::string_view> list) {
    for (std::string_view item : list)
      value(name, item);
  }
  void end() { m_out += '\n'; }

  /// Printable ASCII as it is, every other byte as \xNN.
  void quoted(std::string_view text) {
    constexpr char Digits[] = "0123456789abcdef";
    m_out += '"';
    for (unsigned char c : text) {
      if (c >= ' ' && c < 0x7F && c != '"' && c != '\\')
        m_out += static_cast<char>(c);
      else
        m_out.append("\\x").append(1, Digits[c >> 4]).append(1, Digits[c & 15]);
    }
    m_out += '"';
  }

  // Nodes with their children.
  void child(std::string_view field, const Expr *expr);
  void child(std::string_view field, const Stmt *stmt);
  void child(std::string_view field, const Pattern *pattern);
  void child(std::string_view field, const Arg *arg);
  void child(std::string_view field, const Keyword &keyword);
  void child(std::string_view field, const Comprehension &generator);
  void child(std::string_view field, const TypeParam &param);
  void child(std::string_view field, const Alias &alias);
  void child(std::string_view field, const WithItem &item);
  void child(std::string_view field, const MatchCase &item);
  void child(std::string_view field, const ExceptHandler &handler);
  void child(std::string_view field, const Arg &arg) { child(field, &arg); }
  template <typename T> void children(std::string_view field, std::span<T> list) {
    for (const auto &item : list)
      child(field, item);
  }
  void parameters(const Arguments &args);
  void plainFields(const Expr &expr);
  void plainFields(const Constant &constant);
  void plainFields(const Stmt &stmt);
  void childrenOf(const Expr &expr);
  void childrenOf(const Stmt &stmt);

  const SourceFile &m_file;
  DumpOptions m_options;
  bool m_hasMark;
  std::string m_out;
  size_t m_depth = 0;
  int m_fstrings = 0;
};

// ---------------------------------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------------------------------

void Dumper::child(std::string_view field, const Expr *expr) {
  if (!expr)
    return;
  begin(field, ExprNames[static_cast<size_t>(expr->kind)], expr->range);
  plainFields(*expr);
  end();
  Level level(*this);
  m_fstrings += expr->kind == ExprKind::JoinedStr;
  childrenOf(*expr);
  m_fstrings -= expr->kind == ExprKind::JoinedStr;
}

void Dumper::plainFields(const Expr &expr) {
  if (auto *e = dynCast<BoolOp>(&expr))
    value("op", e->op == BoolOperator::And ? "and" : "or");
  else if (auto *e = dynCast<BinOp>(&expr))
    value("op", spelling(e->op));
  else if (auto *e = dynCast<UnaryOp>(&expr))
    value("op", spelling(e->op));
  else if (auto *e = dynCast<Name>(&expr))
    value("id", e->id);
  else if (auto *e = dynCast<Attribute>(&expr))
    value("attr", e->attr);
  else if (auto *e = dynCast<Constant>(&expr))
    plainFields(*e);
  else if (auto *e = dynCast<Compare>(&expr))
    for (CompareOperator op : e->ops)
      value("op", spelling(op));
  else if (auto *e = dynCast<FormattedValue>(&expr))
    value("conversion", std::string_view(&e->conversion, e->conversion ? 1 : 0));
}

void Dumper::plainFields(const Constant &constant) {
  m_out += ' ';
  if (constant.constant <= ConstantKind::Ellipsis) {
    m_out += ConstantNames[static_cast<size_t>(constant.constant)];
  } else if (constant.constant < ConstantKind::String) {
    m_out += m_fstrings > 0 && !m_options.fstringRanges ? "number" : constant.text;
  } else {
    if (constant.constant == ConstantKind::Bytes)
      m_out += 'b';
    quoted(constant.text);
  }
}

void Dumper::childrenOf(const Expr &expr) {
  switch (expr.kind) {
  case ExprKind::BoolOp:
    return children("values", cast<BoolOp>(&expr).values);
  case ExprKind::NamedExpr: {
    auto &e = cast<NamedExpr>(&expr);
    return child("target", e.target), child("value", e.value);
  }
  case ExprKind::BinOp: {
    auto &e = cast<BinOp>(&expr);
    return child("left", e.left), child("right", e.right);
  }
  case ExprKind::UnaryOp:
    return child("operand", cast<UnaryOp>(&expr).operand);
  case ExprKind::Lambda: {
    auto &e = cast<Lambda>(&expr);
    return parameters(*e.args), child("body", e.body);
  }
  case ExprKind::IfExp: {
    auto &e = cast<IfExp>(&expr);
    return child("test", e.test), child("body", e.body), child("orelse", e.orelse);
  }
  case ExprKind::Dict: {
    auto &e = cast<Dict>(&expr);
    for (size_t i = 0; i < e.values.size(); ++i)
      child("key", e.keys[i]), child(e.keys[i] ? "value" : "unpacked", e.values[i]);
    return;
  }
  case ExprKind::Set:
    return children("elts", cast<Set>(&expr).elts);
  case ExprKind::ListComp: {
    auto &e = cast<ListComp>(&expr);
    return child("elt", e.elt), children("generators", e.generators);
  }
  case ExprKind::SetComp: {
    auto &e = cast<SetComp>(&expr);
    return child("elt", e.elt), children("generators", e.generators);
  }
  case ExprKind::DictComp: {
    auto &e = cast<DictComp>(&expr);
    return child("key", e.key), child("value", e.value), children("generators", e.generators);
  }
  case ExprKind::GeneratorExp: {
    auto &e = cast<GeneratorExp>(&expr);
    return child("elt", e.elt), children("generators", e.generators);
  }
  case ExprKind::Await:
    return child("value", cast<Await>(&expr).value);
  case ExprKind::Yield:
    return child("value", cast<Yield>(&expr).value);
  case ExprKind::YieldFrom:
    return child("value", cast<YieldFrom>(&expr).value);
  case ExprKind::Compare: {
    auto &e = cast<Compare>(&expr);
    return child("left", e.left), children("comparators", e.comparators);
  }
  case ExprKind::Call: {
    auto &e = cast<Call>(&expr);
    return child("func", e.func), children("args", e.args), children("keywords", e.keywords);
  }
  case ExprKind::FormattedValue: {
    auto &e = cast<FormattedValue>(&expr);
    return child("value", e.value), child("format_spec", e.formatSpec);
  }
  case ExprKind::JoinedStr:
    return children("values", cast<JoinedStr>(&expr).values);
  case ExprKind::Attribute:
    return child("value", cast<Attribute>(&expr).value);
  case ExprKind::Subscript: {
    auto &e = cast<Subscript>(&expr);
    return child("value", e.value), child("slice", e.slice);
  }
  case ExprKind::Starred:
    return child("value", cast<Starred>(&expr).value);
  case ExprKind::List:
    return children("elts", cast<List>(&expr).elts);
  case ExprKind::Tuple:
    return children("elts", cast<Tuple>(&expr).elts);
  case ExprKind::Slice: {
    auto &e = cast<Slice>(&expr);
    return child("lower", e.lower), child("upper", e.upper), child("step", e.step);
  }
  case ExprKind::Constant:
  case ExprKind::Name:
  case ExprKind::Error:
    return;
  }
}

void Dumper::child(std::string_view field, const Keyword &keyword) {
  begin(field, "keyword", keyword.range);
  value("arg", keyword.name);
  end();
  Level level(*this);
  child("value", keyword.value);
}

void Dumper::child(std::string_view field, const Comprehension &generator) {
  begin(field, "comprehension");
  flag("async", generator.isAsync);
  end();
  Level level(*this);
  child("target", generator.target);
  child("iter", generator.iter);
  children("ifs", generator.ifs);
}

// ---------------------------------------------------------------------------------------------------
// Functions
// ---------------------------------------------------------------------------------------------------

void Dumper::parameters(const Arguments &args) {
  children("posonlyargs", args.posonlyargs);
  children("args", args.args);
  child("vararg", args.vararg);
  children("kwonlyargs", args.kwonlyargs);
  child("kwarg", args.kwarg);
}

void Dumper::child(std::string_view field, const Arg *arg) {
  if (!arg)
    return;
  begin(field, "arg", arg->range);
  value("name", arg->name);
  end();
  Level level(*this);
  child("annotation", arg->annotation);
  child("default", arg->defaultValue);
}

void Dumper::child(std::string_view field, const TypeParam &param) {
  constexpr std::string_view Kinds[] = {"TypeVar", "TypeVarTuple", "ParamSpec"};
  begin(field, Kinds[static_cast<size_t>(param.kind)], param.range);
  value("name", param.name);
  end();
  Level level(*this);
  child("bound", param.bound);
}

// ---------------------------------------------------------------------------------------------------
// Statements
// ---------------------------------------------------------------------------------------------------

void Dumper::child(std::string_view field, const Stmt *stmt) {
  begin(field, StmtNames[static_cast<size_t>(stmt->kind)], stmt->range);
  plainFields(*stmt);
  end();
  Level level(*this);
  childrenOf(*stmt);
}

void Dumper::plainFields(const Stmt &stmt) {
  if (auto *s = dynCast<FunctionDef>(&stmt)) {
    flag("async", s->isAsync);
    value("name", s->name);
  } else if (auto *s = dynCast<ClassDef>(&stmt)) {
    value("name", s->name);
  } else if (auto *s = dynCast<AugAssign>(&stmt)) {
    value("op", spelling(s->op));
  } else if (auto *s = dynCast<AnnAssign>(&stmt)) {
    flag("simple", s->simple);
  } else if (auto *s = dynCast<For>(&stmt)) {
    flag("async", s->isAsync);
  } else if (auto *s = dynCast<With>(&stmt)) {
    flag("async", s->isAsync);
  } else if (auto *s = dynCast<Try>(&stmt)) {
    flag("star", s->isStar);
  } else if (auto *s = dynCast<ImportFrom>(&stmt)) {
    value("module", s->module);
    value("level", std::to_string(s->level));
  } else if (auto *s = dynCast<Global>(&stmt)) {
    names("name", s->names);
  } else if (auto *s = dynCast<Nonlocal>(&stmt)) {
    names("name", s->names);
  }
}

void Dumper::childrenOf(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::FunctionDef: {
    auto &s = cast<FunctionDef>(&stmt);
    children("decorator_list", s.decorators), children("type_params", s.typeParams), parameters(*s.args);
    return child("returns", s.returns), children("body", s.body);
  }
  case StmtKind::ClassDef: {
    auto &s = cast<ClassDef>(&stmt);
    children("decorator_list", s.decorators), children("type_params", s.typeParams);
    return children("bases", s.bases), children("keywords", s.keywords), children("body", s.body);
  }
  case StmtKind::Return:
    return child("value", cast<Return>(&stmt).value);
  case StmtKind::Delete:
    return children("targets", cast<Delete>(&stmt).targets);
  case StmtKind::Assign: {
    auto &s = cast<Assign>(&stmt);
    return children("targets", s.targets), child("value", s.value);
  }
  case StmtKind::TypeAlias: {
    auto &s = cast<TypeAlias>(&stmt);
    return child("name", s.name), children("type_params", s.typeParams), child("value", s.value);
  }
  case StmtKind::AugAssign: {
    auto &s = cast<AugAssign>(&stmt);
    return child("target", s.target), child("value", s.value);
  }
  case StmtKind::AnnAssign: {
    auto &s = cast<AnnAssign>(&stmt);
    return child("target", s.target), child("annotation", s.annotation), child("value", s.value);
  }
  case StmtKind::For: {
    auto &s = cast<For>(&stmt);
    child("target", s.target), child("iter", s.iter);
    return children("body", s.body), children("orelse", s.orelse);
  }
  case StmtKind::While: {
    auto &s = cast<While>(&stmt);
    return child("test", s.test), children("body", s.body), children("orelse", s.orelse);
  }
  case StmtKind::If: {
    auto &s = cast<If>(&stmt);
    return child("test", s.test), children("body", s.body), children("orelse", s.orelse);
  }
  case StmtKind::With: {
    auto &s = cast<With>(&stmt);
    return children("items", s.items), children("body", s.body);
  }
  case StmtKind::Match: {
    auto &s = cast<Match>(&stmt);
    return child("subject", s.subject), children("cases", s.cases);
  }
  case StmtKind::Raise: {
    auto &s = cast<Raise>(&stmt);
    return child("exc", s.exc), child("cause", s.cause);
  }
  case StmtKind::Try: {
    auto &s = cast<Try>(&stmt);
    children("body", s.body), children("handlers", s.handlers);
    return children("orelse", s.orelse), children("finalbody", s.finalbody);
  }
  case StmtKind::Assert: {
    auto &s = cast<Assert>(&stmt);
    return child("test", s.test), child("msg", s.msg);
  }
  case StmtKind::Import:
    return children("names", cast<Import>(&stmt).names);
  case StmtKind::ImportFrom:
    return children("names", cast<ImportFrom>(&stmt).names);
  case StmtKind::Expr:
    return child("value", cast<ExprStmt>(&stmt).value);
  case StmtKind::Global:
  case StmtKind::Nonlocal:
  case StmtKind::Pass:
  case StmtKind::Break:
  case StmtKind::Continue:
  case StmtKind::Error:
    return;
  }
}

void Dumper::child(std::string_view field, const Alias &alias) {
  begin(field, "alias", alias.range);
  value("name", alias.name);
  value("asname", alias.asname);
  end();
}

void Dumper::child(std::string_view field, const WithItem &item) {
  begin(field, "withitem");
  end();
  Level level(*this);
  child("context_expr", item.contextExpr);
  child("optional_vars", item.optionalVars);
}

void Dumper::child(std::string_view field, const ExceptHandler &handler) {
  begin(field, "ExceptHandler", handler.range);
  value("name", handler.name);
  end();
  Level level(*this);
  child("type", handler.type);
  children("body", handler.body);
}

void Dumper::child(std::string_view field, const MatchCase &item) {
  begin(field, "match_case");
  end();
  Level level(*this);
  child("pattern", item.pattern);
  child("guard", item.guard);
  children("body", item.body);
}

void Dumper::child(std::string_view field, const Pattern *pattern) {
  if (!pattern)
    return;
  begin(field, PatternNames[static_cast<size_t>(pattern->kind)], pattern->range);
  if (pattern->kind == PatternKind::Singleton)
    plainFields(cast<Constant>(pattern->value));
  value("name", pattern->name);
  names("kwd_attr", pattern->kwdAttrs);
  end();
  Level level(*this);
  if (pattern->kind != PatternKind::Singleton)
    child("value", pattern->value);
  children("key", pattern->keys);
  children("patterns", pattern->patterns);
  children("kwd_patterns", pattern->kwdPatterns);
  child("pattern", pattern->pattern);
}

} // namespace

std::string dump(const Module &module, DumpOptions options) { return Dumper(module, options).run(module); }

} // namespace tilescope::syntax
