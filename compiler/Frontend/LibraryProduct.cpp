// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of tiles: tl.dot, and tl.dot_scaled for formats of few bits.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Types.h"

namespace tilescope::frontend {

namespace {

using Shape = llvm::SmallVector<int64_t>;

void reportShapes(LibraryCall &call, const Operand &left, const Operand &right, std::string id) {
  std::string a = describe(left.term), b = describe(right.term);
  Diagnostic &error = call.emitter.error(call.range, std::move(id), {a, b});
  error.notes.insert(error.notes.begin(), {{"has-type", {a}, call.emitter.span(left.range)},
                                           {"has-type", {b}, call.emitter.span(right.range)}});
}

mlir::Value reshaped(Emitter &emitter, mlir::Value value, const Shape &shape) {
  mlir::Type type = tile::tileOrScalar(shape, tile::elementTypeOf(value.getType()));
  return emitter.create<tile::ReshapeOp>(type, value, /*allow_reorder=*/false);
}

/// The accumulator of a product that gives `result`: zeros where the call gives none; null after an error.
mlir::Value accumulatorOf(LibraryCall &call, const Operand &operand, mlir::Type result) {
  if (operand.term.isNone())
    return constantOf(call.emitter, result, Value(0));
  mlir::Value value = operand.term.value() ? operand.term.value() : toTile(call.emitter, operand);
  if (!value || value.getType() == result)
    return value;
  call.emitter.error(operand.range, "dot-accumulator", {typeName(value.getType()), typeName(result)});
  return {};
}

//===- tl.dot -------------------------------------------------------------------------------------===//

constexpr std::string_view dotTypes = "int8, fp8, fp16, bf16, fp32, fp64";

bool isDotType(mlir::Type element) {
  return tile::isFloat(element) || (tile::isSigned(element) && tile::bitWidthOf(element) == 8);
}

/// Both operands of one type that can be multiplied, or both of 8-bit floats.
bool checkDotTypes(LibraryCall &call, mlir::Type a, mlir::Type b) {
  for (auto [element, operand] : {std::pair(a, &call[0]), std::pair(b, &call[1])})
    if (!isDotType(element)) {
      call.emitter.error(operand->range, "dtype-not-supported",
                         {"dot", std::string(dotTypes), describe(operand->term)});
      return false;
    }
  if (a == b || (isFloat8(a) && isFloat8(b)))
    return true;
  reportShapes(call, call[0], call[1], "dot-types");
  return false;
}

/// The product's shape, or nothing after an error. Dimensions before the last two are a batch.
std::optional<Shape> dotShape(LibraryCall &call, mlir::Value a, mlir::Value b) {
  auto left = tile::shapeOf(a.getType()), right = tile::shapeOf(b.getType());
  size_t rank = left.size();
  if (rank != right.size() || rank < 2 || left.drop_back(2) != right.drop_back(2) ||
      left[rank - 1] != right[rank - 2]) {
    reportShapes(call, call[0], call[1], "dot-shapes");
    return std::nullopt;
  }
  // 32 bytes of K, as Triton's min_dot_size asks for NVIDIA's GPUs.
  int64_t least = 256 / tile::bitWidthOf(tile::elementTypeOf(a.getType()));
  if (left[rank - 1] < least) {
    call.emitter.error(call.range, "dot-too-small",
                       {std::to_string(left[rank - 1]), std::to_string(least), typeName(a.getType()),
                        typeName(b.getType())});
    return std::nullopt;
  }
  Shape shape(left);
  shape[rank - 1] = right[rank - 1];
  return shape;
}

/// The type that out_dtype asks for; without it that of the accumulator, or fp32. Null after an error.
mlir::Type wantedType(LibraryCall &call) {
  if (!call[6].term.isNone())
    return constantType(call.emitter, call[6]);
  if (mlir::Value accumulator = call[2].term.value();
      accumulator && llvm::isa<tile::TileType>(accumulator.getType()))
    return tile::elementTypeOf(accumulator.getType());
  return mlirType(call.emitter.context(), ElementType::Float32);
}

/// What products of `element` are summed in where `wanted` is asked for; null after an error.
mlir::Type sumType(LibraryCall &call, mlir::Type element, mlir::Type wanted) {
  auto *context = call.emitter.context();
  if (tile::isInteger(element))
    return int32(context);
  bool isFixed = element.isF32() || element.isF64() || element.isBF16();
  if (wanted.isBF16() || (!isFixed && !wanted.isF16() && !wanted.isF32())) {
    const Operand &asker = call[6].term.isNone() ? call[2] : call[6];
    call.emitter.error(asker.range, "dot-out-dtype", {typeName(wanted)});
    return {};
  }
  if (element.isF32() || element.isF64())
    return element;
  return isFixed ? mlirType(context, ElementType::Float32) : wanted;
}

std::optional<tile::InputPrecision> dotPrecision(LibraryCall &call) {
  static constexpr Option<tile::InputPrecision> precisions[] = {{"tf32", tile::InputPrecision::Tf32},
                                                                {"tf32x3", tile::InputPrecision::Tf32x3},
                                                                {"ieee", tile::InputPrecision::Ieee},
                                                                {"bf16x3", tile::InputPrecision::Bf16x3},
                                                                {"bf16x6", tile::InputPrecision::Bf16x6}};
  const Operand &precision = call[3], &allowed = call[4];
  if (!precision.term.isNone() && !allowed.term.isNone()) {
    call.emitter.error(allowed.range, "dot-two-precisions");
    return std::nullopt;
  }
  if (!precision.term.isNone()) {
    auto text = constantString(call.emitter, precision);
    if (!text)
      return std::nullopt;
    return choose(call.emitter, {Value(llvm::StringRef(*text).lower()), precision.range}, precisions);
  }
  auto allow = allowed.term.isNone() ? true : constantBool(call.emitter, allowed);
  return allow ? std::optional(*allow ? tile::InputPrecision::Tf32 : tile::InputPrecision::Ieee)
               : std::nullopt;
}

/// After how many products of 8-bit floats a sum of few digits is added up in full; 0: never of few digits.
std::optional<uint32_t> impreciseSum(LibraryCall &call, mlir::Type element, int64_t k) {
  constexpr uint32_t hopperDefault = 1 << 30;
  if (call[5].term.isNone())
    return isFloat8(element) ? hopperDefault : 0;
  auto most = constantInt(call.emitter, call[5]);
  if (!most)
    return std::nullopt;
  if (isFloat8(element) && *most > k) {
    call.emitter.error(call[5].range, "dot-imprecise-sum", {std::to_string(*most), std::to_string(k)});
    return std::nullopt;
  }
  return static_cast<uint32_t>(std::max<int64_t>(*most, 0));
}

/// The AMD kinds of fp8 are multiplied as fp16.
bool isUpcastForDot(mlir::Type element) {
  return llvm::isa<mlir::Float8E4M3FNUZType, mlir::Float8E5M2FNUZType>(element);
}

Term multiply(LibraryCall &call, mlir::Value a, mlir::Value b, mlir::Value accumulator,
              tile::InputPrecision precision, uint32_t imprecise) {
  auto type = llvm::cast<tile::TileType>(accumulator.getType());
  Shape shape(type.getShape());
  bool isFlattened = shape.size() > 3;
  if (isFlattened) {
    auto threeDimensions = [&](mlir::Value value) {
      auto whole = tile::shapeOf(value.getType());
      int64_t rows = whole[whole.size() - 2], columns = whole.back();
      int64_t batch = tile::elementCountOf(value.getType()) / (rows * columns);
      return reshaped(call.emitter, value, {batch, rows, columns});
    };
    a = threeDimensions(a);
    b = threeDimensions(b);
    accumulator = threeDimensions(accumulator);
  }
  mlir::Value product =
      call.emitter.create<tile::DotOp>(accumulator.getType(), a, b, accumulator, precision, imprecise);
  return isFlattened ? reshaped(call.emitter, product, shape) : product;
}

Term dot(LibraryCall &call) {
  mlir::Value a = toTile(call.emitter, call[0]), b = toTile(call.emitter, call[1]);
  auto precision = dotPrecision(call);
  mlir::Type wanted = wantedType(call);
  if (!a || !b || !precision || !wanted)
    return {};
  mlir::Type element = tile::elementTypeOf(a.getType()), other = tile::elementTypeOf(b.getType());
  if (!checkDotTypes(call, element, other))
    return {};
  if (isUpcastForDot(element) || isUpcastForDot(other)) {
    element = mlirType(call.emitter.context(), ElementType::Float16);
    a = castTo(call.emitter, a, element, call[0].range);
    b = castTo(call.emitter, b, element, call[1].range);
  }
  auto shape = dotShape(call, a, b);
  mlir::Type sum = shape ? sumType(call, element, wanted) : mlir::Type();
  if (!sum)
    return {};
  auto imprecise = impreciseSum(call, element, tile::shapeOf(a.getType()).back());
  mlir::Value accumulator = accumulatorOf(call, call[2], tile::tileOrScalar(*shape, sum));
  if (!imprecise || !accumulator)
    return {};
  return multiply(call, a, b, accumulator, *precision, *imprecise);
}

//===- tl.dot_scaled ------------------------------------------------------------------------------===//

struct FormatRow {
  tile::ScaleFormat format;
  std::string_view name;
  ElementType element; ///< what its elements are
  ElementType raw;     ///< in which their bits may come
};
constexpr FormatRow formatRows[] = {
    {tile::ScaleFormat::E2M1, "e2m1", ElementType::UInt8, ElementType::UInt8},
    {tile::ScaleFormat::E4M3, "e4m3", ElementType::Float8E4M3FN, ElementType::UInt8},
    {tile::ScaleFormat::E5M2, "e5m2", ElementType::Float8E5M2, ElementType::UInt8},
    {tile::ScaleFormat::BF16, "bf16", ElementType::BFloat16, ElementType::UInt16},
    {tile::ScaleFormat::FP16, "fp16", ElementType::Float16, ElementType::UInt16}};

const FormatRow *formatOf(LibraryCall &call, const Operand &operand) {
  std::string_view names[std::size(formatRows)];
  for (size_t i = 0; i < std::size(formatRows); ++i)
    names[i] = formatRows[i].name;
  auto index = chooseOption(call.emitter, operand, names);
  return index ? &formatRows[*index] : nullptr;
}

/// One side of a scaled product, with the places of its arguments in the call.
struct ScaledSide {
  mlir::Value tile, scale; ///< no scale: null
  const FormatRow *format = nullptr;
  bool kPack = true;
  bool isLeft = true;

