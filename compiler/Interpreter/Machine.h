// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs a Kernel: a Frame is one program, which can be suspended between instructions; a Worker is a
// thread with what it has counted and found; a Launch is what all of them share.
#pragma once

#include "compiler/Interpreter/Findings.h"
#include "compiler/Interpreter/Kernel.h"
#include "compiler/Interpreter/MemoryPort.h"
#include "compiler/Interpreter/RaceCheck.h"
#include "compiler/Interpreter/ReplayLog.h"
#include "compiler/Interpreter/Shadow.h"
#include "compiler/Interpreter/SharedMemory.h"

#include <atomic>
#include <cstdlib>
#include <limits>

namespace tilescope::interp {

/// One launch, as all its workers see it.
struct Launch {
  const Kernel &kernel;
  std::array<uint32_t, 3> grid;
  const std::vector<Argument> &arguments;
  const RunOptions &options;
  std::vector<Extent> extents; ///< the tensor of each argument; empty for one that is no pointer
  WrittenTensors written;
  unsigned threads = 1;
  RaceCheck *races = nullptr; ///< in checking mode
  ReplayLog *log = nullptr;   ///< where what programs got is kept

  static constexpr uint64_t NoProgram = std::numeric_limits<uint64_t>::max();
  std::atomic<uint64_t> next{0};           ///< the first program not handed out
  std::atomic<uint64_t> failed{NoProgram}; ///< the least program that failed
  std::atomic<bool> stopped{false};
  std::atomic<uint64_t> work{0};       ///< operations of all programs
  std::atomic<bool> overworked{false}; ///< they are more than the launch may take
  std::atomic<uint64_t> printed{0};    ///< lines, those not shown included

  /// Programs behind this one end early, those before it are carried out.
  void fail(uint64_t program) {
    uint64_t least = failed;
    while (program < least && !failed.compare_exchange_weak(least, program)) {
    }
  }
  uint64_t programs() const { return uint64_t(grid[0]) * grid[1] * grid[2]; }
  std::array<uint32_t, 3> coordinates(uint64_t program) const {
    return {uint32_t(program % grid[0]), uint32_t(program / grid[0] % grid[1]),
            uint32_t(program / grid[0] / grid[1])};
  }
};

/// The tensor of each argument; empty for one that is no pointer.
std::vector<Extent> extentsOf(const Kernel &kernel, const std::vector<Argument> &arguments,
                              MemoryPort &memory);
/// Element operations after which nobody waits any longer for a program that is run again: about a second.
inline constexpr uint64_t RerunLimit = uint64_t(1) << 30;

/// One thread of a launch.
struct Worker {
  Worker(Launch &launch, MemoryPort port)
      : launch(launch), memory(port), counts(launch.kernel.accesses().size()) {}

  Launch &launch;
  MemoryPort memory;
  std::vector<AccessCounts> counts;
  Findings findings;
  std::vector<Footprint> *footprints = nullptr; ///< by site, where they are wanted
  bool replays = false;                         ///< programs are run again: from their logs
  const StoreObserver *stored = nullptr;        ///< of programs that are run again
  std::vector<std::byte> scratch;
};

enum class FrameState : uint8_t {
  Running,
  Waiting, ///< gave way in a loop that may wait for another program
  Finished,
  Failed,    ///< a finding ends the launch
  Abandoned, ///< stopped from outside, or a program before it failed
};

/// One program.
struct Frame {
  explicit Frame(const Kernel &kernel);

  template <typename T> T *at(Slot slot) { return reinterpret_cast<T *>(memory.get() + slot); }

  /// Makes it ready for a program of the worker's launch.
  void start(Worker &worker, uint64_t program);
  /// Runs until the state is no longer Running.
  void run(Worker &worker);
  /// Ends the loop of run() after the present instruction.
  void leave(FrameState newState) {
    state = newState;
    spent -= credit;
    credit = 0;
  }
  void giveWay() { leave(FrameState::Waiting); }
  /// Notes a finding at the instruction being carried out, for each program once. `cause` is a place.
  void found(FindingKind kind, Finding finding, uint32_t cause = 0);
  /// The same at another instruction.
  void foundAt(FindingKind kind, uint32_t instruction, Finding finding, uint32_t cause = 0);
  /// Notes that it, or those that wait together, used up the limit.
  void foundLimit();

  struct Free {
    void operator()(std::byte *memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> memory;
  const Kernel &kernel;
  Worker *worker = nullptr;
  uint64_t program = 0;
  uint32_t pc = 0; ///< of the next instruction
  FrameState state = FrameState::Running;
  uint32_t turns = 0;                  ///< trips of waiting loops since it last ran
  int64_t credit = 0;                  ///< operations until the next look at the stop flag and the limit
  int64_t spent = 0;                   ///< operations, the credit included
  std::vector<Findings::Key> reported; ///< findings that this program is already counted for
  Shadow shadow;
  AsyncCopies copies;
  Clock clock;    ///< what it knows of other programs, in checking mode
  ProgramLog log; ///< of what it gets, or once got

private:
  bool checkpoint();
  void count(Findings::Key key, Finding finding);
  void putArgument(Slot slot, const Argument &argument);
};

/// Trips of a waiting loop after which a program gives way.
inline constexpr uint32_t TripsBeforeGivingWay = 1000;
/// Operations between two looks at the stop flag: well below a millisecond.
inline constexpr int64_t OperationsBetweenChecks = 1 << 18;

/// The handlers of control flow.
namespace control {
void jump(Frame &frame, const Instruction &instruction);
void jumpUnless(Frame &frame, const Instruction &instruction);  ///< operand 0 is an i1
void waitingJump(Frame &frame, const Instruction &instruction); ///< back to the start of a `while`
void loopBegin(Frame &frame, const Instruction &instruction);
void loopEnd(Frame &frame, const Instruction &instruction);
void finish(Frame &frame, const Instruction &instruction);
void programId(Frame &frame, const Instruction &instruction);   ///< `detail` is the axis
void numPrograms(Frame &frame, const Instruction &instruction); ///< likewise
void check(Frame &frame, const Instruction &instruction);       ///< device_assert: condition, mask
void assume(Frame &frame, const Instruction &instruction);
void nothing(Frame &frame, const Instruction &instruction); ///< stands for its Flow only
void print(Frame &frame, const Instruction &instruction);
void checkDivisor(Frame &frame, const Instruction &instruction); ///< operand 0; `detail` its bytes
} // namespace control

} // namespace tilescope::interp
