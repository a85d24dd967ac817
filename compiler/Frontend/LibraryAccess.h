// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the rows of loads, stores, atomics and blocks share.
#pragma once

#include "compiler/Frontend/Block.h"
#include "compiler/Frontend/Library.h"

namespace tilescope::frontend {

/// The first argument as a pointer or a tile of pointers; null after "not-a-pointer".
mlir::Value pointerOf(LibraryCall &call);

/// The mask in the shape of the pointers; with `mayGrow` the pointers may take the mask's shape, which is
/// told. False after an error; `mask` is null where the call gives none.
bool fitMask(LibraryCall &call, const Operand &operand, mlir::Value &pointer, mlir::Value &mask,
             bool mayGrow);

/// A value in the pointee type and shape of the pointers; null after an error.
mlir::Value fitValue(LibraryCall &call, const Operand &operand, mlir::Value pointer);

/// A pointer to int1 as Triton sees memory: to int8, a byte an element. Others as they are.
mlir::Value bytePointer(Emitter &emitter, mlir::Value pointer);

/// Of a `cache_modifier` and an `eviction_policy`, which may be None; nothing after an error.
std::optional<tile::Cache> loadCache(LibraryCall &call, const Operand &operand);
std::optional<tile::Cache> storeCache(LibraryCall &call, const Operand &operand);
std::optional<tile::Eviction> evictionOf(LibraryCall &call, const Operand &operand);

//===- Blocks -------------------------------------------------------------------------------------===//

/// tl.load and tl.store of a block pointer. LibraryBlocks.cpp.
Term loadBlockPointer(LibraryCall &call, const BlockTerm &block);
Term storeBlockPointer(LibraryCall &call, const BlockTerm &block);

/// The items of a tuple, list or single int as scalars of si64, as many as `rank`. Errors "block-count",
/// "block-integer"; with `narrow` also "block-offset-width" for values of 64 bits, as Triton refuses them.
std::optional<llvm::SmallVector<mlir::Value>> wideScalars(LibraryCall &call, const Operand &operand,
                                                          std::string_view what, size_t rank, bool narrow);
/// All dimensions of a block, for accesses that check every one.
llvm::SmallVector<int32_t> allDimensions(const BlockTerm &block);
/// A value of the block's shape and element type. `mayCast`: other types are cast; otherwise they are an
/// error "block-value-type" where types are known for sure.
mlir::Value fitBlock(LibraryCall &call, const Operand &operand, const BlockTerm &block,
                     llvm::ArrayRef<int64_t> shape, bool mayCast);

} // namespace tilescope::frontend
