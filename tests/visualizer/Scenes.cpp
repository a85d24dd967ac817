// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/visualizer/Scenes.h"

#include <algorithm>
#include <functional>

namespace tilescope::viz::scenes {

namespace {

using protocol::LaunchSummary;
using protocol::OccupancyLimit;

LaunchSummary launchOf(const char *kernel, int64_t programs, int warps, std::vector<int64_t> shape,
                       const char *type, std::vector<int64_t> tile) {
  LaunchSummary launch;
  launch.kernel = kernel;
  launch.path = launch.kernelPath = "/scripts/main.py";
  launch.line = 24;
  launch.grid = {programs, 1, 1};
  launch.programs = static_cast<uint64_t>(programs);
  launch.numWarps = warps;
  protocol::AccessSummary store;
  store.line = 17, store.op = "store", store.tensor = "y", store.type = type, store.shape = std::move(tile);
  launch.accesses.push_back(store);
  protocol::OutputTensor output{"y", type, shape, 1, shape.back(), 0};
  for (size_t i = 0; i + 1 < shape.size(); ++i)
    output.rows *= shape[i];
  launch.outputs.push_back(output);
  return launch;
}

SmScene sceneOf(LaunchSummary launch, protocol::Schedule schedule,
                const std::function<TileRect(int64_t)> &tile) {
  auto programs = static_cast<int64_t>(launch.programs);
  SmScene scene(std::move(launch), std::move(schedule));
  protocol::TilePage page;
  for (int64_t program = 0; program < programs; ++program) {
    TileRect rect = tile(program);
    page.tiles.values.insert(page.tiles.values.end(),
                             {rect.rowBegin, rect.rowEnd, rect.columnBegin, rect.columnEnd});
  }
  scene.addTiles(page);
  return scene;
}

TileRect rectOf(int64_t row, int64_t rows, int64_t column, int64_t columns) {
  return {static_cast<int32_t>(row), static_cast<int32_t>(row + rows), static_cast<int32_t>(column),
          static_cast<int32_t>(column + columns)};
}

} // namespace

protocol::Schedule schedule(int64_t programs, int slotsPerSm, int warps) {
  protocol::Schedule schedule;
  schedule.gpu = "H200";
  schedule.sms = 132;
  schedule.slotsPerSm = slotsPerSm;
  schedule.programs = programs;
  schedule.slotCount = int64_t{132} * slotsPerSm;
  schedule.waves = static_cast<double>(programs) / static_cast<double>(schedule.slotCount);
  schedule.waveCount = (programs + schedule.slotCount - 1) / schedule.slotCount;
  schedule.lastWavePrograms = programs - (schedule.waveCount - 1) * schedule.slotCount;
  for (int sm = 0; sm < 132; ++sm)
    schedule.lastWaveCounts.values.push_back(
        static_cast<int32_t>(schedule.lastWavePrograms / 132 + (sm < schedule.lastWavePrograms % 132)));
  schedule.limits = {{"warps", 64 / warps, warps, 64, slotsPerSm == 64 / warps},
                     {"programs", 32, 1, 32, slotsPerSm == 32}};
  return schedule;
}

SmScene matmul() {
  protocol::Schedule plan = schedule(512, 1, 8);
  plan.limits.push_back({"sharedMemory", 1, 144 * 1024 + 1024, 228 * 1024, true});
  return sceneOf(launchOf("matmul", 512, 8, {4096, 4096}, "fp16", {128, 256}), plan,
                 [](int64_t program) { return rectOf(program / 16 * 128, 128, program % 16 * 256, 256); });
}

SmScene softmax() {
  return sceneOf(launchOf("softmax_kernel", 1823, 4, {1823, 781}, "fp32", {1024}), schedule(1823, 16, 4),
                 [](int64_t program) { return rectOf(program, 1, 0, 781); });
}

SmScene vectorAdd() {
  return sceneOf(launchOf("add_kernel", 97, 4, {98432}, "fp32", {1024}), schedule(97, 16, 4),
                 [](int64_t program) {
                   return rectOf(0, 1, program * 1024, std::min<int64_t>(1024, 98432 - program * 1024));
                 });
}

SmScene severalWavesAndSlots() {
  return sceneOf(launchOf("layer_norm", 10000, 4, {10000, 1024}, "fp16", {1024}), schedule(10000, 16, 4),
                 [](int64_t program) { return rectOf(program, 1, 0, 1024); });
}

SmScene million(bool oneSlot) {
  return sceneOf(launchOf("tiny_tiles", 1'000'000, 4, {4000, 4000}, "fp32", {4, 4}),
                 schedule(1'000'000, oneSlot ? 1 : 16, 4),
                 [](int64_t program) { return rectOf(program / 1000 * 4, 4, program % 1000 * 4, 4); });
}

SmScene single() {
  return sceneOf(launchOf("sum_kernel", 1, 4, {1}, "fp32", {1}), schedule(1, 16, 4),
                 [](int64_t) { return rectOf(0, 1, 0, 1); });
}

SmScene batched() {
  LaunchSummary launch = launchOf("bmm_kernel", 48, 8, {2, 512, 384}, "fp16", {128, 64});
  launch.grid = {6, 4, 2};
  return sceneOf(launch, schedule(48, 8, 8), [](int64_t program) {
    int64_t x = program % 6, y = program / 6 % 4, z = program / 24;
    return program % 11 == 7 ? TileRect{} : rectOf(z * 512 + y * 128, 128, x * 64, 64);
  });
}

SmScene wideRows() {
  return sceneOf(launchOf("row_sum_kernel", 64, 16, {64, 65536}, "bf16", {65536}), schedule(64, 4, 16),
                 [](int64_t program) { return rectOf(program, 1, 0, 65536); });
}

SmScene withoutOutput() {
  LaunchSummary launch = launchOf("only_loads", 300, 4, {4}, "fp32", {4});
  launch.outputs.clear();
  launch.accesses[0].op = "load";
  return SmScene(launch, schedule(300, 16, 4));
}

const std::vector<Case> &all() {
  static const std::vector<Case> cases{{"matmul", matmul},        {"softmax", softmax},
                                       {"vector-add", vectorAdd}, {"waves-and-slots", severalWavesAndSlots},
                                       {"single", single},        {"batched", batched},
                                       {"wide-rows", wideRows},   {"no-output", withoutOutput}};
  return cases;
}

} // namespace tilescope::viz::scenes
