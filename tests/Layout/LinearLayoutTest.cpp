// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear layouts against tables of all their points (PointTable.h), over random maps.
#include "compiler/Layout/LinearLayout.h"

#include "tests/Layout/PointTable.h"

#include <gtest/gtest.h>

#include <set>

namespace tilescope::layout {
namespace {

constexpr int Rounds = 60;

Bases someMap(RandomLayouts &random, unsigned inputBits = 6, unsigned outputBits = 6) {
  return random.map(random.inputSpace(unsigned(random.below(inputBits + 1))),
                    random.tileSpace(unsigned(random.below(outputBits + 1))));
}

std::vector<Dim> dimsOf(std::span<const Extent> extents) {
  std::vector<Dim> dims;
  for (const Extent &extent : extents)
    dims.push_back(extent.dim);
  return dims;
}

/// Only what `dims` name.
Point restricted(const Point &point, const std::vector<Dim> &dims) {
  Point result;
  for (Dim dim : dims)
    if (auto found = point.find(dim); found != point.end())
      result.insert(*found);
  return result;
}

/// Number of a point among `extents`, the last one turning fastest.
uint64_t rowMajor(const Point &point, std::span<const Extent> extents) {
  uint64_t number = 0;
  for (const Extent &extent : extents)
    number = number * extent.size() + point.at(extent.dim);
  return number;
}

/// The same with the first one turning fastest.
uint64_t columnMajor(const Point &point, std::span<const Extent> extents) {
  uint64_t number = 0;
  for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent)
    number = number * extent->size() + point.at(extent->dim);
  return number;
}

TEST(LinearLayout, PacksRegistersFirstAndTilesRowMajor) {
  const LinearLayout layout({{Dim::Register, 2}, {Dim::Lane, 5}}, {{tileDim(0), 3}, {tileDim(1), 4}},
                            {1, 2, 4, 8, 16, 32, 64});
  const Coordinate input[] = {{Dim::Lane, 3}, {Dim::Register, 1}};
  EXPECT_EQ(layout.packInput(input), 1u + 4 * 3);
  const Coordinate element[] = {{tileDim(0), 2}, {tileDim(1), 5}};
  EXPECT_EQ(layout.packOutput(element), 2u * 16 + 5);
  EXPECT_EQ(layout.unpackOutput(37), (std::vector<Coordinate>{{tileDim(0), 2}, {tileDim(1), 5}}));
  EXPECT_EQ(layout.unpackInput(13), (std::vector<Coordinate>{{Dim::Register, 1}, {Dim::Lane, 3}}));
  EXPECT_EQ(layout.basis(Dim::Lane, 2), 16u);
  EXPECT_EQ(layout.inputSize(Dim::Warp), 1u);
  EXPECT_FALSE(layout.hasInput(Dim::Warp));
}

TEST(LinearLayout, AppliesWhatItsBitsAdd) {
  RandomLayouts random(1);
  for (int round = 0; round < Rounds; ++round) {
    const Bases bases = someMap(random);
    const LinearLayout layout = bases.layout();
    const PointTable table = bases.table();
    EXPECT_EQ(tableOf(layout), table);
    for (auto &[input, output] : table) {
      EXPECT_EQ(layout.apply(columnMajor(input, bases.inputs)), rowMajor(output, bases.outputs));
      EXPECT_EQ(layout.packInput(coordinates(input)), columnMajor(input, bases.inputs));
      EXPECT_EQ(point(layout.unpackInput(columnMajor(input, bases.inputs))), input);
      EXPECT_EQ(point(layout.unpackOutput(rowMajor(output, bases.outputs))), output);
    }
  }
}

TEST(LinearLayout, ComposesPointByPoint) {
  RandomLayouts random(2);
  for (int round = 0; round < Rounds; ++round) {
    const Bases first = someMap(random);
    std::vector<Extent> between = first.outputs;
    random.shuffle(between);
    const Bases second = random.map(between, random.space({Dim::Offset, tileDim(5), tileDim(6)}, 5));
    const PointTable one = first.table(), two = second.table();
    PointTable wanted;
    for (auto &[input, output] : one)
      wanted[input] = two.at(output);
    EXPECT_EQ(tableOf(first.layout().compose(second.layout())), wanted);
  }
}

TEST(LinearLayout, ComposingDropsOutputsOfSizeOne) {
  const LinearLayout first({{Dim::Lane, 2}}, {{tileDim(0), 2}, {tileDim(1), 0}}, {2, 1});
  const LinearLayout second = LinearLayout::identity(tileDim(0), Dim::Offset, 2);
  EXPECT_EQ(first.compose(second), LinearLayout({{Dim::Lane, 2}}, {{Dim::Offset, 2}}, {2, 1}));
}

/// Of each dimension the inner map has the low bits and the outer one those above.
PointTable product(const Bases &inner, const Bases &outer, std::span<const Extent> inputs,
                   std::span<const Extent> outputs) {
  auto bitsOf = [](const std::vector<Extent> &extents, Dim dim) {
    auto found = std::ranges::find(extents, dim, &Extent::dim);
    return found == extents.end() ? 0 : found->bits;
  };
  auto part = [](const std::vector<Extent> &extents, auto value) {
    Point result;
    for (const Extent &extent : extents)
      result[extent.dim] = value(extent);
    return result;
  };
  const PointTable low = inner.table(), high = outer.table();
  PointTable result;
  for (const Point &input : pointsOf(inputs)) {
    const Point below = low.at(part(inner.inputs, [&](Extent e) { return input.at(e.dim) % e.size(); }));
    const Point above =
        high.at(part(outer.inputs, [&](Extent e) { return input.at(e.dim) >> bitsOf(inner.inputs, e.dim); }));
    for (const Extent &output : outputs) {
      uint64_t &value = result[input][output.dim];
      value = below.count(output.dim) ? below.at(output.dim) : 0;
      if (above.count(output.dim))
        value += above.at(output.dim) << bitsOf(inner.outputs, output.dim);
    }
  }
  return result;
}

TEST(LinearLayout, ProductsAndQuotients) {
  RandomLayouts random(3);
  for (int round = 0; round < Rounds; ++round) {
    const Bases inner = someMap(random, 4, 3), outer = someMap(random, 4, 3);
    const LinearLayout both = inner.layout() * outer.layout();
    EXPECT_EQ(tableOf(both), product(inner, outer, both.inputs(), both.outputs()));
    // The quotient has all dimensions of the product, so it is the other factor up to sizes of one.
    const auto quotient = both.quotient(inner.layout());
    ASSERT_TRUE(quotient);
    EXPECT_EQ(tableOf((inner.layout() * *quotient)), tableOf(both));
    EXPECT_EQ(quotient->sublayout(dimsOf(outer.inputs), dimsOf(outer.outputs)), outer.layout());
  }
  EXPECT_EQ(LinearLayout() * LinearLayout::identity(Dim::Lane, tileDim(0), 3),
            LinearLayout::identity(Dim::Lane, tileDim(0), 3));
}

TEST(LinearLayout, AQuotientIsThereOnlyIfTheProductIs) {
  RandomLayouts random(4);
  int found = 0;
  for (int round = 0; round < 400; ++round) {
    const std::vector<Extent> inputs{{Dim::Register, 2}, {Dim::Lane, 1}}, outputs{{tileDim(0), 2}};
    const LinearLayout layout = random.map(inputs, outputs).layout();
    const LinearLayout inner = random.map({{Dim::Register, 1}}, {{tileDim(0), 1}}).layout();
    bool is = false; // any of the four maps of what is left
    for (uint64_t bits = 0; bits < 4; ++bits)
      is |= inner * LinearLayout({{Dim::Register, 1}, {Dim::Lane, 1}}, {{tileDim(0), 1}},
                                 {bits & 1, bits >> 1}) ==
            layout;
    EXPECT_EQ(layout.quotient(inner).has_value(), is);
    found += is;
  }
  EXPECT_GT(found, 20);
  EXPECT_LT(found, 380);
  EXPECT_FALSE(LinearLayout::identity(Dim::Lane, tileDim(0), 2)
                   .quotient(LinearLayout::identity(Dim::Warp, tileDim(0), 1)));
  EXPECT_FALSE(LinearLayout::identity(Dim::Lane, tileDim(0), 2)
                   .quotient(LinearLayout::identity(Dim::Lane, tileDim(0), 3)));
}

TEST(LinearLayout, SublayoutsLeaveTheOtherInputsAtZero) {
  RandomLayouts random(5);
  for (int round = 0; round < Rounds; ++round) {
    const Bases bases = someMap(random);
    std::vector<Dim> inputs = dimsOf(bases.inputs), outputs = dimsOf(bases.outputs);
    random.shuffle(inputs);
    random.shuffle(outputs);
    inputs.resize(random.below(inputs.size() + 1));
    outputs.resize(random.below(outputs.size() + 1));
    PointTable wanted;
    for (auto &[input, output] : bases.table())
      if (std::ranges::all_of(
              input, [&](auto &at) { return at.second == 0 || std::ranges::count(inputs, at.first); }))
        wanted[restricted(input, inputs)] = restricted(output, outputs);
    const LinearLayout part = bases.layout().sublayout(inputs, outputs);
    EXPECT_EQ(tableOf(part), wanted);
    EXPECT_EQ(dimsOf(part.inputs()), inputs);
    EXPECT_EQ(dimsOf(part.outputs()), outputs);
  }
}

TEST(LinearLayout, TransposingAndRenamingKeepEveryPoint) {
  RandomLayouts random(6);
  for (int round = 0; round < Rounds; ++round) {
    const Bases bases = someMap(random);
    std::vector<Dim> inputs = dimsOf(bases.inputs), outputs = dimsOf(bases.outputs);
    random.shuffle(inputs);
    random.shuffle(outputs);
    const LinearLayout turned = bases.layout().transposeInputs(inputs).transposeOutputs(outputs);
    EXPECT_EQ(dimsOf(turned.inputs()), inputs);
    EXPECT_EQ(dimsOf(turned.outputs()), outputs);
    EXPECT_EQ(tableOf(turned), bases.table());

    PointTable wanted;
    auto renamed = [](Point point, Dim from, Dim to) {
      auto node = point.extract(from);
      node.key() = to;
      point.insert(std::move(node));
      return point;
    };
    for (auto &[input, output] : bases.table())
      wanted[renamed(input, inputs[0], Dim::Offset)] = renamed(output, outputs[0], tileDim(7));
    EXPECT_EQ(
        tableOf(bases.layout().renameInput(inputs[0], Dim::Offset).renameOutput(outputs[0], tileDim(7))),
        wanted);
  }
}

TEST(LinearLayout, ReshapingKeepsNumbers) {
  RandomLayouts random(7);
  for (int round = 0; round < Rounds; ++round) {
    const Bases bases = someMap(random);
    const LinearLayout layout = bases.layout();
    const LinearLayout other = layout.reshapeInputs(random.inputSpace(layout.inputBits()))
                                   .reshapeOutputs(random.tileSpace(layout.outputBits()));
    std::map<uint64_t, uint64_t> wanted, found;
    for (auto &[input, output] : bases.table())
      wanted[columnMajor(input, bases.inputs)] = rowMajor(output, bases.outputs);
    for (auto &[input, output] : tableOf(other))
      found[columnMajor(input, other.inputs())] = rowMajor(output, other.outputs());
    EXPECT_EQ(found, wanted);
  }
}

TEST(LinearLayout, BitsThatHoldCopies) {
  RandomLayouts random(8);
  for (int round = 0; round < 4 * Rounds; ++round) {
    const LinearLayout layout = someMap(random).layout();
    // A bit is free if its output is one of those that inputs of lower bits have.
    std::set<uint64_t> reached{0};
    std::map<Dim, uint64_t> free;
    unsigned rank = 0;
    for (const Extent &extent : layout.inputs())
      for (unsigned bit = 0; bit < extent.bits; ++bit) {
        const Coordinate input{extent.dim, uint64_t(1) << bit};
        const uint64_t output = layout.packOutput(layout.apply(std::span(&input, 1)));
        if (reached.count(output)) {
          free[extent.dim] |= uint64_t(1) << bit;
          continue;
        }
        std::set<uint64_t> moved;
        for (uint64_t other : reached)
          moved.insert(other ^ output);
        reached.merge(moved);
        ++rank;
      }
    EXPECT_EQ(layout.rank(), rank);
    EXPECT_EQ(layout.isSurjective(), reached.size() == layout.outputSize());
    EXPECT_EQ(layout.isInjective(), reached.size() == layout.inputSize());
    for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block, Dim::Offset})
      EXPECT_EQ(layout.freeVariableMask(dim), free[dim]) << name(dim);
  }
}

