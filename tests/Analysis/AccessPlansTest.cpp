// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of accesses in stage two: as wide as they may be, and every instruction of every lane held to the
// addresses and masks that come out of the kernel.
#include "compiler/Analysis/AccessPlans.h"

#include "tests/Analysis/Parsed.h"
#include "tests/Analysis/SlowEvaluator.h"

#include <gtest/gtest.h>

namespace tilescope::analysis::test {
namespace {

/// Offsets of a program, a mask of those below n, and a load and a store in which each thread has four
/// neighbours.
std::string rowOf(const std::string &element, const std::string &nAttributes, const std::string &step = "1") {
  return R"(
#four = #tile.layout<256, {register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128]]}>
!i = !tile.tile<256xsi32, #four>
!b = !tile.tile<256xi1, #four>
!p = !tile.tile<256x!tile.ptr<)" +
         element + R"(>, #four>
tile.func @k(%x: !tile.ptr<)" +
         element + R"(> {tile.divisibility = 16 : i32}, %n: si32)" + nAttributes +
         R"() attributes {num_warps = 2 : i32} {
  %size = tile.constant 256 : si32
  %pid = tile.program_id x
  %start = tile.mul %pid, %size : si32
  %starts = tile.splat %start : si32 -> !i
  %range = tile.make_range 0 to 256 : !i
  %numbers = tile.add %starts, %range : !i
  %step = tile.constant )" +
         step + R"( : si32 -> !i
  %offsets = tile.mul %numbers, %step : !i
  %base = tile.splat %x : !tile.ptr<)" +
         element + R"(> -> !p
  %at = tile.addptr %base, %offsets : !p, !i
  %ends = tile.splat %n : si32 -> !i
  %mask = tile.cmp lt, %offsets, %ends : !i
  %v = tile.load %at, %mask {masked} : !p
  tile.store %at, %v {unmasked} : !p
  %old = tile.atomic_rmw add acq_rel gpu, %at, %v {atomic} : !p
  %s = tile.load %x {scalar} : !tile.ptr<)" +
         element + R"(>
  tile.store %x, %s {scalar_store} : !tile.ptr<)" +
         element + R"(>
  tile.return
})";
}

const std::string multiple = " {tile.divisibility = 16 : i32}";

model::AccessPlan planOfMarked(const Parsed &parsed, llvm::StringRef name) {
  return planOf(parsed.marked(name), AxisInfoAnalysis(parsed.kernel()));
}

/// Elements of an instruction are neighbours from a multiple of its width on, all on or all off.
void expectTrue(const Parsed &parsed, llvm::StringRef name, llvm::ArrayRef<int64_t> arguments) {
  mlir::Operation *access = parsed.marked(name);
  const model::AccessPlan plan = planOfMarked(parsed, name);
  for (int64_t program = 0; program < 3; ++program) {
    SlowEvaluator evaluator(program, [](mlir::Value, const Numbers &) {});
    evaluator.run(parsed.kernel(), arguments);
    const Numbers pointers = *evaluator.of(pointersOf(access));
    mlir::Value mask = maskOf(access);
    forEachAccess(plan, [&](unsigned, unsigned, unsigned, const model::LaneElements &elements) {
      const int64_t first = pointers.elements[elements.first()];
      ASSERT_EQ(first % plan.widthBytes(), 0);
      for (unsigned index = 0; index < elements.count; ++index) {
        const uint64_t number = elements.numbers[index];
        ASSERT_EQ(pointers.elements[number], first + index * plan.elementBytes);
        if (mask) {
          const Numbers &on = *evaluator.of(mask);
          ASSERT_EQ(on.elements[number], on.elements[elements.first()]);
        }
      }
    });
  }
}

TEST(AccessPlans, NeighboursOfAThreadAreOneInstruction) {
  const Parsed parsed(rowOf("f32", multiple));
  for (const char *name : {"masked", "unmasked"}) {
    EXPECT_EQ(planOfMarked(parsed, name).widthBytes(), 16u) << name;
    EXPECT_EQ(planOfMarked(parsed, name).instructions(), 1u) << name;
    expectTrue(parsed, name, {4096 + 16, 304});
  }
}

TEST(AccessPlans, AsManyAsTheLayoutHas) {
  const Parsed parsed(rowOf("f16", multiple)); // four in a thread, though eight would fit
  EXPECT_EQ(planOfMarked(parsed, "unmasked").widthBytes(), 8u);
  expectTrue(parsed, "unmasked", {64, 0});
}

TEST(AccessPlans, AMaskThatEndsAnywhereMakesInstructionsNarrow) {
  const Parsed parsed(rowOf("f32", ""));
  EXPECT_EQ(planOfMarked(parsed, "masked").widthBytes(), 4u);
  EXPECT_EQ(planOfMarked(parsed, "masked").instructions(), 4u);
  EXPECT_EQ(planOfMarked(parsed, "unmasked").widthBytes(), 16u);
  expectTrue(parsed, "masked", {4096, 301});
}

TEST(AccessPlans, EveryOtherElementIsAnInstructionOfItsOwn) {
  const Parsed parsed(rowOf("f32", multiple, "2"));
  EXPECT_EQ(planOfMarked(parsed, "unmasked").widthBytes(), 4u);
  expectTrue(parsed, "unmasked", {4096, 304});
}

TEST(AccessPlans, AnAtomicIsOfOneElement) {
  const Parsed parsed(rowOf("f32", multiple));
  EXPECT_EQ(planOfMarked(parsed, "atomic").widthBytes(), 4u);
  EXPECT_EQ(planOfMarked(parsed, "atomic").instructions(), 4u);
}

TEST(AccessPlans, AScalarIsLoadedByAllAndStoredByOne) {
  const Parsed parsed(rowOf("f32", multiple));
  const model::AccessPlan load = planOfMarked(parsed, "scalar"), store = planOfMarked(parsed, "scalar_store");
  EXPECT_EQ(load.warps(), 2u);
  EXPECT_EQ(load.instructions(), 1u);
  unsigned loading = 0, storing = 0;
  forEachAccess(load, [&](unsigned, unsigned, unsigned, const model::LaneElements &) { ++loading; });
  forEachAccess(store, [&](unsigned, unsigned, unsigned, const model::LaneElements &) { ++storing; });
  EXPECT_EQ(loading, 64u);
  EXPECT_EQ(storing, 1u);
}

} // namespace
} // namespace tilescope::analysis::test
