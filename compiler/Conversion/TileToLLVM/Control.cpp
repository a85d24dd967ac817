// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and branches as basic blocks. What they carry goes through one phi for each register.
#include "compiler/Conversion/TileToLLVM/Operations.h"

#include "llvm/IR/MDBuilder.h"

namespace tilescope::codegen {
namespace {

using mlir::Value;
using mlir::ValueRange;
using Phis = llvm::SmallVector<llvm::PHINode *, 16>;

llvm::BasicBlock *newBlock(Emitter &e, llvm::StringRef name) {
  return llvm::BasicBlock::Create(e.context(), name, e.b.GetInsertBlock()->getParent());
}

llvm::SmallVector<llvm::Value *, 16> allRegisters(Emitter &e, ValueRange values) {
  llvm::SmallVector<llvm::Value *, 16> all;
  for (Value value : values)
    llvm::append_range(all, e.of(value));
  return all;
}

/// The values take these registers, one after the other.
void defineAll(Emitter &e, ValueRange values, llvm::ArrayRef<llvm::Value *> registers) {
  for (Value value : values) {
    const unsigned count = Emitter::registerCount(value.getType());
    e.define(value, Registers(registers.take_front(count)));
    registers = registers.drop_front(count);
  }
}

/// A phi for each register of the values, which it defines; nothing comes in yet.
Phis definePhis(Emitter &e, ValueRange values) {
  Phis phis;
  for (Value value : values)
    for (unsigned i = 0; i < Emitter::registerCount(value.getType()); ++i)
      phis.push_back(e.b.CreatePHI(e.type(tile::elementTypeOf(value.getType())), 2));
  defineAll(e, values, llvm::SmallVector<llvm::Value *, 16>(phis.begin(), phis.end()));
  return phis;
}

void comeIn(const Phis &phis, llvm::ArrayRef<llvm::Value *> registers, llvm::BasicBlock *from) {
  for (auto [phi, value] : llvm::zip_equal(phis, registers))
    phi->addIncoming(value, from);
}

/// How often the loop's body runs. Distances are unsigned, so that no bound overflows.
llvm::Value *tripCount(Emitter &e, tile::ForOp op) {
  llvm::IRBuilder<> &b = e.b;
  llvm::Value *lower = e.scalar(op.getLower()), *upper = e.scalar(op.getUpper()), *step = e.scalar(op.getStep());
  llvm::Value *zero = llvm::ConstantInt::get(step->getType(), 0), *one = llvm::ConstantInt::get(step->getType(), 1);
  const bool isSigned = tile::isSigned(op.getStep().getType());
  auto less = [&](llvm::Value *x, llvm::Value *y) { return isSigned ? b.CreateICmpSLT(x, y) : b.CreateICmpULT(x, y); };
  auto count = [&](llvm::Value *from, llvm::Value *to, llvm::Value *by) {
    llvm::Value *trips = b.CreateAdd(b.CreateUDiv(b.CreateSub(b.CreateSub(to, from), one), by), one);
    return b.CreateSelect(less(from, to), trips, zero);
  };
  llvm::Value *upwards = count(lower, upper, step);
  if (!isSigned)
    return upwards;
  llvm::Value *downwards = count(upper, lower, b.CreateNeg(step));
  return b.CreateSelect(b.CreateICmpSGT(step, zero), upwards, downwards);
}

void setUnrolling(Emitter &e, tile::ForOp op, llvm::BranchInst *back) {
  const auto factor = op.getLoopUnrollFactor();
  if (!factor || *factor == 0)
    return;
  llvm::LLVMContext &context = e.context();
  auto *name = llvm::MDString::get(context, "llvm.loop.unroll.count");
  auto *count = llvm::ConstantAsMetadata::get(e.b.getInt32(uint32_t(*factor)));
  auto self = llvm::MDNode::getTemporary(context, {});
  llvm::MDNode *loop = llvm::MDNode::getDistinct(context, {self.get(), llvm::MDNode::get(context, {name, count})});
  loop->replaceOperandWith(0, loop);
  back->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

} // namespace

void emit(Emitter &e, tile::ForOp op) {
  llvm::IRBuilder<> &b = e.b;
  llvm::Value *trips = tripCount(e, op);
  llvm::Type *integer = trips->getType();
  llvm::BasicBlock *before = b.GetInsertBlock();
  llvm::BasicBlock *head = newBlock(e, "for"), *body = newBlock(e, "for.body"), *after = newBlock(e, "for.end");
  const auto initial = allRegisters(e, op.getInitial());
  llvm::Value *lower = e.scalar(op.getLower());
  b.CreateBr(head);

  b.SetInsertPoint(head);
  llvm::PHINode *trip = b.CreatePHI(integer, 2, "trip");
  llvm::PHINode *induction = b.CreatePHI(integer, 2, "i");
  trip->addIncoming(llvm::ConstantInt::get(integer, 0), before);
  induction->addIncoming(lower, before);
  const Phis carried = definePhis(e, op.carriedArguments());
  comeIn(carried, initial, before);
  e.define(op.inductionVariable(), {induction});
  b.CreateCondBr(b.CreateICmpULT(trip, trips), body, after);

  b.SetInsertPoint(body);
  e.emitBlock(*op.getBody());
  trip->addIncoming(b.CreateAdd(trip, llvm::ConstantInt::get(integer, 1), "", true), b.GetInsertBlock());
  induction->addIncoming(b.CreateAdd(induction, e.scalar(op.getStep())), b.GetInsertBlock());
  comeIn(carried, allRegisters(e, op.terminator().getOperands()), b.GetInsertBlock());
  setUnrolling(e, op, b.CreateBr(head));

  b.SetInsertPoint(after);
  defineAll(e, op.getResults(), llvm::SmallVector<llvm::Value *, 16>(carried.begin(), carried.end()));
}

void emit(Emitter &e, tile::IfOp op) {
  llvm::IRBuilder<> &b = e.b;
  llvm::BasicBlock *then = newBlock(e, "then"), *after = nullptr, *otherwise = nullptr;
  if (op.elseBlock())
    otherwise = newBlock(e, "else");
  after = newBlock(e, "endif");
  b.CreateCondBr(e.scalar(op.getCondition()), then, otherwise ? otherwise : after);

  auto branch = [&](llvm::BasicBlock *block, mlir::Block &region) {
    b.SetInsertPoint(block);
    e.emitBlock(region);
    auto yielded = allRegisters(e, region.getTerminator()->getOperands());
    llvm::BasicBlock *end = b.GetInsertBlock();
    b.CreateBr(after);
    return std::pair(std::move(yielded), end);
  };
  const auto [thenValues, thenEnd] = branch(then, *op.thenBlock());
  if (!otherwise) {
    b.SetInsertPoint(after);
    return;
  }
  const auto [elseValues, elseEnd] = branch(otherwise, *op.elseBlock());
  b.SetInsertPoint(after);
  const Phis results = definePhis(e, op.getResults());
  comeIn(results, thenValues, thenEnd);
  comeIn(results, elseValues, elseEnd);
}

void emit(Emitter &e, tile::WhileOp op) {
  llvm::IRBuilder<> &b = e.b;
  llvm::BasicBlock *before = b.GetInsertBlock();
  llvm::BasicBlock *head = newBlock(e, "while"), *body = newBlock(e, "while.body"), *after = newBlock(e, "while.end");
  const auto initial = allRegisters(e, op.getInitial());
  b.CreateBr(head);

  b.SetInsertPoint(head);
  const Phis carried = definePhis(e, op.beforeBlock()->getArguments());
  comeIn(carried, initial, before);
  e.emitBlock(*op.beforeBlock());
  tile::ConditionOp condition = op.condition();
  const auto passed = allRegisters(e, condition.getValues());
  b.CreateCondBr(e.scalar(condition.getCondition()), body, after);

  b.SetInsertPoint(body);
  defineAll(e, op.afterBlock()->getArguments(), passed);
  e.emitBlock(*op.afterBlock());
  comeIn(carried, allRegisters(e, op.terminator().getOperands()), b.GetInsertBlock());
  b.CreateBr(head);

  b.SetInsertPoint(after);
  defineAll(e, op.getResults(), passed);
}

} // namespace tilescope::codegen
