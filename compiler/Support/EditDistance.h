// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far apart two names are, for "did you mean".
#pragma once

#include <cstddef>
#include <string_view>

namespace tilescope {

/// How many bytes are wrong, missing, too many, or exchanged with their neighbour, which is what fingers do
/// (optimal string alignment: no place is mended twice). Time grows as the product of the sizes.
size_t editDistance(std::string_view a, std::string_view b);

} // namespace tilescope
