// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the patterns that kernels are written in. Each fact that is expected is written down here;
// that facts are true is for the slow evaluator to say, here and in AxisInfoRandomTest.
#include "tests/Analysis/Claims.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;

namespace tilescope::analysis::test {
namespace {

using Facts = SmallVector<int64_t>;

/// A function that returns the values in question.
class AxisInfoOf {
public:
  explicit AxisInfoOf(const std::string &text)
      : m_module(parseSourceString<ModuleOp>("!i = !tile.tile<64xsi32>\n!b = !tile.tile<64xi1>\n"
                                             "!p = !tile.tile<64x!tile.ptr<f32>>\n" +
                                                 text,
                                             &m_context)) {
    if (m_module)
      m_facts.emplace(kernel());
  }

  bool isParsed() { return bool(m_module); }
  tile::FuncOp kernel() { return *m_module->getOps<tile::FuncOp>().begin(); }
  Value returned(unsigned index = 0) { return kernel().getBody().front().getTerminator()->getOperand(index); }
  const AxisInfo info(unsigned index = 0) { return m_facts->of(returned(index)); }
  const AxisInfoAnalysis &facts() { return *m_facts; }

  Facts contiguity(unsigned index = 0) { return each(index, &AxisFacts::contiguity); }
  Facts divisibility(unsigned index = 0) { return each(index, &AxisFacts::divisibility); }
  Facts constancy(unsigned index = 0) { return each(index, &AxisFacts::constancy); }

  std::string wrong(ArrayRef<int64_t> arguments) {
    std::string first;
    for (int64_t program = 0; program < 5 && first.empty(); ++program)
      first = firstWrongClaim(kernel(), *m_facts, program, arguments);
    return first;
  }

private:
  Facts each(unsigned index, int64_t AxisFacts::*fact) {
    Facts result;
    for (const AxisFacts &facts : info(index).axes)
      result.push_back(facts.*fact);
    return result;
  }

