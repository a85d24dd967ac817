// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products with torch's rules for vectors and batches. Short floats are multiplied and accumulated in
// float and rounded once at the end.
#pragma once

#include "compiler/Host/TensorData.h"

namespace tilescope::host {

/// torch.matmul. Errors "matmul-type" (both types), "matmul-shape" (both shapes, and the two sizes that ought
/// to be equal), "shape-mismatch" (batches), "device-mismatch", "out-of-memory".
Result<TensorPtr> matmul(OperationContext &context, std::string_view name, const TensorPtr &left,
                         const TensorPtr &right, const TensorPtr &destination = nullptr);

} // namespace tilescope::host
