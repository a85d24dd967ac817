// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Occupancy by hand: figures of the mock-ups and of the specification.
#include "compiler/Model/Occupancy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilescope::model {
namespace {

using testing::ElementsAre;

const SmLimits &h200() { return findGpu("h200")->sm; }

TEST(Occupancy, WithoutRegistersOnlyWarpsAndProgramsLimit) {
  Occupancy result = occupancy(h200(), {.warps = 4});
  EXPECT_EQ(result.programsPerSm, 16);
  EXPECT_THAT(result.binding, ElementsAre(Limit::Warps));
  EXPECT_EQ(result.byPrograms, 32);
  EXPECT_FALSE(result.byRegisters.has_value());
  EXPECT_FALSE(result.registersKnown);
  EXPECT_FALSE(result.sharedMemoryKnown);
}

TEST(Occupancy, OneWarpProgramsAreLimitedByTheNumberOfPrograms) {
  Occupancy result = occupancy(findGpu("rtx-3060")->sm, {.warps = 1});
  EXPECT_EQ(result.byWarps, 48);
  EXPECT_EQ(result.programsPerSm, 16);
  EXPECT_THAT(result.binding, ElementsAre(Limit::Programs));
}

// The softmax of the mock-up sm-map-softmax: 29 registers a thread, 32 bytes of shared memory.
TEST(Occupancy, SoftmaxOnH200) {
  Occupancy result = occupancy(h200(), {.warps = 4, .registersPerThread = 29, .sharedBytes = 32});
  EXPECT_EQ(result.byWarps, 16);
  EXPECT_EQ(result.byRegisters, 16);
  EXPECT_EQ(result.byPrograms, 32);
  EXPECT_EQ(result.bySharedMemory, 202);
  EXPECT_EQ(result.programsPerSm, 16);
  EXPECT_THAT(result.binding, ElementsAre(Limit::Warps, Limit::Registers));
  EXPECT_TRUE(result.registersKnown);
}

// The blocks that were measured: 200, 100 and 50 KiB of shared memory leave room for one, two and four.
TEST(Occupancy, SharedMemoryCountsWhatTheSystemReserves) {
  for (auto [kib, programs] : {std::pair{200, 1}, {100, 2}, {50, 4}}) {
    Occupancy result = occupancy(h200(), {.warps = 4, .sharedBytes = kib * 1024});
    EXPECT_EQ(result.programsPerSm, programs) << kib;
    EXPECT_THAT(result.binding, ElementsAre(Limit::SharedMemory));
  }
}

TEST(Occupancy, WhatDoesNotFitGivesNone) {
  EXPECT_EQ(occupancy(h200(), {.warps = 4, .sharedBytes = 227 * 1024}).programsPerSm, 1);
  EXPECT_EQ(occupancy(h200(), {.warps = 4, .sharedBytes = 227 * 1024 + 1}).programsPerSm, 0);
  EXPECT_EQ(occupancy(h200(), {.warps = 32, .registersPerThread = 65}).programsPerSm, 0);
  EXPECT_EQ(occupancy(h200(), {.warps = 8, .registersPerThread = 257}).programsPerSm, 0);
}

} // namespace
} // namespace tilescope::model
