// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wavefronts of shared memory: what Nsight Compute counted on an H200, and a slow count over the words of
// every lane.
#include "compiler/Layout/Conflicts.h"

#include "compiler/Layout/Constructors.h"
#include "tests/Layout/PointTable.h"

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

/// The slow count. Elements of a thread are cut into aligned pieces of `vector`; the n-th pieces of all
/// lanes, in the order of registers, are an instruction.
class SlowCount {
public:
  SlowCount(const LinearLayout &registers, const LinearLayout &shared, unsigned bits) : m_bytes(bits / 8) {
    std::vector<uint64_t> offsets(shared.outputSize()); // of elements
    for (uint64_t offset = 0; offset < shared.inputSize(); ++offset)
      offsets[shared.apply(offset)] = offset;
    m_offsets.resize(32 * registers.inputSize(Dim::Warp));
    for (uint64_t lane = 0; lane < m_offsets.size(); ++lane)
      for (uint64_t reg = 0; reg < registers.inputSize(Dim::Register); ++reg)
        m_offsets[lane].push_back(offsets[registers.apply(reg | lane << registers.inputBits(Dim::Register))]);
  }

  /// Whether `vector` registers are neighbours everywhere: for each of its bits there is one of registers
  /// that moves by as much, from an offset that lacks it.
  bool isVector(uint64_t vector) const {
    for (uint64_t step = 1; step < vector; step *= 2) {
      auto moves = [&](std::size_t bit) {
        for (const std::vector<uint64_t> &lane : m_offsets)
          for (std::size_t reg = 0; reg < lane.size(); ++reg)
            if (!(reg & bit) && ((lane[reg] & step) != 0 || lane[reg | bit] != lane[reg] + step))
              return false;
        return true;
      };
      bool any = false;
      for (std::size_t bit = 1; bit < m_offsets[0].size() && !any; bit *= 2)
        any = moves(bit);
      if (!any)
        return false;
    }
    return true;
  }

  std::vector<unsigned> wavefronts(uint64_t vector, Direction direction) const {
    std::vector<unsigned> result;
    std::set<uint64_t> done;
    for (std::size_t reg = 0; reg < m_offsets[0].size(); ++reg) {
      std::vector<uint64_t> starts; // bytes, lane by lane
      for (std::size_t lane = 0; lane < 32; ++lane)
        starts.push_back(m_offsets[lane][reg] / vector * vector * m_bytes);
      if (done.insert(starts[0]).second)
        result.push_back(instruction(starts, vector * m_bytes, direction));
    }
    return result;
  }

private:
  static unsigned instruction(std::vector<uint64_t> starts, uint64_t width, Direction direction) {
    const uint64_t unit = std::max<uint64_t>(width, 4);
    if (direction == Direction::Load) { // lanes that read the same words share them
      std::vector<uint64_t> distinct;
      std::set<uint64_t> seen;
      for (uint64_t start : starts)
        if (seen.insert(start / unit).second)
          distinct.push_back(start);
      starts = distinct;
    }
    unsigned total = 0;
    for (std::size_t first = 0; first < starts.size(); first += 128 / unit) {
      std::map<uint64_t, std::set<uint64_t>> banks;
      for (std::size_t lane = first; lane < std::min<std::size_t>(first + 128 / unit, starts.size()); ++lane)
        for (uint64_t byte = 0; byte < width; byte += 4)
          banks[(starts[lane] + byte) / 4 % 32].insert((starts[lane] + byte) / 4);
      std::size_t most = 0;
      for (auto &[bank, words] : banks)
        most = std::max(most, words.size());
      total += unsigned(most);
    }
    return total;
  }

  uint64_t m_bytes;
  std::vector<std::vector<uint64_t>> m_offsets; ///< of each register of each thread, in elements
};

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

TEST(Conflicts, AgreeWithASlowCount) {
  RandomLayouts random(41);
  std::set<unsigned> vectors, wavefronts;
  for (int round = 0; round < 100; ++round) {
    const unsigned bits = 8u << random.below(4);
    const LinearLayout registers = someRegisters(random), shared = someShared(random);
    const SlowCount slow(registers, shared, bits);
    for (Direction direction : {Direction::Load, Direction::Store}) {
      const SharedAccess access = sharedAccess(registers, shared, bits, direction);
      EXPECT_TRUE(slow.isVector(access.vector));
      EXPECT_TRUE(access.vector * bits == 128 || !slow.isVector(access.vector * 2));
      EXPECT_EQ(slow.wavefronts(access.vector, direction),
                std::vector<unsigned>(access.instructions, access.wavefronts));
      vectors.insert(access.vector);
      wavefronts.insert(access.wavefronts);
    }
  }
  EXPECT_GE(vectors.size(), 4u);
  EXPECT_GE(wavefronts.size(), 5u);
}

} // namespace
} // namespace tilescope::layout
