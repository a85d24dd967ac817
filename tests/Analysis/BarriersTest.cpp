// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Analysis/Barriers.h"

#include "tests/Analysis/Parsed.h"

namespace tilescope::analysis::test {
namespace {

constexpr const char *header = R"(
#blocked = #tile.layout<64, {register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]}>
#shared = #tile.layout<64, {offset = [[1], [2], [4], [8], [16], [32]]}>
tile.func @k(%n: si32, %v: !tile.tile<64xf32, #blocked>, %x: !tile.tile<64x!tile.ptr<f32>, #blocked>)
    attributes {num_warps = 2 : i32} {
  %zero = tile.constant 0 : si32
  %one = tile.constant 1 : si32
  %three = tile.constant 3 : si32
)";

/// The operations that need a barrier in front, as names without "tile.".
std::vector<std::string> barriers(const std::string &body) {
  const Parsed parsed(header + body + "  tile.return\n}\n");
  std::vector<std::string> names;
  for (mlir::Operation *op : barriersNeeded(parsed.kernel(), allocateShared(parsed.kernel())))
    names.push_back(op->getName().stripDialect().str());
  return names;
}

using Names = std::vector<std::string>;
const std::string store = "tile.shared_store %v, %b : !tile.tile<64xf32, #blocked>, !tile.buffer<64xf32, #shared>\n",
                  load = " = tile.shared_load %b : !tile.buffer<64xf32, #shared> -> !tile.tile<64xf32, #blocked>\n",
                  alloc = "%b = tile.shared_alloc : !tile.buffer<64xf32, #shared>\n";

TEST(Barriers, BetweenAWriteAndARead) { EXPECT_EQ(barriers(alloc + store + "%1" + load), Names{"shared_load"}); }

TEST(Barriers, NoneBetweenReads) { EXPECT_EQ(barriers(alloc + "%1" + load + "%2" + load), Names{}); }

TEST(Barriers, NoneBetweenDifferentBytes) {
  EXPECT_EQ(barriers(alloc + "%c = tile.shared_alloc : !tile.buffer<64xf32, #shared>\n" + store + "%1" +
                     " = tile.shared_load %c : !tile.buffer<64xf32, #shared> -> !tile.tile<64xf32, #blocked>\n"),
            Names{});
}

TEST(Barriers, OneThatIsThereCounts) {
  EXPECT_EQ(barriers(alloc + store + "tile.shared_barrier\n%1" + load), Names{});
}

TEST(Barriers, ALoopMeetsItselfInTheNextTrip) {
  // A trip writes, reads; the next one may not write before all have read.
  EXPECT_EQ(barriers(alloc + "tile.for %i = %zero to %n step %one : si32 {\n" + store + "%1" + load + "tile.yield\n}\n"),
            (Names{"shared_store", "shared_load"}));
}

TEST(Barriers, OneWayOfABranchIsEnough) {
  EXPECT_EQ(barriers(alloc + "%c = tile.cmp lt, %zero, %n : si32\ntile.if %c {\n" + store + "tile.yield\n}\n%1" + load),
            Names{"shared_load"});
}

TEST(Barriers, OfBytesThatAreUsedAgain) {
  // The second buffer lies where the first was.
  EXPECT_EQ(barriers(alloc + "%1" + load + R"(
  %c = tile.shared_alloc %v : !tile.tile<64xf32, #blocked> -> !tile.buffer<64xf32, #shared>
  %2 = tile.shared_load %c : !tile.buffer<64xf32, #shared> -> !tile.tile<64xf32, #blocked>
)"),
            (Names{"shared_alloc", "shared_load"}));
}

/// A pipeline of three buffers, as tile-pipeline-loops makes it: two copies ahead.
constexpr const char *pipeline = R"(
  %b = tile.shared_alloc : !tile.buffer<64xf32, #shared, 3>
  %s0 = tile.shared_slot %b[%zero] : !tile.buffer<64xf32, #shared, 3>
  %t0 = tile.async_copy %x into %s0 : !tile.tile<64x!tile.ptr<f32>, #blocked>, !tile.buffer<64xf32, #shared>
  %g0 = tile.async_commit %t0
  %s1 = tile.shared_slot %b[%one] : !tile.buffer<64xf32, #shared, 3>
  %t1 = tile.async_copy %x into %s1 : !tile.tile<64x!tile.ptr<f32>, #blocked>, !tile.buffer<64xf32, #shared>
  %g1 = tile.async_commit %t1
  %fill = tile.constant 2 : si32
  %end:2 = tile.for %i = %zero to %n step %one iter_args(%w = %fill, %r = %zero) -> (si32, si32) : si32 {
    tile.async_wait pending 1
    %sw = tile.shared_slot %b[%w] : !tile.buffer<64xf32, #shared, 3>
    %t = tile.async_copy %x into %sw : !tile.tile<64x!tile.ptr<f32>, #blocked>, !tile.buffer<64xf32, #shared>
    %g = tile.async_commit %t
    %sr = tile.shared_slot %b[%r] : !tile.buffer<64xf32, #shared, 3>
    %v1 = tile.shared_load %sr : !tile.buffer<64xf32, #shared> -> !tile.tile<64xf32, #blocked>
    %w1 = tile.add %w, %one : si32
    %wl = tile.cmp eq, %w1, %three : si32
    %w2 = tile.select %wl, %zero, %w1 : si32
    %r1 = tile.add %r, %one : si32
    %rl = tile.cmp eq, %r1, %three : si32
    %r2 = tile.select %rl, %zero, %r1 : si32
    tile.yield %w2, %r2 : si32, si32
  }
  tile.async_wait pending 0
)";

TEST(Barriers, OneATripHoldsAPipeline) { EXPECT_EQ(barriers(pipeline), Names{"async_copy"}); }

/// Three buffers that a loop turns over, written two trips before they are read. `count`: after how many the writer's turn
/// begins again.
std::string turning(const std::string &count) {
  return R"(
  %b = tile.shared_alloc : !tile.buffer<64xf32, #shared, 3>
  %two = tile.constant 2 : si32
  %end:2 = tile.for %i = %zero to %n step %one iter_args(%w = %two, %r = %zero) -> (si32, si32) : si32 {
    %sw = tile.shared_slot %b[%w] : !tile.buffer<64xf32, #shared, 3>
    tile.shared_store %v, %sw : !tile.tile<64xf32, #blocked>, !tile.buffer<64xf32, #shared>
    %sr = tile.shared_slot %b[%r] : !tile.buffer<64xf32, #shared, 3>
    %v1 = tile.shared_load %sr : !tile.buffer<64xf32, #shared> -> !tile.tile<64xf32, #blocked>
    %w1 = tile.add %w, %one : si32
    %wl = tile.cmp eq, %w1, )" +
         count + R"( : si32
    %w2 = tile.select %wl, %zero, %w1 : si32
    %r1 = tile.add %r, %one : si32
    %rl = tile.cmp eq, %r1, %three : si32
    %r2 = tile.select %rl, %zero, %r1 : si32
    tile.yield %w2, %r2 : si32, si32
  }
)";
}

TEST(Barriers, BuffersThatTurnMeetOnceATrip) { EXPECT_EQ(barriers(turning("%three")), Names{"shared_store"}); }

TEST(Barriers, ATurnThatIsNotKnownMayBeAnyBuffer) {
  EXPECT_EQ(barriers(turning("%n")), (Names{"shared_store", "shared_load"}));
}

} // namespace
} // namespace tilescope::analysis::test
