// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One compilation from source to what a GPU runs: tile IR, LLVM IR, PTX, cubin. Read compiler/docs/codegen.md.
#pragma once

#include "compiler/Conversion/TileToLLVM/Target.h"
#include "compiler/Service/LinedText.h"
#include "compiler/Service/SourceClosure.h"
#include "compiler/Service/Stages.h"
#include "compiler/Target/NVPTX/Cubin.h"

namespace tilescope::service {

struct CodegenOptions {
  codegen::Target target;
  bool wantsText = false;     ///< the stages and the LLVM IR too
  bool wantsEstimate = false; ///< of registers, where nobody can say how many it takes
};

struct KernelCode {
  std::string name; ///< of the entry
  codegen::Target target;
  int numWarps = 4;
  int64_t sharedBytes = 0; ///< dynamic shared memory, a program
  size_t parameters = 0;   ///< those of the entry, without the probe's
  std::string ptx;
  int estimatedRegisters = 0; ///< a thread; with `wantsEstimate`
  // With `wantsText`:
  std::vector<StageText> stages;
  LinedText llvm; ///< after the optimiser
};

/// Nothing after an error, which is in `diagnostics`: those of the front end; "unsupported-on-gpu" (what) at its line; those
/// of nvptx::toPtx at the kernel's `def`.
std::optional<KernelCode> generateCode(const SourceClosure &closure, const frontend::Specialisation &specialisation,
                                       const CodegenOptions &options, Diagnostics &diagnostics);

/// Finds the text of a path; null for one that is not known.
using FileFinder = std::function<SourceFilePtr(std::string_view path)>;
/// The same from a module of stage one (frontend::compile), which is used up. False after an error; `code` then has the
/// stages so far.
bool generateCode(mlir::ModuleOp module, const FileFinder &files, const CodegenOptions &options, KernelCode &code,
                  Diagnostics &diagnostics);

/// Errors as for nvptx::assemble.
Result<nvptx::Cubin> assemble(const KernelCode &code);

/// Adds an error of the target's (Error ids of compiler/Target) at the kernel's `def`.
void reportTargetError(const Error &error, const SourceSpan &definition, Diagnostics &diagnostics);
void reportTargetError(const Error &error, const FunctionObject &kernel, Diagnostics &diagnostics);

} // namespace tilescope::service
