// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/Owners.h"

#include <gtest/gtest.h>

#include <random>

namespace tilescope::interp {
namespace {

TEST(Owners, AreThoseOfAPlainArray) {
  constexpr uint64_t Units = 1000;
  std::mt19937 random(7);
  Owners owners(Units);
  std::vector<uint64_t> plain(Units, 0);
  for (uint64_t round = 1; round < 2000; ++round) {
    const uint64_t first = random() % Units, count = 1 + random() % std::min<uint64_t>(Units - first, 200);
    owners.set(first, count, round);
    std::fill_n(plain.begin() + static_cast<int64_t>(first), count, round);
    const uint64_t from = random() % Units, length = 1 + random() % (Units - from);
    uint64_t next = from;
    owners.forEach(from, length, [&](uint64_t unit, uint64_t units, uint64_t owner) {
      ASSERT_EQ(unit, next) << "stretches follow each other";
      for (uint64_t i = unit; i < unit + units; ++i)
        ASSERT_EQ(plain[i], owner);
      next = unit + units;
    });
    ASSERT_EQ(next, from + length);
  }
}

TEST(Owners, CostLittleWhereBlocksAreWhole) {
  Owners owners(1 << 20);
  for (uint64_t first = 0; first < 1 << 20; first += 1024)
    owners.set(first, 1024, first + 1);
  EXPECT_EQ(owners.bytes(), (uint64_t(1) << 20) / 64 * 8);
}

} // namespace
} // namespace tilescope::interp
