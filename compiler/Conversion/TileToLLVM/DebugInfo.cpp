// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Conversion/TileToLLVM/DebugInfo.h"

#include "llvm/IR/DIBuilder.h"
#include "llvm/Support/Path.h"

namespace tilescope::codegen {
namespace {

llvm::DIFile *fileOf(llvm::DIBuilder &builder, llvm::StringRef path) {
  return builder.createFile(llvm::sys::path::filename(path), llvm::sys::path::parent_path(path));
}

/// Lines only: no types, no variables.
llvm::DISubprogram *subprogram(llvm::DIBuilder &builder, llvm::DIFile *file, llvm::StringRef name, unsigned line) {
  auto *type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  return builder.createFunction(file, name, name, file, line, type, line, llvm::DINode::FlagZero,
                                llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
}

} // namespace

const tile::SourcePlace &shownPlace(const tile::ValueOrigin &origin) {
  const tile::SourcePlace &place = origin.callStack.empty() ? origin.place : origin.callStack.back();
  return origin.place.path == place.path ? origin.place : place;
}

void attachSource(Emitter &e, llvm::Function &function) {
  const std::optional<tile::ValueOrigin> origin = tile::readLocation(e.kernel().getLoc());
  if (!origin)
    return;
  llvm::Module &module = e.module();
  llvm::DIBuilder builder(module);
  llvm::DIFile *file = fileOf(builder, origin->place.path);
  builder.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_Python), file, "tilescope", true, "", 0, "",
                            llvm::DICompileUnit::DebugDirectivesOnly);
  function.setSubprogram(subprogram(builder, file, function.getName(), origin->place.beginLine));
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  builder.finalize();
}

DebugPlace::DebugPlace(Emitter &e, mlir::Location location)
    : m_builder(e.b), m_before(e.b.getCurrentDebugLocation()) {
  llvm::DISubprogram *function = m_builder.GetInsertBlock()->getParent()->getSubprogram();
  const std::optional<tile::ValueOrigin> origin = tile::readLocation(location);
  if (!function || !origin)
    return;
  const tile::SourcePlace &inner = shownPlace(*origin); // one table of lines, in one file
  m_builder.SetCurrentDebugLocation(
      llvm::DILocation::get(e.context(), inner.beginLine, inner.beginColumn, function));
}

} // namespace tilescope::codegen
