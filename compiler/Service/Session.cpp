// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Session.h"

#include "compiler/Service/Compile.h"
#include "compiler/Service/GpuLauncher.h"
#include "compiler/Service/LaunchArguments.h"
#include "compiler/Service/Responder.h"
#include "compiler/Service/Server.h"
#include "compiler/Service/Specialise.h"
#include "compiler/Service/Summary.h"
#include "compiler/Support/IgnoreComment.h"
#include "compiler/Syntax/Parser.h"

namespace tilescope::service {

using host::LaunchRequest;

/// What is kept of a launch: enough to run any of its programs again.
struct Session::Record {
  protocol::LaunchSummary summary;
  std::shared_ptr<const CompiledKernel> compiled;
  std::shared_ptr<const interp::Kernel> kernel; ///< its code
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::vector<interp::Argument> arguments;
  std::vector<OutputView> outputs;
  uint32_t version = 0;
  std::shared_ptr<const interp::ReplayLog> log;
};

namespace {

constexpr std::chrono::milliseconds MemoryPatience{500};
constexpr int64_t MaxTilesPerPage = 65536;
/// A page takes so long; then it is sent with the tiles it has, so that other questions have their turn.
constexpr double MillisecondsPerPage = 50;

} // namespace

Session::Session(SourceFilePtr script, Sources sources, SessionOptions options)
    : m_script(std::move(script)), m_sources(std::move(sources)), m_options(std::move(options)) {}

Session::~Session() = default;

host::Outcome Session::run() {
  std::lock_guard memory(m_memoryInUse);
  std::shared_ptr<const syntax::Module> module = syntax::parse(m_script, m_diagnostics);
  if (m_diagnostics.hasErrors())
    return host::Outcome::Failed;
  host::EvaluatorOptions options;
  options.print = m_options.print;
  options.source = [this](const std::string &path) { return m_sources.find(path); };
  options.stop = &m_stop;
  host::Evaluator evaluator(m_memory, *this, std::move(options));
  const host::Outcome outcome = evaluator.run(module, m_diagnostics);
  m_exitStatus = evaluator.exitStatus();
  if (m_options.checking)
    reportUnwritten();
  return outcome;
}

namespace {

/// The kernel's last store or atomic that goes to an allocation; null if there is none.
const interp::AccessSite *siteThatWrites(const interp::Kernel &kernel,
                                         const std::vector<interp::Argument> &arguments, AllocationId id) {
  const interp::AccessSite *found = nullptr;
  for (const interp::AccessSite &site : kernel.accesses())
    if (site.kind != interp::AccessKind::Load && site.pointerArgument >= 0 &&
        arguments[site.pointerArgument].allocation == id)
      found = &site;
  return found;
}

/// How many of `programs` programs, each writing as much as these did, all elements take.
uint64_t programsNeeded(const UndefinedRead &read, uint64_t programs) {
  const uint64_t written = read.bytes - read.undefined;
  return written == 0 ? 0 : (read.bytes * programs + written - 1) / written;
}

} // namespace

void Session::reportUnwritten() {
  for (const auto &[id, read] : m_memory.undefinedReads())
    for (auto record = m_records.rbegin(); record != m_records.rend(); ++record) {
      // What was read before the launch is not the launch's fault.
      if ((*record)->version > read.version)
        continue;
      const interp::AccessSite *site = siteThatWrites(*(*record)->kernel, (*record)->arguments, id);
      if (!site)
        continue;
      Diagnostic diagnostic = unwritten(**record, *site, read);
      if (!isIgnored(diagnostic.span, diagnostic.id))
        m_diagnostics.add(std::move(diagnostic));
      break;
    }
}

Diagnostic Session::unwritten(const Record &record, const interp::AccessSite &site,
                              const UndefinedRead &read) const {
  const Allocation &tensor = m_memory.allocation(read.allocation);
  const unsigned bytes = byteSize(site.element);
  const std::string name =
      tensor.name.empty() ? record.kernel->parameters()[site.pointerArgument].name : tensor.name;
  Diagnostic diagnostic{"unwritten-elements", Severity::Error, site.span, {}, {}, {}};
  diagnostic.arguments = {name, std::to_string(read.bytes / bytes), std::to_string(read.undefined / bytes),
                          std::to_string((read.first - tensor.address) / bytes)};
  const uint64_t programs = record.summary.programs;
  if (const uint64_t needed = programsNeeded(read, programs))
    diagnostic.notes.push_back(
        {"programs-needed", {std::to_string(programs), std::to_string(needed)}, site.span});
  return diagnostic;
}

// --- a launch --------------------------------------------------------------------------------------------

std::shared_ptr<const CompiledKernel> Session::kernelFor(const LaunchRequest &request, Diagnostics &diagnostics) {
  std::optional<frontend::Specialisation> specialisation = specialise(request, diagnostics);
  if (!specialisation)
    return nullptr;
  const SourceClosure closure(*request.kernel);
  const std::string key = closure.key() + specialisation->key();
  if (auto known = m_kernels.find(key); !closure.key().empty() && known != m_kernels.end())
    return known->second;
  auto kernel = std::make_shared<CompiledKernel>();
  kernel->code = compileKernel(closure, *specialisation, diagnostics, nullptr, &kernel->bytecode);
  if (!kernel->code)
    return nullptr;
  for (const FunctionObject *function : closure.functions())
    kernel->files.push_back(function->module->file);
  if (!closure.key().empty())
    m_kernels[key] = kernel;
  return kernel;
}

bool Session::launch(const LaunchRequest &request, Diagnostics &diagnostics) {
  if (m_options.carriesOut && m_options.carriesOut(int(m_launches), request, m_memory, diagnostics)) {
    stop();
    return true;
  }
  const std::shared_ptr<const CompiledKernel> compiled = kernelFor(request, diagnostics);
  if (!compiled)
    return false;
  std::shared_ptr<const interp::Kernel> kernel = compiled->code;
  auto record = std::make_shared<Record>();
  record->summary = summarise(request, *kernel, m_memory);
  record->summary.launch = static_cast<int>(m_launches++);
  record->outputs = outputViews(request, *kernel, record->summary);
  record->arguments = argumentsFor(request, *kernel);
  record->grid = gridOf(request);
  record->kernel = std::move(kernel);
  record->compiled = compiled;
  const bool isFine = !m_options.gpu       ? interpret(*record, diagnostics)
                      : m_options.compared ? runOnBoth(request, *record, diagnostics)
                                           : runOnGpu(request, *record, diagnostics);
  keep(std::move(record));
  return isFine;
}

bool Session::interpret(Record &record, Diagnostics &diagnostics) {
  if (record.summary.programs == 0)
    return true;
  interp::RunOptions options;
  options.threads = m_options.threads;
  options.checking = m_options.checking;
  options.stop = &m_stop;
  options.print = [this](std::string_view line) {
    if (m_options.print)
      m_options.print(std::string(line) + "\n");
  };
  const Clock::time_point start = Clock::now();
  m_memoryInUse.unlock();
  const interp::RunResult result =
      interp::run(*record.kernel, record.grid, record.arguments, m_memory, options, diagnostics);
  m_memoryInUse.lock();
  record.summary.wallMs = millisecondsSince(start);
  record.version = result.version;
  record.log = result.log;
  m_programs += result.programs;
  addCounts(record.summary, *record.kernel, result.counts);
  return result.status == interp::RunStatus::Finished;
}

bool Session::runOnGpu(const LaunchRequest &request, Record &record, Diagnostics &diagnostics) {
  record.version = m_memory.version();
  if (record.summary.programs == 0)
    return true;
  const std::optional<GpuLaunch> launch =
      m_options.gpu->launch(request, *record.kernel, record.arguments, m_memory, diagnostics);
  if (!launch)
    return false;
  record.version = m_memory.version() - 1; // the launch's own; one more has begun after it
  record.summary.wallMs = launch->wallMs;
  m_programs += record.summary.programs;
  if (m_options.measured)
    m_options.measured(record.summary, *launch);
  return true;
}

bool Session::runOnBoth(const LaunchRequest &request, Record &record, Diagnostics &diagnostics) {
  if (record.summary.programs == 0)
    return true;
  std::vector<GpuResult> results;
  const std::optional<GpuLaunch> launch =
      m_options.gpu->launchAside(request, *record.kernel, record.arguments, m_memory, results, diagnostics);
  if (!launch || !interpret(record, diagnostics))
    return false;
  if (m_options.measured)
    m_options.measured(record.summary, *launch);
  std::vector<TensorComparison> comparisons;
  for (const GpuResult &result : results)
    comparisons.push_back(compare(record, result));
  m_options.compared(record.summary, comparisons);
  return true;
}

namespace {

/// What the kernel stores, where all that it stores is of one type.
std::optional<ElementType> soleStoredType(const interp::Kernel &kernel) {
  std::optional<ElementType> found;
  for (const interp::AccessSite &site : kernel.accesses()) {
    if (site.kind == interp::AccessKind::Load)
      continue;
    if (found && *found != site.element)
      return std::nullopt;
    found = site.element;
  }
  return found;
}

} // namespace

/// As elements of the type that the kernel stores there, else (a pointer from a table) of what it stores anywhere, else as
/// bytes.
TensorComparison Session::compare(const Record &record, const GpuResult &result) const {
  const Allocation &tensor = m_memory.allocation(result.tensor);
  const interp::AccessSite *site = siteThatWrites(*record.kernel, record.arguments, result.tensor);
  const std::optional<ElementType> stored = site ? site->element : soleStoredType(*record.kernel);
  const ElementType type = stored && tensor.bytes % byteSize(*stored) == 0 ? *stored : ElementType::UInt8;
  TensorComparison comparison = compareElements(type, result.bytes, {m_memory.read(tensor.address), tensor.bytes});
  comparison.name = !tensor.name.empty() || !site ? tensor.name : record.kernel->parameters()[site->pointerArgument].name;
  return comparison;
}

void Session::keep(std::shared_ptr<Record> record) {
  if (record->summary.launch >= static_cast<int64_t>(m_options.keptLaunches))
    return;
  {
    std::lock_guard lock(m_recordsMutex);
    m_records.push_back(record);
  }
  if (m_options.launched)
    m_options.launched(record->summary);
}

// --- questions -------------------------------------------------------------------------------------------

Session::RecordPtr Session::record(int launch) const {
  std::lock_guard lock(m_recordsMutex);
  return launch >= 0 && static_cast<size_t>(launch) < m_records.size() ? m_records[launch] : nullptr;
}

std::unique_lock<std::timed_mutex> Session::lockMemory() {
  return std::unique_lock(m_memoryInUse, MemoryPatience);
}

std::optional<TraceSource> Session::traceSource(int launch) const {
  const RecordPtr found = record(launch);
  if (!found)
    return std::nullopt;
  return TraceSource{{found->kernel, found->grid, found->arguments, found->version, found->log},
                     found->summary.arguments};
}

std::optional<LaunchCode> Session::launchCode(int launch) const {
  const RecordPtr found = record(launch);
  if (!found)
    return std::nullopt;
  return LaunchCode{found->compiled, {found->kernel, found->grid, found->arguments, found->version, found->log}};
}

std::vector<interp::Footprint> Session::footprints(const Record &record, uint64_t program) {
  return interp::footprints(*record.kernel, record.grid, record.arguments, m_memory, record.version,
                            record.log.get(), program);
}

Session::Answer<protocol::TilePage> Session::tiles(const protocol::TilesRequest &request,
                                                   const std::function<bool()> &abandoned) {
  RecordPtr launch = record(request.launch);
  if (!launch || request.output < 0 || static_cast<size_t>(request.output) >= launch->outputs.size())
    return Refusal::UnknownLaunch;
  const int64_t programs = static_cast<int64_t>(launch->summary.programs);
  if (request.first < 0 || request.first > programs || request.count < 0)
    return Refusal::UnknownProgram;
  const std::unique_lock memory = lockMemory();
  if (!memory)
    return Refusal::Busy;
  const int64_t end = request.first + std::min({request.count, MaxTilesPerPage, programs - request.first});
  protocol::TilePage page{request.first, {}};
  const Clock::time_point start = Clock::now();
  for (int64_t program = request.first; program < end; ++program) {
    if (program > request.first && millisecondsSince(start) > MillisecondsPerPage)
      break;
    if (abandoned())
      return Refusal::Abandoned;
    const std::vector<interp::Footprint> found = footprints(*launch, program);
    if (found.empty())
      return Refusal::Evicted;
    const std::array<int32_t, 4> tile = tileOf(found, launch->outputs[request.output]);
    page.tiles.values.insert(page.tiles.values.end(), tile.begin(), tile.end());
  }
  return page;
}

Session::Answer<protocol::ProgramDetail> Session::program(const protocol::ProgramRequest &request) {
  RecordPtr launch = record(request.launch);
  if (!launch)
    return Refusal::UnknownLaunch;
  if (request.program < 0 || static_cast<uint64_t>(request.program) >= launch->summary.programs)
    return Refusal::UnknownProgram;
  const std::unique_lock memory = lockMemory();
  if (!memory)
    return Refusal::Busy;
  const std::vector<interp::Footprint> found = footprints(*launch, request.program);
  if (found.empty())
    return Refusal::Evicted;
  const std::array<int64_t, 3> &grid = launch->summary.grid;
  protocol::ProgramDetail detail;
  detail.program = request.program;
  detail.ids = {request.program % grid[0], request.program / grid[0] % grid[1],
                request.program / grid[0] / grid[1]};
  for (const interp::Footprint &footprint : found)
    detail.accesses.push_back(
        {static_cast<int>(footprint.access),
         {footprint.counts.active, footprint.counts.masked, footprint.counts.outOfBounds}});
  return detail;
}

} // namespace tilescope::service
