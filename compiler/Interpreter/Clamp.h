// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats to integers as PTX's cvt does it.
#pragma once

#include <cstdint>
#include <limits>

namespace tilescope::interp {

/// Towards zero, to the nearest end of To's range when outside. NaN is 0, or for 64 bits on either side the
/// pattern with only its highest bit set, as PTX cvt has it.
template <typename To, typename From> To clampedTo(From value) {
  constexpr From Least = static_cast<From>(std::numeric_limits<To>::min());
  constexpr From Past =
      static_cast<From>(std::numeric_limits<To>::max() / 2 + 1) * 2; // a power of two: exact
  if (!(value == value))
    return sizeof(From) == 8 || sizeof(To) == 8 ? static_cast<To>(uint64_t(1) << (8 * sizeof(To) - 1))
                                                : To(0);
  if (value <= Least)
    return std::numeric_limits<To>::min();
  return value >= Past ? std::numeric_limits<To>::max() : static_cast<To>(value);
}

} // namespace tilescope::interp
