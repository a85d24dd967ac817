// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kernel[grid](…): what reaches the launcher, when, and what is refused.
#include "tests/Host/EvaluatorTesting.h"

#include <gmock/gmock.h>

namespace tilescope::host {
namespace {

using testing::ElementsAre;

const std::string Kernel = R"(import triton
import triton.language as tl

@triton.jit
def k(x, n, BLOCK: tl.constexpr = 64, SCALE=1.5):
    undefined_in_a_kernel_is_not_evaluated

)";

ScriptRun launchOf(const std::string &line, ScriptOptions options = {}) {
  return runScript(Kernel + line, options);
}

struct GridCase {
  std::string grid;
  std::array<int64_t, 3> expected;
};
class Grids : public testing::TestWithParam<GridCase> {};

TEST_P(Grids, ReachTheLauncher) {
  auto run = launchOf("k[" + GetParam().grid + "](1, 1000, BLOCK=128)");
  EXPECT_EQ(run.error(), "");
  ASSERT_EQ(run.launches.size(), 1u);
  EXPECT_EQ(run.launches[0].grid, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Launch, Grids,
    testing::Values(GridCase{"(4,)", {4, 1, 1}}, GridCase{"4", {4, 1, 1}}, GridCase{"[2, 3]", {2, 3, 1}},
                    GridCase{"2, 3, 4", {2, 3, 4}}, GridCase{"(65536 * 4, 65535)", {262144, 65535, 1}},
                    GridCase{"lambda META: (triton.cdiv(1000, META['BLOCK']),)", {8, 1, 1}},
                    GridCase{"lambda meta: (meta.get('n') // meta['BLOCK'], meta['x'])", {7, 1, 1}},
                    GridCase{"lambda meta: (int(meta['SCALE'] * 2),)", {3, 1, 1}}));

TEST(Launch, BindsArgumentsDefaultsAndOptions) {
  auto run =
      launchOf("k[(1,)](n=3, x=None, num_warps=8, num_stages=2, maxnreg=64)\nk[(1,)](1, 2, 16, SCALE=2.0)\n");
  EXPECT_EQ(run.error(), "");
  ASSERT_EQ(run.launches.size(), 2u);
  EXPECT_THAT(run.launches[0].arguments, ElementsAre("None", "3", "64", "1.5"));
  EXPECT_EQ(run.launches[0].numWarps, 8);
  EXPECT_EQ(run.launches[0].numStages, 2);
  EXPECT_EQ(run.launches[0].line, 8u);
  EXPECT_THAT(run.launches[1].arguments, ElementsAre("1", "2", "16", "2.0"));
  EXPECT_EQ(run.launches[1].numWarps, 4);
}

TEST(Launch, AKernelThatGathersArgumentsIsRefused) {
  const std::string head = "import triton\n@triton.jit\n";
  EXPECT_EQ(runScript(head + "def k(*xs): pass\nk[(1,)](1, 2)").error(), "kernel-star-parameter(xs, k)");
  EXPECT_EQ(runScript(head + "def k(**xs): pass\nk[(1,)](a=1)").error(), "kernel-star-parameter(xs, k)");
}

TEST(Launch, ATensorOnTheCpuIsWarnedOfAtItsArgument) {
  auto run = launchOf("import torch\na = torch.zeros(8)\nb = a.cuda()\nk[(1,)](b, 8)\nk[(1,)](a, 8)");
  EXPECT_EQ(run.outcome, Outcome::Finished);
  ASSERT_EQ(run.diagnostics.size(), 1u);
  EXPECT_EQ(run.diagnostics[0].id, "tensor-on-cpu");
  EXPECT_EQ(run.launches.size(), 2u);
}

TEST(Launch, TensorsAreNamedAfterTheirVariables) {
  auto run = launchOf("import torch\na = torch.zeros(8, device='cuda')\nk[(1,)](a, a.shape[0])");
  EXPECT_EQ(run.error(), "");
  ASSERT_EQ(run.launches.size(), 1u);
  EXPECT_THAT(run.launches[0].arguments, ElementsAre("Tensor", "8", "64", "1.5"));
}

TEST(Launch, WaitsUntilSomethingIsPrintedOrTheScriptEnds) {
  auto run = launchOf("print('a')\nk[(1,)](1, 2)\nx = 3\nprint('b')\nk[(2,)](1, 2)\n");
  ASSERT_EQ(run.launches.size(), 2u);
  EXPECT_EQ(run.launches[0].printedBefore, 2u);
  EXPECT_EQ(run.launches[1].printedBefore, 4u);
}

TEST(Launch, AFailureEndsTheScriptBeforeTheNextPrint) {
  ScriptOptions options;
  options.failKernel = "k";
  auto run = launchOf("print('a')\ndef f():\n    k[(1,)](1, 2)\nf()\nprint('b')\n", options);
  EXPECT_EQ(run.output, "a\n");
  EXPECT_EQ(run.outcome, Outcome::Failed);
  ASSERT_EQ(run.diagnostics.size(), 1u);
  EXPECT_EQ(run.error(), "test-failure()");
  ASSERT_EQ(run.diagnostics[0].notes.size(), 1u);
  EXPECT_EQ(run.diagnostics[0].notes[0].id, "called-from");
}

TEST(Launch, AnEmptyGridIsAWarningAndRunsNothing) {
  auto run = launchOf("k[(0,)](1, 2)");
  EXPECT_EQ(run.outcome, Outcome::Finished);
  EXPECT_TRUE(run.launches.empty());
  EXPECT_EQ(run.error(), "grid-empty(k)");
  EXPECT_EQ(run.diagnostics[0].severity, Severity::Warning);
  EXPECT_EQ(run.marked(), "(0,)");
}

TEST(Launch, AutotunedKernelsTakeTheirFirstConfiguration) {
  auto run = runScript(R"(import triton
configs = [triton.Config({"BLOCK": b, "SCALE": 2}, num_warps=w) for b, w in [(32, 8), (64, 4)]]

@triton.autotune(configs=configs, key=["n"])
@triton.jit
def k(x, n, BLOCK, SCALE):
    pass

k[lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)](1, 100)
)");
  EXPECT_EQ(run.error(), "");
  ASSERT_EQ(run.launches.size(), 1u);
  EXPECT_THAT(run.launches[0].arguments, ElementsAre("1", "100", "32", "2"));
  EXPECT_EQ(run.launches[0].numWarps, 8);
  EXPECT_EQ(run.launches[0].grid[0], 4);
}

TEST(Launch, HeuristicsSeeTheArguments) {
  auto run = runScript(R"(import triton

@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def k(x, n, EVEN, BLOCK=16):
    pass

k[(1,)](1, 32)
k[(1,)](1, 33)
)");
  ASSERT_EQ(run.launches.size(), 2u);
  EXPECT_EQ(run.launches[0].arguments[2], "True");
  EXPECT_EQ(run.launches[1].arguments[2], "False");
}

TEST(Launch, WhileCheckingEveryLaunchIsCompiledAndNothingPrinted) {
  ScriptOptions options;
  options.mode = Mode::Check;
  options.failKernel = "k";
  auto run = launchOf("k[(1,)](1, 2)\nprint('x')\nk[(2,)](1, 2)\n", options);
  EXPECT_EQ(run.launches.size(), 2u);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.diagnostics.size(), 2u);
  EXPECT_EQ(run.outcome, Outcome::Failed);
}

