// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory of stage two: where elements lie, when copies arrive, and that what goes wrong on a GPU goes
// wrong here.
#include "tests/Interpreter/Harness.h"

#include <gmock/gmock.h>

#include <numeric>

namespace tilescope::interp::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr unsigned Count = 32;

/// Offset i of #s holds the element whose number has the bits of i in reverse.
unsigned reversed(unsigned i) { return (i & 1) << 4 | (i & 2) << 2 | (i & 4) | (i & 8) >> 2 | (i & 16) >> 4; }

/// A kernel over pointers %xp and %op to 32 elements of x and out, and a number %n.
std::string kernelWith(const std::string &body) {
  return R"(
#t = #tile.layout<32, {register = [], lane = [[1], [2], [4], [8], [16]], warp = []}>
#s = #tile.layout<32, {offset = [[16], [8], [4], [2], [1]]}>
#m = #tile.layout<8x4, {register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []}>
#n = #tile.layout<4x8, {register = [], lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = []}>
#u = #tile.layout<32, {register = [], lane = [[8], [16], [1], [2], [4]], warp = []}>
#ms = #tile.layout<8x4, {offset = [[1, 0], [2, 0], [4, 0], [0, 1], [2, 2]]}>
#ns = #tile.layout<4x8, {offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 2]]}>
tile.func @k(%x: !tile.ptr<f32> {tile.name = "x_ptr"}, %out: !tile.ptr<f32> {tile.name = "out_ptr"},
             %n: si32 {tile.name = "n"}) {
  %r = tile.make_range 0 to 32 : !tile.tile<32xsi32, #t>
  %xs = tile.splat %x : !tile.ptr<f32> -> !tile.tile<32x!tile.ptr<f32>, #t>
  %os = tile.splat %out : !tile.ptr<f32> -> !tile.tile<32x!tile.ptr<f32>, #t>
  %xp = tile.addptr %xs, %r : !tile.tile<32x!tile.ptr<f32>, #t>, !tile.tile<32xsi32, #t>
  %op = tile.addptr %os, %r : !tile.tile<32x!tile.ptr<f32>, #t>, !tile.tile<32xsi32, #t>
  %ns = tile.splat %n : si32 -> !tile.tile<32xsi32, #t>
  %low = tile.cmp lt, %r, %ns : !tile.tile<32xsi32, #t>
  %zero = tile.constant 0.0 : f32 -> !tile.tile<32xf32, #t>
)" + body +
         "  tile.return\n}";
}

struct Ran {
  std::vector<float> out;
  std::vector<std::string> findings; ///< ids, and of their notes
  RunResult result;
  std::shared_ptr<const Kernel> kernel;
};

/// x is 1, 2 … 32.
Ran run(const std::string &body, int32_t n = 0) {
  Machine machine;
  Ran ran;
  ran.kernel = kernelOf(kernelWith(body), machine.diagnostics);
  EXPECT_TRUE(ran.kernel);
  if (!ran.kernel)
    return ran;
  std::vector<float> numbers(Count);
  std::iota(numbers.begin(), numbers.end(), 1.0f);
  const auto x = machine.tensor(numbers, "x"), out = machine.tensor(std::vector<float>(Count, -1), "out");
  ran.result =
      machine.run(*ran.kernel, {1, 1, 1}, {machine.pointer(x), machine.pointer(out), Machine::scalar(n)});
  ran.out = machine.values<float>(out);
  for (const Diagnostic &diagnostic : machine.diagnostics.all()) {
    ran.findings.emplace_back(diagnostic.id);
    if (!diagnostic.notes.empty())
      ran.findings.emplace_back(diagnostic.notes.front().id);
  }
  return ran;
}

testing::Matcher<std::vector<float>> isX() {
  std::vector<float> numbers(Count);
  std::iota(numbers.begin(), numbers.end(), 1.0f);
  return testing::Eq(numbers);
}

const std::string LoadX = "  %v = tile.load %xp : !tile.tile<32x!tile.ptr<f32>, #t>\n";
const std::string Buffer = "  %b = tile.shared_alloc : !tile.buffer<32xf32, #s>\n";
const std::string CopyX =
    "  %c = tile.async_copy %xp into %b : !tile.tile<32x!tile.ptr<f32>, #t>, !tile.buffer<32xf32, #s>\n"
    "  %g = tile.async_commit %c\n";
const std::string Write = "  tile.shared_store %v, %b : !tile.tile<32xf32, #t>, !tile.buffer<32xf32, #s>\n";
const std::string ReadOnly =
    "  %unused = tile.shared_load %b : !tile.buffer<32xf32, #s> -> !tile.tile<32xf32, #t>\n";