  MLIRContext m_context{[] {
                          DialectRegistry registry;
                          registry.insert<tile::TileDialect>();
                          return registry;
                        }(),
                        MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> m_module;
  std::optional<AxisInfoAnalysis> m_facts;
};

// pid * 64 + arange, from a tensor at a multiple of 16 bytes, below n, a multiple of 16.
constexpr const char *vectorAdd = R"(
tile.func private @f(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: si32 {tile.divisibility = 16 : i32}) -> (!i, !p, !b) {
  %size = tile.constant 64 : si32
  %pid = tile.program_id x
  %start = tile.mul %pid, %size : si32
  %starts = tile.splat %start : si32 -> !i
  %range = tile.make_range 0 to 64 : !i
  %offsets = tile.add %starts, %range : !i
  %base = tile.splat %x : !tile.ptr<f32> -> !p
  %pointers = tile.addptr %base, %offsets : !p, !i
  %ends = tile.splat %n : si32 -> !i
  %mask = tile.cmp lt, %offsets, %ends : !i
  tile.return %offsets, %pointers, %mask : !i, !p, !b
})";

TEST(AxisInfo, OffsetsOfAProgram) {
  AxisInfoOf f(vectorAdd);
  EXPECT_EQ(f.contiguity(0), Facts{64});
  EXPECT_EQ(f.divisibility(0), Facts{64});
  EXPECT_TRUE(f.info(0).isNonNegative);
  EXPECT_EQ(f.contiguity(1), Facts{64});
  EXPECT_EQ(f.divisibility(1), Facts{16}); // bytes
  EXPECT_EQ(f.constancy(2), Facts{16});
  EXPECT_EQ(f.facts().vectorElements(f.returned(1), f.returned(2), 0), 4); // 16 bytes of 4 each
  EXPECT_EQ(f.wrong({4096, 48}), "");
  EXPECT_EQ(f.wrong({4096 + 16, 0}), "");
}

TEST(AxisInfo, AMaskThatEndsAnywhereAllowsNoVectors) {
  AxisInfoOf f(R"(
tile.func private @f(%x: !p, %n: si32) -> (!p, !b) {
  %range = tile.make_range 0 to 64 : !i
  %ends = tile.splat %n : si32 -> !i
  %mask = tile.cmp lt, %range, %ends : !i
  tile.return %x, %mask : !p, !b
})");
  EXPECT_EQ(f.constancy(1), Facts{1});
  EXPECT_EQ(f.facts().vectorElements(f.returned(0), f.returned(1), 0), 1);
}

// Rows of a matrix: offs_m[:, None] * stride + offs_n[None, :].
std::string rows(int64_t strideDivisibility) {
  return R"(
!c = !tile.tile<8x1xsi32>
!r = !tile.tile<1x64xsi32>
!m = !tile.tile<8x64xsi32>
!q = !tile.tile<8x64x!tile.ptr<f16>>
tile.func private @f(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %stride: si32 {tile.divisibility = )" +
         std::to_string(strideDivisibility) + R"( : i32}) -> (!q) {
  %m = tile.make_range 0 to 8 : !tile.tile<8xsi32>
  %n = tile.make_range 0 to 64 : !i
  %m2 = tile.expand_dims %m axis 1 : !tile.tile<8xsi32> -> !c
  %n2 = tile.expand_dims %n axis 0 : !i -> !r
  %strides = tile.splat %stride : si32 -> !c
  %starts = tile.mul %m2, %strides : !c
  %starts2 = tile.broadcast %starts : !c -> !m
  %n3 = tile.broadcast %n2 : !r -> !m
  %offsets = tile.add %starts2, %n3 : !m
  %base = tile.splat %x : !tile.ptr<f16> -> !q
  %pointers = tile.addptr %base, %offsets : !q, !m
  tile.return %pointers : !q
})";
}

TEST(AxisInfo, RowsOfAMatrix) {
  AxisInfoOf f(rows(16));
  EXPECT_EQ(f.contiguity(), (Facts{1, 64}));
  EXPECT_EQ(f.divisibility()[1], 16);
  EXPECT_EQ(f.facts().vectorElements(f.returned(), {}, 1), 8); // 16 bytes of 2 each
  EXPECT_EQ(f.wrong({64, 48}), "");
}

TEST(AxisInfo, RowsOfAMatrixWithAnyStrideAreNotAligned) {
  AxisInfoOf f(rows(1));
  EXPECT_EQ(f.contiguity(), (Facts{1, 64}));
  EXPECT_EQ(f.facts().vectorElements(f.returned(), {}, 1), 1);
  EXPECT_EQ(f.wrong({64, 7}), "");
}

// Triton's tutorial on products: rows past the end begin again.
TEST(AxisInfo, RemaindersKeepNeighboursAsFarAsTheDivisorIsAMultiple) {
  const std::string text = R"(
tile.func private @f(%n: si32 {tile.divisibility = 16 : i32}) -> (!i) {
  %size = tile.constant 64 : si32
  %pid = tile.program_id x
  %start = tile.mul %pid, %size : si32
  %starts = tile.splat %start : si32 -> !i
  %range = tile.make_range 0 to 64 : !i
  %offsets = tile.add %starts, %range : !i
  %ends = tile.splat %n : si32 -> !i
  %wrapped = tile.rem %offsets, %ends : !i
  tile.return %wrapped : !i
})";
  AxisInfoOf f(text);
  EXPECT_EQ(f.contiguity(), Facts{16});
  EXPECT_EQ(f.divisibility(), Facts{16});
  EXPECT_EQ(f.wrong({48}), "");
}

TEST(AxisInfo, QuotientsAndRemaindersByPowersOfTwo) {
  AxisInfoOf f(R"(
tile.func private @f() -> (!i, !i, !i, !i) {
  %range = tile.make_range 0 to 64 : !i
  %eight = tile.constant 8 : si32 -> !i
  %three = tile.constant 3 : si32 -> !i
  %seven = tile.constant 7 : si32 -> !i
  %div = tile.div %range, %eight : !i
  %shr = tile.shr %range, %three : !i
  %rem = tile.rem %range, %eight : !i
  %and = tile.and %range, %seven : !i
  tile.return %div, %shr, %rem, %and : !i, !i, !i, !i
})");
  EXPECT_EQ(f.constancy(0), Facts{8});
  EXPECT_EQ(f.constancy(1), Facts{8});
  EXPECT_EQ(f.contiguity(2), Facts{8});
  EXPECT_EQ(f.contiguity(3), Facts{8});
  EXPECT_EQ(f.divisibility(3), Facts{8});
  EXPECT_EQ(f.wrong({}), "");
}

