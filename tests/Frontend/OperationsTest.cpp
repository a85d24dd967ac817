// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products, elements by index, functions of elements, inline assembly and casts: what is said where a call is
// wrong, and what stands in the IR. Types are those of data/ops.txt (OracleTypesTest.cpp).
#include "tests/Frontend/Script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilescope::frontend::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Compiled body(const std::string &statements) {
  return compileKernel("@triton.jit\ndef clip(v, top):\n    if v > top:\n        return top\n    else:\n"
                       "        return v\n"
                       "@triton.jit\ndef row(v):\n    return tl.arange(0, 4)\n"
                       "@triton.jit\ndef k(p, h, u, n, B: tl.constexpr):\n    o = tl.arange(0, B)\n"
                       "    x = tl.load(p + o[:, None] * B + o[None, :])\n"
                       "    H = tl.load(h + o[:, None] * B + o[None, :])\n"
                       "    U = tl.load(u + o[:, None] * B + o[None, :])\n    " +
                       statements + "\n");
}

struct Case {
  const char *statement, *error;
};
class OperationError : public ::testing::TestWithParam<Case> {};

TEST_P(OperationError, HasIdRangeAndArguments) {
  EXPECT_THAT(body(GetParam().statement).errors(), ElementsAre(GetParam().error)) << GetParam().statement;
}

INSTANTIATE_TEST_SUITE_P(
    Products, OperationError,
    ::testing::Values(
        Case{"y = tl.dot(U, U)",
             "dtype-not-supported|U|dot, int8, fp8, fp16, bf16, fp32, fp64, uint8[64, 64]"},
        Case{"y = tl.dot(x, H)", "dot-types|tl.dot(x, H)|fp32[64, 64], fp16[64, 64]"},
        Case{"y = tl.dot(x, x.reshape(32, 128))",
             "dot-shapes|tl.dot(x, x.reshape(32, 128))|fp32[64, 64], fp32[32, 128]"},
        Case{"y = tl.dot(H, H, out_dtype=tl.bfloat16)", "dot-out-dtype|tl.bfloat16|bf16"},
        Case{"y = tl.dot(x, x, tl.zeros([64, 64], tl.float16))",
             "dot-accumulator|tl.zeros([64, 64], tl.float16)|fp16[64, 64], fp32[64, 64]"},
        Case{"y = tl.dot(x, x, input_precision='ieee', allow_tf32=True)", "dot-two-precisions|True|"},
        Case{"y = tl.dot(x.to(tl.float8e5), x.to(tl.float8e5), max_num_imprecise_acc=128)",
             "dot-imprecise-sum|128|128, 64"},
        Case{"y = tl.dot_scaled(x, None, 'e5m2', U, None, 'e5m2')",
             "scaled-operand-type|x|e5m2, fp8e5, uint8, fp32[64, 64]"},
        Case{"y = tl.dot_scaled(U, None, 'e4m3', U, None, 'e4m3', lhs_k_pack=False)",
             "scaled-pack|False|e4m3"},
        Case{"y = tl.dot_scaled(U, U, 'e5m2', U, None, 'e5m2')", "scale-shape|U|[64, 64], [64, 2]"},
        Case{"y = tl.dot_scaled(U, H, 'e5m2', U, None, 'e5m2')", "scale-type|H|fp16[64, 64]"}));

INSTANTIATE_TEST_SUITE_P(
    Elements, OperationError,
    ::testing::Values(Case{"y = tl.gather(x, x, 0)",
                           "dtype-not-supported|x|gather, int8, int16, int32, int64, fp32[64, 64]"},
                      Case{"y = tl.gather(x, tl.zeros([32, 32], tl.int32), 0)",
                           "gather-shapes|tl.zeros([32, 32], tl.int32)|[64, 64], [32, 32], 0"},
                      Case{"y = tl.gather(o, o, 1)", "axis-out-of-range|1|1, 1"},
                      Case{"y = tl.histogram(x, 16)", "histogram-type|x|fp32[64, 64]"},
                      Case{"y = tl.histogram(o, 12)", "shape-not-power-of-two|12|[12], 12"},
                      Case{"y = tl.map_elementwise(row, o)", "map-result|row|int32[4]"},
                      Case{"y = tl.map_elementwise(clip, o, o, pack=3)", "pack-does-not-divide|3|3, 64"}));

