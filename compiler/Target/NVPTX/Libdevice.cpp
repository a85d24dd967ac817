// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Target/NVPTX/Libdevice.h"

#include "compiler/Target/NVPTX/Toolkit.h"

#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/IPO/Internalize.h"

#include <cstdlib>

namespace tilescope::nvptx {

namespace fs = std::filesystem;

namespace {

const llvm::Function *firstCalled(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with("__nv_"))
      return &function;
  return nullptr;
}

} // namespace

std::optional<fs::path> findLibdevice() {
  constexpr const char *Name = "libdevice.10.bc";
  std::vector<fs::path> candidates;
  if (const char *named = std::getenv("TILESCOPE_LIBDEVICE"); named && *named) {
    candidates.emplace_back(named);
  } else {
    candidates.push_back(executableFolder() / Name);
    for (const fs::path &toolkit : toolkits())
      candidates.push_back(toolkit / "nvvm" / "libdevice" / Name);
  }
  std::error_code error;
  for (fs::path &candidate : candidates)
    if (fs::is_regular_file(candidate, error))
      return std::move(candidate);
  return std::nullopt;
}

std::optional<Error> linkLibdevice(llvm::Module &module) {
  const llvm::Function *called = firstCalled(module);
  if (!called)
    return std::nullopt;
  const std::optional<fs::path> path = findLibdevice();
  if (!path)
    return Error{"libdevice-missing", {called->getName().str()}};
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> library =
      llvm::getLazyIRFileModule(path->string(), problem, module.getContext());
  if (!library)
    return Error{"libdevice-unreadable", {path->string(), problem.getMessage().str()}};
  // It was made for no GPU in particular: its triple and layout are older spellings of the same.
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  const bool hasFailed = llvm::Linker::linkModules(
      module, std::move(library), llvm::Linker::LinkOnlyNeeded, [](llvm::Module &linked, const llvm::StringSet<> &names) {
        llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) { return !names.contains(value.getName()); });
      });
  if (hasFailed)
    return Error{"libdevice-unreadable", {path->string(), "linking failed"}};
  // As Triton links it: subnormal fp32 counts as zero in most functions.
  module.addModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", 1u);
  return std::nullopt;
}

} // namespace tilescope::nvptx
