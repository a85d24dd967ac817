// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of described tensors as tiles of pointers with a mask: every target has those. (Copies by tensor map would
// start from the block accesses instead.)
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

/// Addresses of a block, and where they may be used.
struct Block {
  Value pointers, mask; ///< the mask is null where nothing is checked
};

class BlockBuilder {
public:
  BlockBuilder(Operation *op, ArrayRef<int64_t> shape)
      : m_builder(op), m_location(op->getLoc()), m_shape(shape), m_wide(wide(op)) {}

  /// 0, 1 … along a dimension, from `offset` on.
  Value range(unsigned dim, Value offset) {
    Value numbers = MakeRangeOp::create(m_builder, m_location, 0, int32_t(m_shape[dim]));
    return from(numbers, offset);
  }
  /// `numbers` of any integer type as 64 bits, plus `offset` if there is one.
  Value from(Value numbers, Value offset = {}) {
    const Type type = withElementType(numbers.getType(), m_wide);
    Value sum = numbers.getType() == type ? numbers : CastOp::create(m_builder, m_location, type, numbers);
    return offset ? AddOp::create(m_builder, m_location, sum, splat(offset, type)) : sum;
  }

  /// `indices[d]`: of rank 1, the index along dimension d. `checked` in ascending order.
  Block block(Value base, ArrayRef<Value> indices, ValueRange shape, ValueRange strides, ArrayRef<int32_t> checked) {
    Value offsets;
    Block result;
    for (auto [dim, index] : llvm::enumerate(indices)) {
      Value scaled = MulOp::create(m_builder, m_location, index, splat(strides[dim], index.getType()));
      Value stretched = stretch(scaled, unsigned(dim));
      offsets = offsets ? AddOp::create(m_builder, m_location, offsets, stretched) : stretched;
    }
    for (int32_t dim : checked) {
      Value inside = stretch(isInside(indices[dim], shape[dim]), unsigned(dim));
      result.mask = result.mask ? AndOp::create(m_builder, m_location, result.mask, inside) : inside;
    }
    Value bases = splat(base, TileType::get(m_shape, base.getType()));
    result.pointers = AddPtrOp::create(m_builder, m_location, bases, offsets);
    return result;
  }

  /// What is read outside: null where that is undefined.
  Value padding(Padding padding, Type element) {
    if (padding == Padding::None)
      return {};
    TypedAttr value;
    if (auto number = dyn_cast<FloatType>(element))
      value = padding == Padding::NaN ? FloatAttr::get(element, APFloat::getNaN(number.getFloatSemantics()))
                                      : FloatAttr::get(element, APFloat::getZero(number.getFloatSemantics()));
    else
      value = IntegerAttr::get(element, 0);
    return ConstantOp::create(m_builder, m_location, TileType::get(m_shape, element), value);
  }

  OpBuilder &builder() { return m_builder; }
  Location location() const { return m_location; }

private:
  static Type wide(Operation *op) {
    return IntegerType::get(op->getContext(), 64, IntegerType::Signed);
  }
  Value splat(Value scalar, Type type) { return SplatOp::create(m_builder, m_location, type, scalar); }
  Value isInside(Value index, Value size) {
    const Type type = index.getType();
    Value zero = ConstantOp::create(m_builder, m_location, type, IntegerAttr::get(m_wide, 0));
    Value low = CmpOp::create(m_builder, m_location, Predicate::Ge, index, zero);
    Value high = CmpOp::create(m_builder, m_location, Predicate::Lt, index, splat(size, type));
    return AndOp::create(m_builder, m_location, low, high);
  }
  /// A tile of rank 1 that lies along `dim` in the block's shape.
  Value stretch(Value line, unsigned dim) {
    for (unsigned axis = 0; axis < m_shape.size(); ++axis)
      if (axis != dim)
        line = ExpandDimsOp::create(m_builder, m_location, line, axis);
    const Type type = TileType::get(m_shape, elementTypeOf(line.getType()));
    return line.getType() == type ? line : BroadcastOp::create(m_builder, m_location, type, line);
  }

  OpBuilder m_builder;
  Location m_location;
  ArrayRef<int64_t> m_shape;
  Type m_wide;
};

/// The block of an access with an offset for each dimension.
template <typename Op> Block regularBlock(BlockBuilder &builder, Op op) {
  SmallVector<Value> indices;
  for (auto [dim, offset] : llvm::enumerate(op.getOffsets()))
    indices.push_back(builder.range(unsigned(dim), offset));
  return builder.block(op.getBase(), indices, op.getShape(), op.getStrides(), op.getChecked());
}

/// The block of chosen rows.
template <typename Op> Block rowsBlock(BlockBuilder &builder, Op op) {
  const Value indices[] = {builder.from(op.getRows()), builder.range(1, op.getColumn())};
  return builder.block(op.getBase(), indices, op.getShape(), op.getStrides(), {0, 1});
}

void replaceLoad(BlockBuilder &builder, Operation *op, Block block, Padding padding, Cache cache, Eviction eviction) {
  const Type type = op->getResult(0).getType();
  Value other = block.mask ? builder.padding(padding, elementTypeOf(type)) : Value();
  auto load = LoadOp::create(builder.builder(), builder.location(), type, block.pointers, block.mask, other, cache,
                             eviction, /*isVolatile=*/false);
  op->replaceAllUsesWith(load);
  op->erase();
}

void replaceStore(BlockBuilder &builder, Operation *op, Block block, Value value, Cache cache, Eviction eviction) {
  StoreOp::create(builder.builder(), builder.location(), block.pointers, value, block.mask, cache, eviction);
  op->erase();
}

void lower(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([](BlockLoadOp load) {
        BlockBuilder builder(load, shapeOf(load.getType()));
        replaceLoad(builder, load, regularBlock(builder, load), load.getPadding(), load.getCache(), load.getEviction());
      })
      .Case([](BlockGatherOp gather) {
        BlockBuilder builder(gather, shapeOf(gather.getType()));
        replaceLoad(builder, gather, rowsBlock(builder, gather), gather.getPadding(), Cache::None, Eviction::Normal);
      })
      .Case([](BlockStoreOp store) {
        BlockBuilder builder(store, shapeOf(store.getValue().getType()));
        replaceStore(builder, store, regularBlock(builder, store), store.getValue(), store.getCache(),
                     store.getEviction());
      })
      .Case([](BlockScatterOp scatter) {
        BlockBuilder builder(scatter, shapeOf(scatter.getValue().getType()));
        replaceStore(builder, scatter, rowsBlock(builder, scatter), scatter.getValue(), Cache::None, Eviction::Normal);
      })
      .Case([](BlockReduceOp reduce) {
        BlockBuilder builder(reduce, shapeOf(reduce.getValue().getType()));
        const Block block = regularBlock(builder, reduce);
        AtomicRmwOp::create(builder.builder(), builder.location(), reduce.getValue().getType(), reduce.getKind(), MemoryOrder::Relaxed,
                            MemoryScope::Gpu, block.pointers, reduce.getValue(), block.mask);
        reduce.erase();
      });
}

} // namespace

void lowerBlocks(FuncOp kernel) {
  kernel.walk([](Operation *op) { lower(op); });
}

} // namespace tilescope::tile
