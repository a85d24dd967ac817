// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise operations and casts at edge values against what numpy and PyTorch answered, bit for bit
// (data/elementwise.json, made by the script beside it); what those cannot answer, against PTX's rules.
#include "tests/Interpreter/Elementwise.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>

namespace tilescope::interp::test {
namespace {

Bits runOperation(const std::string &op, const std::string &type, const std::vector<Bits> &operands) {
  const bool compares = op.starts_with("cmp");
  const std::vector<std::string> types(operands.size(), type);
  const std::string names = operands.size() == 1 ? "%a" : operands.size() == 2 ? "%a, %b" : "%a, %b, %c";
  const std::string body =
      "%r = tile." + op + (compares ? ", " : " ") + names + " : " + tile(operands[0].size(), type);
  const std::string result = compares ? "i1" : type;
  return run(kernelAround(types, result, operands[0].size(), body), operands, types, result);
}

Bits runCast(const std::string &from, const std::string &to, const Bits &operand,
             const std::string &how = "") {
  const std::string body =
      "%r = tile.cast %a" + how + " : " + tile(operand.size(), from) + " -> " + tile(operand.size(), to);
  return run(kernelAround({from}, to, operand.size(), body), {operand}, {from}, to);
}

void expectSame(const std::string &what, const std::string &type, const Bits &actual, const Bits &expected,
                bool anyZero = false) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  const uint64_t sign = uint64_t(1) << (8 * bytesOf(type) - 1);
  for (size_t i = 0; i < actual.size(); ++i) {
    if (isNan(type, actual[i]) && isNan(type, expected[i]))
      continue;
    if (anyZero && (actual[i] & ~sign) == 0 && (expected[i] & ~sign) == 0)
      continue;
    EXPECT_EQ(actual[i], expected[i]) << what << " of element " << i;
  }
}

nlohmann::json recorded(const std::string &name) {
  std::ifstream file(TILESCOPE_SOURCE_DIR "/tests/Interpreter/data/" + name);
  return nlohmann::json::parse(file);
}

TEST(Elementwise, AgreesWithNumpyAndTorch) {
  size_t operations = 0;
  for (const auto &entry : recorded("elementwise.json")) {
    if (!entry.contains("results"))
      continue;
    const std::string type = entry["type"];
    std::vector<Bits> operands{entry["a"]};
    if (entry.contains("b"))
      operands.push_back(entry["b"]);
    for (const auto &[op, expected] : entry["results"].items()) {
      const bool anyZero = op == "min" || op == "max";
      expectSame(op + " of " + type, op.starts_with("cmp") ? "i1" : type, runOperation(op, type, operands),
                 expected, anyZero);
      ++operations;
    }
  }
  EXPECT_EQ(operations,
            8 * 13 + 4 * 10 + 4 * 7); // remainders of floats are a GPU's: see OracleValuesTest.cpp
}

TEST(Casts, AgreeWithNumpyAndTorch) {
  size_t casts = 0;
  for (const auto &entry : recorded("elementwise.json")) {
    if (!entry.contains("casts"))
      continue;
    const std::string from = entry["type"];
    for (const auto &[to, expected] : entry["casts"].items()) {
      expectSame(from + " to " + to, to, runCast(from, to, entry["a"]), expected);
      ++casts;
    }
  }
  EXPECT_EQ(casts, 4 * 3 + 2 + 8 * 9 + 6);
}

Bits floats(std::initializer_list<float> values) {
  Bits result;
  for (float value : values)
    result.push_back(std::bit_cast<uint32_t>(value));
  return result;
}

constexpr float Inf = std::numeric_limits<float>::infinity(), NaN = std::numeric_limits<float>::quiet_NaN();

/// What Triton gave on a GPU: saturation, NaN, and the low bits of 16 for 8.
TEST(Casts, AgreeWithTritonOnAnH200) {
  size_t casts = 0;
  for (const auto &entry : recorded("casts.json"))
    for (const auto &[to, expected] : entry["casts"].items()) {
      const std::string from = entry["type"];
      expectSame(from + " to " + to, to, runCast(from, to, entry["a"]), expected);
      ++casts;
    }
  EXPECT_EQ(casts, 3 * 8 + 4);
}

TEST(Casts, SaturatingToIntegersAndToBits) {
  const Bits values = floats({3.9f, -3.9f, 300.0f, -300.0f, 0.0f, Inf, -Inf, NaN});
  EXPECT_EQ(runCast("f32", "si8", values, " saturate"), (Bits{3, 0xfd, 127, 128, 0, 127, 128, 0}));
  EXPECT_EQ(runCast("f32", "i1", floats({0.0f, -0.0f, 0.5f, NaN})), (Bits{0, 0, 1, 1}));
}

TEST(Casts, EightBitFloatsSaturateAndWiderOnesOverflow) {
  const Bits values = floats({1e6f, -1e6f, Inf, NaN});
  expectSame("saturated", "f8E4M3FN", runCast("f32", "f8E4M3FN", values), {0x7e, 0xfe, 0x7e, 0x7f});
  expectSame("saturated", "f8E5M2", runCast("f32", "f8E5M2", values), {0x7b, 0xfb, 0x7b, 0x7f});
  EXPECT_EQ(runCast("f32", "f16", floats({65519.0f, 65520.0f})), (Bits{0x7bff, 0x7c00}));
  EXPECT_EQ(runCast("f32", "f16", floats({1e6f, -Inf}), " saturate"), (Bits{0x7bff, 0xfbff}));
}

TEST(Casts, TowardZeroCuts) {
  EXPECT_EQ(runCast("f32", "bf16", floats({1.0f + 0x1.fp-8f, -1.0f - 0x1.fp-8f}), " rounding = rtz"),
            (Bits{0x3f80, 0xbf80}));
  // Just below one half-precision quantum; a large number; and one that overflows only when it is rounded up.
  EXPECT_EQ(runCast("f32", "f16", floats({0x1.8p-24f, -0x1.fffp-25f, 65535.0f, 1e9f}), " rounding = rtz"),
            (Bits{0x0001, 0x8000, 0x7bff, 0x7bff}));
}

TEST(Integers, DivisionByZeroIsDefinedAndKeepsGoing) {
  const Bits a{5, 0xfffffffb, 0, 0x80000000}, zero{0, 0, 0, 0}, minusOne(4, 0xffffffff);
  EXPECT_EQ(runOperation("div", "si32", {a, zero}), Bits(4, 0xffffffff));
  EXPECT_EQ(runOperation("rem", "si32", {a, zero}), Bits(4, 0xffffffff));
  EXPECT_EQ(runOperation("div", "si32", {a, minusOne}), (Bits{0xfffffffb, 5, 0, 0x80000000}));
  EXPECT_EQ(runOperation("rem", "si32", {a, minusOne}), Bits(4, 0));
  EXPECT_EQ(runOperation("div", "ui8", {{5, 0}, {0, 0}}), Bits(2, 0xff));
}

TEST(Integers, ShiftsByTheWidthOrMoreMoveEveryBitOut) {
  const Bits a{1, 0x80000001, 0xffffffff, 0x40000000}, by{31, 32, 33, 0xffffffff};
  EXPECT_EQ(runOperation("shl", "si32", {a, by}), (Bits{0x80000000, 0, 0, 0}));
  EXPECT_EQ(runOperation("shr", "si32", {a, by}), (Bits{0, 0xffffffff, 0xffffffff, 0}));
  EXPECT_EQ(runOperation("shr", "ui32", {a, by}), (Bits{0, 0, 0, 0}));
  EXPECT_EQ(runOperation("shl", "ui8", {{0xff, 0xff}, {7, 8}}), (Bits{0x80, 0}));
  EXPECT_EQ(runOperation("shr", "si8", {{0x80, 0x80}, {1, 200}}), (Bits{0xc0, 0xff}));
}

TEST(Integers, UpperHalvesOfProducts) {
  const uint64_t large = 0xfedcba9876543210, other = 0x0123456789abcdef;
  EXPECT_EQ(runOperation("mulhi", "ui64", {{large, 3}, {other, 5}}),
            (Bits{static_cast<uint64_t>((static_cast<unsigned __int128>(large) * other) >> 64), 0}));
  EXPECT_EQ(runOperation("mulhi", "si32", {{0xffffffff, 0x7fffffff}, {2, 0x7fffffff}}),
            (Bits{0xffffffff, 0x3fffffff}));
}

TEST(Floats, ExtremaPassOverNanUnlessTold) {
  const Bits a = floats({NaN, 1, -0.0f, 0.0f}), b = floats({2, NaN, 0.0f, -0.0f});
  EXPECT_EQ(runOperation("min", "f32", {a, b})[0], floats({2})[0]);
  EXPECT_EQ(runOperation("max", "f32", {a, b})[1], floats({1})[0]);
  const Bits least = runOperation("min", "f32", {a, b}), most = runOperation("max", "f32", {a, b});
  EXPECT_EQ(Bits(least.begin() + 2, least.end()), floats({-0.0f, -0.0f}));
  EXPECT_EQ(Bits(most.begin() + 2, most.end()), floats({0.0f, 0.0f}));
  const std::string body = "%r = tile.max %a, %b propagate_nan : " + tile(2, "f32");
  const Bits result = run(kernelAround({"f32", "f32"}, "f32", 2, body), {floats({NaN, 1}), floats({2, 3})},
                          {"f32", "f32"}, "f32");
  EXPECT_TRUE(isNan("f32", result[0]));
  EXPECT_EQ(result[1], floats({3})[0]);
}

TEST(Floats, FusedMultiplyAddRoundsOnce) {
  const float x = 1 + 0x1p-12f, z = -1 - 0x1p-11f;
  EXPECT_EQ(runOperation("fma", "f32", {floats({x, 2}), floats({x, 3}), floats({z, 4})}),
            floats({0x1p-24f, 10}));
  // (1 + 2^-10)^2 - (1 + 2^-9) = 2^-20 in fp16.
  EXPECT_EQ(runOperation("fma", "f16", {{0x3c01, 0}, {0x3c01, 0}, {0xbc02, 0}}), (Bits{0x0010, 0}));
}

TEST(Floats, FunctionsAreThoseOfTheLibrary) {
  const std::initializer_list<float> values{0.0f, 0.5f, 1.0f, -2.5f, 3.0f, 30.0f, Inf, NaN};
  const std::vector<std::pair<std::string, double (*)(double)>> functions{
      {"exp", [](double x) { return std::exp(x); }},       {"exp2", [](double x) { return std::exp2(x); }},
      {"log", [](double x) { return std::log(x); }},       {"log2", [](double x) { return std::log2(x); }},
      {"sin", [](double x) { return std::sin(x); }},       {"cos", [](double x) { return std::cos(x); }},
      {"tanh", [](double x) { return std::tanh(x); }},     {"erf", [](double x) { return std::erf(x); }},
      {"rsqrt", [](double x) { return 1 / std::sqrt(x); }}};
  for (const auto &[name, function] : functions) {
    const Bits result = runOperation(name, "f32", {floats(values)});
    size_t i = 0;
    for (float value : values) {
      const double expected = function(value),
                   actual = std::bit_cast<float>(static_cast<uint32_t>(result[i++]));
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(actual)) << name << " " << value;
      else if (std::isinf(expected))
        EXPECT_EQ(actual, expected) << name << " " << value;
      else
        EXPECT_NEAR(actual, expected,
                    std::fabs(expected) * (3e-7 + (name == "exp" ? std::fabs(value) * 0x1p-24 : 0)))
            << name << " " << value;
    }
  }
}

TEST(Bitcasts, KeepBits) {
  const auto bitcast = [](const std::string &from, const std::string &to, const Bits &values) {
    const std::string body =
        "%r = tile.bitcast %a : " + tile(values.size(), from) + " -> " + tile(values.size(), to);
    return run(kernelAround({from}, to, values.size(), body), {values}, {from}, to);
  };
  const Bits halves{0x3c00, 0x7c00, 0xfe01, 0x0001};
  EXPECT_EQ(bitcast("f16", "si16", halves), halves);
  EXPECT_EQ(bitcast("si16", "bf16", halves), halves);
  EXPECT_EQ(bitcast("f32", "ui32", {0x7fc00001, 0x80000000}), (Bits{0x7fc00001, 0x80000000}));
}

} // namespace
} // namespace tilescope::interp::test
