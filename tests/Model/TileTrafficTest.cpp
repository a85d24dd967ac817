// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests and sectors of tiles: counted by class, they are what a set of the sectors of every request has.
#include "compiler/Model/TileTraffic.h"

#include "compiler/Layout/Constructors.h"
#include "tests/Layout/PointTable.h"
#include "tests/Model/TileElements.h"

#include <gtest/gtest.h>

#include <set>

namespace tilescope::model {
namespace {

using namespace layout;

/// The slow count, byte by byte.
TileCounts slowCount(const AccessPlan &plan, const TileElements &elements) {
  std::map<std::pair<unsigned, unsigned>, std::set<uint64_t>> bytes; // of each (instruction, warp)
  forEachAccess(plan, [&](unsigned instruction, unsigned warp, unsigned, const LaneElements &lane) {
    for (uint64_t number : lane.all())
      if (elements.mask[number])
        for (unsigned byte = 0; byte < plan.elementBytes; ++byte)
          bytes[{instruction, warp}].insert(elements.addresses[number] + byte);
  });
  TileCounts counts{.instructions = plan.instructions() * plan.warps()};
  for (const auto &[request, touched] : bytes) {
    std::set<uint64_t> sectors;
    for (uint64_t byte : touched)
      sectors.insert(byte / 32);
    counts.global += {1, std::ssize(sectors), std::ssize(touched)};
  }
  return counts;
}

/// A layout of a tile of 32 rows, with copies or without.
LinearLayout someLayout(RandomLayouts &random, int64_t columns) {
  const std::vector<int64_t> shape = {32, columns};
  auto power = [&](unsigned bits) { return int64_t(1) << random.below(bits + 1); };
  switch (random.below(3)) {
  case 0:
    return mmaAccumulator(shape, {.warpsM = 2, .warpsN = 2});
  case 1: {
    const unsigned bits = unsigned(std::countr_zero(uint64_t(columns)));
    return random.surjective({{Dim::Register, bits}, {Dim::Lane, 5}, {Dim::Warp, 2}},
                             {{tileDim(0), 5}, {tileDim(1), bits}});
  }
  default: {
    const int64_t across = power(5), warpsAcross = power(2);
    std::vector<unsigned> order = {1, 0};
    random.shuffle(order);
    return blocked(shape,
                   {{power(1), power(3)}, {32 / across, across}, {4 / warpsAcross, warpsAcross}, order});
  }
  }
}

class TileTrafficOf : public testing::TestWithParam<unsigned> {};

TEST_P(TileTrafficOf, RandomTilesIsTheSlowCount) {
  RandomLayouts layouts(GetParam());
  std::mt19937 random(GetParam());
  const std::vector<int64_t> shape = {32, 16};
  const unsigned bytes = 1u << random() % 4;
  const auto kind = AccessKind(random() % 3);
  TileTraffic traffic(planAccess(someLayout(layouts, shape[1]), bytes, kind, 1, 1u << random() % 4));
  const auto vector = int64_t(traffic.plan().vectorElements());
  for (int round = 0; round < 4; ++round) {
    RegularTile tile = randomTile(random, shape, bytes);
    if (vector > 1) { // what the plan was promised
      const int64_t width = vector * bytes;
      tile.start = tile.start / width * width;
      tile.axes[0].stride = tile.axes[0].stride / width * width;
      tile.axes[1] = {bytes, tile.axes[1].begin / vector * vector, tile.axes[1].end / vector * vector};
    }
    const TileElements elements(shape, tile);
    const TileCounts wanted = slowCount(traffic.plan(), elements);
    ASSERT_EQ(traffic.count(tile), wanted);
    ASSERT_EQ(traffic.count(elements.addresses, elements.mask), wanted);
    // The same class, further on: counted already.
    const size_t classes = traffic.classes();
    tile.start += 32 * (random() % 1000);
    ASSERT_EQ(traffic.count(tile), slowCount(traffic.plan(), TileElements(shape, tile)));
    ASSERT_EQ(traffic.classes(), classes);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, TileTrafficOf, testing::Range(0u, 30u));

TEST(TileTraffic, AScalar) {
  TileTraffic load(planAccess(LinearLayout::zeros(Dim::Warp, tileDim(0), 2), 4, AccessKind::Load, 0, 1));
  TileTraffic store(planAccess(LinearLayout::zeros(Dim::Warp, tileDim(0), 2), 4, AccessKind::Store, 0, 1));
  const RegularTile one{.start = 1024, .axes = {{{0, 0, 1}}}, .rank = 1};
  EXPECT_EQ(load.count(one), (TileCounts{4, {4, 4, 16}})); // every warp needs it
  EXPECT_EQ(store.count(one), (TileCounts{4, {1, 1, 4}}));
}

TEST(TileTraffic, GathersAreCountedLaneByLane) {
  TileTraffic traffic(
      planAccess(blocked(std::vector<int64_t>{128}, {{1}, {32}, {4}, {0}}), 4, AccessKind::Load, 0, 1));
  std::vector<uint64_t> addresses(128);
  for (size_t i = 0; i < 128; ++i)
    addresses[i] = i < 32 ? i * 4096 : i < 64 ? 64 : i % 32 * 4;
  EXPECT_EQ(traffic.count(addresses, {}), (TileCounts{4, {4, 32 + 1 + 4 + 4, 128 + 4 + 128 + 128}}));
}

// A million programs of a vector add: 16-byte loads, whole sectors.
TEST(TileTraffic, AMillionProgramsAreOneClass) {
  constexpr uint64_t programs = 1'000'000;
  TileTraffic traffic(
      planAccess(blocked(std::vector<int64_t>{1024}, {{4}, {32}, {4}, {0}}), 4, AccessKind::Load, 0, 4));
  TileCounts total;
  for (uint64_t program = 0; program < programs; ++program)
    total += traffic.count(RegularTile{.start = program * 4096, .axes = {{{4, 0, 1024}}}, .rank = 1});
  EXPECT_EQ(total, (TileCounts{8 * programs, {8 * programs, 128 * programs, 4096 * programs}}));
  EXPECT_EQ(traffic.classes(), 1u);
}

} // namespace
} // namespace tilescope::model
