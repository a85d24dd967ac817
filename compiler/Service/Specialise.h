// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch is compiled for, as Triton specialises: ints equal to 1 and tl.constexpr parameters are
// constants, divisibility by 16 of ints and addresses is known, ints are 32 bits wide where they fit.
#pragma once

#include "compiler/Frontend/Frontend.h"
#include "compiler/Host/Launcher.h"

namespace tilescope::service {

/// Nothing after an error, which is in `diagnostics`: "unsupported-argument" (parameter, type),
/// "integer-argument-too-large" (parameter).
std::optional<frontend::Specialisation> specialise(const host::LaunchRequest &request,
                                                   Diagnostics &diagnostics);

} // namespace tilescope::service
