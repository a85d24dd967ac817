// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block pointers and tensor descriptors. Neither is a value of the program: they are a term of the values
// that describe them, which loops, branches and calls carry one by one, and which each access takes as
// operands.
#pragma once

#include "compiler/Frontend/Emitter.h"

namespace tilescope::frontend {

struct BlockTerm {
  enum class Kind : uint8_t {
    Pointer,    ///< of tl.make_block_ptr: has offsets of its own, which tl.advance moves
    Descriptor, ///< of tl.make_tensor_descriptor, or an argument: its accesses say where
  };
  Kind kind = Kind::Pointer;
  llvm::SmallVector<int64_t> blockShape;
  tile::Padding padding = tile::Padding::None; ///< of a descriptor
  mlir::Value base;                            ///< a scalar pointer
  llvm::SmallVector<mlir::Value> shape, strides,
      offsets; ///< si64, in elements; offsets of block pointers only

  size_t rank() const { return blockShape.size(); }
  mlir::Type elementType() const;
  /// The tile that it reads.
  mlir::Type blockType() const { return tile::tileOrScalar(blockShape, elementType()); }
  /// Base, shape, strides, offsets.
  llvm::SmallVector<mlir::Value> values() const;
  /// The same description with its values taken from the front of `values`.
  Term withValues(mlir::ValueRange &values) const;
  /// Do both read the same tiles in the same way, so that one may take the other's place in a branch?
  bool isLike(const BlockTerm &other) const;
};

/// "tensordesc<fp16[64, 32]>", and "pointer<fp16[64, 32]>" of a block pointer.
std::string describe(const BlockTerm &block);

/// `.shape`, `.block_shape`, `.dtype` … of a block pointer or descriptor.
std::optional<Term> blockAttribute(Emitter &emitter, const BlockTerm &block, std::string_view name);

} // namespace tilescope::frontend
