// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Runtime/Cuda/Timing.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

using namespace tilescope;

namespace {

/// numpy.quantile([3, 1, 4, 1.5, 9, 2.6], [0.5, 0.2, 0.8]).
TEST(Times, QuantilesAreThoseOfNumpy) {
  const cuda::Times times = cuda::summarise({3, 1, 4, 1.5, 9, 2.6});
  EXPECT_DOUBLE_EQ(times.medianMs, 2.8);
  EXPECT_DOUBLE_EQ(times.p20Ms, 1.5);
  EXPECT_DOUBLE_EQ(times.p80Ms, 4.0);
  EXPECT_EQ(times.runs, 6);
}

TEST(Times, OfOneRunAreThatRun) {
  const cuda::Times times = cuda::summarise({5});
  EXPECT_EQ(times.medianMs, 5);
  EXPECT_EQ(times.p20Ms, 5);
  EXPECT_EQ(times.p80Ms, 5);
}

TEST(Stopwatch, RunsForAboutAsLongAsItIsTold) {
  setenv("TILESCOPE_CUDA_DRIVER", FAKE_CUDA, 1);
  const Result<std::unique_ptr<cuda::Device>> device = cuda::Device::open();
  ASSERT_TRUE(device);
  const Result<std::unique_ptr<cuda::Stopwatch>> watch = cuda::Stopwatch::create(**device);
  ASSERT_TRUE(watch);
  int begun = 0;
  auto begin = [&]() -> std::optional<Error> {
    ++begun;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return std::nullopt;
  };
  const Result<cuda::Times> times = (*watch)->time(begin, {10, 40});
  ASSERT_TRUE(times);
  EXPECT_GE(times->medianMs, 2);
  EXPECT_GE(times->runs, 2);
  EXPECT_LE(times->runs, 20);
  EXPECT_GT(begun, times->runs + 5); // first run, trial and warm-up do not count
}

TEST(Stopwatch, StopsAtTheFirstError) {
  setenv("TILESCOPE_CUDA_DRIVER", FAKE_CUDA, 1);
  const Result<std::unique_ptr<cuda::Device>> device = cuda::Device::open();
  const Result<std::unique_ptr<cuda::Stopwatch>> watch = cuda::Stopwatch::create(**device);
  ASSERT_TRUE(watch);
  const Result<cuda::Times> times = (*watch)->time([] { return std::optional(Error{"cuda-failed", {}}); });
  ASSERT_FALSE(times);
  EXPECT_EQ(times.error().id, "cuda-failed");
}

} // namespace
