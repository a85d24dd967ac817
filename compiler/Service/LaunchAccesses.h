// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses of a launch that is over, lane by lane: its kernel is carried on to stage two from the IR that was kept,
// and its programs run again, one at a time, on the memory that they saw.
#pragma once

#include "compiler/Protocol/AccessDetail.h"
#include "compiler/Service/AccessCounter.h"
#include "compiler/Service/CompiledKernel.h"
#include "compiler/Support/Result.h"

namespace tilescope::model {
struct Gpu;
}

namespace tilescope::service {

class LaunchAccesses {
public:
  /// Errors: "internal-error" if the kernel cannot be carried on. `launch` is of stage one's code.
  static Result<std::unique_ptr<LaunchAccesses>> make(std::shared_ptr<const CompiledKernel> kernel,
                                                      interp::LaunchAgain launch, const model::Gpu &gpu,
                                                      AddressSpace &memory);

  /// Errors: "unknown-program", "unknown-access", "evicted".
  Result<protocol::AccessDetail> detail(const protocol::AccessDetailRequest &request);
  /// Counts on for `milliseconds`, a program at least. Errors: "unknown-access", "evicted".
  Result<protocol::AccessCount> count(int access, double milliseconds);

private:
  struct Recorder;

  LaunchAccesses(interp::LaunchAgain launch, std::shared_ptr<const interp::Kernel> stageOne, AddressSpace &memory)
      : m_launch(std::move(launch)), m_stageOne(std::move(stageOne)), m_memory(memory) {}

  int64_t programs() const { return int64_t(m_launch.grid[0]) * m_launch.grid[1] * m_launch.grid[2]; }
  /// The place that an access of the summary stands at; null if it is not in the compiled kernel.
  const AccessPlace *placeOf(int access) const;
  bool countProgram(int64_t program);
  protocol::AccessCount countOf(const AccessPlace &place) const;
  void describe(const Recorder &record, const AccessPlace &place, protocol::AccessDetail &detail) const;
  void addPage(const Recorder &record, const AccessPlace &place, const protocol::AccessDetailRequest &request,
               protocol::AccessDetail &detail) const;
  uint64_t baseOf(const AccessPlace &place) const;

  interp::LaunchAgain m_launch; ///< of stage two's code, without a log
  std::shared_ptr<const interp::Kernel> m_stageOne;
  AddressSpace &m_memory;
  std::unique_ptr<AccessCounter> m_counter;
  std::vector<bool> m_isCounted; ///< by program
  int64_t m_counted = 0, m_nextProgram = 0;
};

} // namespace tilescope::service
