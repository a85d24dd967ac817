// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to blocks of tensors: each becomes an ordinary load, store or atomic at computed addresses, so
// that bounds, counts and all that is followed through a program are those of any access.
#include "compiler/Interpreter/Flattener.h"

#include <llvm/ADT/TypeSwitch.h>

#include <cmath>

namespace tilescope::interp {

/// Which elements of a tensor are meant, dimension by dimension.
struct BlockPlace {
  llvm::SmallVector<int64_t> shape;   ///< of the block
  llvm::SmallVector<Operand> indices; ///< along each dimension: one an element of it, or one for all
  llvm::SmallVector<Operand> sizes, strides;
  llvm::SmallVector<int32_t> checked;
};

namespace {

/// Makes the addresses and the mask of a block.
class BlockAddresses {
public:
  BlockAddresses(Assembler &code, const BlockPlace &place) : m_code(code), m_place(place) {}

  Operand addresses(Operand base, unsigned elementBytes) {
    for (size_t d = 0; d < m_place.shape.size(); ++d) {
      const Operand distance = m_code.elementwise(Op::Mul, {m_place.indices[d], m_place.strides[d]});
      // The first is added while it is short; then whole tiles are.
      base = d == 0 ? spread(m_code.addPointer(base, distance, elementBytes), d)
                    : m_code.addPointer(base, spread(distance, d), elementBytes);
    }
    return m_code.full(base, count());
  }

  std::optional<Operand> mask() {
    std::optional<Operand> result;
    const Operand zero = m_code.constant(ElementType::Int64, 0);
    for (int32_t d : m_place.checked) {
      const Operand &index = m_place.indices[d];
      const Operand inside =
          spread(m_code.elementwise(Op::And, {m_code.elementwise(Op::Ge, {index, zero}),
                                              m_code.elementwise(Op::Lt, {index, m_place.sizes[d]})}),
                 d);
      result = result ? m_code.elementwise(Op::And, {*result, inside}) : inside;
    }
    return result;
  }

  uint32_t count() const {
    uint32_t result = 1;
    for (int64_t size : m_place.shape)
      result *= static_cast<uint32_t>(size);
    return result;
  }

private:
  /// A value along dimension `d` as one of the whole block.
  Operand spread(const Operand &along, size_t d) {
    if (along.stored == 1 || along.stored == count())
      return along;
    CopyDetail copy;
    copy.shape.assign(m_place.shape.begin(), m_place.shape.end());
    copy.fromStrides.assign(m_place.shape.size(), 0);
    copy.fromStrides[d] = 1;
    const auto strides = rowMajorStrides(m_place.shape);
    copy.toStrides.assign(strides.begin(), strides.end());
    Operand result = m_code.moved(along, count(), std::move(copy));
    result.provenance = along.provenance;
    return result;
  }

