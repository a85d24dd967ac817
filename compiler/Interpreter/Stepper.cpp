// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/Stepper.h"

#include <algorithm>
#include <map>

namespace tilescope::interp {

/// All that a program is at a position.
struct Stepper::Checkpoint {
  uint64_t position = 0, operations = 0;
  uint32_t next = 0, last = 0, pc = 0;
  int64_t spent = 0, credit = 0;
  std::vector<std::byte> memory;
  ProgramLog::Position log;
  AsyncCopies copies;
  Shadow shadow;
  Overlay::Pages pages;
  std::vector<TilePtr> kept;

  uint64_t bytes() const {
    uint64_t sum = sizeof(*this) + memory.size() * (shadow.active() ? 2 : 1);
    for (const auto &page : pages.written)
      sum += page.second.size();
    for (const TilePtr &tile : kept)
      sum += tile ? tile->elements.size() + tile->kinds.size() : 0;
    return sum;
  }
};

namespace {

bool isSame(const SourceSpan &a, const SourceSpan &b) { return a.file == b.file && a.range == b.range; }

/// Is `calls`, the innermost first, the way to `inner` as far as it goes?
bool leadsTo(const std::vector<SourceSpan> &calls, const std::vector<SourceSpan> &inner) {
  return calls.size() <= inner.size() && std::equal(calls.rbegin(), calls.rend(), inner.rbegin(), isSame);
}

uint32_t lineOf(const SourceSpan &span) { return span.file ? span.file->line(span.range.begin) : 0; }

} // namespace

//===- Opening -------------------------------------------------------------------------------------===//

Result<std::unique_ptr<Stepper>> Stepper::open(AddressSpace &memory, LaunchAgain launch, uint64_t program,
                                               Options options) {
  const uint64_t programs = uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  if (program >= programs)
    return Error{"unknown-program", {std::to_string(program), std::to_string(programs)}};
  if (launch.log && !launch.log->complete())
    return Error{"log-dropped", {std::to_string(launch.log->budget() >> 20)}};
  std::unique_ptr<Stepper> stepper(new Stepper(memory, std::move(launch), program, options));
  stepper->followOnce();
  if (!stepper->seek(0))
    return Error{"evicted", {}};
  return stepper;
}

Stepper::Stepper(AddressSpace &memory, LaunchAgain launch, uint64_t program, Options options)
    : m_again(std::move(launch)), m_program(program), m_options(options), m_overlay(memory, m_again.version),
      m_port(memory, &m_overlay), m_frame(*m_again.kernel) {
  m_runOptions.checking = true; // padding is followed too
  m_launch.reset(new Launch{kernel(), m_again.grid, m_again.arguments, m_runOptions,
                            extentsOf(kernel(), m_again.arguments, m_port)});
  m_worker = std::make_unique<Worker>(*m_launch, m_port);
  m_worker->replays = true;
  numberCells();
}

Stepper::~Stepper() = default;

void Stepper::observeStores(StoreObserver observer) {
  m_stored = std::move(observer);
  m_worker->stored = m_stored ? &m_stored : nullptr;
}

/// Cell 0 is for what is not kept.
void Stepper::numberCells() {
  const StepTable &table = kernel().steps();
  std::map<std::string, std::vector<uint32_t>> variables; ///< the first value of each
  for (uint32_t i = 0, cells = 1; i < table.values.size(); ++i) {
    const NotedValue &value = table.values[i];
    m_cells.push_back(value.isKept ? cells : 0);
    if (!value.isKept)
      continue;
    std::vector<uint32_t> &known = variables[value.name];
    const auto isSameVariable = [&](uint32_t other) {
      const auto &calls = kernel().places()[value.place].calls;
      const auto &others = kernel().places()[table.values[other].place].calls;
      return calls.size() == others.size() && leadsTo(calls, others);
    };
    const auto same =
        value.name.empty() ? known.end() : std::find_if(known.begin(), known.end(), isSameVariable);
    if (same != known.end()) {
      m_cells.back() = m_cells[*same];
      continue;
    }
    known.push_back(i);
    ++cells;
  }
  m_kept.resize(1 + (m_cells.empty() ? 0 : *std::max_element(m_cells.begin(), m_cells.end())));
}

void Stepper::followOnce() {
  start();
  const size_t steps = kernel().steps().steps.size();
  while (m_frame.state == FrameState::Running && m_next < steps && m_position < m_options.steps &&
         m_operations < m_options.operations) {
    const uint32_t step = m_next;
    if (!m_timeline.empty() && startsLine(m_timeline.back(), step))
      m_lineEnds.push_back(static_cast<uint32_t>(m_position));
    stepOnce(/*looks=*/false);
    m_timeline.push_back(step);
    saveIfDue();
  }
  if (!m_timeline.empty())
    m_lineEnds.push_back(static_cast<uint32_t>(m_position));
  m_hasFailed = m_frame.state == FrameState::Failed;
  m_isComplete = m_frame.state != FrameState::Running || m_next >= steps;
}

bool Stepper::startsLine(uint32_t before, uint32_t after) const {
  const auto &places = kernel().places();
  const auto &steps = kernel().steps().steps;
  const Place &from = places[steps[before].place], &to = places[steps[after].place];
  return after <= before || from.span.file != to.span.file || lineOf(from.span) != lineOf(to.span) ||
         from.calls.size() != to.calls.size() || !leadsTo(from.calls, to.calls);
}

uint64_t Stepper::lineAfter(uint64_t position) const {
  const auto found = std::upper_bound(m_lineEnds.begin(), m_lineEnds.end(), position);
  return found == m_lineEnds.end() ? count() : *found;
}

uint64_t Stepper::lineBefore(uint64_t position) const {
  const auto found = std::lower_bound(m_lineEnds.begin(), m_lineEnds.end(), position);
  return found == m_lineEnds.begin() ? 0 : *std::prev(found);
}

//===- Going to a position -------------------------------------------------------------------------===//

bool Stepper::seek(uint64_t position) {
  position = std::min(position, count());
  // The step to a position is looked at, so it is carried out even if the program stands there.
  const auto behind = std::partition_point(m_checkpoints.begin(), m_checkpoints.end(),
                                           [&](const auto &known) { return known.position < position; });
  const bool isAhead = m_position < position && m_position > 0;
  if (behind != m_checkpoints.begin() && !(isAhead && m_position >= std::prev(behind)->position))
    restore(*std::prev(behind));
  else if (!isAhead)
    start();
  while (m_position < position)
    stepOnce(/*looks=*/m_position + 1 == position);
  return m_overlay.complete();
}

void Stepper::start() {
  m_overlay.goTo({});
  m_frame.start(*m_worker, m_program);
  m_frame.state = FrameState::Running;
  if (const ProgramLog *logged = m_again.log ? m_again.log->find(m_program) : nullptr)
    m_frame.log.replay(*logged);
  m_position = m_operations = 0;
  m_next = m_last = 0;
  m_results.clear();
  m_access.reset();
  std::fill(m_kept.begin(), m_kept.end(), nullptr);
  const StepTable &table = kernel().steps();
  if (!table.steps.empty() && table.steps[0].isHidden) {
    stepOnce(/*looks=*/false);
    m_position = 0;
  }
  for (uint32_t parameter : table.parameters)
    m_kept[m_cells[parameter]] = copyTile(m_frame, parameter, 0);
}

bool Stepper::stepOnce(bool looks) {
  const auto &steps = kernel().steps().steps;
  m_results.clear();
  m_access.reset();
  enter(m_next);
  bool isFirst = true;
  do {
    const Step &step = steps[m_next];
    const uint32_t end =
        m_next + 1 < steps.size() ? steps[m_next + 1].begin : static_cast<uint32_t>(kernel().code().size());
    carryOut(step, end, looks && isFirst);
    isFirst = false;
  } while (m_frame.state == FrameState::Running && m_next < steps.size() && steps[m_next].isHidden);
  ++m_position;
  return m_frame.state == FrameState::Running;
}

/// Leaves m_next at the step that follows.
void Stepper::carryOut(const Step &step, uint32_t end, bool looks) {
  ++m_next;
  if (step.made == step.begin)
    keepResults(step, looks);
  while (m_frame.pc >= step.begin && m_frame.pc < end && m_frame.state == FrameState::Running) {
    const uint32_t index = m_frame.pc;
    const bool jumps = carryOutInstruction(step, looks);
    const bool isInside = m_frame.pc >= step.begin && m_frame.pc < end;
    if (index + 1 == step.made && !(isInside && m_frame.pc < step.made))
      keepResults(step, looks);
    if (!jumps || isInside)
      continue;
    m_next = kernel().steps().landings.at(index);
    return;
  }
}

/// As Frame::run() has it. Says whether it jumped.
bool Stepper::carryOutInstruction(const Step &step, bool looks) {
  const uint32_t index = m_frame.pc++;
  const Instruction &instruction = kernel().code()[index];
  if (m_frame.credit <= 0) {
    m_frame.credit += OperationsBetweenChecks;
    m_frame.spent += OperationsBetweenChecks;
  }
  m_frame.credit -= instruction.cost;
  m_operations += instruction.cost;
  const bool falls =
      instruction.handler == &control::jumpUnless && *m_frame.at<uint8_t>(instruction.operands[0]) != 0;
  m_frame.shadow.revive();
  if (m_frame.shadow.active())
    m_frame.shadow.follow(m_frame, instruction);
  instruction.handler(m_frame, instruction);
  if (m_frame.state == FrameState::Waiting)
    m_frame.state = FrameState::Running;
  const FlowDetail &flow = kernel().flow(index);
  const auto isKept = [&](uint32_t value) { return kernel().steps().values[value].isKept; };
  if (isAccess(flow) && (looks || std::any_of(step.results.begin(), step.results.end(), isKept)))
    m_access = viewAccess(m_frame, instruction);
  return m_frame.pc != index + 1 || instruction.handler == &control::jump ||
         (instruction.handler == &control::jumpUnless && !falls);
}

void Stepper::keepResults(const Step &step, bool looks) {
  for (uint32_t value : step.results) {
    const NotedValue &noted = kernel().steps().values[value];
    if (noted.stored == 0 || !(looks || noted.isKept))
      continue;
    const TilePtr tile = copyTile(m_frame, value, m_position + 1, m_access ? &*m_access : nullptr);
    if (noted.isKept)
      m_kept[m_cells[value]] = tile;
    if (looks)
      m_results.push_back(tile);
  }
}

/// A call that is entered again begins without the variables of the last time.
void Stepper::enter(uint32_t step) {
  const auto &places = kernel().places();
  const StepTable &table = kernel().steps();
  const std::vector<SourceSpan> &now = places[table.steps[step].place].calls;
  const std::vector<SourceSpan> &before = places[table.steps[m_last].place].calls;
  m_last = step;
  if (leadsTo(now, before))
    return;
  for (TilePtr &tile : m_kept) {
    if (!tile)
      continue;
    const std::vector<SourceSpan> &calls = places[table.values[tile->value].place].calls;
    if (leadsTo(calls, now) && !leadsTo(calls, before))
      tile = nullptr;
  }
}

//===- What is there -------------------------------------------------------------------------------===//

std::vector<TilePtr> Stepper::variables() const {
  const auto &places = kernel().places();
  const StepTable &table = kernel().steps();
  static const std::vector<SourceSpan> OfKernel;
  const std::vector<SourceSpan> &now =
      m_position == 0 ? OfKernel : places[table.steps[stepTo(m_position)].place].calls;
  std::vector<TilePtr> found;
  for (const TilePtr &tile : m_kept) {
    if (!tile || table.values[tile->value].name.empty())
      continue;
    const std::vector<SourceSpan> &calls = places[table.values[tile->value].place].calls;
    if (calls.size() == now.size() && leadsTo(calls, now))
      found.push_back(tile);
  }
  return found;
}

TilePtr Stepper::variable(std::string_view name) const {
  for (const TilePtr &tile : variables())
    if (kernel().steps().values[tile->value].name == name)
      return tile;
  return nullptr;
}

//===- Checkpoints ---------------------------------------------------------------------------------===//

void Stepper::saveIfDue() {
  if (m_position % m_interval != 0 || m_frame.state != FrameState::Running)
    return;
  save();
  while (m_checkpointBytes > m_options.checkpointBudget && !m_checkpoints.empty()) {
    m_interval *= 2;
    std::erase_if(m_checkpoints, [&](const Checkpoint &known) { return known.position % m_interval != 0; });
    m_checkpointBytes = 0;
    for (const Checkpoint &known : m_checkpoints)
      m_checkpointBytes += known.bytes();
  }
}

void Stepper::save() {
  Checkpoint &made = m_checkpoints.emplace_back();
  made.position = m_position;
  made.operations = m_operations;
  made.next = m_next;
  made.last = m_last;
  made.pc = m_frame.pc;
  made.spent = m_frame.spent;
  made.credit = m_frame.credit;
  made.memory.assign(m_frame.memory.get(), m_frame.memory.get() + kernel().frameBytes());
  made.log = m_frame.log.position();
  made.copies = m_frame.copies;
  made.shadow.copyFrom(m_frame.shadow, kernel());
  made.pages = m_overlay.pages();
  made.kept = m_kept;
  m_checkpointBytes += made.bytes();
}

void Stepper::restore(const Checkpoint &saved) {
  m_position = saved.position;
  m_operations = saved.operations;
  m_next = saved.next;
  m_last = saved.last;
  m_frame.pc = saved.pc;
  m_frame.spent = saved.spent;
  m_frame.credit = saved.credit;
  m_frame.state = FrameState::Running;
  std::copy(saved.memory.begin(), saved.memory.end(), m_frame.memory.get());
  m_frame.log.goTo(saved.log);
  m_frame.copies = saved.copies;
  m_frame.shadow.copyFrom(saved.shadow, kernel());
  m_overlay.goTo(saved.pages);
  m_kept = saved.kept;
}

} // namespace tilescope::interp
