// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One element of a slot as a number, for messages: integers past 2^53 are rounded.
#pragma once

#include "compiler/Value/ElementType.h"

#include <cstddef>

namespace tilescope::interp {

double slotValue(const std::byte *at, ElementType type);

} // namespace tilescope::interp
