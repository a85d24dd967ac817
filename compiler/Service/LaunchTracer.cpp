// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/LaunchTracer.h"

#include "compiler/Analysis/AccessPlans.h"
#include "compiler/Analysis/SharedAllocation.h"
#include "compiler/Dialect/Tile/IR/Locations.h"
#include "compiler/Interpreter/Flatten.h"
#include "compiler/Memory/AddressSpace.h"
#include "compiler/Model/DistinctSectors.h"
#include "compiler/Model/TileTraffic.h"
#include "compiler/Service/LaunchArguments.h"
#include "compiler/Service/Machine.h"
#include "compiler/Service/SharedTrace.h"
#include "compiler/Service/SourceClosure.h"
#include "compiler/Service/Specialise.h"
#include "compiler/Service/Stages.h"

#include <map>

namespace tilescope::service {
namespace {

using protocol::AccessTrace, protocol::LaunchTrace;

/// An access of the source. Its copies in the compiled kernel (in front of a pipelined loop, and in it) are one.
struct Place {
  AccessTrace trace;
  model::DistinctSectors sectors;
  AllocationId tensor = 0; ///< 0 until an element was on
};

/// An access of the compiled kernel.
struct Access {
  model::TileTraffic traffic;
  std::vector<int64_t> shape; ///< of rank 1 at least
  size_t place = 0;
};

class Counter {
public:
  Counter(tile::FuncOp kernel, const AddressSpace &memory, std::optional<int64_t> program);

  void count(const interp::ObservedAccess &observed);
  std::vector<AccessTrace> traces(const interp::Kernel &code, const std::vector<interp::Argument> &arguments);

private:
  size_t placeFor(mlir::Operation *op, const model::AccessPlan &plan);
  void findTensor(Place &place, const interp::ObservedAccess &observed);

