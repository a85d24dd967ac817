// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The modelled GPUs in the protocol's words.
#pragma once

#include "compiler/Protocol/Messages.h"
#include "compiler/Support/Result.h"

namespace tilescope::service {

protocol::GpuList gpuList();

/// Errors "unknown-gpu" (name) and "wrong-schedule" (field, value).
Result<protocol::Schedule> schedule(const protocol::ScheduleRequest &request);

} // namespace tilescope::service
