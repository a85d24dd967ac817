// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs tile IR on the CPU. A kernel is flattened once (Flatten.h) to compact code that holds no MLIR object;
// this header runs it, program by program, on all cores. Read Kernel.h for the code and Machine.h for the
// loop.
#pragma once

#include "compiler/Memory/AddressSpace.h"
#include "compiler/Support/Diagnostic.h"
#include "compiler/Value/ElementType.h"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace tilescope::interp {

class ReplayLog; ///< ReplayLog.h
class Kernel;    ///< flattened code; see Kernel.h

enum class AccessKind : uint8_t { Load, Store, Atomic };

/// A load, store or atomic of the kernel's source. Several operations may come from one place (unrolled
/// loops).
struct AccessSite {
  AccessKind kind;
  SourceSpan span;
  ElementType element;
  std::vector<int64_t> shape; ///< of the tile; empty for a scalar
  int pointerArgument = -1;   ///< the kernel parameter its pointer comes from; -1 if that is not one
};

/// Elements, summed over programs and executions.
struct AccessCounts {
  uint64_t active = 0;      ///< mask on and inside the tensor
  uint64_t masked = 0;      ///< mask off
  uint64_t outOfBounds = 0; ///< mask on and outside: not carried out
  uint64_t bytes = 0;       ///< of the active elements
};

struct Argument {
  uint64_t bits = 0;           ///< the value, or the address, in the low bytes
  AllocationId allocation = 0; ///< for pointers: the tensor that is meant
};

/// One execution of an access by one program, before anything is checked.
struct ObservedAccess {
  uint64_t program = 0;
  int32_t number = 0;                  ///< Flatten.h, accessNumberAttr
  std::span<const uint64_t> addresses; ///< of the tile's elements in row-major order
  std::span<const uint8_t> mask;       ///< a byte for each element, 0 for off; empty: all on
  bool isOff = false;                  ///< every element is masked off
};

struct RunOptions {
  unsigned threads = 0;                        ///< 0: all cores
  uint64_t operationLimit = uint64_t(1) << 32; ///< of one program; then "instruction-limit"
  uint64_t workLimit = uint64_t(1) << 37;      ///< of all programs together; then "work-limit"
  uint64_t logBudget = uint64_t(256) << 20;    ///< bytes of a launch's ReplayLog; 0: none is kept
  const std::atomic<bool> *stop = nullptr;
  /// Gets each line that tl.device_print writes, without its end, in program order and from one thread.
  std::function<void(std::string_view)> print;
  bool checking =
      false; ///< races, indices that wrap, padding, origins of inf and NaN: costs up to three times
  /// Gets every execution of every access that has a number, from one thread: the launch runs on one.
  std::function<void(const ObservedAccess &)> observe;
  uint64_t printLimit = 1000; ///< lines; what follows is counted and "print-truncated" says so
};

enum class RunStatus : uint8_t { Finished, Failed, Stopped };

struct RunResult {
  RunStatus status = RunStatus::Finished;
  std::vector<AccessCounts> counts;     ///< one for each of Kernel::accesses()
  uint64_t programs = 0;                ///< carried out
  uint32_t version = 0;                 ///< of the address space that the launch began
  std::shared_ptr<const ReplayLog> log; ///< what running a program again needs
};

/// Runs a grid. Findings (out of bounds, limit, failed device_assert …) go to `diagnostics`, grouped by
/// place: the first program in program order names it. The result does not depend on the number of threads.
RunResult run(const Kernel &kernel, std::array<uint32_t, 3> grid, const std::vector<Argument> &arguments,
              AddressSpace &memory, const RunOptions &options, Diagnostics &diagnostics);

/// A launch of which programs are run again: what run() was given and gave.
struct LaunchAgain {
  std::shared_ptr<const Kernel> kernel;
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::vector<Argument> arguments;
  uint32_t version = 0;                 ///< of the memory that it began
  std::shared_ptr<const ReplayLog> log; ///< null if it needed none
};

/// Where one program's access touched memory: the least and greatest address of an active element's first
/// byte.
struct Footprint {
  uint32_t access = 0; ///< index into Kernel::accesses()
  AccessCounts counts;
  Address first = 0; ///< both 0 where no element was active
  Address last = 0;
};

/// Gets each run of elements that a program stores, as memory has them.
using StoreObserver = std::function<void(Address, const std::byte *, uint64_t bytes)>;

/// Runs one program of an earlier launch again on the memory it saw then, and says what it touched; nothing
/// it stores is kept. `log` is that of the launch. Empty if that memory or log has been evicted.
std::vector<Footprint> footprints(const Kernel &kernel, std::array<uint32_t, 3> grid,
                                  const std::vector<Argument> &arguments, AddressSpace &memory,
                                  uint32_t version, const ReplayLog *log, uint64_t program,
                                  const StoreObserver &stored = {});

/// Runs one program of an earlier launch again, of `launch`'s code or of a later stage of it, and gives each execution
/// of every access that has a number; nothing it stores is kept. It runs alone: without the log of another stage's
/// code, it sees what other programs did as not yet done. False if the memory that it saw has been evicted.
bool observeProgram(const LaunchAgain &launch, AddressSpace &memory, uint64_t program,
                    const std::function<void(const ObservedAccess &)> &observe);

} // namespace tilescope::interp
