// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Memory/AddressSpace.h"

#include <algorithm>
#include <cstring>
#include <gmock/gmock.h>
#include <thread>

namespace tilescope {
namespace {

constexpr uint64_t MiB = 1024 * 1024, Page = AddressSpace::PageBytes;

void put(AddressSpace &memory, Address address, uint64_t bytes, int value) {
  std::memset(memory.write(address, bytes), value, bytes);
}

/// The byte at an address when a version began, or -1 if that is no longer known.
int at(const AddressSpace &memory, uint32_t version, Address address) {
  std::byte value{};
  return memory.readAt(version, address, &value, 1) ? int(value) : -1;
}

TEST(AddressSpace, FindsAllocationsAndTheirNeighbours) {
  AddressSpace memory;
  const Allocation &a = memory.allocation(*memory.allocate(1000, "a"));
  const Allocation &b = memory.allocation(*memory.allocate(10, "b"));
  EXPECT_EQ(a.address, AddressSpace::DeviceBase);
  EXPECT_EQ(b.address, a.address + 1024);
  EXPECT_EQ(memory.find(a.address), &a);
  EXPECT_EQ(memory.find(a.address + 999), &a);
  EXPECT_EQ(memory.find(a.address + 1000), nullptr); // rounded up, but not the tensor's
  EXPECT_EQ(memory.find(a.address - 1), nullptr);
  EXPECT_EQ(memory.neighbours(a.address + 1010), std::pair(&a, &b));
  EXPECT_EQ(memory.neighbours(0), (std::pair<const Allocation *, const Allocation *>(nullptr, &a)));
  EXPECT_EQ(memory.neighbours(b.end()), (std::pair<const Allocation *, const Allocation *>(&b, nullptr)));
  EXPECT_EQ(memory.bytesInUse(), 1536u);
  memory.free(b.id);
  EXPECT_FALSE(b.live);
  EXPECT_EQ(memory.find(b.address), nullptr);
  EXPECT_EQ(memory.bytesInUse(), 1024u);
  const Allocation &again = memory.allocation(*memory.allocate(500));
  EXPECT_EQ(again.address, b.address);
  EXPECT_NE(again.id, b.id);
}

TEST(AddressSpace, NothingHasAddressZero) {
  AddressSpace memory;
  const Allocation &empty = memory.allocation(*memory.allocate(0));
  EXPECT_EQ(empty.address, 0u);
  EXPECT_EQ(memory.find(0), nullptr);
  memory.free(empty.id);
}

TEST(AddressSpace, RefusesATerabyteAtOnce) {
  AddressSpace memory(256 * MiB);
  auto first = memory.allocate(100 * MiB);
  ASSERT_TRUE(bool(first));
  auto refused = memory.allocate(uint64_t(1) << 40);
  ASSERT_FALSE(bool(refused));
  EXPECT_EQ(refused.error().id, "out-of-memory");
  EXPECT_THAT(refused.error().arguments, testing::ElementsAre("1099511627776", "104857600", "268435456"));
  EXPECT_FALSE(bool(memory.allocate(200 * MiB)));
  memory.free(*first);
  EXPECT_TRUE(bool(memory.allocate(200 * MiB)));
}

TEST(AddressSpace, FreshMemoryReadsAsZerosAndIsUntouched) {
  AddressSpace memory;
  const Address address = memory.allocation(*memory.allocate(uint64_t(4) << 30)).address;
  EXPECT_EQ(*memory.read(address + (uint64_t(3) << 30)), std::byte(0));
  EXPECT_TRUE(memory.isUntouched(address, uint64_t(4) << 30));
  put(memory, address + Page + 5, 1, 7);
  EXPECT_FALSE(memory.isUntouched(address, uint64_t(4) << 30));
  EXPECT_TRUE(memory.isUntouched(address, Page));
  EXPECT_TRUE(memory.isUntouched(address + 2 * Page, Page));
}

TEST(AddressSpace, EachVersionRemembersWhatItBeganWith) {
  AddressSpace memory;
  const Address x = memory.allocation(*memory.allocate(4 * Page)).address;
  put(memory, x, 4 * Page, 1);
  const uint32_t first = memory.beginVersion();
  put(memory, x, 1, 2);
  const uint32_t second = memory.beginVersion();
  put(memory, x, 1, 3);
  put(memory, x + 2 * Page, 1, 4);
  const uint32_t third = memory.beginVersion();
  EXPECT_EQ(at(memory, first, x), 1);
  EXPECT_EQ(at(memory, second, x), 2);
  EXPECT_EQ(at(memory, third, x), 3);
  EXPECT_EQ(at(memory, second, x + 2 * Page), 1);
  EXPECT_EQ(at(memory, third, x + 2 * Page), 4);
  EXPECT_EQ(at(memory, third + 1, x), -1); // has not begun
  // Over a border between pages of different ages.
  std::byte both[2];
  put(memory, x + Page - 1, 2, 9);
  ASSERT_TRUE(memory.readAt(third, x + Page - 1, both, 2));
  EXPECT_THAT(both, testing::Each(std::byte(1)));
}

TEST(AddressSpace, AnUntouchedPageCostsNoSnapshot) {
  AddressSpace memory(AddressSpace::DefaultCapacity, Page); // room for one page
  const Address x = memory.allocation(*memory.allocate(64 * Page)).address;
  const uint32_t version = memory.beginVersion();
  put(memory, x, 64 * Page, 5);
  EXPECT_EQ(at(memory, version, x + 63 * Page), 0);
  EXPECT_EQ(memory.oldestKeptVersion(), version);
}

TEST(AddressSpace, ForgetsTheOldestVersionsBeyondItsBudget) {
  AddressSpace memory(AddressSpace::DefaultCapacity, 3 * Page);
  const Address x = memory.allocation(*memory.allocate(8 * Page)).address;
  put(memory, x, 8 * Page, 10);
  std::vector<uint32_t> versions;
  for (int i = 0; i < 4; ++i) {
    versions.push_back(memory.beginVersion());
    put(memory, x, 1, 20 + i);
  }
  EXPECT_EQ(at(memory, versions[0], x), -1);
  EXPECT_EQ(at(memory, versions[1], x), 20);
  EXPECT_EQ(at(memory, versions[3], x), 22);
  EXPECT_EQ(memory.oldestKeptVersion(), versions[1]);
  const uint32_t large = memory.beginVersion(); // writes more than there is room for
  put(memory, x, 8 * Page, 30);
  EXPECT_EQ(at(memory, large, x), -1);
  const uint32_t next = memory.beginVersion(); // and does not harm what comes after
  put(memory, x, 1, 31);
  EXPECT_EQ(at(memory, next, x), 30);
}

TEST(AddressSpace, WithoutABudgetKeepsNothing) {
  AddressSpace memory(AddressSpace::DefaultCapacity, 0);
  const Address x = memory.allocation(*memory.allocate(2 * Page)).address;
  put(memory, x, Page, 10);
  const uint32_t first = memory.beginVersion();
  EXPECT_EQ(at(memory, first, x), 10);
  put(memory, x, 2 * Page, 20);
  EXPECT_EQ(at(memory, first, x), -1);
  const uint32_t second = memory.beginVersion();
  EXPECT_EQ(at(memory, second, x), 20);
  EXPECT_EQ(memory.oldestKeptVersion(), second);
}

/// Threads write to the same pages at the same time; what each version began with must be whole.
TEST(AddressSpace, KeepsPagesWhileThreadsWrite) {
  AddressSpace memory;
  constexpr int Pages = 16, Versions = 20, Threads = 2;
  const Address x = memory.allocation(*memory.allocate(Pages * Page)).address;
  put(memory, x, Pages * Page, 0);
  std::vector<uint32_t> versions;
  for (int v = 1; v <= Versions; ++v) {
    versions.push_back(memory.beginVersion());
    auto work = [&](int thread) { // each thread has every second stretch of 64 bytes
      for (uint64_t i = uint64_t(thread) * 64; i < Pages * Page; i += Threads * 64)
        put(memory, x + i, 64, v);
    };
    std::thread other(work, 1);
    work(0);
    other.join();
  }
  std::vector<std::byte> then(Pages * Page);
  for (int v = 1; v <= Versions; ++v) {
    ASSERT_TRUE(memory.readAt(versions[size_t(v) - 1], x, then.data(), then.size()));
    ASSERT_TRUE(std::all_of(then.begin(), then.end(), [v](std::byte b) { return int(b) == v - 1; })) << v;
  }
}

} // namespace
} // namespace tilescope
