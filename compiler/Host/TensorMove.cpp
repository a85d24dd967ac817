// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/TensorMove.h"

namespace tilescope::host {

namespace {

/// Calls f(i) for every i below `count`, asking now and then whether to go on.
template <typename F> bool forEach(OperationContext &context, size_t count, F f) {
  for (size_t i = 0; i < count; ++i) {
    f(i);
    if (i % (64 * ChunkElements) == 0 && context.stopRequested())
      return false;
  }
  return true;
}

} // namespace

std::vector<int64_t> strideOffsets(const Dims &shape, const Dims &strides, int64_t start) {
  std::vector<std::vector<int64_t>> dimensions(shape.size());
  for (size_t d = 0; d < shape.size(); ++d)
    for (int64_t i = 0; i < shape[d]; ++i)
      dimensions[d].push_back(i * strides[d] + (d == 0 ? start : 0));
  return shape.empty() ? std::vector{start} : crossOffsets(dimensions);
}

std::vector<int64_t> crossOffsets(const std::vector<std::vector<int64_t>> &dimensions) {
  std::vector<int64_t> offsets{0};
  for (const std::vector<int64_t> &dimension : dimensions) {
    std::vector<int64_t> wider;
    wider.reserve(offsets.size() * dimension.size());
    for (int64_t base : offsets)
      for (int64_t step : dimension)
        wider.push_back(base == Nowhere || step == Nowhere ? Nowhere : base + step);
    offsets = std::move(wider);
  }
  return offsets;
}

std::vector<int64_t> integersOf(const TensorObject &tensor) {
  std::vector<int64_t> result(static_cast<size_t>(tensor.elements()));
  auto load = chunkLoader<int64_t>(tensor.type);
  StridedLoop loop(tensor.shape, {loopOperand(tensor, tensor.shape)});
  int64_t *to = result.data();
  loop.forEachRun([&](const std::vector<std::byte *> &at, int64_t length) {
    load(at[0], loop.innerStride(0), length, to);
    to += length;
    return true;
  });
  return result;
}

bool pickElements(OperationContext &context, const TensorObject &source, std::span<const int64_t> offsets,
                  const TensorObject &result, Number filling) {
  return withElement(source.type, [&]<typename T>(std::type_identity<T>) {
    auto *from = reinterpret_cast<const T *>(contents(source));
    auto *to = reinterpret_cast<T *>(contents(result, true));
    const T none =
        isFloat(source.type) ? storeAs<T>(filling.as<double>()) : storeAs<T>(filling.as<int64_t>());
    return forEach(context, offsets.size(),
                   [&](size_t i) { to[i] = offsets[i] == Nowhere ? none : from[offsets[i]]; });
  });
}

bool sendElements(OperationContext &context, Sending sending, const TensorObject &values,
                  std::span<const int64_t> offsets, const TensorObject &target) {
  return withArithmetic(target.type, [&]<typename C>(C) {
    std::vector<C> sent(offsets.size());
    chunkLoader<C>(values.type)(contents(values), 1, static_cast<int64_t>(sent.size()), sent.data());
    return withElement(target.type, [&]<typename T>(std::type_identity<T>) {
      auto *to = reinterpret_cast<T *>(contents(target, true));
      return forEach(context, offsets.size(), [&](size_t i) {
        T &element = to[offsets[i]];
        element =
            storeAs<T>(sending == Sending::Add ? static_cast<C>(loadAs<C>(element) + sent[i]) : sent[i]);
      });
    });
  });
}

} // namespace tilescope::host
