// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/MatrixProductBlock.h"

namespace tilescope::interp {
namespace {

using Add = void (*)(MatrixProduct);

/// For the widest vectors that the processor has. No version uses a fused multiply-add, which would round differently.
Add fastest() {
#ifdef TILESCOPE_WIDE_PRODUCTS
  if (__builtin_cpu_supports("avx512f"))
    return &addProductAvx512;
  if (__builtin_cpu_supports("avx2"))
    return &addProductAvx2;
#endif
  return &addProductByBlocks<4, 4, 2>;
}

} // namespace

void addProduct(MatrixProduct product) {
  static const Add best = fastest();
  best(product);
}

} // namespace tilescope::interp
