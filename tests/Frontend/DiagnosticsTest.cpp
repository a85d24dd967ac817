// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each error with its id, the text that its range covers, and its arguments; fixes as the text they leave.
#include "tests/Frontend/Script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace tilescope::frontend::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char *head = "@triton.jit\ndef k(p, q, h, b, u, n, m, f, u32, B: tl.constexpr):\n"
                             "    o = tl.arange(0, B)\n    x = tl.load(p + o)\n";

Compiled body(const std::string &statements, const std::string &before = "") {
  std::string text = before + head;
  std::istringstream lines(statements);
  for (std::string line; std::getline(lines, line);)
    text += "    " + line + "\n";
  return compileKernel(text);
}

struct Case {
  const char *statements;
  const char *error; ///< "id|text of the range|arguments"
  const char *before = "";
};

class OneError : public ::testing::TestWithParam<Case> {};

TEST_P(OneError, HasIdRangeAndArguments) {
  Compiled c = body(GetParam().statements, GetParam().before);
  EXPECT_THAT(c.errors(), ElementsAre(GetParam().error)) << GetParam().statements;
}

constexpr const char *helper = "@triton.jit\ndef helper(a, c: tl.constexpr = 2):\n    return a + c\n";

INSTANTIATE_TEST_SUITE_P(
    Names, OneError,
    ::testing::Values(Case{"y = ofset + 1\nz = ofset", "undefined-name|ofset|ofset"},
                      Case{"if n > 3:\n    y = 1\nz = y", "defined-in-one-branch|y|y"},
                      Case{"for i in range(n):\n    y = 1\nz = y", "defined-in-loop-only|y|y"},
                      Case{"y = x + SIZE", "global-not-constexpr|SIZE|SIZE", "SIZE = 4\n"},
                      Case{"y = x.shap", "unknown-attribute|shap|fp32[64], shap"},
                      Case{"y = tl.lod(p)", "unknown-library-function|tl.lod|triton.language.lod"},
                      Case{"y = tl.extra.cuda.convert_custom_float8_sm80(x, tl.float16)",
                           "unsupported-library-function|tl.extra.cuda.convert_custom_float8_sm80|triton."
                           "language.extra.cuda.convert_custom_float8_sm80"},
                      Case{"y = torch.exp(x)", "host-only|torch.exp|torch.exp"},
                      Case{"y = plain(x)", "not-a-jit-function|plain|plain", "def plain(a):\n    return a\n"},
                      Case{"y = n(3)", "not-callable|n|int32"}));

INSTANTIATE_TEST_SUITE_P(
    Calls, OneError,
    ::testing::Values(Case{"y = tl.load(p, msk=n > 3)", "unknown-keyword|msk|load, msk"},
                      Case{"y = tl.program_id()", "missing-argument|tl.program_id()|program_id, axis"},
                      Case{"y = tl.program_id(0, 1)", "too-many-arguments|1|program_id, 1, 2"},
                      Case{"y = tl.program_id(0, axis=1)", "repeated-argument|axis|program_id, axis"},
                      Case{"y = tl.program_id(3)", "grid-axis|3|3"},
                      Case{"y = helper(n, d=2)", "unknown-keyword|d|helper, d", helper},
                      Case{"y = tl.load(p, eviction_policy='evict_lats')",
                           "unknown-option|'evict_lats'|evict_lats, evict_normal, evict_first, evict_last"},
                      Case{"y = tl.cast(x, 3)", "type-expected|3|constexpr[3]"},
                      Case{"y = ping(n)", "recursive-call|ping(a)|ping",
                           "@triton.jit\ndef ping(a):\n    return pong(a)\n@triton.jit\ndef pong(a):\n    "
                           "return ping(a)\n"}));