  /// Elements along K, or along the other dimension.
  int64_t size(bool alongK) const {
    auto shape = tile::shapeOf(tile.getType());
    bool isLast = alongK == isLeft;
    bool isPacked = format->format == tile::ScaleFormat::E2M1 && alongK == kPack;
    return shape[shape.size() - (isLast ? 1 : 2)] * (isPacked ? 2 : 1);
  }
};

/// Elements in the type of their format; bits that come as integers are taken as such.
mlir::Value ofFormat(LibraryCall &call, const Operand &operand, const FormatRow &row) {
  mlir::Value value = toTile(call.emitter, operand);
  if (!value)
    return {};
  auto element = elementType(tile::elementTypeOf(value.getType()));
  if (element == row.element)
    return value;
  if (element == row.raw)
    return bitcast(call.emitter, value, mlirType(call.emitter.context(), row.element), operand.range);
  std::string wanted(tritonName(row.element));
  if (row.raw != row.element)
    wanted += ", " + std::string(tritonName(row.raw));
  call.emitter.error(operand.range, "scaled-operand-type",
                     {std::string(row.name), wanted, typeName(value.getType())});
  return {};
}

/// One scale for every 32 elements along K, or for every 16.
bool checkScale(LibraryCall &call, const Operand &operand, const ScaledSide &side) {
  auto type = llvm::cast<tile::TileType>(side.scale.getType());
  auto element = elementType(type.getElementType());
  if (element != ElementType::UInt8 && element != ElementType::Float8E4M3FN) {
    call.emitter.error(operand.range, "scale-type", {typeName(type)});
    return false;
  }
  Shape wanted(tile::shapeOf(side.tile.getType()).drop_back(2));
  wanted.append({side.size(false), side.size(true) / 32});
  Shape finer = wanted;
  finer.back() *= 2;
  if (type.getShape() == llvm::ArrayRef(wanted) || type.getShape() == llvm::ArrayRef(finer))
    return true;
  call.emitter.error(operand.range, "scale-shape", {shapeName(type.getShape()), shapeName(wanted)});
  return false;
}

/// The side whose arguments start at `first`: operand, scale, format.
std::optional<ScaledSide> scaledSide(LibraryCall &call, size_t first, size_t kPack) {
  ScaledSide side;
  side.isLeft = first == 0;
  side.format = formatOf(call, call[first + 2]);
  auto packed = constantBool(call.emitter, call[kPack]);
  if (!side.format || !packed)
    return std::nullopt;
  side.kPack = *packed;
  if (!side.kPack && side.format->format != tile::ScaleFormat::E2M1) {
    call.emitter.error(call[kPack].range, "scaled-pack", {std::string(side.format->name)});
    return std::nullopt;
  }
  side.tile = ofFormat(call, call[first], *side.format);
  if (!side.tile)
    return std::nullopt;
  if (!call[first + 1].term.isNone() && !(side.scale = toTile(call.emitter, call[first + 1])))
    return std::nullopt;
  return side;
}

Term dotScaled(LibraryCall &call) {
  auto a = scaledSide(call, 0, 8), b = scaledSide(call, 3, 9);
  auto fastMath = constantBool(call.emitter, call[7]);
  mlir::Type wanted = constantType(call.emitter, call[10]);
  if (!a || !b || !fastMath || !wanted)
    return {};
  if (!wanted.isF32()) {
    call.emitter.error(call[10].range, "dot-scaled-out-dtype", {typeName(wanted)});
    return {};
  }
  auto left = tile::shapeOf(a->tile.getType()), right = tile::shapeOf(b->tile.getType());
  if (left.size() != right.size() || left.size() < 2 || left.size() > 3 ||
      left.drop_back(2) != right.drop_back(2) || a->size(true) != b->size(true)) {
    reportShapes(call, call[0], call[3], "dot-scaled-shapes");
    return {};
  }
  if ((a->scale && !checkScale(call, call[1], *a)) || (b->scale && !checkScale(call, call[4], *b)))
    return {};
  Shape shape(left.drop_back(2));
  shape.append({a->size(false), b->size(false)});
  mlir::Value accumulator = accumulatorOf(call, call[6], tile::tileOrScalar(shape, wanted));
  if (!accumulator)
    return {};
  return mlir::Value(call.emitter.create<tile::DotScaledOp>(
      accumulator.getType(), a->tile, a->scale, b->tile, b->scale, accumulator, a->format->format,
      b->format->format, a->kPack, b->kPack, *fastMath));
}

constexpr LibraryFunction rows[] = {
    {"triton.language.dot",
     "input, other, acc=None, input_precision=None, allow_tf32=None, max_num_imprecise_acc=None, "
     "out_dtype=None",
     dot},
    {"triton.language.dot_scaled",
     "lhs, lhs_scale, lhs_format, rhs, rhs_scale, rhs_format, acc=None, fast_math=False, lhs_k_pack=True, "
     "rhs_k_pack=True, out_dtype=float32",
     dotScaled},
};

} // namespace

std::span<const LibraryFunction> productRows() { return rows; }

} // namespace tilescope::frontend
