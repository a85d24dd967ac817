// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of sorting, counting and choosing by value. What has a shape that depends on contents is unknown while
// only checking.
#include "compiler/Host/OperationsRows.h"

#include "compiler/Host/TensorMove.h"
#include "compiler/Host/TensorViews.h"

#include <algorithm>
#include <numeric>

namespace tilescope::host {

namespace {

/// The order in which the elements of a row stand: a NaN counts as the largest, and equal ones stay in order.
template <typename C> std::vector<int64_t> orderOf(const std::vector<C> &row, bool descending) {
  auto before = [](C a, C b) { return a < b || (b != b && a == a); };
  std::vector<int64_t> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int64_t a, int64_t b) {
    return descending ? before(row[static_cast<size_t>(b)], row[static_cast<size_t>(a)])
                      : before(row[static_cast<size_t>(a)], row[static_cast<size_t>(b)]);
  });
  return order;
}

/// Sorts each row along `dim` and keeps as many as the results have there.
bool sortRows(OperationContext &context, const TensorObject &input, int64_t dim, bool descending,
              const TensorObject &values, const TensorObject &indices) {
  const int64_t length = input.shape[dim], kept = values.shape[dim];
  Dims rows = input.shape;
  rows[dim] = 1;
  StridedLoop loop(rows, {{contents(input), input.type, input.strides},
                          {contents(values, true), values.type, values.strides},
                          {contents(indices, true), indices.type, indices.strides}});
  return withArithmetic(input.type, [&]<typename C>(C) {
    auto load = chunkLoader<C>(input.type);
    auto store = chunkStorer<C>(values.type);
    auto storeIndex = chunkStorer<int64_t>(indices.type);
    std::vector<C> row(static_cast<size_t>(length)), sorted(row.size());
    return loop.forEachRun([&](const std::vector<std::byte *> &at, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        load(at[0] + i * loop.innerStride(0) * byteSize(input.type), input.strides[dim], length, row.data());
        const auto order = orderOf(row, descending);
        for (size_t k = 0; k < order.size(); ++k)
          sorted[k] = row[static_cast<size_t>(order[k])];
        store(sorted.data(), kept, at[1] + i * loop.innerStride(1) * byteSize(values.type),
              values.strides[dim]);
        storeIndex(order.data(), kept, at[2] + i * loop.innerStride(2) * byteSize(indices.type),
                   indices.strides[dim]);
      }
      return !context.stopRequested();
    });
  });
}

using Sorted = std::pair<TensorPtr, TensorPtr>;

Result<Sorted> sorted(Call &call, const TensorPtr &input, int64_t dim, bool descending, int64_t kept) {
  Dims shape = input->shape;
  if (!shape.empty())
    shape[dim] = kept;
  auto values = newTensor(call.context, shape, input->type, input->onGpu),
       indices = newTensor(call.context, shape, ElementType::Int64, input->onGpu);
  if (!values || !indices)
    return values ? indices.error() : values.error();
  if (call.context.checking())
    return Sorted{*values, *indices};
  // A tensor of no dimension is sorted as a row of one.
  const bool scalar = shape.empty();
  const TensorPtr from = scalar ? unsqueezed(*input, 0) : input,
                  to = scalar ? unsqueezed(**values, 0) : *values,
                  places = scalar ? unsqueezed(**indices, 0) : *indices;
  if (!call.context.settle() || !sortRows(call.context, *from, dim, descending, *to, *places))
    return stopped();
  const Operand read{input, {}};
  const std::array written{*values, *indices};
  charge(call.context, call.name(), {&read, 1}, written);
  return Sorted{*values, *indices};
}

Value pairOf(Call &call, const Sorted &sorted) {
  return Value(std::static_pointer_cast<Object>(std::make_shared<TupleObject>(
      std::vector<Value>{valueOf(sorted.first), valueOf(sorted.second)},
      std::vector<std::string>{"values", "indices"}, "torch.return_types." + std::string(call.name()))));
}

template <bool IndicesOnly> Result<Value> sort(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  const int64_t dim = call.dim("dim", *input);
  const bool descending = call.boolean("descending");
  if (call.failed())
    return call.error();
  auto result = sorted(call, input, dim, descending, input->shape.empty() ? 1 : input->shape[dim]);
  if (!result)
    return result.error();
  return IndicesOnly ? valueOf(result->second) : pairOf(call, *result);
}

Result<Value> topk(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  const int64_t dim = call.dim("dim", *input), count = call.integer("k");
  const int64_t size = input->shape.empty() || call.failed() ? 1 : input->shape[dim];
  if (!call.failed() && (count < 0 || count > size))
    call.fail({"operation-argument-value", {"k", std::to_string(count)}}, "k");
  const bool largest = call.boolean("largest");
  if (call.failed())
    return call.error();
  auto result = sorted(call, input, dim, largest, count);
  return result ? Result<Value>(pairOf(call, *result)) : result.error();
}