INSTANTIATE_TEST_SUITE_P(
    Shapes, OneError,
    ::testing::Values(
        Case{"y = tl.arange(0, 200)", "arange-length|200|200, 256"},
        Case{"y = tl.arange(0, n)", "run-time-shape|n|int32"},
        Case{"y = tl.arange(4, 4)", "arange-empty|tl.arange(4, 4)|4, 4"},
        Case{"y = tl.zeros((B, n), tl.float32)", "run-time-shape|tl.zeros((B, n), tl.float32)|int32"},
        Case{"y = tl.zeros((B, 3), tl.float32)",
             "shape-not-power-of-two|tl.zeros((B, 3), tl.float32)|[64, 3], 3"},
        Case{"y = x + tl.arange(0, 32)", "tile-shapes-differ|x + tl.arange(0, 32)|[64], [32], 0"},
        Case{"y = tl.broadcast_to(x, (32, 32))", "broadcast-rank|x|[64], [32, 32]"},
        Case{"y = tl.reshape(x, (32,))", "reshape-count|tl.reshape(x, (32,))|[64], 64, [32], 32"},
        Case{"y = x[0]", "tile-index|0|"}, Case{"y = x[3:]", "tile-index|3:|"},
        Case{"y = n[0]", "scalar-index|0|"}, Case{"y = x[:, :]", "too-many-indices|:, :|2, 1"},
        Case{"y = tl.sum(x, 1)", "axis-out-of-range|1|1, 1"},
        Case{"y = tl.trans(x)", "transpose-rank|x|fp32[64]"},
        Case{"y = tl.permute(x[:, None], (0, 0))", "permute-order|(0, 0)|[0, 0], 2"},
        Case{"y = tl.split(x)", "split-shape|x|fp32[64]"},
        Case{"y = tl.dot(x[:, None], x[:, None])",
             "dot-shapes|tl.dot(x[:, None], x[:, None])|fp32[64, 1], fp32[64, 1]"},
        Case{"y = tl.dot(tl.zeros((16, 8), tl.float16), tl.zeros((8, 16), tl.float16))",
             "dot-too-small|tl.dot(tl.zeros((16, 8), tl.float16), tl.zeros((8, 16), tl.float16))|"
             "8, 16, fp16[16, 8], fp16[8, 16]"}));

INSTANTIATE_TEST_SUITE_P(
    Types, OneError,
    ::testing::Values(Case{"y = tl.sum(3)", "tile-expected|3|constexpr[3]"},
                      Case{"y = p + f", "operand-types|p + f|+, pointer<fp32>, fp32"},
                      Case{"y = p - p", "operand-types|p - p|-, pointer<fp32>, pointer<fp32>"},
                      Case{"y = f & 1", "operand-types|f & 1|&, fp32, constexpr[1]"},
                      Case{"y = x // 2", "operand-types|x // 2|//, fp32[64], constexpr[2]"},
                      Case{"y = n % u32", "mixed-signedness|n % u32|%, int32, uint32"},
                      Case{"y = u32 + -1", "negative-for-unsigned|-1|-1, uint32"},
                      Case{"y = tl.load(b) + 1000", "number-out-of-range|1000|1000, int8"},
                      Case{"y = not n", "not-boolean|not n|not, int32"},
                      Case{"y = n > 3 and n", "not-boolean|n|and, int32"},
                      Case{"y = ~f", "operand-type|~f|~, fp32"}, Case{"y = x ** 2", "power-operator|x ** 2|"},
                      Case{"y = tl.exp(n)", "dtype-not-supported|n|exp, fp32, fp64, int32"},
                      Case{"y = tl.dot(tl.zeros((64, 64), tl.float16), tl.zeros((64, 64), tl.float32))",
                           "dot-types|tl.dot(tl.zeros((64, 64), tl.float16), tl.zeros((64, 64), tl.float32))|"
                           "fp16[64, 64], fp32[64, 64]"},
                      Case{"a = tl.zeros((64, 64), tl.float16)\ny = tl.dot(a, a, n)",
                           "dot-accumulator|n|int32, fp32[64, 64]"},
                      Case{"a = tl.zeros((64, 64), tl.float16)\ny = tl.dot(a, a, out_dtype=tl.bfloat16)",
                           "dot-out-dtype|tl.bfloat16|bf16"},
                      Case{"y = x.to(tl.float16, bitcast=True)", "bitcast-width|x|fp32, 32, fp16, 16"},
                      Case{"y = p.to(tl.float32)", "cannot-cast|p|pointer<fp32>, fp32"},
                      Case{"y = 'text'", "not-a-variable-value|'text'|constexpr['text']"},
                      Case{"y: tl.constexpr = n", "constexpr-of-run-time-value|tl.constexpr|y, int32"},
                      Case{"y = n if n > 3 else f", "conditional-types|n if n > 3 else f|int32, fp32"}));

