// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constructors against the formulas of the PTX ISA, element by element, and layouts made from others
// against the sets of elements that threads have.
#include "compiler/Layout/Constructors.h"

#include <gtest/gtest.h>

#include <set>

namespace tilescope::layout {
namespace {

using Sizes = std::vector<int64_t>;
using Element = std::vector<uint64_t>;

Element elementAt(const LinearLayout &layout, uint64_t reg, uint64_t lane, uint64_t warp = 0) {
  const Coordinate input[] = {{Dim::Register, reg}, {Dim::Lane, lane}, {Dim::Warp, warp}};
  Element element;
  for (const Coordinate &coordinate : layout.apply(input))
    element.push_back(coordinate.value);
  return element;
}

//===- Fragments of the PTX ISA -------------------------------------------------------------------===//
// i is the number of the element in the fragment, g = lane / 4 (groupID), t = lane % 4 (threadID_in_group).

/// `registers` elements in each of 32 lanes are where `place` says.
template <typename Place> void expectFragment(const LinearLayout &layout, uint64_t registers, Place place) {
  EXPECT_EQ(layout.inputSize(Dim::Register), registers);
  for (uint64_t i = 0; i < registers; ++i)
    for (uint64_t lane = 0; lane < 32; ++lane)
      EXPECT_EQ(elementAt(layout, i, lane), place(i, lane / 4, lane % 4))
          << "element " << i << ", lane " << lane;
}

TEST(Fragments, AccumulatorOfM16N8) {
  expectFragment(mmaAccumulator(Sizes{16, 8}, {}), 4, [](uint64_t i, uint64_t g, uint64_t t) {
    return Element{i < 2 ? g : g + 8, t * 2 + (i & 1)};
  });
}

TEST(Fragments, OperandsOf16Bits) {
  expectFragment(mmaOperand(Sizes{16, 16}, {}, 0, 16), 8, [](uint64_t i, uint64_t g, uint64_t t) {
    const bool upper = i < 2 || (i >= 4 && i < 6);
    return Element{upper ? g : g + 8, t * 2 + (i & 1) + (i < 4 ? 0 : 8)};
  });
  expectFragment(mmaOperand(Sizes{16, 8}, {}, 1, 16), 4, [](uint64_t i, uint64_t g, uint64_t t) {
    return Element{t * 2 + (i & 1) + (i < 2 ? 0 : 8), g};
  });
}

TEST(Fragments, OperandsOf8Bits) {
  expectFragment(mmaOperand(Sizes{16, 32}, {}, 0, 8), 16, [](uint64_t i, uint64_t g, uint64_t t) {
    const bool upper = i < 4 || (i >= 8 && i < 12);
    return Element{upper ? g : g + 8, t * 4 + (i & 3) + (i < 8 ? 0 : 16)};
  });
  expectFragment(mmaOperand(Sizes{32, 8}, {}, 1, 8), 8, [](uint64_t i, uint64_t g, uint64_t t) {
    return Element{t * 4 + (i & 3) + (i < 4 ? 0 : 16), g};
  });
}

TEST(Fragments, OperandsOf32Bits) {
  expectFragment(mmaOperand(Sizes{16, 8}, {}, 0, 32), 4, [](uint64_t i, uint64_t g, uint64_t t) {
    return Element{i % 2 == 0 ? g : g + 8, i < 2 ? t : t + 4};
  });
  expectFragment(mmaOperand(Sizes{8, 8}, {}, 1, 32), 2, [](uint64_t i, uint64_t g, uint64_t t) {
    return Element{i == 0 ? t : t + 4, g};
  });
}

TEST(Fragments, Wgmma) {
  for (unsigned n : {8, 64, 256}) {
    const LinearLayout layout = wgmmaAccumulator(Sizes{64, n}, {4, 1}, n);
    ASSERT_EQ(layout.inputSize(Dim::Register), n / 2);
    for (uint64_t warp = 0; warp < 4; ++warp)
      for (uint64_t i = 0; i < n / 2; ++i)
        for (uint64_t lane = 0; lane < 32; ++lane)
          EXPECT_EQ(elementAt(layout, i, lane, warp),
                    (Element{warp * 16 + lane / 4 + 8 * (i / 2 % 2), i / 4 * 8 + lane % 4 * 2 + i % 2}));
  }
  const LinearLayout rows = wgmmaOperand(Sizes{64, 16}, {4, 1}, 16);
  for (uint64_t warp = 0; warp < 4; ++warp)
    for (uint64_t i = 0; i < 8; ++i)
      for (uint64_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(elementAt(rows, i, lane, warp),
                  (Element{warp * 16 + lane / 4 + 8 * (i / 2 % 2), lane % 4 * 2 + i % 2 + 8 * (i / 4)}));
}

//===- Shared memory ------------------------------------------------------------------------------===//

TEST(SharedLayout, ExchangesGroupsByPhase) {
  const Sizes shape{32, 64};
  for (Swizzle swizzle : {Swizzle{1, 1, 1}, {8, 1, 8}, {4, 2, 4}, {2, 4, 16}}) {
    const LinearLayout layout = sharedLayout(shape, std::vector<unsigned>{1, 0}, swizzle);
    const LinearLayout turned = sharedLayout(Sizes{64, 32}, std::vector<unsigned>{0, 1}, swizzle);
    for (uint64_t row = 0; row < 32; ++row)
      for (uint64_t column = 0; column < 64; ++column) {
        const uint64_t phase = row / swizzle.perPhase % swizzle.maxPhase;
        const uint64_t group = column / swizzle.vector ^ phase;
        const uint64_t offset = row * 64 + group * swizzle.vector + column % swizzle.vector;
        EXPECT_EQ(layout.apply(offset), row * 64 + column);
        EXPECT_EQ(turned.apply(offset), column * 32 + row);
      }
  }
}

/// Bits of the address from bit 4 on are exchanged by those from bit 7 on.
TEST(SharedLayout, OfWgmmaSwizzlesAddresses) {
  for (unsigned bits : {8, 16, 32})
    for (unsigned swizzle : {32, 64, 128}) {
      const uint64_t rows = 16, columns = 128, bytes = bits / 8, width = swizzle / bytes;
      const LinearLayout layout = nvmmaShared(Sizes{16, 128}, bits, swizzle);
      for (uint64_t row = 0; row < rows; ++row)
        for (uint64_t column = 0; column < columns; ++column) {
          uint64_t address = column / width * rows * swizzle + row * swizzle + column % width * bytes;
          address ^= (address >> 7 & (swizzle / 16 - 1)) << 4;
          EXPECT_EQ(layout.apply(address / bytes), row * columns + column);
        }
    }
}

//===- Layouts of other layouts -------------------------------------------------------------------===//

std::vector<LinearLayout> someLayouts() {
  return {blocked(Sizes{32, 64}, {{1, 4}, {4, 8}, {2, 2}, {1, 0}}),
          blocked(Sizes{32, 64}, {{2, 2}, {16, 2}, {1, 4}, {0, 1}}),
          blocked(Sizes{4, 8}, {{1, 4}, {4, 8}, {2, 2}, {1, 0}}), // smaller than the program
          mmaAccumulator(Sizes{32, 64}, {2, 2}), mmaOperand(Sizes{32, 64}, {2, 2}, 0, 16)};
}

/// What a thread has, register by register.
std::vector<Element> held(const LinearLayout &layout, uint64_t lane, uint64_t warp) {
  std::vector<Element> elements;
  for (uint64_t reg = 0; reg < layout.inputSize(Dim::Register); ++reg)
    elements.push_back(elementAt(layout, reg, lane, warp));
  return elements;
}

/// Every thread of `made` has what it has in `layout`, changed by `change`, each element once.
template <typename Change>
void expectHolds(const LinearLayout &made, const LinearLayout &layout, Change change) {
  for (uint64_t warp = 0; warp < layout.inputSize(Dim::Warp); ++warp)
    for (uint64_t lane = 0; lane < 32; ++lane) {
      std::set<Element> wanted;
      for (const Element &element : held(layout, lane, warp))
        wanted.insert(change(element));
      const std::vector<Element> found = held(made, lane, warp);
      EXPECT_EQ(std::set<Element>(found.begin(), found.end()), wanted);
      EXPECT_EQ(found.size(), wanted.size());
    }
}

TEST(LayoutsOfLayouts, SlicesKeepWhatThreadsHave) {
  for (const LinearLayout &layout : someLayouts())
    for (unsigned dim : {0u, 1u})
      expectHolds(slice(layout, dim), layout, [&](Element element) {
        element.erase(element.begin() + dim);
        return element;
      });
}

TEST(LayoutsOfLayouts, SqueezedTilesStretchInPlace) {
  for (const LinearLayout &layout : someLayouts())
    for (unsigned dim : {0u, 1u})
      expectHolds(squeezed(layout, {{dim}}), layout, [&](Element element) {
        element[dim] = 0;
        return element;
      });
}

TEST(LayoutsOfLayouts, ExpandedDimensionsMoveNothing) {
  for (const LinearLayout &layout : someLayouts())
    for (unsigned dim : {0u, 1u, 2u}) {
      const LinearLayout expanded = expandDims(layout, dim);
      expectHolds(expanded, layout, [&](Element element) {
        element.insert(element.begin() + dim, 0);
        return element;
      });
      EXPECT_EQ(slice(expanded, dim), layout);
    }
}

TEST(LayoutsOfLayouts, OperandsWithoutTensorCoresHaveAllOfK) {
  const Blocked parameters{{2, 4}, {4, 8}, {2, 2}, {1, 0}};
  const LinearLayout accumulator = blocked(Sizes{32, 64}, parameters);
  const LinearLayout a = fmaOperand(Sizes{32, 16}, parameters, 0),
                     b = fmaOperand(Sizes{16, 64}, parameters, 1);
  for (uint64_t warp = 0; warp < 4; ++warp)
    for (uint64_t lane = 0; lane < 32; ++lane) {
      std::set<Element> rows, columns;
      for (const Element &element : held(accumulator, lane, warp))
        for (uint64_t k = 0; k < 16; ++k) {
          rows.insert({element[0], k});
          columns.insert({k, element[1]});
        }
      const std::vector<Element> inA = held(a, lane, warp), inB = held(b, lane, warp);
      EXPECT_EQ(std::set<Element>(inA.begin(), inA.end()), rows);
      EXPECT_EQ(std::set<Element>(inB.begin(), inB.end()), columns);
      EXPECT_EQ(inA.size(), rows.size());
      EXPECT_EQ(inB.size(), columns.size());
    }
}

} // namespace
} // namespace tilescope::layout
