// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Runtime/Fixture.h"

#include <cmath>

using namespace tilescope;
using namespace tilescope::testing;

namespace {

constexpr uint64_t KiB = 1024, MiB = 1024 * KiB;

class DeviceMemory : public FakeGpu {
protected:
  /// As the GPU has it: its memory is this process's.
  float onGpu(Address address) const { return *reinterpret_cast<const float *>(address); }
  uint64_t uploaded() {
    const uint64_t before = askFake("fakeBytesToDevice");
    EXPECT_FALSE(onDevice->upload(memory, false));
    return askFake("fakeBytesToDevice") - before;
  }
};

TEST_F(DeviceMemory, LiesAtTheAddressesOfTheTensors) {
  const AllocationId x = allocate(16);
  write(addressOf(x), {1, 2, 3, 4});
  EXPECT_FALSE(onDevice->upload(memory, false));
  EXPECT_EQ(onGpu(addressOf(x)), 1);
  EXPECT_EQ(onGpu(addressOf(x) + 12), 4);
}

TEST_F(DeviceMemory, SendsOnlyWhatTheHostHasChanged) {
  const AllocationId x = allocate(8 * MiB);
  write(addressOf(x), {1});
  EXPECT_LE(uploaded(), 64 * KiB); // the rest was never written
  memory.beginVersion();
  EXPECT_EQ(uploaded(), 0u);
  write(addressOf(x) + 5 * MiB, {7});
  EXPECT_LE(uploaded(), 64 * KiB);
  EXPECT_EQ(onGpu(addressOf(x)), 1);
  EXPECT_EQ(onGpu(addressOf(x) + 5 * MiB), 7);
  EXPECT_EQ(onGpu(addressOf(x) + 2 * MiB), 0); // fresh memory is zero on both sides
}

TEST_F(DeviceMemory, FollowsTensorsThatComeAndGo) {
  const AllocationId x = allocate(3 * MiB);
  write(addressOf(x), {1});
  uploaded();
  memory.beginVersion();
  const AllocationId y = allocate(40 * MiB);
  write(addressOf(y) + 39 * MiB, {5});
  uploaded();
  EXPECT_EQ(onGpu(addressOf(y) + 39 * MiB), 5);
  EXPECT_EQ(onGpu(addressOf(x)), 1);
  const Address before = addressOf(y);
  memory.free(y);
  memory.beginVersion();
  const AllocationId z = allocate(40 * MiB);
  ASSERT_EQ(addressOf(z), before);
  write(before, {9});
  uploaded();
  EXPECT_EQ(onGpu(before), 9);
}

TEST_F(DeviceMemory, BringsBackWhatWasWritten) {
  const AllocationId x = allocate(1024), y = allocate(1024);
  write(addressOf(x), {1});
  write(addressOf(y), {2});
  uploaded();
  memory.beginVersion();
  const uint32_t launch = memory.version();
  *reinterpret_cast<float *>(addressOf(x)) = 10;
  *reinterpret_cast<float *>(addressOf(y)) = 20;
  EXPECT_FALSE(onDevice->download(memory, std::vector{x}));
  float now = 0, before = 0;
  std::memcpy(&now, memory.read(addressOf(x)), 4);
  EXPECT_EQ(now, 10);
  std::memcpy(&now, memory.read(addressOf(y)), 4);
  EXPECT_EQ(now, 2); // nobody said that it was written
  ASSERT_TRUE(memory.readAt(launch, addressOf(x), reinterpret_cast<std::byte *>(&before), 4));
  EXPECT_EQ(before, 1); // what the launch saw is kept, for running a program again
  EXPECT_TRUE(memory.isDefined(addressOf(x), 1024));
}

TEST_F(DeviceMemory, RestoresWhatRunsForTimingHaveSpoiled) {
  const AllocationId x = allocate(1024);
  write(addressOf(x), {1});
  uploaded();
  *reinterpret_cast<float *>(addressOf(x)) = 10;
  EXPECT_FALSE(onDevice->restore(memory, std::vector{x}));
  EXPECT_EQ(onGpu(addressOf(x)), 1);
}

TEST_F(DeviceMemory, PoisonsWhatNobodyWrote) {
  const AllocationId x = allocate(16), y = allocate(16);
  write(addressOf(x) + 4, {3});
  EXPECT_FALSE(onDevice->upload(memory, true));
  EXPECT_TRUE(std::isnan(onGpu(addressOf(x))));
  EXPECT_EQ(onGpu(addressOf(x) + 4), 3);
  EXPECT_TRUE(std::isnan(onGpu(addressOf(x) + 12)));
  EXPECT_TRUE(std::isnan(onGpu(addressOf(y))));
  EXPECT_FALSE(memory.isDefined(addressOf(y), 4));
}

TEST_F(DeviceMemory, SaysThatTheGpuIsFull) {
  allocate(1200 * MiB); // the fake GPU has 1 GiB
  const std::optional<Error> error = onDevice->upload(memory, false);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->id, "gpu-out-of-memory");
  EXPECT_EQ(error->arguments[1], "CUDA_ERROR_OUT_OF_MEMORY");
}

} // namespace