INSTANTIATE_TEST_SUITE_P(
    Memory, OneError,
    ::testing::Values(Case{"y = tl.load(n)", "not-a-pointer|n|load, int32"},
                      Case{"y = tl.load(p + o, other=0.0)", "other-without-mask|0.0|"},
                      Case{"y = tl.load(p + o, mask=n)", "mask-type|n|int32"},
                      Case{"tl.device_assert(o > 3, 'small', o)", "mask-type|o|int32[64]"},
                      Case{"y = tl.load(p + o, mask=tl.arange(0, 32) < n)",
                           "mask-pointer-shape|tl.arange(0, 32) < n|[32], [64], 0"},
                      Case{"y = tl.load(p, mask=o < n)", "mask-pointer-shape|o < n|[64], [], 0"},
                      Case{"tl.store(p + o, x[:, None])", "value-shape|x[:, None]|store, [64, 1], [64]"},
                      Case{"tl.store(p, x)", "value-shape|x|store, [64], []"},
                      Case{"tl.store(p + o, x, mask=(o < n)[:, None])",
                           "mask-pointer-shape|(o < n)[:, None]|[64, 1], [64], 0"},
                      Case{"tl.atomic_and(p, 1)",
                           "dtype-not-supported|p|atomic_and, int32, uint32, int64, uint64, fp32"}));

INSTANTIATE_TEST_SUITE_P(
    ControlFlow, OneError,
    ::testing::Values(Case{"if n > 3:\n    y = 1\nelse:\n    y = 2.0", "branch-types|y|y, int32, fp32"},
                      Case{"y = 1\nif n > 3:\n    y = 2.0", "branch-types|y|y, fp32, int32"},
                      Case{"y = 1\nfor i in range(n):\n    y += 1.5", "loop-carried-type|y|y, int32, fp32"},
                      Case{"y = 1\nwhile y < n:\n    y = y + m", "loop-carried-type|y|y, int32, int64"},
                      Case{"if o > 3:\n    y = 1", "tile-condition|o > 3|int1[64]"},
                      Case{"for i in range(n):\n    if n > 3:\n        return", "return-in-loop|return|"},
                      Case{"for i in range(n):\n    break", "kernel-break|break|"},
                      Case{"for i in range(n):\n    continue", "kernel-continue|continue|"},
                      Case{"for i in range(f):\n    pass", "range-bound|f|fp32"},
                      Case{"for i in tl.static_range(n):\n    pass", "static-range-bound|n|int32"},
                      Case{"for i in range(0, n, 0):\n    pass", "range-step-zero|0|"},
                      Case{"for i in n:\n    pass", "loop-iterator|n|int32"},
                      Case{"y = lambda a: a", "kernel-lambda|lambda a: a|"},
                      Case{"def inner(a):\n    return a", "kernel-nested-function|inner|"},
                      Case{"try:\n    y = 1\nexcept:\n    pass", "kernel-try|try:|"},
                      Case{"import math", "kernel-import|import math|"},
                      Case{"raise ValueError('x')", "kernel-raise|raise ValueError('x')|"},
                      Case{"return n", "kernel-returns-value|return n|"},
                      Case{"x[0] = 1", "item-assignment|x[0]|"}, Case{"a, c = n", "cannot-unpack|n|int32"},
                      Case{"a, c = (n, m, f)", "unpack-count|a, c|2, 3"},
                      Case{"y = {1: 2}", "kernel-dict|{1: 2}|"},
                      Case{"tl.static_assert(B == 32, f'B is {B}')",
                           "static-assert-failed|tl.static_assert(B == 32, f'B is {B}')|B is 64"},
                      Case{"tl.static_assert(n > 3)", "static-assert-run-time|n > 3|int1"},
                      Case{"tl.static_assert(B == 64, f'{n}')", "fstring-run-time-value|n|int32"},
                      Case{"y = pick(n)", "return-types|1.5|fp32, int32",
                           "@triton.jit\ndef pick(a):\n    if a > 3:\n        return a\n    return 1.5\n"}));

//===- Fixes --------------------------------------------------------------------------------------===//

struct FixCase {
  const char *statement, *fixed;
};
class Fixed : public ::testing::TestWithParam<FixCase> {};

TEST_P(Fixed, LeavesTheRightText) {
  Compiled c = body(GetParam().statement);
  ASSERT_FALSE(c.diagnostics.empty());
  EXPECT_THAT(c.fixed(), HasSubstr(std::string("    ") + GetParam().fixed + "\n"));
}

