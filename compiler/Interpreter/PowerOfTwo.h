// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 2^x in fp32.
#pragma once

#include <cstddef>

namespace tilescope::interp {

/// result[i] = 2^x[i], at most 0.54 units in the last place off, the same on every processor. NaN stays; results below
/// 2^-126 are subnormal. `result` may be `x`.
void powersOfTwo(const float *x, float *result, size_t count);

} // namespace tilescope::interp
