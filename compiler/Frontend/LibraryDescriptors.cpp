// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor descriptors: making them, and their methods. All dimensions of every access are checked.
#include "compiler/Frontend/LibraryAccess.h"
#include "compiler/Frontend/Lowering.h"
#include "compiler/Frontend/Types.h"

namespace tilescope::frontend {

namespace {

using tile::AtomicKind;

//===- Making -------------------------------------------------------------------------------------===//

/// An int that is known while the kernel is compiled, also where a variable holds it.
std::optional<int64_t> knownInt(const Term &term) {
  if (const Value *constant = term.constant())
    return constant->index();
  auto op = term.value() ? term.value().getDefiningOp<tile::ConstantOp>() : tile::ConstantOp();
  auto number = op ? llvm::dyn_cast<mlir::IntegerAttr>(op.getValue()) : mlir::IntegerAttr();
  return number ? std::optional(number.getValue().getSExtValue()) : std::nullopt;
}

/// What a tensor memory accelerator asks for: the last stride is 1, a row of the block has 16 bytes, and
/// other strides are multiples of 16 bytes.
bool checkLayout(LibraryCall &call, const BlockTerm &block) {
  Emitter &emitter = call.emitter;
  auto size = static_cast<int64_t>(tile::byteSizeOf(block.elementType()));
  if (block.blockShape.back() * size < 16) {
    emitter.error(call[3].range, "descriptor-row-bytes",
                  {std::to_string(block.blockShape.back() * size), describe(block)});
    return false;
  }
  std::vector<Term> strides = itemsOf(call[2].term);
  bool mayBeOne =
      !knownInt(strides.back()) && !call.lowering.isLaunched(); // an int that is 1 would be a constant
  if (knownInt(strides.back()) != 1 && !mayBeOne) {
    emitter.error(call[2].range, "descriptor-last-stride", {describe(strides.back())});
    return false;
  }
  strides.pop_back();
  for (const Term &stride : strides)
    if (auto known = knownInt(stride); known && *known * size % 16 != 0) {
      emitter.error(call[2].range, "descriptor-stride-alignment",
                    {std::to_string(*known), std::to_string(*known * size)});
      return false;
    }
  return true;
}

Term makeDescriptor(LibraryCall &call) {
  static constexpr Option<tile::Padding> paddings[] = {{"zero", tile::Padding::Zero},
                                                       {"nan", tile::Padding::NaN}};
  BlockTerm block{.kind = BlockTerm::Kind::Descriptor};
  block.base = call[0].term.value();
  if (!block.base || !tile::isPointer(block.base.getType())) {
    call.emitter.error(call[0].range, "block-base", {"make_tensor_descriptor", describe(call[0].term)});
    return {};
  }
  auto blockShape = tileShape(call.emitter, call[3]);
  auto padding = choose(call.emitter, call[4], paddings);
  if (!blockShape || !padding)
    return {};
  block.blockShape = *blockShape;
  block.padding = *padding;
  if (block.rank() < 1 || block.rank() > 5) {
    call.emitter.error(call[3].range, "descriptor-rank", {std::to_string(block.rank())});
    return {};
  }
  auto shape = wideScalars(call, call[1], "shape", block.rank(), false);
  auto strides = wideScalars(call, call[2], "strides", block.rank(), false);
  if (!shape || !strides || !checkLayout(call, block))
    return {};
  if (block.padding == tile::Padding::NaN && !tile::isFloat(block.elementType())) {
    call.emitter.error(call[4].range, "padding-of-integers", {typeName(block.elementType())});
    return {};
  }
  block.shape = *shape;
  block.strides = *strides;
  return std::make_shared<const BlockTerm>(std::move(block));
}

//===- Blocks at offsets --------------------------------------------------------------------------===//

/// The descriptor that a call is about; null after an error.
const BlockTerm *descriptorOf(LibraryCall &call) {
  const BlockTerm *block = call[0].term.block();
  if (block && block->kind == BlockTerm::Kind::Descriptor)
    return block;
  call.emitter.error(call[0].range, "not-a-descriptor",
                     {std::string(lastPart(call.function.name)), describe(call[0].term)});
  return nullptr;
}

Term load(LibraryCall &call) {
  const BlockTerm *block = descriptorOf(call);
  auto offsets = block ? wideScalars(call, call[1], "offsets", block->rank(), true) : std::nullopt;
  if (!offsets)
    return {};
  return mlir::Value(call.emitter.create<tile::BlockLoadOp>(block->blockType(), block->base, *offsets,
                                                            block->shape, block->strides,
                                                            allDimensions(*block), block->padding));
}

Term store(LibraryCall &call) {
  const BlockTerm *block = descriptorOf(call);
  auto offsets = block ? wideScalars(call, call[1], "offsets", block->rank(), true) : std::nullopt;
  mlir::Value value =
      offsets ? fitBlock(call, call[2], *block, block->blockShape, /*mayCast=*/true) : mlir::Value();
  if (!value)
    return {};
  call.emitter.create<tile::BlockStoreOp>(block->base, *offsets, value, block->shape, block->strides,
                                          allDimensions(*block));
  return Value();
}

/// What atomics of descriptors take, as Triton has it.
constexpr ElementType addable[] = {ElementType::Int32,   ElementType::UInt32,  ElementType::UInt64,
                                   ElementType::Float32, ElementType::Float16, ElementType::BFloat16};
constexpr ElementType comparable[] = {ElementType::Int32,  ElementType::UInt32,  ElementType::Int64,
                                      ElementType::UInt64, ElementType::Float16, ElementType::BFloat16};
constexpr ElementType bitwise[] = {ElementType::Int32, ElementType::UInt32, ElementType::Int64,
                                   ElementType::UInt64};

std::span<const ElementType> takenBy(AtomicKind kind) {
  switch (kind) {
  case AtomicKind::Add:
    return addable;
  case AtomicKind::Max:
  case AtomicKind::Min:
    return comparable;
  default:
    return bitwise;
  }
}

bool checkAtomicType(LibraryCall &call, const BlockTerm &block, AtomicKind kind) {
  std::span<const ElementType> taken = takenBy(kind);
  auto element = elementType(block.elementType());
  if (element && llvm::is_contained(taken, *element))
    return true;
  std::string names;
  for (ElementType type : taken)
    names += (names.empty() ? "" : ", ") + std::string(tritonName(type));
  call.emitter.error(call[0].range, "dtype-not-supported",
                     {std::string(lastPart(call.function.name)), names, typeName(block.elementType())});
  return false;
}

template <AtomicKind Kind> Term atomic(LibraryCall &call) {
  const BlockTerm *block = descriptorOf(call);
  if (!block || !checkAtomicType(call, *block, Kind))
    return {};
  auto offsets = wideScalars(call, call[1], "offsets", block->rank(), true);
  mlir::Value value = offsets ? fitBlock(call, call[2], *block, block->blockShape, false) : mlir::Value();
  if (!value)
    return {};
  call.emitter.create<tile::BlockReduceOp>(Kind, block->base, *offsets, value, block->shape, block->strides,
                                           allDimensions(*block));
  return Value();
}

//===- Chosen rows --------------------------------------------------------------------------------===//

struct Rows {
  const BlockTerm *block = nullptr;
  mlir::Value rows, column;
  llvm::SmallVector<int64_t> shape; ///< of what is read or written
  explicit operator bool() const { return column != nullptr; }
};

bool checkRowBlock(LibraryCall &call, const BlockTerm &block) {
  if (block.rank() != 2 || block.blockShape[0] != 1) {
    call.emitter.error(call[0].range, "gather-block", {describe(block)});
    return false;
  }
  int64_t least = 32 / static_cast<int64_t>(tile::bitWidthOf(block.elementType())) * 8;
  if (block.blockShape[1] >= least)
    return true;
  call.emitter.error(call[0].range, "gather-columns", {describe(block), std::to_string(least)});
  return false;
}

/// Rows and column of a gather or scatter, from argument `first` on.
Rows rowsOf(LibraryCall &call, size_t first) {
  const BlockTerm *block = descriptorOf(call);
  if (!block || !checkRowBlock(call, *block))
    return {};
  mlir::Value rows = toTile(call.emitter, call[first]);
  if (!rows)
    return {};
  auto element = elementType(tile::elementTypeOf(rows.getType()));
  llvm::ArrayRef<int64_t> shape = tile::shapeOf(rows.getType());
  bool isNarrow = element == ElementType::Int32 || element == ElementType::Int16;
  if (shape.size() != 1 || shape[0] < 8 || (!isNarrow && call.lowering.isLaunched())) {
    call.emitter.error(call[first].range, "gather-rows", {typeName(rows.getType())});
    return {};
  }
  auto column = wideScalars(call, call[first + 1], "offsets", 1, true);
  return column ? Rows{block, rows, (*column)[0], {shape[0], block->blockShape[1]}} : Rows{};
}

Term gather(LibraryCall &call) {
  Rows at = rowsOf(call, 1);
  if (!at)
    return {};
  mlir::Type type = tile::tileOrScalar(at.shape, at.block->elementType());
  return mlir::Value(call.emitter.create<tile::BlockGatherOp>(
      type, at.block->base, at.rows, at.column, at.block->shape, at.block->strides, at.block->padding));
}

Term scatter(LibraryCall &call) {
  Rows at = rowsOf(call, 2);
  mlir::Value value = at ? fitBlock(call, call[1], *at.block, at.shape, /*mayCast=*/false) : mlir::Value();
  if (!value)
    return {};
  call.emitter.create<tile::BlockScatterOp>(at.block->base, at.rows, at.column, value, at.block->shape,
                                            at.block->strides);
  return Value();
}

constexpr std::string_view making = "base, shape, strides, block_shape, padding_option='zero'";
constexpr std::string_view atomicSignature = "self, offsets, value";
constexpr LibraryFunction rows[] = {
    {"triton.language.make_tensor_descriptor", making, makeDescriptor},
    {"triton.language._experimental_make_tensor_descriptor", making, makeDescriptor},
    {"triton.language.load_tensor_descriptor", "desc, offsets", load},
    {"triton.language.store_tensor_descriptor", "desc, offsets, value", store},
    {"triton.language.tensor_descriptor.load", "self, offsets", load},
    {"triton.language.tensor_descriptor.store", "self, offsets, value", store},
    {"triton.language.tensor_descriptor.gather", "self, x_offsets, y_offset", gather},
    {"triton.language.tensor_descriptor.scatter", "self, value, x_offsets, y_offset", scatter},
    {"triton.language.tensor_descriptor.atomic_add", atomicSignature, atomic<AtomicKind::Add>},
    {"triton.language.tensor_descriptor.atomic_min", atomicSignature, atomic<AtomicKind::Min>},
    {"triton.language.tensor_descriptor.atomic_max", atomicSignature, atomic<AtomicKind::Max>},
    {"triton.language.tensor_descriptor.atomic_and", atomicSignature, atomic<AtomicKind::And>},
    {"triton.language.tensor_descriptor.atomic_or", atomicSignature, atomic<AtomicKind::Or>},
    {"triton.language.tensor_descriptor.atomic_xor", atomicSignature, atomic<AtomicKind::Xor>},
};

} // namespace

std::span<const LibraryFunction> descriptorRows() { return rows; }

} // namespace tilescope::frontend
