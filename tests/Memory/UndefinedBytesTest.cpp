// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Memory/AddressSpace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

namespace tilescope {
namespace {

constexpr uint64_t Page = 4096;

TEST(UndefinedBytes, AreThoseOfAPlainArray) {
  constexpr uint64_t Bytes = 6 * Page;
  std::mt19937 random(11);
  UndefinedBytes undefined(Bytes, Page);
  std::vector<bool> plain(Bytes, false);
  for (int round = 0; round < 3000; ++round) {
    const uint64_t first = random() % Bytes;
    const uint64_t count = 1 + random() % std::min<uint64_t>(Bytes - first, round % 3 ? 40 : 3 * Page);
    const bool forgets = round % 5 == 0;
    if (forgets)
      undefined.forget(first, count);
    else
      undefined.define(first, count);
    std::fill_n(plain.begin() + static_cast<int64_t>(first), count, forgets);
    if (round % 7 == 0)
      undefined.settle();
    const uint64_t from = random() % Bytes, length = 1 + random() % (Bytes - from);
    const auto begin = plain.begin() + static_cast<int64_t>(from), end = begin + static_cast<int64_t>(length);
    const auto expected = static_cast<uint64_t>(std::find(begin, end, true) - plain.begin());
    ASSERT_EQ(undefined.first(from, length), expected) << "round " << round;
    ASSERT_EQ(undefined.isDefined(from, length), expected == from + length);
    ASSERT_EQ(undefined.count(from, length), static_cast<uint64_t>(std::count(begin, end, true)));
  }
}

TEST(UndefinedBytes, NeighboursMayBeWrittenAtTheSameTime) {
  UndefinedBytes undefined(4 * Page, Page);
  undefined.forget(0, 4 * Page);
  const auto write = [&](uint64_t first) {
    for (uint64_t at = first; at < 4 * Page; at += 4)
      undefined.define(at, 2);
  };
  std::thread other(write, 0);
  write(2);
  other.join();
  EXPECT_TRUE(undefined.isDefined(0, 4 * Page));
}

TEST(AddressSpace, FreshMemoryIsUndefinedUntilItIsWritten) {
  AddressSpace space;
  const AllocationId first = *space.allocate(1000);
  const Address at = space.allocation(first).address;
  EXPECT_FALSE(space.isDefined(at, 1));
  space.write(at + 100, 800);
  EXPECT_TRUE(space.isDefined(at + 100, 800));
  EXPECT_EQ(space.firstUndefined(at + 100, 900), at + 900);
  EXPECT_EQ(space.countUndefined(at, 1000), 200u);
  space.beginVersion();
  EXPECT_FALSE(space.isDefined(at, 1000));
  space.free(first);
  const AllocationId again = *space.allocate(1000);
  ASSERT_EQ(space.allocation(again).address, at) << "memory is used again";
  EXPECT_EQ(space.countUndefined(at, 1000), 1000u) << "and holds nothing that counts";
}

} // namespace
} // namespace tilescope
