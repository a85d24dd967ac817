// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions, carried out: every register of the result ends with its element.
#include "compiler/Layout/Conversion.h"

#include "tests/Layout/PointTable.h"
#include "tests/Layout/SlowCount.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>

namespace tilescope::layout {
namespace {

using Sizes = std::vector<int64_t>;

struct Place {
  uint64_t reg = 0, lane = 0, warp = 0;
};

uint64_t apply(const LinearLayout &layout, Place place) {
  const Coordinate input[] = {{Dim::Register, place.reg}, {Dim::Lane, place.lane}, {Dim::Warp, place.warp}};
  return layout.packOutput(layout.apply(input));
}

/// Calls `visit` for each thread of a layout.
template <typename Visit> void eachThread(const LinearLayout &layout, Visit visit) {
  for (uint64_t warp = 0; warp < layout.inputSize(Dim::Warp); ++warp)
    for (uint64_t lane = 0; lane < layout.inputSize(Dim::Lane); ++lane)
      visit(lane, warp);
}

void expectWithinThread(const LinearLayout &operand, const LinearLayout &result,
                        const Conversion &conversion) {
  eachThread(result, [&](uint64_t lane, uint64_t warp) {
    for (uint64_t reg = 0; reg < result.inputSize(Dim::Register); ++reg) {
      const Coordinate input[] = {{Dim::Register, reg}, {Dim::Lane, lane}, {Dim::Warp, warp}};
      const Point source = point(conversion.sources.apply(input));
      EXPECT_EQ(source.at(Dim::Lane), lane);
      EXPECT_EQ(source.at(Dim::Warp), warp);
      EXPECT_EQ(apply(operand, {source.at(Dim::Register), lane, warp}), apply(result, {reg, lane, warp}));
    }
  });
}

/// The register of element `element` of word `word`.
uint64_t registerOf(const std::vector<PackedBit> &packed, unsigned PackedBit::*side, uint64_t word,
                    uint64_t element) {
  std::set<unsigned> bits;
  uint64_t reg = 0;
  for (std::size_t i = 0; i < packed.size(); ++i) {
    bits.insert(packed[i].*side);
    reg |= (element >> i & 1) << packed[i].*side;
  }
  for (unsigned bit = 0; word != 0; ++bit)
    if (!bits.count(bit)) {
      reg |= (word & 1) << bit;
      word >>= 1;
    }
  return reg;
}

/// Whether the last bits of a round are those bits of a lane that take turns.
bool hasTurn(const Shuffles &plan, uint64_t round, uint64_t lane) {
  uint64_t turn = plan.rounds >> std::popcount(plan.turns);
  for (unsigned bit = 0; bit < 5; ++bit)
    if (plan.turns >> bit & 1) {
      if ((lane >> bit & 1) != ((round & turn) != 0))
        return false;
      turn *= 2;
    }
  return true;
}

void expectShuffles(const LinearLayout &operand, const LinearLayout &result, const Shuffles &plan,
                    unsigned bits) {
  EXPECT_LE(bits << plan.packed.size(), std::max(bits, 32u));
  std::vector<bool> isLocal(plan.rounds, true);
  eachThread(result, [&](uint64_t lane, uint64_t warp) {
    std::set<uint64_t> filled;
    for (uint64_t round = 0; round < plan.rounds; ++round) {
      if (!hasTurn(plan, round, lane))
        continue;
      const uint64_t from = apply(plan.from, {round, lane, warp});
      const uint64_t sent = apply(plan.send, {round, from, warp}), to = apply(plan.fill, {round, lane, warp});
      isLocal[round] = isLocal[round] && from == lane;
      for (uint64_t element = 0; element < uint64_t(1) << plan.packed.size(); ++element) {
        const uint64_t reg = registerOf(plan.packed, &PackedBit::result, to, element);
        EXPECT_EQ(apply(operand, {registerOf(plan.packed, &PackedBit::operand, sent, element), from, warp}),
                  apply(result, {reg, lane, warp}));
        EXPECT_TRUE(filled.insert(reg).second);
      }
    }
    EXPECT_EQ(filled.size(), result.inputSize(Dim::Register));
  });
  EXPECT_EQ(plan.localRounds, std::ranges::count(isLocal, true));
  EXPECT_EQ(plan.instructions, (plan.rounds - plan.localRounds) * (bits == 64 ? 2 : 1));
}

void expectExchange(const LinearLayout &operand, const LinearLayout &result, const SharedExchange &exchange,
                    unsigned bits) {
  EXPECT_EQ(exchange.bytes, operand.outputSize() * bits / 8);
  std::set<uint64_t> offsets;
  for (uint64_t offset = 0; offset < exchange.shared.inputSize(); ++offset)
    offsets.insert(exchange.shared.apply(offset));
  EXPECT_EQ(offsets.size(), operand.outputSize());
  auto slow = [&](const LinearLayout &registers, const SharedAccess &access, Direction direction) {
    EXPECT_EQ(SlowCount(registers, exchange.shared, bits).wavefronts(access.vector, direction),
              std::vector<unsigned>(access.instructions, access.wavefronts));
  };
  EXPECT_EQ(exchange.store.conflicts() + exchange.load.conflicts(), 0u);
  slow(operand, exchange.store, Direction::Store);
  slow(result, exchange.load, Direction::Load);
}

/// Carries a conversion out by what it says it is.
Movement expectConverts(const LinearLayout &operand, const LinearLayout &result, unsigned bits) {
  const Conversion conversion = convert(operand, result, bits);
  EXPECT_EQ(conversion.shuffles.has_value(), conversion.movement == Movement::WithinWarp);
  EXPECT_EQ(conversion.exchange.has_value(), conversion.movement == Movement::AcrossWarps);
  switch (conversion.movement) {
  case Movement::None:
    EXPECT_EQ(operand, result);
    break;
  case Movement::WithinThread:
    expectWithinThread(operand, result, conversion);
    break;
  case Movement::WithinWarp:
    expectShuffles(operand, result, *conversion.shuffles, bits);
    break;
  case Movement::AcrossWarps:
    expectExchange(operand, result, *conversion.exchange, bits);
    break;
  }
  return conversion.movement;
}

/// Whether each thread (or warp) of the result finds its elements in the same one of the operand.
bool finds(const LinearLayout &operand, const LinearLayout &result, bool inThread) {
  std::map<std::pair<uint64_t, uint64_t>, std::set<uint64_t>> held;
  auto key = [&](uint64_t lane, uint64_t warp) { return std::pair(warp, inThread ? lane : 0); };
  eachThread(operand, [&](uint64_t lane, uint64_t warp) {
    for (uint64_t reg = 0; reg < operand.inputSize(Dim::Register); ++reg)
      held[key(lane, warp)].insert(apply(operand, {reg, lane, warp}));
  });
  bool all = true;
  eachThread(result, [&](uint64_t lane, uint64_t warp) {
    for (uint64_t reg = 0; reg < result.inputSize(Dim::Register); ++reg)
      all &= held[key(lane, warp)].count(apply(result, {reg, lane, warp})) > 0;
  });
  return all;
}

// Bijections of a warp's registers and lanes never need shared memory.
TEST(Conversion, ShufflesDoAnyBijectionOfAWarp) {
  RandomLayouts random(51);
  std::set<unsigned> rounds;
  for (int round = 0; round < 60; ++round) {
    const std::vector<Extent> warp{{Dim::Register, unsigned(random.below(4))}, {Dim::Lane, 5}};
    const unsigned bits = warp[0].bits + 5;
    const LinearLayout one = LinearLayout::identity(Dim::Warp, tileDim(0), 1);
    const LinearLayout operand = random.surjective(warp, {{tileDim(0), bits}}) * one;
    const LinearLayout result = random.surjective(warp, {{tileDim(0), bits}}) * one;
    const unsigned width = 8u << random.below(4);
    EXPECT_EQ(expectConverts(operand, result, width), Movement::WithinWarp);
    rounds.insert(convert(operand, result, width).shuffles->rounds);
  }
  EXPECT_GE(rounds.size(), 4u);
}

// With copies anywhere: what movement it is follows from who holds what.
TEST(Conversion, OfAnyTwoLayouts) {
  RandomLayouts random(52);
  std::map<Movement, int> count;
  int turns = 0;
  for (int round = 0; round < 120; ++round) {
    const std::vector<Extent> tile{{tileDim(0), 3}, {tileDim(1), unsigned(random.below(4))}};
    auto some = [&] {
      const std::vector<Extent> threads{{Dim::Register, 2}, {Dim::Lane, 5}, {Dim::Warp, 1}};
      return withoutCopies(random.surjective(threads, tile));
    };
    const LinearLayout operand = some();
    LinearLayout result = some();
    if (random.below(6) == 0) { // its threads with their registers mixed
      const std::vector<Extent> registers{{Dim::Register, operand.inputBits(Dim::Register)}};
      result = (random.surjective(registers, registers) * LinearLayout::identity(Dim::Lane, Dim::Lane, 5) *
                LinearLayout::identity(Dim::Warp, Dim::Warp, 1))
                   .compose(operand);
    }
    const unsigned bits = 8u << random.below(4);
    const Movement movement = expectConverts(operand, result, bits);
    if (operand == result)
      EXPECT_EQ(movement, Movement::None);
    else if (finds(operand, result, true))
      EXPECT_EQ(movement, Movement::WithinThread);
    else
      EXPECT_EQ(movement, finds(operand, result, false) ? Movement::WithinWarp : Movement::AcrossWarps);
    ++count[movement];
    turns += movement == Movement::WithinWarp && convert(operand, result, bits).shuffles->turns != 0;
  }
  EXPECT_EQ(count.size(), 4u);
  EXPECT_GT(turns, 10);
}

TEST(Conversion, NoneBetweenAnAccumulatorAndTheNextOperand) {
  const LinearLayout accumulator = wgmmaAccumulator(Sizes{64, 64}, {4, 1}, 64);
  EXPECT_EQ(convert(accumulator, wgmmaOperand(Sizes{64, 64}, {4, 1}, 16), 16).movement, Movement::None);
}

TEST(Conversion, RegistersAlone) {
  const LinearLayout operand = blocked(Sizes{64, 64}, {{1, 4}, {4, 8}, {4, 1}, {1, 0}});
  // The same threads with their registers the other way round.
  std::vector<uint64_t> turned(operand.columns().begin(), operand.columns().end());
  std::reverse(turned.begin(), turned.begin() + operand.inputBits(Dim::Register));
  const LinearLayout result({operand.inputs().begin(), operand.inputs().end()},
                            {operand.outputs().begin(), operand.outputs().end()}, turned);
  EXPECT_EQ(expectConverts(operand, result, 32), Movement::WithinThread);
}

// A bit of registers and one of lanes change places: half of the words stay where they are.
TEST(Conversion, AnExchangeOfNeighbours) {
  auto layout = [](std::vector<uint64_t> columns) {
    return LinearLayout({{Dim::Register, 2}, {Dim::Lane, 5}, {Dim::Warp, 0}}, {{tileDim(0), 7}}, columns);
  };
  const LinearLayout operand = layout({1, 2, 4, 8, 16, 32, 64});
  const Conversion conversion = convert(operand, layout({4, 2, 1, 8, 16, 32, 64}), 32);
  ASSERT_EQ(conversion.movement, Movement::WithinWarp);
  EXPECT_EQ(conversion.shuffles->rounds, 4u);
  EXPECT_EQ(conversion.shuffles->localRounds, 2u);
  EXPECT_EQ(conversion.shuffles->instructions, 2u);
  // Two elements of 16 bits travel in one word.
  EXPECT_EQ(convert(operand, layout({4, 2, 1, 8, 16, 32, 64}), 16).shuffles->instructions, 1u);
  // All lanes shifted: nothing stays.
  EXPECT_EQ(convert(operand, layout({1, 2, 8, 16, 32, 64, 4}), 32).shuffles->instructions, 4u);
}

TEST(Conversion, ATransposeGoesThroughSharedMemoryWithoutConflicts) {
  const LinearLayout rows = blocked(Sizes{64, 64}, {{1, 4}, {4, 8}, {4, 1}, {1, 0}}),
                     columns = blocked(Sizes{64, 64}, {{4, 1}, {8, 4}, {1, 4}, {0, 1}});
  EXPECT_EQ(expectConverts(rows, columns, 32), Movement::AcrossWarps);
  const SharedExchange exchange = *convert(rows, columns, 32).exchange;
  EXPECT_EQ(exchange.bytes, 64 * 64 * 4u);
  // Both have columns 32 apart, and rows 32 apart, in one thread: those four are a vector.
  EXPECT_EQ(exchange.store.vector, 4u);
  EXPECT_EQ(exchange.load.vector, 4u);
}

} // namespace
} // namespace tilescope::layout
