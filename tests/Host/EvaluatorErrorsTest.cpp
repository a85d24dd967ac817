// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every error of the evaluator: its id, its arguments, and the text it marks (between « and » in the script).
#include "tests/Host/EvaluatorTesting.h"

#include <gtest/gtest.h>

namespace tilescope::host {
namespace {

struct ErrorCase {
  std::string script;
  std::string error;
};

const std::string Kernel = "import triton\n@triton.jit\ndef kern(x, n, BLOCK=4):\n    pass\n";

const ErrorCase Cases[] = {
    {"x = «missing»", "undefined-name(missing)"},
    {"def f():\n    print(«x»)\n    x = 1\nf()", "unbound-local(x)"},
    {"(1).«spam»", "no-attribute(int, spam)"},
    {"class A:\n    pass\nA().«spam»", "no-attribute(A, spam)"},
    {"import torch\ntorch.zeros(1).«spam»", "unknown-tensor-attribute(spam)"},
    {"def f(x):\n    pass\n«f»[(1,)](2)", "launch-without-jit(f)"},
    {"x = 3\n«x»(1)", "not-callable(int)"},
    {"«1 + 'a'»", "unsupported-operands(+, int, str)"},
    {"«-'a'»", "unsupported-operand(-, str)"},
    {"«[1] < 3»", "unsupported-operands(<, list, int)"},
    {"«1 // 0»", "division-by-zero()"},
    {"«[1, 2][5]»", "index-out-of-range(5, 2)"},
    {"x = [1]\n«x[3]» = 1", "index-out-of-range(3, 1)"},
    {"«{'a': 1}['b']»", "key-not-found('b')"},
    {"«{[1]}»", "unhashable(list)"},
    {"«(1)[0]»", "not-subscriptable(int)"},
    {"x = (1, 2)\n«x[0]» = 3", "no-item-assignment(tuple)"},
    {"for i in «5»:\n    pass", "not-iterable(int)"},
    {"«a, b» = 1, 2, 3", "unpack-mismatch(2, 3)"},
    {"«a, *b, c» = [1]", "unpack-mismatch(2, 1)"},
    {"d = {1: 2}\nfor k in «d»:\n    d[k + 1] = 0", "changed-while-iterating(dict)"},
    {"assert «1 == 2»", "assertion-failed()"},
    {"assert «1 == 2», f'one is {1}'", "assertion-failed-saying(one is 1)"},
    {"«raise ValueError('no good')»", "exception-raised-saying(ValueError, no good)"},
    {"«raise RuntimeError»", "exception-raised(RuntimeError, )"},
    {"class E(Exception):\n    pass\n«raise E('mine')»", "exception-raised-saying(E, mine)"},
    {"raise «3»", "not-an-exception(int)"},
    {"«raise»", "nothing-to-raise()"},
    {"with «3»:\n    pass", "not-a-context(int)"},
    {"«match» 3:\n    case 3:\n        pass", "unsupported-syntax(match)"},
    {"def g():\n    yield 1\n«g()»", "unsupported-syntax(yield)"},
    {"f = lambda a: a\n«f()»", "missing-argument(<lambda>, a)"},
    {"def f(a, b, *, c):\n    pass\n«f(1)»", "missing-argument(f, b, c)"},
    {"def f(a):\n    pass\nf(1, «2»)", "too-many-arguments(f, 1, 2)"},
    {"def f(a):\n    pass\nf(1, «a»=2)", "duplicate-argument(f, a)"},
    {"def f(alpha):\n    pass\nf(«alpa»=2)", "unexpected-argument(f, alpa)"},
    {"print(**«3»)", "not-a-dict(int)"},
    {"len(1, «2»)", "too-many-arguments(len, 1, 2)"},
    {"«len()»", "too-few-arguments(len, 1, 0)"},
    {"sorted([1], cmp=«3»)", "unexpected-argument(sorted, cmp)"},
    {"'a'.upper(«1»)", "too-many-arguments(upper, 0, 1)"},
    {"int(«'abc'»)", "bad-number-text('abc', int)"},
    {"int('1', «7»)", "bad-base(7)"},
    {"int(«float('nan')»)", "not-finite(nan)"},
    {"range(«1.5»)", "wrong-argument-type(range, int, float)"},
    {"range(1, 2, «0»)", "zero-step()"},
    {"«max([])»", "empty-sequence(max)"},
    {"[1].index(«2»)", "not-in-list(2)"},
    {"'abc'.index(«'z'»)", "text-not-found('z')"},
    {"«[].pop()»", "empty-pop(list)"},
    {"«next(iter([]))»", "iterator-at-end()"},
    {"','.join(«[1]»)", "join-needs-str(0, int)"},
    {"list(«zip([1], [], strict=True)»)", "zip-lengths()"},
    {"isinstance(1, «2»)", "not-a-type(int)"},
    {"import math\n«math.sqrt(-1)»", "math-domain()"},
    {"«super()»", "super-outside-method()"},
    {"f\"«{3:q}»\"", "bad-format(q, int)"},
    {"«'%d %d' % 1»", "bad-template(%d %d)"},
    {"«open('file')»", "no-access(open)"},
    {"«eval('1')»", "no-access(eval)"},
    {"import numpy as np\nx = np.float32\n«np.zeros»(3)", "unknown-library(numpy.zeros)"},
    {"import numpy as np\ny = «np.pi» * 2", "unknown-library(numpy.pi)"},
    {"import numpy as np\ny = 2 - «np.pi»", "unknown-library(numpy.pi)"},
    {"import numpy as np\ny = «np.c_»[1]", "unknown-library(numpy.c_)"},
    {"import numpy\nfor x in «numpy.arange»:\n    pass", "unknown-library(numpy.arange)"},
    {"import numpy\nif «numpy.flag»:\n    pass", "unknown-library(numpy.flag)"},
    {"import torch\n«torch.sofmax»(3)", "unknown-function(torch.sofmax)"},
    {"import torch.nn as nn\nclass Net(nn.Module):\n    pass\nn = «Net»()",
     "unknown-library(torch.nn.Module)"},
    {"import triton.language as tl\n«tl.zeros»((1,))", "kernel-only(triton.language.zeros)"},
    {"import triton\n«triton.testing.do_bench»(lambda: 1)", "timing-unavailable(triton.testing.do_bench)"},
    {"import time\nstart = time.time()\nx = «start» - 1", "timing-unavailable(time.time())"},
    {"import torch\ntorch.device(«'tpu'»)", "unknown-device(tpu)"},
    {Kernel + "«kern(1, 2)»", "kernel-without-grid(kern)"},
    {Kernel + "«kern[(1,)](1)»", "missing-argument(kern, n)"},
    {Kernel + "kern[(1,)](1, 2, «BLOK»=3)", "unexpected-argument(kern, BLOK)"},
    {Kernel + "kern[(1,)](1, 2, «x»=3)", "duplicate-argument(kern, x)"},
    {Kernel + "kern[(1,)](1, 2, 3, «4»)", "too-many-arguments(kern, 3, 4)"},
    {Kernel + "kern[«(10 / 4,)»](1, 2)", "grid-not-integer(0, float)"},
    {Kernel + "kern[«(1, -2)»](1, 2)", "grid-negative(1, -2)"},
    {Kernel + "kern[«(1, 65536)»](1, 2)", "grid-over-limit(1, 65536, 65535)"},
    {Kernel + "kern[«2**31,»](1, 2)", "grid-over-limit(0, 2147483648, 2147483647)"},
    {Kernel + "kern[«10**30»](1, 2)", "grid-over-limit(0, 1000000000000000000000000000000, 2147483647)"},
    {Kernel + "kern[«(1, 1, 1, 1)»](1, 2)", "grid-dimensions(4)"},
    {Kernel + "kern[«()»](1, 2)", "grid-dimensions(0)"},
    {Kernel + "kern[«lambda meta: (1.5,)»](1, 2)", "grid-not-integer(0, float)"},
    {Kernel + "kern[(1,)](1, 2, num_warps=«3»)", "bad-num-warps(3)"},
    {Kernel + "kern[(1,)](1, 2, num_stages=«-1»)", "bad-num-stages(-1)"},
    {"def f(n):\n    return «f(n + 1)»\nf(0)", "recursion-limit(500)"},
    {"«[0] * 10**12»", "too-many-items(10000000)"},
    {"«'x' * 10**12»", "string-too-long(64)"},
    {"«10 ** 10**9»", "integer-too-large(1048576)"},
};

std::string withoutMarks(std::string text) {
  for (const char *mark : {"«", "»"})
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
      text.erase(at, 2);
  return text;
}

std::string between(const std::string &text) {
  size_t first = text.find("«") + 2;
  return withoutMarks(text.substr(first, text.find("»") - first));
}

class Errors : public testing::TestWithParam<ErrorCase> {};

TEST_P(Errors, StandAtTheirPlace) {
  auto run = runScript(withoutMarks(GetParam().script));
  EXPECT_EQ(run.outcome, Outcome::Failed);
  EXPECT_EQ(run.error(), GetParam().error);
  EXPECT_EQ(run.marked(), between(GetParam().script));
  EXPECT_EQ(run.diagnostics.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Evaluator, Errors, testing::ValuesIn(Cases));

std::string fixOf(const std::string &script) {
  auto run = runScript(script);
  if (run.diagnostics.empty() || !run.diagnostics[0].fix)
    return {};
  const DiagnosticFix &fix = *run.diagnostics[0].fix;
  return script.substr(fix.range.begin, fix.range.size()) + " -> " + fix.replacement;
}

TEST(Fixes, TheNearestName) {
  EXPECT_EQ(fixOf("numbers = 1\nprint(nubmers)"), "nubmers -> numbers");
  EXPECT_EQ(fixOf("pritn(1)"), "pritn -> print");
  EXPECT_EQ(fixOf("import torch\ntorch.sofmax(1)"), "sofmax -> softmax");
  EXPECT_EQ(fixOf("import torch\ntorch.zeros(1).shpe"), "shpe -> shape");
  EXPECT_EQ(fixOf("def f(x):\n    pass\nf[(1,)](2)"), " -> @triton.jit\n");
  EXPECT_EQ(fixOf("import triton\ntriton.cdvi(1, 2)"), "cdvi -> cdiv");
  EXPECT_EQ(fixOf("def f(alpha):\n    pass\nf(alpa=2)"), "alpa -> alpha");
  EXPECT_EQ(fixOf(Kernel + "kern[(1,)](1, 2, BLOK=3)"), "BLOK -> BLOCK");
  EXPECT_EQ(fixOf("[1].apend(2)"), "apend -> append");
  EXPECT_EQ(fixOf("class A:\n    def __init__(self):\n        self.value = 1\nA().valeu"), "valeu -> value");
  EXPECT_EQ(fixOf("x = qqqqqqqq"), "");
}

TEST(Notes, TellTheCallsInnermostFirst) {
  auto run = runScript("def inner():\n    return 1 / 0\ndef outer():\n    return inner()\nouter()\n");
  ASSERT_EQ(run.diagnostics.size(), 1u);
  const auto &notes = run.diagnostics[0].notes;
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].id, "called-from");
  EXPECT_EQ(notes[0].arguments, std::vector<std::string>{"inner"});
  EXPECT_EQ(notes[0].span.file->line(notes[0].span.range.begin), 4u);
  EXPECT_EQ(notes[1].arguments, std::vector<std::string>{"outer"});
  EXPECT_EQ(notes[1].span.file->line(notes[1].span.range.begin), 5u);
}

TEST(Notes, AFractionalGridSaysWhatToUse) {
  auto run = runScript(Kernel + "kern[(10 / 4,)](1, 2)");
  ASSERT_EQ(run.diagnostics[0].notes.size(), 1u);
  EXPECT_EQ(run.diagnostics[0].notes[0].id, "use-cdiv");
}

TEST(Errors, WhatWasPrintedBeforeStays) {
  auto run = runScript("print('a')\nprint(1 / 0)\nprint('b')");
  EXPECT_EQ(run.output, "a\n");
}

TEST(Opaque, UnknownNamesMayBePassedAround) {
  auto run = runScript(R"(import numpy as np, pandas
from scipy import special as sp
from matplotlib.pyplot import *
import torch.nn as nn
from typing import Optional

class Net(nn.Module):
    def __init__(self, width: np.ndarray):
        super().__init__()

@np.vectorize
def f(x: Optional[int]) -> pandas.DataFrame:
    return x

table = {np.float32: sp, "plot": figure}
torch_backend = nn.functional
nn.backends.allow_tf32 = True
print(len(table), f(3), np.float32 in table)
)");
  EXPECT_EQ(run.error(), "");
  EXPECT_EQ(run.output, "2 3 True\n");
}

TEST(Machine, TheScriptBelievesInOneGpu) {
  auto run = runScript(R"(import torch, triton, time
from triton.runtime import driver
DEVICE = driver.active.get_active_torch_device()
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(DEVICE, device, device.type, torch.device("cuda:0").index, torch.cuda.device_count(), torch.device("cuda", 0))
print(triton.cdiv(10, 4), triton.next_power_of_2(100), triton.next_power_of_2(64))
print(triton.runtime.driver.active.get_current_target().backend)
torch.cuda.synchronize()
start = time.perf_counter()
with torch.no_grad():
    print("in")
@torch.inference_mode()
def f():
    return "decorated"
print(f())
@triton.testing.perf_report(triton.testing.Benchmark(x_names=["n"], x_vals=[2**i for i in range(3)], args={}))
def benchmark(n):
    return n
)");
  EXPECT_EQ(run.error(), "");
  EXPECT_EQ(run.output, "cuda:0 cuda cuda 0 1 cuda:0\n3 128 64\ncuda\nin\ndecorated\n");
}

TEST(Machine, TheGpuHasProperties) {
  auto run = runScript(R"(import torch, triton
properties = torch.cuda.get_device_properties("cuda")
print(properties.name, properties.multi_processor_count, properties.warp_size)
print(torch.cuda.get_device_name(), torch.cuda.get_device_capability()[0])
table = triton.runtime.driver.active.utils.get_device_properties(torch.cuda.current_device())
print(table["multiprocessor_count"], table["max_shared_mem"], table["max_num_regs"], table["warpSize"])
)");
  EXPECT_EQ(run.error(), "");
  // As torch and Triton say it of an H200.
  EXPECT_EQ(run.output, "NVIDIA H200 132 32\nNVIDIA H200 9\n132 232448 65536 32\n");
}

TEST(Machine, ABenchmarkIsPassedOver) {
  auto run = runScript(R"(import triton
@triton.testing.perf_report(triton.testing.Benchmark(x_names=["n"], x_vals=[1], args={}))
def benchmark(n):
    print("measured")
benchmark.run(print_data=True, show_plots=True)
print("after")
)");
  EXPECT_EQ(run.outcome, Outcome::Finished);
  EXPECT_EQ(run.error(), "benchmark-not-run()");
  EXPECT_EQ(run.diagnostics[0].severity, Severity::Information);
  EXPECT_EQ(run.output, "after\n");
}

TEST(Machine, AnAutogradFunctionRunsForwards) {
  auto run = runScript(R"(import torch
class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x)
        ctx.factor = factor
        print(ctx.saved_tensors[0] is x, ctx.needs_input_grad)
        return x * factor
    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.factor, None
double = Double.apply
print(double(torch.ones(2), 2), Double.apply(torch.ones(1), 3).shape)
)");
  EXPECT_EQ(run.error(), "");
  EXPECT_EQ(run.output, "True (False, False)\nTrue (False, False)\ntensor([2., 2.]) torch.Size([1])\n");
}

} // namespace
} // namespace tilescope::host
