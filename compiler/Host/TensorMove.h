// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements picked from, or sent to, computed places: flipping, padding, gathering, scattering. A place is an
// offset in elements from the first element of a tensor.
#pragma once

#include "compiler/Host/TensorData.h"

namespace tilescope::host {

/// The place that stands for none: what is picked from it is a filling.
constexpr int64_t Nowhere = std::numeric_limits<int64_t>::min();

/// Places are kept one by one: more are refused. Error "too-many-elements" (shape, limit).
constexpr int64_t MostPlaces = int64_t(1) << 28;
inline std::optional<Error> tooManyPlaces(const Dims &shape) {
  if (elementCount(shape) <= MostPlaces)
    return std::nullopt;
  return Error{"too-many-elements", {shapeText(shape), std::to_string(MostPlaces)}};
}

/// The places of a walk over `shape` in row-major order.
std::vector<int64_t> strideOffsets(const Dims &shape, const Dims &strides, int64_t start = 0);
/// The sums of one entry of each dimension, in row-major order; Nowhere if one entry is.
std::vector<int64_t> crossOffsets(const std::vector<std::vector<int64_t>> &dimensions);

/// The elements of a tensor of integers, in row-major order.
std::vector<int64_t> integersOf(const TensorObject &tensor);

/// Element i of `result`, which is contiguous and of the type of `source`, becomes the one at offsets[i].
/// False: stopped.
bool pickElements(OperationContext &context, const TensorObject &source, std::span<const int64_t> offsets,
                  const TensorObject &result, Number filling = {});

enum class Sending : uint8_t { Replace, Add };

/// Element i of `values`, which is contiguous, goes to offsets[i] of `target`, one after the other. False:
/// stopped.
bool sendElements(OperationContext &context, Sending sending, const TensorObject &values,
                  std::span<const int64_t> offsets, const TensorObject &target);

} // namespace tilescope::host
