// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inverses, and the maps from one layout to another, against all points of random layouts.
#include "compiler/Layout/LinearLayout.h"

#include "tests/Layout/PointTable.h"

#include <gtest/gtest.h>

namespace tilescope::layout {
namespace {

constexpr int Rounds = 100;

TEST(ConversionMap, InversesOfBijections) {
  RandomLayouts random(21);
  for (int round = 0; round < Rounds; ++round) {
    const unsigned bits = unsigned(random.below(7));
    const LinearLayout layout = random.surjective(random.inputSpace(bits), random.tileSpace(bits));
    PointTable wanted;
    for (auto &[input, output] : tableOf(layout))
      wanted[output] = input;
    EXPECT_EQ(tableOf(layout.inverse()), wanted);
  }
}

/// For each output that is reached, the least packed input that reaches it.
std::map<uint64_t, uint64_t> leastInputs(const LinearLayout &layout) {
  std::map<uint64_t, uint64_t> least;
  for (uint64_t input = 0; input < layout.inputSize(); ++input)
    least.try_emplace(layout.apply(input), input);
  return least;
}

TEST(ConversionMap, PseudoInversesGiveTheLeastInput) {
  RandomLayouts random(22);
  int partial = 0, ambiguous = 0;
  for (int round = 0; round < Rounds; ++round) {
    const LinearLayout layout =
        random.map(random.inputSpace(unsigned(random.below(7))), random.tileSpace(unsigned(random.below(7))))
            .layout();
    const LinearLayout back = layout.pseudoInverse();
    const auto least = leastInputs(layout);
    partial += least.size() < layout.outputSize();
    ambiguous += least.size() < layout.inputSize();
    for (auto [output, input] : least)
      EXPECT_EQ(layout.packInput(back.apply(layout.unpackOutput(output))), input);
  }
  EXPECT_GT(partial, 10);
  EXPECT_GT(ambiguous, 10);
}

/// Every place of `from` goes to a place of `to` with the same element.
void expectConverts(const LinearLayout &from, const LinearLayout &to, const LinearLayout &map) {
  const PointTable source = tableOf(from), target = tableOf(to);
  for (auto &[input, place] : tableOf(map))
    EXPECT_EQ(target.at(place), source.at(input));
}

TEST(ConversionMap, LeadsToThePlacesOfTheSameElement) {
  RandomLayouts random(23);
  for (int round = 0; round < Rounds; ++round) {
    const unsigned bits = unsigned(random.below(6));
    std::vector<Extent> tile = random.tileSpace(bits);
    const LinearLayout from = random.map(random.inputSpace(unsigned(random.below(7))), tile).layout();
    random.shuffle(tile);
    const LinearLayout to = random.surjective(random.inputSpace(bits + 2), tile);
    expectConverts(from, to, from.invertAndCompose(to));
  }
}

/// Whether some place of `to` has the element of `from` at one bit of `dim`, and differs from 0 only in that
/// bit and in dimensions nearer than `dim`.
bool canStay(const LinearLayout &from, const LinearLayout &to, Dim dim, unsigned bit) {
  const Point element = point(from.unpackOutput(from.basis(dim, bit)));
  for (auto &[place, other] : tableOf(to)) {
    const bool near = std::ranges::all_of(place, [&](auto at) {
      return at.first < dim || (at.first == dim ? at.second == uint64_t(1) << bit : at.second == 0);
    });
    if (near && other == element)
      return true;
  }
  return false;
}

TEST(ConversionMap, WhatCanStayStays) {
  RandomLayouts random(24);
  int stayed = 0;
  for (int round = 0; round < Rounds; ++round) {
    const std::vector<Extent> tile = random.tileSpace(3);
    const std::vector<Extent> inputs{{Dim::Register, 2}, {Dim::Lane, 2}, {Dim::Warp, 1}};
    const LinearLayout from = random.map(inputs, tile).layout(), to = random.surjective(inputs, tile);
    const LinearLayout map = from.invertAndCompose(to);
    for (const Extent &input : inputs)
      for (unsigned bit = 0; bit < input.bits; ++bit)
        if (canStay(from, to, input.dim, bit)) {
          const Point place = point(map.unpackOutput(map.basis(input.dim, bit)));
          EXPECT_EQ(place.at(input.dim), uint64_t(1) << bit);
          for (auto [dim, value] : place)
            EXPECT_TRUE(dim <= input.dim || value == 0) << name(dim);
          ++stayed;
        }
  }
  EXPECT_GT(stayed, 50);
}

// A row of 8 over 8 lanes, and the same row in the registers of every lane: no element leaves its lane.
TEST(ConversionMap, ReplicatedRegistersAreReadInTheirLane) {
  const LinearLayout spread({{Dim::Register, 0}, {Dim::Lane, 3}}, {{tileDim(0), 3}}, {1, 2, 4});
  const LinearLayout everywhere({{Dim::Register, 3}, {Dim::Lane, 3}}, {{tileDim(0), 3}}, {1, 2, 4, 0, 0, 0});
  for (auto &[input, place] : tableOf(spread.invertAndCompose(everywhere))) {
    EXPECT_EQ(place.at(Dim::Lane), input.at(Dim::Lane));
    EXPECT_EQ(place.at(Dim::Register), input.at(Dim::Lane));
  }
}

TEST(ConversionMap, ALayoutConvertedToItselfIsTheIdentity) {
  RandomLayouts random(25);
  for (int round = 0; round < Rounds; ++round) {
    const LinearLayout layout = random.surjective(random.inputSpace(6), random.tileSpace(4));
    for (auto &[input, place] : tableOf(layout.invertAndCompose(layout)))
      EXPECT_EQ(place, input);
  }
}

} // namespace
} // namespace tilescope::layout
