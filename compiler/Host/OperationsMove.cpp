// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of the operations that pick elements or send them elsewhere. On a GPU each is one kernel that reads
// what it picks and writes the result.
#include "compiler/Host/OperationsRows.h"

#include "compiler/Host/TensorElementwise.h"
#include "compiler/Host/TensorMove.h"
#include "compiler/Host/TensorViews.h"

#include <algorithm>

namespace tilescope::host {

namespace {

/// A null tensor is nowhere.
bool sameDevice(Call &call, std::initializer_list<TensorPtr> tensors) {
  std::vector<Operand> operands;
  for (const TensorPtr &tensor : tensors)
    if (tensor)
      operands.push_back({tensor, {}});
  auto common = commonDevice(call.name(), operands);
  if (!common)
    call.fail(common.error());
  return bool(common);
}

/// A new tensor of the elements of `input` at the places that `offsets()` works out.
template <typename F>
Result<TensorPtr> picked(Call &call, const TensorPtr &input, const Dims &shape, F offsets,
                         const TensorPtr &index = nullptr, Number filling = {}) {
  if (call.failed() || !sameDevice(call, {input, index}))
    return call.error();
  auto result = newTensor(call.context, shape, input->type, input->onGpu);
  if (!result || call.context.checking())
    return result;
  if (auto error = tooManyPlaces(shape))
    return call.fail(*error);
  if (!call.context.settle())
    return stopped();
  const std::vector<int64_t> places = offsets();
  if (call.failed())
    return call.error();
  if (!pickElements(call.context, *input, places, **result, filling))
    return stopped();
  const std::array reads{Operand{*result, {}}, Operand{index, {}}};
  charge(call.context, call.name(), reads, {&*result, 1});
  return result;
}

/// The places along one dimension, one after the other.
std::vector<int64_t> along(const TensorObject &tensor, int64_t dim) {
  std::vector<int64_t> places(static_cast<size_t>(tensor.shape[dim]));
  for (size_t i = 0; i < places.size(); ++i)
    places[i] = static_cast<int64_t>(i) * tensor.strides[dim];
  return places;
}

std::vector<std::vector<int64_t>> everywhere(const TensorObject &tensor) {
  std::vector<std::vector<int64_t>> dimensions;
  for (int64_t d = 0; d < tensor.rank(); ++d)
    dimensions.push_back(along(tensor, d));
  return dimensions;
}

/// The dimensions that `parameter` names, counted from the front.
Dims dimsOf(Call &call, std::string_view parameter, const TensorObject &tensor) {
  Dims dims = call.integers(parameter);
  for (int64_t &dim : dims) {
    auto wrapped = wrapDim(dim, tensor.rank());
    if (!wrapped || tensor.shape.empty())
      call.fail({"dimension-out-of-range", {std::to_string(dim), std::to_string(tensor.rank())}}, parameter);
    else
      dim = *wrapped;
  }
  return call.failed() ? Dims() : dims;
}

Result<Value> flip(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  const Dims dims = dimsOf(call, "dims", *input);
  return call.finish(picked(call, input, input->shape, [&] {
    auto places = everywhere(*input);
    for (int64_t dim : dims)
      std::reverse(places[dim].begin(), places[dim].end());
    return crossOffsets(places);
  }));
}

/// Without dims, the tensor is rolled as one row.
Result<Value> roll(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  const Dims shifts = call.integers("shifts");
  const bool flat = call.isNone("dims") || call.integers("dims").empty();
  const Dims dims = flat ? Dims{0} : dimsOf(call, "dims", *input);
  if (!call.failed() && dims.size() != shifts.size())
    call.fail({"operation-argument-value", {"shifts", shapeText(shifts)}}, "shifts");
  auto rolled = [](std::vector<int64_t> &places, int64_t shift) {
    const auto size = static_cast<int64_t>(places.size());
    if (size > 0)
      std::rotate(places.begin(), places.begin() + ((-shift % size) + size) % size, places.end());
  };
  return call.finish(picked(call, input, input->shape, [&] {
    auto places = everywhere(*input);
    if (flat) {
      auto all = crossOffsets(places);
      rolled(all, shifts[0]);
      return all;
    }
    for (size_t k = 0; k < dims.size(); ++k)
      rolled(places[dims[k]], shifts[k]);
    return crossOffsets(places);
  }));
}

/// The indices of a tensor as places along `dim`; fails where one is outside.
std::vector<int64_t> indexPlaces(Call &call, const TensorObject &index, const TensorObject &tensor,
                                 int64_t dim) {
  const int64_t size = tensor.shape.empty() ? 1 : tensor.shape[dim],
                stride = tensor.shape.empty() ? 0 : tensor.strides[dim];
  std::vector<int64_t> places = integersOf(index);
  for (int64_t &place : places) {
    if (place < 0 || place >= size)
      call.fail(
          {"tensor-index-out-of-range", {std::to_string(place), std::to_string(dim), std::to_string(size)}},
          "index");
    place *= stride;
  }
  return places;
}

TensorPtr integers(Call &call, std::string_view parameter) {
  auto tensor = call.tensor(parameter);
  if (tensor && (isFloat(tensor->type) || tensor->type == ElementType::Bool)) {
    call.fail({"bad-index-type", {typeText(tensor->type)}}, parameter);
    return nullptr;
  }
  return tensor;
}

Result<Value> indexSelect(Call &call) {
  auto input = call.tensor("input"), index = integers(call, "index");
  if (call.failed())
    return call.error();
  const int64_t dim = call.dim("dim", *input);
  if (!call.failed() && (index->rank() > 1 || input->shape.empty()))
    call.fail(
        {"wrong-rank", {std::string(call.name()), "1", shapeText(input->shape), shapeText(index->shape)}},
        "index");
  if (call.failed())
    return call.error();
  Dims shape = input->shape;
  shape[dim] = index->elements();
  return call.finish(picked(
      call, input, shape,
      [&] {
        auto places = everywhere(*input);
        places[dim] = indexPlaces(call, *index, *input, dim);
        return crossOffsets(places);
      },
      index));
}

/// F.embedding: rows of a table.
Result<Value> embedding(Call &call) {
  auto index = integers(call, "input"), table = call.tensor("weight");
  if (call.failed())
    return call.error();
  if (table->rank() != 2)
    return call.fail({"wrong-rank", {"embedding", "2", shapeText(index->shape), shapeText(table->shape)}},
                     "weight");
  Dims shape = index->shape;
  shape.push_back(table->shape[1]);
  return call.finish(picked(
      call, table, shape,
      [&] { return crossOffsets({indexPlaces(call, *index, *table, 0), along(*table, 1)}); }, index));
}

/// The places in `tensor` that torch.gather and scatter mean: those of `index`, but for `dim`, where its
/// values count.
std::vector<int64_t> gatherPlaces(Call &call, const TensorObject &index, const TensorObject &tensor,
                                  int64_t dim) {
  Dims strides = tensor.strides;
  if (!strides.empty())
    strides[dim] = 0;
  auto places = strideOffsets(index.shape, strides);
  const auto picks = indexPlaces(call, index, tensor, dim);
  for (size_t i = 0; i < places.size(); ++i)
    places[i] += picks[i];
  return places;
}

/// `index` may be smaller than `tensor`, but for `dim`, and must have as many dimensions.
bool indexFits(Call &call, const TensorObject &index, const TensorObject &tensor, int64_t dim) {
  bool fits = index.rank() == tensor.rank();
  for (int64_t d = 0; fits && d < index.rank(); ++d)
    fits = d == dim || index.shape[d] <= tensor.shape[d];
  if (!fits)
    call.fail({"shape-mismatch-in-place", {shapeText(tensor.shape), shapeText(index.shape)}}, "index");
  return fits;
}

Result<Value> gatherBody(Call &call) {
  auto input = call.tensor("input"), index = integers(call, "index");
  if (call.failed())
    return call.error();
  const int64_t dim = call.dim("dim", *input);
  if (call.failed() || !indexFits(call, *index, *input, dim))
    return call.error();
  return call.finish(
      picked(call, input, index->shape, [&] { return gatherPlaces(call, *index, *input, dim); }, index));
}

/// The tensor that is changed: `input` itself, or a copy of it.
Result<TensorPtr> targetOf(Call &call, const TensorPtr &input) {
  if (call.inPlace())
    return input;
  auto copy = newTensor(call.context, input->shape, input->type, input->onGpu);
  if (!copy || call.context.checking())
    return copy;
  if (!call.context.settle() || !copyElements(call.context, *input, **copy))
    return stopped();
  return copy;
}

/// Sends `values` to the places that `offsets()` works out.
template <typename F>
Result<Value> sent(Call &call, const TensorPtr &input, const TensorPtr &index, Sending sending,
                   const TensorPtr &values, F offsets) {
  if (!sameDevice(call, {input, index, values}))
    return call.error();
  auto target = targetOf(call, input);
  if (!target || call.context.checking())
    return call.finish(target);
  if (auto error = tooManyPlaces(values->shape))
    return call.fail(*error);
  if (!call.context.settle())
    return stopped();
  auto plain = contiguous(call.context, values);
  if (!plain)
    return plain.error();
  const std::vector<int64_t> places = offsets(**target);
  if (call.failed())
    return call.error();
  if (!sendElements(call.context, sending, **plain, places, **target))
    return stopped();
  const std::array reads{Operand{values, {}}, Operand{index, {}}};
  charge(call.context, call.name(), reads, {&values, 1});
  return valueOf(*target);
}

template <Sending S> Result<Value> scatterBody(Call &call) {
  auto input = call.tensor("input"), index = integers(call, "index");
  const Operand source = call.operand("src");
  if (call.failed())
    return call.error();
  const int64_t dim = call.dim("dim", *input);
  if (call.failed() || !indexFits(call, *index, *input, dim))
    return call.error();
  TensorPtr values = source.tensor;
  if (values && values->type != input->type)
    return call.fail({"matmul-type", {typeText(input->type), typeText(values->type)}}, "src");
  if (values && (!indexFits(call, *index, *values, -1)))
    return call.error();
  if (values) {
    values = viewOf(*values, index->shape, values->strides, values->offset);
  } else {
    auto made = newTensor(call.context, index->shape, input->type, input->onGpu);
    if (!made)
      return made.error();
    if (!call.context.checking() && !fillElements(call.context, **made, source.number))
      return stopped();
    values = *made;
  }
  return sent(call, input, index, S, values,
              [&](const TensorObject &target) { return gatherPlaces(call, *index, target, dim); });
}

template <Sending S> Result<Value> indexSend(Call &call) {
  auto input = call.tensor("input"), index = integers(call, "index"), source = call.tensor("source");
  if (call.failed())
    return call.error();
  const int64_t dim = call.dim("dim", *input);
  if (call.failed())
    return call.error();
  Dims shape = input->shape;
  if (!shape.empty())
    shape[dim] = index->elements();
  if (shape.empty() || source->shape != shape)
    return call.fail({"shape-mismatch-in-place", {shapeText(shape), shapeText(source->shape)}}, "source");
  if (source->type != input->type)
    return call.fail({"matmul-type", {typeText(input->type), typeText(source->type)}}, "source");
  return sent(call, input, index, S, source, [&](const TensorObject &target) {
    auto places = everywhere(target);
    places[dim] = indexPlaces(call, *index, target, dim);
    return crossOffsets(places);
  });
}

/// repeat_interleave with one number: every element, or every slice along `dim`, so many times.
Result<Value> repeatInterleave(Call &call) {
  auto input = call.tensor("input");
  const int64_t repeats = call.integer("repeats");
  if (call.failed())
    return call.error();
  const bool flat = call.isNone("dim");
  const int64_t dim = flat ? 0 : call.dim("dim", *input);
  if (!call.failed() && repeats < 0)
    call.fail({"operation-argument-value", {"repeats", std::to_string(repeats)}}, "repeats");
  if (call.failed())
    return call.error();
  auto repeated = [repeats](const std::vector<int64_t> &places) {
    std::vector<int64_t> longer;
    for (int64_t place : places)
      longer.insert(longer.end(), static_cast<size_t>(repeats), place);
    return longer;
  };
  Dims shape = flat || input->shape.empty() ? Dims{input->elements()} : input->shape;
  shape[dim] *= repeats;
  return call.finish(picked(call, input, shape, [&] {
    auto places = everywhere(*input);
    if (flat || places.empty())
      return repeated(crossOffsets(places));
    places[dim] = repeated(places[dim]);
    return crossOffsets(places);
  }));
}

/// F.pad: numbers of elements before and after, from the last dimension on; negative ones cut off.
Result<Value> pad(Call &call) {
  auto input = call.tensor("input");
  const Dims widths = call.integers("pad");
  const std::string mode = call.text("mode");
  const Number filling = call.isNone("value") ? Number::of(int64_t(0)) : call.number("value");
  if (call.failed())
    return call.error();
  if (mode != "constant")
    return call.fail({"operation-argument-value", {"mode", mode}}, "mode");
  if (widths.size() % 2 != 0 || widths.size() > 2 * input->shape.size())
    return call.fail({"operation-argument-value", {"pad", shapeText(widths)}}, "pad");
  Dims shape = input->shape, before(shape.size(), 0);
  for (size_t k = 0; k < widths.size() / 2; ++k) {
    const size_t d = shape.size() - 1 - k;
    before[d] = widths[2 * k];
    shape[d] += widths[2 * k] + widths[2 * k + 1];
  }
  return call.finish(picked(
      call, input, shape,
      [&] {
        std::vector<std::vector<int64_t>> places(shape.size());
        for (size_t d = 0; d < shape.size(); ++d)
          for (int64_t i = -before[d]; i < shape[d] - before[d]; ++i)
            places[d].push_back(i >= 0 && i < input->shape[d] ? i * input->strides[d] : Nowhere);
        return crossOffsets(places);
      },
      nullptr, filling));
}

#define INDEXED "input, dim, index"

constexpr OperationRow Rows[] = {
    {"flip", Torch | Method, "input, *dims", flip},
    {"roll", Torch | Method, "input, shifts, dims=None", roll},
    {"gather", Torch | Method, INDEXED, gatherBody},
    {"scatter", Everywhere, INDEXED ", src", scatterBody<Sending::Replace>},
    {"scatter_add", Everywhere, INDEXED ", src", scatterBody<Sending::Add>},
    {"index_select", Torch | Method, INDEXED, indexSelect},
    {"index_add", Everywhere, INDEXED ", source", indexSend<Sending::Add>},
    {"index_copy", Everywhere, INDEXED ", source", indexSend<Sending::Replace>},
    {"repeat_interleave", Torch | Method, "input, repeats, dim=None", repeatInterleave},
    {"pad", Functional, "input, pad, mode='constant', value=None", pad},
    {"embedding", Functional, "input, weight", embedding},
};

#undef INDEXED

} // namespace

std::span<const OperationRow> moveRows() { return Rows; }

} // namespace tilescope::host
