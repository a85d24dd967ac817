// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wavefronts of shared memory: what Nsight Compute counted on an H200, and a slow count over the words of
// every lane.
#include "compiler/Layout/Conflicts.h"

#include "compiler/Layout/Constructors.h"
#include "compiler/Model/SharedAccess.h"
#include "tests/Layout/PointTable.h"
#include "tests/Layout/SlowCount.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace tilescope::layout {
namespace {

using Sizes = std::vector<int64_t>;

/// Lane l accesses `width` bytes at `offset(l)`, which is linear, of a memory of 32 KiB.
SharedAccess accessAt(unsigned width, const std::function<uint64_t(uint64_t)> &offset, Direction direction) {
  std::vector<uint64_t> columns;
  for (unsigned word = 1; word < width / 4; word *= 2)
    columns.push_back(word);
  const unsigned registerBits = unsigned(columns.size());
  for (unsigned lane = 1; lane < 32; lane *= 2)
    columns.push_back(offset(lane) / 4);
  return sharedAccess({{{Dim::Register, registerBits}, {Dim::Lane, 5}}, {{tileDim(0), 13}}, columns},
                      LinearLayout::identity(Dim::Offset, tileDim(0), 13), 32, direction);
}

TEST(Conflicts, WhatAnH200Counted) {
  struct Row {
    const char *pattern;
    std::function<uint64_t(uint64_t lane, uint64_t width)> offset;
    unsigned loads[3], stores[3]; ///< wavefronts of 4, 8 and 16 bytes
  };
  const Row rows[] = {
      {"o = l*W", [](auto l, auto w) { return l * w; }, {1, 2, 4}, {1, 2, 4}},
      {"o = 2*l*W", [](auto l, auto w) { return 2 * l * w; }, {2, 4, 8}, {2, 4, 8}},
      {"o = 128*l", [](auto l, auto) { return 128 * l; }, {32, 32, 32}, {32, 32, 32}},
      {"o = 0", [](auto, auto) { return uint64_t(0); }, {1, 1, 1}, {1, 2, 4}},
      {"pairs", [](auto l, auto w) { return l / 2 * w; }, {1, 1, 2}, {1, 2, 4}},
      {"swizzled rows",
       [](auto l, auto) { return 128 * (l % 8) + 16 * ((l / 8) ^ (l % 8)); },
       {4, 4, 4},
       {4, 4, 4}},
      {"two halves", [](auto l, auto w) { return l % 16 * w + l / 16 * 32 * w; }, {2, 2, 4}, {2, 2, 4}},
      {"o = 512*l", [](auto l, auto) { return 512 * l; }, {32, 32, 32}, {32, 32, 32}},
  };
  for (const Row &row : rows)
    for (unsigned i = 0; i < 3; ++i) {
      const unsigned width = 4u << i;
      auto offset = [&](uint64_t lane) { return row.offset(lane, width); };
      for (uint64_t lane = 0; lane < 32; ++lane) // the pattern is linear
        ASSERT_EQ(offset(lane) ^ offset(lane ^ 1), offset(0) ^ offset(1)) << row.pattern;
      const SharedAccess load = accessAt(width, offset, Direction::Load);
      EXPECT_EQ(load.vector, width / 4) << row.pattern;
      EXPECT_EQ(load.wavefronts, row.loads[i]) << row.pattern << ", load of " << width;
      EXPECT_EQ(accessAt(width, offset, Direction::Store).wavefronts, row.stores[i])
          << row.pattern << ", store of " << width;
    }
}

/// Layouts of a 32x64 tile, and places for it in shared memory.
LinearLayout someRegisters(RandomLayouts &random) {
  auto power = [&](unsigned bits) { return int64_t(1) << random.below(bits + 1); };
  const TensorCore warps = random.below(2) ? TensorCore{2, 1} : TensorCore{1, 2};
  switch (random.below(4)) {
  case 0:
    return mmaAccumulator(Sizes{32, 64}, warps);
  case 1:
    return mmaOperand(Sizes{32, 64}, warps, unsigned(random.below(2)), 8u << random.below(3));
  default:
    const int64_t lanes = power(5);
    return blocked(Sizes{32, 64},
                   {{power(2), power(4)},
                    {lanes, 32 / lanes},
                    {2, 1},
                    random.below(2) ? std::vector<unsigned>{0, 1} : std::vector<unsigned>{1, 0}});
  }
}

LinearLayout someShared(RandomLayouts &random) {
  if (random.below(6) == 0) // anything: every bit of the tile at some offset, mixed
    return random.surjective({{Dim::Offset, 11}}, {{tileDim(0), 5}, {tileDim(1), 6}});
  const std::vector<unsigned> order =
      random.below(2) ? std::vector<unsigned>{0, 1} : std::vector<unsigned>{1, 0};
  return sharedLayout(Sizes{32, 64}, order,
                      {1u << random.below(4), 1u << random.below(3), 1u << random.below(4)});
}

/// Wavefronts and their ideal by the model, which visits lanes.
std::pair<unsigned, unsigned> countsOfTheModel(const std::vector<uint64_t> &starts, unsigned width,
                                               Direction direction) {
  model::WarpAccess access;
  access.widthBytes = width;
  for (unsigned lane = 0; lane < 32; ++lane)
    access.set(lane, starts[lane]);
  const model::SharedCounts counts = model::sharedAccess(
      access, direction == Direction::Load ? model::SharedDirection::Load : model::SharedDirection::Store);
  return {unsigned(counts.wavefronts), unsigned(counts.ideal)};
}

TEST(Conflicts, AgreeWithASlowCountAndWithTheModel) {
  RandomLayouts random(41);
  std::set<unsigned> vectors, wavefronts;
  for (int round = 0; round < 60; ++round) {
    const unsigned bits = 8u << random.below(4);
    const LinearLayout registers = someRegisters(random), shared = someShared(random);
    const SlowCount slow(registers, shared, bits);
    for (Direction direction : {Direction::Load, Direction::Store}) {
      const SharedAccess access = sharedAccess(registers, shared, bits, direction);
      EXPECT_TRUE(slow.isVector(access.vector));
      EXPECT_TRUE(access.vector * bits == 128 || !slow.isVector(access.vector * 2));
      EXPECT_EQ(slow.wavefronts(access.vector, direction),
                std::vector<unsigned>(access.instructions, access.wavefronts));
      for (const std::vector<uint64_t> &starts : slow.instructions(access.vector))
        EXPECT_EQ(countsOfTheModel(starts, access.vector * bits / 8, direction),
                  std::pair(access.wavefronts, access.ideal));
      vectors.insert(access.vector);
      wavefronts.insert(access.wavefronts);
    }
  }
  EXPECT_GE(vectors.size(), 4u);
  EXPECT_GE(wavefronts.size(), 5u);
}

} // namespace
} // namespace tilescope::layout
