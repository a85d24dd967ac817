// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libcuda whose GPU is this process. Kernels, by name: `double_kernel(x, y, n)` does y[i] = 2·x[i] in fp32,
// `fault_kernel` goes to a wrong address, after which every call fails, as with CUDA. All others do nothing.
#include "tests/Runtime/FakeDriver.h"

#include "compiler/Memory/AddressSpace.h"

#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include <sys/mman.h>

namespace {

using Status = int;
constexpr Status Success = 0, InvalidValue = 1, OutOfMemory = 2, InvalidImage = 200, IllegalAddress = 700;
constexpr uint64_t Granularity = uint64_t(2) << 20;
constexpr uint64_t MemoryBytes = uint64_t(1) << 30;

constexpr uint64_t TensorBase = tilescope::AddressSpace::DeviceBase;

Status fault = Success; ///< stays for good
bool tensorsTaken = false;
uint64_t toDevice = 0, toHost = 0, physicalBytes = 0;

struct FakeFunction {
  std::string name;
};

struct FakeEvent {
  std::chrono::steady_clock::time_point at;
};

template <typename T> T *pointer(uint64_t address) { return reinterpret_cast<T *>(address); }

} // namespace

extern "C" {

uint64_t fakeBytesToDevice() { return toDevice; }
uint64_t fakeBytesToHost() { return toHost; }
uint64_t fakeHeal() { return uint64_t(fault = Success); }

Status cuInit(unsigned) {
  // Like CUDA's, it never gives addresses that were taken when it began.
  tensorsTaken = msync(pointer<void>(TensorBase), 4096, MS_ASYNC) == 0;
  return Success;
}
Status cuDriverGetVersion(int *version) {
  *version = 12080;
  return Success;
}
Status cuGetErrorName(Status status, const char **name) {
  *name = status == IllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS" : status == OutOfMemory ? "CUDA_ERROR_OUT_OF_MEMORY" : "?";
  return Success;
}
Status cuGetErrorString(Status, const char **text) {
  *text = "as the fake driver says";
  return Success;
}
Status cuDeviceGetCount(int *count) {
  *count = 1;
  return Success;
}
Status cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return Success;
}
Status cuDeviceGetName(char *name, int size, int) {
  std::strncpy(name, "Fake GPU", size_t(size));
  return Success;
}
Status cuDeviceGetAttribute(int *value, int attribute, int) {
  switch (attribute) {
  case 16: // multiprocessors
    *value = 4;
    return Success;
  case 38: // L2
    *value = 1 << 20;
    return Success;
  case 75: // capability 8.0
    *value = 8;
    return Success;
  case 76:
    *value = 0;
    return Success;
  case 97: // shared memory
    *value = 163 * 1024;
    return Success;
  default:
    return InvalidValue;
  }
}
Status cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = MemoryBytes;
  return Success;
}
Status cuDevicePrimaryCtxRetain(void **context, int) {
  static int dummy;
  *context = &dummy;
  return Success;
}
Status cuDevicePrimaryCtxRelease_v2(int) { return Success; }
Status cuCtxSetCurrent(void *) { return fault; }
Status cuCtxSynchronize() { return fault; }

Status cuModuleLoadDataEx(void **module, const void *image, unsigned count, const int *options, void **values) {
  if (std::strstr(static_cast<const char *>(image), "nonsense")) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5) // error log
        std::strcpy(static_cast<char *>(values[i]), "line 1: nonsense");
    return InvalidImage + 18; // invalid PTX
  }
  *module = new int;
  return Success;
}
Status cuModuleUnload(void *module) {
  delete static_cast<int *>(module);
  return Success;
}
Status cuModuleGetFunction(void **function, void *, const char *name) {
  *function = new FakeFunction{name};
  return Success;
}
Status cuFuncGetAttribute(int *value, int, void *) {
  *value = 24;
  return Success;
}
Status cuFuncSetAttribute(void *, int, int) { return Success; }
Status cuLaunchKernel(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                      void **parameters, void **) {
  const std::string &name = static_cast<FakeFunction *>(function)->name;
  if (name == "fault_kernel")
    fault = IllegalAddress;
  if (name != "double_kernel")
    return Success;
  uint64_t from = 0, to = 0;
  int32_t count = 0;
  std::memcpy(&from, parameters[0], sizeof from);
  std::memcpy(&to, parameters[1], sizeof to);
  std::memcpy(&count, parameters[2], sizeof count);
  for (int32_t i = 0; i < count; ++i)
    pointer<float>(to)[i] = 2 * pointer<const float>(from)[i];
  return fault;
}

