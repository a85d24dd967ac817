// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of global memory: one predicated PTX instruction for each instruction of the access plan. They are
// inline assembly, so that nothing after this merges, splits or drops what the plan counts.
#include "compiler/Analysis/AccessPlans.h"
#include "compiler/Conversion/TileToLLVM/Operations.h"
#include "compiler/Conversion/TileToLLVM/Words.h"

namespace tilescope::codegen {
namespace {

/// What of an access its text says: `.cg`, `.L1::evict_first`. PTX takes a cache operator or a priority, not both.
std::string modifiers(tile::Cache cache, tile::Eviction eviction) {
  if (cache != tile::Cache::None)
    return "." + tile::stringifyCache(cache).str();
  if (eviction == tile::Eviction::Normal)
    return "";
  return eviction == tile::Eviction::First ? ".L1::evict_first" : ".L1::evict_last";
}

/// The parts of an instruction of `plan` in this kernel.
class Instruction {
public:
  Instruction(const model::AccessPlan &plan, unsigned number) : m_plan(plan), m_number(number) {}

  unsigned registerOf(unsigned element) const { return m_plan.registerOf(m_number, element); }
  unsigned first() const { return registerOf(0); }
  /// Its elements of a tile of that many registers.
  llvm::SmallVector<llvm::Value *> elements(llvm::ArrayRef<llvm::Value *> registers) const {
    llvm::SmallVector<llvm::Value *> result;
    for (unsigned element = 0; element < m_plan.vectorElements(); ++element)
      result.push_back(registers[registerOf(element)]);
    return result;
  }

private:
  const model::AccessPlan &m_plan;
  unsigned m_number;
};

} // namespace

void emit(Emitter &e, tile::LoadOp op) {
  const model::AccessPlan plan = analysis::planOf(op, e.facts());
  const mlir::Type element = tile::elementTypeOf(op.getType());
  const WordShape words = wordsOf(plan.widthBytes(), plan.elementBytes);
  llvm::Type *type = e.memoryType(element);
  const std::string operation =
      "ld" + std::string(op.getIsVolatile() ? ".volatile" : "") + ".global" +
      (op.getIsVolatile() ? "" : modifiers(op.getCache(), op.getEviction())) + words.suffix();
  Registers result(Emitter::registerCount(op.getType()));
  for (unsigned number = 0; number < plan.instructions(); ++number) {
    const Instruction instruction(plan, number);
    // What is read where the mask is off: `other`, or zeros, which nobody should look at.
    llvm::SmallVector<llvm::Value *> initial(plan.vectorElements(), llvm::Constant::getNullValue(type));
    if (op.getOther())
      for (auto [slot, other] : llvm::zip_equal(initial, instruction.elements(e.of(op.getOther()))))
        slot = e.toMemory(other);
    llvm::Value *mask = op.getMask() ? e.of(op.getMask())[instruction.first()] : nullptr;
    const auto loaded = loadWords(e, operation, words, e.of(op.getPointer())[instruction.first()], mask, initial, type);
    for (auto [index, value] : llvm::enumerate(loaded))
      result[instruction.registerOf(unsigned(index))] = e.fromMemory(value, element);
  }
  for (auto [number, value] : llvm::enumerate(result))
    if (!value)
      value = result[plan.sourceRegister(unsigned(number))];
  e.define(op, std::move(result));
}

void emit(Emitter &e, tile::StoreOp op) {
  const model::AccessPlan plan = analysis::planOf(op, e.facts());
  const WordShape words = wordsOf(plan.widthBytes(), plan.elementBytes);
  const std::string operation = "st.global" + modifiers(op.getCache(), op.getEviction()) + words.suffix();
  llvm::Value *takesPart = plan.freeLanes || plan.freeWarps ? e.hasNone(plan.freeLanes, plan.freeWarps) : nullptr;
  for (unsigned number = 0; number < plan.instructions(); ++number) {
    const Instruction instruction(plan, number);
    llvm::Value *predicate = takesPart;
    if (op.getMask()) {
      llvm::Value *mask = e.of(op.getMask())[instruction.first()];
      predicate = predicate ? e.b.CreateAnd(mask, predicate) : mask;
    }
    llvm::SmallVector<llvm::Value *> values = instruction.elements(e.of(op.getValue()));
    for (llvm::Value *&value : values)
      value = e.toMemory(value);
    storeWords(e, operation, words, e.of(op.getPointer())[instruction.first()], predicate, values);
  }
}

} // namespace tilescope::codegen
