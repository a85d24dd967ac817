// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One GPU and its primary context. Calls come from one thread at a time, which has called `makeCurrent`.
#pragma once

#include "compiler/Runtime/Cuda/Driver.h"

#include <memory>
#include <string>
#include <vector>

namespace tilescope::cuda {

struct DeviceInfo {
  int ordinal = 0;
  std::string name; ///< "NVIDIA H200"
  int major = 0, minor = 0;
  int sms = 0;
  int64_t memoryBytes = 0;
  int64_t l2Bytes = 0;
  int64_t sharedBytesPerProgram = 0; ///< the most, with opting in
  int driverVersion = 0;             ///< of CUDA, as cuDriverGetVersion gives it: 13000
};

/// Those that the driver shows, in its order. Errors as for Driver::load.
Result<std::vector<DeviceInfo>> devices();

class Device {
public:
  /// Errors: those of Driver::load; "no-gpu"; "gpu-too-old" (name, capability) below 7.5; "cuda-failed" and the like.
  static Result<std::unique_ptr<Device>> open(int ordinal = 0);
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  const DeviceInfo &info() const { return m_info; }
  const Driver &driver() const { return m_driver; }

  std::optional<Error> makeCurrent() const;
  /// Waits until all that was asked for is done. An error of a kernel shows here, and for good: nothing works on this
  /// GPU in this process any more.
  std::optional<Error> synchronise() const;

private:
  Device(const Driver &driver, DeviceInfo info) : m_driver(driver), m_info(std::move(info)) {}

  const Driver &m_driver;
  DeviceInfo m_info;
  int m_device = 0;
  Context m_context = nullptr;
};

} // namespace tilescope::cuda
