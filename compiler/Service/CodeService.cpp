// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/CodeService.h"

#include "compiler/Dialect/Tile/IR/Locations.h"
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Service/Convert.h"
#include "compiler/Service/GpuTarget.h"
#include "compiler/Service/KernelResources.h"
#include "compiler/Service/Machine.h"

#include "mlir/Parser/Parser.h"

namespace tilescope::service {
namespace {

constexpr int64_t MaxLinesPerPage = 2000;
constexpr const char *SourceNames[] = {"assembler", "driver", "estimate"};

std::optional<protocol::CodeResources> resourcesFor(const KernelCode &code, const model::Gpu &gpu, int64_t programs) {
  const Result<KernelResources> found = resourcesOf(code);
  if (!found)
    return std::nullopt;
  const nvptx::Resources &taken = found->resources;
  protocol::CodeResources result;
  result.source = SourceNames[int(found->source)];
  result.registers = taken.registers;
  result.stackBytes = taken.stackBytes;
  result.spillStores = taken.spillStores;
  result.spillLoads = taken.spillLoads;
  result.sharedBytes = code.sharedBytes + taken.sharedBytes;
  result.numWarps = code.numWarps;
  const Result<protocol::Schedule> placed =
      schedule({std::string(gpu.name), programs, code.numWarps, taken.registers, result.sharedBytes});
  if (placed)
    result.schedule = *placed;
  return result;
}

} // namespace

void CodeService::Open::add(std::string name, const LinedText &text) {
  Stage stage;
  stage.sources = text.lines;
  for (std::string_view rest = text.text; !rest.empty();) {
    const size_t length = std::min(rest.find('\n'), rest.size());
    stage.lines.emplace_back(rest.substr(0, length));
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
  info.stages.push_back({std::move(name), int64_t(stage.lines.size())});
  stages.push_back(std::move(stage));
}

bool CodeService::compile(Open &open, const LaunchCode &source, const model::Gpu &gpu, int64_t programs) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(source.kernel->bytecode, &context);
  if (!module)
    return false;
  tile::FuncOp kernel = *module->getOps<tile::FuncOp>().begin();
  open.info.kernel = kernel.getName().str();
  if (const auto origin = tile::readLocation(kernel.getLoc()))
    open.info.path = origin->place.path;
  auto fileOf = [&](std::string_view path) -> SourceFilePtr {
    const auto found = std::ranges::find(source.kernel->files, path, [](const SourceFilePtr &f) { return f->path(); });
    return found == source.kernel->files.end() ? nullptr : *found;
  };
  KernelCode code;
  Diagnostics diagnostics;
  const CodegenOptions options{targetFor(gpu.sm.major, gpu.sm.minor), /*wantsText=*/true, /*wantsEstimate=*/true};
  open.info.target = options.target.cpu();
  const bool isWhole = generateCode(*module, fileOf, options, code, diagnostics);
  for (const StageText &stage : code.stages)
    open.add(stage.name, {stage.ir, stage.lines});
  if (!code.llvm.text.empty())
    open.add("llvm", code.llvm);
  if (isWhole) {
    open.add("ptx", linedPtx(code.ptx));
    open.info.resources = resourcesFor(code, gpu, programs);
  }
  open.info.diagnostics = byFile(diagnostics.all());
  return true;
}

template <typename Request>
const CodeService::Open *CodeService::open(const Request &request, const ResponderPtr &responder) {
  const std::shared_ptr<Session> session = m_sessionOf(request.run, responder);
  if (!session)
    return nullptr;
  if (m_open && m_open->session == session && m_open->launch == request.launch && m_open->gpu == request.gpu)
    return &*m_open;
  const model::Gpu *gpu = gpuByName(request.gpu);
  const std::optional<LaunchCode> source = session->launchCode(request.launch);
  if (!gpu || !source) {
    gpu ? responder->fail(errors::UnknownLaunch) : responder->fail(errors::UnknownGpu, {request.gpu});
    return nullptr;
  }
  int64_t programs = 1;
  for (const auto axis : source->launch.grid)
    programs *= int64_t(axis);
  Open made{session, request.launch, request.gpu, {}, {}};
  if (!compile(made, *source, *gpu, programs)) {
    responder->fail(errors::NotLowered);
    return nullptr;
  }
  m_open = std::move(made);
  return &*m_open;
}

void CodeService::text(const protocol::CodeTextRequest &request, const ResponderPtr &responder) {
  const Open *code = open(request, responder);
  if (!code)
    return;
  if (request.stage < 0 || size_t(request.stage) >= code->stages.size())
    return responder->fail(errors::UnknownStage, {std::to_string(request.stage)});
  const Stage &stage = code->stages[size_t(request.stage)];
  const int64_t lines = int64_t(stage.lines.size());
  const int64_t first = std::clamp(request.first, int64_t(0), lines);
  const int64_t count = std::clamp(request.count, int64_t(0), std::min(MaxLinesPerPage, lines - first));
  protocol::CodeText page{request.stage, first, {}, {}};
  page.lines.assign(stage.lines.begin() + first, stage.lines.begin() + first + count);
  page.sources.values.assign(stage.sources.begin() + first, stage.sources.begin() + first + count);
  responder->result(protocol::toJson(page));
}

void CodeService::addMethods(Server &server) {
  server.onRequest<protocol::CodeRequest>(
      "tilescope/code", [this](const protocol::CodeRequest &request, const ResponderPtr &responder) {
        if (const Open *code = open(request, responder))
          responder->result(protocol::toJson(code->info));
      });
  server.onRequest<protocol::CodeTextRequest>(
      "tilescope/code/text",
      [this](const protocol::CodeTextRequest &request, const ResponderPtr &responder) { text(request, responder); });
}

} // namespace tilescope::service
