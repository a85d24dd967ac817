// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/GpuLauncher.h"

#include "compiler/Service/GpuTarget.h"
#include "compiler/Service/LaunchArguments.h"
#include "compiler/Service/Server.h"
#include "compiler/Service/Specialise.h"

#include <algorithm>

namespace tilescope::service {

using host::LaunchRequest;

struct GpuLauncher::Run {
  LoadedPtr loaded, probed; ///< `probed` only where the schedule is wanted
  cuda::LaunchShape shape;
  std::vector<uint64_t> arguments;
  std::vector<AllocationId> written; ///< what the launch may store to
  GpuLaunch result;
};

namespace {

/// What the kernel may store to; all live allocations if that is not known of one of its stores.
std::vector<AllocationId> writtenBy(const interp::Kernel &code, const std::vector<interp::Argument> &arguments,
                                    const AddressSpace &memory) {
  std::vector<AllocationId> written;
  for (const interp::AccessSite &site : code.accesses()) {
    if (site.kind == interp::AccessKind::Load)
      continue;
    const AllocationId id = site.pointerArgument < 0 ? 0 : arguments[size_t(site.pointerArgument)].allocation;
    if (id == 0) {
      written.clear();
      for (const Allocation *at = memory.neighbours(0).second; at; at = memory.neighbours(at->address).second)
        written.push_back(at->id);
      return written;
    }
    if (std::ranges::find(written, id) == written.end())
      written.push_back(id);
  }
  return written;
}

void report(const Error &error, const LaunchRequest &request, Diagnostics &diagnostics) {
  Diagnostic &diagnostic = diagnostics.error(error.id, request.call, error.arguments);
  diagnostic.notes.push_back({"gpu-launch",
                              {std::string(request.kernel->name()), std::to_string(request.grid[0]),
                               std::to_string(request.grid[1]), std::to_string(request.grid[2])},
                              {request.kernel->module->file, request.kernel->definition->nameRange}});
}

} // namespace

GpuLauncher::GpuLauncher(const GpuOptions &options, std::unique_ptr<cuda::Device> device)
    : m_options(options), m_device(std::move(device)), m_modules(*m_device) {}

Result<std::unique_ptr<GpuLauncher>> GpuLauncher::open(const GpuOptions &options) {
  Result<std::unique_ptr<cuda::Device>> device = cuda::Device::open(options.ordinal);
  if (!device)
    return device.error();
  std::unique_ptr<GpuLauncher> launcher(new GpuLauncher(options, std::move(*device)));
  Result<std::unique_ptr<cuda::DeviceMemory>> memory = cuda::DeviceMemory::reserve(*launcher->m_device);
  if (!memory)
    return memory.error();
  launcher->m_memory = std::move(*memory);
  return launcher;
}

//===- Code -----------------------------------------------------------------------------------------===//

GpuLauncher::LoadedPtr GpuLauncher::loadAnew(const SourceClosure &closure, const frontend::Specialisation &specialisation,
                                             bool hasProbe, const LaunchRequest &request, Diagnostics &diagnostics) {
  auto loaded = std::make_shared<Loaded>();
  CodegenOptions options{targetFor(device().major, device().minor)};
  options.target.hasProbe = hasProbe;
  const Clock::time_point begin = Clock::now();
  std::optional<KernelCode> code = generateCode(closure, specialisation, options, diagnostics);
  if (!code)
    return nullptr;
  loaded->ptxMs = millisecondsSince(begin);
  const Clock::time_point hasPtx = Clock::now();
  // The driver's compiler, not nvJitLink: it knows this GPU, and makes of the same PTX what ptxas makes.
  Result<cuda::Kernel> kernel = m_modules.load(code->ptx, code->name, code->sharedBytes);
  if (!kernel) {
    report(kernel.error(), request, diagnostics);
    return nullptr;
  }
  loaded->loadMs = millisecondsSince(hasPtx);
  loaded->code = std::move(*code);
  loaded->kernel = *kernel;
  return loaded;
}

GpuLauncher::LoadedPtr GpuLauncher::load(const LaunchRequest &request, bool hasProbe, bool &isNew,
                                         Diagnostics &diagnostics) {
  std::optional<frontend::Specialisation> specialisation = specialise(request, diagnostics);
  if (!specialisation)
    return nullptr;
  const SourceClosure closure(*request.kernel);
  const std::string key = closure.key().empty() ? "" : closure.key() + specialisation->key() + (hasProbe ? "probe" : "");
  auto known = key.empty() ? m_kernels.end() : m_kernels.find(key);
  isNew = known == m_kernels.end();
  if (!isNew)
    return known->second;
  LoadedPtr loaded = loadAnew(closure, *specialisation, hasProbe, request, diagnostics);
  if (loaded && !key.empty())
    m_kernels[key] = loaded;
  return loaded;
}

//===- A launch -------------------------------------------------------------------------------------===//

std::optional<GpuLauncher::Run> GpuLauncher::prepare(const LaunchRequest &request, const interp::Kernel &code,
                                                     const std::vector<interp::Argument> &arguments,
                                                     const AddressSpace &memory, Diagnostics &diagnostics) {
  if (auto error = m_device->makeCurrent()) {
    report(*error, request, diagnostics);
    return std::nullopt;
  }
  Run run;
  bool isNew = false, isProbeNew = false;
  run.loaded = load(request, false, isNew, diagnostics);
  run.probed = run.loaded && m_options.schedule ? load(request, true, isProbeNew, diagnostics) : nullptr;
  if (!run.loaded || (m_options.schedule && !run.probed))
    return std::nullopt;
  const Loaded &loaded = *run.loaded;
  if (loaded.code.parameters != arguments.size()) {
    diagnostics.error("internal-error", request.call, {"gpu-launch", "parameters"});
    return std::nullopt;
  }
  run.shape = {gridOf(request), 32u * unsigned(loaded.code.numWarps)};
  for (const interp::Argument &argument : arguments)
    run.arguments.push_back(argument.bits);
  run.written = writtenBy(code, arguments, memory);
  run.result = {loaded.code.target, loaded.kernel.registers, loaded.kernel.localBytes, loaded.kernel.staticSharedBytes,
                loaded.kernel.dynamicSharedBytes};
  run.result.ptxMs = isNew ? loaded.ptxMs : 0;
  run.result.loadMs = isNew ? loaded.loadMs : 0;
  return run;
}

std::optional<GpuLaunch> GpuLauncher::launch(const LaunchRequest &request, const interp::Kernel &code,
                                             const std::vector<interp::Argument> &arguments, AddressSpace &memory,
                                             Diagnostics &diagnostics) {
  std::optional<Run> run = prepare(request, code, arguments, memory, diagnostics);
  if (!run)
    return std::nullopt;
  if (auto error = carryOut(*run, memory)) {
    report(*error, request, diagnostics);
    return std::nullopt;
  }
  return std::move(run->result);
}

std::optional<GpuLaunch> GpuLauncher::launchAside(const LaunchRequest &request, const interp::Kernel &code,
                                                  const std::vector<interp::Argument> &arguments, AddressSpace &memory,
                                                  std::vector<GpuResult> &results, Diagnostics &diagnostics) {
  std::optional<Run> run = prepare(request, code, arguments, memory, diagnostics);
  if (!run)
    return std::nullopt;
  if (auto error = carryOutAside(*run, memory, results)) {
    report(*error, request, diagnostics);
    return std::nullopt;
  }
  return std::move(run->result);
}

std::optional<Error> GpuLauncher::runToEnd(Run &run) {
  const Clock::time_point begin = Clock::now();
  if (auto error = cuda::launch(*m_device, run.loaded->kernel, run.shape, run.arguments))
    return error;
  if (auto error = m_device->synchronise())
    return error;
  run.result.wallMs = millisecondsSince(begin);
  return std::nullopt;
}

/// A version of the memory begins with the launch, and one after it: what the host writes from then on is what the next
/// launch has to be sent.
std::optional<Error> GpuLauncher::carryOut(Run &run, AddressSpace &memory) {
  if (auto error = m_memory->upload(memory, m_options.poison))
    return error;
  if (m_options.timing || m_options.schedule) {
    if (auto error = measure(run, memory))
      return error;
  }
  memory.beginVersion();
  if (auto error = runToEnd(run))
    return error;
  if (auto error = m_memory->download(memory, run.written))
    return error;
  memory.beginVersion();
  return std::nullopt;
}

std::optional<Error> GpuLauncher::carryOutAside(Run &run, AddressSpace &memory, std::vector<GpuResult> &results) {
  if (auto error = m_memory->upload(memory, m_options.poison))
    return error;
  if (auto error = runToEnd(run))
    return error;
  for (AllocationId id : run.written) {
    const Allocation &tensor = memory.allocation(id);
    if (!tensor.live || tensor.bytes == 0)
      continue;
    results.push_back({id, std::vector<std::byte>(tensor.bytes)});
    if (auto error = m_memory->read(tensor.address, results.back().bytes))
      return error;
  }
  return m_memory->restore(memory, run.written);
}

/// Many runs, of which none is to be seen in the tensors.
std::optional<Error> GpuLauncher::measure(Run &run, const AddressSpace &memory) {
  if (m_options.timing) {
    Result<cuda::Stopwatch *> watch = stopwatch();
    if (!watch)
      return watch.error();
    const Result<cuda::Times> times = (*watch)->time(
        [&] { return cuda::launch(*m_device, run.loaded->kernel, run.shape, run.arguments); });
    if (!times)
      return times.error();
    run.result.times = *times;
    if (auto error = m_memory->restore(memory, run.written))
      return error;
  }
  if (m_options.schedule) {
    if (auto error = recordSchedule(run))
      return error;
    return m_memory->restore(memory, run.written);
  }
  return std::nullopt;
}

/// What each program writes: compiler/Conversion/TileToLLVM/Probe.h.
std::optional<Error> GpuLauncher::recordSchedule(Run &run) {
  const auto &[x, y, z] = run.shape.grid;
  std::vector<ProgramRun> programs(size_t(x) * y * z);
  const size_t bytes = programs.size() * sizeof(ProgramRun);
  Result<cuda::Buffer> records = cuda::Buffer::allocate(*m_device, bytes);
  if (!records)
    return records.error();
  if (auto error = records->fill(0))
    return error;
  std::vector<uint64_t> arguments = run.arguments;
  arguments.push_back(records->address());
  if (auto error = cuda::launch(*m_device, run.probed->kernel, run.shape, arguments))
    return error;
  if (auto error = m_device->synchronise())
    return error;
  if (auto error = records->read(programs.data(), bytes))
    return error;
  run.result.programs = std::move(programs);
  return std::nullopt;
}

Result<cuda::Stopwatch *> GpuLauncher::stopwatch() {
  if (!m_stopwatch) {
    Result<std::unique_ptr<cuda::Stopwatch>> created = cuda::Stopwatch::create(*m_device);
    if (!created)
      return created.error();
    m_stopwatch = std::move(*created);
  }
  return m_stopwatch.get();
}

Result<double> GpuLauncher::copyBytesPerSecond() {
  Result<cuda::Stopwatch *> watch = stopwatch();
  if (!watch)
    return watch.error();
  return (*watch)->copyBytesPerSecond();
}

} // namespace tilescope::service
