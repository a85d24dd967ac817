// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements by their index along each axis, the source in one layout and the indices in another, against looking them up.
#include "tests/Conversion/TileKernel.h"

#include "compiler/Layout/Constructors.h"
#include "compiler/Layout/Gather.h"

#include <gtest/gtest.h>

#include <random>

namespace tilescope::codegen::test {
namespace {

using layout::LinearLayout;
using Shape = std::vector<int64_t>;

struct Gathered {
  Shape shape, indexShape; ///< equal but for the axis
  LinearLayout source, result;
  unsigned axis, warps;
  std::string element, index;
};

struct Data {
  std::vector<int64_t> source, indices;
};

Data dataFor(const Gathered &gather, std::mt19937 &random, bool isInside) {
  Data data;
  for (uint64_t i = 0; i < gather.source.outputSize(); ++i)
    data.source.push_back(wrapped(gather.element, int64_t(random() % 120)));
  const int64_t length = gather.shape[gather.axis];
  for (uint64_t i = 0; i < gather.result.outputSize(); ++i) {
    const bool isOutside = !isInside && random() % 8 == 0;
    data.indices.push_back(wrapped(gather.index, isOutside ? (random() % 2 ? -1 : length) : int64_t(random() % uint64_t(length))));
  }
  return data;
}

TileKernel kernelOf(const Gathered &gather, const Data &data) {
  TileKernel kernel(gather.warps);
  kernel.addInput("source", gather.source, gather.element, data.source);
  kernel.addInput("index", gather.result, gather.index, data.indices);
  kernel.addOutput("found", gather.result, gather.element);
  kernel.setBody("  %found = tile.gather %source[%index] axis " + std::to_string(gather.axis) + " $scratch : $source, $index -> $found\n");
  return kernel;
}

void expectGathered(const Gathered &gather, std::mt19937 &random) {
  const Data data = dataFor(gather, random, false);
  TileKernel kernel = kernelOf(gather, data);
  SCOPED_TRACE(kernel.text());
  const std::vector<std::vector<int64_t>> outputs = kernel.run();
  ASSERT_EQ(outputs.size(), 1u);
  const int64_t length = gather.shape[gather.axis], indices = gather.indexShape[gather.axis];
  int64_t inner = 1;
  for (size_t dim = gather.axis + 1; dim < gather.shape.size(); ++dim)
    inner *= gather.shape[dim];
  for (int64_t i = 0; i < int64_t(data.indices.size()); ++i) {
    const int64_t index = data.indices[size_t(i)], outer = i / (indices * inner);
    const bool isInside = index >= 0 && index < length;
    ASSERT_EQ(outputs[0][size_t(i)], isInside ? data.source[size_t((outer * length + index) * inner + i % inner)] : 0) << i;
  }
  const bool isInWarp = layout::warpGather(gather.source, gather.result, gather.axis).has_value();
  EXPECT_EQ(kernel.count("llvm.nvvm.barrier"), isInWarp ? 0u : 1u);
}

std::vector<LinearLayout> layoutsFor(const Shape &shape, int64_t warps) {
  using layout::blocked;
  if (shape.size() == 1)
    return {blocked(shape, {{1}, {32}, {warps}, {0}}), blocked(shape, {{4}, {32}, {warps}, {0}})};
  return {blocked(shape, {{1, 2}, {4, 8}, {warps, 1}, {1, 0}}), blocked(shape, {{4, 1}, {2, 16}, {1, warps}, {0, 1}}),
          layout::mmaAccumulator(shape, {unsigned(warps), 1})};
}

class Gathers : public testing::TestWithParam<unsigned> {};

TEST_P(Gathers, FindEachElement) {
  std::mt19937 random(GetParam());
  const std::vector<std::string> elements = {"f32", "i1", "si64", "f16", "ui8", "bf16", "f64"}, indices = {"si32", "si64", "ui8", "si8", "ui16"};
  unsigned number = 0;
  struct Shapes {
    Shape source, index;
    unsigned axis;
  };
  for (const Shapes &shapes : {Shapes{{32}, {128}, 0}, {{64}, {32}, 0}, {{2}, {256}, 0}, {{16, 16}, {16, 32}, 1}, {{32, 8}, {16, 8}, 0}, {{64, 32}, {32, 32}, 0}})
    for (const LinearLayout &source : layoutsFor(shapes.source, GetParam()))
      for (const LinearLayout &result : layoutsFor(shapes.index, GetParam())) {
        const std::string element = elements[number % elements.size()], index = indices[number++ % indices.size()];
        expectGathered({shapes.source, shapes.index, source, result, shapes.axis, GetParam(), element, index}, random);
        if (testing::Test::HasFatalFailure())
          return;
      }
}

INSTANTIATE_TEST_SUITE_P(ByWarps, Gathers, testing::Values(1u, 2u, 4u, 8u));

TEST(Gather, StaysInTheWarpWhereItCan) {
  std::mt19937 random(1);
  const Shape shape = {4, 32};
  const auto count = [&](const LinearLayout &map, unsigned axis, const char *what) {
    const Gathered gather{shape, shape, map, map, axis, 4, "f32", "si32"};
    TileKernel kernel = kernelOf(gather, dataFor(gather, random, true));
    kernel.run();
    return kernel.count(what);
  };
  const LinearLayout rows = layout::blocked(shape, {{1, 1}, {1, 32}, {4, 1}, {1, 0}}), within = layout::blocked(shape, {{4, 1}, {1, 32}, {1, 4}, {1, 0}});
  EXPECT_EQ(count(rows, 1, "llvm.nvvm.shfl"), 1u) << "a row is a warp's";
  EXPECT_EQ(count(rows, 1, "llvm.nvvm.barrier"), 0u);
  EXPECT_EQ(count(rows, 0, "llvm.nvvm.barrier"), 1u) << "rows are of different warps";
  EXPECT_EQ(count(within, 0, "llvm.nvvm.shfl"), 0u) << "columns are a thread's";
  EXPECT_EQ(count(within, 0, "llvm.nvvm.barrier"), 0u);
}

TEST(Gather, AssemblesForEveryTarget) {
  std::mt19937 random(2);
  const Shape shape = {16, 32};
  const std::vector<LinearLayout> layouts = layoutsFor(shape, 4);
  for (const std::string element : {"f16", "i1", "f64"})
    for (unsigned axis : {0u, 1u}) {
      const Gathered gather{shape, shape, layouts[0], layouts[axis], axis, 4, element, "si64"};
      kernelOf(gather, dataFor(gather, random, true)).expectAssembles();
    }
}

} // namespace
} // namespace tilescope::codegen::test
