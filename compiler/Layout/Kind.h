// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a layout is recognised as. Names are for people: two layouts that are the same map are the same
// layout, whatever made them, and have one name.
#pragma once

#include "compiler/Layout/Constructors.h"

#include <optional>
#include <string_view>

namespace tilescope::layout {

/// The first that fits of
///   "shared"   places in shared memory, swizzled or not
///   "mma"      the accumulator of a tensor core, mma.sync or wgmma
///   "blocked"  `blocked` with some parameters (an operand of products without tensor cores is one, too)
///   "operand"  what a tensor core reads from registers
///   "slice"    every bit of a thread stands for one of the tile, or for copies: what a reduction leaves
///   "linear"   anything else
std::string_view kind(const LinearLayout &layout);

/// Parameters with which `blocked` makes the layout; nothing if there are none, or the rank is above 4.
std::optional<Blocked> asBlocked(const LinearLayout &layout);

} // namespace tilescope::layout
