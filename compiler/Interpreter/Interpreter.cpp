// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hands programs to threads. Each thread runs the programs of a chunk in their order; one that gives way in a
// loop that may wait for another program is set aside, and gets its turn again after others have had theirs.
#include "compiler/Interpreter/Interpreter.h"

#include "compiler/Interpreter/Machine.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <thread>

namespace tilescope::interp {

namespace {

/// Frames that one thread sets aside at most, and the memory for them.
constexpr size_t MostFrames = 4096;
constexpr size_t FrameBudget = size_t(512) << 20;

class Schedule {
public:
  explicit Schedule(Worker &worker) : m_worker(worker), m_launch(worker.launch) {}

  /// Runs programs until none is left or the launch ends. Gives how many were finished.
  uint64_t run() {
    while (!ended() && (startNext() || resume())) {
    }
    return m_finished;
  }

private:
  using FramePtr = std::unique_ptr<Frame>;

  bool ended() const { return m_launch.stopped; }
  /// Runs a program that has not begun; false if there is none, or too many wait.
  bool startNext();
  /// Runs the one that has waited longest; false if none waits.
  bool resume();
  void run(FramePtr frame);
  void countWork(uint64_t operations);
  bool takeChunk();
  FramePtr freeFrame();
  /// Have those that wait used, without any program finishing, what one program may use?
  bool allWaitTooLong() const { return uint64_t(m_waited) >= m_launch.options.operationLimit; }

  Worker &m_worker;
  Launch &m_launch;
  std::deque<FramePtr> m_waiting;
  std::vector<FramePtr> m_free;
  uint64_t m_begin = 0, m_end = 0; ///< of the chunk: programs not begun
  uint64_t m_finished = 0;
  uint64_t m_work = 0;  ///< operations that the launch does not know of
  int64_t m_waited = 0; ///< operations of programs that gave way, since one finished
};

uint64_t chunkSize(const Launch &launch, unsigned threads) {
  return std::clamp<uint64_t>(launch.programs() / (uint64_t(threads) * 16), 1, 64);
}

bool Schedule::takeChunk() {
  const uint64_t size = chunkSize(m_launch, m_launch.threads);
  m_begin = m_launch.next.fetch_add(size);
  m_end = std::min(m_begin + size, m_launch.programs());
  return m_begin < m_end;
}

Schedule::FramePtr Schedule::freeFrame() {
  if (m_free.empty())
    return std::make_unique<Frame>(m_launch.kernel);
  FramePtr frame = std::move(m_free.back());
  m_free.pop_back();
  return frame;
}

bool Schedule::startNext() {
  const size_t most =
      std::clamp<size_t>(FrameBudget / std::max<size_t>(m_launch.kernel.frameBytes(), 1), 2, MostFrames);
  if (m_waiting.size() >= most || (m_begin >= m_end && !takeChunk()))
    return false;
  if (m_begin > m_launch.failed)
    return false;
  FramePtr frame = freeFrame();
  frame->start(m_worker, m_begin++);
  run(std::move(frame));
  if (!m_waiting.empty())
    resume();
  return true;
}

bool Schedule::resume() {
  if (m_waiting.empty())
    return false;
  FramePtr frame = std::move(m_waiting.front());
  m_waiting.pop_front();
  run(std::move(frame));
  return true;
}

void Schedule::run(FramePtr frame) {
  const int64_t before = frame->spent;
  frame->run(m_worker);
  countWork(static_cast<uint64_t>(frame->spent - before));
  if (frame->state == FrameState::Waiting && !allWaitTooLong()) {
    m_waited += frame->spent - before;
    m_waiting.push_back(std::move(frame));
    return;
  }
  if (frame->state == FrameState::Waiting)
    frame->foundLimit();
  if (frame->state == FrameState::Waiting || frame->state == FrameState::Failed)
    m_launch.fail(frame->program);
  if (frame->state == FrameState::Finished) {
    ++m_finished;
    m_waited = 0;
    if (m_launch.log && !frame->log.empty())
      m_launch.log->add(frame->program, std::move(frame->log));
  }
  m_free.push_back(std::move(frame));
}

/// Ends the launch when all its programs together have done too much.
void Schedule::countWork(uint64_t operations) {
  constexpr uint64_t Portion = 1 << 22;
  m_work += operations;
  if (m_work < Portion)
    return;
  if (m_launch.work.fetch_add(std::exchange(m_work, 0)) > m_launch.options.workLimit) {
    m_launch.overworked = true;
    m_launch.stopped = true;
  }
}

WrittenTensors writtenTensors(const Kernel &kernel, const std::vector<Extent> &extents) {
  WrittenTensors written;
  for (const AccessSite &site : kernel.accesses()) {
    if (site.kind == AccessKind::Load)
      continue;
    if (site.pointerArgument >= 0)
      written.ids.push_back(extents[site.pointerArgument].id);
    else
      written.all = true;
  }
  return written;
}

unsigned threadsFor(const Kernel &kernel, uint64_t programs, const RunOptions &options) {
  if (kernel.inProgramOrder() || options.checking || options.observe)
    return 1;
  const unsigned wanted =
      options.threads ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::min<uint64_t>(wanted, std::max<uint64_t>(programs, 1)));
}

Diagnostic launchDiagnostic(const Launch &launch, std::string id, Severity severity,
                            std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), launch.kernel.name());
  const auto &places = launch.kernel.places();
  const uint32_t first = launch.kernel.code().empty() ? 0 : launch.kernel.placeOf(0);
  return {std::move(id), severity, places[first].span, std::move(arguments), {}, {}};
}