/// How often each integer from 0 on occurs, or the sum of its weights.
Result<Value> bincount(Call &call) {
  auto input = call.tensor("input");
  const TensorPtr weights = call.has("weights") ? call.tensor("weights") : nullptr;
  const int64_t least = call.integer("minlength");
  if (call.failed())
    return call.error();
  if (input->rank() != 1 || isFloat(input->type) || (weights && weights->shape != input->shape))
    return call.fail({"bincount-input", {typeText(input->type), shapeText(input->shape)}}, "input");
  if (auto error = tooManyPlaces(input->shape))
    return call.fail(*error, "input");
  if (call.context.checking())
    return unknown();
  if (!call.context.settle())
    return stopped();
  const std::vector<int64_t> places = integersOf(*input);
  int64_t length = least;
  for (int64_t place : places) {
    if (place < 0)
      return call.fail({"bincount-input", {std::to_string(place), shapeText(input->shape)}}, "input");
    length = std::max(length, place + 1);
  }
  const ElementType type = !weights                                ? ElementType::Int64
                           : weights->type == ElementType::Float32 ? ElementType::Float32
                                                                   : ElementType::Float64;
  auto result = newTensor(call.context, {length}, type, input->onGpu);
  auto added = newTensor(call.context, input->shape, type, input->onGpu);
  if (!result || !added)
    return result ? added.error() : result.error();
  const bool filled = weights ? copyElements(call.context, *weights, **added)
                              : fillElements(call.context, **added, Number::of(int64_t(1)));
  if (!filled || !sendElements(call.context, Sending::Add, **added, places, **result))
    return stopped();
  const std::array reads{Operand{input, {}}, Operand{weights, {}}};
  charge(call.context, call.name(), reads, {&*result, 1});
  return valueOf(*result);
}

/// How many elements lie in each of equal parts between two bounds; without bounds, between the least and the
/// largest element.
Result<Value> histc(Call &call) {
  auto input = call.tensor("input");
  const int64_t bins = call.integer("bins");
  double low = call.real("min"), high = call.real("max");
  if (!call.failed() && (bins < 1 || high < low))
    call.fail({"operation-argument-value", {"bins", std::to_string(bins)}}, "bins");
  if (!call.failed() && !isFloat(input->type))
    call.fail({"floats-only", {"histc", typeText(input->type)}}, "input");
  if (call.failed())
    return call.error();
  auto result = newTensor(call.context, {bins}, input->type, input->onGpu);
  if (!result || call.context.checking())
    return call.finish(result);
  if (!call.context.settle())
    return stopped();
  auto wide = converted(call.context, input, ElementType::Float64);
  auto plain = wide ? contiguous(call.context, *wide) : wide;
  if (!plain)
    return plain.error();
  const std::span values(reinterpret_cast<const double *>(contents(**plain)),
                         static_cast<size_t>(input->elements()));
  if (low == high && !values.empty())
    std::tie(low, high) = std::pair(std::ranges::min(values), std::ranges::max(values));
  if (low == high)
    --low, ++high;
  std::vector<double> counts(static_cast<size_t>(bins), 0);
  for (double value : values)
    if (value >= low && value <= high)
      ++counts[static_cast<size_t>(
          std::min(bins - 1, static_cast<int64_t>((value - low) / (high - low) * double(bins))))];
  chunkStorer<double>(input->type)(counts.data(), bins, contents(**result, true), 1);
  const Operand read{input, {}};
  charge(call.context, call.name(), {&read, 1}, {&*result, 1});
  return valueOf(*result);
}

/// The indices of elements that are not 0, one row each; a column lies in one piece, as torch has it.
Result<Value> nonzero(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  if (auto error = tooManyPlaces(input->shape))
    return call.fail(*error, "input");
  if (call.context.checking())
    return unknown();
  auto truth = converted(call.context, input, ElementType::Bool);
  if (!truth || !call.context.settle())
    return truth ? stopped() : truth.error();
  const std::vector<int64_t> flags = integersOf(**truth);
  std::vector<int64_t> found;
  for (size_t i = 0; i < flags.size(); ++i)
    if (flags[i] != 0)
      found.push_back(static_cast<int64_t>(i));
  const auto count = static_cast<int64_t>(found.size());
  const Dims strides{1, std::max<int64_t>(count, 1)};
  auto result = newTensor(call.context, {count, input->rank()}, ElementType::Int64, input->onGpu, &strides);
  if (!result || (*result)->elements() == 0)
    return call.finish(result);
  auto *to = reinterpret_cast<int64_t *>(contents(**result, true));
  const Dims units = contiguousStrides(input->shape);
  for (size_t d = 0; d < units.size(); ++d)
    for (int64_t place : found)
      *to++ = place / units[d] % input->shape[d];
  const Operand read{input, {}};
  charge(call.context, call.name(), {&read, 1}, {&*result, 1});
  return valueOf(*result);
}

constexpr OperationRow Rows[] = {
    {"sort", Torch | Method, "input, dim=-1, descending=False, stable=False", sort<false>},
    {"argsort", Torch | Method, "input, dim=-1, descending=False, stable=False", sort<true>},
    {"topk", Torch | Method, "input, k, dim=-1, largest=True, sorted=True", topk},
    {"bincount", Torch | Method, "input, weights=None, minlength=0", bincount},
    {"histc", Torch | Method, "input, bins=100, min=0, max=0", histc},
    {"nonzero", Torch | Method, "input", nonzero},
};

} // namespace

std::span<const OperationRow> sortRows() { return Rows; }

} // namespace tilescope::host