INSTANTIATE_TEST_SUITE_P(All, Fixed,
                         ::testing::Values(FixCase{"y = tl.arange(0, 200)", "y = tl.arange(0, 256)"},
                                           FixCase{"y = (o < n) and (o > 3)", "y = (o < n) & (o > 3)"},
                                           FixCase{"y = o < n and o > 3", "y = (o < n) & (o > 3)"},
                                           FixCase{"y = o < n & o < m", "y = (o < n) & (o < m)"},
                                           FixCase{"y = tl.lod(p)", "y = tl.load(p)"},
                                           FixCase{"y = tl.load(p, msk=n > 3)", "y = tl.load(p, mask=n > 3)"},
                                           FixCase{"y = x.shap", "y = x.shape"},
                                           FixCase{"y = xx + 1 + abs(x)", "y = x + 1 + abs(x)"},
                                           FixCase{"y = abs(x)", "y = tl.abs(x)"},
                                           FixCase{"y = torch.exp(x)", "y = tl.exp(x)"},
                                           FixCase{"y = 'text'", "y: tl.constexpr = 'text'"},
                                           FixCase{"y = x @ x", "y = tl.dot(x, x)"},
                                           FixCase{"y = tl.load(p, eviction_policy='evict_lats')",
                                                   "y = tl.load(p, eviction_policy=\"evict_last\")"}));

//===- Several, chains, notes ---------------------------------------------------------------------===//

TEST(Diagnostics, SeveralMistakesAndNoFollowUps) {
  Compiled c =
      body("y = ofset + 1\nz = y * 2\ntl.store(p + o, z)\nw = tl.arange(0, 200)\nv = w + x\nt = tl.lod(p)");
  std::vector<std::string> ids;
  for (const Diagnostic &d : c.diagnostics)
    ids.push_back(d.id);
  EXPECT_THAT(ids, ElementsAre("undefined-name", "arange-length", "unknown-library-function"));
}

TEST(Diagnostics, NotesSayWhereAHelperWasCalled) {
  Compiled c = compileKernel("@triton.jit\ndef inner(a):\n    return a + missing\n"
                             "@triton.jit\ndef outer(a):\n    return inner(a * 2)\n"
                             "@triton.jit\ndef k(q, n):\n    tl.store(q, outer(n))\n");
  ASSERT_EQ(c.diagnostics.size(), 1u);
  const Diagnostic &d = c.diagnostics[0];
  EXPECT_EQ(c.script->text(d.span.range), "missing");
  ASSERT_EQ(d.notes.size(), 2u);
  EXPECT_EQ(c.script->text(d.notes[0].span.range), "inner(a * 2)");
  EXPECT_EQ(c.script->text(d.notes[1].span.range), "outer(n)");
}

TEST(Diagnostics, ShapesAreShownSideBySide) {
  Compiled c = body("y = x[:, None] + tl.zeros((32, 16), tl.float32)");
  ASSERT_EQ(c.diagnostics.size(), 1u);
  ASSERT_EQ(c.diagnostics[0].notes.size(), 2u);
  EXPECT_THAT(c.diagnostics[0].notes[0].arguments, ElementsAre("fp32[64, 1]"));
  EXPECT_THAT(c.diagnostics[0].notes[1].arguments, ElementsAre("fp32[32, 16]"));
}

TEST(Diagnostics, PreludeErrorsPointAtTheCall) {
  Compiled c = body("y = tl.sigmoid(n > 3)");
  ASSERT_EQ(c.diagnostics.size(), 1u);
  EXPECT_EQ(c.script->text(c.diagnostics[0].span.range), "tl.sigmoid(n > 3)");
}

TEST(Diagnostics, AMaskThatWidensALoadIsTold) {
  Compiled c = body("y = tl.load(p + o[None, :], mask=(o < n)[:, None])\ntl.store(p, tl.sum(y))");
  EXPECT_THAT(c.errors(), ElementsAre("mask-broadcasts|(o < n)[:, None]|[1, 64], [64, 1], [64, 64]"));
  EXPECT_FALSE(c.ir.empty()) << "a warning does not stop the kernel";
}

TEST(Diagnostics, AndOnTilesIsAWarning) {
  Compiled c = body("y = o < n and o > 3\ntl.store(q + o, 1, mask=y)");
  EXPECT_THAT(c.errors(), ElementsAre("logical-on-tiles|o < n and o > 3|and, &"));
  EXPECT_FALSE(c.ir.empty());
}

} // namespace
} // namespace tilescope::frontend::test
