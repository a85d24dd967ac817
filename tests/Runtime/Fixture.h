// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU of the fake driver, and memory on it.
#pragma once

#include "compiler/Runtime/Cuda/DeviceMemory.h"
#include "compiler/Runtime/Cuda/HeldAddresses.h"
#include "compiler/Runtime/Cuda/Kernel.h"
#include "tests/Runtime/FakeDriver.h"

#include <gtest/gtest.h>

#include <cstring>

#include <dlfcn.h>

namespace tilescope::testing {

/// Asks the driver that was loaded at run time.
inline uint64_t askFake(const char *function) {
  void *library = dlopen(FAKE_CUDA, RTLD_NOW | RTLD_NOLOAD);
  auto *ask = reinterpret_cast<uint64_t (*)()>(dlsym(library, function));
  return ask ? ask() : ~uint64_t(0);
}

class FakeGpu : public ::testing::Test {
protected:
  FakeGpu() {
    setenv("TILESCOPE_CUDA_DRIVER", FAKE_CUDA, 1);
    Result<std::unique_ptr<cuda::Device>> opened = cuda::Device::open();
    if (opened)
      device = std::move(*opened);
    if (device && cuda::holdTensorAddresses())
      if (Result<std::unique_ptr<cuda::DeviceMemory>> reserved = cuda::DeviceMemory::reserve(*device))
        onDevice = std::move(*reserved);
  }
  ~FakeGpu() override {
    onDevice.reset();
    askFake("fakeHeal");
  }
  void SetUp() override {
    ASSERT_TRUE(device);
    if (!onDevice)
      GTEST_SKIP() << "something of this process lies where tensors have their addresses";
  }

  AllocationId allocate(uint64_t bytes) { return *memory.allocate(bytes); }
  Address addressOf(AllocationId id) const { return memory.allocation(id).address; }
  void write(Address address, std::vector<float> numbers) {
    std::memcpy(memory.write(address, numbers.size() * 4), numbers.data(), numbers.size() * 4);
  }

  AddressSpace memory;
  std::unique_ptr<cuda::Device> device;
  std::unique_ptr<cuda::DeviceMemory> onDevice;
};

} // namespace tilescope::testing