Status cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  *address = reinterpret_cast<uint64_t>(memory);
  return memory == MAP_FAILED ? OutOfMemory : Success;
}
Status cuMemFree_v2(uint64_t) { return Success; }
Status cuMemGetInfo_v2(size_t *free, size_t *total) {
  *total = MemoryBytes;
  *free = MemoryBytes - physicalBytes;
  return Success;
}
Status cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  if (fault != Success)
    return fault;
  std::memcpy(pointer<void>(to), from, bytes);
  toDevice += bytes;
  return Success;
}
Status cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  if (fault != Success)
    return fault;
  std::memcpy(to, pointer<void>(from), bytes);
  toHost += bytes;
  return Success;
}
Status cuMemcpyDtoDAsync_v2(uint64_t, uint64_t, size_t, void *) { return fault; }
/// Small ones only: a cache that does not exist need not be flushed.
Status cuMemsetD8Async(uint64_t address, unsigned char value, size_t bytes, void *) {
  if (bytes <= Granularity)
    std::memset(pointer<void>(address), value, bytes);
  return fault;
}

Status cuMemAddressReserve(uint64_t *address, size_t bytes, size_t, uint64_t hint, unsigned long long) {
  if (hint == TensorBase && tensorsTaken)
    hint += bytes + Granularity;
  void *memory = mmap(pointer<void>(hint), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  *address = reinterpret_cast<uint64_t>(memory);
  return memory == MAP_FAILED ? OutOfMemory : Success;
}
Status cuMemAddressFree(uint64_t address, size_t bytes) {
  munmap(pointer<void>(address), bytes);
  return Success;
}
Status cuMemCreate(uint64_t *handle, size_t bytes, const void *, unsigned long long) {
  if (bytes % Granularity != 0)
    return InvalidValue;
  if (physicalBytes + bytes > MemoryBytes)
    return OutOfMemory;
  physicalBytes += bytes;
  *handle = bytes;
  return Success;
}
Status cuMemRelease(uint64_t handle) {
  physicalBytes -= handle;
  return Success;
}
Status cuMemMap(uint64_t address, size_t bytes, size_t, uint64_t, unsigned long long) {
  return address % Granularity == 0 && bytes % Granularity == 0 ? Success : InvalidValue;
}
Status cuMemUnmap(uint64_t address, size_t bytes) {
  return mprotect(pointer<void>(address), bytes, PROT_NONE) == 0 ? Success : InvalidValue;
}
Status cuMemSetAccess(uint64_t address, size_t bytes, const void *, size_t) {
  return mprotect(pointer<void>(address), bytes, PROT_READ | PROT_WRITE) == 0 ? Success : InvalidValue;
}

Status cuEventCreate(void **event, unsigned) {
  *event = new FakeEvent;
  return Success;
}
Status cuEventDestroy_v2(void *event) {
  delete static_cast<FakeEvent *>(event);
  return Success;
}
Status cuEventRecord(void *event, void *) {
  static_cast<FakeEvent *>(event)->at = std::chrono::steady_clock::now();
  return fault;
}
Status cuEventSynchronize(void *) { return fault; }
Status cuEventElapsedTime(float *time, void *begin, void *end) {
  *time = std::chrono::duration<float, std::milli>(static_cast<FakeEvent *>(end)->at - static_cast<FakeEvent *>(begin)->at)
              .count();
  return fault;
}

} // extern "C"
