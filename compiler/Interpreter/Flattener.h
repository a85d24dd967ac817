// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks a tile.func and calls the Assembler for each operation. The groups of operations are in Flatten*.cpp;
// what they share is here.
#pragma once

#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Interpreter/Assembler.h"
#include "compiler/Interpreter/Flatten.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

namespace tilescope::interp {

/// The element type of a scalar or tile; UInt64 for pointers.
ElementType elementTypeOf(mlir::Type type);
uint32_t elementsOf(mlir::Type type);
bool isPointer(mlir::Type type);
llvm::SmallVector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape);
AtomicKind atomicKindOf(tile::AtomicKind kind);

class Flattener {
public:
  Flattener(mlir::ModuleOp module, const SourceResolver &resolver, Diagnostics &diagnostics)
      : m_module(module), m_resolver(resolver), m_diagnostics(diagnostics), m_code("") {}

  std::shared_ptr<const Kernel> run();

private:
  enum class Outcome { Done, NotMine, Failed };

  /// All operations but the terminator; false after an error.
  bool block(mlir::Block &block);
  bool operation(mlir::Operation *op);
  bool translate(mlir::Operation *op);
  /// Each looks at operations of its group.
  Outcome elementwise(mlir::Operation *op);
  Outcome shape(mlir::Operation *op);
  Outcome memory(mlir::Operation *op);
  Outcome blocks(mlir::Operation *op);
  Outcome control(mlir::Operation *op);
  Outcome elements(mlir::Operation *op);
  Outcome shared(mlir::Operation *op);

  //===- Elementwise -------------------------------------------------------------------------------===//
  void constant(tile::ConstantOp op);
  void arithmetic(mlir::Operation *op, Op code);
  void checkDivisor(mlir::Operation *op);
  Outcome externFunction(tile::ExternOp op);
  /// False if it does not swap the halves of an axis of two (FlattenSwap.cpp).
  bool swap(tile::XorOp op);
  /// Is the reduction needed for nothing but swaps?
  static bool onlySwaps(tile::ReduceOp op);

  //===- Shape -------------------------------------------------------------------------------------===//
  Operand broadcast(tile::BroadcastOp op, const Operand &operand);
  Operand permute(tile::PermuteOp op, const Operand &operand);
  void join(tile::JoinOp op);
  void split(tile::SplitOp op);
  void cat(tile::CatOp op);
  /// Two operands put together by `copy` (the result's elements of the first, and of the second).
  void together(mlir::Operation *op, CopyDetail first, CopyDetail second);

  //===- Memory ------------------------------------------------------------------------------------===//
  AccessDetail accessDetail(mlir::Operation *op, mlir::Value pointer, AccessKind kind);
  /// Of elements of type `pointee` at computed addresses.
  AccessDetail accessDetail(mlir::Operation *op, const Operand &address, mlir::Type pointee,
                            llvm::ArrayRef<int64_t> shape, AccessKind kind);
  void load(tile::LoadOp op);
  /// What a load gives; `mask` and `other` may be null.
  Operand read(const AccessDetail &access, mlir::Value pointer, mlir::Value mask, mlir::Value other);
  void store(tile::StoreOp op);
  void atomicRmw(tile::AtomicRmwOp op);
  void atomicCas(tile::AtomicCasOp op);
  void atomicLoad(tile::AtomicLoadOp op);
  void atomicStore(tile::AtomicStoreOp op);
  bool dot(tile::DotOp op);
  void check(tile::AssertOp op);
  void print(tile::PrintOp op);

  //===- Blocks ------------------------------------------------------------------------------------===//
  struct Block;
  template <typename Op> Block blockAt(Op op, tile::TileType type, AccessKind kind, struct BlockPlace place);
  template <typename Op> Block blockOf(Op op, tile::TileType type, AccessKind kind);
  template <typename Op> Block rowsOf(Op op, tile::TileType type, AccessKind kind);
  Operand readBlock(const Block &block, tile::Padding padding);
  void writeBlock(const Block &block, mlir::Value value);
  void reduceBlock(tile::BlockReduceOp op);
  void keepDescription(const Block &block);

  //===- Control -----------------------------------------------------------------------------------===//
  /// A value that is assigned more than once: carried by a loop or the result of an if. Pointers whose tensor
  /// changes carry it along.
  struct Carried {
    Operand value;
    std::optional<Operand> tensors;
  };
  Carried carried(mlir::Value value);
  void assign(llvm::ArrayRef<Carried> targets, mlir::ValueRange sources);
  void assignInLoop(llvm::ArrayRef<Carried> targets, mlir::ValueRange sources, uint32_t begin);
  /// The kernel parameter that a pointer comes from on every path, or nothing.
  std::optional<uint32_t> rootOf(mlir::Value pointer);
  bool rootsOf(mlir::Value pointer, llvm::SmallVectorImpl<mlir::Value> &next);

