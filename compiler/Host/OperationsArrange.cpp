// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// More rows of views, and of what is put together from broadcast views: diagonals, windows, grids, outer
// products.
#include "compiler/Host/OperationsRows.h"

#include "compiler/Host/OperationsElementwise.h"
#include "compiler/Host/SilentContext.h"
#include "compiler/Host/TensorFunctions.h"
#include "compiler/Host/TensorViews.h"

#include <algorithm>

namespace tilescope::host {

namespace {

Value tupleOf(const std::vector<TensorPtr> &tensors) {
  std::vector<Value> items;
  for (const TensorPtr &tensor : tensors)
    items.push_back(valueOf(tensor));
  return makeTuple(std::move(items));
}

/// Dimensions are taken out and put in again elsewhere; the others keep their order.
Result<Value> movedim(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  Dims from = call.integers("source"), to = call.integers("destination");
  Dims order(input->shape.size(), -1);
  std::vector<bool> taken(order.size(), false);
  if (from.size() != to.size())
    call.fail({"operation-argument-value", {"destination", shapeText(to)}}, "destination");
  for (size_t k = 0; k < from.size() && !call.failed(); ++k) {
    auto a = wrapDim(from[k], input->rank()), b = wrapDim(to[k], input->rank());
    if (!a || !b)
      return call.fail(a ? b.error() : a.error(), a ? "destination" : "source");
    if (taken[*a] || order[*b] >= 0)
      return call.fail({"duplicate-dimension", {std::to_string(from[k])}}, "source");
    taken[*a] = true;
    order[*b] = *a;
  }
  int64_t next = 0;
  for (int64_t &place : order) {
    while (place < 0 && taken[next])
      ++next;
    place = place < 0 ? next++ : place;
  }
  return call.failed() ? Result<Value>(call.error()) : call.finish(permuted(input, order));
}

Result<Value> diagonal(Call &call) {
  auto input = call.tensor("input");
  const int64_t offset = call.integer("offset");
  if (call.failed())
    return call.error();
  const int64_t rows = call.dim("dim1", *input), columns = call.dim("dim2", *input);
  if (!call.failed() && (rows == columns || input->shape.empty()))
    call.fail({"duplicate-dimension", {std::to_string(columns)}}, "dim2");
  if (call.failed())
    return call.error();
  const int64_t down = std::max<int64_t>(-offset, 0), right = std::max<int64_t>(offset, 0);
  const int64_t length =
      std::max<int64_t>(0, std::min(input->shape[rows] - down, input->shape[columns] - right));
  Dims shape, strides;
  for (int64_t d = 0; d < input->rank(); ++d)
    if (d != rows && d != columns) {
      shape.push_back(input->shape[d]);
      strides.push_back(input->strides[d]);
    }
  shape.push_back(length);
  strides.push_back(input->strides[rows] + input->strides[columns]);
  const int64_t first = length == 0 ? 0 : down * input->strides[rows] + right * input->strides[columns];
  return valueOf(viewOf(*input, shape, strides, input->offset + first));
}

/// tensor.unfold: windows of `size` along a dimension, `step` apart, as a new last dimension.
Result<Value> windows(Call &call) {
  auto input = call.tensor("input");
  const int64_t size = call.integer("size"), step = call.integer("step");
  if (call.failed())
    return call.error();
  const int64_t dim = call.dim("dimension", *input);
  if (call.failed())
    return call.error();
  if (input->shape.empty() || size < 0 || size > input->shape[dim] || step < 1)
    return call.fail({"window-too-large", {shapeText({size}), shapeText(input->shape)}}, "size");
  Dims shape = input->shape, strides = input->strides;
  shape[dim] = (shape[dim] - size) / step + 1;
  strides[dim] *= step;
  shape.push_back(size);
  strides.push_back(input->strides[dim]);
  return valueOf(viewOf(*input, shape, strides, input->offset));
}

Result<Value> likeOther(Call &call) {
  auto input = call.tensor("input"), other = call.tensor("other");
  return call.failed() ? Result<Value>(call.error()) : call.finish(viewAs(input, other->shape));
}

Result<Value> reshapeAs(Call &call) {
  auto input = call.tensor("input"), other = call.tensor("other");
  return call.failed() ? Result<Value>(call.error())
                       : call.finish(reshaped(call.context, input, other->shape));
}

Result<Value> typeAs(Call &call) {
  auto input = call.tensor("input"), other = call.tensor("other");
  return call.failed() ? Result<Value>(call.error())
                       : call.finish(converted(call.context, input, other->type));
}

Result<Value> broadcastTensors(Call &call) {
  auto tensors = call.tensors("tensors");
  Dims shape;
  for (size_t k = 0; k < tensors.size() && !call.failed(); ++k) {
    auto both = broadcastShape(shape, tensors[k]->shape);
    if (!both)
      return call.fail(both.error(), "tensors");
    shape = *both;
  }
  for (size_t k = 0; k < tensors.size() && !call.failed(); ++k)
    tensors[k] = viewOf(*tensors[k], shape, broadcastStrides(*tensors[k], shape), tensors[k]->offset);
  return call.failed() ? Result<Value>(call.error()) : tupleOf(tensors);
}

/// One tensor for each coordinate. indexing="xy" has the first two dimensions the other way round.
Result<Value> meshgrid(Call &call) {
  auto tensors = call.tensors("tensors");
  const std::string indexing = call.text("indexing");
  if (!call.failed() && indexing != "ij" && indexing != "xy")
    call.fail({"operation-argument-value", {"indexing", indexing}}, "indexing");
  if (call.failed())
    return call.error();
  Dims shape;
  for (const TensorPtr &tensor : tensors)
    shape.push_back(tensor->elements());
  std::vector<TensorPtr> grids;
  for (size_t k = 0; k < tensors.size(); ++k) {
    Dims strides(shape.size(), 0);
    strides[k] = tensors[k]->shape.empty() ? 1 : tensors[k]->strides[0];
    auto grid = viewOf(*tensors[k], shape, strides, tensors[k]->offset);
    grids.push_back(indexing == "xy" && shape.size() > 1 ? transposed(*grid, 0, 1) : grid);
  }
  return tupleOf(grids);
}

Result<Value> outer(Call &call) {
  auto input = call.tensor("input"), other = call.tensor("vec2");
  if (call.failed())
    return call.error();
  if (input->rank() != 1 || other->rank() != 1)
    return call.fail({"wrong-rank", {"outer", "1", shapeText(input->shape), shapeText(other->shape)}},
                     input->rank() != 1 ? "input" : "vec2");
  return call.finish(binaryElementwise(call.context, "outer", BinaryFunction::Multiply,
                                       {unsqueezed(*input, 1), {}}, {other, {}}));
}

/// a + value * b * c, or a + value * b / c: one kernel.
template <auto F> Result<Value> withProduct(Call &call) {
  std::vector<Operand> operands{
      {call.tensor("input"), {}}, {call.tensor("tensor1"), {}}, {call.tensor("tensor2"), {}}};
  const Number value = call.number("value");
  auto out = call.destination();
  if (call.failed())
    return call.error();
  if (value.real != 1) {
    SilentContext silent(call.context);
    auto scaled =
        binaryElementwise(silent, call.name(), BinaryFunction::Multiply, operands[1], {nullptr, value});
    if (!scaled)
      return scaled.error();
    operands[1].tensor = *scaled;
  }
  return call.finish(elementwise(call.context, {call.name(), elementFunction<F, 3>}, operands, out));
}

constexpr auto AddProduct = [](auto a, auto b, auto c) { return a + b * c; };
constexpr auto AddQuotient = [](auto a, auto b, auto c) { return a + b / c; };
/// From the nearer end, as torch has it.
constexpr auto Lerp = [](auto a, auto b, auto w) {
  using C = decltype(a);
  return std::abs(w) < C(0.5) ? static_cast<C>(a + w * (b - a)) : static_cast<C>(b - (b - a) * (C(1) - w));
};

Result<Value> lerp(Call &call) {
  const std::vector<Operand> operands{
      {call.tensor("input"), {}}, {call.tensor("end"), {}}, call.operand("weight")};
  auto out = call.destination();
  if (call.failed())
    return call.error();
  if (!isFloat(operands[0].tensor->type))
    return call.fail({"floats-only", {"lerp", typeText(operands[0].tensor->type)}}, "input");
  return call.finish(elementwise(call.context, {"lerp", elementFunction<Lerp, 3>}, operands, out));
}

constexpr OperationRow Rows[] = {
    {"movedim moveaxis", Torch | Method, "input, source, destination", movedim},
    {"diagonal", Torch | Method, "input, offset=0, dim1=0, dim2=1", diagonal},
    {"unfold", Method, "input, dimension, size, step", windows},
    {"view_as", Method, "input, other", likeOther},
    {"reshape_as", Method, "input, other", reshapeAs},
    {"type_as", Method, "input, other", typeAs},
    {"broadcast_tensors", Torch, "*tensors", broadcastTensors},
    {"meshgrid", Torch, "*tensors, indexing='ij'", meshgrid},
    {"outer ger", Torch | Method, "input, vec2", outer},
    {"addcmul", Everywhere, "input, tensor1, tensor2, *, value=1, out=None", withProduct<AddProduct>},
    {"addcdiv", Everywhere, "input, tensor1, tensor2, *, value=1, out=None", withProduct<AddQuotient>},
    {"lerp", Everywhere, "input, end, weight, *, out=None", lerp},
};

} // namespace

std::span<const OperationRow> arrangeRows() { return Rows; }

} // namespace tilescope::host
