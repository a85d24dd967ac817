// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Trace.h"

#include "compiler/Service/Server.h"
#include "compiler/Service/TraceExpression.h"
#include "compiler/Service/TraceValues.h"

#include <algorithm>

namespace tilescope::service {

namespace {

using interp::Stepper;

constexpr int64_t MostPerPage = 65536;
/// Then an answer is sent with what it has, so that other questions have their turn.
constexpr double MillisecondsPerPage = 50, MillisecondsToContinue = 200;

/// A breakpoint made ready for one kernel.
class ReadyBreakpoint {
public:
  static Result<ReadyBreakpoint> make(const protocol::Breakpoint &breakpoint, const TraceSource &source) {
    ReadyBreakpoint ready(breakpoint, *source.launch.kernel);
    const auto &steps = ready.m_kernel->steps().steps;
    if (std::ranges::none_of(steps, [&](const interp::Step &step) { return ready.isAt(step); }))
      return Error{"no-code-on-line", {std::to_string(breakpoint.line)}};
    if (breakpoint.condition.empty())
      return ready;
    Result<TraceExpression> condition = TraceExpression::parse(breakpoint.condition, source.arguments);
    if (!condition)
      return condition.error();
    ready.m_condition = std::move(*condition);
    return ready;
  }

  /// Does it stop at the end of a run of steps on one line? Goes there to find out, if that is needed.
  Result<bool> stopsAt(Stepper &stepper, uint64_t position) const {
    if (!isAt(m_kernel->steps().steps[stepper.stepTo(position)]))
      return false;
    if (!m_condition)
      return true;
    if (!stepper.seek(position))
      return Error{"evicted", {}};
    return m_condition->holds(stepper);
  }

private:
  ReadyBreakpoint(const protocol::Breakpoint &breakpoint, const interp::Kernel &kernel)
      : m_breakpoint(breakpoint), m_kernel(&kernel) {}

  bool isAt(const interp::Step &step) const {
    const SourceSpan &span = m_kernel->places()[step.place].span;
    return !step.isHidden && span.file && span.file->path() == m_breakpoint.path &&
           static_cast<int>(span.file->line(span.range.begin)) == m_breakpoint.line;
  }

