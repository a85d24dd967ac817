// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one launch asks of the machine: counted from the compiled kernel (stage two) as its programs run on the
// interpreter. Requests, sectors and wavefronts are modelled after an H200's counters; places are lines from 1.
#pragma once

#include "compiler/Protocol/Messages.h"

namespace tilescope::protocol {

/// A load, store or atomic of the source, summed over its executions in all programs (or the one asked for).
struct AccessTrace {
  std::string path;
  int line = 0;
  std::string op;             ///< "load", "store", "atomic"
  std::string argument;       ///< the parameter that its pointer comes from; empty if that is not one
  std::vector<int64_t> shape; ///< of the tile; empty for a scalar
  int elementBytes = 0;
  int vectorElements = 1;       ///< of one thread's instruction
  bool isAsync = false;         ///< copied to shared memory without passing registers
  int64_t instructions = 0;     ///< of warps, those with every lane masked off too
  int64_t requests = 0;         ///< of warps, with a lane on
  int64_t sectors = 0;          ///< of 32 bytes, counted for each request
  int64_t distinctSectors = 0;  ///< each once
  int64_t bytesRequested = 0;   ///< 32 a sector
  int64_t bytesUsed = 0;        ///< distinct bytes that lanes of a request take
  int64_t irregular = 0;        ///< executions whose addresses had no strides, counted lane by lane
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("path", s.path), v("line", s.line), v("op", s.op), v("argument", s.argument), v("shape", s.shape);
    v("elementBytes", s.elementBytes), v("vectorElements", s.vectorElements), v("isAsync", s.isAsync);
    v("instructions", s.instructions), v("requests", s.requests), v("sectors", s.sectors);
    v("distinctSectors", s.distinctSectors), v("bytesRequested", s.bytesRequested), v("bytesUsed", s.bytesUsed);
    v("irregular", s.irregular);
  }
};

/// How a tile goes to or comes from a buffer; of each warp's instruction.
struct SharedAccessTrace {
  int line = 0;
  std::string op; ///< "store", "copy" (asynchronous), "load"
  int vectorBytes = 0;
  int wavefronts = 1;
  int ideal = 1; ///< without bank conflicts
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("line", s.line), v("op", s.op), v("vectorBytes", s.vectorBytes), v("wavefronts", s.wavefronts);
    v("ideal", s.ideal);
  }
};

/// A buffer in shared memory, or the scratch space of an operation that moves elements between warps.
struct SharedBufferTrace {
  std::string path;
  int line = 0; ///< of the load, or of the operation
  std::string use; ///< "operand", "conversion", "reduction", "scan", "gather", "atomic", "histogram"
  std::vector<int64_t> shape; ///< of one buffer; empty for scratch space
  int elementBytes = 0;
  int stages = 1;     ///< buffers one behind the other
  int64_t offset = 0; ///< of the first byte
  int64_t bytes = 0;  ///< of all
  int firstLine = 0, lastLine = 0; ///< of the operations that it is alive between
  std::vector<SharedAccessTrace> accesses;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("path", s.path), v("line", s.line), v("use", s.use), v("shape", s.shape);
    v("elementBytes", s.elementBytes), v("stages", s.stages), v("offset", s.offset), v("bytes", s.bytes);
    v("firstLine", s.firstLine), v("lastLine", s.lastLine), v("accesses", s.accesses);
  }
};

struct LaunchTrace {
  int launch = 0;
  std::string kernel;
  std::array<int64_t, 3> grid{1, 1, 1};
  std::optional<int64_t> program; ///< the only one that accesses are counted of
  int numWarps = 4;
  int numStages = 3;
  std::string basis = "modelled";
  std::vector<AccessTrace> accesses;
  int64_t sharedBytes = 0; ///< of a program
  std::vector<SharedBufferTrace> buffers;
  Schedule schedule; ///< with the occupancy; registers are not known before code is made
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("launch", s.launch), v("kernel", s.kernel), v("grid", s.grid), v("program", s.program);
    v("num_warps", s.numWarps), v("num_stages", s.numStages), v("basis", s.basis), v("accesses", s.accesses);
    v("sharedBytes", s.sharedBytes), v("buffers", s.buffers), v("schedule", s.schedule);
  }
};

} // namespace tilescope::protocol
