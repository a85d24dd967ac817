// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of MatrixProduct.h over vectors of some width: blocks of the sum that fit the registers go through all of
// k. Everything here is local to the file that includes it, which is compiled for one kind of processor.
#pragma once

#include "compiler/Interpreter/MatrixProduct.h"

#include <cstddef>
#include <cstring>

namespace tilescope::interp {
namespace {

template <int Floats> struct VectorOf {
  using Type __attribute__((vector_size(4 * Floats))) = float;
};

/// Rows x (Vectors * Floats) elements of the sum, from its first on.
template <int Floats, int Rows, int Vectors> void addBlock(const MatrixProduct &product) {
  using Vector = typename VectorOf<Floats>::Type;
  const auto &[sum, a, b, m, n, depth] = product;
  Vector total[Rows][Vectors];
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 8
    for (int j = 0; j < Vectors; ++j)
      std::memcpy(&total[i][j], sum + i * n + j * Floats, sizeof(Vector));
  for (size_t k = 0; k < depth; ++k) {
    Vector right[Vectors];
#pragma GCC unroll 8
    for (int j = 0; j < Vectors; ++j)
      std::memcpy(&right[j], b + k * n + j * Floats, sizeof(Vector));
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < Vectors; ++j)
        total[i][j] += a[i * depth + k] * right[j];
  }
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 8
    for (int j = 0; j < Vectors; ++j)
      std::memcpy(sum + i * n + j * Floats, &total[i][j], sizeof(Vector));
}

/// As many columns as a block has, from the first on.
template <int Floats, int Rows, int Vectors> void addColumns(MatrixProduct product) {
  size_t row = 0;
  for (; row + Rows <= product.m; row += Rows) {
    addBlock<Floats, Rows, Vectors>(product);
    product.sum += Rows * product.n;
    product.a += Rows * product.k;
  }
  for (; row < product.m; ++row) {
    addBlock<Floats, 1, Vectors>(product);
    product.sum += product.n;
    product.a += product.k;
  }
}

template <int Floats, int Rows, int Vectors> void addProductByBlocks(MatrixProduct product) {
  size_t column = 0;
  auto go = [&](auto add, size_t columns) {
    for (; column + columns <= product.n; column += columns) {
      add(product);
      product.sum += columns;
      product.b += columns;
    }
  };
  go(&addColumns<Floats, Rows, Vectors>, size_t(Floats) * Vectors);
  go(&addColumns<4, 4, 1>, 4);
  go(&addColumns<1, 4, 1>, 1);
}

} // namespace
} // namespace tilescope::interp