const std::string StoreBuffer =
    "  %w = tile.shared_load %b : !tile.buffer<32xf32, #s> -> !tile.tile<32xf32, #t>\n"
    "  tile.store %op, %w : !tile.tile<32x!tile.ptr<f32>, #t>\n";

TEST(Shared, WhatIsStoredInASlotIsLoadedFromIt) {
  const auto slots = [](const std::string &read) {
    return LoadX + R"(
  %bs = tile.shared_alloc : !tile.buffer<32xf32, #s, 2>
  %zeroth = tile.constant 0 : si32
  %one = tile.constant 1 : si32
  %b0 = tile.shared_slot %bs[%zeroth] : !tile.buffer<32xf32, #s, 2>
  %b1 = tile.shared_slot %bs[%one] : !tile.buffer<32xf32, #s, 2>
  tile.shared_store %zero, %b0 : !tile.tile<32xf32, #t>, !tile.buffer<32xf32, #s>
  tile.shared_store %v, %b1 : !tile.tile<32xf32, #t>, !tile.buffer<32xf32, #s>
  tile.shared_barrier
  %b = tile.shared_slot %bs[)" +
           read + "] : !tile.buffer<32xf32, #s, 2>\n" + StoreBuffer;
  };
  EXPECT_THAT(run(slots("%n"), 1).out, isX());
  EXPECT_THAT(run(slots("%n"), 0).out, Each(0.0f));
  const Ran outside = run(slots("%n"), 2);
  EXPECT_THAT(outside.findings, ElementsAre("undefined-store", "shared-undefined-here"));
}

TEST(Shared, ABufferHoldsWhatItWasAllocatedWith) {
  EXPECT_THAT(run(LoadX +
                  "  %b = tile.shared_alloc %v : !tile.tile<32xf32, #t> -> !tile.buffer<32xf32, #s>\n" +
                  StoreBuffer)
                  .out,
              isX());
}

TEST(Shared, ANewBufferIsUndefined) {
  EXPECT_THAT(run(Buffer + StoreBuffer).findings, ElementsAre("undefined-store", "shared-undefined-here"));
}

TEST(Shared, APermutedBufferIsTheTransposedTile) {
  const Ran ran = run(LoadX + R"(
  %m = tile.reshape %v : !tile.tile<32xf32, #t> -> !tile.tile<8x4xf32, #m>
  %b = tile.shared_alloc %m : !tile.tile<8x4xf32, #m> -> !tile.buffer<8x4xf32, #ms>
  %p = tile.shared_permute %b [1, 0] : !tile.buffer<8x4xf32, #ms> -> !tile.buffer<4x8xf32, #ns>
  %w = tile.shared_load %p : !tile.buffer<4x8xf32, #ns> -> !tile.tile<4x8xf32, #n>
  %l = tile.reshape %w : !tile.tile<4x8xf32, #n> -> !tile.tile<32xf32, #u>
  %w2 = tile.convert_layout %l : !tile.tile<32xf32, #u> -> !tile.tile<32xf32, #t>
  tile.store %op, %w2 : !tile.tile<32x!tile.ptr<f32>, #t>
)");
  ASSERT_EQ(ran.out.size(), Count);
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = 0; j < 8; ++j)
      EXPECT_EQ(ran.out[i * 8 + j], float(j * 4 + i + 1)) << i << ", " << j;
}

TEST(Shared, BuffersThatOverlapSpoilEachOther) {
  // The second begins at offset 16 of the first.
  const Ran ran = run(LoadX + R"(
  %b = tile.shared_alloc %v : !tile.tile<32xf32, #t> -> {shared_offset = 0 : i32} !tile.buffer<32xf32, #s>
  %d = tile.shared_alloc %v : !tile.tile<32xf32, #t> -> {shared_offset = 64 : i32} !tile.buffer<32xf32, #s>
)" + StoreBuffer);
  ASSERT_EQ(ran.out.size(), Count);
  for (unsigned offset = 0; offset < Count; ++offset)
    EXPECT_EQ(ran.out[reversed(offset)], float(reversed(offset < 16 ? offset : offset - 16) + 1)) << offset;
}

