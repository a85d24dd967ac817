// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access plans: by hand for layouts of examples, and by their properties for random ones.
#include "compiler/Model/AccessPlan.h"

#include "compiler/Layout/Constructors.h"
#include "tests/Layout/PointTable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilescope::model {
namespace {

using namespace layout;
using testing::ElementsAre;

using Sizes = std::vector<int64_t>;

LinearLayout row(int64_t size, int64_t perThread, int64_t warps) {
  return blocked(Sizes{size}, {{perThread}, {32}, {warps}, {0}});
}

TEST(AccessPlan, ARowInSixteenByteInstructions) {
  const AccessPlan plan = planAccess(row(1024, 4, 4), 4, AccessKind::Load, 0, 16);
  EXPECT_EQ(plan.vectorElements(), 4u);
  EXPECT_EQ(plan.widthBytes(), 16u);
  EXPECT_EQ(plan.instructions(), 2u);
  EXPECT_EQ(plan.warps(), 4u);
  EXPECT_THAT(plan.elements(0, 0, 1)->all(), ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(plan.elements(1, 2, 3)->all(), ElementsAre(780, 781, 782, 783)); // 512 + 2 * 128 + 3 * 4
}

TEST(AccessPlan, AlignmentLimitsTheWidthOfAnInstruction) {
  const AccessPlan plan = planAccess(row(1024, 4, 4), 4, AccessKind::Load, 0, 1);
  EXPECT_EQ(plan.widthBytes(), 4u);
  EXPECT_EQ(plan.instructions(), 8u);
  EXPECT_THAT(plan.elements(1, 0, 1)->all(), ElementsAre(5));
  EXPECT_EQ(planAccess(row(1024, 4, 4), 4, AccessKind::Load, 0, 2).widthBytes(), 8u);
}

TEST(AccessPlan, SixteenBytesAreTheMost) {
  EXPECT_EQ(planAccess(row(4096, 16, 4), 4, AccessKind::Load, 0, 16).vectorElements(), 4u);
  EXPECT_EQ(planAccess(row(4096, 16, 4), 2, AccessKind::Load, 0, 16).vectorElements(), 8u);
  EXPECT_EQ(planAccess(row(4096, 16, 4), 1, AccessKind::Load, 0, 16).vectorElements(), 16u);
}

// The accumulator of mma.sync has pairs of columns in a thread.
TEST(AccessPlan, ThreadsThatHoldPairsAccessPairs) {
  const LinearLayout accumulator = mmaAccumulator(Sizes{32, 32}, {.warpsM = 2, .warpsN = 2});
  EXPECT_EQ(planAccess(accumulator, 2, AccessKind::Store, 1, 8).widthBytes(), 4u);
  EXPECT_EQ(planAccess(accumulator, 2, AccessKind::Store, 0, 8).widthBytes(), 2u);
  EXPECT_EQ(planAccessOfWidth(accumulator, 2, AccessKind::Store, 1, 4), std::nullopt);
}

// Register 1 of a thread is the neighbour of register 0, but 32 further on as well.
TEST(AccessPlan, ARegisterThatMovesFurtherIsNoNeighbour) {
  const LinearLayout mixed({{Dim::Register, 1}, {Dim::Lane, 5}}, {{tileDim(0), 6}}, {33, 2, 4, 8, 16, 32});
  EXPECT_EQ(planAccess(mixed, 4, AccessKind::Load, 0, 4).vectorElements(), 1u);
}

// Register bit 2 moves by 3, the sum of bits 0 and 1: registers 4 to 7 hold what 3 to 0 do.
TEST(AccessPlan, AReplicaTakesTheRegisterOfItsElement) {
  const LinearLayout mixed({{Dim::Register, 3}, {Dim::Lane, 5}}, {{tileDim(0), 7}},
                           {1, 2, 3, 4, 8, 16, 32, 64});
  const AccessPlan plan = planAccess(mixed, 4, AccessKind::Load, 0, 4);
  EXPECT_EQ(plan.vectorElements(), 4u);
  EXPECT_EQ(plan.instructions(), 1u);
  EXPECT_EQ(plan.sourceRegister(2), 2u);
  EXPECT_EQ(plan.sourceRegister(4), 3u);
  EXPECT_EQ(plan.sourceRegister(6), 1u);
}

TEST(AccessPlan, ReplicasLoadAndDoNotStore) {
  const LinearLayout small = row(32, 1, 4); // warps 1 to 3 hold what warp 0 has
  const AccessPlan load = planAccess(small, 4, AccessKind::Load, 0, 1);
  const AccessPlan store = planAccess(small, 4, AccessKind::Store, 0, 1);
  EXPECT_TRUE(load.isReplica(1, 0));
  EXPECT_THAT(load.elements(0, 3, 5)->all(), ElementsAre(5));
  EXPECT_THAT(store.elements(0, 0, 5)->all(), ElementsAre(5));
  EXPECT_FALSE(store.elements(0, 3, 5).has_value());
  EXPECT_FALSE(planAccess(small, 4, AccessKind::Atomic, 0, 1).elements(0, 1, 0).has_value());
}

TEST(AccessPlan, AScalarIsStoredByOneLane) {
  unsigned lanes = 0;
  forEachAccess(planAccess(LinearLayout::zeros(Dim::Warp, tileDim(0), 2), 4, AccessKind::Store, 0, 1),
                [&](unsigned, unsigned, unsigned, const LaneElements &) { ++lanes; });
  EXPECT_EQ(lanes, 1u);
}

/// Any layout of a tile of 2^rowBits times 2^columnBits that reaches all of it.
class RandomPlans : public testing::TestWithParam<unsigned> {
protected:
  void SetUp() override {
    RandomLayouts random(GetParam());
    const unsigned rowBits = unsigned(random.below(5)), columnBits = unsigned(random.below(6));
    const unsigned lanes = 5, warps = unsigned(random.below(3));
    const unsigned needed = rowBits + columnBits;
    const unsigned registers = std::max(needed, lanes + warps) - (lanes + warps) + unsigned(random.below(3));
    if (random.below(2)) {
      layout = random.surjective({{Dim::Register, registers}, {Dim::Lane, lanes}, {Dim::Warp, warps}},
                                 {{tileDim(0), rowBits}, {tileDim(1), columnBits}});
    } else {
      auto power = [&](unsigned bits) { return int64_t(1) << random.below(bits + 1); };
      const int64_t lanesAcross = power(5);
      layout = blocked(Sizes{int64_t(1) << rowBits, int64_t(1) << columnBits},
                       {{power(2), power(3)}, {32 / lanesAcross, lanesAcross}, {1, 1 << warps}, {1, 0}});
    }
    aligned = 1u << random.below(5);
    bytes = 1u << random.below(4);
  }
  AccessPlan plan(AccessKind kind) const { return planAccess(layout, bytes, kind, 1, aligned); }

  LinearLayout layout;
  unsigned aligned = 1, bytes = 1;
};

TEST_P(RandomPlans, ElementsAreThoseOfTheLayoutAndNeighbours) {
  const AccessPlan load = plan(AccessKind::Load);
  EXPECT_LE(load.widthBytes(), 16u);
  EXPECT_LE(load.vectorElements(), aligned);
  forEachAccess(load, [&](unsigned instruction, unsigned warp, unsigned lane, const LaneElements &elements) {
    ASSERT_EQ(elements.first() % load.vectorElements(), 0u);
    for (unsigned index = 0; index < elements.count; ++index) {
      const std::vector<Coordinate> place = {
          {Dim::Register, load.registerOf(instruction, index)}, {Dim::Lane, lane}, {Dim::Warp, warp}};
      ASSERT_EQ(elements.numbers[index], layout.packOutput(layout.apply(place)));
      ASSERT_EQ(elements.numbers[index], elements.first() + index); // dim1 is the fastest in the tile
    }
  });
}

TEST_P(RandomPlans, EveryRegisterHasOneThatIsLoaded) {
  const AccessPlan load = plan(AccessKind::Load);
  std::set<unsigned> loaded;
  for (unsigned instruction = 0; instruction < load.instructions(); ++instruction)
    for (unsigned element = 0; element < load.vectorElements(); ++element)
      loaded.insert(load.registerOf(instruction, element));
  for (unsigned number = 0; number < layout.inputSize(Dim::Register); ++number) {
    const unsigned source = load.sourceRegister(number);
    EXPECT_TRUE(loaded.contains(source));
    EXPECT_EQ(source == number, loaded.contains(number));
    EXPECT_EQ(layout.apply(source), layout.apply(number)); // registers are the lowest bits
  }
}

TEST_P(RandomPlans, StoresWriteEveryElementOnce) {
  std::vector<unsigned> written(layout.outputSize(), 0);
  forEachAccess(plan(AccessKind::Store), [&](unsigned, unsigned, unsigned, const LaneElements &elements) {
    for (uint64_t number : elements.all())
      ++written[number];
  });
  EXPECT_THAT(written, testing::Each(1u));
}

TEST_P(RandomPlans, LoadsGiveEveryThreadAllThatItsLayoutHolds) {
  std::map<std::pair<unsigned, unsigned>, std::set<uint64_t>> loaded;
  forEachAccess(plan(AccessKind::Load),
                [&](unsigned, unsigned warp, unsigned lane, const LaneElements &elements) {
                  loaded[{warp, lane}].insert(elements.all().begin(), elements.all().end());
                });
  std::map<std::pair<unsigned, unsigned>, std::set<uint64_t>> held;
  for (const auto &[place, element] : tableOf(layout))
    held[{unsigned(place.at(Dim::Warp)), unsigned(place.at(Dim::Lane))}].insert(
        layout.packOutput(coordinates(element)));
  EXPECT_EQ(loaded, held);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPlans, testing::Range(0u, 30u));

} // namespace
} // namespace tilescope::model
