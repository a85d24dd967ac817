// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Protocol/Json.h"

#include <gtest/gtest.h>

#include <limits>

using namespace tilescope::protocol;

namespace {

template <typename T> T roundTrip(const T &value) {
  T back;
  std::string error;
  EXPECT_TRUE(fromJson(nlohmann::json::parse(toJson(value).dump()), back, error)) << error;
  return back;
}

TEST(Json, LaunchSurvivesTheWire) {
  LaunchSummary launch;
  launch.kernel = "softmax_kernel";
  launch.grid = {1823, 2, 3};
  launch.accesses.push_back({12, {{11, 4}, {11, 20}}, "load", {781, 243, 0}, 3124, "x", "fp32", {1024}});
  LaunchSummary back = roundTrip(launch);
  EXPECT_EQ(back.kernel, "softmax_kernel");
  EXPECT_EQ(back.grid, launch.grid);
  ASSERT_EQ(back.accesses.size(), 1u);
  EXPECT_EQ(back.accesses[0].elements.masked, 243u);
  EXPECT_EQ(back.accesses[0].range, launch.accesses[0].range);
}

TEST(Json, AbsentOptionalStaysAbsent) {
  ScheduleRequest request;
  request.sharedBytes = 1024;
  EXPECT_FALSE(toJson(request).contains("registersPerThread"));
  EXPECT_EQ(roundTrip(request).sharedBytes, 1024);
  EXPECT_FALSE(roundTrip(request).registersPerThread);
}

TEST(Json, WrongTypeIsRefusedWithItsPlace) {
  Range range;
  std::string error;
  EXPECT_FALSE(fromJson(nlohmann::json::parse(R"({"start": {"line": "7"}})"), range, error));
  EXPECT_EQ(error, "$.start.line");
  EXPECT_TRUE(fromJson(nlohmann::json::parse(R"({"unknown": 1})"), range, error));
}

TEST(Json, PackedNumbersOfEveryLength) {
  constexpr int32_t Least = std::numeric_limits<int32_t>::min();
  for (size_t n = 0; n < 9; ++n) {
    Packed packed;
    for (size_t i = 0; i < n; ++i)
      packed.values.push_back(i % 2 ? Least + static_cast<int32_t>(i) : static_cast<int32_t>(i * 77));
    EXPECT_EQ(roundTrip(packed).values, packed.values);
  }
  // RFC 4648: the bytes of "Man " are TWFuIA==.
  EXPECT_EQ(encodeBase64({{0x206e614d}}), "TWFuIA==");
}

TEST(Json, DamagedPackedNumbersAreRefused) {
  Packed packed;
  EXPECT_FALSE(decodeBase64("TWFu", packed)) << "three bytes are no word";
  EXPECT_FALSE(decodeBase64("TWF*IA==", packed));
  EXPECT_FALSE(decodeBase64("TWFuIA=", packed));
}

} // namespace
