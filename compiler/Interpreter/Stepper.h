// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program of an earlier launch again, operation by operation, forwards and backwards. It runs on the
// memory that it saw, with its ReplayLog: each value is bit for bit that of the first run, and nothing that
// it stores is kept. Going back is going on from a copy of the program that was made on the way.
//
// A position is the number of steps that have been carried out, from 0 to count(). A step is one operation of
// the source that did something (Steps.h).
#pragma once

#include "compiler/Interpreter/Tile.h"
#include "compiler/Support/Result.h"

namespace tilescope::interp {

class Stepper {
public:
  struct Options {
    uint64_t steps = uint64_t(1) << 20;             ///< followed at most
    uint64_t operations = RerunLimit;               ///< likewise
    uint64_t checkpointBudget = uint64_t(64) << 20; ///< bytes of the copies kept for going back
  };
  /// Runs the program to its end, or to a limit, and stands at position 0. Errors: "unknown-program",
  /// "log-dropped" (bytes that a launch may keep), "evicted".
  static Result<std::unique_ptr<Stepper>> open(AddressSpace &memory, LaunchAgain launch, uint64_t program,
                                               Options options);
  static Result<std::unique_ptr<Stepper>> open(AddressSpace &memory, LaunchAgain launch, uint64_t program) {
    return open(memory, std::move(launch), program, Options());
  }
  ~Stepper();

  const Kernel &kernel() const { return *m_again.kernel; }
  uint64_t program() const { return m_program; }
  std::array<uint32_t, 3> coordinates() const { return m_launch->coordinates(m_program); }

  uint64_t count() const { return m_timeline.size(); }
  /// Does the program end at count()? Else there is more that is not followed.
  bool isComplete() const { return m_isComplete; }
  /// A failed assertion, or a step of 0 in a range, ends it.
  bool hasFailed() const { return m_hasFailed; }
  uint64_t position() const { return m_position; }
  /// The step that leads to a position from 1 to count(); an index into StepTable::steps.
  uint32_t stepTo(uint64_t position) const { return m_timeline[position - 1]; }
  /// Where a run of steps on one line ends: the first such position behind `position`, and the last before
  /// it.
  uint64_t lineAfter(uint64_t position) const;
  uint64_t lineBefore(uint64_t position) const;
  /// The ends of all runs of steps on one line, in order; the last is count().
  const std::vector<uint32_t> &lineEnds() const { return m_lineEnds; }

  /// Goes to a position, at most count(). False if the memory has been evicted meanwhile.
  bool seek(uint64_t position);

  //===- At the present position -------------------------------------------------------------------===//
  /// What the last step made, in the order of its results.
  const std::vector<TilePtr> &results() const { return m_results; }
  /// What the last step touched, if it is an access.
  const std::optional<AccessView> &access() const { return m_access; }
  /// The variables of the function that the last step is in.
  std::vector<TilePtr> variables() const;
  /// A variable, or null.
  TilePtr variable(std::string_view name) const;
  /// The latest of a value that is held on to (NotedValue::isKept), or null.
  TilePtr latest(uint32_t value) const { return m_kept[m_cells[value]]; }

  /// Gets what each step that is carried out stores, as memory has it.
  void observeStores(StoreObserver observer);

private:
  struct Checkpoint;
  Stepper(AddressSpace &memory, LaunchAgain launch, uint64_t program, Options options);

  void numberCells();
  void followOnce();
  void start();
  bool stepOnce(bool looks);
  void carryOut(const Step &step, uint32_t end, bool looks);
  bool carryOutInstruction(const Step &step, bool looks);
  void keepResults(const Step &step, bool looks);
  void enter(uint32_t step);
  bool startsLine(uint32_t before, uint32_t after) const;
  void saveIfDue();
  void save();
  void restore(const Checkpoint &checkpoint);

  const LaunchAgain m_again;
  const uint64_t m_program;
  const Options m_options;
  RunOptions m_runOptions;
  Overlay m_overlay;
  MemoryPort m_port;
  std::unique_ptr<Launch> m_launch;
  std::unique_ptr<Worker> m_worker;
  Frame m_frame;
  StoreObserver m_stored;

  std::vector<uint32_t> m_timeline; ///< the step to each position
  std::vector<uint32_t> m_lineEnds;
  bool m_isComplete = false, m_hasFailed = false;

  uint64_t m_position = 0, m_operations = 0;
  uint32_t m_next = 0, m_last = 0; ///< indices of the step that comes next and of the last
  std::vector<TilePtr> m_kept;     ///< by cell
  std::vector<uint32_t> m_cells;   ///< of each value: variables of one name in one call share theirs
  std::vector<TilePtr> m_results;
  std::optional<AccessView> m_access;

  std::vector<Checkpoint> m_checkpoints; ///< in order
  uint64_t m_checkpointBytes = 0, m_interval = 16;
};

} // namespace tilescope::interp
