// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an infinity or NaN that a program stores comes from: the program is run once more, and what each
// instruction makes is compared with what it was given.
#pragma once

#include "compiler/Interpreter/Machine.h"

#include <optional>

namespace tilescope::interp {

struct NonFiniteOrigin {
  uint32_t instruction = 0;
  uint64_t element = 0; ///< of its result
  double value = 0;
};

/// The first instruction of a program of `launch` that makes a NaN (`nan`) of none, or else an infinity of
/// finite numbers. Nothing if there is none: it was loaded, or is written in the kernel.
std::optional<NonFiniteOrigin> findNonFinite(const Launch &launch, AddressSpace &memory, uint32_t version,
                                             uint64_t program, bool nan);

} // namespace tilescope::interp
