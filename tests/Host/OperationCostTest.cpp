// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What eager operations cost. The figures are counted by hand from the definition of each operation.
#include "tests/Host/TensorTesting.h"

#include <gmock/gmock.h>

namespace tilescope::host {
namespace {

using testing::Each;
using testing::Field;
using testing::Pair;

constexpr int64_t M = 37, N = 53;

/// The account of what was done since the last call.
OperationCost total(TestContext &context) {
  OperationCost sum;
  for (const auto &[name, cost] : std::exchange(context.costs, {})) {
    sum.kernels += cost.kernels;
    sum.elementsRead += cost.elementsRead;
    sum.elementsWritten += cost.elementsWritten;
    sum.bytesRead += cost.bytesRead;
    sum.bytesWritten += cost.bytesWritten;
  }
  return sum;
}

TensorPtr matrix(TestContext &context, int64_t rows, int64_t columns, const char *type = "torch.float32") {
  auto tensor = context.tensor("torch.zeros", {Value(rows), Value(columns)}, {{"dtype", makeSymbol(type)}});
  context.costs.clear();
  return tensor;
}

/// z = x - x.max(dim=1, keepdim=True).values; e = exp(z); e / e.sum(dim=1, keepdim=True)
TEST(OperationCost, SoftmaxWrittenOutIsFiveKernels) {
  TestContext context;
  const Value x = valueOf(matrix(context, M, N));
  auto largest = context.call("torch.max", {x}, {{"dim", Value(1)}, {"keepdim", Value(true)}});
  ASSERT_TRUE(bool(largest));
  auto shifted = tensorBinary(context, syntax::BinaryOperator::Sub, x, largest->as<TupleObject>()->items[0]);
  auto exponentials = context.call("torch.exp", {*shifted});
  auto sum = context.call("torch.sum", {*exponentials}, {{"dim", Value(1)}, {"keepdim", Value(true)}});
  auto result = tensorBinary(context, syntax::BinaryOperator::Div, *exponentials, *sum);
  ASSERT_TRUE(bool(result));
  EXPECT_THAT(context.costs, Each(Pair(testing::_, Field(&OperationCost::kernels, 1))));
  const OperationCost cost = total(context);
  EXPECT_EQ(cost.kernels, 5);
  EXPECT_EQ(cost.elementsRead, 5 * M * N + 2 * M);
  EXPECT_EQ(cost.elementsWritten, 3 * M * N + 2 * M);
  EXPECT_EQ(cost.bytesRead, 4 * cost.elementsRead);
  EXPECT_EQ(cost.bytesWritten, 4 * cost.elementsWritten);
}

TEST(OperationCost, FusedOperationsAreOneKernelOfSeveralPasses) {
  TestContext context;
  const Value x = valueOf(matrix(context, M, N));
  context.tensor("torch.softmax", {x}, {{"dim", Value(1)}});
  ASSERT_EQ(context.costs.size(), 1u);
  EXPECT_EQ(context.costs[0].second.kernels, 1);
  EXPECT_GT(context.costs[0].second.passes, 1);
  context.costs.clear();
  const Value row = valueOf(context.tensor("torch.ones", {Value(N)}));
  context.costs.clear();
  context.tensor("torch.nn.functional.layer_norm", {x, makeTuple({Value(N)}), row, row});
  const OperationCost cost = total(context);
  EXPECT_EQ(cost.kernels, 1);
  EXPECT_EQ(cost.elementsRead, M * N + 2 * N);
}

TEST(OperationCost, ProductsReadBothMatricesOnce) {
  TestContext context;
  const Value a = valueOf(matrix(context, M, N, "torch.float16")),
              b = valueOf(matrix(context, N, 8, "torch.float16"));
  context.tensor("torch.matmul", {a, b});
  OperationCost cost = total(context);
  EXPECT_EQ(cost.kernels, 1);
  EXPECT_EQ(cost.bytesRead, 2 * (M * N + N * 8));
  EXPECT_EQ(cost.bytesWritten, 2 * M * 8);
  context.tensor("torch.addmm", {valueOf(matrix(context, M, 8, "torch.float16")), a, b});
  cost = total(context);
  EXPECT_EQ(cost.kernels, 1);
  EXPECT_EQ(cost.elementsRead, M * N + N * 8 + M * 8);
}

/// The patches of an image are never written out.
TEST(OperationCost, AConvolutionIsOneKernel) {
  TestContext context;
  const Value image = valueOf(context.tensor("torch.zeros", {Value(2), Value(4), Value(9), Value(8)})),
              filters = valueOf(context.tensor("torch.zeros", {Value(6), Value(4), Value(3), Value(3)}));
  context.costs.clear();
  context.tensor("torch.nn.functional.conv2d", {image, filters}, {{"padding", Value(1)}});
  const OperationCost cost = total(context);
  EXPECT_EQ(cost.kernels, 1);
  EXPECT_EQ(cost.elementsRead, 2 * 4 * 9 * 8 + 6 * 4 * 3 * 3);
  EXPECT_EQ(cost.elementsWritten, 2 * 6 * 9 * 8);
}

TEST(OperationCost, WhatIsPickedIsRead) {
  TestContext context;
  const Value table = valueOf(matrix(context, 1000, N));
  const Value rows = valueOf(context.tensor("torch.tensor", {makeList({Value(7), Value(999)})}));
  context.costs.clear();
  context.tensor("torch.nn.functional.embedding", {rows, table});
  const OperationCost cost = total(context);
  EXPECT_EQ(cost.kernels, 1);
  EXPECT_EQ(cost.bytesRead, 4 * 2 * N + 8 * 2);
  EXPECT_EQ(cost.bytesWritten, 4 * 2 * N);
}

TEST(OperationCost, EinsumIsItsProducts) {
  TestContext context;
  const Value a = valueOf(matrix(context, M, N)), b = valueOf(matrix(context, N, 8));
  context.tensor("torch.einsum", {Value("ij,jk->ik"), a, b});
  const OperationCost cost = total(context);
  EXPECT_EQ(cost.kernels, 1);
  EXPECT_EQ(cost.elementsRead, M * N + N * 8);
  EXPECT_EQ(cost.elementsWritten, M * 8);
}

TEST(OperationCost, ViewsAndComparisonsAreFree) {
  TestContext context;
  const Value x = valueOf(matrix(context, M, N));
  context.tensor(".t", {x});
  context.tensor(".reshape", {x, Value(-1)});
  EXPECT_TRUE(bool(context.call("torch.allclose", {x, x})));
  EXPECT_TRUE(context.costs.empty());
}

} // namespace
} // namespace tilescope::host
