// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of matrix products, and of the parts of a matrix.
#include "compiler/Host/OperationsRows.h"

#include "compiler/Host/OperationsElementwise.h"
#include "compiler/Host/TensorMatmul.h"
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
  class Silent final : public OperationContext { // its parts cost nothing of their own
  public:
    explicit Silent(OperationContext &outer)
        : OperationContext(outer.memory, outer.random, outer.mode), m_outer(outer) {}
    void defer(std::function<void()> action) override { m_outer.defer(std::move(action)); }
    bool settle() override { return m_outer.settle(); }
    bool stopRequested() const override { return m_outer.stopRequested(); }
    void charge(std::string_view, const OperationCost &) override {}

  private:
    OperationContext &m_outer;
  } silent(context);
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
    {"tril", Torch | Method, "input, diagonal=0", triangle<true>},
    {"triu", Torch | Method, "input, diagonal=0", triangle<false>},
};

} // namespace

std::span<const OperationRow> matrixRows() { return Rows; }

} // namespace tilescope::host
