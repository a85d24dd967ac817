// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code on the GPU: modules, kept by their content, and launches.
#pragma once

#include "compiler/Runtime/Cuda/Device.h"

#include <array>
#include <span>
#include <unordered_map>

namespace tilescope::cuda {

/// An entry of a module that stays loaded as long as its Modules.
struct Kernel {
  Function function = nullptr;
  int registers = 0;           ///< a thread, as the driver says
  int localBytes = 0;          ///< a thread: stack and spilled registers
  int64_t staticSharedBytes = 0;
  int64_t dynamicSharedBytes = 0; ///< that it has been loaded for
};

class Modules {
public:
  explicit Modules(const Device &device) : m_device(device) {}
  ~Modules();
  Modules(const Modules &) = delete;
  Modules &operator=(const Modules &) = delete;

  /// `image`: a cubin, or PTX, which the driver then compiles. `sharedBytes`: of dynamic shared memory for its launches.
  /// Errors "gpu-code-refused" (function, status, the driver's words), "gpu-shared-memory" (needed, what the GPU has),
  /// "cuda-failed".
  Result<Kernel> load(const std::string &image, const std::string &entry, int64_t sharedBytes);

private:
  Result<Module> moduleFor(const std::string &image);

  const Device &m_device;
  std::unordered_map<std::string, Module> m_modules;
};

struct LaunchShape {
  std::array<uint32_t, 3> grid{1, 1, 1}; ///< programs, each at least 1
  unsigned threads = 128;                ///< a program
};

/// Begins a launch; `arguments` are the bits of each parameter, in the lowest bytes. Errors "gpu-grid-too-large" (along y or
/// z; programs, most), "gpu-launch-too-large", "cuda-failed"; faults while it runs show when the GPU is waited for.
std::optional<Error> launch(const Device &device, const Kernel &kernel, const LaunchShape &shape,
                            std::span<const uint64_t> arguments);

} // namespace tilescope::cuda
