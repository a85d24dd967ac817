// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the library that are written in the language itself, from source to values: sorting,
// reductions, random numbers. What is right is what real Triton gave for the same kernel (data/prelude.json,
// made by the script beside it).
#include "tests/Frontend/Script.h"
#include "tests/Interpreter/Harness.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <sstream>

namespace tilescope::interp::test {
namespace {

using nlohmann::json;

size_t widthOf(const std::string &type) {
  if (type == "i1")
    return 1;
  return std::stoul(type.substr(type.find_first_of("0123456789"))) / 8;
}

std::vector<uint64_t> elements(const std::string &hexadecimal) {
  std::istringstream text(hexadecimal);
  std::vector<uint64_t> result;
  for (std::string word; text >> word;)
    result.push_back(std::stoull(word, nullptr, 16));
  return result;
}

std::vector<uint8_t> bytesOf(const std::vector<uint64_t> &elements, size_t width) {
  std::vector<uint8_t> result(elements.size() * width);
  for (size_t i = 0; i < elements.size(); ++i)
    std::memcpy(result.data() + i * width, &elements[i], width);
  return result;
}

double realOf(uint64_t bits, const std::string &type) {
  if (type == "fp16")
    return fromHalf(static_cast<uint16_t>(bits));
  if (type == "bf16" || type == "fp32") {
    const uint32_t word = static_cast<uint32_t>(type == "bf16" ? bits << 16 : bits);
    float value;
    std::memcpy(&value, &word, sizeof(value));
    return value;
  }
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// The offsets of a tile of this shape, row-major: "tl.arange(0, 4)[:, None] * 8 + …".
std::string offsets(const json &shape) {
  std::string text;
  size_t stride = 1;
  for (size_t axis = shape.size(); axis-- > 0; stride *= shape[axis].get<size_t>()) {
    std::string index;
    for (size_t i = 0; i < shape.size(); ++i)
      index += std::string(i ? ", " : "") + (i == axis ? ":" : "None");
    text += (text.empty() ? "" : " + ") + std::string("tl.arange(0, ") + shape[axis].dump() + ")[" + index +
            "] * " + std::to_string(stride);
  }
  return text.empty() ? "0" : text;
}

constexpr const char *helpers = R"py(
@triton.jit
def plus(a, b):
    return a + b

@triton.jit
def linear(a, b, c, d):
    return a * c, b * c + d

@triton.jit
def lesser(a, i, b, j):
    first = (a < b) | ((a == b) & (i < j))
    return tl.where(first, a, b), tl.where(first, i, j)

)py";

std::string sourceOf(const json &entry) {
  return std::string(helpers) + "@triton.jit\ndef k(x_ptr, r_ptr, seed):\n    x = tl.load(x_ptr + " +
         offsets(entry["shape"]) + ")\n    y = " + entry["expression"].get<std::string>() +
         "\n    if len(y.shape) == 0:\n        tl.store(r_ptr, y)\n    else:\n"
         "        tl.store(r_ptr + tl.arange(0, y.numel), tl.reshape(y, y.numel))\n";
}

bool agrees(uint64_t got, uint64_t wanted, const std::string &type, double tolerance) {
  if (type[0] == 'i' || type[0] == 'u')
    return got == wanted;
  const double a = realOf(got, type), b = realOf(wanted, type);
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  return got == wanted || std::fabs(a - b) <= tolerance * std::max(1.0, std::fabs(b));
}

/// The interpreter's result for a case, as bits; empty after an error.
std::vector<uint64_t> resultOf(const json &entry) {
  const std::string seedType = entry.value("seedType", "i32"), type = entry["type"],
                    resultType = entry["resultType"];
  const auto compiled = frontend::test::compileKernel(
      sourceOf(entry), {{"x_ptr", "*" + type}, {"r_ptr", "*" + resultType}, {"seed", seedType}});
  if (compiled.ir.empty()) {
    ADD_FAILURE() << (compiled.diagnostics.empty() ? "no IR" : compiled.errors()[0]);
    return {};
  }
  Diagnostics diagnostics;
  const auto kernel = kernelOf(compiled.ir, diagnostics);
  if (!kernel) {
    ADD_FAILURE() << "not flattened";
    return {};
  }
  const size_t width = widthOf(resultType), count = elements(entry["result"]).size();
  const std::string seed = entry.value("seed", "0");
  Machine machine;
  const auto x = machine.tensor(bytesOf(elements(entry["x"]), widthOf(type)), "x");
  const auto result = machine.tensor(std::vector<uint8_t>(count * width), "r");
  const Argument seedArgument =
      seed[0] == '-' ? Machine::scalar(std::stoll(seed)) : Machine::scalar(std::stoull(seed));
  machine.run(*kernel, {1, 1, 1}, {machine.pointer(x), machine.pointer(result), seedArgument});
  EXPECT_TRUE(machine.diagnostics.empty());
  const auto bytes = machine.values<uint8_t>(result);
  std::vector<uint64_t> bits(count);
  for (size_t i = 0; i < count; ++i)
    std::memcpy(&bits[i], bytes.data() + i * width, width);
  return bits;
}

TEST(Prelude, GivesWhatTritonGives) {
  std::ifstream file(TILESCOPE_SOURCE_DIR "/tests/Interpreter/data/prelude.json");
  const json cases = json::parse(file);
  ASSERT_GE(cases.size(), 450u);
  for (const json &entry : cases) {
    SCOPED_TRACE(entry["expression"].get<std::string>() + " of " + entry["type"].get<std::string>() +
                 entry["shape"].dump() + " seed " + entry.value("seed", "0"));
    const auto wanted = elements(entry["result"]), got = resultOf(entry);
    if (got.empty())
      continue;
    for (size_t i = 0; i < wanted.size(); ++i) {
      const bool ok = agrees(got[i], wanted[i], entry["resultType"], entry.value("tolerance", 0.0));
      EXPECT_TRUE(ok) << "element " << i << ": " << std::hex << got[i] << ", Triton has " << wanted[i];
      if (!ok)
        break;
    }
  }
}

} // namespace
} // namespace tilescope::interp::test
