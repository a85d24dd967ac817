// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Carries launches out on a GPU: compiles each for it, brings the tensors there and back. Read compiler/docs/runtime.md.
#pragma once

#include "compiler/Host/Launcher.h"
#include "compiler/Interpreter/Kernel.h"
#include "compiler/Runtime/Cuda/DeviceMemory.h"
#include "compiler/Runtime/Cuda/Kernel.h"
#include "compiler/Runtime/Cuda/Timing.h"
#include "compiler/Service/Codegen.h"
#include "compiler/Service/GpuComparison.h"

#include <unordered_map>

namespace tilescope::service {

struct GpuOptions {
  int ordinal = 0;
  bool poison = false;   ///< bytes that nobody wrote are 0xFF before a launch: NaN, and −1
  bool timing = false;   ///< launches are timed too, before they are carried out
  bool schedule = false; ///< and once more with a probe: which SM ran each program, and when
};

/// Where and when one program ran, by the GPU's own clock.
struct ProgramRun {
  uint64_t sm = 0;
  uint64_t begin = 0, end = 0; ///< ns
};

/// What was measured of a launch, on the GPU.
struct GpuLaunch {
  codegen::Target target;
  int registers = 0; ///< a thread
  int localBytes = 0;
  int64_t staticSharedBytes = 0, dynamicSharedBytes = 0;
  double ptxMs = 0;     ///< from source to PTX; 0 where the code was there already
  double loadMs = 0;    ///< from PTX to code on the GPU; the same
  double wallMs = 0;    ///< of the launch itself, with the wait for it
  std::optional<cuda::Times> times;
  std::vector<ProgramRun> programs;
};

class GpuLauncher {
public:
  /// Errors: those of cuda::Device::open and cuda::DeviceMemory::reserve.
  static Result<std::unique_ptr<GpuLauncher>> open(const GpuOptions &options);

  const cuda::DeviceInfo &device() const { return m_device->info(); }
  /// Bytes a second, read and written, of the driver's own copy.
  Result<double> copyBytesPerSecond();

  /// Carries out a launch of at least one program. `code` says what it stores to, `arguments` are one for each of its
  /// parameters. Nothing after an error, which is in `diagnostics` at the call; after a fault of the kernel nothing works
  /// any more on this GPU in this process.
  std::optional<GpuLaunch> launch(const host::LaunchRequest &request, const interp::Kernel &code,
                                  const std::vector<interp::Argument> &arguments, AddressSpace &memory,
                                  Diagnostics &diagnostics);
  /// The same but that the memory stays as it was, here and on the GPU: what the launch wrote is in `results`.
  std::optional<GpuLaunch> launchAside(const host::LaunchRequest &request, const interp::Kernel &code,
                                       const std::vector<interp::Argument> &arguments, AddressSpace &memory,
                                       std::vector<GpuResult> &results, Diagnostics &diagnostics);

private:
  struct Loaded {
    KernelCode code;
    cuda::Kernel kernel;
    double ptxMs = 0, loadMs = 0;
  };
  using LoadedPtr = std::shared_ptr<const Loaded>;
  struct Run; ///< one launch on its way

  GpuLauncher(const GpuOptions &options, std::unique_ptr<cuda::Device> device);
  LoadedPtr load(const host::LaunchRequest &request, bool hasProbe, bool &isNew, Diagnostics &diagnostics);
  LoadedPtr loadAnew(const SourceClosure &closure, const frontend::Specialisation &specialisation, bool hasProbe,
                     const host::LaunchRequest &request, Diagnostics &diagnostics);
  std::optional<Run> prepare(const host::LaunchRequest &request, const interp::Kernel &code,
                             const std::vector<interp::Argument> &arguments, const AddressSpace &memory,
                             Diagnostics &diagnostics);
  std::optional<Error> carryOut(Run &run, AddressSpace &memory);
  std::optional<Error> carryOutAside(Run &run, AddressSpace &memory, std::vector<GpuResult> &results);
  std::optional<Error> runToEnd(Run &run);
  std::optional<Error> measure(Run &run, const AddressSpace &memory);
  std::optional<Error> recordSchedule(Run &run);
  Result<cuda::Stopwatch *> stopwatch();

  GpuOptions m_options;
  std::unique_ptr<cuda::Device> m_device;
  std::unique_ptr<cuda::DeviceMemory> m_memory;
  cuda::Modules m_modules;
  std::unique_ptr<cuda::Stopwatch> m_stopwatch;
  std::unordered_map<std::string, LoadedPtr> m_kernels;
};

} // namespace tilescope::service
