// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs host code: a script's top level, its functions, tensors and launches. No file, network or process is
// within its reach but `.py` files below the script's folder, through SourceProvider.
//
// Launches and the contents of random tensors are lazy: they wait until something reads a value (print, a
// comparison, .item()), or until finish(). With Mode::Check they are never carried out: launches are handed
// to the launcher (which then only compiles them), and what depends on contents is unknown.
#pragma once

#include "compiler/Host/Launcher.h"
#include "compiler/Memory/AddressSpace.h"

#include <atomic>
#include <functional>

namespace tilescope::host {

struct OperationCost; ///< Operations.h

/// Gives the text of a file that a script imports: an editor's buffer before the disk. Null if there is none.
using SourceProvider = std::function<SourceFilePtr(const std::string &path)>;

enum class Mode : uint8_t { Run, Check };

/// The one GPU that a script finds; what get_device_properties() says. By default an H200.
struct DeviceProperties {
  std::string name = "NVIDIA H200";
  int64_t major = 9, minor = 0; ///< compute capability
  int64_t multiprocessors = 132;
  int64_t warps = 64;        ///< a multiprocessor holds
  int64_t registers = 65536; ///< of 32 bits, of a multiprocessor
  int64_t sharedBytes = 233472, sharedBytesPerProgram = 232448;
  int64_t l2Bytes = 62914560, memoryBytes = int64_t(143771) << 20;
  int64_t clockKHz = 1980000;
};

struct EvaluatorOptions {
  Mode mode = Mode::Run;
  std::function<void(std::string_view)> print; ///< standard output of the script, as it comes
  SourceProvider source;
  /// Told what each operation on tensors costs, and where the script asked for it.
  std::function<void(std::string_view operation, const OperationCost &cost, const SourceSpan &place)> charge;
  DeviceProperties device;
  const std::atomic<bool> *stop = nullptr; ///< set from outside to end the run
  uint64_t stepLimit = 50'000'000;         ///< statements and calls of host code; then "step-limit"
  uint32_t recursionLimit = 500;           ///< calls inside calls; then "recursion-limit"
};

/// A launch that declare() came by: the arguments whose values are known, by parameter or option.
struct NotedLaunch {
  std::shared_ptr<FunctionObject> kernel;
  std::vector<std::pair<std::string, Value>> arguments;
};

enum class Outcome : uint8_t { Finished, Failed, Stopped };

class Evaluator {
public:
  Evaluator(AddressSpace &memory, Launcher &launcher, EvaluatorOptions options);
  /// Empties the scopes of the script: its functions and tensors end with the evaluator.
  ~Evaluator();

  /// Runs a script to its end. An uncaught error (raise, failed assert, wrong use) is a diagnostic at its
  /// place with notes for the calls that led there.
  Outcome run(std::shared_ptr<const syntax::Module> script, Diagnostics &diagnostics);

  /// Instead of run(): reads a script for what it defines, without carrying out what it does. Never fails:
  /// what cannot be worked out is unknown. `folder` (ending in "/") is where imports start, `name` the
  /// module's dotted name below it. The rules stand in EvaluatorDeclare.cpp.
  void declare(std::shared_ptr<const syntax::Module> script, const std::string &folder,
               const std::string &name);
  /// After declare(): every jit function of the script and of what it imports, those in functions, classes
  /// and branches too, and every launch of one.
  const std::vector<std::shared_ptr<FunctionObject>> &jitFunctions() const;
  const std::vector<NotedLaunch> &notedLaunches() const;
  /// After declare(): calls a function that stands in the same module as `around`; nothing if it fails or its
  /// result is unknown.
  std::optional<Value> call(const FunctionObject &around, const Value &callee, std::vector<Value> arguments);

  /// What sys.exit(status) gave, 0 to 255; 0 without it.
  int exitStatus() const;

  /// The names of the script's top level after run() or declare(), for kernels that were never launched,
  /// hover and the like.
  const std::shared_ptr<Scope> &globals() const;

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace tilescope::host
