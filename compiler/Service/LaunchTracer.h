// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch asks of the machine: its kernel is compiled to the end of stage two for a GPU, runs on the interpreter,
// and the plans of its accesses are counted where it goes.
#pragma once

#include "compiler/Host/Launcher.h"
#include "compiler/Model/GpuTable.h"
#include "compiler/Protocol/LaunchTrace.h"
#include "compiler/Support/Diagnostic.h"

#include <atomic>
#include <optional>

namespace tilescope {
class AddressSpace;
}

namespace tilescope::service {

struct TraceOptions {
  const model::Gpu *gpu = nullptr; ///< never null
  std::optional<int64_t> program;  ///< count the accesses of this one only
  const std::atomic<bool> *stop = nullptr;
};

/// Carries the launch out, its stores included. Nothing after an error, which is in `diagnostics`; a finding of the run
/// (an access out of bounds) is no error of the trace, but is there too.
std::optional<protocol::LaunchTrace> traceLaunch(const host::LaunchRequest &request, const TraceOptions &options,
                                                 AddressSpace &memory, Diagnostics &diagnostics);

} // namespace tilescope::service
