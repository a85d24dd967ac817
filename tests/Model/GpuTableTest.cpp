// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of GPUs: that it can be searched, and that its rows agree with themselves.
#include "compiler/Model/GpuTable.h"

#include <gtest/gtest.h>

#include <set>

namespace tilescope::model {
namespace {

TEST(GpuTable, FindsByIdAndByNothingElse) {
  ASSERT_NE(findGpu("h200"), nullptr);
  EXPECT_EQ(findGpu("h200")->name, "H200");
  EXPECT_EQ(findGpu("H200"), nullptr);
  EXPECT_EQ(findGpu(""), nullptr);
}

TEST(GpuTable, IdsAndNamesAreUnique) {
  std::set<std::string_view> ids, names;
  for (const Gpu &gpu : gpus()) {
    EXPECT_TRUE(ids.insert(gpu.id).second) << gpu.id;
    EXPECT_TRUE(names.insert(gpu.name).second) << gpu.name;
  }
}

TEST(GpuTable, EveryRowHasTheLimitsOfItsComputeCapability) {
  for (const Gpu &gpu : gpus()) {
    const SmLimits *limits = smLimits(gpu.sm.major, gpu.sm.minor);
    ASSERT_NE(limits, nullptr) << gpu.id;
    EXPECT_EQ(gpu.sm.warps, limits->warps) << gpu.id;
    EXPECT_EQ(gpu.sm.sharedBytes, limits->sharedBytes) << gpu.id;
  }
  EXPECT_EQ(smLimits(6, 0), nullptr);
}

TEST(GpuTable, ABlockCannotAskForMoreThanAnSmHas) {
  for (const Gpu &gpu : gpus())
    EXPECT_LE(gpu.sm.sharedBytesPerProgram + gpu.sm.sharedBytesReserved, gpu.sm.sharedBytes) << gpu.id;
}

// Peak fp32 rate in TFLOP/s as the vendor prints it: SMs * lanes * 2 * boost clock. It ties the number of SMs
// and the clock to a third figure of the same data sheet.
TEST(GpuTable, SmsAndClockGiveTheRateOfTheDataSheet) {
  struct Row {
    std::string_view id;
    int lanesPerSm;
    double teraflops;
  };
  for (Row row : {Row{"t4", 64, 8.1}, Row{"a100", 64, 19.5}, Row{"rtx-3060", 128, 12.7},
                  Row{"rtx-4070", 128, 29.15}, Row{"rtx-4090", 128, 82.6}, Row{"l4", 128, 30.3},
                  Row{"h100", 128, 66.9}, Row{"h200", 128, 66.9}, Row{"rtx-5090", 128, 104.8}}) {
    const Gpu *gpu = findGpu(row.id);
    ASSERT_NE(gpu, nullptr) << row.id;
    double computed = gpu->sms * row.lanesPerSm * 2 * gpu->boostClockGHz / 1000;
    EXPECT_NEAR(computed / row.teraflops, 1.0, 0.01) << row.id;
  }
}

// The same for memory: width of the bus in bits times the rate of a pin in Gbit/s, as data sheets have them.
TEST(GpuTable, BandwidthIsThatOfTheBus) {
  struct Row {
    std::string_view id;
    int bits;
    double gigabits;
  };
  const Row rows[] = {{"t4", 256, 10},       {"a100", 5120, 3.186}, {"rtx-3060", 192, 15},
                      {"rtx-4070", 192, 21}, {"rtx-4090", 384, 21}, {"l4", 192, 12.5},
                      {"h100", 5120, 5.23},  {"h200", 6144, 6.25},  {"b200", 8192, 8},
                      {"rtx-5090", 512, 28}};
  EXPECT_EQ(std::size(rows), gpus().size());
  for (const Row &row : rows) {
    const Gpu *gpu = findGpu(row.id);
    ASSERT_NE(gpu, nullptr) << row.id;
    EXPECT_NEAR(row.bits * row.gigabits / 8 / gpu->bandwidthGBs, 1.0, 0.03) << row.id;
  }
}

} // namespace
} // namespace tilescope::model
