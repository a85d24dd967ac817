// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/TensorViews.h"

#include <algorithm>

namespace tilescope::host {

/// Groups the old dimensions into stretches that lie evenly in memory, and cuts each into new ones.
std::optional<Dims> viewStrides(const TensorObject &tensor, const Dims &shape) {
  const Dims &oldShape = tensor.shape, &oldStrides = tensor.strides;
  if (tensor.elements() == 0)
    return oldShape == shape ? oldStrides : contiguousStrides(shape);
  Dims strides(shape.size(), 1);
  int64_t base = 1, oldCount = 1, newCount = 1;
  auto newDim = static_cast<int64_t>(shape.size()) - 1;
  for (size_t d = oldShape.size(); d-- > 0;) {
    if (oldCount == 1 && newCount == 1)
      base = oldStrides[d];
    oldCount *= oldShape[d];
    if (d > 0 && (oldShape[d - 1] == 1 || oldStrides[d - 1] == oldCount * base))
      continue; // the stretch goes on
    for (; newDim >= 0 && (newCount < oldCount || shape[newDim] == 1); --newDim) {
      strides[newDim] = newCount * base;
      newCount *= shape[newDim];
    }
    if (newCount != oldCount)
      return std::nullopt;
    oldCount = newCount = 1;
  }
  return strides;
}

Result<Dims> resolveShape(const TensorObject &tensor, Dims shape) {
  const Error error{"reshape-size", {shapeText(tensor.shape), shapeText(shape)}};
  const int64_t elements = tensor.elements();
  int64_t known = 1;
  auto open = shape.end();
  for (auto size = shape.begin(); size != shape.end(); ++size) {
    if (*size == -1 && open == shape.end())
      open = size;
    else if (*size < 0 || __builtin_mul_overflow(known, *size, &known))
      return error;
  }
  if (open != shape.end()) {
    if (known == 0 || elements % known != 0)
      return error;
    *open = elements / known;
  } else if (known != elements) {
    return error;
  }
  return shape;
}

Result<TensorPtr> viewAs(const TensorPtr &tensor, const Dims &shape) {
  auto resolved = resolveShape(*tensor, shape);
  if (!resolved)
    return resolved.error();
  auto strides = viewStrides(*tensor, *resolved);
  if (!strides)
    return Error{"view-not-possible",
                 {shapeText(tensor->shape), shapeText(tensor->strides), shapeText(*resolved)}};
  return viewOf(*tensor, *resolved, *strides, tensor->offset);
}

Result<TensorPtr> viewAsType(const TensorPtr &tensor, ElementType type) {
  const int64_t before = byteSize(tensor->type), after = byteSize(type);
  Dims shape = tensor->shape, strides = tensor->strides;
  int64_t offset = tensor->offset;
  auto impossible = [&] {
    return Error{"view-type-not-possible",
                 {shapeText(tensor->shape), shapeText(tensor->strides), typeText(tensor->type), typeText(type)}};
  };
  // Of another size: elements that lie together become several, or one.
  if (before != after) {
    if (shape.empty() || strides.back() != 1)
      return impossible();
    const int64_t split = std::max<int64_t>(before / after, 1), join = std::max<int64_t>(after / before, 1);
    auto scale = [&](int64_t &number) {
      const bool isWhole = number % join == 0;
      number = number / join * split;
      return isWhole;
    };
    bool isPossible = scale(shape.back()) && scale(offset);
    for (size_t d = 0; d + 1 < strides.size(); ++d)
      isPossible = scale(strides[d]) && isPossible;
    if (!isPossible)
      return impossible();
  }
  TensorPtr result = viewOf(*tensor, std::move(shape), std::move(strides), offset);
  result->type = type;
  return result;
}

Result<TensorPtr> reshaped(OperationContext &context, const TensorPtr &tensor, const Dims &shape) {
  auto view = viewAs(tensor, shape);
  if (view || view.error().id != "view-not-possible")
    return view;
  if (!context.checking() && !context.settle())
    return stopped();
  auto copy = contiguous(context, tensor);
  if (!copy)
    return copy;
  const Operand read{tensor, {}};
  if (!context.checking())
    charge(context, "reshape", {&read, 1}, {&*copy, 1});
  return viewAs(*copy, shape);
}

Result<TensorPtr> permuted(const TensorPtr &tensor, const Dims &dims) {
  const Error error{"bad-permutation", {shapeText(dims), std::to_string(tensor->rank())}};
  Dims shape, strides;
  std::vector<bool> seen(dims.size(), false);
  for (int64_t dim : dims) {
    auto d = wrapDim(dim, tensor->rank());
    if (!d || dims.size() != tensor->shape.size() || seen[*d])
      return error;
    seen[*d] = true;
    shape.push_back(tensor->shape[*d]);
    strides.push_back(tensor->strides[*d]);
  }
  if (dims.size() != tensor->shape.size())
    return error;
  return viewOf(*tensor, shape, strides, tensor->offset);
}

TensorPtr transposed(const TensorObject &tensor, int64_t a, int64_t b) {
  auto view = viewOf(tensor, tensor.shape, tensor.strides, tensor.offset);
  if (!view->shape.empty()) {
    std::swap(view->shape[a], view->shape[b]);
    std::swap(view->strides[a], view->strides[b]);
  }
  return view;
}

Result<TensorPtr> expanded(const TensorPtr &tensor, Dims shape) {
  const Error error{"expand-shape", {shapeText(tensor->shape), shapeText(shape)}};
  if (shape.size() < tensor->shape.size())
    return error;
  Dims strides(shape.size(), 0);
  const size_t lead = shape.size() - tensor->shape.size();
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t old = d < lead ? 1 : tensor->shape[d - lead];
    if (shape[d] == -1 && d >= lead)
      shape[d] = old;
    if (shape[d] < 0 || (old != 1 && shape[d] != old))
      return error;
    if (d >= lead && shape[d] == old)
      strides[d] = tensor->strides[d - lead];
  }
  return viewOf(*tensor, shape, strides, tensor->offset);
}

TensorPtr unsqueezed(const TensorObject &tensor, int64_t dim) {
  Dims shape = tensor.shape, strides = tensor.strides;
  const int64_t stride = dim < tensor.rank() ? shape[dim] * strides[dim] : 1;
  shape.insert(shape.begin() + dim, 1);
  strides.insert(strides.begin() + dim, stride);
  return viewOf(tensor, shape, strides, tensor.offset);
}

TensorPtr squeezed(const TensorObject &tensor, const std::vector<bool> &dims) {
  Dims shape, strides;
  for (size_t d = 0; d < tensor.shape.size(); ++d)
    if (!dims[d] || tensor.shape[d] != 1) {
      shape.push_back(tensor.shape[d]);
      strides.push_back(tensor.strides[d]);
    }
  return viewOf(tensor, shape, strides, tensor.offset);
}

TensorPtr selected(const TensorObject &tensor, int64_t dim, int64_t index) {
  Dims shape = tensor.shape, strides = tensor.strides;
  const int64_t offset = tensor.offset + index * strides[dim];
  shape.erase(shape.begin() + dim);
  strides.erase(strides.begin() + dim);
  return viewOf(tensor, shape, strides, offset);
}

TensorPtr narrowed(const TensorObject &tensor, int64_t dim, int64_t start, int64_t count, int64_t step) {
  Dims shape = tensor.shape, strides = tensor.strides;
  const int64_t offset = tensor.offset + (count > 0 ? start * strides[dim] : 0);
  shape[dim] = count;
  strides[dim] *= step;
  return viewOf(tensor, shape, strides, offset);
}

} // namespace tilescope::host
