// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Runtime/Fixture.h"

using namespace tilescope;
using namespace tilescope::testing;

namespace {

class Kernels : public FakeGpu {
protected:
  cuda::Kernel kernel(const std::string &name) {
    const Result<cuda::Kernel> loaded = modules().load("image", name, 0);
    EXPECT_TRUE(loaded);
    return *loaded;
  }
  cuda::Modules &modules() {
    if (!m_modules)
      m_modules = std::make_unique<cuda::Modules>(*device);
    return *m_modules;
  }

private:
  std::unique_ptr<cuda::Modules> m_modules;
};

TEST_F(Kernels, DescribeTheirGpu) {
  EXPECT_EQ(device->info().name, "Fake GPU");
  EXPECT_EQ(device->info().major, 8);
  EXPECT_EQ(device->info().sms, 4);
  EXPECT_EQ(device->info().driverVersion, 12080);
}

TEST_F(Kernels, TakeArgumentsOfEachWidth) {
  const AllocationId x = allocate(12), y = allocate(12);
  write(addressOf(x), {1, 2, 3});
  EXPECT_FALSE(onDevice->upload(memory, false));
  const std::vector<uint64_t> arguments{addressOf(x), addressOf(y), 0xFFFF'FFFF'0000'0002}; // an int32 in the low bytes: 2
  EXPECT_FALSE(cuda::launch(*device, kernel("double_kernel"), {}, arguments));
  EXPECT_FALSE(device->synchronise());
  EXPECT_FALSE(onDevice->download(memory, std::vector{y}));
  const auto *results = reinterpret_cast<const float *>(memory.read(addressOf(y)));
  EXPECT_EQ(results[0], 2);
  EXPECT_EQ(results[1], 4);
  EXPECT_EQ(results[2], 0);
}

TEST_F(Kernels, SayWhatTheDriverHasAgainstTheirCode) {
  const Result<cuda::Kernel> loaded = modules().load("nonsense", "k", 0);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().id, "gpu-code-refused");
  EXPECT_EQ(loaded.error().arguments[2], "line 1: nonsense");
}

TEST_F(Kernels, CannotHaveMoreSharedMemoryThanThereIs) {
  EXPECT_TRUE(modules().load("image", "k", 163 * 1024));
  const Result<cuda::Kernel> loaded = modules().load("image", "k", 163 * 1024 + 1);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().id, "gpu-shared-memory");
}

TEST_F(Kernels, CannotHaveMoreProgramsThanAnAxisTakes) {
  cuda::LaunchShape shape;
  shape.grid = {1 << 20, 65535, 1};
  EXPECT_FALSE(cuda::launch(*device, kernel("k"), shape, {}));
  shape.grid = {1, 65536, 1};
  const std::optional<Error> error = cuda::launch(*device, kernel("k"), shape, {});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->id, "gpu-grid-too-large");
}

TEST_F(Kernels, FaultsShowWhenTheGpuIsWaitedFor) {
  EXPECT_FALSE(cuda::launch(*device, kernel("fault_kernel"), {}, {}));
  const std::optional<Error> error = device->synchronise();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->id, "gpu-illegal-address");
  EXPECT_TRUE(device->synchronise());
}

} // namespace
