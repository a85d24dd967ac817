// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs straight-line LLVM IR of a kernel for all threads of one program at once, an instruction at a time. Arithmetic is
// LLVM's own constant folding; what threads do together (shuffles, mma.sync, ldmatrix) is computed here as the PTX ISA
// says it, knowing nothing of layouts.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace tilescope::codegen::test {

class Simt {
public:
  /// `shared` is what stands in shared memory at first, `global` at address 0 of global memory.
  Simt(const llvm::Function &kernel, unsigned threads, std::vector<uint8_t> shared, std::vector<uint8_t> global = {});
  /// Parameters one after the other: numbers and addresses.
  void run(llvm::ArrayRef<uint64_t> arguments = {});

  const std::vector<uint8_t> &shared() const { return m_shared; }
  const std::vector<uint8_t> &global() const { return m_global; }
  /// How often instructions whose text begins so were run by each thread ("mma.sync", or an intrinsic's name).
  unsigned count(llvm::StringRef text) const;
  /// All that were counted, in their order.
  const std::vector<std::string> &done() const { return m_done; }

private:
  using PerThread = std::vector<llvm::Constant *>;

  void step(const llvm::Instruction &instruction);
  PerThread operandOf(const llvm::Value *value) const;
  PerThread call(const llvm::CallInst &call);
  PerThread assembly(const llvm::CallInst &call, llvm::StringRef text);
  PerThread shuffle(const llvm::CallInst &call, bool isExclusiveOr);
  PerThread ballot(const llvm::CallInst &call);
  PerThread multiply(const llvm::CallInst &call, llvm::StringRef text);
  PerThread loadMatrix(const llvm::CallInst &call, llvm::StringRef text);
  void copy(const llvm::CallInst &call, llvm::StringRef text);
  llvm::Constant *load(llvm::Constant *address, llvm::Type *type);
  void store(llvm::Constant *address, llvm::Constant *value);
  llvm::Constant *add(llvm::Constant *address, llvm::Constant *value);
  /// The bytes from an address on.
  uint8_t *at(llvm::Constant *address, unsigned bytes);

  const llvm::Function &m_kernel;
  const llvm::DataLayout &m_layout;
  unsigned m_threads;
  std::vector<uint8_t> m_shared, m_global;
  llvm::DenseMap<const llvm::Value *, PerThread> m_values;
  std::vector<std::string> m_done;
};

} // namespace tilescope::codegen::test
