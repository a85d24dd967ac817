// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/LaunchTracer.h"

#include "compiler/Analysis/SharedAllocation.h"
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Interpreter/Flatten.h"
#include "compiler/Memory/AddressSpace.h"
#include "compiler/Service/AccessCounter.h"
#include "compiler/Service/LaunchArguments.h"
#include "compiler/Service/Machine.h"
#include "compiler/Service/SharedTrace.h"
#include "compiler/Service/SourceClosure.h"
#include "compiler/Service/Specialise.h"
#include "compiler/Service/Stages.h"

namespace tilescope::service {
namespace {

using protocol::LaunchTrace;

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

  AccessCounter counter(kernel, memory);
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
  counter.setArguments(arguments);
  interp::RunOptions run;
  run.stop = options.stop;
  run.logBudget = 0;
  run.observe = [&](const interp::ObservedAccess &observed) {
    if (!options.program || int64_t(observed.program) == *options.program)
      counter.count(observed);
  };
  interp::run(*code, gridOf(request), arguments, memory, run, diagnostics);
  trace.accesses = counter.traces(*code);
  trace.buffers = sharedBuffers(kernel);
  if (auto bytes = kernel->getAttrOfType<mlir::IntegerAttr>(analysis::sharedBytesAttr))
    trace.sharedBytes = bytes.getInt();
  trace.schedule = scheduleFor(trace, *options.gpu);
  return trace;
}

} // namespace tilescope::service
