// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every claim about every value of random kernels holds for the numbers that come out of them.
#include "tests/Analysis/Claims.h"
#include "tests/Analysis/RandomKernel.h"

#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace tilescope::analysis::test {
namespace {

std::string text(Operation *op) {
  std::string result;
  llvm::raw_string_ostream(result) << *op;
  return result;
}

MLIRContext &tileContext() {
  static MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  return context;
}

class RandomKernels : public testing::TestWithParam<unsigned> {};

TEST_P(RandomKernels, EveryClaimHolds) {
  for (unsigned seed = GetParam() * 20; seed < (GetParam() + 1) * 20; ++seed) {
    RandomKernel kernel(tileContext(), seed);
    ASSERT_TRUE(succeeded(verify(kernel.module())));
    const AxisInfoAnalysis facts(kernel.function());
    for (int64_t program = 0; program < 3; ++program)
      ASSERT_EQ(firstWrongClaim(kernel.function(), facts, program, kernel.arguments()), "")
          << "seed " << seed << "\n"
          << text(kernel.module());
  }
}

// The test means something only if much is claimed.
TEST(RandomKernelsTogether, MuchIsKnown) {
  unsigned contiguous = 0, divisible = 0, constant = 0, nonNegative = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    RandomKernel kernel(tileContext(), seed);
    const AxisInfoAnalysis facts(kernel.function());
    kernel.function().walk([&](Operation *op) {
      for (Value result : op->getResults()) {
        const AxisInfo info = facts.of(result);
        nonNegative += info.isNonNegative;
        for (const AxisFacts &axis : info.axes) {
          contiguous += axis.contiguity > 1;
          divisible += axis.divisibility > 1;
          constant += axis.constancy > 1;
        }
      }
    });
  }
  EXPECT_GT(contiguous, 200u);
  EXPECT_GT(divisible, 800u);
  EXPECT_GT(constant, 400u);
  EXPECT_GT(nonNegative, 400u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomKernels, testing::Range(0u, 8u));

} // namespace
} // namespace tilescope::analysis::test