  Assembler &m_code;
  const BlockPlace &m_place;
};

Operand wideRange(Assembler &code, int64_t size) {
  return code.cast(code.range(0, static_cast<int32_t>(size)), ElementType::Int64);
}

} // namespace

/// The address and mask of what an operation of a block touches.
struct Flattener::Block {
  AccessDetail detail;
  Operand address;
  std::optional<Operand> mask;
  uint32_t count = 0;
  llvm::SmallVector<Operand> described; ///< what `detail.block` reads
};

template <typename Op>
Flattener::Block Flattener::blockAt(Op op, tile::TileType type, AccessKind kind, BlockPlace place) {
  place.shape.assign(type.getShape().begin(), type.getShape().end());
  for (mlir::Value size : op.getShape())
    place.sizes.push_back(get(size));
  for (mlir::Value stride : op.getStrides())
    place.strides.push_back(get(stride));
  const mlir::Type pointee = llvm::cast<tile::PointerType>(op.getBase().getType()).getPointee();
  BlockAddresses block(m_code, place);
  Block result;
  result.address = block.addresses(get(op.getBase()), tile::byteSizeOf(pointee));
  result.mask = block.mask();
  result.count = block.count();
  result.detail = accessDetail(op, result.address, pointee, place.shape, kind);
  BlockDetail description;
  for (auto [extent, indices, size] : llvm::zip_equal(place.shape, place.indices, place.sizes)) {
    description.dimensions.push_back({extent, indices.value, indices.stored == 1, size.value});
    result.described.append({indices, size});
  }
  result.detail.block = m_code.detail(std::move(description)) + 1;
  return result;
}

/// A block that begins at the offsets of the operation.
template <typename Op> Flattener::Block Flattener::blockOf(Op op, tile::TileType type, AccessKind kind) {
  BlockPlace place;
  for (auto [offset, size] : llvm::zip_equal(op.getOffsets(), type.getShape()))
    place.indices.push_back(m_code.elementwise(interp::Op::Add, {wideRange(m_code, size), get(offset)}));
  place.checked.assign(op.getChecked().begin(), op.getChecked().end());
  return blockAt(op, type, kind, std::move(place));
}

/// A block of the rows that the operation names, from its column on.
template <typename Op> Flattener::Block Flattener::rowsOf(Op op, tile::TileType type, AccessKind kind) {
  BlockPlace place;
  place.indices.push_back(m_code.cast(get(op.getRows()), ElementType::Int64));
  place.indices.push_back(
      m_code.elementwise(interp::Op::Add, {wideRange(m_code, type.getDimSize(1)), get(op.getColumn())}));
  place.checked = {0, 1};
  return blockAt(op, type, kind, std::move(place));
}

Operand Flattener::readBlock(const Block &block, tile::Padding padding) {
  const ElementType element = block.detail.element;
  const Operand result = m_code.fresh(element, block.count);
  const uint32_t detail = m_code.detail(block.detail);
  if (!block.mask)
    m_code.emit(interp::load(), result, {block.address}, block.count, detail);
  else if (padding == tile::Padding::None)
    m_code.emit(interp::load(), result, {block.address, *block.mask}, block.count, detail);
  else
    m_code.emit(
        interp::load(), result,
        {block.address, *block.mask,
         padding == tile::Padding::NaN ? m_code.real(element, std::nan("")) : m_code.constant(element, 0)},
        block.count, detail);
  keepDescription(block);
  return result;
}

void Flattener::writeBlock(const Block &block, mlir::Value value) {
  const uint32_t detail = m_code.detail(block.detail);
  if (block.mask)
    m_code.emit(interp::store(), {block.address, get(value), *block.mask}, block.count, detail);
  else
    m_code.emit(interp::store(), {block.address, get(value)}, block.count, detail);
  keepDescription(block);
}

void Flattener::keepDescription(const Block &block) {
  for (const Operand &operand : block.described)
    m_code.keep(operand);
}

void Flattener::reduceBlock(tile::BlockReduceOp op) {
  Block block = blockOf(op, op.getValue().getType(), AccessKind::Atomic);
  block.detail.atomic = atomicKindOf(op.getKind());
  block.detail.resultUsed = false;
  const Operand before = m_code.fresh(block.detail.element, block.count);
  const uint32_t detail = m_code.detail(block.detail);
  if (block.mask)
    m_code.emit(atomic(), before, {block.address, get(op.getValue()), *block.mask}, block.count, detail);
  else
    m_code.emit(atomic(), before, {block.address, get(op.getValue())}, block.count, detail);
  keepDescription(block);
  if (isFloat(block.detail.element))
    m_code.runInProgramOrder();
}

Flattener::Outcome Flattener::blocks(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, Outcome>(op)
      .Case([&](tile::BlockLoadOp op) {
        set(op, readBlock(blockOf(op, op.getType(), AccessKind::Load), op.getPadding()));
        return Outcome::Done;
      })
      .Case([&](tile::BlockStoreOp op) {
        writeBlock(blockOf(op, op.getValue().getType(), AccessKind::Store), op.getValue());
        return Outcome::Done;
      })
      .Case([&](tile::BlockReduceOp op) {
        reduceBlock(op);
        return Outcome::Done;
      })
      .Case([&](tile::BlockGatherOp op) {
        set(op, readBlock(rowsOf(op, op.getType(), AccessKind::Load), op.getPadding()));
        return Outcome::Done;
      })
      .Case([&](tile::BlockScatterOp op) {
        writeBlock(rowsOf(op, op.getValue().getType(), AccessKind::Store), op.getValue());
        return Outcome::Done;
      })
      .Default([](mlir::Operation *) { return Outcome::NotMine; });
}

} // namespace tilescope::interp
