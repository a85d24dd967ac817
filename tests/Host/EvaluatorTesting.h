// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs scripts for the tests of the evaluator, with a launcher that only notes what it is asked.
#pragma once

#include "compiler/Host/Evaluator.h"

#include <chrono>
#include <map>

namespace tilescope::host {

struct FakeLauncher final : Launcher {
  struct Seen {
    std::string kernel;
    std::array<int64_t, 3> grid;
    std::vector<std::string> arguments; ///< repr(), "Tensor" for tensors
    int64_t numWarps, numStages;
    uint32_t line;
    size_t printedBefore; ///< length of the script's output when the launch was carried out
  };
  bool launch(const LaunchRequest &request, Diagnostics &diagnostics) override;

  std::vector<Seen> seen;
  std::string failKernel; ///< launches of it fail with a diagnostic "test-failure"
  const std::string *output = nullptr;
};

struct ScriptRun {
  Outcome outcome = Outcome::Finished;
  int exitStatus = 0;
  std::string output;
  std::vector<Diagnostic> diagnostics;
  std::vector<FakeLauncher::Seen> launches;
  std::vector<std::string> charges; ///< "line operation kernels"
  double seconds = 0;

  /// "id(arguments)" of the first diagnostic, or empty.
  std::string error() const;
  /// The text that the first diagnostic marks.
  std::string marked() const;
};

struct ScriptOptions {
  Mode mode = Mode::Run;
  std::map<std::string, std::string> files; ///< by path, for imports; the script is "/scripts/main.py"
  const std::atomic<bool> *stop = nullptr;
  uint64_t stepLimit = 5'000'000;
  std::string failKernel;
};

ScriptRun runScript(const std::string &text, const ScriptOptions &options = {});

} // namespace tilescope::host
