// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Runtime/Cuda/Driver.h"

#include "compiler/Runtime/Cuda/HeldAddresses.h"

#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>

#include <dlfcn.h>

namespace tilescope::cuda {
namespace {

/// Looks functions up, and remembers the first that is missing.
class Loader {
public:
  explicit Loader(void *library) : m_library(library) {}

  template <typename F> void operator()(const char *name, F *&function) {
    function = reinterpret_cast<F *>(dlsym(m_library, name));
    if (!function && !m_missing)
      m_missing = name;
  }
  const char *missing() const { return m_missing; }

private:
  void *m_library;
  const char *m_missing = nullptr;
};

/// The names with a version are those that cuda.h gives to programs of CUDA 11 to 13.
void loadAll(Loader &load, Driver &d) {
  load("cuInit", d.cuInit);
  load("cuDriverGetVersion", d.cuDriverGetVersion);
  load("cuGetErrorName", d.cuGetErrorName);
  load("cuGetErrorString", d.cuGetErrorString);
  load("cuDeviceGetCount", d.cuDeviceGetCount);
  load("cuDeviceGet", d.cuDeviceGet);
  load("cuDeviceGetName", d.cuDeviceGetName);
  load("cuDeviceGetAttribute", d.cuDeviceGetAttribute);
  load("cuDeviceTotalMem_v2", d.cuDeviceTotalMem);
  load("cuDevicePrimaryCtxRetain", d.cuDevicePrimaryCtxRetain);
  load("cuDevicePrimaryCtxRelease_v2", d.cuDevicePrimaryCtxRelease);
  load("cuCtxSetCurrent", d.cuCtxSetCurrent);
  load("cuCtxSynchronize", d.cuCtxSynchronize);
  load("cuModuleLoadDataEx", d.cuModuleLoadDataEx);
  load("cuModuleUnload", d.cuModuleUnload);
  load("cuModuleGetFunction", d.cuModuleGetFunction);
  load("cuFuncGetAttribute", d.cuFuncGetAttribute);
  load("cuFuncSetAttribute", d.cuFuncSetAttribute);
  load("cuLaunchKernel", d.cuLaunchKernel);
  load("cuMemAlloc_v2", d.cuMemAlloc);
  load("cuMemFree_v2", d.cuMemFree);
  load("cuMemGetInfo_v2", d.cuMemGetInfo);
  load("cuMemcpyHtoD_v2", d.cuMemcpyHtoD);
  load("cuMemcpyDtoH_v2", d.cuMemcpyDtoH);
  load("cuMemcpyDtoDAsync_v2", d.cuMemcpyDtoDAsync);
  load("cuMemsetD8Async", d.cuMemsetD8Async);
  load("cuMemAddressReserve", d.cuMemAddressReserve);
  load("cuMemAddressFree", d.cuMemAddressFree);
  load("cuMemCreate", d.cuMemCreate);
  load("cuMemRelease", d.cuMemRelease);
  load("cuMemMap", d.cuMemMap);
  load("cuMemUnmap", d.cuMemUnmap);
  load("cuMemSetAccess", d.cuMemSetAccess);
  load("cuEventCreate", d.cuEventCreate);
  load("cuEventDestroy_v2", d.cuEventDestroy);
  load("cuEventRecord", d.cuEventRecord);
  load("cuEventSynchronize", d.cuEventSynchronize);
  load("cuEventElapsedTime", d.cuEventElapsedTime);
}

Result<const Driver *> loadOnce() {
  const char *named = std::getenv("TILESCOPE_CUDA_DRIVER");
  const char *file = named && *named ? named : "libcuda.so.1";
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    return Error{"no-cuda-driver", {file, why ? why : ""}};
  }
  static Driver driver;
  Loader loader(library);
  loadAll(loader, driver);
  if (loader.missing())
    return Error{"cuda-driver-too-old", {loader.missing()}};
  // The driver never gives addresses that were taken when it began.
  releaseTensorAddresses();
  const Status status = driver.cuInit(0);
  holdTensorAddresses();
  if (std::optional<Error> error = driver.check(status, "cuInit"))
    return *error;
  return static_cast<const Driver *>(&driver);
}

/// Statuses about which a person can do something.
const char *idOf(Status status) {
  switch (status) {
  case 2:
    return "gpu-out-of-memory";
  case 100: // no device
    return "no-gpu";
  case 46: // unavailable: in exclusive use
    return "gpu-busy";
  case 209: // no binary for the GPU
  case 218: // invalid PTX
  case 222: // PTX of a version that the driver does not know
    return "gpu-code-refused";
  case 214: // ECC
  case 220: // NVLink
  case 226: // contained
    return "gpu-hardware-error";
  case 700:
    return "gpu-illegal-address";
  case 701:
    return "gpu-launch-too-large";
  case 702:
    return "gpu-launch-timeout";
  case 710:
    return "gpu-assertion-failed";
  case 716:
    return "gpu-misaligned-address";
  case 803: // the library and the kernel's module differ in version
    return "cuda-driver-mismatch";
  default:
    return "cuda-failed";
  }
}

} // namespace

Result<const Driver *> Driver::load() {
  static const Result<const Driver *> loaded = loadOnce();
  return loaded;
}

Error Driver::error(Status status, const char *function) const {
  const char *name = nullptr, *text = nullptr;
  if (cuGetErrorName(status, &name) != 0 || !name)
    name = "";
  if (cuGetErrorString(status, &text) != 0 || !text)
    text = "";
  const std::string shown = *name ? name : std::to_string(status);
  return Error{idOf(status), {function, shown, text}};
}

} // namespace tilescope::cuda
