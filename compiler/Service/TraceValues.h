// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles and accesses at a step of a program, in the protocol's words.
#pragma once

#include "compiler/Service/Trace.h"

namespace tilescope::service {

/// Names of the tensors that a launch was given: as the call writes them, else the parameter's.
class TensorNames {
public:
  TensorNames(const AddressSpace &memory, const TraceSource &source) : m_memory(memory), m_source(source) {}
  std::string operator()(AllocationId id) const;
  Address addressOf(AllocationId id) const { return id ? m_memory.allocation(id).address : 0; }

private:
  const AddressSpace &m_memory;
  const TraceSource &m_source;
};

protocol::TracePlace tracePlace(const SourceSpan &span);
protocol::TraceValue traceValue(const interp::Kernel &kernel, const interp::Tile &tile,
                                const TensorNames &names);
/// Of the step that the stepper's position is the end of; it is an access.
protocol::TraceAccess traceAccess(const interp::Stepper &stepper, const TensorNames &names);
/// Elements first … first + count, those that there are.
protocol::TraceElements traceElements(const interp::Kernel &kernel, const interp::Tile &tile, int64_t first,
                                      int64_t count, const TensorNames &names);
protocol::TraceElements traceElements(const interp::AccessView &access, int64_t first, int64_t count,
                                      const TensorNames &names);

} // namespace tilescope::service