/// Does the grid alone say that the work is too much? Multiplied without wrapping.
bool isTooMuch(const Launch &launch) {
  const auto work = static_cast<unsigned __int128>(launch.programs()) * launch.kernel.leastCost();
  return work > launch.options.workLimit;
}

void reportWorkLimit(const Launch &launch, Diagnostics &diagnostics) {
  diagnostics.add(
      launchDiagnostic(launch, "work-limit", Severity::Error,
                       {std::to_string(launch.programs()), std::to_string(launch.options.workLimit)}));
}

void runAll(std::vector<Worker> &workers, std::vector<uint64_t> &finished) {
  std::vector<std::thread> threads;
  for (size_t i = 1; i < workers.size(); ++i)
    threads.emplace_back([&, i] { finished[i] = Schedule(workers[i]).run(); });
  finished[0] = Schedule(workers[0]).run();
  for (std::thread &thread : threads)
    thread.join();
}

void add(std::vector<AccessCounts> &sum, const std::vector<AccessCounts> &counts) {
  for (size_t i = 0; i < sum.size(); ++i) {
    sum[i].active += counts[i].active;
    sum[i].masked += counts[i].masked;
    sum[i].outOfBounds += counts[i].outOfBounds;
    sum[i].bytes += counts[i].bytes;
  }
}

void sayWhatWasNotPrinted(const Launch &launch, Diagnostics &diagnostics) {
  if (launch.printed <= launch.options.printLimit)
    return;
  Diagnostic note{"print-truncated", Severity::Information, {}, {}, {}, {}};
  note.arguments = {launch.kernel.name(), std::to_string(launch.options.printLimit),
                    std::to_string(launch.printed.load())};
  for (size_t i = 0; i < launch.kernel.code().size() && !note.span.file; ++i)
    if (launch.kernel.code()[i].handler == &control::print)
      note.span = launch.kernel.places()[launch.kernel.placeOf(i)].span;
  diagnostics.add(std::move(note));
}

} // namespace

std::vector<Extent> extentsOf(const Kernel &kernel, const std::vector<Argument> &arguments,
                              MemoryPort &memory) {
  std::vector<Extent> extents(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i)
    if (kernel.parameters()[i].pointer)
      extents[i] = memory.extent(arguments[i].allocation);
  return extents;
}

