// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scripts that would never end, or would use the machine up.
#include "tests/Host/EvaluatorTesting.h"

#include <gtest/gtest.h>

#include <thread>

namespace tilescope::host {
namespace {

class Endless : public testing::TestWithParam<std::string> {};

TEST_P(Endless, LoopsEndWithTheStepLimit) {
  ScriptOptions options;
  options.stepLimit = 20'000;
  auto run = runScript(GetParam(), options);
  EXPECT_EQ(run.outcome, Outcome::Failed);
  EXPECT_EQ(run.error(), "step-limit(20000)");
}

TEST_P(Endless, LoopsEndSoonAfterAStop) {
  std::atomic<bool> stop = false;
  std::chrono::steady_clock::time_point asked;
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    asked = std::chrono::steady_clock::now();
    stop = true;
  });
  ScriptOptions options;
  options.stop = &stop;
  options.stepLimit = UINT64_MAX;
  auto run = runScript(GetParam(), options);
  auto ended = std::chrono::steady_clock::now();
  stopper.join();
  EXPECT_EQ(run.outcome, Outcome::Stopped);
  EXPECT_TRUE(run.diagnostics.empty());
  // 10 ms is what is promised; a loaded machine without optimisation gets more.
  EXPECT_LT(ended - asked, std::chrono::milliseconds(100));
}

INSTANTIATE_TEST_SUITE_P(
    Limits, Endless,
    testing::Values(
        "while True:\n    pass", "for i in range(10**18):\n    pass",
        "def f():\n    while 1:\n        g()\ndef g():\n    return 1\nf()",
        "x = [0]\nfor v in x:\n    x.append(v)\n    x.pop()\n    x.append(0)\n    del x[0]\n    x.append(1)",
        "while True:\n    try:\n        1 / 0\n    except Exception:\n        pass",
        "while True:\n    try:\n        pass\n    finally:\n        continue",
        "[x for x in range(10**17) if x < 0]", "while True:\n    sum(range(1000))",
        "class A:\n    def __lt__(self, o):\n        while True:\n            pass\nsorted([A(), A()])",
        "n = 0\nwhile True:\n    n += 1\n    f'{n:>1000}'"));

class Deep : public testing::TestWithParam<std::string> {};

TEST_P(Deep, RecursionEndsInAnError) {
  auto run = runScript(GetParam());
  EXPECT_EQ(run.outcome, Outcome::Failed);
  ASSERT_FALSE(run.diagnostics.empty());
  EXPECT_EQ(run.diagnostics[0].id, "recursion-limit");
}

INSTANTIATE_TEST_SUITE_P(
    Limits, Deep,
    testing::Values("def f():\n    f()\nf()", "f = lambda: f()\nf()",
                    "class A:\n    def __init__(self):\n        A()\nA()",
                    "class A:\n    def __repr__(self):\n        return repr(self)\nprint(A())",
                    "class A:\n    def __add__(self, o):\n        return self + o\nA() + A()",
                    "def f(n):\n    return max([f(n)], key=lambda x: f(n))\nf(1)",
                    "x = []\nfor i in range(100000):\n    x = [x]\nprint(x)",
                    "x = []\nfor i in range(1000):\n    x = [x]\nx == [x]\ny = []\nfor i in range(1000):\n   "
                    " y = [y]\nx == y",
                    "class A:\n    def __getitem__(self, i):\n        return self[i]\nA()[0]"));

TEST(Limits, DeepStructuresAreFreedWithoutDeepRecursion) {
  auto run = runScript(R"(class Node:
    def __init__(self, next):
        self.next = next
x = None
for i in range(40000):
    x = Node(x)
f = None
def wrap(g):
    return lambda: g
for i in range(20000):
    f = wrap(f)
print("fine")
)");
  EXPECT_EQ(run.output, "fine\n");
  EXPECT_EQ(run.outcome, Outcome::Finished);
}

TEST(Limits, ManyLaunchesDoNotPileUp) {
  auto run =
      runScript("import triton\n@triton.jit\ndef k(i):\n    pass\nfor i in range(2000):\n    k[(1,)](i)\n");
  EXPECT_EQ(run.launches.size(), 2000u);
  EXPECT_EQ(run.launches[1999].arguments[0], "1999");
}

TEST(Limits, MemoryIsBoundByTheSteps) {
  ScriptOptions options;
  options.stepLimit = 3'000'000;
  auto run = runScript("x = []\nwhile True:\n    x.append([0] * 1000000)", options);
  EXPECT_EQ(run.error(), "step-limit(3000000)");
}

TEST(Limits, SysExitHasAStatus) {
  for (const auto &[call, status] :
       {std::pair("sys.exit(3)", 3), {"sys.exit()", 0}, {"raise SystemExit(-1)", 255}}) {
    auto run =
        runScript(std::string("import sys\ntry:\n    ") + call + "\nexcept Exception:\n    print('caught')");
    EXPECT_EQ(run.outcome, Outcome::Finished) << call;
    EXPECT_EQ(run.output, "");
    EXPECT_EQ(run.exitStatus, status) << call;
  }
  auto run = runScript("import sys\nsys.exit('too bad')");
  EXPECT_EQ(run.outcome, Outcome::Failed);
  EXPECT_EQ(run.error(), "exception-raised-saying(SystemExit, too bad)");
}

TEST(Limits, SysExitEndsQuietly) {
  auto run = runScript("import sys\nprint(1)\nsys.exit()\nprint(2)");
  EXPECT_EQ(run.output, "1\n");
  EXPECT_EQ(run.outcome, Outcome::Finished);
}

} // namespace
} // namespace tilescope::host
