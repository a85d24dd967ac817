// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures of the drawings of Tiles on SMs: a softmax of 1,823 rows in one wave, a matrix product with a
// tail. They were computed by hand from NVIDIA's tables.
#include "compiler/Service/Machine.h"

#include "compiler/Host/Evaluator.h"
#include "compiler/Model/GpuTable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

using namespace tilescope;
using namespace tilescope::service;

namespace {

const protocol::OccupancyLimit &limit(const protocol::Schedule &schedule, std::string_view resource) {
  return *std::ranges::find(schedule.limits, resource, &protocol::OccupancyLimit::resource);
}

/// What scripts are told of the GPU is what the model reckons with.
TEST(Gpu, ThatOfScriptsIsInTheTable) {
  const host::DeviceProperties told;
  const model::Gpu &gpu = *model::findGpu("h200");
  EXPECT_EQ(told.name, "NVIDIA " + std::string(gpu.name));
  EXPECT_EQ(told.major * 10 + told.minor, gpu.sm.major * 10 + gpu.sm.minor);
  EXPECT_EQ(told.multiprocessors, gpu.sms);
  EXPECT_EQ(told.warps, gpu.sm.warps);
  EXPECT_EQ(told.registers, gpu.sm.registers);
  EXPECT_EQ(told.sharedBytes, gpu.sm.sharedBytes);
  EXPECT_EQ(told.sharedBytesPerProgram, gpu.sm.sharedBytesPerProgram);
  EXPECT_EQ(told.l2Bytes, int64_t(gpu.l2MiB) << 20);
  EXPECT_EQ(told.clockKHz, gpu.boostClockGHz * 1e6);
}

TEST(Schedule, SoftmaxIsOneWave) {
  Result<protocol::Schedule> found = schedule({"H200", 1823, 4, std::nullopt, std::nullopt});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sms, 132);
  EXPECT_EQ(found->slotsPerSm, 16);
  EXPECT_EQ(found->slotCount, 2112);
  EXPECT_NEAR(found->waves, 0.86, 0.005);
  EXPECT_EQ(found->waveCount, 1);
  EXPECT_EQ(found->lastWavePrograms, 1823);
  EXPECT_EQ(std::ranges::count(found->lastWaveCounts.values, 14), 107);
  EXPECT_EQ(std::ranges::count(found->lastWaveCounts.values, 13), 25);
  EXPECT_TRUE(limit(*found, "warps").limiting);
  EXPECT_FALSE(limit(*found, "registers").programs) << "registers are not known before compiling for a GPU";
}

TEST(Schedule, RegistersLimitOnceTheyAreKnown) {
  Result<protocol::Schedule> found = schedule({"H200", 1823, 4, 29, 32});
  ASSERT_TRUE(found);
  EXPECT_EQ(limit(*found, "registers").programs, 16); // 65,536 / (4 warps x 1,024)
  EXPECT_EQ(found->slotsPerSm, 16);
}

TEST(Schedule, MatmulHasATail) {
  Result<protocol::Schedule> found = schedule({"H200", 512, 8, std::nullopt, 147456});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->slotsPerSm, 1);
  EXPECT_NEAR(found->waves, 3.88, 0.005);
  EXPECT_EQ(found->waveCount, 4);
  EXPECT_EQ(found->lastWavePrograms, 116);
  EXPECT_EQ(std::ranges::count(found->lastWaveCounts.values, 1), 116);
  EXPECT_EQ(std::ranges::count(found->lastWaveCounts.values, 0), 16);
  EXPECT_TRUE(limit(*found, "sharedMemory").limiting);
  EXPECT_EQ(limit(*found, "warps").needed, 8);
  EXPECT_EQ(limit(*found, "warps").available, 64);
}

TEST(Schedule, NothingToRun) {
  Result<protocol::Schedule> found = schedule({"H200", 0, 4, std::nullopt, std::nullopt});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->waveCount, 0);
  EXPECT_TRUE(found->lastWaveCounts.values.empty());
}

TEST(Schedule, WrongQuestionsAreRefused) {
  EXPECT_EQ(schedule({"H2000", 1, 4, {}, {}}).error().id, "unknown-gpu");
  EXPECT_EQ(schedule({"H200", -1, 4, {}, {}}).error().id, "wrong-schedule");
  EXPECT_EQ(schedule({"H200", 1, 0, {}, {}}).error().id, "wrong-schedule");
  EXPECT_EQ(schedule({"H200", 1, 33, {}, {}}).error().arguments,
            (std::vector<std::string>{"num_warps", "33"}));
}

TEST(Gpus, TheListNamesWhatCanBeAskedFor) {
  const protocol::GpuList list = gpuList();
  for (const protocol::GpuInfo &gpu : list.gpus)
    EXPECT_TRUE(schedule({gpu.name, 1, 4, {}, {}})) << gpu.name;
  auto h200 = std::ranges::find(list.gpus, "H200", &protocol::GpuInfo::name);
  ASSERT_NE(h200, list.gpus.end());
  EXPECT_EQ(h200->computeCapability, "9.0");
  EXPECT_EQ(h200->maxWarpsPerSm, 64);
  EXPECT_EQ(h200->maxProgramsPerSm, 32);
}

} // namespace