// Division rounds towards zero: -8 % 8, -7 % 8 … are 0, -7 …, and -7 / 8 and 7 / 8 are both 0.
TEST(AxisInfo, BelowZeroDivisionTearsBlocks) {
  AxisInfoOf f(R"(
tile.func private @f() -> (!i, !i) {
  %range = tile.make_range -32 to 32 : !i
  %eight = tile.constant 8 : si32 -> !i
  %div = tile.div %range, %eight : !i
  %rem = tile.rem %range, %eight : !i
  tile.return %div, %rem : !i, !i
})");
  EXPECT_EQ(f.constancy(0), Facts{1});
  EXPECT_EQ(f.contiguity(1), Facts{1});
  EXPECT_EQ(f.wrong({}), "");
}

TEST(AxisInfo, PointersThatALoopMovesOn) {
  const std::string text = R"(
tile.func private @f(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: si32, %stride: si32 {tile.divisibility = 16 : i32}) -> (!p, si32) {
  %zero = tile.constant 0 : si32
  %size = tile.constant 32 : si32
  %range = tile.make_range 0 to 64 : !i
  %base = tile.splat %x : !tile.ptr<f32> -> !p
  %first = tile.addptr %base, %range : !p, !i
  %step = tile.mul %size, %stride : si32
  %steps = tile.splat %step : si32 -> !i
  %last:2 = tile.for %k = %zero to %n step %size iter_args(%at = %first, %seen = %zero) -> (!p, si32) : si32 {
    %next = tile.addptr %at, %steps : !p, !i
    tile.yield %next, %k : !p, si32
  }
  tile.return %last#0, %last#1 : !p, si32
})";
  AxisInfoOf f(text);
  EXPECT_EQ(f.contiguity(0), Facts{64});
  EXPECT_EQ(f.divisibility(0), Facts{16});
  EXPECT_EQ(f.divisibility(1), Facts{32}); // the induction variable's
  EXPECT_EQ(f.wrong({64, 100, 16}), "");
  EXPECT_EQ(f.wrong({64, 0, 48}), "");
}

TEST(AxisInfo, ALoopThatMovesPointersByAnythingForgetsTheirAlignment) {
  AxisInfoOf f(R"(
tile.func private @f(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: si32, %stride: si32) -> (!p) {
  %zero = tile.constant 0 : si32
  %one = tile.constant 1 : si32
  %range = tile.make_range 0 to 64 : !i
  %base = tile.splat %x : !tile.ptr<f32> -> !p
  %first = tile.addptr %base, %range : !p, !i
  %steps = tile.splat %stride : si32 -> !i
  %last = tile.for %k = %zero to %n step %one iter_args(%at = %first) -> (!p) : si32 {
    %next = tile.addptr %at, %steps : !p, !i
    tile.yield %next : !p
  }
  tile.return %last : !p
})");
  EXPECT_EQ(f.contiguity(), Facts{64});
  EXPECT_EQ(f.divisibility(), Facts{4});
  EXPECT_EQ(f.wrong({64, 3, 5}), "");
}

TEST(AxisInfo, AWhileLoopHalves) {
  AxisInfoOf f(R"(
tile.func private @f(%n: si32 {tile.divisibility = 16 : i32}) -> (si32, si32) {
  %two = tile.constant 2 : si32
  %eight = tile.constant 8 : si32
  %last:2 = tile.while (%a = %n, %b = %eight) : (si32, si32) -> (si32, si32) {
    %goes = tile.cmp gt, %a, %eight : si32
    tile.condition %goes, %a, %b : si32, si32
  } do {
  ^bb0(%c: si32, %d: si32):
    %half = tile.div %c, %two : si32
    %more = tile.add %d, %eight : si32
    tile.yield %half, %more : si32, si32
  }
  tile.return %last#0, %last#1 : si32, si32
})");
  EXPECT_EQ(f.divisibility(0), Facts{1});
  EXPECT_EQ(f.divisibility(1), Facts{8});
  EXPECT_EQ(f.wrong({48}), "");
}

TEST(AxisInfo, BranchesKeepWhatBothHave) {
  AxisInfoOf f(R"(
tile.func private @f(%c: i1, %a: si32 {tile.divisibility = 16 : i32}) -> (si32, !i) {
  %eight = tile.constant 8 : si32
  %range = tile.make_range 0 to 64 : !i
  %later = tile.make_range 4 to 68 : !i
  %r:2 = tile.if %c -> (si32, !i) {
    tile.yield %a, %range : si32, !i
  } else {
    tile.yield %eight, %later : si32, !i
  }
  tile.return %r#0, %r#1 : si32, !i
})");
  EXPECT_EQ(f.divisibility(0), Facts{8});
  EXPECT_EQ(f.contiguity(1), Facts{64});
  EXPECT_EQ(f.divisibility(1), Facts{4});
  EXPECT_EQ(f.wrong({0, 32}), "");
  EXPECT_EQ(f.wrong({1, 32}), "");
}