  protocol::Breakpoint m_breakpoint;
  const interp::Kernel *m_kernel;
  std::optional<TraceExpression> m_condition;
};

Error wrongPosition(int64_t position, uint64_t greatest) {
  return {"wrong-position", {std::to_string(position), std::to_string(greatest)}};
}

} // namespace

Result<std::unique_ptr<Trace>> Trace::open(AddressSpace &memory, TraceSource source, uint64_t program) {
  Result<std::unique_ptr<Stepper>> stepper = Stepper::open(memory, source.launch, program);
  if (!stepper)
    return stepper.error();
  return std::unique_ptr<Trace>(new Trace(memory, std::move(source), std::move(*stepper)));
}

protocol::TraceInfo Trace::info() const {
  protocol::TraceInfo info;
  std::ranges::copy(m_stepper->coordinates(), info.ids.begin());
  info.steps = static_cast<int64_t>(m_stepper->count());
  info.lines = static_cast<int64_t>(m_stepper->lineEnds().size());
  info.outcome = m_stepper->hasFailed() ? "failed" : m_stepper->isComplete() ? "finished" : "limit";
  return info;
}

Result<protocol::TraceTimeline> Trace::timeline(const protocol::TraceTimelineRequest &request) const {
  const auto &ends = m_stepper->lineEnds();
  const auto all = static_cast<int64_t>(ends.size());
  if (request.first < 0 || request.first > all)
    return wrongPosition(request.first, ends.size());
  protocol::TraceTimeline page;
  page.first = request.first;
  const auto &places = m_stepper->kernel().places();
  const int64_t count = std::clamp<int64_t>(request.count, 0, std::min(MostPerPage, all - request.first));
  for (int64_t i = request.first; i < request.first + count; ++i) {
    const uint32_t end = ends[static_cast<size_t>(i)];
    const interp::Step &step = m_stepper->kernel().steps().steps[m_stepper->stepTo(end)];
    page.ends.values.push_back(static_cast<int32_t>(end));
    page.ends.values.push_back(tracePlace(places[step.place].span).line);
  }
  return page;
}

std::optional<Error> Trace::seek(int64_t position) {
  if (position < 0 || static_cast<uint64_t>(position) > m_stepper->count())
    return wrongPosition(position, m_stepper->count());
  const bool isThere = m_stepper->position() == static_cast<uint64_t>(position);
  if (!isThere && !m_stepper->seek(static_cast<uint64_t>(position)))
    return Error{"evicted", {}};
  return std::nullopt;
}

protocol::TraceStop Trace::present() const {
  const interp::Kernel &kernel = m_stepper->kernel();
  const TensorNames names(m_memory, m_source);
  const uint64_t position = m_stepper->position();
  protocol::TraceStop stop;
  stop.position = static_cast<int64_t>(position);
  for (const interp::TilePtr &tile : m_stepper->variables())
    stop.variables.push_back(traceValue(kernel, *tile, names));
  if (position == 0)
    return stop;
  const auto &ends = m_stepper->lineEnds();
  stop.line = std::ranges::lower_bound(ends, position) - ends.begin() + 1;
  const interp::Step &step = kernel.steps().steps[m_stepper->stepTo(position)];
  stop.operation = step.operation;
  const interp::Place &place = kernel.places()[step.place];
  stop.place = tracePlace(place.span);
  std::ranges::transform(place.calls, std::back_inserter(stop.callers), tracePlace);
  for (const interp::TilePtr &tile : m_stepper->results())
    stop.results.push_back(traceValue(kernel, *tile, names));
  if (m_stepper->access())
    stop.access = traceAccess(*m_stepper, names);
  return stop;
}

Result<protocol::TraceStop> Trace::stop(int64_t position) {
  if (std::optional<Error> error = seek(position))
    return *error;
  return present();
}

Result<protocol::TraceStop> Trace::step(const protocol::TraceStepRequest &request) {
  if (std::optional<Error> error = seek(request.position))
    return *error;
  const auto last = static_cast<int64_t>(m_stepper->count());
  if (request.by == "operation")
    return stop(std::clamp(request.position + std::clamp(request.count, -last, last), int64_t(0), last));
  uint64_t position = static_cast<uint64_t>(request.position);
  for (int64_t i = 0; i < std::min(std::abs(request.count), last); ++i)
    position = request.count > 0 ? m_stepper->lineAfter(position) : m_stepper->lineBefore(position);
  return stop(static_cast<int64_t>(position));
}

Result<protocol::TraceStop> Trace::goOn(const protocol::TraceContinueRequest &request,
                                        const std::function<bool()> &abandoned) {
  if (std::optional<Error> error = seek(request.position))
    return *error;
  std::vector<ReadyBreakpoint> breakpoints;
  for (const protocol::Breakpoint &breakpoint : request.breakpoints) {
    Result<ReadyBreakpoint> ready = ReadyBreakpoint::make(breakpoint, m_source);
    if (!ready)
      return ready.error();
    breakpoints.push_back(std::move(*ready));
  }
  const uint64_t end = request.backwards ? 0 : m_stepper->count();
  const Clock::time_point start = Clock::now();
  auto position = static_cast<uint64_t>(request.position);
  while (position != end) {
    position = request.backwards ? m_stepper->lineBefore(position) : m_stepper->lineAfter(position);
    for (size_t i = 0; i < breakpoints.size() && position > 0; ++i) {
      const Result<bool> stops = breakpoints[i].stopsAt(*m_stepper, position);
      if (!stops)
        return stops.error();
      if (!*stops)
        continue;
      Result<protocol::TraceStop> stopped = stop(static_cast<int64_t>(position));
      if (stopped)
        stopped->breakpoint = static_cast<int>(i);
      return stopped;
    }
    if (position != end && (abandoned() || millisecondsSince(start) > MillisecondsToContinue)) {
      Result<protocol::TraceStop> reached = stop(static_cast<int64_t>(position));
      if (reached)
        reached->outOfTime = true;
      return reached;
    }
  }
  return stop(static_cast<int64_t>(end));
}

interp::TilePtr Trace::find(uint32_t value) const {
  for (const interp::TilePtr &tile : m_stepper->results())
    if (tile->value == value)
      return tile;
  const interp::NotedValue &noted = m_stepper->kernel().steps().values[value];
  const interp::TilePtr tile = noted.isKept ? m_stepper->latest(value) : nullptr;
  return tile && tile->value == value ? tile : nullptr;
}

Result<protocol::TraceElements> Trace::elements(const protocol::TraceElementsRequest &request) {
  if (std::optional<Error> error = seek(request.position))
    return *error;
  const auto known = static_cast<int64_t>(m_stepper->kernel().steps().values.size());
  const bool isKnown = request.value >= 0 && request.value < known;
  const interp::TilePtr tile = isKnown ? find(static_cast<uint32_t>(request.value)) : nullptr;
  if (!tile)
    return Error{"unknown-value", {std::to_string(request.value)}};
  return traceElements(m_stepper->kernel(), *tile, request.first, request.count,
                       TensorNames(m_memory, m_source));
}

Result<protocol::TraceElements> Trace::access(const protocol::TraceAccessRequest &request) {
  if (std::optional<Error> error = seek(request.position))
    return *error;
  if (!m_stepper->access())
    return Error{"no-access", {std::to_string(request.position)}};
  return traceElements(*m_stepper->access(), request.first, request.count, TensorNames(m_memory, m_source));
}

Result<protocol::TraceAnswer> Trace::evaluate(const protocol::TraceEvaluateRequest &request) {
  if (std::optional<Error> error = seek(request.position))
    return *error;
  const Result<TraceExpression> expression = TraceExpression::parse(request.expression, m_source.arguments);
  if (!expression)
    return expression.error();
  return expression->evaluate(*m_stepper);
}

Result<protocol::TraceProgramPage> stopsOfPrograms(AddressSpace &memory, const TraceSource &source,
                                                   const protocol::TraceProgramsRequest &request,
                                                   const std::function<bool()> &abandoned) {
  const Result<ReadyBreakpoint> breakpoint = ReadyBreakpoint::make(request.breakpoint, source);
  if (!breakpoint)
    return breakpoint.error();
  const std::array<uint32_t, 3> &grid = source.launch.grid;
  const auto programs = static_cast<int64_t>(uint64_t(grid[0]) * grid[1] * grid[2]);
  if (request.first < 0 || request.first > programs)
    return Error{"unknown-program", {std::to_string(request.first), std::to_string(programs)}};
  protocol::TraceProgramPage page;
  page.first = request.first;
  Stepper::Options once;
  once.checkpointBudget = 0;
  const Clock::time_point start = Clock::now();
  const int64_t count =
      std::clamp<int64_t>(request.count, 0, std::min(MostPerPage, programs - request.first));
  for (int64_t i = 0; i < count && !abandoned(); ++i) {
    if (i > 0 && millisecondsSince(start) > MillisecondsPerPage)
      break;
    Result<std::unique_ptr<Stepper>> stepper =
        Stepper::open(memory, source.launch, static_cast<uint64_t>(request.first + i), once);
    if (!stepper)
      return stepper.error();
    int32_t stops = 0;
    for (uint32_t end : (*stepper)->lineEnds()) {
      const Result<bool> isStop = breakpoint->stopsAt(**stepper, end);
      if (!isStop)
        return isStop.error();
      stops += *isStop;
    }
    page.stops.values.push_back(stops);
  }
  return page;
}

} // namespace tilescope::service
