// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of NVIDIA's driver that are used, found at run time: a build needs no CUDA. Their names and meanings are
// those of the CUDA Driver API (https://docs.nvidia.com/cuda/cuda-driver-api); the prototypes are our own.
#pragma once

#include "compiler/Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tilescope::cuda {

using Status = int; ///< CUresult: 0 is success
using DevicePtr = uint64_t;
using Context = struct ContextHandle *;
using Module = struct ModuleHandle *;
using Function = struct FunctionHandle *;
using Event = struct EventHandle *;
using Stream = struct StreamHandle *; ///< null: the default stream, which all work here goes to
using Physical = uint64_t;            ///< CUmemGenericAllocationHandle

/// CUmemLocation: type 1 is a device.
struct MemoryLocation {
  int type = 1;
  int device = 0;
};

/// CUmemAllocationProp: memory of one device that nobody else sees.
struct MemoryProperties {
  int type = 1; ///< pinned, as all of them are
  int handleTypes = 0;
  MemoryLocation location;
  void *windowsData = nullptr;
  unsigned char flags[8] = {};
};

/// CUmemAccessDesc: 3 is reading and writing.
struct MemoryAccess {
  MemoryLocation location;
  int flags = 3;
};

struct Driver {
  /// The one of this machine: libcuda.so.1, or the file that $TILESCOPE_CUDA_DRIVER names. Loaded and initialised once.
  /// Errors "no-cuda-driver" (why), "cuda-driver-too-old" (the function that it lacks), those of `error`.
  static Result<const Driver *> load();

  /// What a status that is not success says: an id of its own for what a person can do something about, else
  /// "cuda-failed". Arguments: the function, the status's name and its description.
  Error error(Status status, const char *function) const;
  /// Nothing if `status` is success.
  std::optional<Error> check(Status status, const char *function) const {
    return status == 0 ? std::nullopt : std::optional(error(status, function));
  }

  Status (*cuInit)(unsigned flags);
  Status (*cuDriverGetVersion)(int *version);
  Status (*cuGetErrorName)(Status, const char **);
  Status (*cuGetErrorString)(Status, const char **);
  Status (*cuDeviceGetCount)(int *);
  Status (*cuDeviceGet)(int *device, int ordinal);
  Status (*cuDeviceGetName)(char *, int size, int device);
  Status (*cuDeviceGetAttribute)(int *value, int attribute, int device);
  Status (*cuDeviceTotalMem)(size_t *, int device);
  Status (*cuDevicePrimaryCtxRetain)(Context *, int device);
  Status (*cuDevicePrimaryCtxRelease)(int device);
  Status (*cuCtxSetCurrent)(Context);
  Status (*cuCtxSynchronize)();
  Status (*cuModuleLoadDataEx)(Module *, const void *image, unsigned count, const int *options, void **values);
  Status (*cuModuleUnload)(Module);
  Status (*cuModuleGetFunction)(Function *, Module, const char *name);
  Status (*cuFuncGetAttribute)(int *value, int attribute, Function);
  Status (*cuFuncSetAttribute)(Function, int attribute, int value);
  Status (*cuLaunchKernel)(Function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                           unsigned blockZ, unsigned sharedBytes, Stream, void **parameters, void **extra);
  Status (*cuMemAlloc)(DevicePtr *, size_t bytes);
  Status (*cuMemFree)(DevicePtr);
  Status (*cuMemGetInfo)(size_t *free, size_t *total);
  Status (*cuMemcpyHtoD)(DevicePtr, const void *, size_t bytes);
  Status (*cuMemcpyDtoH)(void *, DevicePtr, size_t bytes);
  Status (*cuMemcpyDtoDAsync)(DevicePtr to, DevicePtr from, size_t bytes, Stream);
  Status (*cuMemsetD8Async)(DevicePtr, unsigned char value, size_t bytes, Stream);
  Status (*cuMemAddressReserve)(DevicePtr *, size_t bytes, size_t alignment, DevicePtr hint, unsigned long long flags);
  Status (*cuMemAddressFree)(DevicePtr, size_t bytes);
  Status (*cuMemCreate)(Physical *, size_t bytes, const MemoryProperties *, unsigned long long flags);
  Status (*cuMemRelease)(Physical);
  Status (*cuMemMap)(DevicePtr, size_t bytes, size_t offset, Physical, unsigned long long flags);
  Status (*cuMemUnmap)(DevicePtr, size_t bytes);
  Status (*cuMemSetAccess)(DevicePtr, size_t bytes, const MemoryAccess *, size_t count);
  Status (*cuEventCreate)(Event *, unsigned flags);
  Status (*cuEventDestroy)(Event);
  Status (*cuEventRecord)(Event, Stream);
  Status (*cuEventSynchronize)(Event);
  Status (*cuEventElapsedTime)(float *milliseconds, Event begin, Event end);
};

} // namespace tilescope::cuda
