// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile.reduce: each thread combines its own registers, lanes meet by shuffles (distances 1, 2, 4 …), and warps leave what
// they have in scratch space, from where every thread takes all of its line.
#include "compiler/Analysis/SharedAllocation.h"
#include "compiler/Conversion/TileToLLVM/Operations.h"

#include "llvm/ADT/MapVector.h"

namespace tilescope::codegen {
namespace {

using layout::Dim;
using Values = llvm::SmallVector<llvm::Value *, 2>; ///< an element of each operand

class Reduction {
public:
  Reduction(Emitter &e, tile::ReduceOp op)
      : e(e), b(e.b), m_op(op), m_type(op.operandType(0)), m_map(Emitter::mapOf(m_type)), m_axis(layout::tileDim(op.getAxis())) {}

  void emitAll() {
    combineRegisters();
    for (unsigned bit = 0; bit < m_map.inputBits(Dim::Lane); ++bit)
      if (alongAxis(m_map.basis(Dim::Lane, bit)) != 0)
        combineLanes(1u << bit);
    if (!warpBits().empty())
      combineWarps();
    define();
  }

private:
  uint64_t alongAxis(uint64_t place) const { return place >> m_map.outputShift(m_axis) & (m_map.outputSize(m_axis) - 1); }
  /// The number of an element's line among all lines: its place without the axis.
  uint64_t lineOf(uint64_t place) const {
    const unsigned shift = m_map.outputShift(m_axis), bits = m_map.outputBits(m_axis);
    return place >> (shift + bits) << shift | (place & ((uint64_t(1) << shift) - 1));
  }
  std::vector<unsigned> warpBits() const {
    std::vector<unsigned> bits;
    for (unsigned bit = 0; bit < m_map.inputBits(Dim::Warp); ++bit)
      if (alongAxis(m_map.basis(Dim::Warp, bit)) != 0)
        bits.push_back(bit);
    return bits;
  }

  Values combined(const Values &accumulated, const Values &element) {
    llvm::SmallVector<llvm::Value *, 4> arguments(accumulated.begin(), accumulated.end());
    llvm::append_range(arguments, element);
    return e.inlined(*m_op.combinerBlock(), arguments);
  }

  void combineRegisters() {
    for (uint64_t reg = 0; reg < m_map.inputSize(Dim::Register); ++reg) {
      Values element;
      for (mlir::Value operand : m_op.getOperands())
        element.push_back(e.of(operand)[reg]);
      auto [entry, isNew] = m_lines.try_emplace(lineOf(m_map.apply(reg)), element);
      if (!isNew)
        entry->second = combined(entry->second, element);
    }
  }

  void combineLanes(unsigned distance) {
    for (auto &[line, values] : m_lines) {
      Values others;
      for (llvm::Value *value : values)
        others.push_back(e.shuffleXor(value, distance));
      values = inOrder(values, others, b.CreateICmpEQ(b.CreateAnd(e.lane(), distance), b.getInt32(0)));
    }
  }
  /// Both lanes compute the same, whatever the combiner: the lower one's values come first.
  Values inOrder(const Values &own, const Values &others, llvm::Value *isLower) {
    if (m_op.singleCombiner() && m_op.singleCombiner()->hasTrait<mlir::OpTrait::IsCommutative>())
      return combined(own, others);
    Values first, second;
    for (auto [mine, other] : llvm::zip_equal(own, others)) {
      first.push_back(b.CreateSelect(isLower, mine, other));
      second.push_back(b.CreateSelect(isLower, other, mine));
    }
    return combined(first, second);
  }

