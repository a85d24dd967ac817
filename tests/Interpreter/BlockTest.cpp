// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of tensors, element by element against what their description says; ordered atomics.
#include "tests/Interpreter/Harness.h"

#include <gmock/gmock.h>

#include <cmath>

namespace tilescope::interp::test {
namespace {

using testing::ElementsAre;

std::shared_ptr<const Kernel> flattened(const std::string &ir) {
  Diagnostics diagnostics;
  auto kernel = kernelOf(ir, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  return kernel;
}

std::vector<float> counting(size_t count) {
  std::vector<float> result(count);
  for (size_t i = 0; i < count; ++i)
    result[i] = static_cast<float>(i + 1);
  return result;
}

/// Copies a block of 4 x 8 at (i, j) of a matrix to a whole matrix of that size; `access` says how it is
/// read.
std::string blockCopy(const std::string &access) {
  return R"(
tile.func @copy(%x: !tile.ptr<f32> {tile.name = "x"}, %out: !tile.ptr<f32>, %m: si64, %n: si64, %s: si64,
                %i: si64, %j: si64) {
  %one = tile.constant 1 : si64
  %zero = tile.constant 0 : si64
  %rows = tile.constant 4 : si64
  %columns = tile.constant 8 : si64
  %v = tile.block_load %x[%i, %j] shape %m, %n strides %s, %one )" +
         access + R"( : !tile.ptr<f32> -> !tile.tile<4x8xf32>
  tile.block_store %out[%zero, %zero], %v shape %rows, %columns strides %columns, %one checked [0, 1]
    : !tile.ptr<f32>, !tile.tile<4x8xf32>
  tile.return
})";
}

struct Place {
  int64_t i, j;
};

/// 5 x 10 of a matrix with rows of 12, read at many places.
TEST(Block, ReadsWhatLiesInsideAndPadsTheRest) {
  for (bool nan : {false, true}) {
    const auto kernel =
        flattened(blockCopy(std::string("checked [0, 1] padding = ") + (nan ? "nan" : "zero")));
    for (const Place at : {Place{0, 0}, {3, 4}, {-2, -3}, {1, 9}, {4, 2}, {-4, 0}, {70, 70}, {2, -9}}) {
      Machine machine;
      const auto x = machine.tensor(counting(60), "x"),
                 out = machine.tensor(std::vector<float>(32, -1), "out");
      const RunResult result =
          machine.run(*kernel, {1, 1, 1},
                      {machine.pointer(x), machine.pointer(out), Machine::scalar<int64_t>(5),
                       Machine::scalar<int64_t>(10), Machine::scalar<int64_t>(12), Machine::scalar(at.i),
                       Machine::scalar(at.j)});
      EXPECT_TRUE(machine.diagnostics.empty());
      const auto values = machine.values<float>(out);
      uint64_t inside = 0;
      for (int64_t r = 0; r < 4; ++r)
        for (int64_t c = 0; c < 8; ++c) {
          const int64_t row = at.i + r, column = at.j + c;
          const float value = values[static_cast<size_t>(r * 8 + c)];
          if (row >= 0 && row < 5 && column >= 0 && column < 10) {
            EXPECT_EQ(value, static_cast<float>(row * 12 + column + 1));
            ++inside;
          } else {
            EXPECT_TRUE(nan ? std::isnan(value) : value == 0) << row << " " << column;
          }
        }
      EXPECT_EQ(result.counts[0].active, inside);
      EXPECT_EQ(result.counts[0].masked, 32 - inside);
      EXPECT_EQ(result.counts[0].bytes, inside * 4);
      EXPECT_EQ(kernel->accesses()[0].pointerArgument, 0);
      EXPECT_EQ(kernel->accesses()[0].shape, (std::vector<int64_t>{4, 8}));
    }
  }
}

/// Without a check the end of the tensor is where memory ends: rows 4 to 7 of 5.
TEST(Block, PastItsTensorWithoutACheckIsFound) {
  const auto kernel = flattened(blockCopy("checked [1]"));
  Machine machine;
  const auto x = machine.tensor(counting(60), "x"), out = machine.tensor(std::vector<float>(32, -1), "out");
  const RunResult result = machine.run(*kernel, {1, 1, 1},
                                       {machine.pointer(x), machine.pointer(out), Machine::scalar<int64_t>(5),
                                        Machine::scalar<int64_t>(12), Machine::scalar<int64_t>(12),
                                        Machine::scalar<int64_t>(4), Machine::scalar<int64_t>(0)});
  ASSERT_EQ(machine.diagnostics.all().size(), 1u);
  const Diagnostic &found = machine.diagnostics.all()[0];
  EXPECT_EQ(found.id, "out-of-bounds-load");
  // Row 4 lies inside; the first element of row 5 is the first byte behind the tensor's 240.
  EXPECT_THAT(found.arguments, ElementsAre("copy", "(0, 0, 0)", "1", "1, 0", "x", "4"));
  ASSERT_GE(found.notes.size(), 2u);
  EXPECT_EQ(found.notes[1].id, "block-dimension");
  EXPECT_THAT(found.notes[1].arguments, ElementsAre("0", "5", "5"));
  EXPECT_EQ(result.counts[0].outOfBounds, 24u);
  const auto values = machine.values<float>(out);
  EXPECT_EQ(values[7], 56);
  EXPECT_EQ(values[8], 0);
}

TEST(Block, OfRankFiveWithAnyStrides) {
  const auto kernel = flattened(R"(
tile.func @k(%x: !tile.ptr<f16>, %out: !tile.ptr<f16>) {
  %0 = tile.constant 0 : si64
  %1 = tile.constant 1 : si64
  %2 = tile.constant 2 : si64
  %3 = tile.constant 3 : si64
  %4 = tile.constant 4 : si64
  %5 = tile.constant 5 : si64
  %8 = tile.constant 8 : si64
  %15 = tile.constant 15 : si64
  %16 = tile.constant 16 : si64
  %60 = tile.constant 60 : si64
  %v = tile.block_load %x[%1, %0, %2, %1, %0] shape %2, %1, %4, %3, %5 strides %60, %1, %15, %5, %1
    checked [0, 2, 3, 4] padding = zero : !tile.ptr<f16> -> !tile.tile<1x1x2x2x4xf16>
  tile.block_store %out[%0, %0, %0, %0, %0], %v shape %1, %1, %2, %2, %4 strides %16, %16, %8, %4, %1 checked []
    : !tile.ptr<f16>, !tile.tile<1x1x2x2x4xf16>
  tile.return
})");
  ASSERT_TRUE(kernel);
  Machine machine;
  std::vector<uint16_t> numbers(120);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = toHalf(static_cast<double>(i));
  const auto x = machine.tensor(numbers, "x"), out = machine.tensor(std::vector<uint16_t>(16), "out");
  machine.run(*kernel, {1, 1, 1}, {machine.pointer(x), machine.pointer(out)});
  EXPECT_TRUE(machine.diagnostics.empty());
  const auto values = machine.values<uint16_t>(out);
  for (size_t a = 0; a < 2; ++a)
    for (size_t b = 0; b < 2; ++b)
      for (size_t c = 0; c < 4; ++c)
        EXPECT_EQ(fromHalf(values[a * 8 + b * 4 + c]),
                  static_cast<float>(60 + (2 + a) * 15 + (1 + b) * 5 + c));
}

/// Rows 3, 0, 9 (there is none), -1 (nor that) of a matrix of 5 x 6, from column 4 on; written back at
/// column 1.
TEST(Block, GathersAndScattersRows) {
  const auto kernel = flattened(R"(
tile.func @k(%x: !tile.ptr<si32>, %rows: !tile.ptr<si32>, %got: !tile.ptr<si32>, %out: !tile.ptr<si32>) {
  %0 = tile.constant 0 : si64
  %1 = tile.constant 1 : si64
  %4 = tile.constant 4 : si64
  %5 = tile.constant 5 : si64
  %6 = tile.constant 6 : si64
  %r = tile.block_load %rows[%0] shape %4 strides %1 checked [] : !tile.ptr<si32> -> !tile.tile<4xsi32>
  %v = tile.block_gather %x[%r, %4] shape %5, %6 strides %6, %1 : !tile.ptr<si32>, !tile.tile<4xsi32>
    -> !tile.tile<4x4xsi32>
  tile.block_store %got[%0, %0], %v shape %4, %4 strides %4, %1 checked [0, 1] : !tile.ptr<si32>, !tile.tile<4x4xsi32>
  tile.block_scatter %out[%r, %1], %v shape %5, %6 strides %6, %1
    : !tile.ptr<si32>, !tile.tile<4xsi32>, !tile.tile<4x4xsi32>
  tile.return
})");
  ASSERT_TRUE(kernel);
  Machine machine;
  std::vector<int32_t> numbers(30);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<int32_t>(i);
  const auto x = machine.tensor(numbers, "x"),
             rows = machine.tensor(std::vector<int32_t>{3, 0, 9, -1}, "rows");
  const auto got = machine.tensor(std::vector<int32_t>(16, -7), "got");
  const auto out = machine.tensor(std::vector<int32_t>(30, -7), "out");
  machine.run(*kernel, {1, 1, 1},
              {machine.pointer(x), machine.pointer(rows), machine.pointer(got), machine.pointer(out)});
  EXPECT_TRUE(machine.diagnostics.empty());
  EXPECT_THAT(machine.values<int32_t>(got), ElementsAre(22, 23, 0, 0, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  std::vector<int32_t> expected(30, -7);
  for (const auto &[row, first, second] : {std::array{3, 22, 23}, {0, 4, 5}}) {
    expected[static_cast<size_t>(row * 6 + 1)] = first;
    expected[static_cast<size_t>(row * 6 + 2)] = second;
    expected[static_cast<size_t>(row * 6 + 3)] = expected[static_cast<size_t>(row * 6 + 4)] = 0;
  }
  EXPECT_EQ(machine.values<int32_t>(out), expected);
}

TEST(Block, ReducesAtomically) {
  struct Case {
    const char *kind;
    int32_t (*apply)(int32_t, int32_t);
  };
  for (const Case &c : {Case{"add", [](int32_t a, int32_t b) { return a + b; }},
                        {"max", [](int32_t a, int32_t b) { return std::max(a, b); }},
                        {"min", [](int32_t a, int32_t b) { return std::min(a, b); }},
                        {"and", [](int32_t a, int32_t b) { return a & b; }},
                        {"or", [](int32_t a, int32_t b) { return a | b; }},
                        {"xor", [](int32_t a, int32_t b) { return a ^ b; }}}) {
    const auto kernel =
        flattened(R"(
tile.func @k(%x: !tile.ptr<si32>) {
  %1 = tile.constant 1 : si64
  %3 = tile.constant 3 : si64
  %8 = tile.constant 8 : si64
  %r = tile.make_range 4 to 12 : !tile.tile<8xsi32>
  tile.block_reduce )" +
                  std::string(c.kind) +
                  R"(, %x[%3], %r shape %8 strides %1 checked [0] : !tile.ptr<si32>, !tile.tile<8xsi32>
  tile.return
})");
    ASSERT_TRUE(kernel);
    Machine machine;
    std::vector<int32_t> expected{-3, 20, 7, 1, 9, -8, 6, 100};
    const auto x = machine.tensor(expected, "x");
    machine.run(*kernel, {1, 1, 1}, {machine.pointer(x)});
    EXPECT_TRUE(machine.diagnostics.empty());
    for (int32_t i = 3; i < 8; ++i)
      expected[static_cast<size_t>(i)] = c.apply(expected[static_cast<size_t>(i)], 4 + i - 3);
    EXPECT_EQ(machine.values<int32_t>(x), expected) << c.kind;
  }
}

/// Program 1 waits for what program 0 says when it has written; 0 waits for 1's answer.
TEST(Atomic, LoadsAndStoresPassWordsBetweenPrograms) {
  const auto kernel = flattened(R"(
tile.func @k(%flag: !tile.ptr<si32>, %x: !tile.ptr<f32>) {
  %pid = tile.program_id x
  %0 = tile.constant 0 : si32
  %1 = tile.constant 1 : si32
  %2 = tile.constant 2 : si32
  %forty = tile.constant 40.0 : f32
  %two = tile.constant 2.0 : f32
  %first = tile.cmp eq, %pid, %0 : si32
  tile.if %first {
    tile.store %x, %forty : !tile.ptr<f32>
    tile.atomic_store release gpu, %flag, %1 : !tile.ptr<si32>
    tile.barrier
    tile.while () : () -> () {
      %seen = tile.atomic_load acquire gpu, %flag : !tile.ptr<si32>
      %waiting = tile.cmp ne, %seen, %2 : si32
      tile.condition %waiting
    } do {
      tile.yield
    }
    %v = tile.load %x : !tile.ptr<f32>
    %w = tile.add %v, %two : f32
    tile.store %x, %w : !tile.ptr<f32>
  } else {
    tile.while () : () -> () {
      %seen = tile.atomic_load acquire gpu, %flag : !tile.ptr<si32>
      %waiting = tile.cmp ne, %seen, %1 : si32
      tile.condition %waiting
    } do {
      tile.yield
    }
    %v = tile.load %x : !tile.ptr<f32>
    %w = tile.mul %v, %two : f32
    tile.store %x, %w : !tile.ptr<f32>
    tile.atomic_store release gpu, %flag, %2 : !tile.ptr<si32>
  }
  tile.return
})");
  ASSERT_TRUE(kernel);
  Machine machine;
  const auto flag = machine.tensor(std::vector<int32_t>{0}, "flag"),
             x = machine.tensor(std::vector<float>{0}, "x");
  const RunResult result = machine.run(*kernel, {2, 1, 1}, {machine.pointer(flag), machine.pointer(x)});
  EXPECT_EQ(result.status, RunStatus::Finished);
  EXPECT_EQ(machine.values<float>(x)[0], 82);
}

TEST(Atomic, LoadsAndStoresOfBytesUnderAMask) {
  const auto kernel = flattened(R"(
tile.func @k(%x: !tile.ptr<si8>) {
  %r = tile.make_range 0 to 4 : !tile.tile<4xsi32>
  %two = tile.constant 2 : si32 -> !tile.tile<4xsi32>
  %mask = tile.cmp lt, %r, %two : !tile.tile<4xsi32>
  %xs = tile.splat %x : !tile.ptr<si8> -> !tile.tile<4x!tile.ptr<si8>>
  %p = tile.addptr %xs, %r : !tile.tile<4x!tile.ptr<si8>>, !tile.tile<4xsi32>
  %v = tile.atomic_load relaxed cta, %p : !tile.tile<4x!tile.ptr<si8>>
  %w = tile.add %v, %v : !tile.tile<4xsi8>
  tile.atomic_store relaxed sys, %p, %w, %mask : !tile.tile<4x!tile.ptr<si8>>
  tile.return
})");
  ASSERT_TRUE(kernel);
  Machine machine;
  const auto x = machine.tensor(std::vector<int8_t>{3, -5, 7, 9}, "x");
  machine.run(*kernel, {1, 1, 1}, {machine.pointer(x)});
  EXPECT_THAT(machine.values<int8_t>(x), ElementsAre(6, -10, 7, 9));
}

/// As integer atomics on the bits have it: -0 below 0, and NaN beyond all numbers of its sign.
TEST(Atomic, ExtremesOfFloatsGoByTheirBits) {
  const float nan = std::nanf("");
  struct Case {
    float old, value, least, greatest;
  };
  for (const Case &c : {Case{1, 2, 1, 2},
                        {-1, -2, -2, -1},
                        {-1, 2, -1, 2},
                        {0.0f, -0.0f, -0.0f, 0.0f},
                        {-0.0f, 0.0f, -0.0f, 0.0f},
                        {nan, 1, 1, nan},
                        {1, nan, 1, nan}}) {
    for (bool greatest : {false, true}) {
      const auto kernel =
          flattened(std::string("tile.func @k(%x: !tile.ptr<f32>, %v: f32) {\n%o = tile.atomic_rmw ") +
                    (greatest ? "max" : "min") + " acq_rel gpu, %x, %v : !tile.ptr<f32>\ntile.return\n}");
      Machine machine;
      const auto x = machine.tensor(std::vector<float>{c.old}, "x");
      machine.run(*kernel, {1, 1, 1}, {machine.pointer(x), Machine::scalar(c.value)});
      const float got = machine.values<float>(x)[0], wanted = greatest ? c.greatest : c.least;
      EXPECT_TRUE(std::isnan(wanted) ? std::isnan(got)
                                     : got == wanted && std::signbit(got) == std::signbit(wanted))
          << c.old << " " << c.value << " gave " << got;
    }
  }
}

} // namespace
} // namespace tilescope::interp::test