TEST(LinearLayout, WithoutInputBits) {
  RandomLayouts random(9);
  for (int round = 0; round < Rounds; ++round) {
    const Bases bases = someMap(random);
    const Dim dim = bases.inputs[0].dim;
    const uint64_t drop = random.below(bases.inputs[0].size());
    auto squeeze = [&](uint64_t value) {
      uint64_t result = 0, at = 1;
      for (unsigned bit = 0; bit < bases.inputs[0].bits; ++bit)
        if (!(drop >> bit & 1)) {
          result |= (value >> bit & 1) * at;
          at *= 2;
        }
      return result;
    };
    PointTable wanted;
    for (const auto &[input, output] : bases.table())
      if ((input.at(dim) & drop) == 0) {
        Point kept = input;
        kept[dim] = squeeze(kept[dim]);
        wanted[kept] = output;
      }
    EXPECT_EQ(tableOf(bases.layout().withoutInputBits(dim, drop)), wanted);
  }
}

TEST(LinearLayout, EqualityIsOfDimensionsTheirOrderAndEveryBit) {
  RandomLayouts random(10);
  for (int round = 0; round < Rounds; ++round) {
    const Bases bases = random.map(random.inputSpace(5), random.tileSpace(5));
    const LinearLayout layout = bases.layout();
    EXPECT_EQ(layout, bases.layout());
    EXPECT_EQ(hash_value(layout), hash_value(bases.layout()));
    std::vector<uint64_t> columns(layout.columns().begin(), layout.columns().end());
    columns[random.below(columns.size())] ^= uint64_t(1) << random.below(layout.outputBits());
    EXPECT_NE(layout, LinearLayout(bases.inputs, bases.outputs, columns));
    EXPECT_NE(layout, layout.renameInput(bases.inputs[0].dim, Dim::Offset));
    if (bases.outputs.size() > 1) {
      std::vector<Dim> order = dimsOf(bases.outputs);
      std::swap(order[0], order[1]);
      EXPECT_NE(layout, layout.transposeOutputs(order));
    }
  }
}

} // namespace
} // namespace tilescope::layout
