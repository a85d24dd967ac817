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

SourceSpan spanOf(mlir::Location location, const SourceClosure &closure) {
  const std::optional<tile::ValueOrigin> origin = tile::readLocation(location);
  const SourceFilePtr file = origin ? closure.file(origin->place.path) : nullptr;
  return file ? SourceSpan{file, tile::rangeOf(origin->place, *file)} : SourceSpan();
}

std::string textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return text;
}

std::string textOf(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

/// The kernel at the end of stage two; null after an error.
mlir::OwningOpRef<mlir::ModuleOp> toStageTwo(mlir::MLIRContext &context, const SourceClosure &closure,
                                             const frontend::Specialisation &specialisation,
                                             const CodegenOptions &options, KernelCode &code, Diagnostics &diagnostics) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      frontend::compile(context, *closure.functions().front(), specialisation, diagnostics);
  if (!module)
    return nullptr;
  StageVisitor visit;
  if (options.wantsText) {
    code.stages.push_back({"frontend", "What the source says", textOf(*module)});
    visit = [&](llvm::StringRef name, llvm::StringRef summary, mlir::ModuleOp stage) {
      code.stages.push_back({name.str(), summary.str(), textOf(stage)});
    };
  }
  if (!lowerToStageTwo(*module, gpuLike(options.target), diagnostics, visit))
    return nullptr;
  return module;
}

/// PTX takes ASCII letters only.
std::string entryName(llvm::StringRef name) {
  std::string result;
  for (char c : name)
    result += llvm::isAlnum(c) || c == '_' ? c : '_';
  return result;
}

void reportUnsupported(const std::vector<codegen::Unsupported> &unsupported, const SourceClosure &closure,
                       Diagnostics &diagnostics) {
  for (const codegen::Unsupported &operation : unsupported)
    diagnostics.error("unsupported-on-gpu", spanOf(operation.location, closure), {operation.what});
}

} // namespace

void reportTargetError(const Error &error, const FunctionObject &kernel, Diagnostics &diagnostics) {
  const SourceSpan span{kernel.module->file, kernel.definition->nameRange};
  if (error.id == "ptx-failed")
    diagnostics.error("internal-error", span, {"ptx", error.arguments.front()});
  else
    diagnostics.error(error.id, span, error.arguments);
}

std::optional<KernelCode> generateCode(const SourceClosure &closure, const frontend::Specialisation &specialisation,
                                       const CodegenOptions &options, Diagnostics &diagnostics) {
  mlir::MLIRContext mlirContext(mlir::MLIRContext::Threading::DISABLED);
  mlirContext.loadDialect<tile::TileDialect>();
  KernelCode code;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      toStageTwo(mlirContext, closure, specialisation, options, code, diagnostics);
  if (!module)
    return std::nullopt;
  tile::FuncOp kernel = *module->getOps<tile::FuncOp>().begin();
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
    reportUnsupported(unsupported, closure, diagnostics);
    return std::nullopt;
  }
  translated->getFunction(kernel.getName())->setName(code.name);
  Result<std::string> ptx = nvptx::toPtx(*translated, options.target, [&](const llvm::Module &optimised) {
    if (options.wantsText)
      code.llvm = textOf(optimised);
    if (options.wantsEstimate)
      code.estimatedRegisters = nvptx::estimateRegisters(*optimised.getFunction(code.name));
  });
  if (!ptx) {
    reportTargetError(ptx.error(), *closure.functions().front(), diagnostics);
    return std::nullopt;
  }
  code.ptx = std::move(*ptx);
  return code;
}

Result<nvptx::Cubin> assemble(const KernelCode &code) { return nvptx::assemble(code.ptx, code.target); }

} // namespace tilescope::service
