// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Runtime/Cuda/Kernel.h"

#include <string_view>

namespace tilescope::cuda {
namespace {

// CUfunction_attribute
constexpr int SharedSize = 1, LocalSize = 3, Registers = 4, MaxDynamicSharedSize = 8;
// CUjit_option
constexpr int ErrorLogBuffer = 5, ErrorLogBufferBytes = 6;

constexpr int64_t SharedWithoutAsking = 48 * 1024;
constexpr uint32_t MaxGridYZ = 65535;

} // namespace

Modules::~Modules() {
  for (const auto &[image, module] : m_modules)
    m_device.driver().cuModuleUnload(module);
}

Result<Module> Modules::moduleFor(const std::string &image) {
  if (auto known = m_modules.find(image); known != m_modules.end())
    return known->second;
  std::string log(4096, '\0');
  const int options[] = {ErrorLogBuffer, ErrorLogBufferBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  Module module = nullptr;
  const Status status = m_device.driver().cuModuleLoadDataEx(&module, image.c_str(), 2, options, values);
  if (status == 0) {
    m_modules.emplace(image, module);
    return module;
  }
  Error error = m_device.driver().error(status, "cuModuleLoadDataEx");
  if (log[0] != '\0')
    error.arguments[2] = log.c_str();
  return error;
}

Result<Kernel> Modules::load(const std::string &image, const std::string &entry, int64_t sharedBytes) {
  const Driver &driver = m_device.driver();
  if (sharedBytes > m_device.info().sharedBytesPerProgram)
    return Error{"gpu-shared-memory",
                 {std::to_string(sharedBytes), std::to_string(m_device.info().sharedBytesPerProgram)}};
  const Result<Module> module = moduleFor(image);
  if (!module)
    return module.error();
  Kernel kernel;
  if (auto error =
          driver.check(driver.cuModuleGetFunction(&kernel.function, *module, entry.c_str()), "cuModuleGetFunction"))
    return *error;
  int shared = 0;
  for (auto [value, attribute] : {std::pair{&kernel.registers, Registers}, std::pair{&kernel.localBytes, LocalSize},
                                  std::pair{&shared, SharedSize}})
    if (auto error =
            driver.check(driver.cuFuncGetAttribute(value, attribute, kernel.function), "cuFuncGetAttribute"))
      return *error;
  kernel.staticSharedBytes = shared;
  kernel.dynamicSharedBytes = sharedBytes;
  if (sharedBytes > SharedWithoutAsking)
    if (auto error = driver.check(
            driver.cuFuncSetAttribute(kernel.function, MaxDynamicSharedSize, int(sharedBytes)), "cuFuncSetAttribute"))
      return *error;
  return kernel;
}

std::optional<Error> launch(const Device &device, const Kernel &kernel, const LaunchShape &shape,
                            std::span<const uint64_t> arguments) {
  for (unsigned axis : {1u, 2u})
    if (shape.grid[axis] > MaxGridYZ)
      return Error{"gpu-grid-too-large", {std::to_string(shape.grid[axis]), std::to_string(axis), std::to_string(MaxGridYZ)}};
  std::vector<uint64_t> bits(arguments.begin(), arguments.end());
  std::vector<void *> parameters;
  for (uint64_t &argument : bits)
    parameters.push_back(&argument);
  const auto &[x, y, z] = shape.grid;
  return device.driver().check(device.driver().cuLaunchKernel(kernel.function, x, y, z, shape.threads, 1, 1,
                                                              unsigned(kernel.dynamicSharedBytes), nullptr,
                                                              parameters.data(), nullptr),
                               "cuLaunchKernel");
}

} // namespace tilescope::cuda
