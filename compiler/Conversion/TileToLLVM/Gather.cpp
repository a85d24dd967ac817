// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile.gather: out of the warp's own registers where layout::warpGather finds all elements there, else out of scratch space,
// where the source stands row-major. An index outside of the axis gives 0, as the interpreter has it.
#include "compiler/Conversion/TileToLLVM/Operations.h"
#include "compiler/Conversion/TileToLLVM/SharedTile.h"
#include "compiler/Layout/Constructors.h"
#include "compiler/Layout/Gather.h"

namespace tilescope::codegen {
namespace {

using layout::Dim;

class Gather {
public:
  Gather(Emitter &e, tile::GatherOp op)
      : e(e), b(e.b), m_op(op), m_source(Emitter::mapOf(op.getSource().getType())), m_result(Emitter::mapOf(op.getType())),
        m_element(op.getType().getElementType()), m_length(m_source.outputSize(layout::tileDim(op.getAxis()))) {}

  void emitAll() {
    const auto gather = layout::warpGather(m_source, m_result, m_op.getAxis());
    const Registers found = gather ? fromWarp(*gather) : fromScratch();
    Registers result;
    for (auto [value, index] : llvm::zip_equal(found, e.of(m_op.getIndices())))
      result.push_back(b.CreateSelect(isInside(index), value, llvm::Constant::getNullValue(value->getType())));
    e.define(m_op, std::move(result));
  }

private:
  /// As 32 bits; what is outside of the axis is any number.
  llvm::Value *plain(llvm::Value *index) {
    return isSigned() ? b.CreateSExtOrTrunc(index, b.getInt32Ty()) : b.CreateZExtOrTrunc(index, b.getInt32Ty());
  }
  llvm::Value *isInside(llvm::Value *index) {
    if (index->getType()->getIntegerBitWidth() < 32)
      index = plain(index);
    return b.CreateICmpULT(index, llvm::ConstantInt::get(index->getType(), m_length));
  }
  bool isSigned() { return tile::isSigned(m_op.getIndices().getType().getElementType()); }

  Registers fromWarp(const layout::WarpGather &gather) {
    const auto registers = e.applyAll(gather.first, Dim::Register), lanes = e.applyAll(gather.first, Dim::Lane);
    const std::vector<uint64_t> toRegister = columnsTo(gather, Dim::Register), toLane = columnsTo(gather, Dim::Lane);
    Registers result;
    for (auto [reg, index] : llvm::enumerate(e.of(m_op.getIndices()))) {
      llvm::Value *number = plain(index);
      llvm::Value *lane = gather.isWithinThread ? nullptr : b.CreateXor(lanes[reg], e.applyBits(number, toLane));
      llvm::Value *place = b.CreateXor(registers[reg], e.applyBits(number, toRegister));
      const uint64_t fixed = gather.first.apply(reg) >> gather.first.outputShift(Dim::Register) &
                             (gather.first.outputSize(Dim::Register) - 1) & ~gather.candidates;
      result.push_back(candidate(fixed, gather.candidates, place, lane));
    }
    return result;
  }
  /// What each bit of an index adds to a register or a lane.
  static std::vector<uint64_t> columnsTo(const layout::WarpGather &gather, Dim dim) {
    std::vector<uint64_t> columns;
    for (const layout::AxisRun &run : gather.runs)
      for (unsigned bit : run.bits)
        columns.push_back(run.dim == dim ? uint64_t(1) << bit : 0);
    return columns;
  }
  /// The one of a lane's registers `fixed`, plus any of the bits `open`, that `place` names; no lane: the own.
  llvm::Value *candidate(uint64_t fixed, uint64_t open, llvm::Value *place, llvm::Value *lane) {
    if (open == 0) {
      llvm::Value *value = e.of(m_op.getSource())[fixed];
      return lane ? e.shuffle(value, lane) : value;
    }
    const uint64_t bit = open & -open;
    llvm::Value *clear = candidate(fixed, open & ~bit, place, lane), *set = candidate(fixed | bit, open & ~bit, place, lane);
    return b.CreateSelect(b.CreateICmpNE(b.CreateAnd(place, bit), b.getInt32(0)), set, clear);
  }

  Registers fromScratch() {
    const llvm::ArrayRef<int64_t> shape = m_op.getSource().getType().getShape();
    const llvm::SmallVector<unsigned> rowMajor(llvm::reverse(llvm::seq<unsigned>(0, unsigned(shape.size()))));
    llvm::Value *scratch = e.sharedAddress(e.scratchOf(m_op));
    storeShared(e, e.of(m_op.getSource()), m_source, layout::sharedLayout(shape, std::span(rowMajor.data(), rowMajor.size())), scratch);
    e.barrier();
    const auto lines = e.applyAll(layout::gatherLines(m_source, m_result, m_op.getAxis()));
    const unsigned shift = m_source.outputShift(layout::tileDim(m_op.getAxis()));
    llvm::Type *type = e.memoryType(m_element);
    Registers result;
    for (auto [line, index] : llvm::zip_equal(lines, e.of(m_op.getIndices()))) {
      llvm::Value *within = b.CreateAnd(plain(index), b.getInt32(uint32_t(m_length - 1)));
      llvm::Value *number = b.CreateOr(line, b.CreateShl(within, shift));
      result.push_back(e.fromMemory(b.CreateLoad(type, b.CreateGEP(type, scratch, {number})), m_element));
    }
    return result;
  }

  Emitter &e;
  llvm::IRBuilder<> &b;
  tile::GatherOp m_op;
  const layout::LinearLayout &m_source, &m_result;
  mlir::Type m_element;
  uint64_t m_length; ///< of the source along the axis
};

} // namespace

void emit(Emitter &e, tile::GatherOp op) { Gather(e, op).emitAll(); }

} // namespace tilescope::codegen