INSTANTIATE_TEST_SUITE_P(
    Foreign, OperationError,
    ::testing::Values(Case{"y = tl.inline_asm_elementwise('x', '=r,r', [o], dtype=3, is_pure=True, pack=1)",
                           "type-expected|3|constexpr[3]"},
                      Case{"y = tl.inline_asm_elementwise('x', '=r,r', [o], dtype=(), is_pure=True, pack=1)",
                           "assembly-without-result|()|"},
                      Case{"y = o.to(tl.float8e5)", "cannot-cast|o|int32, fp8e5"},
                      Case{"y = p.to(tl.int32)", "cannot-cast|p|pointer<fp32>, int32"},
                      Case{"y = H.to(tl.float32, fp_downcast_rounding='rtz')",
                           "rounding-not-narrowing|'rtz'|fp16, fp32"}));

TEST(Operations, CastsSayTheWayRound) {
  EXPECT_EQ(body("y = o.to(tl.float8e5)").diagnostics[0].notes[0].id, "cast-through-float");
  EXPECT_EQ(body("y = p.to(tl.int32)").diagnostics[0].notes[0].id, "cast-through-int64");
}

TEST(Operations, MapBranchesInsideItsRegion) {
  const std::string ir = body("y = tl.map_elementwise(clip, x, 1.0)").ir;
  EXPECT_THAT(ir, HasSubstr("tile.map"));
  EXPECT_THAT(ir, HasSubstr("tile.if"));
  EXPECT_THAT(ir, HasSubstr("tile.yield"));
}

TEST(Operations, PrecisionAndImpreciseSums) {
  EXPECT_THAT(body("y = tl.dot(x, x, input_precision='IEEE')").ir, HasSubstr("ieee"));
  EXPECT_THAT(body("y = tl.dot(x, x, allow_tf32=False)").ir, HasSubstr("ieee"));
  EXPECT_THAT(body("y = tl.dot(x.to(tl.float8e5), x.to(tl.float8e5))").ir, HasSubstr("1073741824"));
}

TEST(Operations, FourDimensionsAreABatch) {
  Compiled c = body("y = tl.dot(x[None, None], x[None, None])");
  EXPECT_THAT(c.ir, HasSubstr("-> !tile.tile<1x1x64x64xf32>"));
  EXPECT_EQ(c.typeOf("y"), "fp32[1, 1, 64, 64]");
}

TEST(Operations, WaitingForAGridStaysInTheProgram) {
  const std::string ir = body("tl.extra.cuda.gdc_wait()\n    tl.extra.cuda.gdc_launch_dependents()").ir;
  EXPECT_THAT(ir, HasSubstr("griddepcontrol.wait"));
  EXPECT_THAT(ir, HasSubstr("griddepcontrol.launch_dependents"));
  EXPECT_THAT(ir, Not(HasSubstr("pure")));
}

TEST(Operations, ForeignFunctionsByATable) {
  const std::string script = "@tl.core.extern\ndef power(x, n, _semantic=None):\n"
                             "    return tl.core.extern_elementwise(\"\", \"\", [x, n], {\n"
                             "        (tl.core.dtype(\"fp32\"), tl.core.dtype(\"int32\")): "
                             "(\"__nv_powif\", tl.core.dtype(\"fp32\")),\n"
                             "    }, is_pure=True, _semantic=_semantic)\n"
                             "@triton.jit\ndef k(p, B: tl.constexpr):\n    o = tl.arange(0, B)\n";
  Compiled c = compileKernel(script + "    y = power(tl.load(p + o), 3)\n");
  EXPECT_EQ(c.typeOf("y"), "fp32[64]");
  EXPECT_THAT(c.ir, HasSubstr("tile.extern \"__nv_powif\""));
  EXPECT_THAT(compileKernel(script + "    y = power(o, o)\n").errors(),
              ElementsAre("foreign-types|[x, n]|int32, int32, (fp32, int32)"));
}

TEST(Operations, TargetIsKnownWhileCompiling) {
  Compiled c =
      body("if tl.target_info.cuda_capability_geq(9, 0):\n        y = 1\n    else:\n        y = nothing\n"
           "    z: tl.constexpr = tl.target_info.current_target().arch");
  EXPECT_EQ(c.typeOf("y"), "int32");
  EXPECT_EQ(c.typeOf("z"), "constexpr[90]");
}

} // namespace
} // namespace tilescope::frontend::test
