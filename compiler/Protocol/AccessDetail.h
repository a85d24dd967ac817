// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One execution of one load, store or atomic by one program, lane by lane, and what the launch asks for there:
// for the view "Coalescing". From the compiled kernel (stage two) as it runs again on the memory that the launch saw;
// modelled after an H200's counters.
//
// An execution is `instructions` of each of `warps`: request r is instruction r / warps of warp r % warps. It asks for
// nothing where none of its lanes is on.
#pragma once

#include "compiler/Protocol/LaunchTrace.h"

namespace tilescope::protocol {

struct AccessDetailRequest { // tilescope/access
  int64_t run = 0;
  int launch = 0;
  int64_t program = 0;
  int access = 0;        ///< index into LaunchSummary::accesses
  int64_t execution = 0; ///< from 0; of those with a lane on, where there is one
  int64_t first = 0;     ///< request that the page of addresses begins with
  int64_t count = 0;     ///< at most 256 a page
  std::string gpu = "H200";
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("run", s.run), v("launch", s.launch), v("program", s.program), v("access", s.access);
    v("execution", s.execution), v("first", s.first), v("count", s.count), v("gpu", s.gpu);
  }
};

/// How registers, lanes and warps hold the tile: bit b of a register's, lane's or warp's number moves by bases[b];
/// the element is the exclusive or of all, a row-major number of the tile.
struct AccessLayout {
  Packed registers, lanes, warps; ///< bases, a bit each
  Packed vectorBits;              ///< of the register number: those that count an instruction's elements
  /// Bits of register, lane and warp numbers that choose between copies. Copied registers make no instruction; copied
  /// lanes and warps are off in stores and atomics.
  int freeRegisters = 0, freeLanes = 0, freeWarps = 0;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("registers", s.registers), v("lanes", s.lanes), v("warps", s.warps), v("vectorBits", s.vectorBits);
    v("freeRegisters", s.freeRegisters), v("freeLanes", s.freeLanes), v("freeWarps", s.freeWarps);
  }
};

/// What all programs that were counted ask for. Counting goes on with each tilescope/access/count.
struct AccessCount {
  int64_t counted = 0; ///< programs
  int64_t programs = 0;
  AccessTrace totals; ///< of those counted; equal to LaunchTrace's when all are
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("counted", s.counted), v("programs", s.programs), v("totals", s.totals);
  }
};

struct AccessDetail {
  int64_t program = 0;
  int access = 0;
  int64_t execution = 0;
  int64_t executions = 0;     ///< of this program, with a lane on
  std::vector<int64_t> shape; ///< of the tile, powers of two; empty for a scalar
  int elementBytes = 0;
  int vectorElements = 1; ///< of one lane's instruction
  int instructions = 1, warps = 1;
  AccessLayout layout;
  int baseOffset = 0; ///< of the tensor's first byte, behind a multiple of 128
  Packed on;          ///< a word each request: bit l says that lane l is on. The first 65,536 requests
  int64_t first = 0;  ///< request that `addresses` begin with
  Packed addresses;   ///< 32 lanes a request, two words a lane (low, high): bytes from the tensor's first to the lane's
  /// A word for each sector that requests of the page touch, in ascending order, request after request: bit b says that
  /// some program that was counted uses its byte b.
  Packed used;
  AccessCount count;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("program", s.program), v("access", s.access), v("execution", s.execution), v("executions", s.executions);
    v("shape", s.shape), v("elementBytes", s.elementBytes), v("vectorElements", s.vectorElements);
    v("instructions", s.instructions), v("warps", s.warps), v("layout", s.layout), v("baseOffset", s.baseOffset);
    v("on", s.on), v("first", s.first), v("addresses", s.addresses), v("used", s.used), v("count", s.count);
  }
};

struct AccessCountRequest { // tilescope/access/count: counts on for 50 ms; replies AccessCount
  int64_t run = 0;
  int launch = 0;
  int access = 0;
  std::string gpu = "H200";
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("run", s.run), v("launch", s.launch), v("access", s.access), v("gpu", s.gpu);
  }
};

} // namespace tilescope::protocol
