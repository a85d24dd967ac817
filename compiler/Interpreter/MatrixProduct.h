// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of two matrices in fp32, as `tl.dot` is interpreted.
#pragma once

#include <cstddef>

namespace tilescope::interp {

/// sum += a · b, all row-major: sum is m x n, a is m x k, b is k x n.
struct MatrixProduct {
  float *sum;
  const float *a, *b;
  size_t m, n, k;
};

/// Each product is rounded and added in order of k, whatever the shape and the processor, so that results are the same
/// everywhere.
void addProduct(MatrixProduct product);

// The same for one kind of processor: MatrixProductAvx2.cpp, MatrixProductAvx512.cpp.
void addProductAvx2(MatrixProduct product);
void addProductAvx512(MatrixProduct product);

} // namespace tilescope::interp