  const AddressSpace &m_memory;
  std::optional<int64_t> m_program;
  std::vector<Access> m_accesses;
  std::vector<Place> m_places;
  std::map<std::tuple<std::string, uint32_t, uint32_t, std::string>, size_t> m_placeNumbers;
};

const char *opName(model::AccessKind kind) {
  constexpr const char *Names[] = {"load", "store", "atomic", "load"};
  return Names[size_t(kind)];
}

Counter::Counter(tile::FuncOp kernel, const AddressSpace &memory, std::optional<int64_t> program)
    : m_memory(memory), m_program(program) {
  const analysis::AxisInfoAnalysis facts(kernel);
  mlir::Builder builder(kernel.getContext());
  kernel.walk([&](mlir::Operation *op) {
    if (!analysis::isGlobalAccess(op))
      return;
    op->setAttr(interp::accessNumberAttr, builder.getI32IntegerAttr(int32_t(m_accesses.size())));
    model::AccessPlan plan = analysis::planOf(op, facts);
    const llvm::ArrayRef<int64_t> shape = tile::shapeOf(analysis::pointersOf(op).getType());
    const size_t place = placeFor(op, plan);
    m_accesses.push_back({model::TileTraffic(std::move(plan)), {shape.begin(), shape.end()}, place});
    if (shape.empty())
      m_accesses.back().shape = {1};
  });
}

size_t Counter::placeFor(mlir::Operation *op, const model::AccessPlan &plan) {
  const tile::ValueOrigin origin = tile::readLocation(op->getLoc()).value_or(tile::ValueOrigin());
  const std::string name = opName(plan.kind);
  auto [entry, isNew] = m_placeNumbers.try_emplace(
      {origin.place.path, origin.place.beginLine, origin.place.beginColumn, name}, m_places.size());
  if (!isNew)
    return entry->second;
  AccessTrace trace;
  trace.path = origin.place.path;
  trace.line = int(origin.place.beginLine);
  trace.op = name;
  const llvm::ArrayRef<int64_t> shape = tile::shapeOf(analysis::pointersOf(op).getType());
  trace.shape = {shape.begin(), shape.end()};
  trace.elementBytes = int(plan.elementBytes);
  trace.vectorElements = int(plan.vectorElements());
  trace.isAsync = llvm::isa<tile::AsyncCopyOp>(op);
  m_places.push_back({std::move(trace), {}, 0});
  return entry->second;
}

void Counter::findTensor(Place &place, const interp::ObservedAccess &observed) {
  for (size_t i = 0; i < observed.addresses.size() && place.tensor == 0; ++i)
    if (observed.mask.empty() || observed.mask[i])
      if (const Allocation *allocation = m_memory.find(observed.addresses[i]))
        place.tensor = allocation->id;
}

void Counter::count(const interp::ObservedAccess &observed) {
  if (m_program && int64_t(observed.program) != *m_program)
    return;
  Access &access = m_accesses[size_t(observed.number)];
  Place &place = m_places[access.place];
  const unsigned bytes = access.traffic.plan().elementBytes;
  std::vector<uint8_t> off;
  std::span<const uint8_t> mask = observed.mask;
  if (observed.isOff) {
    off.assign(observed.addresses.size(), 0);
    mask = off;
  } else if (place.tensor == 0) {
    findTensor(place, observed);
  }
  model::TileCounts counts;
  if (const std::optional<model::RegularTile> tile = model::regular(observed.addresses, mask, access.shape)) {
    counts = access.traffic.count(*tile);
    place.sectors.add(*tile, bytes);
  } else {
    counts = access.traffic.count(observed.addresses, mask);
    place.sectors.add(observed.addresses, mask, bytes);
    ++place.trace.irregular;
  }
  place.trace.instructions += counts.instructions;
  place.trace.requests += counts.global.requests;
  place.trace.sectors += counts.global.sectors;
  place.trace.bytesRequested += counts.global.bytesRequested();
  place.trace.bytesUsed += counts.global.bytesUsed;
}

std::vector<AccessTrace> Counter::traces(const interp::Kernel &code, const std::vector<interp::Argument> &arguments) {
  std::vector<AccessTrace> result;
  for (Place &place : m_places) {
    place.trace.distinctSectors = place.sectors.count();
    for (size_t i = 0; i < arguments.size() && place.tensor != 0; ++i)
      if (arguments[i].allocation == place.tensor)
        place.trace.argument = code.parameters()[i].name;
    result.push_back(std::move(place.trace));
  }
  std::ranges::stable_sort(result, {}, &AccessTrace::line);
  return result;
}

/// Nothing for numbers that are no launch of ours to model: the request's own are always right.
protocol::Schedule scheduleFor(const LaunchTrace &trace, const model::Gpu &gpu) {
  protocol::ScheduleRequest request;
  request.gpu = gpu.id;
  request.programs = trace.grid[0] * trace.grid[1] * trace.grid[2];
  request.numWarps = trace.numWarps;
  request.sharedBytes = trace.sharedBytes;
  const Result<protocol::Schedule> found = schedule(request);
  return found ? *found : protocol::Schedule();
}

} // namespace

std::optional<LaunchTrace> traceLaunch(const host::LaunchRequest &request, const TraceOptions &options,
                                       AddressSpace &memory, Diagnostics &diagnostics) {
  std::optional<frontend::Specialisation> specialisation = specialise(request, diagnostics);
  if (!specialisation)
    return std::nullopt;
  const SourceClosure closure(*request.kernel);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      frontend::compile(context, *request.kernel, *specialisation, diagnostics);
  if (!module || !lowerToStageTwo(*module, *options.gpu, diagnostics))
    return std::nullopt;
  tile::FuncOp kernel = *module->getOps<tile::FuncOp>().begin();

  Counter counter(kernel, memory, options.program);
  auto resolver = [&](std::string_view path) { return closure.file(path); };
  std::shared_ptr<const interp::Kernel> code = interp::flatten(*module, resolver, diagnostics);
  if (!code)
    return std::nullopt;
  LaunchTrace trace;
  trace.kernel = request.kernel->name();
  trace.grid = request.grid;
  trace.program = options.program;
  trace.numWarps = int(request.numWarps);
  trace.numStages = int(request.numStages);
  const std::vector<interp::Argument> arguments = argumentsFor(request, *code);
  interp::RunOptions run;
  run.stop = options.stop;
  run.logBudget = 0;
  run.observe = [&](const interp::ObservedAccess &observed) { counter.count(observed); };
  interp::run(*code, gridOf(request), arguments, memory, run, diagnostics);
  trace.accesses = counter.traces(*code, arguments);
  trace.buffers = sharedBuffers(kernel);
  if (auto bytes = kernel->getAttrOfType<mlir::IntegerAttr>(analysis::sharedBytesAttr))
    trace.sharedBytes = bytes.getInt();
  trace.schedule = scheduleFor(trace, *options.gpu);
  return trace;
}

} // namespace tilescope::service
