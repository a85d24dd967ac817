// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each kind of expression is lowered by.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Lowering.h"
#include "compiler/Value/Operators.h"

namespace tilescope::frontend {

using namespace syntax;

Term Lowering::lower(const Expr &expr) {
  Emitter::At at(m_emitter, expr.range);
  Term term = lowerUnrecorded(expr);
  if (m_types && (expr.kind == ExprKind::Name || expr.kind == ExprKind::Call))
    record(expr.range, expr.kind == ExprKind::Name ? cast<Name>(&expr).id : std::string_view(), term);
  return term;
}

Term Lowering::lowerUnrecorded(const Expr &expr) {
  switch (expr.kind) {
  case ExprKind::Constant:
    return lowerConstant(cast<Constant>(&expr));
  case ExprKind::Name:
    return lowerName(cast<Name>(&expr));
  case ExprKind::Attribute:
    return lowerAttribute(cast<Attribute>(&expr));
  case ExprKind::BinOp:
    return lowerBinOp(cast<BinOp>(&expr));
  case ExprKind::UnaryOp: {
    const auto &unaryOp = cast<UnaryOp>(&expr);
    return unary(m_emitter, unaryOp.op, operand(*unaryOp.operand));
  }
  case ExprKind::Compare:
    return lowerCompare(cast<Compare>(&expr));
  case ExprKind::BoolOp:
    return lowerBoolOp(cast<BoolOp>(&expr));
  case ExprKind::IfExp:
    return lowerIfExp(cast<IfExp>(&expr));
  case ExprKind::Subscript:
    return lowerSubscript(cast<Subscript>(&expr));
  case ExprKind::Call:
    return lowerCall(cast<Call>(&expr));
  case ExprKind::Tuple:
    return lowerTuple(cast<Tuple>(&expr).elts);
  case ExprKind::List:
    return lowerTuple(cast<List>(&expr).elts);
  case ExprKind::ListComp:
    return lowerComprehension(*cast<ListComp>(&expr).elt, cast<ListComp>(&expr).generators);
  case ExprKind::GeneratorExp:
    return refuse(expr, "kernel-generator");
  case ExprKind::JoinedStr:
    return lowerFString(cast<JoinedStr>(&expr));
  case ExprKind::Lambda:
    return refuse(expr, "kernel-lambda");
  case ExprKind::NamedExpr:
    return lowerNamedExpr(cast<NamedExpr>(&expr));
  case ExprKind::Dict:
    return isForeignFunction(*frame().function) ? lowerPairs(cast<Dict>(&expr)) : refuse(expr, "kernel-dict");
  case ExprKind::DictComp:
    return refuse(expr, "kernel-dict");
  case ExprKind::Set:
  case ExprKind::SetComp:
    return refuse(expr, "kernel-set");
  case ExprKind::Await:
  case ExprKind::Yield:
  case ExprKind::YieldFrom:
    return refuse(expr, "kernel-yield");
  case ExprKind::Starred:
    return refuse(expr, "kernel-starred");
  case ExprKind::Slice:
    return refuse(expr, "tile-index");
  case ExprKind::FormattedValue:
  case ExprKind::Error:
    return {};
  }
  return {};
}

/// The table of foreign functions, as a tuple of pairs.
Term Lowering::lowerPairs(const Dict &expr) {
  std::vector<Term> pairs;
  for (size_t i = 0; i < expr.keys.size(); ++i) {
    if (!expr.keys[i])
      return refuse(expr, "kernel-double-star");
    pairs.push_back(makeTuple({lower(*expr.keys[i]), lower(*expr.values[i])}));
  }
  return makeTuple(std::move(pairs));
}

Term Lowering::refuse(const Expr &expr, std::string form) {
  m_emitter.error(expr.range, std::move(form));
  return {};
}

Term Lowering::lowerConstant(const Constant &expr) {
  Result<Value> value = constant(expr);
  if (value)
    return *value;
  m_emitter.error(expr.range, value.error().id, value.error().arguments);
  return {};
}

void Lowering::record(SourceRange range, std::string_view name, const Term &term) {
  if (m_types && !frame().isPrelude && !term.isError())
    m_types->push_back({m_emitter.span(range), std::string(name), describe(term)});
}

} // namespace tilescope::frontend
