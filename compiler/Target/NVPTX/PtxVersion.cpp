// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Target/NVPTX/PtxVersion.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

namespace tilescope::nvptx {
namespace {

struct Since {
  llvm::StringLiteral part; ///< of an instruction's name, or of an intrinsic's
  unsigned version;
};

constexpr Since instructions[] = {
    // Products and their operands
    {"m8n8k4", 64},
    {"m16n8k8", 65},
    {"m8n8k16", 65},
    {"ldmatrix", 65},
    {"m16n8k16", 70},
    {"m16n8k32", 70},
    {"m16n8k4", 70},
    {"stmatrix", 78},
    {"wgmma", 80},
    {"tcgen05", 86},
    // Copies and what waits for them
    {"cp.async", 70},
    {"mbarrier", 70},
    {"cp.async.bulk", 80},
    {"fence.proxy", 80},
    {"elect.sync", 80},
    {"setmaxnreg", 80},
    {"barrier.cluster", 78},
    {"griddepcontrol", 78},
    // Accesses
    {"nanosleep", 63},
    {"evict_", 74},
    {"cache_hint", 74},
    {"createpolicy", 74},
    {"global.v8", 88},
    {"add.noftz.bf16", 78},
    // Arithmetic
    {"redux.sync", 70},
    {"tanh.approx", 70},
    {"ex2.approx.f16", 70},
    {"ex2.approx.ftz.bf16", 78},
    {".tf32", 70},
    {"min.NaN", 70},
    {"max.NaN", 70},
    {"fma.rn.bf16", 70},
    {"add.rn.bf16", 78},
    {"sub.rn.bf16", 78},
    {"mul.rn.bf16", 78},
    {"cvt.rn.bf16", 70},
    {"cvt.rn.satfinite.e4m3x2", 78},
    {"cvt.rn.satfinite.e5m2x2", 78},
    {"e4m3x2", 78},
    {"e5m2x2", 78},
    {"e2m1x2", 86},
};

unsigned versionOf(llvm::StringRef text) {
  unsigned version = 0;
  for (const Since &since : instructions)
    if (text.contains(since.part))
      version = std::max(version, since.version);
  // Products of 8-bit floats came later than their conversions, and the conversions to the RTX 40 later than to the H100.
  if (text.contains("mma") && (text.contains("e4m3") || text.contains("e5m2")))
    version = std::max(version, 84u);
  return version;
}

} // namespace

unsigned ptxVersionOf(const codegen::Target &target) {
  switch (target.capability) {
  case 75:
    return 63;
  case 80:
    return 70;
  case 86:
    return 71;
  case 87:
    return 74;
  case 89:
    return 78;
  case 90:
    return target.isArchSpecific ? 80 : 78;
  case 100:
    return 86;
  case 120:
    return 87;
  default: // 103, 121
    return target.capability > 100 ? 88 : 63;
  }
}

unsigned ptxVersionFor(const llvm::Module &module, const codegen::Target &target) {
  unsigned version = ptxVersionOf(target);
  llvm::StringSet<> seen;
  auto add = [&](llvm::StringRef text) {
    if (!seen.insert(text).second)
      return;
    version = std::max(version, versionOf(text));
    if (target.capability == 89 && (text.contains("e4m3x2") || text.contains("e5m2x2")))
      version = std::max(version, 81u);
  };
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call)
        continue;
      if (const auto *text = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()))
        add(text->getAsmString());
      else if (const llvm::Function *callee = call->getCalledFunction(); callee && callee->isIntrinsic())
        add(callee->getName());
    }
  return version;
}

} // namespace tilescope::nvptx
