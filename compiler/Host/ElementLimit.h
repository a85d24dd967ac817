// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A view repeats elements for nothing (expand), so an operation that makes no large result may still have too
// much to read. More than this is refused, not tried for hours.
#pragma once

#include "compiler/Host/TensorData.h"

namespace tilescope::host {

/// Elements that one operation may read: about a minute's work.
inline constexpr int64_t MostElements = int64_t(1) << 36;

/// Error "too-many-elements" (shape, limit).
inline std::optional<Error> tooManyElements(const Dims &shape) {
  if (elementCount(shape) <= MostElements)
    return std::nullopt;
  return Error{"too-many-elements", {shapeText(shape), std::to_string(MostElements)}};
}

} // namespace tilescope::host
