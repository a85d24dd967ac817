// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape operations, reductions, scans and products, on numbers counted up, against loops written out here.
#include "tests/Interpreter/Harness.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <numeric>
#include <random>

namespace tilescope::interp::test {
namespace {

std::string tile(const std::string &shape, const std::string &element) {
  return "!tile.tile<" + shape + "x" + element + ">";
}

/// Loads `count` elements into %x, a tile of one dimension; `body` makes %r of `outCount` elements of
/// `outType` in one dimension.
template <typename T, typename R>
std::vector<R> run(const std::vector<T> &input, const std::string &type, size_t outCount,
                   const std::string &outType, const std::string &body) {
  const std::string n = std::to_string(input.size()), m = std::to_string(outCount);
  const std::string ir =
      "tile.func @k(%p: !tile.ptr<" + type + ">, %q: !tile.ptr<" + outType +
      ">) {\n%i = tile.make_range 0 to " + n + " : " + tile(n, "si32") +
      "\n%ps = tile.splat %p : !tile.ptr<" + type + "> -> " + tile(n, "!tile.ptr<" + type + ">") +
      "\n%pp = tile.addptr %ps, %i : " + tile(n, "!tile.ptr<" + type + ">") + ", " + tile(n, "si32") +
      "\n%x = tile.load %pp : " + tile(n, "!tile.ptr<" + type + ">") + "\n" + body +
      "\n%j = tile.make_range 0 to " + m + " : " + tile(m, "si32") + "\n%qs = tile.splat %q : !tile.ptr<" +
      outType + "> -> " + tile(m, "!tile.ptr<" + outType + ">") +
      "\n%qp = tile.addptr %qs, %j : " + tile(m, "!tile.ptr<" + outType + ">") + ", " + tile(m, "si32") +
      "\ntile.store %qp, %r : " + tile(m, "!tile.ptr<" + outType + ">") + "\ntile.return\n}\n";
  Machine machine;
  const auto kernel = kernelOf(ir, machine.diagnostics);
  if (!kernel) {
    ADD_FAILURE() << ir;
    return std::vector<R>(outCount);
  }
  const auto out = machine.tensor(std::vector<R>(outCount), "out");
  machine.run(*kernel, {1, 1, 1}, {machine.pointer(machine.tensor(input, "in")), machine.pointer(out)});
  EXPECT_TRUE(machine.diagnostics.empty());
  return machine.values<R>(out);
}

std::vector<int32_t> counted(size_t count) {
  std::vector<int32_t> result(count);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

TEST(Shape, PermuteOfThreeDimensions) {
  const auto result = run<int32_t, int32_t>(
      counted(64), "si32", 64, "si32",
      "%c = tile.reshape %x : " + tile("64", "si32") + " -> " + tile("2x4x8", "si32") +
          "\n%t = tile.permute %c [2, 0, 1] : " + tile("2x4x8", "si32") + " -> " + tile("8x2x4", "si32") +
          "\n%r = tile.reshape %t : " + tile("8x2x4", "si32") + " -> " + tile("64", "si32"));
  for (int k = 0; k < 8; ++k)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 4; ++j)
        EXPECT_EQ(result[(k * 2 + i) * 4 + j], (i * 4 + j) * 8 + k);
}

TEST(Shape, JoinAndSplitAndCat) {
  const auto joined = run<int32_t, int32_t>(
      counted(4), "si32", 8, "si32",
      "%n = tile.neg %x : " + tile("4", "si32") + "\n%j2 = tile.join %x, %n : " + tile("4", "si32") + " -> " +
          tile("4x2", "si32") + "\n%r = tile.reshape %j2 : " + tile("4x2", "si32") + " -> " +
          tile("8", "si32"));
  EXPECT_EQ(joined, (std::vector<int32_t>{0, 0, 1, -1, 2, -2, 3, -3}));
  const auto split =
      run<int32_t, int32_t>(counted(8), "si32", 4, "si32",
                            "%c = tile.reshape %x : " + tile("8", "si32") + " -> " + tile("4x2", "si32") +
                                "\n%a, %b = tile.split %c : " + tile("4x2", "si32") + " -> " +
                                tile("4", "si32") + "\n%r = tile.sub %b, %a : " + tile("4", "si32"));
  EXPECT_EQ(split, (std::vector<int32_t>{1, 1, 1, 1}));
  const auto cat = run<int32_t, int32_t>(
      counted(4), "si32", 8, "si32",
      "%n = tile.neg %x : " + tile("4", "si32") + "\n%a = tile.reshape %x : " + tile("4", "si32") + " -> " +
          tile("2x2", "si32") + "\n%b = tile.reshape %n : " + tile("4", "si32") + " -> " +
          tile("2x2", "si32") + "\n%c = tile.cat %a, %b axis 1 : " + tile("2x2", "si32") + " -> " +
          tile("2x4", "si32") + "\n%r = tile.reshape %c : " + tile("2x4", "si32") + " -> " +
          tile("8", "si32"));
  EXPECT_EQ(cat, (std::vector<int32_t>{0, 1, 0, -1, 2, 3, -2, -3}));
}

std::string reduction(const std::string &kind, const std::string &shape, int axis, const std::string &type,
                      const std::string &to, const std::string &op) {
  return "%r0 = tile." + kind + " %c axis " + std::to_string(axis) + " : " + tile(shape, type) + " -> " + to +
         " {\n^bb0(%a: " + type + ", %b: " + type + "):\n" + op + "\ntile.yield %v : " + type + "\n}\n";
}

/// A 4x16 tile reduced along `axis` by `op`, whose %v is computed of %a and %b.
std::vector<int32_t> reduced(int axis, const std::string &op) {
  const std::string to = axis == 0 ? "16" : "4";
  return run<int32_t, int32_t>(counted(64), "si32", axis == 0 ? 16 : 4, "si32",
                               "%c = tile.reshape %x : " + tile("64", "si32") + " -> " +
                                   tile("4x16", "si32") + "\n" +
                                   reduction("reduce", "4x16", axis, "si32", tile(to, "si32"), op) +
                                   "%r = tile.reshape %r0 : " + tile(to, "si32") + " -> " + tile(to, "si32"));
}

TEST(Reduce, PlainAndGeneralCombinersAgreeAlongBothAxes) {
  const std::string plain = "%v = tile.add %a, %b : si32";
  const std::string general =
      "%m = tile.sub %a, %b : si32\n%w = tile.sub %a, %m : si32\n%v = tile.add %a, %w : si32";
  for (const std::string &op : {plain, general})
    for (int axis : {0, 1}) {
      const auto result = reduced(axis, op);
      for (size_t i = 0; i < result.size(); ++i) {
        int32_t expected = 0;
        for (int row = 0; row < 4; ++row)
          for (int column = 0; column < 16; ++column)
            expected += (axis == 0 ? column : row) == int(i) ? row * 16 + column : 0;
        EXPECT_EQ(result[i], expected) << axis << " " << i;
      }
    }
}

/// tl.argmax with the left element on a tie.
TEST(Reduce, ArgmaxTakesTheLeftOnTies) {
  const std::vector<float> values{1, 7, 3, 7, -2, 7, 0, 5};
  const auto result = run<float, int32_t>(values, "f32", 1, "si32", R"(
%index = tile.make_range 0 to 8 : !tile.tile<8xsi32>
%m, %at = tile.reduce %x, %index axis 0 : !tile.tile<8xf32>, !tile.tile<8xsi32> -> f32, si32 {
^bb0(%a: f32, %ai: si32, %b: f32, %bi: si32):
  %equal = tile.cmp eq, %a, %b : f32
  %left = tile.cmp lt, %ai, %bi : si32
  %tie = tile.and %equal, %left : i1
  %greater = tile.cmp gt, %a, %b : f32
  %take = tile.or %greater, %tie : i1
  %v = tile.select %take, %a, %b : f32
  %vi = tile.select %take, %ai, %bi : si32
  tile.yield %v, %vi : f32, si32
}
%r = tile.splat %at : si32 -> !tile.tile<1xsi32>)");
  EXPECT_EQ(result[0], 1);
}

TEST(Scan, BothWaysPlainAndGeneral) {
  const std::string plain = "%v = tile.add %a, %b : si32";
  const std::string general =
      "%t = tile.add %a, %b : si32\n%z = tile.constant 0 : si32\n%v = tile.add %t, %z : si32";
  for (const std::string &op : {plain, general})
    for (const std::string how : {"", " reverse"}) {
      const auto result = run<int32_t, int32_t>(
          counted(16), "si32", 16, "si32",
          "%r = tile.scan %x axis 0" + how + " : " + tile("16", "si32") + " -> " + tile("16", "si32") +
              " {\n^bb0(%a: si32, %b: si32):\n" + op + "\ntile.yield %v : si32\n}");
      for (int i = 0; i < 16; ++i)
        EXPECT_EQ(result[i], how.empty() ? i * (i + 1) / 2 : 120 - i * (i - 1) / 2) << i << how;
    }
}

TEST(Reduce, SumsOfFloatsHaveOneOrder) {
  std::mt19937 random(9);
  std::vector<float> values(1024);
  for (float &value : values)
    value = std::uniform_real_distribution<float>(-1, 1)(random);
  const std::string body =
      "%s = tile.reduce %x axis 0 : " + tile("1024", "f32") +
      " -> f32 {\n^bb0(%a: f32, %b: f32):\n%v = tile.add %a, %b : f32\ntile.yield %v : f32\n}\n"
      "%r = tile.splat %s : f32 -> " +
      tile("1", "f32");
  // 16 running sums, then halves, as Reduction.cpp says.
  std::vector<float> lanes(16);
  for (size_t i = 0; i < values.size(); ++i)
    lanes[i % 16] = i < 16 ? values[i] : lanes[i % 16] + values[i];
  for (size_t half = 8; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i)
      lanes[i] += lanes[i + half];
  EXPECT_EQ((run<float, float>(values, "f32", 1, "f32", body))[0], lanes[0]);
}

std::string product(const std::string &type, const std::string &accumulator, const std::string &precision,
                    const std::string &zero) {
  return "%a = tile.reshape %x : " + tile("256", type) + " -> " + tile("16x16", type) +
         "\n%t = tile.permute %a [1, 0] : " + tile("16x16", type) + " -> " + tile("16x16", type) +
         "\n%z = tile.constant " + zero + " : " + accumulator + " -> " + tile("16x16", accumulator) +
         "\n%d = tile.dot %a, %t, %z " + precision + " : " + tile("16x16", type) + ", " +
         tile("16x16", type) + " -> " + tile("16x16", accumulator) +
         "\n%r = tile.reshape %d : " + tile("16x16", accumulator) + " -> " + tile("256", accumulator);
}

TEST(Dot, Fp32IsTf32UnlessTold) {
  std::vector<float> values(256);
  for (size_t i = 0; i < 256; ++i)
    values[i] = 1.0f + static_cast<float>(i) * 0x1p-13f;
  const auto expected = [&](size_t row, size_t column, bool cut) {
    double sum = 0;
    for (size_t k = 0; k < 16; ++k) {
      const auto read = [&](size_t i) {
        return cut ? std::bit_cast<float>(std::bit_cast<uint32_t>(values[i]) & 0xffffe000u) : values[i];
      };
      sum += double(read(row * 16 + k)) * read(column * 16 + k);
    }
    return sum;
  };
  const auto tf32 = run<float, float>(values, "f32", 256, "f32", product("f32", "f32", "tf32", "0.0"));
  const auto ieee = run<float, float>(values, "f32", 256, "f32", product("f32", "f32", "ieee", "0.0"));
  const auto three = run<float, float>(values, "f32", 256, "f32", product("f32", "f32", "tf32x3", "0.0"));
  for (size_t i = 0; i < 256; ++i) {
    EXPECT_NEAR(tf32[i], expected(i / 16, i % 16, true), 1e-5);
    EXPECT_NEAR(ieee[i], expected(i / 16, i % 16, false), 1e-5);
    EXPECT_NEAR(three[i], ieee[i], 2e-5);
  }
  EXPECT_GT(std::fabs(tf32[255] - ieee[255]), 1e-3);
}

TEST(Dot, BytesAreSummedIn32Bits) {
  std::vector<int8_t> values(256);
  for (size_t i = 0; i < 256; ++i)
    values[i] = static_cast<int8_t>(i * 37);
  const auto result = run<int8_t, int32_t>(values, "si8", 256, "si32", product("si8", "si32", "tf32", "0"));
  for (size_t row = 0; row < 16; ++row)
    for (size_t column = 0; column < 16; ++column) {
      int32_t sum = 0;
      for (size_t k = 0; k < 16; ++k)
        sum += values[row * 16 + k] * values[column * 16 + k];
      EXPECT_EQ(result[row * 16 + column], sum);
    }
}

} // namespace
} // namespace tilescope::interp::test
