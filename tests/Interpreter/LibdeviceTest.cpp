// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of libdevice against recorded values: what a GPU gave (data/libdevice.txt), within the tolerance
// that stands beside each function; and what mpmath computed with many digits (data/libdevice-exact.txt).
// Both files were made by AskLibdevice.py, which says how they are laid out.
#include "compiler/Interpreter/Libdevice.h"
#include "tests/Interpreter/Elementwise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

namespace tilescope::interp::test {
namespace {

struct Row {
  std::string symbol, types; ///< "fi>f"
  std::vector<std::optional<uint64_t>> results;

  size_t arity() const { return types.size() - 2; }
};
struct Recorded {
  std::map<char, Bits> values;
  std::vector<Row> rows;
};

std::optional<Recorded> read(const std::string &name) {
  std::ifstream file(TILESCOPE_SOURCE_DIR "/tests/Interpreter/data/" + name);
  if (!file)
    return std::nullopt;
  Recorded result;
  for (std::string line, word; std::getline(file, line);) {
    std::istringstream words(line);
    Row row;
    words >> row.symbol >> row.types;
    if (row.symbol == "#")
      continue;
    while (words >> word)
      row.results.push_back(word == "-" ? std::nullopt
                                        : std::optional<uint64_t>(std::stoull(word, nullptr, 16)));
    if (row.symbol == "values")
      for (const auto &value : row.results)
        result.values[row.types[0]].push_back(*value);
    else
      result.rows.push_back(std::move(row));
  }
  return result;
}

/// The same as in AskLibdevice.py.
constexpr size_t Count = 256, Edges = 64;
size_t place(size_t arity, size_t argument, size_t i) {
  constexpr size_t Steps[] = {1, 37, 71, 101};
  const size_t step = i * Steps[argument];
  return arity == 1 || i < Count / 2 ? (step + 11 * argument) % Count
                                     : (step + 7 * argument * (i / Edges)) % Edges;
}

std::vector<Bits> argumentsOf(const Row &row, const Recorded &recorded) {
  std::vector<Bits> result(row.arity());
  for (size_t k = 0; k < row.arity(); ++k)
    for (size_t i = 0; i < Count; ++i)
      result[k].push_back(recorded.values.at(row.types[k])[place(row.arity(), k, i)]);
  return result;
}

std::string irType(char letter) {
  static const std::map<char, std::string> types = {{'i', "si32"}, {'n', "si32"}, {'b', "si32"},
                                                    {'l', "si64"}, {'u', "ui32"}, {'v', "ui64"},
                                                    {'f', "f32"},  {'d', "f64"}};
  return types.at(letter);
}

Bits results(const Row &row, const std::vector<Bits> &arguments) {
  std::vector<std::string> types;
  std::string operands, signature;
  for (size_t k = 0; k < row.arity(); ++k) {
    types.push_back(irType(row.types[k]));
    operands += (k ? ", %" : "%") + std::string(1, "abcd"[k]);
    signature += (k ? ", " : "") + tile(Count, types.back());
  }
  const std::string result = irType(row.types.back());
  const std::string body = "%r = tile.extern \"" + row.symbol + "\"(" + operands + ") : (" + signature +
                           ") -> " + tile(Count, result);
  return run(kernelAround(types, result, Count, body), arguments, types, result);
}

double numberOf(char letter, uint64_t bits) {
  return letter == 'f' ? double(std::bit_cast<float>(static_cast<uint32_t>(bits)))
                       : std::bit_cast<double>(bits);
}

/// In units in the last place of the expected one: the distance of two patterns seen as integers in order.
double ulpsBetween(char letter, uint64_t actual, uint64_t expected) {
  const auto ordered = [&](uint64_t bits) {
    const int64_t pattern = letter == 'f' ? int64_t(static_cast<int32_t>(bits)) : static_cast<int64_t>(bits);
    const int64_t least =
        letter == 'f' ? std::numeric_limits<int32_t>::min() : std::numeric_limits<int64_t>::min();
    return pattern < 0 ? least - pattern : pattern;
  };
  return std::fabs(static_cast<double>(static_cast<long double>(ordered(actual)) - ordered(expected)));
}

bool agrees(char letter, uint64_t actual, uint64_t expected, const Tolerance &tolerance) {
  if (letter == 'b')
    return (actual != 0) == (expected != 0);
  if (actual == expected || (letter != 'f' && letter != 'd'))
    return actual == expected;
  const double a = numberOf(letter, actual), e = numberOf(letter, expected);
  if (std::isnan(a) || std::isnan(e))
    return std::isnan(a) && std::isnan(e);
  return a == e || std::fabs(a - e) <= tolerance.absolute ||
         ulpsBetween(letter, actual, expected) <= tolerance.ulps;
}

/// Where the tolerance says nothing: approximations far from 0; powers whose error grows with the exponent;
/// Bessel functions of an order, which libdevice loses near 0.
bool isInRange(const Row &row, const std::vector<Bits> &arguments, size_t i) {
  static const std::map<std::string, double> greatest = {
      {"__nv_fast_sinf", 3.2}, {"__nv_fast_cosf", 3.2}, {"__nv_fast_tanf", 1.5}};
  const auto number = [&](size_t k) { return numberOf(row.types[k], arguments[k][i]); };
  if (const auto limit = greatest.find(row.symbol); limit != greatest.end())
    return !(std::fabs(number(0)) > limit->second);
  if (row.symbol.starts_with("__nv_powi"))
    return std::abs(int64_t(static_cast<int32_t>(arguments[1][i]))) <= 256;
  if (row.symbol == "__nv_powf")
    return std::fpclassify(static_cast<float>(number(0))) != FP_SUBNORMAL;
  return row.types[0] != 'n' || !(std::fabs(number(1)) < 0.01);
}

std::string described(const Row &row, const std::vector<Bits> &arguments, size_t i) {
  std::ostringstream text;
  text.precision(17);
  text << row.symbol << "(";
  for (size_t k = 0; k < row.arity(); ++k) {
    const char letter = row.types[k];
    text << (k ? ", " : "");
    letter == 'f' || letter == 'd'
        ? text << numberOf(letter, arguments[k][i]) << std::hex << " " << arguments[k][i] << std::dec
        : text << static_cast<int64_t>(arguments[k][i]);
  }
  return text.str() + ")";
}

void compare(const Recorded &recorded, const Row &row, const Tolerance &tolerance) {
  const std::vector<Bits> arguments = argumentsOf(row, recorded);
  const Bits actual = results(row, arguments);
  ASSERT_EQ(actual.size(), row.results.size()) << row.symbol;
  const char letter = row.types.back();
  size_t wrong = 0;
  for (size_t i = 0; i < actual.size(); ++i) {
    if (!row.results[i] || !isInRange(row, arguments, i) ||
        agrees(letter, actual[i], *row.results[i], tolerance))
      continue;
    if (++wrong <= 3)
      ADD_FAILURE() << described(row, arguments, i) << " is " << numberOf(letter, actual[i]) << std::hex
                    << " " << actual[i] << ", recorded " << numberOf(letter, *row.results[i]) << " "
                    << *row.results[i];
  }
  EXPECT_EQ(wrong, 0u) << row.symbol;
}

TEST(Libdevice, AgreesWithAGpuWithinItsTolerance) {
  const std::optional<Recorded> recorded = read("libdevice.txt");
  ASSERT_TRUE(recorded);
  ASSERT_EQ(recorded->rows.size(), 313u);
  for (const Row &row : recorded->rows) {
    const LibdeviceFunction *function = findLibdevice(row.symbol);
    ASSERT_TRUE(function) << row.symbol;
    compare(*recorded, row, function->tolerance);
  }
}

/// Our own error: nothing is further than this from what is right.
Tolerance ownError(const Row &row) {
  static const std::map<std::string, Tolerance> others = {
      {"__nv_j0", {2, 1e-15}}, {"__nv_j1", {2, 1e-15}},     {"__nv_y0", {2, 1e-15}},
      {"__nv_y1", {2, 1e-15}}, {"__nv_jn", {64, 1e-14}},    {"__nv_yn", {64, 1e-13}},
      {"__nv_jnf", {2}},       {"__nv_cyl_bessel_i0", {4}}, {"__nv_cyl_bessel_i1", {4}},
      {"__nv_norm4d", {2}},    {"__nv_rnorm4d", {2}}};
  const auto found = others.find(row.symbol);
  return found == others.end() ? Tolerance{1} : found->second;
}

TEST(Libdevice, IsRightToTheLastPlace) {
  const std::optional<Recorded> recorded = read("libdevice-exact.txt");
  ASSERT_TRUE(recorded);
  ASSERT_GE(recorded->rows.size(), 100u);
  size_t values = 0;
  for (const Row &row : recorded->rows) {
    values +=
        static_cast<size_t>(std::ranges::count_if(row.results, [](const auto &r) { return r.has_value(); }));
    compare(*recorded, row, ownError(row));
  }
  EXPECT_GT(values, 8000u);
}

TEST(Libdevice, HasEverySymbolOfTheList) {
  std::ifstream file(TILESCOPE_SOURCE_DIR "/tests/Frontend/data/libdevice.txt");
  size_t symbols = 0;
  for (std::string line; std::getline(file, line); ++symbols)
    EXPECT_TRUE(findLibdevice(line.substr(line.rfind(' ') + 1))) << line;
  EXPECT_EQ(symbols, 313u);
}

TEST(Libdevice, OthersAreRefusedByName) {
  Diagnostics diagnostics;
  EXPECT_FALSE(kernelOf(kernelAround({"f32"}, "f32", 2,
                                     "%r = tile.extern \"__nv_unheard_of\"(%a) : (" + tile(2, "f32") +
                                         ") -> " + tile(2, "f32")),
                        diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].id, "libdevice-unknown");
  EXPECT_EQ(diagnostics.all()[0].arguments[0], "__nv_unheard_of");
}

} // namespace
} // namespace tilescope::interp::test
