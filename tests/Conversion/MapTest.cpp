// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of elements, of one and of several at a time, against calling them in order.
#include "tests/Conversion/TileKernel.h"

#include "compiler/Layout/Constructors.h"

#include <gtest/gtest.h>

#include <random>

namespace tilescope::codegen::test {
namespace {

using layout::LinearLayout;
using Shape = std::vector<int64_t>;

std::vector<int64_t> someNumbers(uint64_t count, std::mt19937 &random) {
  std::vector<int64_t> numbers;
  for (uint64_t i = 0; i < count; ++i)
    numbers.push_back(int64_t(random() % 100) - 50);
  return numbers;
}

/// Two results of different types, of one element each.
TileKernel oneByOne(const LinearLayout &map, unsigned warps, const std::vector<int64_t> &a, const std::vector<int64_t> &b) {
  TileKernel kernel(warps);
  kernel.addInput("a", map, "si32", a);
  kernel.addInput("b", map, "si32", b);
  kernel.addOutput("sum", map, "si32");
  kernel.addOutput("less", map, "i1");
  kernel.setBody("  %sum, %less = tile.map %a, %b pack 1 : $a, $b -> $sum, $less {\n"
                 "  ^bb0(%x: si32, %y: si32):\n"
                 "    %s = tile.add %x, %y : si32\n    %l = tile.cmp lt, %x, %y : si32\n"
                 "    tile.yield %s, %l : si32, i1\n  }\n");
  return kernel;
}

TEST(Map, CallsTheFunctionForEachElement) {
  std::mt19937 random(1);
  for (unsigned warps : {1u, 2u, 4u, 8u})
    for (const Shape &shape : {Shape{256}, {16}, {16, 32}}) {
      layout::Blocked parameters{Shape(shape.size(), 1), Shape(shape.size(), 1), Shape(shape.size(), 1), {}};
      for (unsigned dim = 0; dim < shape.size(); ++dim)
        parameters.order.insert(parameters.order.begin(), dim);
      parameters.threadsPerWarp.back() = 32;
      parameters.warps.front() = warps;
      const LinearLayout map = layout::blocked(shape, parameters);
      const std::vector<int64_t> a = someNumbers(map.outputSize(), random), b = someNumbers(map.outputSize(), random);
      std::vector<int64_t> sums, less;
      for (size_t i = 0; i < a.size(); ++i) {
        sums.push_back(a[i] + b[i]);
        less.push_back(a[i] < b[i]);
      }
      EXPECT_EQ(oneByOne(map, warps, a, b).run(), (std::vector{sums, less}));
    }
}

/// Four at a time: the sum of them so far, so that their order shows.
TEST(Map, TakesNeighboursInTheirOrder) {
  std::mt19937 random(2);
  const Shape shape = {8, 64};
  for (unsigned warps : {1u, 4u})
    for (const LinearLayout &map : {layout::blocked(shape, {{1, 4}, {4, 8}, {warps, 1}, {1, 0}}), layout::blocked(shape, {{2, 8}, {4, 8}, {1, warps}, {0, 1}})}) {
      TileKernel kernel(warps);
      const std::vector<int64_t> numbers = someNumbers(map.outputSize(), random);
      kernel.addInput("x", map, "f32", numbers);
      kernel.addOutput("y", map, "f32");
      kernel.setBody("  %y = tile.map %x pack 4 : $x -> $y {\n  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):\n"
                     "    %ab = tile.add %a, %b : f32\n    %abc = tile.add %ab, %c : f32\n    %abcd = tile.add %abc, %d : f32\n"
                     "    tile.yield %a, %ab, %abc, %abcd : f32, f32, f32, f32\n  }\n");
      std::vector<int64_t> expected;
      for (size_t i = 0; i < numbers.size(); ++i)
        expected.push_back(numbers[i] + (i % 4 ? expected.back() : 0));
      EXPECT_EQ(kernel.run().at(0), expected);
    }
}

/// A branch in the function is one of each thread.
TEST(Map, AssemblesForEveryTarget) {
  std::mt19937 random(3);
  const Shape shape = {256};
  const LinearLayout map = layout::blocked(shape, {{2}, {32}, {4}, {0}});
  oneByOne(map, 4, someNumbers(256, random), someNumbers(256, random)).expectAssembles();
  TileKernel branching(4);
  branching.addInput("x", map, "si32", someNumbers(256, random));
  branching.addOutput("y", map, "si32");
  branching.setBody("  %zero = tile.constant 0 : si32\n"
                    "  %y = tile.map %x pack 1 : $x -> $y {\n  ^bb0(%a: si32):\n"
                    "    %c = tile.cmp lt, %a, %zero : si32\n"
                    "    %r = tile.if %c -> (si32) {\n      %n = tile.neg %a : si32\n      tile.yield %n : si32\n    } else {\n      tile.yield %a : si32\n    }\n"
                    "    tile.yield %r : si32\n  }\n");
  branching.expectAssembles();
}

} // namespace
} // namespace tilescope::codegen::test
