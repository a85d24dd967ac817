// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics, one element an instruction. Each element is handled by one thread, and its result goes to the threads that
// hold copies through scratch space. Where a scalar releases, all threads of the program have come by first.
#include "compiler/Analysis/AccessPlans.h"
#include "compiler/Conversion/TileToLLVM/Operations.h"
#include "compiler/Conversion/TileToLLVM/Words.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilescope::codegen {
namespace {

bool releases(tile::MemoryOrder order) {
  return order == tile::MemoryOrder::Release || order == tile::MemoryOrder::AcquireRelease;
}

/// One atomic of the kernel: which threads carry it out, with which predicate, and what becomes of its result.
template <typename Op> class Atomic {
public:
  Atomic(Emitter &e, Op op, mlir::Value mask)
      : e(e), b(e.b), m_op(op), m_mask(mask), m_plan(analysis::planOf(op, e.facts())),
        m_element(llvm::cast<tile::PointerType>(tile::elementTypeOf(op.getPointer().getType())).getPointee()) {
    // Loads have no replicas in their plan; here they have, so that all copies are of one read.
    m_plan.kind = model::AccessKind::Atomic;
    if (m_plan.freeLanes || m_plan.freeWarps)
      m_takesPart = e.hasNone(m_plan.freeLanes, m_plan.freeWarps);
    if (releases(op.getOrder()) && !llvm::isa<tile::TileType>(op.getPointer().getType()))
      e.barrier();
  }

  unsigned bits() const { return 8 * tile::byteSizeOf(m_element); }
  bool isSigned() const { return tile::isSigned(m_element); }
  bool isFloat() const { return tile::isFloat(m_element); }
  mlir::Type element() const { return m_element; }
  std::string scope() {
    return "." + tile::stringifyMemoryOrder(m_op.getOrder()).str() + "." + tile::stringifyMemoryScope(m_op.getScope()).str() +
           ".global";
  }

  /// Calls perform(address, predicate or null, register), which gives the bits that stood there (or null).
  template <typename Perform> void forEach(Perform perform) {
    Registers results(Emitter::registerCount(m_op.getPointer().getType()));
    for (unsigned number = 0; number < m_plan.instructions(); ++number) {
      const unsigned reg = m_plan.registerOf(number, 0);
      llvm::Value *predicate = m_takesPart;
      if (m_mask)
        predicate = predicate ? b.CreateAnd(e.of(m_mask)[reg], predicate) : e.of(m_mask)[reg];
      results[reg] = perform(e.of(m_op.getPointer())[reg], predicate, reg);
    }
    if (m_op->getNumResults() == 0 || m_op->use_empty())
      return defineUnused();
    if (m_takesPart)
      share(results);
    for (auto [number, value] : llvm::enumerate(results)) {
      if (!value)
        value = results[m_plan.sourceRegister(unsigned(number))];
    }
    for (llvm::Value *&value : results)
      value = e.fromInteger(value, e.type(m_element));
    e.define(m_op->getResult(0), std::move(results));
  }

  /// `operation` of the element's bits with these operands; the result is 0 where the predicate is off.
  llvm::Value *instruction(const std::string &operation, llvm::Value *address, llvm::Value *predicate,
                           llvm::ArrayRef<llvm::Value *> values) {
    const char letter = bits() == 64 ? 'l' : bits() == 32 ? 'r' : 'h';
    std::string constraints = std::string("=") + letter + ",l", text = operation + " $0, [$1]";
    llvm::SmallVector<llvm::Value *> operands{address};
    unsigned number = 2;
    for (llvm::Value *value : values) {
      text += ", $" + std::to_string(number++);
      constraints += std::string(",") + letter;
      operands.push_back(e.asInteger(value));
    }
    text += ";";
    if (predicate) {
      text = "@$" + std::to_string(number) + " " + text;
      constraints += ",b,0";
      operands.push_back(predicate);
      operands.push_back(b.getIntN(bits(), 0));
    }
    return e.assembly(text, constraints, b.getIntNTy(bits()), operands);
  }

private:
  void defineUnused() {
    if (m_op->getNumResults() == 0)
      return;
    mlir::Value result = m_op->getResult(0);
    e.define(result, Registers(Emitter::registerCount(result.getType()), llvm::Constant::getNullValue(e.type(m_element))));
  }

  /// From the thread that did it to all that hold the element.
  void share(Registers &results) {
    llvm::Value *scratch = e.sharedAddress(e.scratchOf(m_op));
    llvm::SmallVector<llvm::Value *> numbers{b.getInt32(0)};
    if (auto tile = llvm::dyn_cast<tile::TileType>(m_op.getPointer().getType()))
      numbers = e.applyAll(Emitter::mapOf(tile));
    llvm::Type *type = b.getIntNTy(bits());
    auto *write = llvm::BasicBlock::Create(e.context(), "share", b.GetInsertBlock()->getParent());
    auto *after = llvm::BasicBlock::Create(e.context(), "shared", b.GetInsertBlock()->getParent());
    b.CreateCondBr(m_takesPart, write, after);
    b.SetInsertPoint(write);
    for (auto [number, value] : llvm::zip_equal(numbers, results))
      if (value)
        b.CreateStore(value, b.CreateGEP(type, scratch, {number}));
    b.CreateBr(after);
    b.SetInsertPoint(after);
    e.barrier();
    for (auto [number, value] : llvm::zip_equal(numbers, results))
      value = b.CreateLoad(type, b.CreateGEP(type, scratch, {number}));
  }

  Emitter &e;
  llvm::IRBuilder<> &b;
  Op m_op;
  mlir::Value m_mask;
  model::AccessPlan m_plan;
  mlir::Type m_element;
  llvm::Value *m_takesPart = nullptr;
};

/// PTX's name of an operation with its type: ".add.f32"; empty where there is none.
std::string operationOf(tile::AtomicKind kind, mlir::Type element, const Target &target) {
  const unsigned bits = 8 * tile::byteSizeOf(element);
  const std::string size = std::to_string(bits);
  const std::string sign = tile::isSigned(element) ? ".s" : ".u";
  switch (kind) {
  case tile::AtomicKind::Add:
    if (element.isF16())
      return ".add.noftz.f16";
    if (element.isBF16())
      return target.atLeast(90) ? ".add.noftz.bf16" : "";
    if (tile::isFloat(element))
      return ".add.f" + size;
    return bits < 32 ? "" : ".add.u" + size;
  case tile::AtomicKind::Max:
  case tile::AtomicKind::Min:
    return bits < 32 || tile::isFloat(element) ? ""
                                               : (kind == tile::AtomicKind::Max ? ".max" : ".min") + sign + size;
  case tile::AtomicKind::And:
  case tile::AtomicKind::Or:
  case tile::AtomicKind::Xor:
    return bits < 32 ? "" : "." + tile::stringifyAtomicKind(kind).str() + ".b" + size;
  case tile::AtomicKind::Exchange:
    return bits < 32 ? "" : ".exch.b" + size;
  }
  return "";
}

} // namespace