  /// Scratch space of an operand: [line][warp along the axis].
  void combineWarps() {
    const std::vector<unsigned> bits = warpBits();
    const unsigned warps = 1u << bits.size();
    std::vector<uint64_t> toPart(m_map.inputBits(Dim::Warp), 0), lines;
    uint64_t copies = 0;
    for (auto [index, bit] : llvm::enumerate(bits))
      toPart[bit] = uint64_t(1) << index;
    for (unsigned bit = 0; bit < m_map.inputBits(Dim::Lane); ++bit)
      if (lineOf(m_map.basis(Dim::Lane, bit)) == 0)
        copies |= uint64_t(1) << bit;
    llvm::Value *part = e.applyBits(e.warp(), toPart);
    llvm::Value *threadLine = b.CreateXor(lineBits(Dim::Lane, e.lane()), lineBits(Dim::Warp, e.warp()));

    int64_t offset = e.scratchOf(m_op);
    llvm::SmallVector<llvm::Value *> bases;
    for (mlir::Value operand : m_op.getOperands()) {
      const auto type = llvm::cast<tile::TileType>(operand.getType());
      bases.push_back(e.sharedAddress(offset));
      offset += analysis::scratchPart(type.elementCount() / type.getShape()[m_op.getAxis()] * warps, type.getElementType());
    }
    auto address = [&](size_t operand, uint64_t line, llvm::Value *index) {
      llvm::Value *place = b.CreateXor(threadLine, b.getInt32(uint32_t(line)));
      return b.CreateGEP(memoryType(operand), bases[operand], {b.CreateAdd(b.CreateMul(place, b.getInt32(warps)), index)});
    };
    ifTrue(e.hasNone(copies, 0), [&] {
      for (auto &[line, values] : m_lines)
        for (auto [operand, value] : llvm::enumerate(values))
          b.CreateStore(e.toMemory(value), address(operand, line, part));
    });
    e.barrier();
    for (auto &[line, values] : m_lines)
      for (unsigned index = 0; index < warps; ++index) {
        Values read;
        for (size_t operand = 0; operand < values.size(); ++operand)
          read.push_back(e.fromMemory(b.CreateLoad(memoryType(operand), address(operand, line, b.getInt32(index))),
                                      elementType(operand)));
        values = index == 0 ? read : combined(values, read);
      }
  }
  llvm::Value *lineBits(Dim dim, llvm::Value *input) {
    std::vector<uint64_t> columns;
    for (unsigned bit = 0; bit < m_map.inputBits(dim); ++bit)
      columns.push_back(lineOf(m_map.basis(dim, bit)));
    return e.applyBits(input, columns);
  }
  void ifTrue(llvm::Value *condition, llvm::function_ref<void()> then) {
    auto *block = llvm::BasicBlock::Create(e.context(), "partial", b.GetInsertBlock()->getParent());
    auto *after = llvm::BasicBlock::Create(e.context(), "partials", b.GetInsertBlock()->getParent());
    b.CreateCondBr(condition, block, after);
    b.SetInsertPoint(block);
    then();
    b.CreateBr(after);
    b.SetInsertPoint(after);
  }
  mlir::Type elementType(size_t operand) { return m_op.operandType(unsigned(operand)).getElementType(); }
  llvm::Type *memoryType(size_t operand) { return e.memoryType(elementType(operand)); }

  void define() {
    for (auto [index, result] : llvm::enumerate(m_op.getResults())) {
      auto tile = llvm::dyn_cast<tile::TileType>(result.getType());
      if (!tile) {
        e.define(result, {m_lines.front().second[index]});
        continue;
      }
      const layout::LinearLayout &map = Emitter::mapOf(tile);
      Registers registers;
      for (uint64_t reg = 0; reg < map.inputSize(Dim::Register); ++reg)
        registers.push_back(m_lines.find(map.apply(reg))->second[index]);
      e.define(result, std::move(registers));
    }
  }

  Emitter &e;
  llvm::IRBuilder<> &b;
  tile::ReduceOp m_op;
  tile::TileType m_type;
  const layout::LinearLayout &m_map;
  Dim m_axis;
  llvm::MapVector<uint64_t, Values> m_lines; ///< by the line's number in the first thread
};

} // namespace

void emit(Emitter &e, tile::ReduceOp op) { Reduction(e, op).emitAll(); }

} // namespace tilescope::codegen