TEST(Charges, SayWhichLineCostsWhat) {
  auto run = runScript(R"(import torch
x = torch.ones(4, 4)
def f(x):
    z = x - x.max(dim=1)[0][:, None]
    return torch.softmax(z, dim=1)
y = f(x)
)");
  EXPECT_EQ(run.error(), "");
  EXPECT_THAT(run.charges, testing::IsSupersetOf({"4 max 1", "4 sub 1", "5 softmax 1"}));
}

TEST(Check, WhatDependsOnContentsIsUnknown) {
  ScriptOptions options;
  options.mode = Mode::Check;
  auto run = launchOf(R"(import torch
x = torch.rand(16, device="cuda")
total = x.sum().item() + 1
label = f"{total:.2f}" + str(total)
assert torch.allclose(x, x), f"differ by {total}"
k[(x.shape[0],)](x, 16)
k[(total,)](x, 16)
k[(1,)](x, total)
if total > 3:
    k[(9,)](x, 16)
k[(10,)](x, 16)
)",
                      options);
  EXPECT_EQ(run.error(), "");
  EXPECT_EQ(run.outcome, Outcome::Finished);
  ASSERT_EQ(run.launches.size(), 1u); // nothing is known about the others, nor whether the end is reached
  EXPECT_EQ(run.launches[0].grid[0], 16);
}

TEST(Check, MistakesAreFoundAllTheSame) {
  ScriptOptions options;
  options.mode = Mode::Check;
  auto run = launchOf("import torch\nx = torch.rand(4)\nprint(x)\nk[(1,)](x)\n", options);
  EXPECT_EQ(run.error(), "missing-argument(k, n)");
}

} // namespace
} // namespace tilescope::host
