// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that work on whole rows at a time and that torch has as one fused kernel: softmax,
// normalisation.
#pragma once

#include "compiler/Host/TensorData.h"

namespace tilescope::host {

enum class RowOperation : uint8_t { Softmax, LogSoftmax };

/// Along `dim`; `result` has the shape of `input`. False: stopped.
bool softmaxRows(OperationContext &context, RowOperation operation, const TensorObject &input, int64_t dim,
                 const TensorObject &result);

/// What layer_norm and rms_norm do to each row of `length` elements, in the order of memory.
struct RowNormalisation {
  int64_t length = 1;
  double epsilon = 1e-5;
  bool centred = true; ///< subtract the mean
  TensorPtr weight;    ///< of `length` elements, contiguous, or null
  TensorPtr bias;
};

/// `input` and `result` are contiguous. False: stopped.
bool normaliseRows(OperationContext &context, const RowNormalisation &normalisation,
                   const TensorObject &input, const TensorObject &result);

} // namespace tilescope::host
