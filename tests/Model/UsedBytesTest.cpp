// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Model/UsedBytes.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using tilescope::model::UsedBytes;

namespace {

TEST(UsedBytes, AreThoseOfASet) {
  std::mt19937_64 random(7);
  for (unsigned bytes : {1u, 2u, 4u, 8u}) {
    UsedBytes used;
    std::set<uint64_t> expected;
    for (int run = 0; run < 40; ++run) {
      // Near the end of a page of 64 KiB, in runs and scattered, some of them off.
      std::vector<uint64_t> addresses(50);
      std::vector<uint8_t> mask(addresses.size());
      const uint64_t start = (random() % 3 + 1) * 65536 - 100 + random() % 100 * bytes, stride = random() % 3 * bytes;
      for (size_t i = 0; i < addresses.size(); ++i) {
        addresses[i] = start + i * stride;
        mask[i] = random() % 4 != 0;
        for (unsigned byte = 0; mask[i] && byte < bytes; ++byte)
          expected.insert(addresses[i] + byte);
      }
      used.add(addresses, mask, bytes);
    }
    for (uint64_t sector = 65536 / 32 - 10; sector < 4 * 65536 / 32 + 300; ++sector) {
      uint32_t bits = 0;
      for (uint64_t byte = 0; byte < 32; ++byte)
        bits |= uint32_t(expected.contains(sector * 32 + byte)) << byte;
      ASSERT_EQ(used.ofSector(sector * 32 + 5), bits) << sector;
    }
  }
}

} // namespace
