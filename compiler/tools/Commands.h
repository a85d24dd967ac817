// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subcommands of tilec, one file each. All return an ExitStatus.
#pragma once

#include "compiler/Support/Words.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::tools {

struct RunArguments {
  std::string file;
  std::string json;     ///< where the report is written; empty for none
  unsigned threads = 0; ///< 0: all cores
  bool check = false;   ///< look for races, wrapped indices and the like too
  std::string device;   ///< "interpreter", "cuda", "cuda:1"; empty: the interpreter
  bool compare = false; ///< on a GPU, each launch runs on the interpreter too, and what they wrote is compared
  bool poison = false;  ///< on a GPU, bytes that nobody wrote are 0xFF before a launch
};
int runCommand(Language language, const RunArguments &arguments);

struct CheckArguments {
  std::vector<std::string> files;
  bool run = false;       ///< run them too, with all checks, without what they print
  std::string kernels;    ///< a folder whose kernels are surveyed; empty for none
  std::string signatures; ///< argument types for the survey; empty for none
  std::string json;       ///< where the survey is written; empty for none
};
int checkCommand(Language language, const CheckArguments &arguments);
int surveyCommand(Language language, const CheckArguments &arguments);

struct CompileArguments {
  std::string file;
  std::string kernel;
  std::string emit;
  int launch = 0;           ///< of the kernel, from 0
  std::string gpu = "h200"; ///< of the table of GPUs: what stages are for
};
int compileCommand(Language language, const CompileArguments &arguments);

struct TraceArguments {
  std::string file;
  int launch = 0; ///< from 0, over all kernels
  std::optional<int64_t> program;
  std::string gpu = "h200";
  bool json = false;
};
int traceCommand(Language language, const TraceArguments &arguments);

struct BenchArguments {
  std::string file;
  std::string device = "cuda";
  bool json = false;
  bool schedule = false; ///< with `json`: the SM, begin and end of each program too
};
int benchCommand(Language language, const BenchArguments &arguments);

struct ServeArguments {
  std::string role;
};
[[noreturn]] void serveCommand(const ServeArguments &arguments);

} // namespace tilescope::tools
