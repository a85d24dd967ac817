// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators, and expressions that choose: `and`, `or`, `a if c else b`.
#include "compiler/Frontend/Lowering.h"
#include "compiler/Frontend/Types.h"
#include "compiler/Value/Operators.h"

namespace tilescope::frontend {

using namespace syntax;

namespace {

/// Is the operand of a comparison `a & b` or `a | b` without brackets of its own?
const BinOp *bareBitOperation(const SourceFile &file, const Expr *expr, uint32_t comparisonBegin) {
  const auto *op = dynCast<BinOp>(expr);
  if (!op || (op->op != BinaryOperator::BitAnd && op->op != BinaryOperator::BitOr))
    return nullptr;
  size_t before = op->range.begin;
  while (before > comparisonBegin && (file.text()[before - 1] == ' ' || file.text()[before - 1] == '\t'))
    --before;
  bool bracketed = before > comparisonBegin && file.text()[before - 1] == '(';
  return bracketed ? nullptr : op;
}

} // namespace

Term Lowering::lowerBinOp(const BinOp &expr) {
  Operand left = operand(*expr.left);
  Operand right = operand(*expr.right);
  return binary(m_emitter, expr.op, left, right);
}

/// `r < M & c < N` is one chain for Python, and hardly ever meant.
void Lowering::warnOfPrecedence(const Compare &expr) {
  const BinOp *mixed =
      expr.ops.size() == 2 ? bareBitOperation(file(), expr.comparators[0], expr.range.begin) : nullptr;
  if (!mixed)
    return;
  Diagnostic &warning =
      m_emitter.warning(expr.range, "comparison-precedence", {std::string(spelling(mixed->op))});
  auto text = [&](const Expr *e) { return std::string(file().text(e->range)); };
  auto comparison = [&](const Expr *left, CompareOperator op, const Expr *right) {
    return "(" + text(left) + " " + std::string(spelling(op)) + " " + text(right) + ")";
  };
  warning.fix =
      DiagnosticFix{"add-brackets",
                    {},
                    expr.range,
                    comparison(expr.left, expr.ops[0], mixed->left) + " " + std::string(spelling(mixed->op)) +
                        " " + comparison(mixed->right, expr.ops[1], expr.comparators[1])};
}

Term Lowering::lowerCompare(const Compare &expr) {
  warnOfPrecedence(expr);
  Operand left = operand(*expr.left);
  std::optional<Operand> all;
  for (size_t i = 0; i < expr.ops.size(); ++i) {
    Operand right = operand(*expr.comparators[i]);
    bool isMembership = expr.ops[i] == CompareOperator::In || expr.ops[i] == CompareOperator::NotIn;
    if (isMembership && !frame().isPrelude) {
      m_emitter.error(expr.range, "kernel-membership", {std::string(spelling(expr.ops[i]))});
      return {};
    }
    Operand part{compare(m_emitter, expr.ops[i], left, right), left.range.to(right.range)};
    all = all ? Operand{binary(m_emitter, BinaryOperator::BitAnd, *all, part), all->range.to(part.range)}
              : part;
    left = right;
  }
  return all->term;
}

Term Lowering::lowerBoolOp(const BoolOp &expr) {
  bool isAnd = expr.op == BoolOperator::And;
  std::optional<Operand> result;
  for (const Expr *value : expr.values) {
    Operand next = operand(*value);
    if (next.term.isError())
      return {};
    bool isRuntime = next.term.value() != nullptr;
    if (!isRuntime) {
      bool holds = !next.term.constant() || truth(*next.term.constant());
      if (holds != isAnd)
        return next.term;
      if (!result || !result->term.value())
        result = next;
      continue;
    }
    if (llvm::isa<tile::TileType>(next.term.value().getType()) && expr.values.size() == 2) {
      std::string name = isAnd ? "and" : "or", op = isAnd ? "&" : "|";
      Diagnostic &warning = m_emitter.warning(expr.range, "logical-on-tiles", {name, op});
      warning.fix = DiagnosticFix{"use-bitwise",
                                  {op},
                                  expr.range,
                                  "(" + std::string(file().text(expr.values[0]->range)) + ") " + op + " (" +
                                      std::string(file().text(expr.values[1]->range)) + ")"};
    }
    if (!result || !result->term.value())
      result = next;
    else
      result = Operand{logical(m_emitter, expr.op, *result, next), result->range.to(next.range)};
  }
  return result->term;
}

Term Lowering::lowerNamedExpr(const NamedExpr &expr) {
  Operand value = operand(*expr.value);
  const Expr &target = *expr.target;
  value.term = assignedTerm(target, value);
  assign(target, value);
  return value.term;
}

Term Lowering::lowerIfExp(const IfExp &expr) {
  Operand test = operand(*expr.test);
  if (test.term.isError())
    return {};
  if (std::optional<bool> taken = staticTruth(test))
    return lower(*taken ? *expr.body : *expr.orelse);
  if (test.term.isError())
    return {};
  mlir::Value condition = toCondition(m_emitter, test);
  if (!condition)
    return {};
  auto skeleton = m_emitter.create<tile::IfOp>(mlir::TypeRange(), condition, /*withElse=*/true);
  Branch first{{}, {}, skeleton.thenBlock()}, second{{}, {}, skeleton.elseBlock()};
  auto side = [&](mlir::Block *block, const Expr &value) {
    mlir::OpBuilder::InsertionGuard guard(m_emitter.builder);
    m_emitter.builder.setInsertionPointToEnd(block);
    return toTensor(m_emitter, operand(value));
  };
  mlir::Value a = side(first.block, *expr.body), b = side(second.block, *expr.orelse);
  bool agree = a && b && a.getType() == b.getType();
  if (a && b && !agree)
    m_emitter.error(expr.range, "conditional-types", {typeName(a.getType()), typeName(b.getType())});
  auto result = withResults(skeleton, first, agree ? mlir::ValueRange(a) : mlir::ValueRange(), second,
                            agree ? mlir::ValueRange(b) : mlir::ValueRange());
  return agree ? Term(mlir::Value(result.getResult(0))) : Term();
}

} // namespace tilescope::frontend
