// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts as text.
#pragma once

#include "compiler/Layout/LinearLayout.h"

#include <string>

namespace tilescope::layout {

/// `{register = [[0, 1], [8, 0]], lane = […], warp = []}`: for each input bit the coordinates of the tile
/// that it adds.
std::string text(const LinearLayout &layout);

/// A tile of rank 1 or 2, element by element: "lane:register" of the first warp that holds it
/// ("warp/lane:register" with several), or the offset in shared memory. One line a row.
std::string table(const LinearLayout &layout);

} // namespace tilescope::layout
