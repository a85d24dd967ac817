// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distinct sectors against a set of them.
#include "compiler/Model/DistinctSectors.h"

#include "tests/Model/TileElements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tilescope::model {
namespace {

std::set<uint64_t> slowSectors(const TileElements &elements, unsigned bytes) {
  std::set<uint64_t> sectors;
  for (size_t i = 0; i < elements.addresses.size(); ++i)
    if (elements.mask[i])
      for (unsigned byte = 0; byte < bytes; ++byte)
        sectors.insert((elements.addresses[i] + byte) / 32);
  return sectors;
}

TEST(DistinctSectors, RandomTilesAgreeWithASet) {
  std::mt19937 random(2);
  for (int launch = 0; launch < 30; ++launch) {
    DistinctSectors regular, irregular, halves[2];
    std::set<uint64_t> wanted;
    const unsigned bytes = 1u << random() % 4;
    for (int program = 0; program < 10; ++program) {
      std::vector<int64_t> shape(1 + random() % 3);
      for (int64_t &size : shape)
        size = int64_t(1) << random() % 6;
      const RegularTile tile = randomTile(random, shape, random() % 2 ? bytes : 1); // some straddle sectors
      const TileElements elements(shape, tile);
      regular.add(tile, bytes);
      irregular.add(elements.addresses, elements.mask, bytes);
      halves[program % 2].add(tile, bytes);
      wanted.merge(slowSectors(elements, bytes));
    }
    ASSERT_EQ(regular.count(), std::ssize(wanted));
    ASSERT_EQ(irregular.count(), std::ssize(wanted));
    halves[0].merge(halves[1]);
    ASSERT_EQ(halves[0].count(), std::ssize(wanted));
    const uint64_t begin = (1 << 20) + random() % 50000, end = begin + random() % 50000;
    ASSERT_EQ(regular.count(begin, end), std::ranges::count_if(wanted, [&](uint64_t sector) {
                return sector * 32 + 31 >= begin && sector * 32 < end;
              }));
  }
}

TEST(DistinctSectors, GathersAgreeWithASet) {
  std::mt19937 random(4);
  DistinctSectors sectors;
  std::set<uint64_t> wanted;
  std::vector<uint64_t> addresses(5000);
  for (uint64_t &address : addresses) {
    address = random() % (1 << 22) * 4;
    wanted.insert(address / 32);
  }
  sectors.add(addresses, {}, 4);
  EXPECT_EQ(sectors.count(), std::ssize(wanted));
}

TEST(DistinctSectors, TensorsAreCountedApart) {
  DistinctSectors sectors;
  sectors.addBytes(0x10000 - 64, 0x10000 + 100); // over the edge of a page
  sectors.addBytes(1 << 30, (1 << 30) + 1);
  sectors.addBytes(5, 5);
  EXPECT_EQ(sectors.count(), 2 + 4 + 1);
  EXPECT_EQ(sectors.count(0, 1 << 20), 6);
  EXPECT_EQ(sectors.count(0x10000, 0x10000 + 33), 2);
  EXPECT_EQ(sectors.count(1 << 30, 1 << 30), 0);
}

} // namespace
} // namespace tilescope::model
