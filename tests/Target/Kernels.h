// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small kernels as LLVM IR.
#pragma once

#include "compiler/Target/NVPTX/Ptx.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>

#include <gtest/gtest.h>

namespace tilescope::testing {

/// A kernel `k(x, y)` whose threads each do `body` with a float `%a` of x; its result `%r` goes to y.
inline std::string elementKernel(const std::string &body, const std::string &declarations = {}) {
  return R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
)" + declarations +
         R"(
define ptx_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr float, ptr addrspace(1) %x, i32 %t
  %to = getelementptr float, ptr addrspace(1) %y, i32 %t
  %a = load float, ptr addrspace(1) %from
)" + body +
         R"(
  store float %r, ptr addrspace(1) %to
  ret void
}
)";
}

/// The PTX of a module that is given as text, or the error.
inline Result<std::string> ptxOf(const std::string &ir, const codegen::Target &target) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(ir, problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str();
  return nvptx::toPtx(*module, target);
}

} // namespace tilescope::testing
