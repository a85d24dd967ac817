// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch in the protocol's words: its arguments, its accesses, the tensors that it wrote.
#pragma once

#include "compiler/Host/Launcher.h"
#include "compiler/Host/Tensor.h"
#include "compiler/Interpreter/Kernel.h"
#include "compiler/Protocol/Messages.h"

namespace tilescope::service {

/// The names of the launch's tensors, one a parameter: as the call writes them, else as the allocation is
/// called; empty for what is no tensor.
std::vector<std::string> tensorNames(const host::LaunchRequest &request, const AddressSpace &memory);

/// All but what counting gives. `run`, `launch` and `wallMs` are left to the caller.
protocol::LaunchSummary summarise(const host::LaunchRequest &request, const interp::Kernel &kernel,
                                  const AddressSpace &memory);
/// Fills in what the run counted.
void addCounts(protocol::LaunchSummary &summary, const interp::Kernel &kernel,
               const std::vector<interp::AccessCounts> &counts);

/// A tensor's geometry, kept after the tensor is gone.
struct TensorView {
  Address address = 0;
  unsigned elementBytes = 1;
  std::vector<int64_t> shape, strides; ///< in elements
};

/// One of the summary's outputs as the launch saw it.
struct OutputView {
  TensorView tensor;
  std::vector<uint32_t> accesses; ///< all that write to it
};
std::vector<OutputView> outputViews(const host::LaunchRequest &request, const interp::Kernel &kernel,
                                    const protocol::LaunchSummary &summary);

/// The rows and columns (row begin, row end, column begin, column end; half-open) that one program's stores
/// covered, seen in the tensor with all dimensions but the last made one. All -1 where nothing was stored.
std::array<int32_t, 4> tileOf(const std::vector<interp::Footprint> &footprints, const OutputView &output);

/// The kernel's parameter (an index into the request's arguments) that parameter `index` of the code is.
std::optional<size_t> argumentOf(const host::LaunchRequest &request, const interp::Kernel &kernel,
                                 size_t index);

/// The value that parameter `index` of the code, which must be one of the kernel's, stands for: that
/// argument, or an item of it ("x[0]").
Value valueOf(const host::LaunchRequest &request, const interp::Kernel &kernel, size_t index);

} // namespace tilescope::service
