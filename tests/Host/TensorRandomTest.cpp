// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers: those of the CPU against what PyTorch gave (data/record_tensor_random.py), Philox against
// the test vectors of its authors and the best-known numbers of torch's CUDA generator.
#include "compiler/Host/Random.h"
#include "tests/Host/TensorTesting.h"

#include <gtest/gtest.h>

namespace tilescope::host {
namespace {

using nlohmann::json;

std::vector<double> edges(std::vector<double> all) {
  if (all.size() > 48)
    all.erase(all.begin() + 24, all.end() - 24);
  return all;
}

std::vector<Value> argumentsOf(TestContext &context, const json &args) {
  std::vector<Value> values;
  for (const json &arg : args)
    values.push_back(argument(context, arg));
  return values;
}

void expectNumbers(TestContext &context, const json &call) {
  std::vector<std::pair<std::string, Value>> keywords;
  if (!call["dtype"].is_null())
    keywords.emplace_back("dtype", makeSymbol(call["dtype"]));
  auto result =
      context.call("torch." + call["name"].get<std::string>(), argumentsOf(context, call["args"]), keywords);
  ASSERT_TRUE(bool(result)) << result.error().id;
  context.settle();
  if (call["values"].is_null())
    return;
  auto tensor = tensorOf(*result);
  const auto found = edges(values(*tensor));
  ASSERT_EQ(found.size(), call["values"].size());
  // log, sin and cos are approximate in PyTorch too; a uniform number or an integer is exact.
  const double ulps = call["name"] == "randn" ? 8 : 0;
  for (size_t i = 0; i < found.size(); ++i) {
    const double wanted = call["values"][i].get<double>();
    ASSERT_NEAR(found[i], wanted, ulps * ulp(tensor->type, std::max(1.0, std::fabs(wanted))))
        << "element " << i;
  }
}

TEST(TensorRandom, CpuNumbersAreThoseOfPyTorch) {
  const json data = recorded("tensor-random.json");
  ASSERT_EQ(data["programs"].size(), 10u);
  for (const json &program : data["programs"]) {
    TestContext context;
    for (const json &call : program) {
      SCOPED_TRACE(call.dump().substr(0, 120));
      expectNumbers(context, call);
    }
  }
}

TEST(TensorRandom, IsDrawnLateButInTheOrderOfTheProgram) {
  TestContext late, early;
  std::vector<TensorPtr> drawn;
  EXPECT_TRUE(bool(late.call("torch.manual_seed", {Value(3)})));
  for (int i = 0; i < 3; ++i)
    drawn.push_back(late.tensor("torch.rand", {Value(5)}));
  EXPECT_EQ(late.settled, 0u);
  late.settle();
  EXPECT_TRUE(bool(early.call("torch.manual_seed", {Value(3)})));
  for (int i = 0; i < 3; ++i) {
    auto tensor = early.tensor("torch.rand", {Value(5)});
    early.settle();
    EXPECT_EQ(values(*tensor), values(*drawn[i]));
  }
}

/// Random123's kat_vectors, philox4x32 with 10 rounds.
TEST(TensorRandom, PhiloxGivesItsTestVectors) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (PhiloxWords{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr uint32_t F = 0xffffffff;
  EXPECT_EQ(philox({F, F, F, F}, {F, F}), (PhiloxWords{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxWords{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

/// torch.manual_seed(0); torch.rand(5, device="cuda") and torch.randn(5, device="cuda"), as widely printed.
TEST(TensorRandom, GpuNumbersAreThoseOfPyTorch) {
  const std::vector<std::pair<std::string, std::vector<double>>> known{
      {"torch.rand", {0.3990, 0.5167, 0.0249, 0.9401, 0.9459}},
      {"torch.randn", {-0.9247, -0.4253, -2.6438, 0.1452, -0.1209}}};
  for (const auto &[name, numbers] : known) {
    TestContext context;
    EXPECT_TRUE(bool(context.call("torch.manual_seed", {Value(0)})));
    auto tensor = context.tensor(name, {Value(5)}, {{"device", Value("cuda")}});
    context.settle();
    const auto found = values(*tensor);
    for (size_t i = 0; i < numbers.size(); ++i)
      EXPECT_NEAR(found[i], numbers[i], 5.1e-5) << name << " " << i;
  }
}

/// A thread fills four elements with one draw, as many elements apart as there are threads; what a second
/// call gives goes on where the first one ended.
TEST(TensorRandom, GpuThreadsStrideOverTheTensor) {
  PhiloxGenerator generator;
  generator.seed(9);
  const int64_t threads = 132 * 2048, count = threads * 5;
  const auto launch = generator.launch(count, 4);
  EXPECT_EQ(launch.threads, threads);
  EXPECT_EQ(launch.turns, 2);
  EXPECT_EQ(launch.words(0, 3), philox({0, 0, 3, 0}, {9, 0}));
  EXPECT_EQ(launch.element(0, 3, 2), 3 + 2 * threads);
  EXPECT_EQ(launch.words(1, 3), philox({1, 0, 3, 0}, {9, 0}));
  EXPECT_EQ(launch.element(1, 3, 0), 3 + 4 * threads);
  EXPECT_EQ(generator.launch(1, 4).words(0, 0), philox({2, 0, 0, 0}, {9, 0}));
}

} // namespace
} // namespace tilescope::host
