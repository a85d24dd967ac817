// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of a script: evaluates it, compiles and interprets what it launches, keeps what questions about the
// launches need. `tilec run` and the run process both are a Session and its events.
//
// run() is for one thread; the questions may come from another, meanwhile or afterwards.
#pragma once

#include "compiler/Host/Evaluator.h"
#include "compiler/Interpreter/Interpreter.h"
#include "compiler/Protocol/Messages.h"
#include "compiler/Service/CompiledKernel.h"
#include "compiler/Service/Sources.h"
#include "compiler/Service/TraceSource.h"

#include <deque>
#include <functional>
#include <mutex>
#include <unordered_map>

namespace tilescope::service {

class GpuLauncher;
struct GpuLaunch;
struct GpuResult;
struct TensorComparison;

struct SessionOptions {
  unsigned threads = 0;  ///< for the interpreter; 0: all cores
  bool checking = false; ///< races, wrapped indices … too: interp::RunOptions
  /// So many launches are reported and kept for questions; later ones are carried out and counted.
  size_t keptLaunches = 1000;
  std::function<void(std::string_view)> print;
  std::function<void(const protocol::LaunchSummary &)> launched;
  /// Asked before each launch, with its number from 0; true: it has been carried out, and the run ends.
  std::function<bool(int launch, const host::LaunchRequest &, AddressSpace &, Diagnostics &)> carriesOut;
  /// Carries launches out in the interpreter's place, if not null.
  std::shared_ptr<GpuLauncher> gpu;
  /// What the GPU said of a launch.
  std::function<void(const protocol::LaunchSummary &, const GpuLaunch &)> measured;
  /// With `gpu` too: launches run on both, the script goes on with what the interpreter gave, and this is told how each
  /// tensor compares that the launch may have written.
  std::function<void(const protocol::LaunchSummary &, const std::vector<TensorComparison> &)> compared;
};

/// Why a question has no answer.
enum class Refusal : uint8_t { UnknownLaunch, UnknownProgram, Evicted, Busy, Abandoned };

class Session final : public host::Launcher {
public:
  Session(SourceFilePtr script, Sources sources, SessionOptions options);
  ~Session() override;

  /// Runs the script to its end; returns what happened. Once only.
  host::Outcome run();
  /// Ends the run soon. From any thread.
  void stop() { m_stop = true; }

  const Diagnostics &diagnostics() const { return m_diagnostics; }
  /// What the script gave to sys.exit(), 0 to 255.
  int exitStatus() const { return m_exitStatus; }
  uint64_t launches() const { return m_launches; }
  uint64_t programs() const { return m_programs; }

  template <typename T> using Answer = std::variant<T, Refusal>;
  /// Which part of an output each of `count` programs wrote; of fewer, at least one, where that takes long.
  /// `abandoned` is asked between programs.
  Answer<protocol::TilePage> tiles(const protocol::TilesRequest &request,
                                   const std::function<bool()> &abandoned);
  Answer<protocol::ProgramDetail> program(const protocol::ProgramRequest &request);

  /// What stepping through a launch's programs needs; nothing if the launch is not known or not kept.
  std::optional<TraceSource> traceSource(int launch) const;
  /// The same for who carries its kernel on to later stages.
  std::optional<LaunchCode> launchCode(int launch) const;
  /// Held while the memory is looked into; not owned if the run does not give it up in half a second.
  std::unique_lock<std::timed_mutex> lockMemory();
  AddressSpace &memory() { return m_memory; }

private:
  struct Record;
  using RecordPtr = std::shared_ptr<const Record>;

  bool launch(const host::LaunchRequest &request, Diagnostics &diagnostics) override;
  std::shared_ptr<const CompiledKernel> kernelFor(const host::LaunchRequest &request, Diagnostics &diagnostics);
  bool interpret(Record &record, Diagnostics &diagnostics);
  bool runOnGpu(const host::LaunchRequest &request, Record &record, Diagnostics &diagnostics);
  bool runOnBoth(const host::LaunchRequest &request, Record &record, Diagnostics &diagnostics);
  TensorComparison compare(const Record &record, const GpuResult &result) const;
  void keep(std::shared_ptr<Record> record);
  RecordPtr record(int launch) const;
  /// Says of which outputs host code read elements that no program wrote.
  void reportUnwritten();
  Diagnostic unwritten(const Record &record, const interp::AccessSite &site, const UndefinedRead &read) const;
  std::vector<interp::Footprint> footprints(const Record &record, uint64_t program);

  const SourceFilePtr m_script;
  const Sources m_sources;
  const SessionOptions m_options;
  std::atomic<bool> m_stop = false;

  AddressSpace m_memory;
  /// Held by the run but while it interprets a kernel, when nothing is allocated nor freed: then questions
  /// may look into the memory.
  std::timed_mutex m_memoryInUse;
  int m_exitStatus = 0;
  Diagnostics m_diagnostics;
  std::unordered_map<std::string, std::shared_ptr<const CompiledKernel>> m_kernels;
  uint64_t m_launches = 0, m_programs = 0;

  mutable std::mutex m_recordsMutex;
  std::deque<RecordPtr> m_records;
};

} // namespace tilescope::service
