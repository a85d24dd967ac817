// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers by the element that they are in the first thread. Layouts are linear, so what holds between registers there
// holds in every thread.
#pragma once

#include "compiler/Conversion/TileToLLVM/Emitter.h"

#include "llvm/ADT/DenseMap.h"

namespace tilescope::codegen {

/// Coordinates of an element in its tile.
using Place = llvm::SmallVector<int64_t, 4>;

Place unpack(uint64_t number, llvm::ArrayRef<int64_t> shape); ///< of a row-major number
uint64_t pack(llvm::ArrayRef<int64_t> place, llvm::ArrayRef<int64_t> shape);

class ByElement {
public:
  ByElement(Emitter &e, mlir::Value tile);
  bool has(llvm::ArrayRef<int64_t> place) const { return m_values.contains(pack(place, m_shape)); }
  llvm::Value *at(uint64_t number) const; ///< of a row-major number
  llvm::Value *at(llvm::ArrayRef<int64_t> place) const { return at(pack(place, m_shape)); }

private:
  llvm::ArrayRef<int64_t> m_shape;
  llvm::DenseMap<uint64_t, llvm::Value *> m_values;
};

} // namespace tilescope::codegen
