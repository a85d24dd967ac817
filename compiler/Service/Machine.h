// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The modelled GPUs in the protocol's words.
#pragma once

#include "compiler/Model/GpuTable.h"
#include "compiler/Protocol/Messages.h"
#include "compiler/Support/Result.h"

namespace tilescope::service {

/// By the name that people read ("H200") or by its id; null for none.
const model::Gpu *gpuByName(std::string_view name);
protocol::GpuList gpuList();

/// Errors "unknown-gpu" (name) and "wrong-schedule" (field, value).
Result<protocol::Schedule> schedule(const protocol::ScheduleRequest &request);

} // namespace tilescope::service
