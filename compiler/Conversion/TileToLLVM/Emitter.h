// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all parts of the translation share: a builder, the registers of each tile, and the thread's place in the program.
// A tile is held as its layout says: by each thread, one LLVM value for each register of the layout, in their order. The
// translation of an operation is a function `emit(Emitter &, tile::SomeOp)` in the file of its kind (Operations.h).
#pragma once

#include "compiler/Analysis/AxisInfo.h"
#include "compiler/Conversion/TileToLLVM/TileToLLVM.h"
#include "compiler/Layout/LinearLayout.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

namespace tilescope::codegen {

/// A thread's part of a tile, register by register; of a scalar one value.
using Registers = llvm::SmallVector<llvm::Value *, 8>;

/// Where in shared memory a buffer begins; `ptr addrspace(3)`.
constexpr unsigned kGlobal = 1, kShared = 3;

class Emitter {
public:
  Emitter(tile::FuncOp kernel, const Target &target, llvm::Module &module, std::vector<Unsupported> &unsupported);
  /// The whole kernel.
  void run();

  llvm::IRBuilder<> b; ///< where code goes

  llvm::LLVMContext &context() { return b.getContext(); }
  llvm::Module &module() { return m_module; }
  const Target &target() const { return m_target; }
  tile::FuncOp kernel() const { return m_kernel; }
  const analysis::AxisInfoAnalysis &facts() const { return m_facts; }
  unsigned warps() const { return m_warps; }

  //===- Values -----------------------------------------------------------------------------------===//

  /// The registers of a value, which has been emitted before.
  llvm::ArrayRef<llvm::Value *> of(mlir::Value value) const;
  /// The one register of a scalar, or of a buffer (its first byte, `ptr addrspace(3)`).
  llvm::Value *scalar(mlir::Value value) const { return of(value).front(); }
  void define(mlir::Value value, Registers registers);
  /// Emits the operations of a block (of a combiner, say) with these arguments, and gives what its terminator yields: one
  /// value each, all scalars. May be done as often as wanted.
  llvm::SmallVector<llvm::Value *, 2> inlined(mlir::Block &block, llvm::ArrayRef<llvm::Value *> arguments);
  void emitBlock(mlir::Block &block); ///< all operations but the terminator

  //===- Types ------------------------------------------------------------------------------------===//

  /// Of an element in a register: i1, i8 … i64, half, bfloat, float, double, i8 for floats of 8 bits, `ptr addrspace(1)`.
  llvm::Type *type(mlir::Type element) const;
  /// Of an element in memory: as above, but i8 for i1.
  llvm::Type *memoryType(mlir::Type element) const;
  /// How many registers a value of that type has.
  static unsigned registerCount(mlir::Type type);
  static const layout::LinearLayout &mapOf(mlir::Type tile);
  llvm::Value *toMemory(llvm::Value *value);                        ///< i1 becomes i8
  llvm::Value *fromMemory(llvm::Value *value, mlir::Type element); ///< i8 becomes i1: not zero

  //===- The thread's place -----------------------------------------------------------------------===//

  llvm::Value *thread(); ///< i32, in the program
  llvm::Value *lane();   ///< i32, 0 … 31
  llvm::Value *warp();   ///< i32
  /// i1: the thread's lane and warp have none of these bits set.
  llvm::Value *hasNone(uint64_t laneBits, uint64_t warpBits);
  llvm::Value *isFirstThread() { return b.CreateICmpEQ(thread(), b.getInt32(0)); }

  //===- Linear maps ------------------------------------------------------------------------------===//

  /// The packed output (i32) of a map for input `reg` in its first dimension that is neither lane nor warp (register, or a
  /// round), and this thread's lane and warp.
  llvm::Value *apply(const layout::LinearLayout &map, uint64_t reg);
  /// The same for each register, sharing the part that lane and warp make. Only output `dim`, if given.
  llvm::SmallVector<llvm::Value *> applyAll(const layout::LinearLayout &map, std::optional<layout::Dim> dim = {});
  /// The exclusive sum of `columns[i]` over the bits i of `input` (i32) that are set.
  llvm::Value *applyBits(llvm::Value *input, llvm::ArrayRef<uint64_t> columns);

  //===- Instructions -----------------------------------------------------------------------------===//

  void barrier(); ///< bar.sync of the whole program
  llvm::Value *shuffle(llvm::Value *value, llvm::Value *fromLane);       ///< shfl.sync.idx, of any element type
  llvm::Value *shuffleXor(llvm::Value *value, unsigned laneMask);        ///< shfl.sync.bfly
  llvm::Value *sharedAddress(llvm::Value *byteOffset);                   ///< from the start of shared memory
  llvm::Value *sharedAddress(int64_t byteOffset) { return sharedAddress(b.getInt32(uint32_t(byteOffset))); }
  /// `scratch` of an operation: where its space begins, by its attribute `shared_offset`.
  int64_t scratchOf(mlir::Operation *op) const;
  /// Inline PTX: always at its place, whether its results are used or not.
  llvm::Value *assembly(llvm::StringRef text, llvm::StringRef constraints, llvm::Type *result,
                        llvm::ArrayRef<llvm::Value *> operands, bool hasSideEffects = true);
  /// Parts of 32 bits (or one narrower) that hold a value, and back: `bits` of the whole are those of `type`.
  llvm::Value *asInteger(llvm::Value *value);                       ///< the same bits, as an integer
  llvm::Value *fromInteger(llvm::Value *integer, llvm::Type *type); ///< the same bits, as `type`
  /// A call of a function of libdevice.
  llvm::Value *callLibdevice(llvm::StringRef name, llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments);

  void unsupported(mlir::Operation *op, std::string what = {});

private:
  void emitOperation(mlir::Operation &op);

  tile::FuncOp m_kernel;
  const Target &m_target;
  llvm::Module &m_module;
  std::vector<Unsupported> &m_unsupported;
  analysis::AxisInfoAnalysis m_facts;
  unsigned m_warps;
  llvm::DenseMap<mlir::Value, Registers> m_values;
  llvm::Function *m_function = nullptr;
  llvm::Value *m_thread = nullptr, *m_lane = nullptr, *m_warp = nullptr;
  llvm::GlobalVariable *m_shared = nullptr;
};

} // namespace tilescope::codegen
