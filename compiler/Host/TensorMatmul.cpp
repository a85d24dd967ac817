// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/TensorMatmul.h"

#include "compiler/Host/TensorElementwise.h"

#include <Eigen/Core>
#include <algorithm>

namespace tilescope::host {

namespace {

template <typename C> using Matrix = Eigen::Matrix<C, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Matrices of a batch are multiplied a band of rows at a time, so that a long product can be stopped.
constexpr int64_t BandMultiplications = int64_t(1) << 26;

/// A matrix operand, its batch broadcast: rows and columns are its last two dimensions.
struct MatrixView {
  LoopOperand batch;
  int64_t rows, columns, rowStride, columnStride;
};

MatrixView viewAsMatrices(const TensorObject &tensor, const Dims &batch, bool forWriting) {
  const size_t lead = tensor.shape.size() - 2;
  TensorObject heads; // the dimensions of the batch only
  heads.shape.assign(tensor.shape.begin(), tensor.shape.begin() + lead);
  heads.strides.assign(tensor.strides.begin(), tensor.strides.begin() + lead);
  return {{contents(tensor, forWriting), tensor.type, broadcastStrides(heads, batch)},
          tensor.shape[lead],
          tensor.shape[lead + 1],
          tensor.strides[lead],
          tensor.strides[lead + 1]};
}

template <typename C> void load(const MatrixView &view, const std::byte *data, Matrix<C> &matrix) {
  matrix.resize(view.rows, view.columns);
  auto loader = chunkLoader<C>(view.batch.type);
  const int64_t bytes = byteSize(view.batch.type);
  for (int64_t r = 0; r < view.rows; ++r)
    loader(data + r * view.rowStride * bytes, view.columnStride, view.columns,
           matrix.data() + r * view.columns);
}

template <typename C>
bool multiply(OperationContext &context, const Dims &batch, const MatrixView &left, const MatrixView &right,
              const MatrixView &result) {
  StridedLoop loop(batch, {left.batch, right.batch, result.batch});
  Matrix<C> a, b, product;
  auto store = chunkStorer<C>(result.batch.type);
  const int64_t bytesA = byteSize(left.batch.type), bytesR = byteSize(result.batch.type);
  const int64_t band =
      std::max<int64_t>(1, BandMultiplications / std::max<int64_t>(1, left.columns * right.columns));
  auto one = [&](std::byte *atA, std::byte *atB, std::byte *atR) {
    load(left, atA, a);
    load(right, atB, b);
    for (int64_t r = 0; r < left.rows; r += band) {
      const int64_t rows = std::min(band, left.rows - r);
      product.noalias() = a.middleRows(r, rows) * b;
      for (int64_t k = 0; k < rows; ++k)
        store(product.data() + k * right.columns, right.columns, atR + (r + k) * result.rowStride * bytesR,
              result.columnStride);
      if (context.stopRequested())
        return false;
    }
    return true;
  };
  return loop.forEachRun([&](const std::vector<std::byte *> &at, int64_t length) {
    for (int64_t i = 0; i < length; ++i)
      if (!one(at[0] + i * loop.innerStride(0) * bytesA,
               at[1] + i * loop.innerStride(1) * byteSize(right.batch.type),
               at[2] + i * loop.innerStride(2) * bytesR))
        return false;
    return true;
  });
}

TensorPtr withDim(const TensorObject &tensor, size_t at) {
  Dims shape = tensor.shape, strides = tensor.strides;
  shape.insert(shape.begin() + at, 1);
  strides.insert(strides.begin() + at, 0);
  return viewOf(tensor, shape, strides, tensor.offset);
}

Dims batchOf(const TensorObject &tensor) { return {tensor.shape.begin(), tensor.shape.end() - 2}; }

} // namespace

Result<TensorPtr> matmul(OperationContext &context, std::string_view name, const TensorPtr &left,
                         const TensorPtr &right, const TensorPtr &destination) {
  if (left->shape.empty() || right->shape.empty())
    return Error{"matmul-no-dimension", {shapeText(left->shape), shapeText(right->shape)}};
  if (left->type != right->type)
    return Error{"matmul-type", {typeText(left->type), typeText(right->type)}};
  const std::array operands{Operand{left, {}}, Operand{right, {}}};
  auto onGpu = commonDevice(name, operands);
  if (!onGpu)
    return onGpu.error();
  // A vector is a row on the left and a column on the right; its dimension is taken out of the result again.
  const bool row = left->rank() == 1, column = right->rank() == 1;
  const TensorPtr a = row ? withDim(*left, 0) : left, b = column ? withDim(*right, 1) : right;
  const int64_t inner = a->shape.back(), innerB = b->shape[b->shape.size() - 2];
  if (inner != innerB)
    return Error{
        "matmul-shape",
        {shapeText(left->shape), shapeText(right->shape), std::to_string(inner), std::to_string(innerB)}};
  auto batch = broadcastShape(batchOf(*a), batchOf(*b));
  if (!batch)
    return batch.error();
  Dims full = *batch, visible = *batch;
  full.insert(full.end(), {a->shape[a->shape.size() - 2], b->shape.back()});
  if (!row)
    visible.push_back(full[full.size() - 2]);
  if (!column)
    visible.push_back(full.back());
  TensorPtr result = destination;
  if (result && (result->shape != visible || result->type != left->type))
    return Error{"shape-mismatch-in-place", {shapeText(visible), shapeText(result->shape)}};
  if (!result) {
    auto made = newTensor(context, visible, left->type, *onGpu);
    if (!made)
      return made;
    result = *made;
  }
  if (context.checking())
    return result;
  if (!context.settle())
    return stopped();
  TensorPtr target = result;
  if (row)
    target = withDim(*target, target->shape.size() - (column ? 0 : 1));
  if (column)
    target = withDim(*target, target->shape.size());
  if (target->elements() > 0) {
    auto run = [&]<typename C>(C) {
      return multiply<C>(context, *batch, viewAsMatrices(*a, *batch, false),
                         viewAsMatrices(*b, *batch, false), viewAsMatrices(*target, *batch, true));
    };
    if (!withArithmetic(left->type, run))
      return stopped();
  }
  charge(context, name, operands, {&result, 1});
  return result;
}

} // namespace tilescope::host
