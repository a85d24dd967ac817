// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/TensorRows.h"

#include <algorithm>

namespace tilescope::host {

namespace {

/// Arithmetic of one row: float for the short floats, as in torch; sums in double.
template <typename C> void softmax(C *row, int64_t count, RowOperation operation) {
  const C largest = *std::max_element(row, row + count);
  const bool logarithm = operation == RowOperation::LogSoftmax;
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const C shifted = row[i] - largest, exponential = std::exp(shifted);
    sum += double(exponential);
    row[i] = logarithm ? shifted : exponential;
  }
  const C total = static_cast<C>(logarithm ? std::log(sum) : sum);
  for (int64_t i = 0; i < count; ++i)
    row[i] = logarithm ? row[i] - total : row[i] / total;
}

template <typename C> void normalise(C *row, const RowNormalisation &n, const C *weight, const C *bias) {
  double sum = 0, squares = 0;
  for (int64_t i = 0; n.centred && i < n.length; ++i)
    sum += double(row[i]);
  const double mean = sum / double(n.length);
  for (int64_t i = 0; i < n.length; ++i)
    squares += (double(row[i]) - mean) * (double(row[i]) - mean);
  const double scale = 1 / std::sqrt(squares / double(n.length) + n.epsilon);
  for (int64_t i = 0; i < n.length; ++i)
    row[i] = static_cast<C>((double(row[i]) - mean) * scale) * weight[i] + bias[i];
}

/// The values of a tensor as an array of C; `otherwise` throughout if there is none.
template <typename C> std::vector<C> valuesOf(const TensorPtr &tensor, int64_t count, C otherwise) {
  std::vector<C> values(static_cast<size_t>(count), otherwise);
  if (tensor)
    chunkLoader<C>(tensor->type)(contents(*tensor), 1, count, values.data());
  return values;
}

} // namespace

bool softmaxRows(OperationContext &context, RowOperation operation, const TensorObject &input, int64_t dim,
                 const TensorObject &result) {
  if (input.elements() == 0)
    return true;
  const auto d = static_cast<size_t>(dim);
  const int64_t count = input.shape.empty() ? 1 : input.shape[d];
  Dims rows = input.shape;
  LoopOperand from{contents(input), input.type, input.strides},
      to{contents(result, true), result.type, result.strides};
  const int64_t strideFrom = rows.empty() ? 1 : input.strides[d],
                strideTo = rows.empty() ? 1 : result.strides[d];
  if (!rows.empty())
    rows[d] = 1;
  StridedLoop loop(rows, {from, to});
  return withArithmetic(result.type, [&]<typename C>(C) {
    if constexpr (std::is_integral_v<C>) {
      return true;
    } else {
      auto load = chunkLoader<C>(input.type);
      auto store = chunkStorer<C>(result.type);
      std::vector<C> row(static_cast<size_t>(count));
      return loop.forEachRun([&](const std::vector<std::byte *> &at, int64_t length) {
        for (int64_t i = 0; i < length; ++i) {
          load(at[0] + i * loop.innerStride(0) * byteSize(input.type), strideFrom, count, row.data());
          softmax(row.data(), count, operation);
          store(row.data(), count, at[1] + i * loop.innerStride(1) * byteSize(result.type), strideTo);
        }
        return !context.stopRequested();
      });
    }
  });
}

bool normaliseRows(OperationContext &context, const RowNormalisation &normalisation,
                   const TensorObject &input, const TensorObject &result) {
  const int64_t length = normalisation.length, bytes = byteSize(input.type);
  return withArithmetic(input.type, [&]<typename C>(C) {
    auto load = chunkLoader<C>(input.type);
    auto store = chunkStorer<C>(result.type);
    const auto weight = valuesOf<C>(normalisation.weight, length, 1),
               bias = valuesOf<C>(normalisation.bias, length, 0);
    std::vector<C> row(static_cast<size_t>(length));
    const std::byte *from = contents(input);
    std::byte *to = contents(result, true);
    for (int64_t i = 0; i < input.elements(); i += length) {
      load(from + i * bytes, 1, length, row.data());
      normalise(row.data(), normalisation, weight.data(), bias.data());
      store(row.data(), length, to + i * bytes, 1);
      if (context.stopRequested())
        return false;
    }
    return true;
  });
}

} // namespace tilescope::host
