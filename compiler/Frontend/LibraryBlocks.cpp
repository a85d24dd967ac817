// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block pointers: making, moving, reading and writing them. What they share with tensor descriptors
// (LibraryDescriptors.cpp) is here too.
#include "compiler/Frontend/LibraryAccess.h"
#include "compiler/Frontend/Lowering.h"
#include "compiler/Frontend/Types.h"

#include <numeric>

namespace tilescope::frontend {

//===- Shared with descriptors --------------------------------------------------------------------===//

namespace {

std::string nameOf(const LibraryCall &call) { return std::string(lastPart(call.function.name)); }

/// One number of a shape, strides or offsets as si64; null after an error.
mlir::Value wideScalar(LibraryCall &call, const Operand &item, std::string_view what, bool narrow) {
  Emitter &emitter = call.emitter;
  mlir::Type wide = int64(emitter.context());
  const Value *constant = item.term.constant();
  if (constant && constant->index())
    return constantOf(emitter, wide, *constant);
  mlir::Value value = item.term.value();
  if (!value || !tile::isInteger(value.getType())) {
    emitter.error(item.range, "block-integer", {std::string(what), describe(item.term)});
    return {};
  }
  if (narrow && tile::bitWidthOf(value.getType()) > 32 && call.lowering.isLaunched()) {
    emitter.error(item.range, "block-offset-width", {std::string(what), typeName(value.getType())});
    return {};
  }
  return castTo(emitter, value, wide, item.range);
}

} // namespace

std::optional<llvm::SmallVector<mlir::Value>> wideScalars(LibraryCall &call, const Operand &operand,
                                                          std::string_view what, size_t rank, bool narrow) {
  std::vector<Term> items = itemsOf(operand.term);
  if (items.size() != rank) {
    call.emitter.error(operand.range, "block-count",
                       {std::string(what), std::to_string(items.size()), std::to_string(rank)});
    return std::nullopt;
  }
  llvm::SmallVector<mlir::Value> result;
  for (const Term &item : items) {
    mlir::Value value = wideScalar(call, {item, operand.range}, what, narrow);
    if (!value)
      return std::nullopt;
    result.push_back(value);
  }
  return result;
}

llvm::SmallVector<int32_t> allDimensions(const BlockTerm &block) {
  llvm::SmallVector<int32_t> result(block.rank());
  std::iota(result.begin(), result.end(), 0);
  return result;
}

mlir::Value fitBlock(LibraryCall &call, const Operand &operand, const BlockTerm &block,
                     llvm::ArrayRef<int64_t> shape, bool mayCast) {
  mlir::Value value = toTensor(call.emitter, operand);
  if (!value)
    return {};
  if (tile::shapeOf(value.getType()) != shape) {
    Diagnostic &error =
        call.emitter.error(operand.range, "block-value-shape",
                           {nameOf(call), shapeName(tile::shapeOf(value.getType())), shapeName(shape)});
    error.notes.insert(error.notes.begin(),
                       {"has-type", {describe(call[0].term)}, call.emitter.span(call[0].range)});
    return {};
  }
  mlir::Type element = tile::elementTypeOf(value.getType()), wanted = block.elementType();
  if (element != wanted && !mayCast && call.lowering.isLaunched()) {
    call.emitter.error(operand.range, "block-value-type",
                       {nameOf(call), typeName(element), typeName(wanted)});
    return {};
  }
  return castTo(call.emitter, value, wanted, operand.range);
}

//===- Making and moving --------------------------------------------------------------------------===//

namespace {

/// `order` says which dimension is nearest in memory; it changes no meaning, but must be sound.
bool checkOrder(LibraryCall &call, const Operand &operand, size_t rank) {
  auto order = constantShape(call.emitter, operand);
  if (!order)
    return false;
  llvm::SmallVector<int64_t> sorted(*order), wanted(rank);
  std::iota(wanted.begin(), wanted.end(), 0);
  llvm::sort(sorted);
  if (sorted == wanted)
    return true;
  call.emitter.error(operand.range, "block-order", {shapeName(*order), std::to_string(rank)});
  return false;
}

mlir::Value scalarPointer(LibraryCall &call) {
  mlir::Value base = call[0].term.value();
  if (base && tile::isPointer(base.getType()))
    return bytePointer(call.emitter, base);
  call.emitter.error(call[0].range, "block-base", {nameOf(call), describe(call[0].term)});
  return {};
}

Term makeBlockPointer(LibraryCall &call) {
  BlockTerm block;
  block.base = scalarPointer(call);
  auto blockShape = tileShape(call.emitter, call[4]);
  if (!block.base || !blockShape)
    return {};
  block.blockShape = *blockShape;
  auto shape = wideScalars(call, call[1], "shape", block.rank(), false);
  auto strides = wideScalars(call, call[2], "strides", block.rank(), false);
  auto offsets = wideScalars(call, call[3], "offsets", block.rank(), true);
  if (!shape || !strides || !offsets || !checkOrder(call, call[5], block.rank()))
    return {};
  block.shape = *shape;
  block.strides = *strides;
  block.offsets = *offsets;
  return std::make_shared<const BlockTerm>(std::move(block));
}

Term advance(LibraryCall &call) {
  const BlockTerm *block = call[0].term.block();
  if (!block || block->kind != BlockTerm::Kind::Pointer) {
    call.emitter.error(call[0].range, "not-a-block-pointer", {describe(call[0].term)});
    return {};
  }
  auto steps = wideScalars(call, call[1], "offsets", block->rank(), true);
  if (!steps)
    return {};
  BlockTerm moved = *block;
  for (auto [offset, step] : llvm::zip_equal(moved.offsets, *steps))
    offset = call.emitter.create<tile::AddOp>(offset, step);
  return std::make_shared<const BlockTerm>(std::move(moved));
}

//===- Reading and writing ------------------------------------------------------------------------===//

/// The dimensions of `boundary_check`, ascending; nothing after an error.
std::optional<llvm::SmallVector<int32_t>> checkedDimensions(LibraryCall &call, const Operand &operand,
                                                            size_t rank) {
  if (operand.term.isNone())
    return llvm::SmallVector<int32_t>();
  auto given = constantShape(call.emitter, operand);
  if (!given)
    return std::nullopt;
  llvm::SmallVector<int32_t> result;
  for (int64_t dimension : *given) {
    bool isDimension = dimension >= 0 && dimension < static_cast<int64_t>(rank);
    if (!isDimension || llvm::is_contained(result, dimension)) {
      call.emitter.error(operand.range, isDimension ? "boundary-check-repeated" : "boundary-check-dimension",
                         {std::to_string(dimension), std::to_string(rank)});
      return std::nullopt;
    }
    result.push_back(static_cast<int32_t>(dimension));
  }
  llvm::sort(result);
  return result;
}

bool refuseMask(LibraryCall &call, std::initializer_list<std::pair<size_t, const char *>> arguments) {
  for (auto [i, name] : arguments)
    if (!call[i].term.isNone()) {
      call.emitter.error(call[i].range, "block-pointer-mask", {nameOf(call), name});
      return false;
    }
  return true;
}

std::optional<tile::Padding> paddingOf(LibraryCall &call, const Operand &operand, mlir::Type element) {
  static constexpr Option<tile::Padding> paddings[] = {
      {"", tile::Padding::None}, {"zero", tile::Padding::Zero}, {"nan", tile::Padding::NaN}};
  auto padding = operand.term.isNone() ? tile::Padding::None : choose(call.emitter, operand, paddings);
  if (padding != tile::Padding::NaN || tile::isFloat(element))
    return padding;
  call.emitter.error(operand.range, "padding-of-integers", {typeName(element)});
  return std::nullopt;
}

} // namespace

Term loadBlockPointer(LibraryCall &call, const BlockTerm &block) {
  auto checked = checkedDimensions(call, call[3], block.rank());
  auto padding = paddingOf(call, call[4], block.elementType());
  auto cache = loadCache(call, call[5]);
  auto eviction = evictionOf(call, call[6]);
  if (!refuseMask(call, {{1, "mask"}, {2, "other"}}) || !checked || !padding || !cache || !eviction)
    return {};
  return mlir::Value(call.emitter.create<tile::BlockLoadOp>(block.blockType(), block.base, block.offsets,
                                                            block.shape, block.strides, *checked, *padding,
                                                            *cache, *eviction));
}

Term storeBlockPointer(LibraryCall &call, const BlockTerm &block) {
  auto checked = checkedDimensions(call, call[3], block.rank());
  auto cache = storeCache(call, call[4]);
  auto eviction = evictionOf(call, call[5]);
  if (!refuseMask(call, {{2, "mask"}}) || !checked || !cache || !eviction)
    return {};
  Operand value = call[1];
  if (mlir::Value given = toTensor(call.emitter, value)) // a scalar fills the block
    value.term = llvm::isa<tile::TileType>(given.getType())
                     ? given
                     : broadcastTo(call.emitter, given, block.blockShape, value.range);
  mlir::Value stored = fitBlock(call, value, block, block.blockShape, /*mayCast=*/false);
  if (!stored)
    return {};
  call.emitter.create<tile::BlockStoreOp>(block.base, block.offsets, stored, block.shape, block.strides,
                                          *checked, *cache, *eviction);
  return Value();
}

namespace {

constexpr LibraryFunction rows[] = {
    {"triton.language.make_block_ptr", "base, shape, strides, offsets, block_shape, order", makeBlockPointer},
    {"triton.language.advance", "base, offsets", advance, /*isMethod=*/true},
};

} // namespace

std::span<const LibraryFunction> blockRows() { return rows; }

} // namespace tilescope::frontend
