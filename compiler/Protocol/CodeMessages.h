// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code that a launch's kernel becomes, stage by stage, each line of it with the line of the source that it comes
// from: asked of the run process about its last run. Needs no GPU and no toolkit.
#pragma once

#include "compiler/Protocol/Messages.h"

namespace tilescope::protocol {

struct CodeRequest { // tilescope/code
  int64_t run = 0;
  int launch = 0;
  std::string gpu = "H200";
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("run", s.run), v("launch", s.launch), v("gpu", s.gpu);
  }
};

struct CodeStage {
  std::string name; ///< "frontend", "prepare", those of compiler/Dialect/Tile/Transforms/Stages.h, "llvm", "ptx"
  int64_t lines = 0;
  template <typename S, typename V> static void fields(S &s, V &v) { v("name", s.name), v("lines", s.lines); }
};

/// What the code takes of an SM. Of an estimate only the registers and the dynamic shared memory are known.
struct CodeResources {
  std::string source; ///< "assembler" (nvJitLink), "driver" (stack holds the spills), "estimate"
  int registers = 0;  ///< of 32 bits, a thread
  int stackBytes = 0, spillStores = 0, spillLoads = 0; ///< a thread
  int64_t sharedBytes = 0;                             ///< a program, static and dynamic
  int numWarps = 4;
  Schedule schedule; ///< with these figures; modelled
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("source", s.source), v("registers", s.registers), v("stackBytes", s.stackBytes);
    v("spillStores", s.spillStores), v("spillLoads", s.spillLoads), v("sharedBytes", s.sharedBytes);
    v("num_warps", s.numWarps), v("schedule", s.schedule);
  }
};

struct CodeInfo { // result of tilescope/code
  std::string kernel;
  std::string path;   ///< of the file that source lines are of
  std::string target; ///< "sm_90a"
  std::vector<CodeStage> stages;
  std::optional<CodeResources> resources;   ///< absent without code to the end
  std::vector<FileDiagnostics> diagnostics; ///< why there is none
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("kernel", s.kernel), v("path", s.path), v("target", s.target), v("stages", s.stages);
    v("resources", s.resources), v("diagnostics", s.diagnostics);
  }
};

struct CodeTextRequest { // tilescope/code/text
  int64_t run = 0;
  int launch = 0;
  std::string gpu = "H200";
  int stage = 0;     ///< index into CodeInfo::stages: a name may come twice
  int64_t first = 0; ///< line, from 0
  int64_t count = 0; ///< at most 2,000 a page
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("run", s.run), v("launch", s.launch), v("gpu", s.gpu), v("stage", s.stage);
    v("first", s.first), v("count", s.count);
  }
};

struct CodeText { // result of tilescope/code/text
  int stage = 0;
  int64_t first = 0;
  std::vector<std::string> lines; ///< without line ends
  Packed sources;                 ///< of each line the source's, from 1; 0 for none
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("stage", s.stage), v("first", s.first), v("lines", s.lines), v("sources", s.sources);
  }
};

} // namespace tilescope::protocol
