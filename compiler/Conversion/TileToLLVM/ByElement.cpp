// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Conversion/TileToLLVM/ByElement.h"

namespace tilescope::codegen {

Place unpack(uint64_t number, llvm::ArrayRef<int64_t> shape) {
  Place place(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; number /= uint64_t(shape[dim]))
    place[dim] = int64_t(number % uint64_t(shape[dim]));
  return place;
}

uint64_t pack(llvm::ArrayRef<int64_t> place, llvm::ArrayRef<int64_t> shape) {
  uint64_t number = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    number = number * uint64_t(shape[dim]) + uint64_t(place[dim]);
  return number;
}

ByElement::ByElement(Emitter &e, mlir::Value tile) : m_shape(tile::shapeOf(tile.getType())) {
  const layout::LinearLayout &map = Emitter::mapOf(tile.getType());
  for (auto [reg, value] : llvm::enumerate(e.of(tile)))
    m_values.try_emplace(map.apply(reg), value);
}

llvm::Value *ByElement::at(uint64_t number) const {
  llvm::Value *value = m_values.lookup(number);
  assert(value && "the element is in the thread that needs it");
  return value;
}

} // namespace tilescope::codegen