void emit(Emitter &e, tile::AtomicRmwOp op) {
  Atomic<tile::AtomicRmwOp> atomic(e, op, op.getMask());
  llvm::IRBuilder<> &b = e.b;
  const tile::AtomicKind kind = op.getKind();
  const bool isExtremum = kind == tile::AtomicKind::Max || kind == tile::AtomicKind::Min;
  if (isExtremum && atomic.isFloat() && atomic.bits() >= 32) {
    // Floats at or above 0 are ordered as signed integers, those below in the opposite order of unsigned ones.
    const std::string size = std::to_string(atomic.bits()), base = "atom" + atomic.scope();
    const bool isMax = kind == tile::AtomicKind::Max;
    atomic.forEach([&](llvm::Value *address, llvm::Value *predicate, unsigned reg) {
      llvm::Value *value = e.asInteger(e.of(op.getValue())[reg]);
      llvm::Value *isBelow = b.CreateICmpSLT(value, b.getIntN(atomic.bits(), 0)), *isAbove = b.CreateNot(isBelow);
      if (predicate) {
        isBelow = b.CreateAnd(predicate, isBelow);
        isAbove = b.CreateAnd(predicate, isAbove);
      }
      llvm::Value *above = atomic.instruction(base + (isMax ? ".max.s" : ".min.s") + size, address, isAbove, {value});
      llvm::Value *below = atomic.instruction(base + (isMax ? ".min.u" : ".max.u") + size, address, isBelow, {value});
      return b.CreateSelect(isAbove, above, below);
    });
    return;
  }
  const std::string operation = operationOf(kind, atomic.element(), e.target());
  if (operation.empty())
    return e.unsupported(op, tile::stringifyAtomicKind(kind).str() + " of " + std::to_string(atomic.bits()) + " bits");
  atomic.forEach([&](llvm::Value *address, llvm::Value *predicate, unsigned reg) {
    return atomic.instruction("atom" + atomic.scope() + operation, address, predicate, {e.of(op.getValue())[reg]});
  });
}

void emit(Emitter &e, tile::AtomicCasOp op) {
  Atomic<tile::AtomicCasOp> atomic(e, op, {});
  if (atomic.bits() < 16)
    return e.unsupported(op, "8 bits");
  const std::string operation = "atom" + atomic.scope() + ".cas.b" + std::to_string(atomic.bits());
  atomic.forEach([&](llvm::Value *address, llvm::Value *predicate, unsigned reg) {
    return atomic.instruction(operation, address, predicate, {e.of(op.getCompare())[reg], e.of(op.getValue())[reg]});
  });
}

void emit(Emitter &e, tile::AtomicLoadOp op) {
  Atomic<tile::AtomicLoadOp> atomic(e, op, op.getMask());
  if (atomic.bits() < 16)
    return e.unsupported(op, "8 bits");
  const std::string operation = "ld" + atomic.scope() + ".b" + std::to_string(atomic.bits());
  atomic.forEach([&](llvm::Value *address, llvm::Value *predicate, unsigned) {
    return atomic.instruction(operation, address, predicate, {});
  });
}

void emit(Emitter &e, tile::AtomicStoreOp op) {
  Atomic<tile::AtomicStoreOp> atomic(e, op, op.getMask());
  if (atomic.bits() < 16)
    return e.unsupported(op, "8 bits");
  const WordShape shape{atomic.bits() / 8, 1};
  atomic.forEach([&](llvm::Value *address, llvm::Value *predicate, unsigned reg) -> llvm::Value * {
    storeWords(e, "st" + atomic.scope() + shape.suffix(), shape, address, predicate, {e.of(op.getValue())[reg]});
    return nullptr;
  });
}

} // namespace tilescope::codegen
