// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Analysis/SharedAllocation.h"

#include "tests/Analysis/Parsed.h"

#include <random>
#include <sstream>

namespace tilescope::analysis::test {
namespace {

constexpr const char *layouts = R"(
#blocked = #tile.layout<64, {register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]}>
#shared = #tile.layout<64, {offset = [[1], [2], [4], [8], [16], [32]]}>
)";

std::string kernel(const std::string &body) {
  return std::string(layouts) + "tile.func @k(%n: si32) attributes {num_warps = 2 : i32} {\n" + body +
         "  tile.return\n}\n";
}

const std::string buffer = "!tile.buffer<64xf32, #shared>", tileType = "!tile.tile<64xf32, #blocked>";

std::string alloc(int i) { return "%b" + std::to_string(i) + " = tile.shared_alloc : " + buffer + "\n"; }
std::string load(int i, int use) {
  return "%v" + std::to_string(use) + " = tile.shared_load %b" + std::to_string(i) + " : " + buffer + " -> " + tileType +
         "\n";
}

int64_t offset(const SharedAllocation &allocation, size_t i) { return allocation.regions[i].offset; }

TEST(SharedAllocation, WhatIsOverMakesRoom) {
  const SharedAllocation allocation =
      allocateShared(Parsed(kernel(alloc(0) + load(0, 0) + alloc(1) + load(1, 1))).kernel());
  ASSERT_EQ(allocation.regions.size(), 2u);
  EXPECT_EQ(offset(allocation, 0), offset(allocation, 1));
  EXPECT_EQ(allocation.bytes, 256);
}

TEST(SharedAllocation, WhatIsAliveTogetherLiesApart) {
  const SharedAllocation allocation =
      allocateShared(Parsed(kernel(alloc(0) + alloc(1) + load(0, 0) + load(1, 1))).kernel());
  EXPECT_NE(offset(allocation, 0), offset(allocation, 1));
  EXPECT_EQ(allocation.bytes, 512);
}

TEST(SharedAllocation, ALoopKeepsWhatIsOlderThanItself) {
  // Used at the beginning of each trip, it must not be overwritten by what comes later in the trip.
  const SharedAllocation allocation = allocateShared(Parsed(kernel(R"(
  %zero = tile.constant 0 : si32
  %one = tile.constant 1 : si32
)" + alloc(0) + "tile.for %i = %zero to %n step %one : si32 {\n" + load(0, 0) + alloc(1) + load(1, 1) + "tile.yield\n}\n")).kernel());
  EXPECT_NE(offset(allocation, 0), offset(allocation, 1));
}

TEST(SharedAllocation, CopiesOnTheirWayKeepTheirBuffer) {
  const SharedAllocation allocation = allocateShared(Parsed(std::string(layouts) + R"(
tile.func @k(%x: !tile.tile<64x!tile.ptr<f32>, #blocked>) attributes {num_warps = 2 : i32} {
)" + alloc(0) + R"(
  %t = tile.async_copy %x into %b0 : !tile.tile<64x!tile.ptr<f32>, #blocked>, !tile.buffer<64xf32, #shared>
  %g = tile.async_commit %t
)" + alloc(1) + load(1, 1) + "tile.async_wait pending 0\n tile.return\n}\n").kernel());
  EXPECT_NE(offset(allocation, 0), offset(allocation, 1));
}

TEST(SharedAllocation, NoTwoRegionsAliveTogetherOverlap) {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    std::string body;
    int made = 0, uses = 0;
    for (int step = 0; step < 30; ++step)
      if (made == 0 || random() % 3 == 0)
        body += alloc(made++);
      else
        body += load(int(random() % unsigned(made)), uses++);
    const Parsed parsed(kernel(body));
    const SharedAllocation allocation = allocateShared(parsed.kernel());
    for (const SharedRegion &a : allocation.regions)
      for (const SharedRegion &b : allocation.regions)
        if (a.op != b.op && a.isAliveWith(b)) {
          EXPECT_TRUE(a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset) << body;
        }
    // Lives by hand: from where it is made to its last use.
    std::vector<std::pair<int, int>> lives(size_t(made), {-1, -1});
    int line = 0;
    std::istringstream lines(body);
    for (std::string text; std::getline(lines, text); ++line) {
      const size_t name = text.find("%b");
      const size_t index = size_t(std::stoi(text.substr(name + 2)));
      if (text.find("shared_alloc") != std::string::npos)
        lives[index] = {line, line};
      else
        lives[index].second = line;
    }
    for (size_t i = 0; i < lives.size(); ++i)
      for (size_t k = 0; k < i; ++k)
        if (lives[i].first <= lives[k].second && lives[k].first <= lives[i].second) {
          EXPECT_NE(offset(allocation, i), offset(allocation, k)) << body;
        }
  }
}

} // namespace
} // namespace tilescope::analysis::test
