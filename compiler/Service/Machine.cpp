// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Machine.h"

#include "compiler/Model/Occupancy.h"
#include "compiler/Model/Schedule.h"

#include <algorithm>
#include <tuple>

namespace tilescope::service {
namespace {

constexpr int MaxWarps = 32;

/// A field out of its bounds, if there is one.
std::optional<Error> wrongField(const protocol::ScheduleRequest &request) {
  const int64_t bytes = request.sharedBytes.value_or(0);
  const std::tuple<const char *, int64_t, int64_t, int64_t> bounds[] = {
      {"programs", request.programs, 0, int64_t(1) << 62},
      {"num_warps", request.numWarps, 1, MaxWarps},
      {"registersPerThread", request.registersPerThread.value_or(0), 0, 65536},
      {"sharedBytes", bytes, 0, int64_t(1) << 30},
  };
  for (const auto &[name, value, least, greatest] : bounds)
    if (value < least || value > greatest)
      return Error{"wrong-schedule", {std::string(name), std::to_string(value)}};
  return std::nullopt;
}

std::vector<protocol::OccupancyLimit> limitsOf(const model::SmLimits &sm,
                                               const protocol::ScheduleRequest &request,
                                               const model::Occupancy &occupancy) {
  auto isBinding = [&](model::Limit limit) { return std::ranges::count(occupancy.binding, limit) > 0; };
  const int64_t registers = int64_t(request.registersPerThread.value_or(0)) * 32 * request.numWarps;
  return {
      {"warps", occupancy.byWarps, request.numWarps, sm.warps, isBinding(model::Limit::Warps)},
      {"programs", occupancy.byPrograms, 1, sm.programs, isBinding(model::Limit::Programs)},
      {"registers", occupancy.byRegisters, registers, sm.registers, isBinding(model::Limit::Registers)},
      {"sharedMemory", occupancy.bySharedMemory, request.sharedBytes.value_or(0), sm.sharedBytes,
       isBinding(model::Limit::SharedMemory)},
  };
}

void addWaves(protocol::Schedule &result, const model::Schedule &schedule) {
  result.slotCount = schedule.slots();
  result.waves = schedule.waves();
  result.waveCount = schedule.waveCount();
  if (result.waveCount == 0)
    return;
  const int64_t last = result.waveCount - 1;
  result.lastWavePrograms = schedule.wave(last).count;
  result.lastWaveCounts.values = schedule.programsPerSm(last);
}

} // namespace

const model::Gpu *gpuByName(std::string_view name) {
  auto found = std::ranges::find(model::gpus(), name, &model::Gpu::name);
  return found == model::gpus().end() ? model::findGpu(name) : &*found;
}

protocol::GpuList gpuList() {
  protocol::GpuList list;
  for (const model::Gpu &gpu : model::gpus())
    list.gpus.push_back({std::string(gpu.name),
                         std::to_string(gpu.sm.major) + "." + std::to_string(gpu.sm.minor), gpu.sms,
                         gpu.sm.warps, gpu.sm.programs});
  return list;
}

Result<protocol::Schedule> schedule(const protocol::ScheduleRequest &request) {
  const model::Gpu *gpu = gpuByName(request.gpu);
  if (!gpu)
    return Error{"unknown-gpu", {request.gpu}};
  if (std::optional<Error> error = wrongField(request))
    return *error;
  model::ProgramResources resources{request.numWarps, request.registersPerThread, std::nullopt};
  if (request.sharedBytes)
    resources.sharedBytes = static_cast<int>(*request.sharedBytes);
  const model::Occupancy occupancy = model::occupancy(gpu->sm, resources);
  protocol::Schedule result;
  result.gpu = gpu->name;
  result.sms = gpu->sms;
  result.programs = request.programs;
  result.slotsPerSm = occupancy.programsPerSm;
  result.limits = limitsOf(gpu->sm, request, occupancy);
  if (occupancy.programsPerSm > 0)
    addWaves(result, {request.programs, gpu->sms, occupancy.programsPerSm});
  return result;
}

} // namespace tilescope::service
