// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scaled products as ordinary ones: elements are unpacked and multiplied by their scales in fp32, which is exact, and go to
// the narrowest type that holds all digits: bf16, else fp32 that tensor cores read as TF32, else fp32. (Products that take
// scales, `tcgen05.mma.block_scale`, would be chosen here.)
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

/// One side of the product. The scales of both are [batch, M or N, groups along K].
struct Side {
  Value elements, scale; ///< no scale: null
  ScaleFormat format;
  bool kPack, isLeft;

  /// Significant digits of an element times its scale. A power of two adds none.
  unsigned digits() const {
    const unsigned ofElement[] = {2, 4, 3, 8, 11}; // by format: e2m1, e4m3, e5m2, bf16, fp16
    return ofElement[unsigned(format)] + (scale && isFloat(elementTypeOf(scale.getType())) ? 4 : 0);
  }
};

class Unpacking {
public:
  Unpacking(DotScaledOp dot) : m_builder(dot), m_location(dot.getLoc()), m_isFast(dot.getFastMath()) {}

  /// K at its place, in `element`.
  Value unpacked(const Side &side, Type element) {
    Value values = side.format == ScaleFormat::E2M1 ? fromPairs(side) : side.elements;
    if (side.scale || side.format == ScaleFormat::E2M1) {
      values = side.format == ScaleFormat::E2M1 ? halfBytesToFloat(values) : cast(values, m_builder.getF32Type());
      if (side.scale)
        values = MulOp::create(m_builder, m_location, values, stretched(side, shapeOf(values.getType())));
    }
    return cast(values, element);
  }

private:
  Type ui32() { return m_builder.getIntegerType(32, false); }
  Value cast(Value value, Type element) {
    const Type type = withElementType(value.getType(), element);
    return value.getType() == type ? value : CastOp::create(m_builder, m_location, type, value);
  }
  Value asFloat(Value bits) {
    return BitcastOp::create(m_builder, m_location, withElementType(bits.getType(), m_builder.getF32Type()), bits);
  }
  Value number(Value like, int64_t value) {
    return ConstantOp::create(m_builder, m_location, like.getType(), IntegerAttr::get(elementTypeOf(like.getType()), value));
  }
  Value with(Value value, int64_t mask) { return AndOp::create(m_builder, m_location, value, number(value, mask)); }
  Value left(Value value, int64_t by) { return ShlOp::create(m_builder, m_location, value, number(value, by)); }

  Value permuted(Value value, ArrayRef<int32_t> order) {
    return PermuteOp::create(m_builder, m_location, value, m_builder.getDenseI32ArrayAttr(order));
  }
  Value reshaped(Value value, ArrayRef<int64_t> shape) {
    return ReshapeOp::create(m_builder, m_location, TileType::get(shape, elementTypeOf(value.getType())), value, UnitAttr());
  }

  /// Bytes to half bytes, the lower one first, along the dimension that is packed.
  Value fromPairs(const Side &side) {
    const int64_t rank = shapeOf(side.elements.getType()).size();
    SmallVector<int64_t> shape(shapeOf(side.elements.getType()));
    const bool isAlongRow = side.kPack == side.isLeft;
    shape[rank - (isAlongRow ? 1 : 2)] *= 2;
    Value low = with(side.elements, 0xf);
    Value high = ShrOp::create(m_builder, m_location, side.elements, number(side.elements, 4));
    Value pairs = JoinOp::create(m_builder, m_location, low, high);
    if (!isAlongRow) {
      SmallVector<int32_t, 6> order = llvm::to_vector<6>(llvm::seq<int32_t>(0, int32_t(rank) + 1));
      std::swap(order[rank - 1], order[rank]);
      pairs = permuted(pairs, order);
    }
    return reshaped(pairs, shape);
  }

  /// E2M1: exponent and digit stand where fp32 has them, and the difference of the biases is multiplied in.
  Value halfBytesToFloat(Value values) {
    Value wide = cast(values, ui32());
    Value bits = OrOp::create(m_builder, m_location, left(with(wide, 7), 22), left(with(wide, 8), 28));
    Value tiny = asFloat(bits);
    Value bias = ConstantOp::create(m_builder, m_location, tiny.getType(), m_builder.getF32FloatAttr(0x1p126f));
    return MulOp::create(m_builder, m_location, tiny, bias);
  }

  /// E8M0 as fp32: the exponent at its place; 0 is 2^-127, which is subnormal there, and 255 NaN.
  Value powerOfTwo(Value scale) {
    Value exponent = cast(scale, ui32());
    Value least = CmpOp::create(m_builder, m_location, Predicate::Eq, exponent, number(exponent, 0));
    Value bits = SelectOp::create(m_builder, m_location, least, number(exponent, 0x0040'0000), left(exponent, 23));
    if (!m_isFast) {
      Value isNaN = CmpOp::create(m_builder, m_location, Predicate::Eq, exponent, number(exponent, 255));
      bits = SelectOp::create(m_builder, m_location, isNaN, number(exponent, 0x7fc0'0000), bits);
    }
    return asFloat(bits);
  }

  /// A scale for each element of `shape`.
  Value stretched(const Side &side, ArrayRef<int64_t> shape) {
    const Type element = elementTypeOf(side.scale.getType());
    Value scale = isFloat(element) ? cast(side.scale, m_builder.getF32Type()) : powerOfTwo(side.scale);
    const int64_t rank = shape.size();
    SmallVector<int64_t> whole(shapeOf(scale.getType()));
    const int64_t k = shape[rank - (side.isLeft ? 1 : 2)], groups = whole.back();
    Value grouped = ExpandDimsOp::create(m_builder, m_location, scale, uint32_t(rank));
    whole.push_back(k / groups);
    grouped = BroadcastOp::create(m_builder, m_location, TileType::get(whole, elementTypeOf(scale.getType())), grouped);
    whole.pop_back();
    whole.back() = k;
    scale = reshaped(grouped, whole);
    if (side.isLeft)
      return scale;
    SmallVector<int32_t, 6> order = llvm::to_vector<6>(llvm::seq<int32_t>(0, int32_t(rank)));
    std::swap(order[rank - 2], order[rank - 1]);
    return permuted(scale, order);
  }

  OpBuilder m_builder;
  Location m_location;
  bool m_isFast;
};

void lower(DotScaledOp dot) {
  const Side a{dot.getA(), dot.getAScale(), dot.getAFormat(), dot.getAKPack(), true};
  const Side b{dot.getB(), dot.getBScale(), dot.getBFormat(), dot.getBKPack(), false};
  const unsigned digits = std::max(a.digits(), b.digits());
  OpBuilder builder(dot);
  // fp16 has more digits than bf16, whatever its exponents; TF32 has 11.
  const Type element = digits <= 8 ? Type(builder.getBF16Type()) : builder.getF32Type();
  const InputPrecision precision = digits <= 11 ? InputPrecision::Tf32 : InputPrecision::Ieee;
  Unpacking unpacking(dot);
  Value left = unpacking.unpacked(a, element), right = unpacking.unpacked(b, element);
  Value product = DotOp::create(builder, dot.getLoc(), dot.getType(), left, right, dot.getAccumulator(), precision, 0);
  dot.replaceAllUsesWith(product);
  dot.erase();
}

} // namespace

void lowerScaledProducts(FuncOp kernel) {
  kernel.walk([](DotScaledOp dot) { lower(dot); });
}

} // namespace tilescope::tile
