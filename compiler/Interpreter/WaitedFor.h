// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program waits for that was stopped in a `while`: the element whose value decides whether the loop
// goes on.
#pragma once

#include "compiler/Interpreter/Machine.h"

namespace tilescope::interp {

/// Notes the element in the finding: its access (`origin`), tensor, address and value. Leaves the finding as
/// it is where the loop reads no single element. The program goes on to where it reads it again, and is not
/// to be run after that.
void noteWaitedFor(Frame &frame, const LoopRange &loop, Finding &finding);

} // namespace tilescope::interp
