// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/Tensor.h"

#include <functional>
#include <numeric>

namespace tilescope::host {

int64_t TensorObject::elements() const {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

bool TensorObject::isContiguous() const {
  int64_t expected = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    if (shape[d] == 0)
      return true;
    if (shape[d] != 1 && strides[d] != expected)
      return false;
    expected *= shape[d];
  }
  return true;
}

Address TensorObject::address() const {
  const Address base = storage->memory.allocation(storage->allocation).address;
  return base == 0 ? 0 : base + static_cast<uint64_t>(offset) * byteSize(type);
}

} // namespace tilescope::host
