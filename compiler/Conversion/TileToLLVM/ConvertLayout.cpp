// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same tile, held by other threads, as layout::convert plans it. The maps of the plan are linear, so what a lane sends
// or fills in a round is a register that the round says, and a part that only the lane says: registers are exchanged by the
// lane's part at once, before the rounds or behind them.
#include "compiler/Conversion/TileToLLVM/Operations.h"
#include "compiler/Conversion/TileToLLVM/SharedTile.h"
#include "compiler/Layout/Conversion.h"

#include "llvm/ADT/bit.h"

namespace tilescope::codegen {
namespace {

using layout::Dim;
using layout::LinearLayout;

/// Register i becomes register i ^ (what lane and warp add to `map`, whose output is a register), bit by bit.
Registers exchanged(Emitter &e, Registers values, const LinearLayout &map) {
  const LinearLayout ofLane = map.withoutInputBits(Dim::Register, map.inputSize(Dim::Register) - 1);
  uint64_t reach = 0;
  for (uint64_t column : ofLane.columns())
    reach |= column;
  if (reach == 0)
    return values;
  llvm::Value *skew = e.apply(ofLane, 0);
  for (; reach != 0; reach &= reach - 1) {
    const uint64_t bit = reach & -reach;
    llvm::Value *isSet = e.b.CreateICmpNE(e.b.CreateAnd(skew, bit), e.b.getInt32(0));
    Registers next;
    for (uint64_t i = 0; i < values.size(); ++i)
      next.push_back(e.b.CreateSelect(isSet, values[i ^ bit], values[i]));
    values = std::move(next);
  }
  return values;
}

Registers withinThread(Emitter &e, llvm::ArrayRef<llvm::Value *> operand, const LinearLayout &sources) {
  const Dim all[] = {Dim::Register, Dim::Lane, Dim::Warp}, reg[] = {Dim::Register};
  const LinearLayout map = sources.sublayout(all, reg);
  const Registers own = exchanged(e, Registers(operand), map);
  Registers result;
  for (uint64_t number = 0; number < map.inputSize(Dim::Register); ++number)
    result.push_back(own[map.apply(number)]);
  return result;
}

/// The registers that make each word, in the numbering without the packed bits.
std::vector<llvm::SmallVector<unsigned, 4>> wordRegisters(unsigned registers, llvm::ArrayRef<unsigned> packed) {
  unsigned inWord = 0;
  for (unsigned bit : packed)
    inWord |= 1u << bit;
  std::vector<llvm::SmallVector<unsigned, 4>> words;
  for (unsigned first = 0; first < registers; ++first) {
    if (first & inWord)
      continue;
    words.push_back({first});
    for (unsigned bit : packed)
      for (size_t i = 0, known = words.back().size(); i < known; ++i)
        words.back().push_back(words.back()[i] | 1u << bit);
  }
  return words;
}

/// The exchange in rounds. "Registers" are words of several elements here.
class ShuffleRounds {
public:
  ShuffleRounds(Emitter &e, const layout::Shuffles &plan) : m_e(e), m_plan(plan) {}

  Registers run(Registers words) {
    const unsigned turnBits = unsigned(llvm::popcount(m_plan.turns)), perTurn = m_plan.rounds >> turnBits;
    words = exchanged(m_e, std::move(words), m_plan.send);
    Registers filled(perTurn);
    for (unsigned round = 0; round < m_plan.rounds; ++round) {
      llvm::Value *word = read(words[m_plan.send.apply(round)], round);
      llvm::Value *&place = filled[m_plan.fill.apply(round)];
      place = place ? m_e.b.CreateSelect(isTurnOf(round / perTurn), word, place) : word;
    }
    return exchanged(m_e, std::move(filled), m_plan.fill);
  }

private:
  llvm::Value *read(llvm::Value *word, unsigned round) {
    return isLocal(round) ? word : m_e.shuffle(word, m_e.apply(m_plan.from, round));
  }

  /// The bits of lanes that the last bits of the round stand for.
  uint64_t turnLanes(uint64_t turn) const {
    uint64_t lanes = 0;
    for (uint64_t rest = m_plan.turns; rest != 0; rest &= rest - 1, turn >>= 1)
      lanes |= (turn & 1) * (rest & -rest);
    return lanes;
  }
  llvm::Value *isTurnOf(uint64_t turn) {
    return m_e.b.CreateICmpEQ(m_e.b.CreateAnd(m_e.lane(), m_plan.turns), m_e.b.getInt32(uint32_t(turnLanes(turn))));
  }
  /// Whether those who fill a register in this round read from themselves.
  bool isLocal(unsigned round) const {
    const unsigned turnBits = unsigned(llvm::popcount(m_plan.turns)), perTurn = m_plan.rounds >> turnBits;
    return m_plan.localRounds > 0 && m_plan.from.apply(round) == turnLanes(round / perTurn);
  }

  Emitter &m_e;
  const layout::Shuffles &m_plan;
};

Registers withinWarp(Emitter &e, llvm::ArrayRef<llvm::Value *> operand, mlir::Type element, const layout::Conversion &plan) {
  const layout::Shuffles &shuffles = *plan.shuffles;
  llvm::SmallVector<unsigned> fromBits, toBits;
  for (layout::PackedBit bit : shuffles.packed) {
    fromBits.push_back(bit.operand);
    toBits.push_back(bit.result);
  }
  Registers words;
  for (llvm::ArrayRef<unsigned> numbers : wordRegisters(unsigned(operand.size()), fromBits)) {
    Registers elements;
    for (unsigned number : numbers)
      elements.push_back(e.toMemory(operand[number]));
    words.push_back(packBits(e, elements));
  }
  words = ShuffleRounds(e, shuffles).run(std::move(words));
  const auto registers = unsigned(plan.sources.inputSize(Dim::Register));
  Registers result(registers);
  for (auto [word, numbers] : llvm::zip_equal(words, wordRegisters(registers, toBits)))
    for (auto [number, value] :
         llvm::zip_equal(numbers, unpackBits(e, word, unsigned(numbers.size()), e.memoryType(element))))
      result[number] = e.fromMemory(value, element);
  return result;
}

Registers acrossWarps(Emitter &e, tile::ConvertLayoutOp op, const LinearLayout &shared) {
  llvm::Value *scratch = e.sharedAddress(e.scratchOf(op));
  storeShared(e, e.of(op.getOperand()), Emitter::mapOf(op.getOperand().getType()), shared, scratch);
  e.barrier();
  return loadShared(e, tile::elementTypeOf(op.getType()), Emitter::mapOf(op.getType()), shared, scratch);
}

} // namespace

void emit(Emitter &e, tile::ConvertLayoutOp op) {
  const mlir::Type element = tile::elementTypeOf(op.getType());
  const llvm::ArrayRef<llvm::Value *> operand = e.of(op.getOperand());
  const layout::Conversion plan =
      layout::convert(Emitter::mapOf(op.getOperand().getType()), Emitter::mapOf(op.getType()), 8 * tile::byteSizeOf(element));
  switch (plan.movement) {
  case layout::Movement::None:
    return e.define(op, Registers(operand));
  case layout::Movement::WithinThread:
    return e.define(op, withinThread(e, operand, plan.sources));
  case layout::Movement::WithinWarp:
    return e.define(op, withinWarp(e, operand, element, plan));
  case layout::Movement::AcrossWarps:
    return e.define(op, acrossWarps(e, op, plan.exchange->shared));
  }
}

} // namespace tilescope::codegen
