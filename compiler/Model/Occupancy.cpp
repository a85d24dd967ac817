// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Occupancy by each limit; see Occupancy.h. The steps are those of cuda_occupancy.h for compute
// capability 7.5 and later.
#include "compiler/Model/Occupancy.h"

#include <algorithm>

namespace tilescope::model {
namespace {

constexpr int kWarpSize = 32;
constexpr int kSubPartitions = 4;           // of an SM; each has a quarter of its registers
constexpr int kRegisterGranularity = 256;   // registers a warp are rounded up to this
constexpr int kMaxRegistersPerThread = 256; // as the calculator has it; instructions name 255

int roundUp(int value, int granularity) { return (value + granularity - 1) / granularity * granularity; }

std::optional<int> programsByRegisters(const SmLimits &sm, const ProgramResources &program) {
  if (!program.registersPerThread || *program.registersPerThread == 0)
    return std::nullopt;
  if (*program.registersPerThread > kMaxRegistersPerThread)
    return 0;
  int perWarp = roundUp(*program.registersPerThread * kWarpSize, kRegisterGranularity);
  int warps = sm.registers / kSubPartitions / perWarp * kSubPartitions;
  return warps / program.warps;
}

std::optional<int> programsBySharedMemory(const SmLimits &sm, const ProgramResources &program) {
  if (!program.sharedBytes)
    return std::nullopt;
  int taken = roundUp(*program.sharedBytes + sm.sharedBytesReserved, sm.sharedGranularity);
  if (taken == 0)
    return std::nullopt;
  return *program.sharedBytes > sm.sharedBytesPerProgram ? 0 : sm.sharedBytes / taken;
}

} // namespace

Occupancy occupancy(const SmLimits &sm, const ProgramResources &program) {
  Occupancy result;
  result.byWarps = sm.warps / program.warps;
  result.byPrograms = sm.programs;
  result.byRegisters = programsByRegisters(sm, program);
  result.bySharedMemory = programsBySharedMemory(sm, program);
  result.registersKnown = program.registersPerThread.has_value();
  result.sharedMemoryKnown = program.sharedBytes.has_value();

  const std::pair<Limit, std::optional<int>> limits[] = {{Limit::Warps, result.byWarps},
                                                         {Limit::Programs, result.byPrograms},
                                                         {Limit::Registers, result.byRegisters},
                                                         {Limit::SharedMemory, result.bySharedMemory}};
  result.programsPerSm = std::min(result.byWarps, result.byPrograms);
  for (auto [limit, programs] : limits)
    result.programsPerSm = std::min(result.programsPerSm, programs.value_or(result.programsPerSm));
  for (auto [limit, programs] : limits)
    if (programs == result.programsPerSm)
      result.binding.push_back(limit);
  return result;
}

} // namespace tilescope::model
