// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of the operations that look at the same elements in another way, and of those that join and copy
// tensors.
#include "compiler/Host/OperationsRows.h"

#include "compiler/Host/TensorElementwise.h"
#include "compiler/Host/TensorViews.h"

#include <algorithm>

namespace tilescope::host {

namespace {

/// A body that needs nothing but the tensor.
template <typename F> Result<Value> ofTensor(Call &call, F f) {
  auto input = call.tensor("input");
  return call.failed() ? Result<Value>(call.error()) : call.finish(f(input));
}

Result<Value> reshape(Call &call) {
  const Dims shape = call.integers("shape");
  return ofTensor(call, [&](const TensorPtr &input) { return reshaped(call.context, input, shape); });
}

Result<Value> view(Call &call) {
  const std::optional<ElementType> type = call.has("dtype") ? call.elementType() : call.soleElementType("shape");
  if (type)
    return ofTensor(call, [&](const TensorPtr &input) { return viewAsType(input, *type); });
  const Dims shape = call.integers("shape");
  return ofTensor(call, [&](const TensorPtr &input) { return viewAs(input, shape); });
}

Result<Value> flatten(Call &call) {
  return ofTensor(call, [&](const TensorPtr &input) -> Result<TensorPtr> {
    const int64_t first = call.dim("start_dim", *input), last = call.dim("end_dim", *input);
    if (call.failed())
      return call.error();
    if (first > last)
      return call.fail({"bad-permutation", {shapeText({first, last}), std::to_string(input->rank())}});
    Dims shape(input->shape.begin(), input->shape.begin() + std::min(first, input->rank()));
    int64_t joined = 1;
    for (int64_t d = first; d <= last && d < input->rank(); ++d)
      joined *= input->shape[d];
    shape.push_back(joined);
    if (last + 1 < input->rank())
      shape.insert(shape.end(), input->shape.begin() + last + 1, input->shape.end());
    return reshaped(call.context, input, shape);
  });
}

Result<Value> transpose(Call &call) {
  return ofTensor(call, [&](const TensorPtr &input) -> Result<TensorPtr> {
    const int64_t a = call.dim("dim0", *input), b = call.dim("dim1", *input);
    return call.failed() ? Result<TensorPtr>(call.error()) : transposed(*input, a, b);
  });
}

/// t(): only for at most two dimensions.
Result<TensorPtr> matrixTransposed(const TensorPtr &input) {
  if (input->rank() > 2)
    return Error{"bad-permutation", {"(0, 1)", std::to_string(input->rank())}};
  return input->rank() < 2 ? input : transposed(*input, 0, 1);
}

Result<TensorPtr> reversedDims(const TensorPtr &input) {
  Dims dims(input->shape.size());
  for (size_t d = 0; d < dims.size(); ++d)
    dims[d] = static_cast<int64_t>(dims.size() - 1 - d);
  return permuted(input, dims);
}

Result<TensorPtr> lastTwoSwapped(const TensorPtr &input) {
  if (input->rank() < 2)
    return Error{"dimension-out-of-range", {"-2", std::to_string(input->rank())}};
  return transposed(*input, input->rank() - 2, input->rank() - 1);
}

Result<Value> squeeze(Call &call) {
  return ofTensor(call, [&](const TensorPtr &input) -> Result<TensorPtr> {
    std::vector<bool> dims(input->shape.size(), call.isNone("dim"));
    for (int64_t dim : call.isNone("dim") ? Dims() : call.integers("dim")) {
      auto wrapped = wrapDim(dim, input->rank());
      if (!wrapped)
        return call.fail(wrapped.error(), "dim");
      if (!dims.empty())
        dims[*wrapped] = true;
    }
    return squeezed(*input, dims);
  });
}

Result<Value> unsqueeze(Call &call) {
  return ofTensor(call, [&](const TensorPtr &input) -> Result<TensorPtr> {
    auto dim = wrapDim(call.integer("dim"), input->rank() + 1);
    return dim ? Result<TensorPtr>(unsqueezed(*input, *dim)) : call.fail(dim.error(), "dim");
  });
}

Result<Value> narrow(Call &call) {
  return ofTensor(call, [&](const TensorPtr &input) -> Result<TensorPtr> {
    const int64_t dim = call.dim("dim", *input), length = call.integer("length");
    int64_t start = call.integer("start");
    if (call.failed())
      return call.error();
    const int64_t size = input->shape.empty() ? 0 : input->shape[dim];
    start += start < 0 ? size : 0;
    if (start < 0 || length < 0 || start + length > size)
      return call.fail({"tensor-index-out-of-range",
                        {std::to_string(start + length), std::to_string(dim), std::to_string(size)}},
                       "length");
    return narrowed(*input, dim, start, length);
  });
}

Result<Value> select(Call &call) {
  return ofTensor(call, [&](const TensorPtr &input) -> Result<TensorPtr> {
    const int64_t dim = call.dim("dim", *input), index = call.integer("index");
    if (call.failed())
      return call.error();
    const int64_t size = input->shape.empty() ? 0 : input->shape[dim];
    if (index < -size || index >= size)
      return call.fail(
          {"tensor-index-out-of-range", {std::to_string(index), std::to_string(dim), std::to_string(size)}},
          "index");
    return selected(*input, dim, index < 0 ? index + size : index);
  });
}

/// chunk(n) and split(size): views of parts along a dimension.
Result<Value> parts(Call &call, const TensorPtr &input, int64_t dim, int64_t size) {
  const int64_t whole = input->shape[dim];
  std::vector<Value> views;
  for (int64_t start = 0; start < whole || views.empty(); start += size)
    views.push_back(valueOf(narrowed(*input, dim, start, std::min(size, whole - start))));
  return makeTuple(std::move(views));
}

Result<Value> chunk(Call &call) {
  auto input = call.tensor("input");
  const int64_t chunks = call.integer("chunks");
  if (call.failed())
    return call.error();
  const int64_t dim = call.dim("dim", *input);
  if (call.failed() || chunks <= 0 || input->shape.empty())
    return call.fail({"operation-argument-value", {"chunks", std::to_string(chunks)}}, "chunks");
  return parts(call, input, dim, std::max<int64_t>(1, (input->shape[dim] + chunks - 1) / chunks));
}

Result<Value> split(Call &call) {
  auto input = call.tensor("input");
  const int64_t size = call.integer("split_size");
  if (call.failed())
    return call.error();
  const int64_t dim = call.dim("dim", *input);
  if (call.failed() || size <= 0 || input->shape.empty())
    return call.fail({"operation-argument-value", {"split_size", std::to_string(size)}}, "split_size");
  return parts(call, input, dim, size);
}

Result<Value> unbind(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  const int64_t dim = call.dim("dim", *input);
  if (call.failed() || input->shape.empty())
    return call.fail({"dimension-out-of-range", {"0", "0"}}, "dim");
  std::vector<Value> views;
  for (int64_t i = 0; i < input->shape[dim]; ++i)
    views.push_back(valueOf(selected(*input, dim, i)));
  return makeTuple(std::move(views));
}

/// A copy in any case.
Result<TensorPtr> cloned(Call &call, const TensorPtr &input) {
  auto copy = newTensorLike(call.context, *input, input->type, input->onGpu);
  if (!copy || call.context.checking())
    return copy;
  if (!call.context.settle() || !copyElements(call.context, *input, **copy))
    return stopped();
  const Operand read{input, {}};
  charge(call.context, call.name(), {&read, 1}, {&*copy, 1});
  return copy;
}

Result<Value> contiguousBody(Call &call) {
  return ofTensor(call, [&](const TensorPtr &input) -> Result<TensorPtr> {
    if (input->isContiguous())
      return input;
    if (!call.context.checking() && !call.context.settle())
      return stopped();
    auto copy = contiguous(call.context, input);
    if (copy && !call.context.checking()) {
      const Operand read{input, {}};
      charge(call.context, call.name(), {&read, 1}, {&*copy, 1});
    }
    return copy;
  });
}

Result<Value> copyInto(Call &call) {
  auto source = call.tensor("src");
  return ofTensor(call, [&](const TensorPtr &input) -> Result<TensorPtr> {
    auto shape = broadcastShape(input->shape, source->shape);
    if (!shape)
      return shape.error();
    if (*shape != input->shape)
      return Error{"shape-mismatch-in-place", {shapeText(source->shape), shapeText(input->shape)}};
    if (call.context.checking())
      return input;
    if (!call.context.settle() || !copyElements(call.context, *source, *input))
      return stopped();
    const Operand read{source, {}};
    charge(call.context, "copy", {&read, 1}, {&input, 1});
    return input;
  });
}

Result<Value> fillBody(Call &call, Number value) {
  return ofTensor(call, [&](const TensorPtr &input) -> Result<TensorPtr> {
    if (call.context.checking())
      return input;
    if (!call.context.settle() || !fillElements(call.context, *input, value))
      return stopped();
    charge(call.context, call.name(), {}, {&input, 1});
    return input;
  });
}

/// The type and device that tensors are joined in.
Result<TensorPtr> joinTarget(Call &call, const std::vector<TensorPtr> &tensors, const Dims &shape) {
  std::vector<Operand> operands;
  for (const TensorPtr &tensor : tensors)
    operands.push_back({tensor, {}});
  auto onGpu = commonDevice(call.name(), operands);
  if (!onGpu)
    return onGpu.error();
  return newTensor(call.context, shape, resultType(operands), *onGpu);
}

/// Copies the tensors into parts of `result` along `dim`, one after the other.
Result<Value> join(Call &call, const std::vector<TensorPtr> &tensors, Result<TensorPtr> result, int64_t dim) {
  if (!result || call.context.checking())
    return call.finish(result);
  if (!call.context.settle())
    return stopped();
  int64_t start = 0;
  std::vector<Operand> reads;
  for (const TensorPtr &tensor : tensors) {
    auto part = narrowed(**result, dim, start, tensor->shape[dim]);
    if (!copyElements(call.context, *tensor, *part))
      return stopped();
    start += tensor->shape[dim];
    reads.push_back({tensor, {}});
  }
  charge(call.context, call.name(), reads, {&*result, 1});
  return valueOf(*result);
}

Result<Value> cat(Call &call) {
  auto tensors = call.tensors("tensors");
  if (call.failed())
    return call.error();
  const int64_t dim = call.dim("dim", *tensors[0]);
  Dims shape = tensors[0]->shape;
  if (call.failed() || shape.empty())
    return call.fail({"cat-no-dimension", {}}, "tensors");
  shape[dim] = 0;
  for (const TensorPtr &tensor : tensors) {
    Dims expected = tensor->shape; // what the others ought to have, but for `dim`
    if (expected.size() == shape.size())
      expected[dim] = shape[dim];
    if (expected != shape)
      return call.fail(
          {"cat-shape", {shapeText(tensors[0]->shape), shapeText(tensor->shape), std::to_string(dim)}},
          "tensors");
    shape[dim] += tensor->shape[dim];
  }
  return join(call, tensors, joinTarget(call, tensors, shape), dim);
}

Result<Value> stack(Call &call) {
  auto tensors = call.tensors("tensors");
  if (call.failed())
    return call.error();
  auto dim = wrapDim(call.integer("dim"), tensors[0]->rank() + 1);
  if (!dim)
    return call.fail(dim.error(), "dim");
  Dims shape = tensors[0]->shape;
  for (TensorPtr &tensor : tensors) {
    if (tensor->shape != shape)
      return call.fail({"stack-shape", {shapeText(shape), shapeText(tensor->shape)}}, "tensors");
    tensor = unsqueezed(*tensor, *dim);
  }
  shape.insert(shape.begin() + *dim, static_cast<int64_t>(tensors.size()));
  return join(call, tensors, joinTarget(call, tensors, shape), *dim);
}

/// Copies laid side by side.
Result<Value> repeat(Call &call) {
  const Dims repeats = call.integers("repeats");
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  if (repeats.size() < input->shape.size())
    return call.fail({"expand-shape", {shapeText(input->shape), shapeText(repeats)}}, "repeats");
  // Each dimension as (repeats, size): the copies are a broadcast of that.
  Dims wide, shape;
  TensorPtr source = input;
  while (source->shape.size() < repeats.size())
    source = unsqueezed(*source, 0);
  const Dims sizes = source->shape;
  for (size_t d = 0; d < repeats.size(); ++d) {
    source = unsqueezed(*source, int64_t(2 * d));
    wide.insert(wide.end(), {repeats[d], sizes[d]});
    shape.push_back(repeats[d] * sizes[d]);
  }
  auto result = newTensor(call.context, wide, input->type, input->onGpu);
  if (!result)
    return result.error();
  if (!call.context.checking()) {
    if (!call.context.settle() || !copyElements(call.context, *source, **result))
      return stopped();
    const Operand read{input, {}};
    charge(call.context, call.name(), {&read, 1}, {&*result, 1});
  }
  return valueOf(viewAs(*result, shape));
}

constexpr OperationRow Rows[] = {
    {"reshape", Method, "input, *shape", reshape},
    {"reshape", Torch, "input, shape", reshape},
    {"view", Method, "input, *shape, dtype=None", view},
    {"flatten", Torch | Method, "input, start_dim=0, end_dim=-1", flatten},
    {"ravel", Torch | Method, "input",
     [](Call &call) {
       return ofTensor(call, [&](const TensorPtr &input) { return reshaped(call.context, input, {-1}); });
     }},
    {"permute", Method, "input, *dims",
     [](Call &call) {
       const Dims dims = call.integers("dims");
       return ofTensor(call, [&](const TensorPtr &input) { return permuted(input, dims); });
     }},
    {"permute", Torch, "input, dims",
     [](Call &call) {
       const Dims dims = call.integers("dims");
       return ofTensor(call, [&](const TensorPtr &input) { return permuted(input, dims); });
     }},
    {"transpose swapaxes", Torch | Method, "input, dim0, dim1", transpose},
    {"t", Torch | Method, "input", [](Call &call) { return ofTensor(call, matrixTransposed); }},
    {"T", Attribute, "input", [](Call &call) { return ofTensor(call, reversedDims); }},
    {"mT", Attribute, "input", [](Call &call) { return ofTensor(call, lastTwoSwapped); }},
    {"expand", Method, "input, *size",
     [](Call &call) {
       const Dims size = call.integers("size");
       return ofTensor(call, [&](const TensorPtr &input) { return expanded(input, size); });
     }},
    {"expand_as", Method, "input, other",
     [](Call &call) {
       auto other = call.tensor("other");
       return ofTensor(call, [&](const TensorPtr &input) { return expanded(input, other->shape); });
     }},
    {"broadcast_to", Torch | Method, "input, size",
     [](Call &call) {
       const Dims size = call.integers("size");
       return ofTensor(call, [&](const TensorPtr &input) { return expanded(input, size); });
     }},
    {"squeeze", Torch | Method, "input, dim=None", squeeze},
    {"unsqueeze", Torch | Method, "input, dim", unsqueeze},
    {"narrow", Torch | Method, "input, dim, start, length", narrow},
    {"select", Torch | Method, "input, dim, index", select},
    {"chunk", Torch | Method, "input, chunks, dim=0", chunk},
    {"split", Torch | Method, "input, split_size, dim=0", split},
    {"unbind", Torch | Method, "input, dim=0", unbind},
    {"clone", Torch | Method, "input, *, memory_format=None",
     [](Call &call) { return ofTensor(call, [&](const TensorPtr &input) { return cloned(call, input); }); }},
    {"contiguous", Method, "input, memory_format=None", contiguousBody},
    {"detach", Torch | Method, "input",
     [](Call &call) {
       return ofTensor(call, [](const TensorPtr &input) -> Result<TensorPtr> {
         return viewOf(*input, input->shape, input->strides, input->offset);
       });
     }},
    {"copy", InPlace, "input, src, non_blocking=False", copyInto},
    {"fill", InPlace, "input, value", [](Call &call) { return fillBody(call, call.number("value")); }},
    {"zero", InPlace, "input", [](Call &call) { return fillBody(call, Number::of(int64_t(0))); }},
    {"cat concat concatenate", Torch, "tensors, dim=0", cat},
    {"stack", Torch, "tensors, dim=0", stack},
    {"repeat", Method, "input, *repeats", repeat},
};

} // namespace

std::span<const OperationRow> viewRows() { return Rows; }

} // namespace tilescope::host