  bool forLoop(tile::ForOp op);
  bool whileLoop(tile::WhileOp op);
  bool ifThenElse(tile::IfOp op);
  bool call(tile::CallOp op);
  bool reduce(tile::ReduceOp op);
  bool scan(tile::ScanOp op);
  void lookAt(Flow flow, llvm::ArrayRef<Operand> values, const AxisDetail &axis, std::vector<int64_t> shape,
              std::optional<Op> choosing = std::nullopt);
  /// The combiner's results for whole tiles of elements, `count` each; empty after an error.
  std::vector<Operand> combine(mlir::Block &combiner, llvm::ArrayRef<Operand> accumulated,
                               llvm::ArrayRef<Operand> elements, uint32_t count);

  //===- Elements ----------------------------------------------------------------------------------===//
  void gather(tile::GatherOp op);
  void histogram(tile::HistogramOp op);
  bool map(tile::MapOp op);
  bool mapAtOnce(tile::MapOp op);
  bool mapOneByOne(tile::MapOp op);
  void dotScaled(tile::DotScaledOp op);
  void inlineAssembly(tile::InlineAsmOp op);
  void noteAccesses(tile::InlineAsmOp op, PtxProgram &program);

  //===- Shared memory -----------------------------------------------------------------------------===//
  struct Shared {
    Operand memory; ///< twice `bytes`: SharedMemory.h
    uint32_t bytes = 0;
    bool seesHazards = false;                                         ///< there are barriers
    llvm::DenseMap<mlir::Operation *, uint32_t> begins;               ///< of each allocation
    std::map<std::pair<ElementType, const void *>, uint32_t> details; ///< by element and layout
  };
  const Shared &sharedMemory();
  uint32_t sharedDetail(tile::BufferType type);
  Operand claimShared(mlir::Operation *op, Handler handler);
  /// After an operation that a pass has given scratch space.
  void claimScratch(mlir::Operation *op);
  void allocateShared(tile::SharedAllocOp op);
  void toShared(Handler handler, const Operand &value, mlir::Value buffer);
  /// Of the threads: no operation, but what they did before is over.
  void barrier();
  void loadShared(tile::SharedLoadOp op);
  void pickSlot(tile::SharedSlotOp op);
  void copyAsync(tile::AsyncCopyOp op);

  //===- Steps -------------------------------------------------------------------------------------===//
  static constexpr uint32_t NoStep = ~uint32_t(0);
  uint32_t beginStep(std::string operation, bool isHidden = false) {
    return m_isOneStep ? NoStep : m_code.beginStep(std::move(operation), isHidden);
  }
  void endStep(uint32_t step) {
    if (step != NoStep)
      m_code.endStep(step);
  }
  void closeStep();
  static NotedValue valueOf(mlir::Type type, std::string name);
  bool addConjuncts(tile::AndOp op, std::vector<Conjunct> &conjuncts);
  void noteResults(mlir::Operation *op);
  void noteInduction(uint32_t step, mlir::Value induction);
  void noteParameter(mlir::Value parameter, std::string name);

  //===- What all have -----------------------------------------------------------------------------===//
  const Operand &get(mlir::Value value) const { return m_values.find(value)->second; }
  Operand full(mlir::Value value) { return m_code.full(get(value), elementsOf(value.getType())); }
  void set(mlir::Value value, Operand operand) { m_values[value] = operand; }
  Place placeOf(mlir::Location location);
  SourceSpan spanOf(mlir::Location location);
  SourceFilePtr fileOf(const std::string &path);
  bool unsupported(mlir::Operation *op);

  mlir::ModuleOp m_module;
  const SourceResolver &m_resolver;
  Diagnostics &m_diagnostics;
  Assembler m_code;
  llvm::DenseMap<mlir::Value, Operand> m_values;
  llvm::DenseMap<mlir::Value, uint32_t> m_noted; ///< indices into StepTable::values
  uint32_t m_step = NoStep;                      ///< of the operation that is translated
  bool m_isOneStep = false;                      ///< within an operation whose parts are no steps
  std::vector<SourceSpan> m_calls;               ///< the innermost first
  std::map<std::string, SourceFilePtr> m_files;
  std::optional<Shared> m_shared; ///< made when a buffer is met
};

} // namespace tilescope::interp
