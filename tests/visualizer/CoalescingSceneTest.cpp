// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scene against what is counted lane by lane, byte by byte, from the same answers of the run process; and against
// the figures of the launch that `tilec trace` gives.
#include "tests/visualizer/Accesses.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace tilescope::viz;
using namespace tilescope;

namespace {

using Kind = LanePattern::Kind;

/// A lane's first byte, slowly: two words of the page.
int64_t positionIn(const protocol::AccessDetail &detail, int64_t request, int lane) {
  auto at = static_cast<size_t>((request - detail.first) * 64 + 2 * lane);
  uint64_t low = static_cast<uint32_t>(detail.addresses.values[at]);
  uint64_t high = static_cast<uint32_t>(detail.addresses.values[at + 1]);
  return static_cast<int64_t>(high << 32 | low) + detail.baseOffset;
}

class EveryAccess : public testing::TestWithParam<std::string> {};

TEST_P(EveryAccess, IsCountedAsByteByByte) {
  const accesses::Recorded recorded = accesses::recorded(GetParam());
  const CoalescingScene scene(recorded.launch, recorded.detail);
  const protocol::AccessDetail &detail = recorded.detail;
  int64_t order = 0, sectors = 0, used = 0, ideal = 0;
  std::set<int64_t> distinct;
  size_t word = 0;
  auto known = static_cast<int64_t>(detail.addresses.values.size() / 64);
  for (int64_t index = 0; index < known; ++index) {
    std::map<int64_t, std::set<int64_t>> bytes; // of each sector
    for (int lane = 0; lane < 32; ++lane)
      if (static_cast<uint32_t>(detail.on.values[size_t(index)]) >> lane & 1)
        for (int byte = 0; byte < detail.elementBytes * detail.vectorElements; ++byte) {
          int64_t position = positionIn(detail, index, lane) + byte;
          bytes[position / 32].insert(position % 32);
        }
    if (bytes.empty())
      continue;
    const WarpRequest &request = scene.request(order++);
    ASSERT_TRUE(request.known);
    EXPECT_EQ(request.index, index);
    EXPECT_EQ(request.instruction, index / detail.warps);
    EXPECT_EQ(request.warp, index % detail.warps);
    ASSERT_EQ(request.sectors.size(), bytes.size());
    int64_t own = 0, neighbours = 0, nobody = 0;
    size_t at = 0;
    for (const auto &[number, taken] : bytes) {
      EXPECT_EQ(request.sectors[at++].number, number);
      auto someone = static_cast<uint32_t>(detail.used.values[word++]);
      distinct.insert(number);
      for (int64_t byte = 0; byte < 32; ++byte)
        (taken.contains(byte) ? own : someone >> byte & 1 ? neighbours : nobody)++;
    }
    EXPECT_EQ(request.bytesUsed, own);
    EXPECT_EQ(request.bytesOfNeighbours(), neighbours);
    EXPECT_EQ(request.bytesOfNobody(), nobody);
    EXPECT_EQ(request.ideal(), own / 32 + (own % 32 > 0));
    sectors += static_cast<int64_t>(bytes.size()), used += own, ideal += request.ideal();
    EXPECT_EQ(scene.sums(order).sectors, sectors);
    EXPECT_EQ(scene.sums(order).bytesUsed, used);
    EXPECT_EQ(scene.sums(order).ideal, ideal);
    EXPECT_EQ(scene.sums(order).distinct, static_cast<int64_t>(distinct.size()));
  }
}

TEST_P(EveryAccess, KnowsWhoHoldsEachElement) {
  const accesses::Recorded recorded = accesses::recorded(GetParam());
  const CoalescingScene scene(recorded.launch, recorded.detail);
  const TileLayout &tile = scene.tile();
  const protocol::AccessLayout &layout = recorded.detail.layout;
  auto sum = [](const protocol::Packed &bases, int number) {
    int64_t element = 0;
    for (int32_t base : bases.values) {
      element ^= number % 2 ? base : 0;
      number /= 2;
    }
    return element;
  };
  std::set<int64_t> seen;
  for (int warp = 0; warp < tile.warps(); ++warp)
    for (int lane = 0; lane < tile.lanes(); ++lane)
      for (int reg = 0; reg < tile.registers(); ++reg) {
        int64_t element = sum(layout.registers, reg) ^ sum(layout.lanes, lane) ^ sum(layout.warps, warp);
        ASSERT_EQ(tile.element(reg, lane, warp), element);
        bool moved = false;
        for (int64_t each : tile.elementsOf(tile.instruction(reg), lane, warp))
          moved |= each == element;
        EXPECT_TRUE(moved);
        if (!seen.insert(element).second)
          continue;
        EXPECT_EQ(tile.place(element), (ElementPlace{reg, int16_t(lane), int16_t(warp)})) << "the first copy";
      }
  int64_t elements = 1;
  for (int64_t extent : recorded.detail.shape)
    elements *= extent;
  EXPECT_EQ(static_cast<int64_t>(seen.size()), elements);
  EXPECT_EQ(tile.elements(), elements);
}

TEST_P(EveryAccess, WindowsHaveEveryLineOfTheirRequests) {
  const CoalescingScene scene = accesses::scene(GetParam());
  for (int rows : {4, 33, 60}) {
    int64_t next = 0;
    for (const LineWindow &window : windowsOf(scene.requests(), rows)) {
      EXPECT_EQ(window.first, next);
      next = window.last;
      EXPECT_TRUE(std::is_sorted(window.lines.begin(), window.lines.end()));
      EXPECT_TRUE(static_cast<int>(window.lines.size()) <= rows || window.last == window.first + 1);
      for (int64_t order = window.first; order < window.last; ++order)
        for (const RequestSector &sector : scene.request(order).sectors)
          EXPECT_GE(window.rowOf(sector.number / 4), 0);
    }
    EXPECT_EQ(next, scene.sums(scene.clock().requests()).requests);
  }
}

INSTANTIATE_TEST_SUITE_P(Recorded, EveryAccess, testing::ValuesIn(accesses::all()));

TEST(CoalescingScene, FiguresOfTheMockUp) {
  const CoalescingScene softmax = accesses::scene("softmax");
  EXPECT_EQ(softmax.clock().requests(), 25);
  const WarpRequest &first = softmax.request(0);
  EXPECT_EQ(first.sectors.size(), 5u);
  EXPECT_EQ(first.ideal(), 4);
  EXPECT_DOUBLE_EQ(first.usedShare(), 0.8);
  EXPECT_EQ(first.bytesOfNeighbours(), 32);
  EXPECT_EQ(softmax.request(24).lanesOn(), 13);
  EXPECT_EQ(softmax.request(24).sectors.size(), 3u);
  const protocol::AccessTrace &launch = softmax.count().totals;
  EXPECT_EQ(launch.requests, 45'575);
  EXPECT_EQ(launch.sectors, 217'846);
  EXPECT_EQ(launch.distinctSectors, 177'971);
  EXPECT_EQ(softmax.tensorSectors(), 177'971) << "x once";

  const CoalescingScene aligned = accesses::scene("aligned");
  EXPECT_EQ(aligned.request(0).sectors.size(), 16u);
  EXPECT_EQ(aligned.request(0).ideal(), 16);
  EXPECT_EQ(aligned.count().totals.requests, 769);
  EXPECT_EQ(aligned.count().totals.sectors, 12'304);
  EXPECT_EQ(aligned.tensorSectors(), 12'304);

  const CoalescingScene column = accesses::scene("column-store");
  EXPECT_EQ(column.request(0).sectors.size(), 32u);
  EXPECT_DOUBLE_EQ(column.request(0).usedShare(), 0.125);
}

TEST(CoalescingScene, TellsPatternsApart) {
  auto pattern = [](const char *name) { return patternOf(accesses::scene(name).request(0)); };
  EXPECT_EQ(pattern("aligned").kind, Kind::Row);
  EXPECT_EQ(pattern("aligned").start, 0);
  EXPECT_EQ(pattern("softmax").kind, Kind::Row);
  EXPECT_EQ(pattern("softmax").start, 20);
  EXPECT_EQ(pattern("misaligned").start, 12);
  EXPECT_EQ(pattern("strided").kind, Kind::Stride);
  EXPECT_EQ(pattern("strided").stride, 64);
  EXPECT_EQ(pattern("column-store").stride, 2400);
  EXPECT_EQ(pattern("masked").kind, Kind::Masked);
  EXPECT_EQ(pattern("gathered").kind, Kind::Scattered);
  EXPECT_EQ(pattern("shared-row").kind, Kind::Row) << "eight lanes at each place";
}

TEST(CoalescingScene, SaysWhatWouldMakeItBetter) {
  auto better = [](const char *name) { return accesses::scene(name).better(0); };
  using namespace phrases;
  EXPECT_EQ(better("softmax"),
            words("coalescing.better.pad", {integer(784), integer(781), counted("coalescing.sectors", 4)}));
  EXPECT_EQ(better("aligned"),
            words("coalescing.better.nothing", {counted("coalescing.sectors", 16), counted("coalescing.bytes", 512)}));
  EXPECT_EQ(better("misaligned"),
            words("coalescing.better.align", {counted("coalescing.elements", 8), counted("coalescing.sectors", 4)}));
  EXPECT_EQ(better("column-store").text, "coalescing.better.column");
  EXPECT_EQ(better("strided").text, "coalescing.better.stride");
  EXPECT_EQ(better("gathered").text, "coalescing.better.scattered");
}

TEST(CoalescingScene, PagesGiveWhatOneAnswerGives) {
  const accesses::Recorded recorded = accesses::recorded("square");
  protocol::AccessDetail first = recorded.detail, second = recorded.detail;
  constexpr size_t Requests = 50, Sectors = Requests * 16;
  first.addresses.values.resize(Requests * 64);
  first.used.values.resize(Sectors);
  second.first = Requests;
  second.addresses.values.erase(second.addresses.values.begin(), second.addresses.values.begin() + Requests * 64);
  second.used.values.erase(second.used.values.begin(), second.used.values.begin() + Sectors);
  CoalescingScene scene(recorded.launch, first);
  EXPECT_EQ(scene.firstUnknown(), 50);
  EXPECT_FALSE(scene.request(50).known);
  EXPECT_EQ(scene.sums(128).requests, 50);
  scene.addPage(second);
  EXPECT_EQ(scene.firstUnknown(), 128);
  EXPECT_EQ(scene.sums(128).sectors, accesses::scene("square").sums(128).sectors);
}

TEST(CoalescingScene, FollowsALaneThatIsOn) {
  const CoalescingScene masked = accesses::scene("masked"); // 2, 5, 8 … are on
  EXPECT_EQ(masked.followed(0, -1), 5);
  EXPECT_EQ(masked.followed(0, 3), 5);
  EXPECT_EQ(masked.followed(0, 31), 2) << "round the end";
}

TEST(RequestClock, StepsStopAtBytesAndAtSectors) {
  const RequestClock clock(3);
  std::vector<double> stops{0, 0.3, 0.55, 1.3, 1.55, 2.3, 2.55, 3};
  for (size_t i = 0; i + 1 < stops.size(); ++i) {
    EXPECT_DOUBLE_EQ(clock.next(stops[i]), stops[i + 1]);
    EXPECT_DOUBLE_EQ(clock.previous(stops[i + 1]), stops[i]);
  }
  EXPECT_DOUBLE_EQ(clock.next(3), 3);
  EXPECT_DOUBLE_EQ(clock.previous(0), 0);
  EXPECT_DOUBLE_EQ(clock.previous(1.4), 1.3);
  EXPECT_EQ(clock.requestAt(3), 2);
}

} // namespace
