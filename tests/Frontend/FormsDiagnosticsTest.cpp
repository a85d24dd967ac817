// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms that are refused, or taken with a warning: id, the text of the range, arguments; and what the fixes
// leave. Triton refuses the same (data/forms.txt).
#include "tests/Frontend/Script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace tilescope::frontend::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char *head = "@triton.jit\ndef k(p, q, h, n, m, f, u32, B: tl.constexpr):\n";

Compiled body(const std::string &statements, const std::string &before = "") {
  std::string text = before + head;
  std::istringstream lines(statements);
  for (std::string line; std::getline(lines, line);)
    text += "    " + line + "\n";
  return compileKernel(text);
}

struct Case {
  const char *statements;
  const char *error;
  const char *before = "";
};

class Refused : public ::testing::TestWithParam<Case> {};

TEST_P(Refused, HasIdRangeAndArguments) {
  Compiled c = body(GetParam().statements, GetParam().before);
  EXPECT_THAT(c.errors(), ElementsAre(GetParam().error)) << GetParam().statements;
  EXPECT_TRUE(c.ir.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Statements, Refused,
    ::testing::Values(
        Case{"x = y = 3", "kernel-chained-assignment|x = y = 3|x = 3, y = x"},
        Case{"[x, y] = n, m", "kernel-list-target|[x, y]|"},
        Case{"for a in (n, m):\n    pass", "loop-iterator|(n, m)|(int32, int64)"},
        Case{"for a, c in tl.static_range(2):\n    pass", "cannot-unpack|tl.static_range(2)|constexpr[0]"},
        Case{"while B > 3:\n    n += 1", "constant-loop-condition|B > 3|constexpr[True]"},
        Case{"with open('x'):\n    pass", "kernel-with|open('x')|", "open = tl.load\n"},
        Case{"for i in range(n):\n    B = B + 1", "constant-reassigned|B|B, constexpr[64]"},
        Case{"if n > 3:\n    B = n", "constant-reassigned|B|B, constexpr[64]"},
        Case{"x = None\nfor i in range(n):\n    x = n", "loop-carried-type|x|x, None, int32"},
        Case{"if n > 3:\n    x = n\nelse:\n    x = None", "branch-types|x|x, int32, None"},
        Case{"if 'text':\n    x = 1", "kernel-condition-type|'text'|constexpr['text']"},
        Case{"if B / 3:\n    x = 1", "kernel-condition-type|B / 3|constexpr[21.333333333333332]"},
        Case{"x = 1 if (n, m) else 2", "kernel-condition-type|(n, m)|(int32, int64)"}));

INSTANTIATE_TEST_SUITE_P(
    Expressions, Refused,
    ::testing::Values(
        Case{"x: tl.constexpr = B in (1, 2)", "kernel-membership|B in (1, 2)|in"},
        Case{"x: tl.constexpr = B not in (1, 2)", "kernel-membership|B not in (1, 2)|not in"},
        Case{"x = tl.tuple(a for a in (n, m))", "kernel-generator|(a for a in (n, m))|"},
        Case{"x = [a for a in range(3)]", "comprehension-iterable|range(3)|constexpr[range(0, 3)]"},
        Case{"x = [a for a in (n, m) if a > 3]", "comprehension-condition|a > 3|int1"},
        Case{"x = (*(n, m), 3)", "kernel-starred|*(n, m)|"}, Case{"x = +n", "unary-plus|+n|int32"},
        Case{"x = abs(n)", "python-name|abs|abs, tl.abs"},
        Case{"x = bool(n)", "python-name|bool|bool, x != 0"},
        Case{"x = total(tl.arange(0, 8))", "noinline-tile|tl.arange(0, 8)|total, int32[8]",
             "@triton.jit(noinline=True)\ndef total(a):\n    return a\n"},
        Case{"tl.static_assert(B)", "static-assert-run-time|B|constexpr[64]"},
        Case{"x = count(n)", "recursive-call|count(a - 1)|count",
             "@triton.jit\ndef count(a):\n    if a == 0:\n        return a\n    return count(a - 1)\n"}));

struct Warned {
  const char *statements;
  const char *warning;
};
class Warnings : public ::testing::TestWithParam<Warned> {};

TEST_P(Warnings, DoNotStopTheKernel) {
  Compiled c = body(GetParam().statements, "SIZE: tl.constexpr = 4\n");
  EXPECT_THAT(c.errors(), ElementsAre(GetParam().warning)) << GetParam().statements;
  EXPECT_FALSE(c.ir.empty());
}

INSTANTIATE_TEST_SUITE_P(All, Warnings,
                         ::testing::Values(Warned{"x: tl.constexpr = n + 1",
                                                  "constexpr-of-run-time-value|tl.constexpr|x, int32"},
                                           Warned{"x = n + SIZE", "global-annotated-constexpr|SIZE|SIZE"},
                                           Warned{"o = tl.arange(0, 8)\nx = o < n & o < m",
                                                  "comparison-precedence|o < n & o < m|&"},
                                           Warned{"x = None\nif n > 3:\n    x = n\nif x is None:\n    y = 1",
                                                  "reset-after-branch|x|x, None"}));

struct FixCase {
  const char *statement, *fixed;
};
class FormFixes : public ::testing::TestWithParam<FixCase> {};

TEST_P(FormFixes, LeaveTheRightText) {
  Compiled c = body(GetParam().statement, "SIZE: tl.constexpr = 4\n");
  ASSERT_FALSE(c.diagnostics.empty());
  EXPECT_THAT(c.fixed(), HasSubstr(GetParam().fixed));
}

INSTANTIATE_TEST_SUITE_P(
    All, FormFixes,
    ::testing::Values(FixCase{"x = +n", "    x = n\n"}, FixCase{"x = sum(n)", "    x = tl.sum(n)\n"},
                      FixCase{"x = n + SIZE", "SIZE: tl.constexpr = tl.constexpr(4)\n"}));

TEST(Forms, ReturnsInsideUnrolledLoopsKeepTheirOrder) {
  Compiled c = body("for i in tl.static_range(2):\n    if n == i:\n        return\n    tl.store(q + i, i)\n"
                    "tl.store(q + 7, 7)");
  EXPECT_THAT(c.errors(), ElementsAre());
  size_t first = c.ir.find("tile.if"), second = c.ir.find("tile.if", first + 1);
  ASSERT_NE(second, std::string::npos);
  EXPECT_GT(c.ir.rfind("tile.store"), second) << "what follows the loop stands in its innermost branch";
}

TEST(Forms, EarlierConstantsStayInTuplesThatMerge) {
  Compiled c = body("x: tl.constexpr = f2(n)[1]",
                    "@triton.jit\ndef f2(a):\n    if a > 3:\n        return a, 5\n    return a + 1, 5\n");
  EXPECT_THAT(c.errors(), ElementsAre());
}

} // namespace
} // namespace tilescope::frontend::test
