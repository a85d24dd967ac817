// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation against what PyTorch answered: data/record_tensor_operations.py.
#include "tests/Host/TensorTesting.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

namespace tilescope::host {
namespace {

using nlohmann::json;
using syntax::BinaryOperator;
using syntax::CompareOperator;

const std::map<std::string, BinaryOperator> Binary{
    {"+", BinaryOperator::Add},    {"-", BinaryOperator::Sub},       {"*", BinaryOperator::Mult},
    {"/", BinaryOperator::Div},    {"//", BinaryOperator::FloorDiv}, {"%", BinaryOperator::Mod},
    {"**", BinaryOperator::Pow},   {"@", BinaryOperator::MatMult},   {"&", BinaryOperator::BitAnd},
    {"|", BinaryOperator::BitOr},  {"^", BinaryOperator::BitXor},    {"<<", BinaryOperator::LShift},
    {">>", BinaryOperator::RShift}};
const std::map<std::string, CompareOperator> Compare{
    {"==", CompareOperator::Eq},  {"!=", CompareOperator::NotEq}, {"<", CompareOperator::Lt},
    {"<=", CompareOperator::LtE}, {">", CompareOperator::Gt},     {">=", CompareOperator::GtE}};

Result<Value> evaluate(TestContext &context, const json &recordedCase) {
  const std::string op = recordedCase["op"];
  std::vector<Value> args;
  for (const json &arg : recordedCase["args"])
    args.push_back(argument(context, arg));
  std::vector<std::pair<std::string, Value>> keywords;
  for (const auto &[name, value] : recordedCase["kwargs"].items())
    keywords.emplace_back(name, argument(context, value));
  if (op == "[]")
    return tensorSubscript(context, args[0], args[1]);
  if (op == "[]=") {
    auto done = tensorSetItem(context, args[0], args[1], args[2]);
    return done ? Result<Value>(args[0]) : done;
  }
  if (auto found = Binary.find(op); found != Binary.end())
    return tensorBinary(context, found->second, args[0], args[1]);
  if (auto found = Compare.find(op); found != Compare.end())
    return tensorCompare(context, found->second, args[0], args[1]);
  return context.call(op, args, keywords);
}

/// In units in the last place of the result, or of `scale` if that is larger.
struct Tolerance {
  double ulps = 0, scale = 0;
};

void expectTensor(const json &expected, const TensorObject &actual, const Tolerance &tolerance) {
  EXPECT_EQ(expected["dtype"], torchName(actual.type));
  EXPECT_EQ(expected["shape"].get<Dims>(), actual.shape);
  if (elementCount(actual.shape) > 0) {
    EXPECT_EQ(expected["strides"].get<Dims>(), actual.strides);
  }
  const auto found = values(actual);
  ASSERT_EQ(expected["values"].size(), found.size());
  for (size_t i = 0; i < found.size(); ++i) {
    const double wanted = number(expected["values"][i]);
    if (wanted == found[i] || (wanted != wanted && found[i] != found[i]))
      continue;
    ASSERT_LE(std::fabs(wanted - found[i]),
              tolerance.ulps * ulp(actual.type, std::max(std::fabs(wanted), tolerance.scale)))
        << "element " << i << ": " << found[i] << " and not " << wanted;
  }
}

void expectValue(const json &expected, const Value &actual, const Tolerance &tolerance) {
  if (expected.contains("values")) {
    auto tensor = tensorOf(actual);
    ASSERT_TRUE(tensor) << actual.typeName();
    expectTensor(expected, *tensor, tolerance);
  } else if (expected.contains("tuple")) {
    auto *tuple = actual.as<TupleObject>();
    ASSERT_TRUE(tuple) << actual.typeName();
    ASSERT_EQ(expected["tuple"].size(), tuple->items.size());
    for (size_t i = 0; i < tuple->items.size(); ++i)
      expectValue(expected["tuple"][i], tuple->items[i], tolerance);
  } else if (expected.contains("float")) {
    ASSERT_TRUE(actual.asFloat());
    EXPECT_EQ(number(expected["float"]), *actual.asFloat());
  } else if (auto symbol = symbolName(actual)) {
    EXPECT_EQ(expected["value"], *symbol);
  } else if (auto *list = actual.as<ListObject>()) {
    ASSERT_EQ(expected["value"].size(), list->items.size());
    for (size_t i = 0; i < list->items.size(); ++i)
      expectValue({{"value", expected["value"][i]}}, list->items[i], tolerance);
  } else {
    ASSERT_TRUE(actual.index()) << actual.typeName();
    EXPECT_EQ(number(expected["value"]), double(*actual.index()));
  }
}

TEST(TensorOperations, AgreeWithPyTorch) {
  const json data = recorded("tensor-operations.json");
  ASSERT_GT(data["cases"].size(), 900u);
  for (const json &one : data["cases"]) {
    json brief = one;
    brief.erase("result");
    SCOPED_TRACE(brief.dump());
    TestContext context;
    auto result = evaluate(context, one);
    if (!result) {
      ADD_FAILURE() << result.error().id << " " << json(result.error().arguments).dump();
      continue;
    }
    expectValue(one["result"], *result, {one["ulps"], one["scale"]});
  }
}

const std::set<std::string> ShapedByContents{"[]", "torch.bincount", "torch.nonzero", ".nonzero"};

/// Shapes and types, and nothing else, are worked out while only checking.
TEST(TensorOperations, HaveTheSameShapesAndTypesWhileChecking) {
  const json data = recorded("tensor-operations.json");
  ASSERT_GT(data["cases"].size(), 900u);
  for (const json &one : data["cases"]) {
    SCOPED_TRACE(one["op"].get<std::string>() + one["args"].dump());
    TestContext context(Mode::Check);
    auto result = evaluate(context, one);
    ASSERT_TRUE(bool(result)) << result.error().id;
    EXPECT_EQ(context.costs.size(), 0u);
    const json &expected = one["result"];
    if (isUnknown(*result))
      EXPECT_TRUE(!expected.contains("values") || ShapedByContents.contains(one["op"])) << expected.dump();
    else if (auto tensor = tensorOf(*result)) {
      EXPECT_EQ(expected["dtype"], torchName(tensor->type));
      EXPECT_EQ(expected["shape"].get<Dims>(), tensor->shape);
    }
  }
}

} // namespace
} // namespace tilescope::host
