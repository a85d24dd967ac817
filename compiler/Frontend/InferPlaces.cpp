// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the places of a text want of the expressions that stand in them: tests, operands of bit operators,
// arguments of the library, sides of comparisons.
#include "compiler/Frontend/InferTables.h"
#include "compiler/Frontend/InferUse.h"
#include "compiler/Syntax/Visitor.h"
#include "compiler/Value/ElementType.h"

namespace tilescope::frontend {

using namespace syntax;

namespace {

/// `%` and `//` count too; `&` and `|` of masks want nothing of what is compared in them.
bool isOfIntegers(BinaryOperator op) {
  switch (op) {
  case BinaryOperator::Mod:
  case BinaryOperator::FloorDiv:
  case BinaryOperator::LShift:
  case BinaryOperator::RShift:
  case BinaryOperator::BitAnd:
  case BinaryOperator::BitOr:
  case BinaryOperator::BitXor:
    return true;
  default:
    return false;
  }
}

/// The last name of `a.b.c`, or empty.
std::string_view lastName(const Expr &expr) {
  const auto *attribute = dynCast<Attribute>(&expr);
  return attribute ? attribute->attr : std::string_view();
}

bool isTypeName(std::string_view name) {
  return elementTypeOfSymbol("triton.language." + std::string(name)).has_value();
}

const Constant *literal(const Expr &expr, ConstantKind kind) {
  const auto *constant = dynCast<Constant>(&expr);
  return constant && constant->constant == kind ? constant : nullptr;
}

/// The block of a descriptor that is called so: 64 wide along each coordinate; rows are gathered one by one.
std::vector<int64_t> blockOf(const Call &call, std::string_view method) {
  constexpr int64_t Width = 64;
  if (method == "gather" || method == "scatter")
    return {1, Width};
  const Expr *first = call.args.empty() ? nullptr : call.args[0];
  size_t rank = 1;
  if (const auto *list = dynCast<List>(first))
    rank = list->elts.size();
  else if (const auto *tuple = dynCast<Tuple>(first))
    rank = tuple->elts.size();
  return std::vector<int64_t>(rank, Width);
}

} // namespace

void UseAnalysis::place(const FunctionObject &function, const Stmt &statement) {
  if (const auto *branch = dynCast<If>(&statement))
    want(function, branch->test, AsTest);
  else if (const auto *loop = dynCast<While>(&statement))
    want(function, loop->test, AsTest);
  else if (const auto *step = dynCast<AugAssign>(&statement); step && isOfIntegers(step->op)) {
    want(function, step->target, AsInteger);
    want(function, step->value, AsInteger);
  }
  forEachChild(statement, [&](const auto *child) {
    if constexpr (!std::is_same_v<decltype(child), const Pattern *>)
      place(function, *child);
  });
}

void UseAnalysis::place(const FunctionObject &function, const Expr &expr) {
  if (const auto *call = dynCast<Call>(&expr)) {
    placeCall(function, *call);
  } else if (const auto *op = dynCast<BinOp>(&expr); op && isOfIntegers(op->op)) {
    want(function, op->left, AsInteger);
    want(function, op->right, AsInteger);
  } else if (const auto *compare = dynCast<Compare>(&expr)) {
    placeCompare(function, *compare);
  } else if (const auto *both = dynCast<BoolOp>(&expr)) {
    for (const Expr *value : both->values)
      want(function, value, AsTest);
  } else if (const auto *choice = dynCast<IfExp>(&expr)) {
    want(function, choice->test, AsTest);
  } else if (const auto *unary = dynCast<UnaryOp>(&expr); unary && unary->op == UnaryOperator::Not) {
    want(function, unary->operand, AsTest);
  } else if (const auto *attribute = dynCast<Attribute>(&expr);
             attribute && attribute->attr == "element_ty") {
    if (lastName(*attribute->value) == "dtype")
      want(function, cast<Attribute>(attribute->value).value, AsAddress);
  }
  forEachChild(expr, [&](const auto *child) {
    if constexpr (!std::is_same_v<decltype(child), const Pattern *>)
      place(function, *child);
  });
}

void UseAnalysis::placeCall(const FunctionObject &function, const Call &call) {
  const Callee target = callee(function, call);
  if (target.helper)
    return;
  if (call.func->kind == ExprKind::Name && local(function, cast<Name>(call.func).id))
    return want(function, call.func, AsFunction);
  placeLibraryCall(function, call, target);
}

void UseAnalysis::placeLibraryCall(const FunctionObject &function, const Call &call, const Callee &callee) {
  // `x.load(…)` of a descriptor; tl.load and the pointer in it are another matter.
  if (callee.self && (callee.library == "load" || callee.library == "store" || callee.library == "gather" ||
                      callee.library == "scatter" || callee.library.starts_with("atomic_")))
    return wantBlock(function, *callee.self, blockOf(call, callee.library));
  const CallView view(call, callee.self);
  for (const ArgumentPlace &row : argumentPlaces())
    if (row.function == callee.library)
      if (const Expr *given = view.argument(row.position, row.keyword))
        wantItems(function, given, row.uses);
}

void UseAnalysis::placeCompare(const FunctionObject &function, const Compare &compare) {
  const Expr *left = compare.left;
  for (size_t i = 0; i < compare.ops.size(); ++i) {
    const Expr *right = compare.comparators[i];
    const CompareOperator op = compare.ops[i];
    const bool isEquality = op == CompareOperator::Eq || op == CompareOperator::NotEq;
    placePair(function, *left, *right, isEquality);
    placePair(function, *right, *left, isEquality);
    left = right;
  }
}

/// What `other` says of `one`.
void UseAnalysis::placePair(const FunctionObject &function, const Expr &one, const Expr &other,
                            bool isEquality) {
  if (literal(other, ConstantKind::None))
    return want(function, &one, WithNone);
  if (literal(other, ConstantKind::True) || literal(other, ConstantKind::False))
    return want(function, &one, AsTest);
  const Expr *text = &other; // `x in ("a", "b")`
  if (const auto *tuple = dynCast<Tuple>(&other); tuple && !tuple->elts.empty())
    text = tuple->elts[0];
  else if (const auto *list = dynCast<List>(&other); list && !list->elts.empty())
    text = list->elts[0];
  if (const Constant *string = literal(*text, ConstantKind::String))
    return wantText(function, one, string->text);
  if (rootOf(function, other) && isTypeName(lastName(other)))
    return want(function, &one, AsType);
  if ((isEquality && literal(other, ConstantKind::Int)) || isInteger(function, other))
    want(function, &one, AsInteger);
}

} // namespace tilescope::frontend