RunResult run(const Kernel &kernel, std::array<uint32_t, 3> grid, const std::vector<Argument> &arguments,
              AddressSpace &memory, const RunOptions &options, Diagnostics &diagnostics) {
  RunResult result;
  result.version = memory.beginVersion();
  MemoryPort port(memory);
  Launch launch{kernel, grid, arguments, options, extentsOf(kernel, arguments, port)};
  launch.written = writtenTensors(kernel, launch.extents);
  if (isTooMuch(launch)) {
    reportWorkLimit(launch, diagnostics);
    result.status = RunStatus::Failed;
    result.counts.resize(kernel.accesses().size());
    return result;
  }
  std::optional<RaceCheck> races;
  if (options.checking)
    launch.races = &races.emplace(kernel, launch.written);
  const auto log = std::make_shared<ReplayLog>(options.logBudget);
  if (options.logBudget > 0)
    launch.log = log.get();
  launch.threads = threadsFor(kernel, launch.programs(), options);
  std::vector<Worker> workers;
  for (unsigned i = 0; i < launch.threads; ++i)
    workers.emplace_back(launch, port);
  std::vector<uint64_t> finished(workers.size());
  runAll(workers, finished);

  Findings findings;
  result.counts.resize(kernel.accesses().size());
  for (size_t i = 0; i < workers.size(); ++i) {
    add(result.counts, workers[i].counts);
    findings.merge(workers[i].findings);
    result.programs += finished[i];
  }
  findings.settleAtomics(memory);
  if (options.checking)
    findings.findOrigins(launch, memory);
  findings.report(launch, memory, diagnostics);
  sayWhatWasNotPrinted(launch, diagnostics);
  if (launch.overworked)
    reportWorkLimit(launch, diagnostics);
  if (races && races->incomplete())
    diagnostics.add(launchDiagnostic(launch, "race-check-incomplete", Severity::Information,
                                     {std::to_string(RaceCheck::Budget >> 20)}));
  result.log = launch.log ? log : nullptr;
  const bool failed = launch.failed != Launch::NoProgram || launch.overworked;
  result.status = failed ? RunStatus::Failed : launch.stopped ? RunStatus::Stopped : RunStatus::Finished;
  return result;
}

std::vector<Footprint> footprints(const Kernel &kernel, std::array<uint32_t, 3> grid,
                                  const std::vector<Argument> &arguments, AddressSpace &memory,
                                  uint32_t version, const ReplayLog *log, uint64_t program,
                                  const StoreObserver &stored) {
  if (log && !log->complete())
    return {};
  Overlay overlay(memory, version);
  MemoryPort port(memory, &overlay);
  RunOptions options;
  options.operationLimit = RerunLimit;
  Launch launch{kernel, grid, arguments, options, extentsOf(kernel, arguments, port)};
  Worker worker(launch, port);
  std::vector<Footprint> result(kernel.accesses().size());
  worker.footprints = &result;
  worker.replays = true;
  worker.stored = stored ? &stored : nullptr;
  Frame frame(kernel);
  frame.start(worker, program);
  if (const ProgramLog *logged = log ? log->find(program) : nullptr)
    frame.log.replay(*logged);
  do
    frame.run(worker);
  while (frame.state == FrameState::Waiting);
  for (uint32_t i = 0; i < result.size(); ++i) {
    result[i].access = i;
    result[i].counts = worker.counts[i];
  }
  return overlay.complete() ? result : std::vector<Footprint>{};
}

bool observeProgram(const LaunchAgain &again, AddressSpace &memory, uint64_t program,
                    const std::function<void(const ObservedAccess &)> &observe) {
  Overlay overlay(memory, again.version);
  MemoryPort port(memory, &overlay);
  RunOptions options;
  options.operationLimit = RerunLimit;
  options.observe = observe;
  Launch launch{*again.kernel, again.grid, again.arguments, options, extentsOf(*again.kernel, again.arguments, port)};
  Worker worker(launch, port);
  worker.replays = true;
  Frame frame(*again.kernel);
  frame.start(worker, program);
  do
    frame.run(worker);
  while (frame.state == FrameState::Waiting);
  return overlay.complete();
}

} // namespace tilescope::interp
