// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of matrix products, of what is fused out of them, and of the parts of a matrix.
#include "compiler/Host/OperationsRows.h"

#include "compiler/Host/OperationsElementwise.h"
#include "compiler/Host/SilentContext.h"
#include "compiler/Host/TensorFunctions.h"
#include "compiler/Host/TensorMatmul.h"
#include "compiler/Host/TensorRows.h"
#include "compiler/Host/TensorViews.h"

namespace tilescope::host {

namespace {

/// `rank` 0: any; else what both operands must have, as mm, mv's matrix and bmm demand.
template <int64_t Rank> Result<Value> product(Call &call) {
  auto left = call.tensor("input"), right = call.tensor("mat2");
  auto out = call.destination();
  if (call.failed())
    return call.error();
  if (Rank > 0 && (left->rank() != Rank || right->rank() != Rank))
    return call.fail(
        {"wrong-rank",
         {std::string(call.name()), std::to_string(Rank), shapeText(left->shape), shapeText(right->shape)}},
        left->rank() != Rank ? "input" : "mat2");
  return valueOf(matmul(call.context, call.name(), left, right, out));
}

/// beta * input + alpha * (left @ right), fused into one kernel on a GPU: the sum is charged to the product.
Result<TensorPtr> sumWithProduct(Call &call, const Operand &input, Number beta, Number alpha,
                                 const TensorPtr &left, const TensorPtr &right) {
  OperationContext &context = call.context;
  SilentContext silent(context);
  auto result = matmul(silent, call.name(), left, right);
  auto scale = [&](Result<TensorPtr> tensor, Number by) {
    return tensor && by.real != 1 ? binaryElementwise(silent, call.name(), BinaryFunction::Multiply,
                                                      {*tensor, {}}, {nullptr, by})
                                  : tensor;
  };
  result = scale(result, alpha);
  if (!result || !input.tensor)
    return result;
  auto scaled = scale(input.tensor, beta);
  if (!scaled)
    return scaled;
  result = binaryElementwise(silent, call.name(), BinaryFunction::Add, {*result, {}}, {*scaled, {}});
  const std::array reads{Operand{left, {}}, Operand{right, {}}, input};
  if (result && !context.checking())
    charge(context, call.name(), reads, {&*result, 1});
  return result;
}

Result<Value> addmm(Call &call) {
  const Operand input{call.tensor("input"), {}};
  auto left = call.tensor("mat1"), right = call.tensor("mat2");
  const Number beta = call.number("beta"), alpha = call.number("alpha");
  if (call.failed())
    return call.error();
  return valueOf(sumWithProduct(call, input, beta, alpha, left, right));
}

Result<Value> linear(Call &call) {
  auto input = call.tensor("input"), weight = call.tensor("weight");
  const bool biased = call.has("bias");
  const Operand bias{biased ? call.tensor("bias") : nullptr, {}};
  if (call.failed())
    return call.error();
  if (weight->rank() != 2)
    return call.fail({"wrong-rank", {"linear", "2", shapeText(input->shape), shapeText(weight->shape)}},
                     "weight");
  const Number one = Number::of(int64_t(1));
  auto turned = transposed(*weight, 0, 1);
  return biased ? valueOf(sumWithProduct(call, bias, one, one, input, turned))
                : valueOf(matmul(call.context, "linear", input, turned));
}

constexpr double MinusInfinity = -std::numeric_limits<double>::infinity();

/// Query r sees keys 0 to r only.
bool hideLaterKeys(OperationContext &context, const TensorObject &scores) {
  const int64_t rowDim = scores.rank() - 2, columnDim = scores.rank() - 1;
  for (int64_t r = 0; r + 1 < scores.shape[columnDim] && r < scores.shape[rowDim]; ++r) {
    auto later = narrowed(*selected(scores, rowDim, r), rowDim, r + 1, scores.shape[columnDim] - r - 1);
    if (!fillElements(context, *later, Number::of(MinusInfinity)))
      return false;
  }
  return true;
}

/// A mask of bool says which keys are seen; any other is added to the scores.
Result<TensorPtr> masked(OperationContext &context, const TensorPtr &scores, const TensorPtr &mask) {
  if (mask->type != ElementType::Bool)
    return binaryElementwise(context, "add", BinaryFunction::Add, {scores, {}}, {mask, {}});
  return elementwiseAs(context, {"where", elementFunction<functions::Where, 3>},
                       {{mask, {}}, {scores, {}}, {nullptr, Number::of(MinusInfinity)}}, scores->type,
                       scores->type);
}

/// softmax(query @ key^T * scale + mask) @ value; the parts in float32 at least, as the fused kernels have
/// it.
Result<TensorPtr> attend(Call &call, OperationContext &context, const std::array<TensorPtr, 3> &operands) {
  const ElementType type = operands[0]->type;
  const ElementType inner = type == ElementType::Float64 ? type : ElementType::Float32;
  std::array<TensorPtr, 3> wide;
  for (size_t k = 0; k < wide.size(); ++k) {
    auto converted = tilescope::host::converted(context, operands[k], inner);
    if (!converted)
      return converted;
    wide[k] = *converted;
  }
  const double scale =
      call.isNone("scale") ? 1 / std::sqrt(double(wide[0]->shape.back())) : call.real("scale");
  const int64_t rank = wide[1]->rank();
  auto scores = matmul(context, call.name(), wide[0], transposed(*wide[1], rank - 2, rank - 1));
  if (scores)
    scores = binaryElementwise(context, "mul", BinaryFunction::Multiply, {*scores, {}},
                               {nullptr, Number::of(scale)});
  if (scores && call.has("attn_mask"))
    scores = masked(context, *scores, call.tensor("attn_mask"));
  if (!scores)
    return scores;
  if (!context.checking()) {
    if (call.boolean("is_causal") && !hideLaterKeys(context, **scores))
      return stopped();
    if (!softmaxRows(context, RowOperation::Softmax, **scores, (*scores)->rank() - 1, **scores))
      return stopped();
  }
  auto result = matmul(context, call.name(), *scores, wide[2]);
  return result ? converted(context, *result, type) : result;
}

Result<Value> attention(Call &call) {
  const std::array operands{call.tensor("query"), call.tensor("key"), call.tensor("value")};
  if (call.has("attn_mask"))
    call.tensor("attn_mask");
  if (call.real("dropout_p") != 0)
    call.fail({"operation-argument-value", {"dropout_p", "> 0"}}, "dropout_p");
  if (call.failed())
    return call.error();
  for (const TensorPtr &operand : operands)
    if (operand->rank() < 2 || !isFloat(operand->type))
      return call.fail(
          {"wrong-rank",
           {std::string(call.name()), "2–4", shapeText(operands[0]->shape), shapeText(operand->shape)}});
  SilentContext silent(call.context);
  auto result = attend(call, silent, operands);
  if (!result || call.failed() || call.context.checking())
    return call.finish(result);
  const std::array reads{Operand{operands[0], {}}, Operand{operands[1], {}}, Operand{operands[2], {}}};
  charge(call.context, call.name(), reads, {&*result, 1});
  return valueOf(*result);
}

/// Keeps what lies on one side of a diagonal: below it (tril) or above it (triu).
template <bool Lower> Result<Value> triangle(Call &call) {
  auto input = call.tensor("input");
  const int64_t diagonal = call.integer("diagonal");
  if (call.failed())
    return call.error();
  if (input->rank() < 2)
    return call.fail({"dimension-out-of-range", {"-2", std::to_string(input->rank())}}, "input");
  OperationContext &context = call.context;
  auto result = newTensor(context, input->shape, input->type, input->onGpu);
  if (!result || context.checking())
    return call.finish(result);
  if (!context.settle() || !fillElements(context, **result, Number::of(int64_t(0))))
    return stopped();
  const int64_t rowDim = input->rank() - 2, columnDim = input->rank() - 1;
  const int64_t columns = input->shape[columnDim];
  for (int64_t r = 0; r < input->shape[rowDim]; ++r) {
    const int64_t edge = std::clamp<int64_t>(r + diagonal + (Lower ? 1 : 0), 0, columns);
    const int64_t first = Lower ? 0 : edge, count = Lower ? edge : columns - edge;
    auto row = [&](const TensorObject &tensor) {
      return narrowed(*selected(tensor, rowDim, r), rowDim, first, count);
    };
    if (!copyElements(context, *row(*input), *row(**result)))
      return stopped();
  }
  const Operand read{input, {}};
  charge(context, call.name(), {&read, 1}, {&*result, 1});
  return valueOf(*result);
}

constexpr OperationRow Rows[] = {
    {"matmul", Torch | Method, "input, mat2, *, out=None", product<0>},
    {"mm", Torch | Method, "input, mat2, *, out=None", product<2>},
    {"bmm", Torch | Method, "input, mat2, *, out=None", product<3>},
    {"dot inner", Torch | Method, "input, mat2, *, out=None", product<1>},
    {"mv", Torch | Method, "input, mat2, *, out=None", product<0>},
    {"addmm", Torch | Method, "input, mat1, mat2, *, beta=1, alpha=1", addmm},
    {"linear", Functional, "input, weight, bias=None", linear},
    {"scaled_dot_product_attention", Functional,
     "query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False",
     attention},
    {"tril", Torch | Method, "input, diagonal=0", triangle<true>},
    {"triu", Torch | Method, "input, diagonal=0", triangle<false>},
};

} // namespace

std::span<const OperationRow> matrixRows() { return Rows; }

} // namespace tilescope::host
