// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions over some of a tensor's dimensions. Floats are accumulated in double, integers in int64_t, in a
// fixed order, and rounded once at the end: the error is no larger than PyTorch's.
#pragma once

#include "compiler/Host/TensorData.h"

namespace tilescope::host {

enum class Reduction : uint8_t {
  Sum,
  Mean,
  Product,
  Maximum, ///< two results: value and index of the first one; a NaN wins, as in torch
  Minimum,
  Any,
  All,
  CountNonzero,
  Variance,  ///< parameter: the correction
  Deviation, ///< its square root
  Norm,      ///< parameter: the order, which may be infinite
  LogSumExp,
};

/// Reduces `input` over the dimensions for which `reduced` is true. Each result has the shape of the others,
/// in order; only `Maximum` and `Minimum` have two, of which either may be null. False: stopped.
bool reduceElements(OperationContext &context, Reduction kind, double parameter, const TensorObject &input,
                    const std::vector<bool> &reduced, const std::array<TensorPtr, 2> &results);

/// Running sum or product along `dim`. False: stopped.
bool scanElements(OperationContext &context, Reduction kind, const TensorObject &input, int64_t dim,
                  const TensorObject &result);

} // namespace tilescope::host
