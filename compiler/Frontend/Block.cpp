// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Frontend/Block.h"

#include "compiler/Frontend/Semantics.h"
#include "compiler/Frontend/Types.h"

namespace tilescope::frontend {

mlir::Type BlockTerm::elementType() const {
  return llvm::cast<tile::PointerType>(base.getType()).getPointee();
}

llvm::SmallVector<mlir::Value> BlockTerm::values() const {
  llvm::SmallVector<mlir::Value> result{base};
  for (const auto *part : {&shape, &strides, &offsets})
    result.append(*part);
  return result;
}

Term BlockTerm::withValues(mlir::ValueRange &values) const {
  BlockTerm result = *this;
  result.base = values.front();
  values = values.drop_front();
  for (auto *part : {&result.shape, &result.strides, &result.offsets}) {
    llvm::copy(values.take_front(part->size()), part->begin());
    values = values.drop_front(part->size());
  }
  return std::make_shared<const BlockTerm>(std::move(result));
}

bool BlockTerm::isLike(const BlockTerm &other) const {
  return kind == other.kind && blockShape == other.blockShape && padding == other.padding &&
         base.getType() == other.base.getType();
}

std::string describe(const BlockTerm &block) {
  const char *kind = block.kind == BlockTerm::Kind::Descriptor ? "tensordesc<" : "pointer<";
  return kind + typeName(block.elementType()) + shapeName(block.blockShape) + ">";
}

std::optional<Term> blockAttribute(Emitter &emitter, const BlockTerm &block, std::string_view name) {
  bool isDescriptor = block.kind == BlockTerm::Kind::Descriptor;
  auto tuple = [](llvm::ArrayRef<mlir::Value> values) {
    return makeTuple(std::vector<Term>(values.begin(), values.end()));
  };
  if (name == "dtype")
    return Term(isDescriptor ? block.elementType() : block.base.getType());
  if (name == "type")
    return Term(isDescriptor ? block.blockType() : block.base.getType());
  if (!isDescriptor)
    return std::nullopt;
  if (name == "block_type")
    return Term(block.blockType());
  if (name == "strides")
    return tuple(block.strides);
  if (name == "shape") { // int32, as Triton keeps it
    llvm::SmallVector<mlir::Value> sizes;
    for (mlir::Value size : block.shape)
      sizes.push_back(castTo(emitter, size, int32(emitter.context()), emitter.range()));
    return tuple(sizes);
  }
  if (name == "block_shape") {
    std::vector<Term> sizes;
    for (int64_t size : block.blockShape)
      sizes.push_back(Value(size));
    return makeTuple(std::move(sizes));
  }
  return std::nullopt;
}

} // namespace tilescope::frontend
