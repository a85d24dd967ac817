// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of tiles. fp16, bf16 and 8-bit floats multiply exactly in fp32 and are summed in fp32; fp32
// operands are first cut to TF32, as tensor cores read them, unless IEEE precision is asked for. Sums in fp32 are in
// order of k (MatrixProduct.h).
#include "compiler/Interpreter/Machine.h"
#include "compiler/Interpreter/MatrixProduct.h"
#include "compiler/Interpreter/Operations.h"

#include <Eigen/Core>

#include <bit>

namespace tilescope::interp {

namespace {

template <typename T> using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T> using View = Eigen::Map<Matrix<T>>;
template <typename T> using ConstView = Eigen::Map<const Matrix<T>>;

/// The 10 digits of TF32; the rest is not read.
float toTf32(float value) { return std::bit_cast<float>(std::bit_cast<uint32_t>(value) & 0xffff'e000u); }
/// The digits of bf16, to nearest.
float toBrain(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fff'ffff) > 0x7f80'0000)
    return value;
  return std::bit_cast<float>((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff'0000u);
}

using interp::addProduct;

template <typename A, typename B> void addProduct(View<float> sum, const A &a, const B &b) {
  addProduct(MatrixProduct{sum.data(), a.data(), b.data(), size_t(sum.rows()), size_t(sum.cols()), size_t(a.cols())});
}

/// A number as a sum of parts with few digits; the products of parts are summed, the small ones first, as
/// Triton does (F32DotTC).
void addProductOfParts(View<float> sum, ConstView<float> a, ConstView<float> b, float (*part)(float),
                       int parts, int greatest) {
  Matrix<float> left[3], right[3];
  Matrix<float> restA = a, restB = b;
  for (int i = 0; i < parts; ++i) {
    left[i] = restA.unaryExpr(part);
    right[i] = restB.unaryExpr(part);
    restA -= left[i];
    restB -= right[i];
  }
  for (int level = greatest; level >= 0; --level)
    for (int i = std::min(level, parts - 1); i >= 0 && level - i < parts; --i)
      addProduct(sum, left[i], right[level - i]);
}

void addProduct(View<float> sum, ConstView<float> a, ConstView<float> b, DotPrecision precision) {
  switch (precision) {
  case DotPrecision::Exact:
    addProduct(sum, a, b);
    break;
  case DotPrecision::Tf32:
    addProduct(sum, Matrix<float>(a.unaryExpr(&toTf32)), Matrix<float>(b.unaryExpr(&toTf32)));
    break;
  case DotPrecision::Tf32x3:
    addProductOfParts(sum, a, b, &toTf32, 2, 1);
    break;
  case DotPrecision::Bf16x3:
    addProductOfParts(sum, a, b, &toBrain, 2, 1);
    break;
  case DotPrecision::Bf16x6:
    addProductOfParts(sum, a, b, &toBrain, 3, 2);
    break;
  }
}

void addProduct(View<double> sum, ConstView<double> a, ConstView<double> b, DotPrecision) {
  sum.noalias() += a * b;
}

/// Integers wrap in 32 bits.
template <typename T> void addProduct(View<uint32_t> sum, ConstView<T> a, ConstView<T> b, DotPrecision) {
  sum.noalias() += a.template cast<int32_t>().template cast<uint32_t>().lazyProduct(
      b.template cast<int32_t>().template cast<uint32_t>());
}

template <typename T, typename Sum> void dotLoop(Frame &frame, const Instruction &instruction) {
  const DotDetail &dot = frame.kernel.dot(instruction.detail);
  const T *a = frame.at<T>(instruction.operands[0]), *b = frame.at<T>(instruction.operands[1]);
  const Sum *accumulator = frame.at<Sum>(instruction.operands[2]);
  Sum *result = frame.at<Sum>(instruction.result);
  const size_t size = size_t(dot.m) * dot.n;
  if (instruction.single & 4)
    std::fill_n(result, size * dot.batch, *accumulator);
  else if (result != accumulator)
    std::copy_n(accumulator, size * dot.batch, result);
  for (uint32_t i = 0; i < dot.batch; ++i)
    addProduct(View<Sum>(result + i * size, dot.m, dot.n),
               ConstView<T>(a + size_t(i) * dot.m * dot.k, dot.m, dot.k),
               ConstView<T>(b + size_t(i) * dot.k * dot.n, dot.k, dot.n), dot.precision);
}

} // namespace

Handler dot(ElementType operand, ElementType accumulator) {
  switch (slotType(operand)) {
  case ElementType::Float32:
    return slotType(accumulator) == ElementType::Float32 ? &dotLoop<float, float> : nullptr;
  case ElementType::Float64:
    return &dotLoop<double, double>;
  case ElementType::Int8:
    return &dotLoop<int8_t, uint32_t>;
  case ElementType::UInt8:
    return &dotLoop<uint8_t, uint32_t>;
  default:
    return nullptr;
  }
}

} // namespace tilescope::interp
