// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Target/NVPTX/RegisterEstimate.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

namespace tilescope::nvptx {
namespace {

using Live = llvm::DenseSet<const llvm::Value *>;

/// Words of 32 bits that a value of this type takes.
int wordsOf(const llvm::Type *type) {
  if (type->isVoidTy() || type->isIntegerTy(1) || type->isLabelTy() || type->isTokenTy() || type->isMetadataTy())
    return 0;
  if (type->isPointerTy())
    return type->getPointerAddressSpace() == 3 ? 1 : 2;
  if (const auto *aggregate = llvm::dyn_cast<llvm::StructType>(type)) {
    int words = 0;
    for (const llvm::Type *element : aggregate->elements())
      words += wordsOf(element);
    return words;
  }
  return int((type->getPrimitiveSizeInBits() + 31) / 32);
}

bool takesRegisters(const llvm::Value *value) { return llvm::isa<llvm::Instruction>(value) && wordsOf(value->getType()) > 0; }

class Liveness {
public:
  explicit Liveness(const llvm::Function &function) : m_function(function) {
    for (bool changes = true; changes;) {
      changes = false;
      for (const llvm::BasicBlock *block : llvm::post_order(&m_function)) {
        Live live = atEnd(block);
        throughBlock(block, live, [](int) {});
        Live &known = m_atBegin[block];
        changes |= live.size() != known.size(); // sets only grow
        known = std::move(live);
      }
    }
  }

  int most() {
    int most = 0;
    for (const llvm::BasicBlock &block : m_function) {
      Live live = atEnd(&block);
      throughBlock(&block, live, [&](int words) { most = std::max(most, words); });
    }
    return most;
  }

private:
  Live atEnd(const llvm::BasicBlock *block) {
    Live live;
    for (const llvm::BasicBlock *next : llvm::successors(block)) {
      live.insert(m_atBegin[next].begin(), m_atBegin[next].end());
      for (const llvm::PHINode &phi : next->phis())
        if (const llvm::Value *value = phi.getIncomingValueForBlock(block); takesRegisters(value))
          live.insert(value);
    }
    return live;
  }

  /// Backwards; `visit` gets the words that are alive in front of each instruction.
  template <typename Visit> static void throughBlock(const llvm::BasicBlock *block, Live &live, Visit visit) {
    int words = 0;
    for (const llvm::Value *value : live)
      words += wordsOf(value->getType());
    for (const llvm::Instruction &instruction : llvm::reverse(*block)) {
      if (live.erase(&instruction))
        words -= wordsOf(instruction.getType());
      if (llvm::isa<llvm::PHINode>(instruction) || llvm::isa<llvm::DbgInfoIntrinsic>(instruction))
        continue;
      for (const llvm::Value *operand : instruction.operands())
        if (takesRegisters(operand) && live.insert(operand).second)
          words += wordsOf(operand->getType());
      visit(words);
    }
  }

  const llvm::Function &m_function;
  llvm::DenseMap<const llvm::BasicBlock *, Live> m_atBegin;
};

} // namespace

int estimateRegisters(const llvm::Function &function) {
  constexpr int Least = 8; // what the assembler takes for the smallest kernels
  return std::max(Least, Liveness(function).most());
}

} // namespace tilescope::nvptx
