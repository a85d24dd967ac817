// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tensor[index]: ints, slices, None and "..." give views; lists and tensors of ints, and masks, gather
// copies.
#pragma once

#include "compiler/Host/TensorData.h"

namespace tilescope::host {

/// A place in a tensor that an index expression means: a view, and perhaps elements to be picked out of it.
struct IndexedPlace {
  TensorPtr view; ///< without the dimensions that `offsets` stands for
  /// Element offsets to be added to the view's, one for each picked element; empty for a plain view.
  std::vector<int64_t> offsets;
  std::optional<Dims> pickedShape; ///< of `offsets`; nothing for a plain view
  int64_t pickedDim = 0;           ///< where in the result's shape they stand

  Dims resultShape() const;
};

/// Errors "too-many-indices" (given, rank), "tensor-index-out-of-range" (index, dimension, size),
/// "bad-index-type" (type), "slice-step" (step), "mask-shape" (mask, tensor), "stopped". Nothing in
/// Mode::Check, where a mask's contents are not known.
Result<std::optional<IndexedPlace>> indexed(OperationContext &context, const TensorPtr &tensor,
                                            const Value &index);

/// A copy of the picked elements. Contents are settled.
Result<TensorPtr> gather(OperationContext &context, const IndexedPlace &place);
/// Writes `value`, which broadcasts to the picked elements. False: stopped.
bool scatter(OperationContext &context, const IndexedPlace &place, const TensorObject &value);

} // namespace tilescope::host
