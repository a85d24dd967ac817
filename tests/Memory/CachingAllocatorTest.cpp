// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses against a slow and obvious transcription of the documented rules of PyTorch's caching allocator,
// and against a table worked out by hand.
#include "compiler/Memory/CachingAllocator.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace tilescope {
namespace {

constexpr uint64_t KiB = 1024, MiB = 1024 * KiB;
constexpr uint64_t Base = 0x7f00'0000'0000;

/// Keeps all blocks in one list in the order of addresses and looks through it from the front, every time.
class SlowAllocator {
public:
  uint64_t allocate(uint64_t bytes) {
    const uint64_t size = (bytes + 511) / 512 * 512;
    const bool small = size <= MiB;
    size_t best = m_blocks.size();
    for (size_t i = 0; i < m_blocks.size(); ++i) {
      const Block &block = m_blocks[i];
      if (!block.used && block.small == small && block.size >= size &&
          (best == m_blocks.size() || block.size < m_blocks[best].size))
        best = i;
    }
    if (best == m_blocks.size()) {
      const uint64_t segment = small             ? 2 * MiB
                               : size < 10 * MiB ? 20 * MiB
                                                 : (size + 2 * MiB - 1) / (2 * MiB) * 2 * MiB;
      m_blocks.push_back({m_end, segment, m_segments++, small, false});
      m_end += segment;
    }
    const uint64_t rest = m_blocks[best].size - size;
    if (small ? rest >= 512 : rest > MiB) {
      Block after = m_blocks[best];
      after.address += size;
      after.size = rest;
      m_blocks[best].size = size;
      m_blocks.insert(m_blocks.begin() + long(best) + 1, after);
    }
    m_blocks[best].used = true;
    return m_blocks[best].address;
  }

  void free(uint64_t address) {
    for (Block &block : m_blocks)
      if (block.address == address)
        block.used = false;
    for (size_t i = 0; i + 1 < m_blocks.size();) {
      if (m_blocks[i].used || m_blocks[i + 1].used || m_blocks[i].segment != m_blocks[i + 1].segment) {
        ++i;
        continue;
      }
      m_blocks[i].size += m_blocks[i + 1].size;
      m_blocks.erase(m_blocks.begin() + long(i) + 1);
    }
  }

private:
  struct Block {
    uint64_t address, size;
    int segment;
    bool small, used;
  };
  std::vector<Block> m_blocks;
  uint64_t m_end = Base;
  int m_segments = 0;
};

/// Sizes around every limit of the rules.
uint64_t anySize(std::mt19937 &random) {
  constexpr uint64_t Limits[] = {512, 4 * KiB, 512 * KiB, MiB, 2 * MiB, 9 * MiB, 10 * MiB, 20 * MiB};
  const uint64_t limit = Limits[random() % std::size(Limits)];
  return random() % 2 ? 1 + random() % limit : limit - 2 + random() % 5;
}

TEST(CachingAllocator, PlacesAsTheRulesSay) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    CachingAllocator allocator(Base, uint64_t(1) << 40, uint64_t(1) << 40);
    SlowAllocator slow;
    std::vector<uint64_t> live;
    for (int step = 0; step < 400; ++step) {
      if (live.empty() || random() % 5 < 3) {
        const uint64_t bytes = anySize(random);
        auto address = allocator.allocate(bytes);
        ASSERT_TRUE(address);
        ASSERT_EQ(*address, slow.allocate(bytes))
            << "seed " << seed << " step " << step << " bytes " << bytes;
        live.push_back(*address);
      } else {
        std::swap(live[random() % live.size()], live.back());
        allocator.free(live.back());
        slow.free(live.back());
        live.pop_back();
      }
    }
  }
}

/// main.py's tensors: 1823 x 781 floats are 5,695,052 bytes, 5,695,488 rounded, cut from a segment of 20 MiB.
TEST(CachingAllocator, PlacesAHandfulAsWorkedOutByHand) {
  CachingAllocator allocator(Base, uint64_t(1) << 30, uint64_t(1) << 30);
  EXPECT_EQ(allocator.allocate(5'695'052), Base);
  EXPECT_EQ(allocator.allocate(5'695'052), Base + 5'695'488);
  EXPECT_EQ(allocator.allocate(4), Base + 20 * MiB);         // the small pool's first segment
  EXPECT_EQ(allocator.allocate(513), Base + 20 * MiB + 512); // takes 1,024
  EXPECT_EQ(allocator.allocate(1), Base + 20 * MiB + 1536);
  EXPECT_EQ(allocator.allocate(11 * MiB),
            Base + 22 * MiB); // a segment of its own, of 12 MiB; the rest is not cut off
  EXPECT_EQ(allocator.allocate(2 * MiB), Base + 2 * 5'695'488);
  EXPECT_EQ(allocator.bytesInUse(), 2 * 5'695'488 + 512 + 1024 + 512 + 12 * MiB + 2 * MiB);
  EXPECT_EQ(allocator.bytesReserved(), 34 * MiB);
}

TEST(CachingAllocator, GivesFreeSegmentsBackOnlyWhenMemoryRunsOut) {
  CachingAllocator allocator(Base, 64 * MiB, 32 * MiB);
  auto first = allocator.allocate(16 * MiB);
  allocator.free(*first);
  EXPECT_EQ(allocator.bytesReserved(), 16 * MiB);
  EXPECT_TRUE(allocator.allocate(30 * MiB));
  EXPECT_EQ(allocator.bytesReserved(), 30 * MiB);
  EXPECT_FALSE(allocator.allocate(16 * MiB));
  EXPECT_FALSE(allocator.allocate(~uint64_t(0)));
  EXPECT_TRUE(allocator.allocate(8));
}

} // namespace
} // namespace tilescope
