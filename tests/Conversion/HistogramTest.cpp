// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histograms of few and of many bins, with masks, negative and too great numbers, against counting.
#include "tests/Conversion/TileKernel.h"

#include "compiler/Layout/Constructors.h"

#include <gtest/gtest.h>

#include <random>

namespace tilescope::codegen::test {
namespace {

using layout::LinearLayout;

struct Counted {
  int64_t elements, bins;
  unsigned warps;
  int64_t perThread;
  bool hasMask;
  std::string element = "si32";
};

struct Data {
  std::vector<int64_t> numbers, mask;
};

Data dataFor(const Counted &counted, std::mt19937 &random) {
  Data data;
  for (int64_t i = 0; i < counted.elements; ++i) {
    const int64_t any = int64_t(random() % uint64_t(counted.bins + counted.bins / 4 + 2)) - 1;
    data.numbers.push_back(wrapped(counted.element, random() % 4 ? any : counted.bins / 2)); // one number often
    data.mask.push_back(!counted.hasMask || random() % 3 != 0);
  }
  return data;
}

TileKernel kernelOf(const Counted &counted, const Data &data) {
  const std::vector<int64_t> shape = {counted.elements}, bins = {counted.bins};
  const LinearLayout map = layout::blocked(shape, {{counted.perThread}, {32}, {counted.warps}, {0}});
  TileKernel kernel(counted.warps);
  kernel.addInput("x", map, counted.element, data.numbers);
  kernel.addInput("m", map, "i1", data.mask);
  kernel.addOutput("h", layout::blocked(bins, {{1}, {32}, {counted.warps}, {0}}), "si32");
  kernel.setBody(std::string("  %h = tile.histogram %x") + (counted.hasMask ? ", %m" : "") + " $scratch : $x -> $h\n");
  return kernel;
}

class Histograms : public testing::TestWithParam<unsigned> {};

TEST_P(Histograms, CountEveryElementOnce) {
  std::mt19937 random(GetParam());
  const unsigned warps = GetParam();
  for (const Counted &counted : {Counted{256, 16, warps, 1, false}, {256, 16, warps, 2, true}, {16, 32, warps, 1, false}, {64, 1, warps, 4, true},
                                 {512, 64, warps, 4, false}, {128, 256, warps, 1, true}, {32, 128, warps, 1, true}, {256, 2048, warps, 2, false},
                                 {16, 2048, warps, 1, true}, {256, 64, warps, 1, true, "ui8"}, {128, 256, warps, 1, false, "ui8"},
                                 {128, 256, warps, 1, false, "si64"}}) {
    const Data data = dataFor(counted, random);
    std::vector<int64_t> expected(size_t(counted.bins), 0);
    for (size_t i = 0; i < data.numbers.size(); ++i)
      if (data.mask[i] && data.numbers[i] >= 0 && data.numbers[i] < counted.bins)
        ++expected[size_t(data.numbers[i])];
    TileKernel kernel = kernelOf(counted, data);
    const std::vector<std::vector<int64_t>> outputs = kernel.run();
    ASSERT_EQ(outputs.at(0), expected) << kernel.text();
    const bool isInWarp = counted.bins <= 1024 && (warps == 1 || counted.elements <= 32 * counted.perThread);
    EXPECT_EQ(kernel.count("llvm.nvvm.barrier"), isInWarp ? 0u : 2u);
  }
}

INSTANTIATE_TEST_SUITE_P(ByWarps, Histograms, testing::Values(1u, 2u, 4u, 8u));

TEST(Histogram, AssemblesForEveryTarget) {
  std::mt19937 random(1);
  for (const Counted &counted : {Counted{256, 64, 1, 2, true}, {256, 64, 4, 2, true}, {256, 4096, 4, 2, false}})
    kernelOf(counted, dataFor(counted, random)).expectAssembles();
}

} // namespace
} // namespace tilescope::codegen::test
