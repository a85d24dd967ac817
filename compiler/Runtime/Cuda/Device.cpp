// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Runtime/Cuda/Device.h"

namespace tilescope::cuda {
namespace {

// CUdevice_attribute
constexpr int MultiprocessorCount = 16, L2CacheSize = 38, CapabilityMajor = 75, CapabilityMinor = 76,
              SharedMemoryPerBlockOptin = 97;

Result<DeviceInfo> describe(const Driver &driver, int ordinal) {
  DeviceInfo info;
  info.ordinal = ordinal;
  int device = 0;
  if (auto error = driver.check(driver.cuDeviceGet(&device, ordinal), "cuDeviceGet"))
    return *error;
  char name[256] = {};
  if (auto error = driver.check(driver.cuDeviceGetName(name, sizeof name - 1, device), "cuDeviceGetName"))
    return *error;
  info.name = name;
  size_t bytes = 0;
  if (auto error = driver.check(driver.cuDeviceTotalMem(&bytes, device), "cuDeviceTotalMem"))
    return *error;
  info.memoryBytes = int64_t(bytes);
  int l2 = 0, shared = 0;
  for (auto [value, attribute] :
       {std::pair{&info.major, CapabilityMajor}, std::pair{&info.minor, CapabilityMinor},
        std::pair{&info.sms, MultiprocessorCount}, std::pair{&l2, L2CacheSize}, std::pair{&shared, SharedMemoryPerBlockOptin}})
    if (auto error =
            driver.check(driver.cuDeviceGetAttribute(value, attribute, device), "cuDeviceGetAttribute"))
      return *error;
  info.l2Bytes = l2;
  info.sharedBytesPerProgram = shared;
  if (auto error = driver.check(driver.cuDriverGetVersion(&info.driverVersion), "cuDriverGetVersion"))
    return *error;
  return info;
}

} // namespace

Result<std::vector<DeviceInfo>> devices() {
  const Result<const Driver *> driver = Driver::load();
  if (!driver)
    return driver.error();
  int count = 0;
  if (auto error = (*driver)->check((*driver)->cuDeviceGetCount(&count), "cuDeviceGetCount"))
    return *error;
  std::vector<DeviceInfo> result;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    Result<DeviceInfo> info = describe(**driver, ordinal);
    if (!info)
      return info.error();
    result.push_back(std::move(*info));
  }
  return result;
}

Result<std::unique_ptr<Device>> Device::open(int ordinal) {
  const Result<std::vector<DeviceInfo>> all = devices();
  if (!all)
    return all.error();
  if (ordinal < 0 || size_t(ordinal) >= all->size())
    return Error{"no-gpu", {std::to_string(ordinal), std::to_string(all->size()), ""}};
  const DeviceInfo &info = (*all)[size_t(ordinal)];
  if (info.major * 10 + info.minor < 75)
    return Error{"gpu-too-old", {info.name, std::to_string(info.major) + "." + std::to_string(info.minor)}};
  const Driver &driver = **Driver::load();
  std::unique_ptr<Device> device(new Device(driver, info));
  if (auto error = driver.check(driver.cuDeviceGet(&device->m_device, ordinal), "cuDeviceGet"))
    return *error;
  if (auto error = driver.check(driver.cuDevicePrimaryCtxRetain(&device->m_context, device->m_device),
                                "cuDevicePrimaryCtxRetain"))
    return *error;
  if (auto error = device->makeCurrent())
    return *error;
  return device;
}

/// After a fault of a kernel these calls fail too, which nobody needs to hear twice.
Device::~Device() {
  if (m_context)
    m_driver.cuDevicePrimaryCtxRelease(m_device);
}

std::optional<Error> Device::makeCurrent() const {
  return m_driver.check(m_driver.cuCtxSetCurrent(m_context), "cuCtxSetCurrent");
}

std::optional<Error> Device::synchronise() const {
  return m_driver.check(m_driver.cuCtxSynchronize(), "cuCtxSynchronize");
}

} // namespace tilescope::cuda
