// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntax tree of Python 3.12, for kernels and host code alike. Names follow Python's own `ast`
// module, so that its documentation is the documentation of this file. Nodes live in the arena of their
// `Module`, are immutable after parsing, and carry exact byte ranges. Start at `Module`; the parser is
// in Parser.h.
//
// Trees are at most a few thousand nodes high (see ParserImpl.h), so that they may be walked by recursion.
// After a mistake the parser goes on: what it could not read stands in the tree as `ErrorExpr` or
// `ErrorStmt`, for which a diagnostic has already been given.
#pragma once

#include "compiler/Support/SourceFile.h"
#include "compiler/Syntax/Arena.h"

#include <cassert>
#include <span>
#include <string_view>

namespace tilescope::syntax {

// ---------------------------------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------------------------------

enum class ExprKind : uint8_t {
  BoolOp,
  NamedExpr,
  BinOp,
  UnaryOp,
  Lambda,
  IfExp,
  Dict,
  Set,
  ListComp,
  SetComp,
  DictComp,
  GeneratorExp,
  Await,
  Yield,
  YieldFrom,
  Compare,
  Call,
  FormattedValue,
  JoinedStr,
  Constant,
  Attribute,
  Subscript,
  Starred,
  Name,
  List,
  Tuple,
  Slice,
  Error,
};

struct Expr {
  ExprKind kind;
  SourceRange range;
};

enum class BoolOperator : uint8_t { And, Or };
enum class UnaryOperator : uint8_t { Invert, Not, UAdd, USub };
enum class BinaryOperator : uint8_t {
  Add,
  Sub,
  Mult,
  MatMult,
  Div,
  Mod,
  Pow,
  LShift,
  RShift,
  BitOr,
  BitXor,
  BitAnd,
  FloorDiv,
};
enum class CompareOperator : uint8_t { Eq, NotEq, Lt, LtE, Gt, GtE, Is, IsNot, In, NotIn };

template <ExprKind K> struct ExprOf : Expr {
  static constexpr ExprKind Kind = K;
};

/// `a and b and c`: two or more values.
struct BoolOp : ExprOf<ExprKind::BoolOp> {
  BoolOperator op;
  std::span<Expr *const> values;
};
/// `target := value`.
struct NamedExpr : ExprOf<ExprKind::NamedExpr> {
  struct Name *target;
  Expr *value;
};
struct BinOp : ExprOf<ExprKind::BinOp> {
  BinaryOperator op;
  SourceRange opRange;
  Expr *left;
  Expr *right;
};
struct UnaryOp : ExprOf<ExprKind::UnaryOp> {
  UnaryOperator op;
  Expr *operand;
};
struct Lambda : ExprOf<ExprKind::Lambda> {
  struct Arguments *args;
  Expr *body;
};
/// `body if test else orelse`.
struct IfExp : ExprOf<ExprKind::IfExp> {
  Expr *test;
  Expr *body;
  Expr *orelse;
};
/// A null key stands for `**value`.
struct Dict : ExprOf<ExprKind::Dict> {
  std::span<Expr *const> keys;
  std::span<Expr *const> values;
};
struct Set : ExprOf<ExprKind::Set> {
  std::span<Expr *const> elts;
};
/// One `for target in iter if …` of a comprehension.
struct Comprehension {
  Expr *target;
  Expr *iter;
  std::span<Expr *const> ifs;
  bool isAsync;
};
struct ListComp : ExprOf<ExprKind::ListComp> {
  Expr *elt;
  std::span<const Comprehension> generators;
};
struct SetComp : ExprOf<ExprKind::SetComp> {
  Expr *elt;
  std::span<const Comprehension> generators;
};
struct DictComp : ExprOf<ExprKind::DictComp> {
  Expr *key;
  Expr *value;
  std::span<const Comprehension> generators;
};
struct GeneratorExp : ExprOf<ExprKind::GeneratorExp> {
  Expr *elt;
  std::span<const Comprehension> generators;
};
struct Await : ExprOf<ExprKind::Await> {
  Expr *value;
};
struct Yield : ExprOf<ExprKind::Yield> {
  Expr *value; ///< may be null
};
struct YieldFrom : ExprOf<ExprKind::YieldFrom> {
  Expr *value;
};
/// `left op0 c0 op1 c1 …`, chained as Python does.
struct Compare : ExprOf<ExprKind::Compare> {
  Expr *left;
  std::span<const CompareOperator> ops;
  std::span<Expr *const> comparators;
};
/// `name=value`, or `**value` with an empty name.
struct Keyword {
  std::string_view name;
  SourceRange nameRange;
  Expr *value;
  SourceRange range;
};
struct Call : ExprOf<ExprKind::Call> {
  Expr *func;
  std::span<Expr *const> args; ///< positional ones, `Starred` among them
  std::span<const Keyword> keywords;
};
/// `{value!r:spec}` inside an f-string. `conversion` is 's', 'r', 'a' or 0.
struct FormattedValue : ExprOf<ExprKind::FormattedValue> {
  Expr *value;
  char conversion;
  struct JoinedStr *formatSpec; ///< may be null
  /// The source text of the expression with its white space and `=` for `{x=}`, otherwise empty. As in
  /// `ast`, that text also ends the Constant before this one in the JoinedStr, and the conversion is 'r'
  /// where neither conversion nor format is written: the parts are all that printing needs.
  std::string_view selfDocumenting;
};
/// An f-string: `Constant` strings and `FormattedValue`s.
struct JoinedStr : ExprOf<ExprKind::JoinedStr> {
  std::span<Expr *const> values;
};

enum class ConstantKind : uint8_t { None, True, False, Ellipsis, Int, Float, Imaginary, String, Bytes };
struct Constant : ExprOf<ExprKind::Constant> {
  ConstantKind constant;
  /// Int, Float and Imaginary: the digits as written, without underscores (`0x1F`, `1e-3`, `2j`).
  /// String (UTF-8; a lone surrogate as its three-byte form) and Bytes: the value, escapes resolved and
  /// adjacent literals joined. `\N{name}` alone stays as it is written.
  std::string_view text;
};
struct Attribute : ExprOf<ExprKind::Attribute> {
  Expr *value;
  std::string_view attr; ///< empty after a mistake (`x.`)
  SourceRange attrRange;
};
/// `value[slice]`; several subscripts are one `Tuple`.
struct Subscript : ExprOf<ExprKind::Subscript> {
  Expr *value;
  Expr *slice;
};
struct Starred : ExprOf<ExprKind::Starred> {
  Expr *value;
};
struct Name : ExprOf<ExprKind::Name> {
  std::string_view id;
};
struct List : ExprOf<ExprKind::List> {
  std::span<Expr *const> elts;
};
struct Tuple : ExprOf<ExprKind::Tuple> {
  std::span<Expr *const> elts;
};
/// `lower:upper:step`, each of which may be null.
struct Slice : ExprOf<ExprKind::Slice> {
  Expr *lower;
  Expr *upper;
  Expr *step;
};
/// What could not be read; a diagnostic has been given.
struct ErrorExpr : ExprOf<ExprKind::Error> {};

// ---------------------------------------------------------------------------------------------------
// Statements
// ---------------------------------------------------------------------------------------------------

enum class StmtKind : uint8_t {
  FunctionDef,
  ClassDef,
  Return,
  Delete,
  Assign,
  TypeAlias,
  AugAssign,
  AnnAssign,
  For,
  While,
  If,
  With,
  Match,
  Raise,
  Try,
  Assert,
  Import,
  ImportFrom,
  Global,
  Nonlocal,
  Expr,
  Pass,
  Break,
  Continue,
  Error,
};

struct Stmt {
  StmtKind kind;
  SourceRange range;
};

using Body = std::span<Stmt *const>;

template <StmtKind K> struct StmtOf : Stmt {
  static constexpr StmtKind Kind = K;
};

/// One parameter of a function.
struct Arg {
  std::string_view name;
  SourceRange range; ///< with the annotation
  SourceRange nameRange;
  Expr *annotation;   ///< may be null
  Expr *defaultValue; ///< may be null
};
struct Arguments {
  std::span<const Arg> posonlyargs;
  std::span<const Arg> args;
  const Arg *vararg; ///< `*args`, may be null
  std::span<const Arg> kwonlyargs;
  const Arg *kwarg; ///< `**kwargs`, may be null
};
/// `T: bound`, `*Ts` or `**P` of PEP 695.
struct TypeParam {
  enum class Kind : uint8_t { TypeVar, TypeVarTuple, ParamSpec } kind;
  std::string_view name;
  Expr *bound; ///< may be null
  SourceRange range;
};
struct FunctionDef : StmtOf<StmtKind::FunctionDef> {
  bool isAsync;
  std::string_view name;
  SourceRange nameRange;
  std::span<const TypeParam> typeParams;
  Arguments *args;
  Expr *returns; ///< may be null
  Body body;
  std::span<Expr *const> decorators;
};
struct ClassDef : StmtOf<StmtKind::ClassDef> {
  std::string_view name;
  SourceRange nameRange;
  std::span<const TypeParam> typeParams;
  std::span<Expr *const> bases;
  std::span<const Keyword> keywords;
  Body body;
  std::span<Expr *const> decorators;
};
struct Return : StmtOf<StmtKind::Return> {
  Expr *value; ///< may be null
};
struct Delete : StmtOf<StmtKind::Delete> {
  std::span<Expr *const> targets;
};
/// `t0 = t1 = value`.
struct Assign : StmtOf<StmtKind::Assign> {
  std::span<Expr *const> targets;
  Expr *value;
};
struct TypeAlias : StmtOf<StmtKind::TypeAlias> {
  Name *name;
  std::span<const TypeParam> typeParams;
  Expr *value;
};
struct AugAssign : StmtOf<StmtKind::AugAssign> {
  Expr *target;
  BinaryOperator op;
  SourceRange opRange;
  Expr *value;
};
struct AnnAssign : StmtOf<StmtKind::AnnAssign> {
  Expr *target;
  Expr *annotation;
  Expr *value; ///< may be null
  bool simple; ///< the target is a bare name
};
struct For : StmtOf<StmtKind::For> {
  bool isAsync;
  Expr *target;
  Expr *iter;
  Body body;
  Body orelse;
};
struct While : StmtOf<StmtKind::While> {
  Expr *test;
  Body body;
  Body orelse;
};
/// `elif` is an `If` alone in `orelse`.
struct If : StmtOf<StmtKind::If> {
  Expr *test;
  Body body;
  Body orelse;
};
struct WithItem {
  Expr *contextExpr;
  Expr *optionalVars; ///< may be null
};
struct With : StmtOf<StmtKind::With> {
  bool isAsync;
  std::span<const WithItem> items;
  Body body;
};

enum class PatternKind : uint8_t { Value, Singleton, Sequence, Mapping, Class, Star, As, Or };
struct Pattern {
  PatternKind kind;
  SourceRange range;
  Expr *value;                                ///< Value, Singleton, Class (the class)
  std::span<Pattern *const> patterns;         ///< Sequence, Mapping (values), Class, Or
  std::span<Expr *const> keys;                ///< Mapping
  std::span<const std::string_view> kwdAttrs; ///< Class
  std::span<Pattern *const> kwdPatterns;      ///< Class
  Pattern *pattern;                           ///< As; may be null
  std::string_view name;                      ///< Star, As, Mapping (`**rest`); empty for `_`
};
struct MatchCase {
  Pattern *pattern;
  Expr *guard; ///< may be null
  Body body;
};
struct Match : StmtOf<StmtKind::Match> {
  Expr *subject;
  std::span<const MatchCase> cases;
};
struct Raise : StmtOf<StmtKind::Raise> {
  Expr *exc;   ///< may be null
  Expr *cause; ///< may be null
};
struct ExceptHandler {
  Expr *type; ///< may be null
  std::string_view name;
  Body body;
  SourceRange range;
};
struct Try : StmtOf<StmtKind::Try> {
  bool isStar; ///< `except*`
  Body body;
  std::span<const ExceptHandler> handlers;
  Body orelse;
  Body finalbody;
};
struct Assert : StmtOf<StmtKind::Assert> {
  Expr *test;
  Expr *msg; ///< may be null
};
struct Alias {
  std::string_view name;   ///< with dots; "*" for all
  std::string_view asname; ///< may be empty
  SourceRange range;
};
struct Import : StmtOf<StmtKind::Import> {
  std::span<const Alias> names;
};
struct ImportFrom : StmtOf<StmtKind::ImportFrom> {
  std::string_view module; ///< may be empty
  std::span<const Alias> names;
  uint32_t level; ///< leading dots
};
struct Global : StmtOf<StmtKind::Global> {
  std::span<const std::string_view> names;
};
struct Nonlocal : StmtOf<StmtKind::Nonlocal> {
  std::span<const std::string_view> names;
};
struct ExprStmt : StmtOf<StmtKind::Expr> {
  Expr *value;
};
struct Pass : StmtOf<StmtKind::Pass> {};
struct Break : StmtOf<StmtKind::Break> {};
struct Continue : StmtOf<StmtKind::Continue> {};
/// What could not be read; a diagnostic has been given.
struct ErrorStmt : StmtOf<StmtKind::Error> {};

// ---------------------------------------------------------------------------------------------------
// The tree, and looking into it
// ---------------------------------------------------------------------------------------------------

/// One parsed file. Owns every node; the text views point into the file or the arena.
struct Module {
  SourceFilePtr file;
  Arena arena;
  Body body;

  SourceSpan span(SourceRange range) const { return {file, range}; }
};

template <typename T, typename Node> const T *dynCast(const Node *node) {
  return node && node->kind == T::Kind ? static_cast<const T *>(node) : nullptr;
}
template <typename T, typename Node> const T &cast(const Node *node) {
  assert(node && node->kind == T::Kind);
  return *static_cast<const T *>(node);
}

/// The operator as written: "+", "//", "<=", "not in" …
std::string_view spelling(BinaryOperator op);
std::string_view spelling(UnaryOperator op);
std::string_view spelling(CompareOperator op);

} // namespace tilescope::syntax
