// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program of a launch that is stepped through, in the protocol's words (TraceMessages.h).
#pragma once

#include "compiler/Interpreter/Stepper.h"
#include "compiler/Protocol/TraceMessages.h"
#include "compiler/Service/TraceSource.h"

#include <functional>

namespace tilescope::service {

class Trace {
public:
  /// Errors: those of Stepper::open.
  static Result<std::unique_ptr<Trace>> open(AddressSpace &memory, TraceSource source, uint64_t program);

  protocol::TraceInfo info() const;
  /// Errors: "wrong-position" (which, and the greatest).
  Result<protocol::TraceTimeline> timeline(const protocol::TraceTimelineRequest &request) const;

  /// Errors of all that follow: "wrong-position", "evicted".
  Result<protocol::TraceStop> stop(int64_t position);
  Result<protocol::TraceStop> step(const protocol::TraceStepRequest &request);
  /// Errors: "no-code-on-line" (line), and of evaluate(). `abandoned` is asked between lines.
  Result<protocol::TraceStop> goOn(const protocol::TraceContinueRequest &request,
                                   const std::function<bool()> &abandoned);
  /// Error: "unknown-value" (number).
  Result<protocol::TraceElements> elements(const protocol::TraceElementsRequest &request);
  /// Error: "no-access".
  Result<protocol::TraceElements> access(const protocol::TraceAccessRequest &request);
  /// Errors: "wrong-expression", "not-an-expression".
  Result<protocol::TraceAnswer> evaluate(const protocol::TraceEvaluateRequest &request);

private:
  Trace(AddressSpace &memory, TraceSource source, std::unique_ptr<interp::Stepper> stepper)
      : m_memory(memory), m_source(std::move(source)), m_stepper(std::move(stepper)) {}

  std::optional<Error> seek(int64_t position);
  protocol::TraceStop present() const;
  interp::TilePtr find(uint32_t value) const;

  AddressSpace &m_memory;
  const TraceSource m_source;
  const std::unique_ptr<interp::Stepper> m_stepper;
};

/// How often programs of a launch stop at a breakpoint; of fewer than asked for, at least one, where that
/// takes long. Errors: those of Stepper::open and of Trace::goOn.
Result<protocol::TraceProgramPage> stopsOfPrograms(AddressSpace &memory, const TraceSource &source,
                                                   const protocol::TraceProgramsRequest &request,
                                                   const std::function<bool()> &abandoned);

} // namespace tilescope::service
