// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block pointers and tensor descriptors: what they become, how they are carried, and what is refused. Then
// atomics and the options of loads and stores.
#include "tests/Frontend/Script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace tilescope::frontend::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char *head = "@triton.jit\ndef k(p, q, h, b, u, n, m, f, u32, B: tl.constexpr):\n"
                             "    o = tl.arange(0, B)\n"
                             "    bp = tl.make_block_ptr(h, (n, m), (m, 1), (0, n), (B, 32), (1, 0))\n"
                             "    d = tl.make_tensor_descriptor(h, [n, m], [m, 1], [B, 32])\n"
                             "    r = tl.make_tensor_descriptor(p, [n, n], [n, 1], [1, 16])\n";

Compiled body(const std::string &statements, const std::string &before = "") {
  std::string text = before + head;
  std::istringstream lines(statements);
  for (std::string line; std::getline(lines, line);)
    text += "    " + line + "\n";
  return compileKernel(text);
}

//===- What they become ---------------------------------------------------------------------------===//

struct Lowered {
  const char *statements;
  std::vector<std::string> parts; ///< of the IR, in order
};

class Blocks : public ::testing::TestWithParam<Lowered> {};

TEST_P(Blocks, BecomeAccesses) {
  const Compiled c = body(GetParam().statements);
  ASSERT_THAT(c.errors(), IsEmpty()) << GetParam().statements;
  size_t at = 0;
  for (const std::string &part : GetParam().parts) {
    at = c.ir.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << " in\n" << c.ir;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Pointers, Blocks,
    ::testing::Values(
        Lowered{"x = tl.load(bp)", {"tile.block_load %arg2[", "checked []", "!tile.tile<64x32xf16>"}},
        Lowered{"x = tl.load(bp, boundary_check=(1, 0), padding_option='nan', eviction_policy='evict_first')",
                {"checked [0, 1] padding = nan eviction = evict_first"}},
        Lowered{"x = tl.load(bp, boundary_check=[1], padding_option='zero', cache_modifier='.cg')",
                {"checked [1] padding = zero cache = cg"}},
        Lowered{"tl.store(bp, tl.zeros((B, 32), tl.float16), boundary_check=(0,))",
                {"tile.block_store %arg2[", "checked [0]", "!tile.tile<64x32xf16>"}},
        Lowered{"bp = tl.advance(bp, (n, 2))\nx = tl.load(bp)", {"tile.add", "tile.add", "tile.block_load"}},
        Lowered{"bp = bp.advance([0, n])\nx = bp.load(boundary_check=(0,))",
                {"tile.block_load", "checked [0]"}},
        Lowered{"x = tl.load(tl.make_block_ptr(p, [n], [1], [0], [B], [0]))",
                {"tile.block_load %arg0[", "!tile.tile<64xf32>"}},
        Lowered{"x = tl.load(tl.make_block_ptr(p, n, 1, 0, B, 0))", {"tile.block_load %arg0["}},
        Lowered{"x = tl.zeros((B, 32), tl.float32)\ntl.store(bp, x.to(bp.dtype.element_ty))",
                {"tile.cast", "tile.block_store"}}));

INSTANTIATE_TEST_SUITE_P(
    Descriptors, Blocks,
    ::testing::Values(
        Lowered{"x = d.load([n, 0])", {"tile.block_load %arg2[", "checked [0, 1] padding = zero"}},
        Lowered{"x = tl.load_tensor_descriptor(d, (n, n))", {"tile.block_load %arg2["}},
        Lowered{"d.store([0, 0], tl.zeros((B, 32), tl.float32))", {"tile.cast", "tile.block_store %arg2["}},
        Lowered{"tl.store_tensor_descriptor(d, [0, 0], d.load([n, n]))",
                {"tile.block_load", "tile.block_store"}},
        Lowered{
            "e = tl.make_tensor_descriptor(q, shape=[n], strides=[1], block_shape=[B])\ne.atomic_min([n], o)",
            {"tile.block_reduce min, %arg1["}},
        Lowered{"x = r.gather(o, n)", {"tile.block_gather %arg0[", "!tile.tile<64x16xf32>"}},
        Lowered{"r.scatter(tl.zeros((B, 16), tl.float32), o, 0)", {"tile.block_scatter %arg0["}},
        Lowered{"e = tl.make_tensor_descriptor(h, [n, 8], [8, 1], [8, 8], padding_option='nan')\nx = "
                "e.load([0, 0])",
                {"padding = nan"}},
        Lowered{
            "e = tl.make_tensor_descriptor(h, [1, 2, 3, 4, n], [n * 64, 512, 64, 8, 1], [1, 1, 1, 1, 8])\n"
            "x = e.load([0, 0, 0, 0, n])",
            {"!tile.tile<1x1x1x1x8xf16>"}}));

TEST(Blocks, SayWhatTheyAre) {
  const Compiled c =
      body("s = d.shape[0]\nt = d.strides[0]\nz = d.block_shape[1]\ne = d.dtype\nx = d.load([0, 0])\n"
           "y = tl.load(bp)\nw = tl.zeros(d.block_shape, d.dtype)\nv = tl.zeros(d.block_type.shape, e)");
  EXPECT_THAT(c.errors(), IsEmpty());
  EXPECT_EQ(c.typeOf("d"), "tensordesc<fp16[64, 32]>");
  EXPECT_EQ(c.typeOf("bp"), "pointer<fp16[64, 32]>");
  EXPECT_EQ(c.typeOf("s"), "int32");
  EXPECT_EQ(c.typeOf("t"), "int64");
  for (const char *name : {"x", "y", "w", "v"})
    EXPECT_EQ(c.typeOf(name), "fp16[64, 32]") << name;
}

//===- How they are carried -----------------------------------------------------------------------===//

TEST(Blocks, GoThroughLoopsBranchesHelpersAndTuples) {
  const Compiled c = body("both = (bp, d)\n"
                          "for i in range(n):\n"
                          "    x = tl.load(bp)\n"
                          "    bp, step = following(bp, i)\n"
                          "if n > 3:\n"
                          "    d = tl.make_tensor_descriptor(h + n, [n, m], [m, 1], [B, 32])\n"
                          "while n > 0:\n"
                          "    n -= 1\n"
                          "    bp = tl.advance(bp, (1, step_of(n)))\n"
                          "both[1].store([0, 0], d.load([0, 0]))\n"
                          "y = tl.load(bp)",
                          "@triton.jit\ndef step_of(i):\n    return i * 2\n"
                          "@triton.jit\ndef following(pointer, i):\n"
                          "    if i > 2:\n"
                          "        return tl.advance(pointer, (0, 1)), i\n"
                          "    return tl.advance(pointer, (step_of(i), 0)), i\n");
  ASSERT_THAT(c.errors(), IsEmpty());
  // Base, two sizes, two strides and two offsets.
  EXPECT_THAT(c.ir, HasSubstr("-> (!tile.ptr<f16>, si64, si64, si64, si64, si64, si64"));
  EXPECT_EQ(c.typeOf("y"), "fp16[64, 32]");
}

TEST(Blocks, OfOtherShapesDoNotMeet) {
  const Compiled c = body("if n > 3:\n    d = tl.make_tensor_descriptor(h, [n, m], [m, 1], [32, 64])\n"
                          "x = d.load([0, 0])");
  EXPECT_THAT(c.errors(),
              ElementsAre("branch-types|d|d, tensordesc<fp16[32, 64]>, tensordesc<fp16[64, 32]>"));
}

TEST(Blocks, AreArguments) {
  const Compiled c =
      compileKernel("@triton.jit\ndef k(x, n):\n    t = x.load([n, 0])\n    x.store([0, n], t)\n"
                    "    s = x.shape[1]\n    y = x.strides[1]\n",
                    {{"x", "[8,16]fp16"}});
  EXPECT_THAT(c.errors(), IsEmpty());
  EXPECT_EQ(c.typeOf("x"), "tensordesc<fp16[8, 16]>");
  EXPECT_EQ(c.typeOf("t"), "fp16[8, 16]");
  EXPECT_EQ(c.typeOf("s"), "int32");
  for (const char *name : {"\"x\"", "\"x.shape[0]\"", "\"x.shape[1]\"", "\"x.strides[0]\""})
    EXPECT_THAT(c.ir, HasSubstr(std::string("tile.name = ") + name));
  EXPECT_EQ(c.ir.find("x.strides[1]"), std::string::npos) << "it is 1";
}

//===- What is refused ----------------------------------------------------------------------------===//

struct Case {
  const char *statements;
  const char *error; ///< "id|text of the range|arguments"
};

class BlockError : public ::testing::TestWithParam<Case> {};

TEST_P(BlockError, HasIdRangeAndArguments) {
  const Compiled c = body(GetParam().statements);
  EXPECT_THAT(c.errors(), ElementsAre(GetParam().error)) << GetParam().statements;
}

INSTANTIATE_TEST_SUITE_P(
    Pointers, BlockError,
    ::testing::Values(
        Case{"x = tl.load(bp, mask=n > 3)", "block-pointer-mask|n > 3|load, mask"},
        Case{"x = tl.load(bp, other=0.0)", "block-pointer-mask|0.0|load, other"},
        Case{"tl.store(bp, tl.zeros((B, 32), tl.float16), mask=n > 3)",
             "block-pointer-mask|n > 3|store, mask"},
        Case{"x = tl.load(p + o, boundary_check=(0,))", "boundary-check-without-block|(0,)|load"},
        Case{"x = tl.load(p, padding_option='zero')", "boundary-check-without-block|'zero'|load"},
        Case{"tl.store(p + o, 1.0, boundary_check=(0,))", "boundary-check-without-block|(0,)|store"},
        Case{"x = tl.load(bp, boundary_check=(0, 2))", "boundary-check-dimension|(0, 2)|2, 2"},
        Case{"x = tl.load(bp, boundary_check=(1, 1))", "boundary-check-repeated|(1, 1)|1, 2"},
        Case{"x = tl.load(bp, padding_option='one')", "unknown-option|'one'|one, zero, nan"},
        Case{"tl.store(bp, tl.zeros((32, 32), tl.float16))",
             "block-value-shape|tl.zeros((32, 32), tl.float16)|store, [32, 32], [64, 32]"},
        Case{"tl.store(bp, tl.zeros((B, 32), tl.float32))",
             "block-value-type|tl.zeros((B, 32), tl.float32)|store, fp32, fp16"},
        Case{"y = tl.advance(bp, (1,))", "block-count|(1,)|offsets, 1, 2"},
        Case{"y = tl.advance(p, (1,))", "not-a-block-pointer|p|pointer<fp32>"},
        Case{"y = tl.advance(bp, (0, m))", "block-offset-width|(0, m)|offsets, int64"},
        Case{"y = tl.advance(bp, (0, f))", "block-integer|(0, f)|offsets, fp32"},
        Case{"y = tl.make_block_ptr(p, (n,), (1,), (0,), (B,), (1,))", "block-order|(1,)|[1], 1"},
        Case{"y = tl.make_block_ptr(p, (n, n), (1,), (0,), (B,), (0,))", "block-count|(n, n)|shape, 2, 1"},
        Case{"y = tl.make_block_ptr(p, (n,), (1,), (0,), (48,), (0,))",
             "shape-not-power-of-two|(48,)|[48], 48"},
        Case{"y = tl.make_block_ptr(p, (n,), (1,), (0,), (n,), (0,))", "run-time-shape|(n,)|int32"},
        Case{"y = tl.make_block_ptr(p + o, (n,), (1,), (0,), (B,), (0,))",
             "block-base|p + o|make_block_ptr, pointer<fp32>[64]"},
        Case{"y = tl.load(tl.make_block_ptr(q, (n,), (1,), (0,), (B,), (0,)), padding_option='nan')",
             "padding-of-integers|'nan'|int32"},
        Case{"y = bp.shape", "unknown-attribute|shape|pointer<fp16[64, 32]>, shape"}));

INSTANTIATE_TEST_SUITE_P(
    Descriptors, BlockError,
    ::testing::Values(
        Case{"x = tl.load(d)", "block-not-pointer|d|load, tensordesc<fp16[64, 32]>"},
        Case{"x = d.load([0])", "block-count|[0]|offsets, 1, 2"},
        Case{"x = d.load([0, m])", "block-offset-width|[0, m]|offsets, int64"},
        Case{"x = tl.load_tensor_descriptor(p, [0])",
             "not-a-descriptor|p|load_tensor_descriptor, pointer<fp32>"},
        Case{"d.store([0, 0], o)", "block-value-shape|o|store, [64], [64, 32]"},
        Case{"d.atomic_xor([0, 0], d.load([0, 0]))",
             "dtype-not-supported|d|atomic_xor, int32, uint32, int64, uint64, fp16"},
        Case{"e = tl.make_tensor_descriptor(h, [n, m], [1, n], [B, 32])",
             "descriptor-last-stride|[1, n]|int32"},
        Case{"e = tl.make_tensor_descriptor(h, [n, m], [m, 2], [B, 32])",
             "descriptor-last-stride|[m, 2]|constexpr[2]"},
        Case{"e = tl.make_tensor_descriptor(h, [n, m], [12, 1], [B, 32])",
             "descriptor-stride-alignment|[12, 1]|12, 24"},
        Case{"e = tl.make_tensor_descriptor(h, [n, m], [m, 1], [B, 4])",
             "descriptor-row-bytes|[B, 4]|8, tensordesc<fp16[64, 4]>"},
        Case{"e = tl.make_tensor_descriptor(h, [n, m], [m, 1], [B, 24])",
             "shape-not-power-of-two|[B, 24]|[64, 24], 24"},
        Case{"e = tl.make_tensor_descriptor(h, [n], [m, 1], [B, 32])", "block-count|[n]|shape, 1, 2"},
        Case{"e = tl.make_tensor_descriptor(h, [1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 8])",
             "descriptor-rank|[1, 1, 1, 1, 1, 8]|6"},
        Case{"e = tl.make_tensor_descriptor(q, [n], [1], [B], padding_option='nan')",
             "padding-of-integers|'nan'|int32"},
        Case{"e = tl.make_tensor_descriptor(n, [n], [1], [B])", "block-base|n|make_tensor_descriptor, int32"},
        Case{"x = d.gather(o, 0)", "gather-block|d|tensordesc<fp16[64, 32]>"},
        Case{"x = r.gather(tl.arange(0, 4), 0)", "gather-rows|tl.arange(0, 4)|int32[4]"},
        Case{"x = r.gather(o.to(tl.int64), 0)", "gather-rows|o.to(tl.int64)|int64[64]"},
        Case{"x = tl.make_tensor_descriptor(p, [n, n], [n, 1], [1, 4]).gather(o, 0)",
             "gather-columns|tl.make_tensor_descriptor(p, [n, n], [n, 1], [1, 4])|tensordesc<fp32[1, 4]>, 8"},
        Case{"x = d.laod([0, 0])", "unknown-attribute|laod|tensordesc<fp16[64, 32]>, laod"}));

//===- Atomics and options ------------------------------------------------------------------------===//

INSTANTIATE_TEST_SUITE_P(
    Atomics, Blocks,
    ::testing::Values(
        Lowered{"x = tl.atomic_add(p + o, 1.0, mask=o < n, sem='relaxed', scope='cta')",
                {"tile.atomic_rmw add relaxed cta"}},
        Lowered{"x = (h + o).atomic_add(1, sem='')", {"tile.atomic_rmw add acq_rel gpu"}},
        Lowered{"x = tl.atomic_xchg(q, n, sem='release', scope='sys')", {"tile.atomic_rmw xchg release sys"}},
        Lowered{"x = tl.atomic_cas(q + o, 0, 1, sem='acquire')", {"tile.atomic_cas acquire gpu"}},
        Lowered{"x = tl.atomic_load(q + o, mask=o < n)", {"tile.atomic_load acquire gpu"}},
        Lowered{"x = tl.atomic_load(b, sem='relaxed')", {"tile.atomic_load relaxed gpu"}},
        Lowered{"tl.atomic_store(q, 1, scope='sys')", {"tile.atomic_store release sys"}},
        Lowered{"tl.debug_barrier()", {"tile.barrier"}},
        Lowered{"x = tl.load(p + o, mask=o < n, other=0, cache_modifier='.cv', eviction_policy='evict_last')",
                {"tile.load", "cache = cv eviction = evict_last"}},
        Lowered{"x = (p + o).load(volatile=True, cache_modifier=None)", {"tile.load", "volatile"}},
        Lowered{"tl.store(p + o, 1, cache_modifier='.wt', eviction_policy='evict_first')",
                {"tile.store", "cache = wt eviction = evict_first"}}));

INSTANTIATE_TEST_SUITE_P(
    Atomics, BlockError,
    ::testing::Values(
        Case{"tl.atomic_add(b, 1)",
             "dtype-not-supported|b|atomic_add, int32, uint32, int64, uint64, fp16, bf16, fp32, fp64, int8"},
        Case{"tl.atomic_max(h, 1)",
             "dtype-not-supported|h|atomic_max, int32, uint32, int64, uint64, fp32, fp64, fp16"},
        Case{"tl.atomic_or(p, 1)", "dtype-not-supported|p|atomic_or, int32, uint32, int64, uint64, fp32"},
        Case{"tl.atomic_cas(u, 1, 2)", "dtype-not-supported|u|atomic_cas, 16, 32, 64 bit, uint8"},
        Case{"tl.atomic_add(n, 1)", "not-a-pointer|n|atomic_add, int32"},
        Case{"tl.atomic_add(p, o)", "value-shape|o|atomic_add, [64], []"},
        Case{"tl.atomic_add(p, 1.0, sem='acqrel')",
             "unknown-option|'acqrel'|acqrel, acq_rel, acquire, release, relaxed"},
        Case{"tl.atomic_add(p, 1.0, scope='gpus')", "unknown-option|'gpus'|gpus, gpu, cta, sys"},
        Case{"x = tl.atomic_load(q, sem='release')", "unknown-option|'release'|release, acquire, relaxed"},
        Case{"tl.atomic_store(q, 1, sem='acquire')", "unknown-option|'acquire'|acquire, release, relaxed"},
        Case{"x = tl.load(p + o, cache_modifier='.cx')", "unknown-option|'.cx'|.cx, .ca, .cg, .cv"}));

TEST(Atomics, GiveWhatStoodThere) {
  const Compiled c =
      body("a = tl.atomic_add(h + o, 1.0)\nc = tl.atomic_max(q + o[:, None], n)\nl = tl.atomic_load(u)\n"
           "v = tl.atomic_cas(q, 0, 1)");
  EXPECT_THAT(c.errors(), IsEmpty());
  EXPECT_EQ(c.typeOf("a"), "fp16[64]");
  EXPECT_EQ(c.typeOf("c"), "int32[64, 1]");
  EXPECT_EQ(c.typeOf("l"), "uint8");
  EXPECT_EQ(c.typeOf("v"), "int32");
}

} // namespace
} // namespace tilescope::frontend::test