TEST(AxisInfo, HintsAreTakenAtTheirWord) {
  AxisInfoOf f(R"(
tile.func private @f(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %i: !i) -> (!p, !b) {
  %zero = tile.constant 0 : si32 -> !i
  %offsets = tile.add %i, %i {tile.max_contiguous = array<i32: 32>, tile.multiple_of = array<i32: 32>} : !i
  %base = tile.splat %x : !tile.ptr<f32> -> !p
  %pointers = tile.addptr %base, %offsets : !p, !i
  %mask = tile.cmp ne, %i, %zero {tile.max_constancy = array<i32: 2>} : !i
  tile.return %pointers, %mask : !p, !b
})");
  EXPECT_EQ(f.contiguity(0), Facts{32});
  EXPECT_EQ(f.facts().vectorElements(f.returned(0), {}, 0), 4);
  EXPECT_EQ(f.facts().vectorElements(f.returned(0), f.returned(1), 0), 2);
}

// A mask of several conditions, one of them turned round.
TEST(AxisInfo, MasksAreMadeOfMasks) {
  AxisInfoOf f(R"(
tile.func private @f(%n: si32 {tile.divisibility = 16 : i32}, %m: si32 {tile.divisibility = 8 : i32}) -> (!b) {
  %range = tile.make_range 0 to 64 : !i
  %a = tile.splat %n : si32 -> !i
  %b = tile.splat %m : si32 -> !i
  %below = tile.cmp lt, %range, %a : !i
  %above = tile.cmp lt, %range, %b : !i
  %from = tile.not %above : !b
  %both = tile.and %below, %from : !b
  tile.return %both : !b
})");
  EXPECT_EQ(f.constancy(), Facts{8});
  EXPECT_EQ(f.wrong({48, 8}), "");
}

TEST(AxisInfo, ShapesMoveWhatIsKnown) {
  AxisInfoOf f(R"(
!m = !tile.tile<4x16xsi32>
tile.func private @f() -> (!m, !tile.tile<16x4xsi32>, !tile.tile<128xsi32>, !tile.tile<64x2xsi32>, !i) {
  %range = tile.make_range 0 to 64 : !i
  %folded = tile.reshape %range : !i -> !m
  %turned = tile.permute %folded [1, 0] : !m -> !tile.tile<16x4xsi32>
  %long = tile.cat %range, %range axis 0 : !i -> !tile.tile<128xsi32>
  %pairs = tile.join %range, %range : !i -> !tile.tile<64x2xsi32>
  %left, %right = tile.split %pairs : !tile.tile<64x2xsi32> -> !i
  tile.return %folded, %turned, %long, %pairs, %right : !m, !tile.tile<16x4xsi32>, !tile.tile<128xsi32>, !tile.tile<64x2xsi32>, !i
})");
  EXPECT_EQ(f.contiguity(0), (Facts{1, 16}));
  EXPECT_EQ(f.divisibility(0)[1], 16);
  EXPECT_EQ(f.contiguity(1), (Facts{16, 1}));
  EXPECT_EQ(f.contiguity(2), Facts{64});
  EXPECT_EQ(f.contiguity(3), (Facts{64, 1}));
  EXPECT_EQ(f.contiguity(4), Facts{64});
  EXPECT_EQ(f.wrong({}), "");
}

// 250 … 265 as ui8 wrap in the middle.
TEST(AxisInfo, FewerBitsBreakWhatIsContiguous) {
  AxisInfoOf f(R"(
tile.func private @f() -> (!tile.tile<64xui8>) {
  %range = tile.make_range 248 to 312 : !i
  %narrow = tile.cast %range : !i -> !tile.tile<64xui8>
  tile.return %narrow : !tile.tile<64xui8>
})");
  EXPECT_EQ(f.contiguity(), Facts{8});
  EXPECT_EQ(f.wrong({}), "");
}

} // namespace
} // namespace tilescope::analysis::test
