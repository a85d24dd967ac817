// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Codegen.h"

#include "compiler/Analysis/SharedAllocation.h"
#include "compiler/Conversion/TileToLLVM/TileToLLVM.h"
#include "compiler/Dialect/Tile/IR/Locations.h"
#include "compiler/Service/GpuTarget.h"
#include "compiler/Target/NVPTX/Ptx.h"
#include "compiler/Target/NVPTX/RegisterEstimate.h"

#include <llvm/ADT/StringExtras.h>

namespace tilescope::service {
namespace {

SourceSpan spanOf(mlir::Location location, const FileFinder &files) {
  const std::optional<tile::ValueOrigin> origin = tile::readLocation(location);
  const SourceFilePtr file = origin ? files(origin->place.path) : nullptr;
  return file ? SourceSpan{file, tile::rangeOf(origin->place, *file)} : SourceSpan();
}

/// To the end of stage two; false after an error.
bool toStageTwo(mlir::ModuleOp module, const CodegenOptions &options, KernelCode &code, Diagnostics &diagnostics) {
  StageVisitor visit;
  if (options.wantsText) {
    visit = [&](llvm::StringRef name, llvm::StringRef summary, mlir::ModuleOp stage) {
      LinedText lined = linedText(stage);
      code.stages.push_back({name.str(), summary.str(), std::move(lined.text), std::move(lined.lines)});
    };
    visit("frontend", "What the source says", module);
  }
  return lowerToStageTwo(module, gpuLike(options.target), diagnostics, visit);
}

/// PTX takes ASCII letters only.
std::string entryName(llvm::StringRef name) {
  std::string result;
  for (char c : name)
    result += llvm::isAlnum(c) || c == '_' ? c : '_';
  return result;
}

void reportUnsupported(const std::vector<codegen::Unsupported> &unsupported, const FileFinder &files,
                       Diagnostics &diagnostics) {
  for (const codegen::Unsupported &operation : unsupported)
    diagnostics.error("unsupported-on-gpu", spanOf(operation.location, files), {operation.what});
}

} // namespace

void reportTargetError(const Error &error, const SourceSpan &definition, Diagnostics &diagnostics) {
  if (error.id == "ptx-failed")
    diagnostics.error("internal-error", definition, {"ptx", error.arguments.front()});
  else
    diagnostics.error(error.id, definition, error.arguments);
}

void reportTargetError(const Error &error, const FunctionObject &kernel, Diagnostics &diagnostics) {
  reportTargetError(error, {kernel.module->file, kernel.definition->nameRange}, diagnostics);
}

bool generateCode(mlir::ModuleOp module, const FileFinder &files, const CodegenOptions &options, KernelCode &code,
                  Diagnostics &diagnostics) {
  if (!toStageTwo(module, options, code, diagnostics))
    return false;
  tile::FuncOp kernel = *module.getOps<tile::FuncOp>().begin();
  code.name = entryName(kernel.getName());
  code.target = options.target;
  code.numWarps = int(kernel.getNumWarps().value_or(4));
  code.parameters = kernel.getArgumentTypes().size();
  if (auto bytes = kernel->getAttrOfType<mlir::IntegerAttr>(analysis::sharedBytesAttr))
    code.sharedBytes = bytes.getInt();

  llvm::LLVMContext llvmContext;
  llvmContext.setDiscardValueNames(!options.wantsText);
  std::vector<codegen::Unsupported> unsupported;
  std::unique_ptr<llvm::Module> translated =
      codegen::translateToLlvm(kernel, options.target, llvmContext, unsupported);
  if (!translated) {
    reportUnsupported(unsupported, files, diagnostics);
    return false;
  }
  translated->getFunction(kernel.getName())->setName(code.name);
  Result<std::string> ptx = nvptx::toPtx(*translated, options.target, [&](const llvm::Module &optimised) {
    if (options.wantsText)
      code.llvm = linedText(optimised);
    if (options.wantsEstimate)
      code.estimatedRegisters = nvptx::estimateRegisters(*optimised.getFunction(code.name));
  });
  if (!ptx) {
    reportTargetError(ptx.error(), spanOf(kernel.getLoc(), files), diagnostics);
    return false;
  }
  code.ptx = std::move(*ptx);
  return true;
}

std::optional<KernelCode> generateCode(const SourceClosure &closure, const frontend::Specialisation &specialisation,
                                       const CodegenOptions &options, Diagnostics &diagnostics) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      frontend::compile(context, *closure.functions().front(), specialisation, diagnostics);
  KernelCode code;
  auto files = [&](std::string_view path) { return closure.file(path); };
  if (!module || !generateCode(*module, files, options, code, diagnostics))
    return std::nullopt;
  return code;
}

Result<nvptx::Cubin> assemble(const KernelCode &code) { return nvptx::assemble(code.ptx, code.target); }

} // namespace tilescope::service
