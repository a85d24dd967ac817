// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile IR as text, translated to LLVM IR and on to PTX.
#pragma once

#include "compiler/Conversion/TileToLLVM/TileToLLVM.h"
#include "compiler/Layout/LinearLayout.h"

#include <llvm/IR/LLVMContext.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/OwningOpRef.h>

#include <string>

namespace tilescope::codegen::test {

/// The first kernel of a module. A failure is a failure of the test.
class Translated {
public:
  Translated(const std::string &text, const Target &target);
  Translated(mlir::ModuleOp module, const Target &target);

  bool isDone() const { return m_module != nullptr; }
  /// Names of operations that have no translation.
  const std::vector<std::string> &unsupported() const { return m_unsupported; }
  const llvm::Function &kernel() const;
  /// After LLVM's code generation for the target.
  std::string ptx();
  /// What ptxas says of the PTX: empty if it assembles, or there is no ptxas.
  std::string assemble();

private:
  void translate(mlir::ModuleOp module);

  Target m_target;
  llvm::LLVMContext m_context;
  std::unique_ptr<llvm::Module> m_module;
  std::vector<std::string> m_unsupported;
};

/// `#tile.layout<64x32, {…}>`
std::string attribute(const layout::LinearLayout &map);
/// `64x32xf16, #tile.layout<…>`: what stands in a type's brackets.
std::string typeText(const layout::LinearLayout &map, const std::string &element);
/// Row-major, as a test writes and reads a buffer.
layout::LinearLayout rowMajor(const layout::LinearLayout &like);

} // namespace tilescope::codegen::test
