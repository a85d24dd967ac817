// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tensor library refuses: the id, the values it names, and which argument is to blame.
#include "tests/Host/TensorTesting.h"

#include <gmock/gmock.h>

namespace tilescope::host {
namespace {

using syntax::BinaryOperator;
using testing::ElementsAre;

class OperationErrors : public testing::Test {
protected:
  Value zeros(std::vector<Value> size, const char *type = "torch.float32", const char *device = "cpu") {
    return *context.call("torch.zeros", std::move(size),
                         {{"dtype", makeSymbol(type)}, {"device", Value(device)}});
  }
  void expect(const Result<Value> &result, std::string_view id, std::vector<std::string> arguments) {
    ASSERT_FALSE(bool(result)) << "and not " << id;
    EXPECT_EQ(result.error().id, id);
    EXPECT_EQ(result.error().arguments, arguments);
  }

  TestContext context;
};

TEST_F(OperationErrors, ShapesThatDoNotFit) {
  expect(tensorBinary(context, BinaryOperator::Add, zeros({3, 4}), zeros({3, 5})), "shape-mismatch",
         {"(3, 4)", "(3, 5)", "1", "4", "5"});
  expect(context.call("torch.matmul", {zeros({3, 4}), zeros({5, 6})}), "matmul-shape",
         {"(3, 4)", "(5, 6)", "4", "5"});
  expect(context.call("torch.bmm", {zeros({3, 4}), zeros({4, 6})}), "wrong-rank",
         {"bmm", "3", "(3, 4)", "(4, 6)"});
  expect(context.call(".reshape", {zeros({3, 4}), Value(5)}), "reshape-size", {"(3, 4)", "(5,)"});
  expect(context.call(".view", {*context.call(".t", {zeros({3, 4})}), Value(12)}), "view-not-possible",
         {"(4, 3)", "(1, 4)", "(12,)"});
  expect(context.call(".expand", {zeros({3, 4}), Value(3), Value(5)}), "expand-shape", {"(3, 4)", "(3, 5)"});
  expect(context.call("torch.cat", {makeList({zeros({3, 4}), zeros({2, 5})})}), "cat-shape",
         {"(3, 4)", "(2, 5)", "0"});
  expect(tensorInPlace(context, BinaryOperator::Add, zeros({4}), zeros({3, 4})), "shape-mismatch-in-place",
         {"(3, 4)", "(4,)"});
}

TEST_F(OperationErrors, TypesThatDoNotFit) {
  expect(tensorBinary(context, BinaryOperator::MatMult, zeros({3, 4}), zeros({4, 6}, "torch.float16")),
         "matmul-type", {"float32", "float16"});
  expect(tensorInPlace(context, BinaryOperator::Mult, zeros({3}, "torch.int32"), Value(1.5)), "result-type",
         {"float32", "int32"});
  expect(context.call("torch.mean", {zeros({3}, "torch.int64")}), "floats-only", {"mean", "int64"});
  expect(tensorBinary(context, BinaryOperator::BitAnd, zeros({3}), Value(1)), "bits-of-float",
         {"bitwise_and", "float32"});
  expect(context.call("torch.allclose", {zeros({3}), zeros({3}, "torch.float16")}), "dtype-mismatch",
         {"float32", "float16"});
  expect(tensorBinary(context, BinaryOperator::FloorDiv, zeros({3}, "torch.int32"), Value(0)),
         "division-by-zero", {});
  expect(tensorBinary(context, BinaryOperator::Add, zeros({3}), zeros({3}, "torch.float32", "cuda")),
         "device-mismatch", {"add"});
  expect(tensorBinary(context, BinaryOperator::Add, zeros({3}), Value("text")), "unsupported-operands",
         {"+", "Tensor", "str"});
}

TEST_F(OperationErrors, SizesThatCannotBe) {
  expect(context.call("torch.empty", {Value(3), Value(-2)}), "negative-dimension", {"-2", "(3, -2)"});
  expect(context.call("torch.empty", {Value(int64_t(1) << 40)}), "out-of-memory",
         {std::to_string(int64_t(1) << 42), "0", std::to_string(int64_t(1) << 30)});
  auto huge = context.call("torch.empty", {Value(int64_t(1) << 40), Value(int64_t(1) << 40)}); // 2^82 bytes
  ASSERT_FALSE(bool(huge));
  EXPECT_EQ(huge.error().id, "out-of-memory");
  expect(context.call(".item", {zeros({2})}), "not-one-element", {"(2,)"});
  expect(tensorTruth(context, zeros({2})), "ambiguous-truth", {"(2,)"});
  expect(tensorSubscript(context, zeros({2, 3}), Value(2)), "tensor-index-out-of-range", {"2", "0", "2"});
  expect(tensorSubscript(context, zeros({2}), makeTuple({Value(0), Value(0)})), "too-many-indices",
         {"2", "1"});
  expect(context.call("torch.sum", {zeros({2, 3})}, {{"dim", Value(2)}}), "dimension-out-of-range",
         {"2", "2"});
  expect(context.call("torch.tensor", {makeList({makeList({Value(1), Value(2)}), makeList({Value(3)})})}),
         "ragged-list", {"1", "2", "1"});
}

TEST_F(OperationErrors, ArgumentsAreBlamed) {
  expect(context.call("torch.softmax", {zeros({2})}), "operation-missing-argument", {"softmax", "dim"});
  expect(context.call("torch.exp", {zeros({2})}, {{"axis", Value(0)}}), "operation-unknown-keyword",
         {"exp", "axis"});
  EXPECT_EQ(context.blamed, std::optional<size_t>(1));
  expect(context.call("torch.exp", {Value("x")}), "operation-argument-type",
         {"exp", "input", "Tensor", "str"});
  EXPECT_EQ(context.blamed, std::optional<size_t>(0));
  expect(context.call("torch.sum", {zeros({2})}, {{"keepdim", Value(1.5)}, {"dim", Value("a")}}),
         "operation-argument-type", {"sum", "dim", "int", "str"});
  EXPECT_EQ(context.blamed, std::optional<size_t>(2));
  expect(context.call("torch.t", {zeros({2}), Value(1)}), "operation-too-many-arguments", {"t", "1", "2"});
  expect(context.call("torch.exp", {zeros({2})}, {{"input", zeros({2})}}), "operation-argument-twice",
         {"exp", "input"});
}

TEST_F(OperationErrors, ConvolutionsAndIndicesThatDoNotFit) {
  const std::string functional = "torch.nn.functional.";
  const Value image = zeros({2, 4, 9, 9});
  expect(context.call(functional + "conv2d", {image, zeros({6, 3, 3, 3})}), "channels-mismatch",
         {"(2, 4, 9, 9)", "(6, 3, 3, 3)", "1"});
  expect(context.call(functional + "conv2d", {image, zeros({6, 4, 3, 11})}), "window-too-large",
         {"(3, 11)", "(2, 4, 9, 9)"});
  expect(context.call(functional + "conv2d", {zeros({9, 9}), zeros({6, 4, 3, 3})}), "image-rank",
         {"conv2d", "3", "4", "(9, 9)"});
  expect(context.call(functional + "conv2d", {image, zeros({6, 4, 3, 3}), zeros({5})}),
         "shape-mismatch-in-place", {"(6,)", "(5,)"});
  expect(context.call("torch.index_select", {image, Value(1), zeros({2}, "torch.float32")}), "bad-index-type",
         {"float32"});
  const Value index = *context.call("torch.tensor", {makeList({Value(0), Value(4)})});
  expect(context.call("torch.index_select", {image, Value(1), index}), "tensor-index-out-of-range",
         {"4", "1", "4"});
  expect(context.call("torch.index_select", {zeros({9}, "torch.int8", "cuda"), Value(0), index}),
         "device-mismatch", {"index_select"});
  expect(context.call("torch.bincount", {zeros({2, 2}, "torch.int64")}), "bincount-input",
         {"int64", "(2, 2)"});
  expect(context.call(functional + "cross_entropy", {zeros({2, 4}), index}), "tensor-index-out-of-range",
         {"4", "1", "4"});
}

/// Nothing is kept for each element of a view that repeats one.
TEST_F(OperationErrors, ViewsThatRepeatOneElementTooOften) {
  const Value many = *context.call(".expand", {zeros({1}, "torch.int64"), Value(int64_t(1) << 40)});
  for (const char *name : {"torch.bincount", "torch.nonzero"})
    expect(context.call(name, {many}), "too-many-elements",
           {"(1099511627776,)", std::to_string(int64_t(1) << 28)});
}

TEST_F(OperationErrors, EinsumNamesTheLetter) {
  auto einsum = [&](const char *equation) {
    return context.call("torch.einsum", {Value(equation), zeros({2, 3}), zeros({4, 5})});
  };
  expect(einsum("ij,jk->ik"), "einsum-sizes", {"j", "3", "4"});
  expect(einsum("ij,jkl->ik"), "einsum-rank", {"jkl", "(4, 5)"});
  expect(einsum("ij->ij"), "einsum-operands", {"1", "2"});
  expect(einsum("ii,jk->ik"), "einsum-equation", {"ii,jk->ik"});
  expect(einsum("ij,kl->im"), "einsum-equation", {"ij,kl->im"});
}

TEST_F(OperationErrors, ComparisonsSayHowFarApartTensorsAre) {
  auto list = [&](double a, double b) {
    return *context.call("torch.tensor", {makeList({Value(a), Value(b)})});
  };
  expect(context.call("torch.testing.assert_close", {list(1, 2), list(1, 4)}), "not-close",
         {"1", "2", "2.0", "(1,)", "0.5", "(1,)", "1e-05", "1.3e-06"});
  EXPECT_TRUE(bool(context.call("torch.testing.assert_close", {list(1, 2), list(1, 2)})));
  expect(context.call("torch.testing.assert_close", {list(1, 2), zeros({3})}), "assert-close-shape",
         {"(2,)", "(3,)"});
}

/// As triton.testing has it: 0.01 absolute, whatever the types.
TEST_F(OperationErrors, TritonComparesMoreLeniently) {
  auto one = [&](double a, const char *type) {
    return *context.call("torch.tensor", {makeList({Value(a)})}, {{"dtype", makeSymbol(type)}});
  };
  const std::string assertClose = "triton.testing.assert_close";
  const Value expected = one(1, "torch.float64");
  EXPECT_TRUE(bool(context.call(assertClose, {one(1.009, "torch.float32"), expected})));
  auto far = context.call(assertClose, {one(1.011, "torch.float32"), expected});
  ASSERT_FALSE(bool(far));
  EXPECT_EQ(far.error().id, "not-close");
  EXPECT_TRUE(
      bool(context.call(assertClose, {one(1.011, "torch.float32"), expected}, {{"rtol", Value(0.1)}})));
  expect(context.call(assertClose, {zeros({2}), zeros({1})}), "assert-close-shape", {"(2,)", "(1,)"});
}

TEST_F(OperationErrors, ALongOperationStopsWhenAsked) {
  const Value x = zeros({1000, 1000});
  context.stop = true;
  for (const char *name : {"torch.exp", "torch.sum", ".contiguous"}) {
    auto result = context.call(name, {*context.call(".t", {x})});
    ASSERT_FALSE(bool(result)) << name;
    EXPECT_EQ(result.error().id, "stopped");
  }
}

TEST(OperationNames, TheNearestOneIsFound) {
  EXPECT_EQ(nearestFunction("torch.sotfmax"), "torch.softmax");
  EXPECT_EQ(nearestFunction("torch.empty_lik"), "torch.empty_like");
  EXPECT_EQ(nearestMember("shpae"), "shape");
  EXPECT_EQ(nearestFunction("torch.something_else_entirely"), "");
  EXPECT_EQ(findFunction("torch.matmull"), nullptr);
}

} // namespace
} // namespace tilescope::host
