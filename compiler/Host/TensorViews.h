// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other views on the same storage: reshaping, permuting, slicing. None of them reads or moves contents, but
// for reshape() where no view would do.
#pragma once

#include "compiler/Host/TensorData.h"

namespace tilescope::host {

/// The strides with which `shape` sees the same elements in the same order, or nothing where only a copy
/// does.
std::optional<Dims> viewStrides(const TensorObject &tensor, const Dims &shape);
/// `shape` with -1 replaced. Error "reshape-size" (old and new shape).
Result<Dims> resolveShape(const TensorObject &tensor, Dims shape);
/// Error also "view-not-possible" (shape, strides, new shape).
Result<TensorPtr> viewAs(const TensorPtr &tensor, const Dims &shape);
/// The same bytes as elements of another type. Error "view-type-not-possible" (shape, strides, both types).
Result<TensorPtr> viewAsType(const TensorPtr &tensor, ElementType type);
/// A view where that is possible, else a copy, as in torch.
Result<TensorPtr> reshaped(OperationContext &context, const TensorPtr &tensor, const Dims &shape);

/// Error "bad-permutation" (dims, rank).
Result<TensorPtr> permuted(const TensorPtr &tensor, const Dims &dims);
TensorPtr transposed(const TensorObject &tensor, int64_t a, int64_t b);
/// -1 keeps a size. Error "expand-shape" (old and new shape).
Result<TensorPtr> expanded(const TensorPtr &tensor, Dims shape);
TensorPtr unsqueezed(const TensorObject &tensor, int64_t dim);
/// Without the given dimensions, those of them that have size 1.
TensorPtr squeezed(const TensorObject &tensor, const std::vector<bool> &dims);
TensorPtr selected(const TensorObject &tensor, int64_t dim, int64_t index);
/// `count` elements from `start`, `step` apart.
TensorPtr narrowed(const TensorObject &tensor, int64_t dim, int64_t start, int64_t count, int64_t step = 1);

} // namespace tilescope::host