TEST(Shared, UsesOfTheSameBytesNeedABarrierBetween) {
  // Wherever there is a barrier at all.
  const std::string barrier = "  tile.shared_barrier\n", wait = "  tile.async_wait pending 0\n";
  for (const bool isThere : {false, true}) {
    const std::string between = isThere ? barrier : "";
    const auto findings = isThere ? std::vector<std::string>{}
                                  : std::vector<std::string>{"undefined-store", "shared-undefined-here"};
    const auto found = [&](const std::string &body) { return run(barrier + LoadX + Buffer + body).findings; };
    EXPECT_EQ(found(Write + between + StoreBuffer), findings) << "read after write";
    EXPECT_EQ(found(Write + barrier + ReadOnly + between + Write + barrier + StoreBuffer), findings)
        << "write after read";
    EXPECT_EQ(found(Write + between + Write + barrier + StoreBuffer), findings) << "write after write";
    EXPECT_EQ(found(CopyX + wait + between + StoreBuffer), findings) << "read after a copy";
    EXPECT_EQ(found(Write + between + CopyX + wait + barrier + StoreBuffer), findings)
        << "copy after a write";
  }
}

//===- Asynchronous copies -------------------------------------------------------------------------===//

TEST(AsyncCopy, ArrivesWhenItsGroupIsWaitedFor) {
  const Ran ran = run(Buffer + CopyX + "  tile.async_wait pending 0\n" + StoreBuffer);
  EXPECT_THAT(ran.out, isX());
  EXPECT_THAT(ran.findings, IsEmpty());
}

TEST(AsyncCopy, IsUndefinedBefore) {
  for (const std::string wait : {"", "  tile.async_wait pending 1\n"})
    EXPECT_THAT(run(Buffer + CopyX + wait + StoreBuffer).findings,
                ElementsAre("undefined-store", "shared-undefined-here"))
        << wait;
}

TEST(AsyncCopy, OfAnOlderGroupArrivesWithNewerOnesPending) {
  EXPECT_THAT(
      run(Buffer + CopyX + "  %g2 = tile.async_commit\n  tile.async_wait pending 1\n" + StoreBuffer).out,
      isX());
}

TEST(AsyncCopy, OverwritesWhatIsStoredMeanwhile) {
  EXPECT_THAT(run(Buffer + CopyX +
                  "  tile.shared_store %zero, %b : !tile.tile<32xf32, #t>, !tile.buffer<32xf32, #s>\n"
                  "  tile.async_wait pending 0\n" +
                  StoreBuffer)
                  .out,
              isX());
}

TEST(AsyncCopy, ReadsMemoryWhenItBegins) {
  EXPECT_THAT(run(Buffer + CopyX + "  tile.store %xp, %zero : !tile.tile<32x!tile.ptr<f32>, #t>\n" +
                  "  tile.async_wait pending 0\n" + StoreBuffer)
                  .out,
              isX());
}

TEST(AsyncCopy, CountsAsTheLoadThatItWas) {
  const Ran ran = run(Buffer + CopyX + "  tile.async_wait pending 0\n" + StoreBuffer);
  ASSERT_EQ(ran.kernel->accesses().size(), 2u);
  EXPECT_EQ(ran.kernel->accesses()[0].kind, AccessKind::Load);
  EXPECT_EQ(ran.kernel->accesses()[0].pointerArgument, 0);
  EXPECT_EQ(ran.result.counts[0].active, Count);
  EXPECT_EQ(ran.result.counts[0].bytes, Count * 4);
}

TEST(AsyncCopy, MaskedOffIsOtherOrUndefined) {
  const std::string rest = "into %b : !tile.tile<32x!tile.ptr<f32>, #t>, !tile.buffer<32xf32, #s>\n"
                           "  %g = tile.async_commit %c\n  tile.async_wait pending 0\n";
  const Ran zero = run(Buffer + "  %c = tile.async_copy %xp, %low, %zero " + rest + StoreBuffer, 3);
  EXPECT_THAT(zero.findings, IsEmpty());
  ASSERT_EQ(zero.out.size(), Count);
  EXPECT_EQ(std::vector<float>(zero.out.begin(), zero.out.begin() + 4), (std::vector<float>{1, 2, 3, 0}));
  const Ran undefined = run(Buffer + "  %c = tile.async_copy %xp, %low " + rest + StoreBuffer, 3);
  EXPECT_THAT(undefined.findings, ElementsAre("undefined-store", "masked-here"));
}

TEST(AsyncCopy, UndefinedElementsPassThroughStores) {
  const Ran ran =
      run("  %v = tile.load %xp, %low : !tile.tile<32x!tile.ptr<f32>, #t>\n" + Buffer +
              "  tile.shared_store %v, %b : !tile.tile<32xf32, #t>, !tile.buffer<32xf32, #s>\n" + StoreBuffer,
          3);
  EXPECT_THAT(ran.findings, ElementsAre("undefined-store", "masked-here"));
}

} // namespace
} // namespace tilescope::interp::test
