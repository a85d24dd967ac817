// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole kernels to verified IR, and what the IR says.
#include "tests/Frontend/Kernels.h"
#include "tests/Frontend/Script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilescope::frontend::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string firstError(const Compiled &compiled) {
  return compiled.diagnostics.empty() ? "" : compiled.errors()[0];
}

/// The IR of a kernel with this body and the usual parameters.
Compiled body(const std::string &statements) {
  std::string text = "@triton.jit\ndef k(p, q, h, n, m, f, B: tl.constexpr):\n";
  std::istringstream lines(statements);
  for (std::string line; std::getline(lines, line);)
    text += "    " + line + "\n";
  return compileKernel(text);
}

TEST(Lowering, VectorAdd) {
  Compiled c = compileKernel(
      vectorAdd, {{"x_ptr", "*fp32"}, {"y_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"BLOCK_SIZE", "=1024"}});
  ASSERT_FALSE(c.ir.empty()) << firstError(c);
  EXPECT_THAT(c.ir, HasSubstr("tile.program_id x"));
  EXPECT_THAT(c.ir, HasSubstr("tile.make_range 0 to 1024"));
  EXPECT_THAT(c.ir, HasSubstr("tile.cmp lt"));
  EXPECT_THAT(c.ir, HasSubstr("tile.store"));
  EXPECT_EQ(c.typeOf("mask"), "int1[1024]");
  EXPECT_EQ(c.typeOf("x"), "fp32[1024]");
  EXPECT_EQ(c.typeOf("BLOCK_SIZE"), "constexpr[1024]");
  EXPECT_THAT(c.irWithLocations, HasSubstr("loc(\"offsets\"("));
  EXPECT_THAT(c.irWithLocations, HasSubstr("loc(\"x_ptr\"("));
  EXPECT_THAT(c.ir, HasSubstr("tile.name = \"n_elements\""));
}

TEST(Lowering, FusedSoftmax) {
  Compiled c = compileKernel(
      fusedSoftmax,
      {{"output_ptr", "*fp32"}, {"input_ptr", "*fp32"}, {"BLOCK_SIZE", "=1024"}, {"num_stages", "=4"}});
  ASSERT_FALSE(c.ir.empty()) << firstError(c);
  EXPECT_THAT(c.ir, HasSubstr("tile.for"));
  EXPECT_THAT(c.ir, HasSubstr("num_stages = 4"));
  EXPECT_THAT(c.ir, HasSubstr("tile.reduce"));
  EXPECT_EQ(c.typeOf("denominator"), "fp32");
  EXPECT_EQ(c.typeOf("softmax_output"), "fp32[1024]");
}

TEST(Lowering, Matmul) {
  Compiled c = compileKernel(matmul, {{"a_ptr", "*fp16"},
                                      {"b_ptr", "*fp16"},
                                      {"c_ptr", "*fp16"},
                                      {"stride_ak", "=1"},
                                      {"stride_bn", "=1"},
                                      {"stride_cn", "=1"},
                                      {"BLOCK_M", "=128"},
                                      {"BLOCK_N", "=64"},
                                      {"BLOCK_K", "=32"},
                                      {"GROUP_M", "=8"},
                                      {"ACTIVATION", "=None"}});
  ASSERT_FALSE(c.ir.empty()) << firstError(c);
  EXPECT_THAT(c.ir, HasSubstr("tile.dot"));
  EXPECT_EQ(c.typeOf("accumulator"), "fp32[128, 64]");
  EXPECT_EQ(c.typeOf("a_ptrs"), "pointer<fp16>[128, 32]");
  EXPECT_EQ(c.typeOf("c"), "fp16[128, 64]");
}

TEST(Lowering, AttentionInlinesItsHelperWithCallSites) {
  Compiled c = compileKernel(attention, {{"q_ptr", "*fp16"},
                                         {"k_ptr", "*fp16"},
                                         {"v_ptr", "*fp16"},
                                         {"m_ptr", "*fp32"},
                                         {"out_ptr", "*fp16"},
                                         {"sm_scale", "fp32"},
                                         {"HEAD_DIM", "=64"},
                                         {"BLOCK_M", "=128"},
                                         {"BLOCK_N", "=64"},
                                         {"STAGE", "=3"}});
  ASSERT_FALSE(c.ir.empty()) << firstError(c);
  EXPECT_THAT(c.irWithLocations, HasSubstr("callsite("));
  EXPECT_THAT(c.ir, Not(HasSubstr("tile.call")));
}

//===- Control flow -------------------------------------------------------------------------------===//

TEST(Lowering, DeadSideOfAStaticBranchIsNotCompiled) {
  Compiled c = body("if B > 100:\n    x = undefined_thing + 1\nelse:\n    x = n\ntl.store(q, x)");
  EXPECT_FALSE(c.ir.empty()) << firstError(c);
}

TEST(Lowering, BranchesMerge) {
  Compiled c = body("x = 1\nif n > 3:\n    x = n\nelif n > 2:\n    y = 2\ntl.store(q, x)");
  ASSERT_FALSE(c.ir.empty()) << firstError(c);
  EXPECT_THAT(c.ir, HasSubstr("-> (si32)"));
}

TEST(Lowering, PointersMergeFromBranches) {
  Compiled c = body("ptr = p\nif n > 3:\n    ptr = p + n\ntl.store(ptr, 1.0)");
  EXPECT_FALSE(c.ir.empty()) << firstError(c);
}

TEST(Lowering, EarlyReturnTakesTheRestIntoTheOtherBranch) {
  Compiled c = body("if n > 3:\n    return\ntl.store(q, n)");
  ASSERT_FALSE(c.ir.empty()) << firstError(c);
  size_t branch = c.ir.find("} else {"), store = c.ir.find("tile.store");
  ASSERT_NE(branch, std::string::npos);
  EXPECT_GT(store, branch);
}

TEST(Lowering, HelpersReturnFromBranches) {
  Compiled c =
      compileKernel("@triton.jit\ndef pick(x):\n    if x > 3:\n        if x > 5:\n            return 1\n"
                    "        x += 1\n    return x\n"
                    "@triton.jit\ndef k(q, n):\n    y = pick(n)\n    tl.store(q, y)\n");
  ASSERT_FALSE(c.ir.empty()) << firstError(c);
  EXPECT_EQ(c.typeOf("y"), "int32");
}

TEST(Lowering, LoopsCarryWhatTheyAssign) {
  Compiled c = body("x = 0\ny = 1.0\nfor i in range(n):\n    x += i\n    t = y\ntl.store(q, x)");
  ASSERT_FALSE(c.ir.empty()) << firstError(c);
  EXPECT_THAT(c.ir, HasSubstr("-> (si32) : si32"));
}

TEST(Lowering, DeadAssignmentsInALoopLeaveConstantsAlone) {
  Compiled c =
      body("for i in range(n):\n    if B == 0:\n        B = 32\n    tl.store(q + tl.arange(0, B), i)");
  EXPECT_FALSE(c.ir.empty()) << firstError(c);
}

TEST(Lowering, AnIntThatSpecialisedToOneCannotBeCarried) { // Triton refuses this launch too
  Compiled c = compileKernel(
      "@triton.jit\ndef k(q, n):\n    for i in range(4):\n        n = n - i\n    tl.store(q, n)\n",
      {{"n", "=1"}});
  EXPECT_EQ(firstError(c), "constant-reassigned|n|n, constexpr[1]");
}

TEST(Lowering, StaticRangeUnrolls) {
  Compiled c = body("x = 0.0\nfor i in tl.static_range(3):\n    x += tl.load(p + i)\ntl.store(p, x)");
  ASSERT_FALSE(c.ir.empty()) << firstError(c);
  size_t loads = 0;
  for (size_t at = c.ir.find("tile.load"); at != std::string::npos; at = c.ir.find("tile.load", at + 1))
    ++loads;
  EXPECT_EQ(loads, 3u);
}

TEST(Lowering, ArgumentsCarryDivisibility) {
  Script script(
      "import triton\nimport triton.language as tl\n@triton.jit\ndef k(p):\n    tl.store(p, 1.0)\n");
  Specialisation s = inferSpecialisation(script.function());
  ASSERT_EQ(s.arguments.size(), 1u);
  EXPECT_EQ(s.arguments[0].kind, ArgumentSpec::Kind::Pointer);
  EXPECT_TRUE(s.arguments[0].divisibleBy16);
}

TEST(Lowering, TypedExpressionsSayWhereAndWhat) {
  Compiled c =
      compileKernel("@triton.jit\ndef k(q, n):\n    x = tl.arange(0, 16) + n\n    tl.store(q + x, x)\n");
  ASSERT_FALSE(c.ir.empty()) << firstError(c);
  std::vector<std::string> all;
  for (const TypedExpression &t : c.types)
    all.push_back(std::string(c.script->text(t.span.range)) + " " + t.type);
  EXPECT_THAT(all, ElementsAre("q pointer<int32>", "n int32", "tl triton.language",
                               "tl.arange(0, 16) int32[16]", "n int32", "x int32[16]", "tl triton.language",
                               "q pointer<int32>", "x int32[16]", "x int32[16]", "tl.store(q + x, x) None"));
}

} // namespace
} // namespace tilescope::frontend::test
