// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits of every operation, from source to interpreter, compared with those that real Triton computed on a GPU
// (data/values.txt, recorded by AskValues.py). Equal bit for bit but where a tolerance is stated here.
#include "compiler/Value/ElementType.h"
#include "tests/Frontend/Script.h"
#include "tests/Interpreter/Harness.h"

#include <llvm/Support/Base64.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

namespace tilescope::interp::test {
namespace {

using Bits = std::vector<char>;

Bits decoded(const std::string &text) {
  Bits bits;
  if (llvm::Error error = llvm::decodeBase64(text, bits)) {
    ADD_FAILURE() << llvm::toString(std::move(error));
    bits.clear();
  }
  return bits;
}

struct Case {
  std::vector<std::string> types; ///< of x, y and z
  int count = 0;                  ///< elements of the result
  std::string expression;
  std::string resultType; ///< empty where Triton refused
  Bits result;
};

struct Recorded {
  std::map<std::string, Bits> inputs; ///< by type, 256 elements each
  std::vector<Case> cases;
};

std::vector<std::string> words(const std::string &text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// `TYPES | COUNT | EXPRESSION | TYPE BITS`; the expression may have bars of its own.
Case caseOf(const std::string &line) {
  const std::string bar = " | ";
  size_t first = line.find(bar), second = line.find(bar, first + 3), last = line.rfind(bar);
  Case result;
  result.types = words(line.substr(0, first));
  result.count = std::stoi(line.substr(first + 3, second - first - 3));
  result.expression = line.substr(second + 3, last - second - 3);
  std::vector<std::string> answer = words(line.substr(last + 3));
  if (answer.size() == 2) {
    result.resultType = answer[0];
    result.result = decoded(answer[1]);
  }
  return result;
}

Recorded recorded() {
  std::ifstream file(TILESCOPE_SOURCE_DIR "/tests/Interpreter/data/values.txt");
  Recorded result;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("input ")) {
      std::vector<std::string> parts = words(line);
      result.inputs[parts[1]] = decoded(parts[2]);
    } else if (!line.starts_with("#")) {
      result.cases.push_back(caseOf(line));
    }
  }
  return result;
}

/// x, y or z of a case, as the script arranges them.
Bits operand(const Bits &input, int place, size_t operands) {
  if (operands == 1)
    return input;
  const size_t size = input.size() / 256;
  Bits bits;
  for (size_t i = 0; i < 256; ++i) {
    const size_t which = place == 0 ? i % 16 : place == 1 ? i / 16 : (i / 16 + 1) % 16;
    bits.insert(bits.end(), input.begin() + static_cast<long>(which * size),
                input.begin() + static_cast<long>((which + 1) * size));
  }
  return bits;
}

std::string scriptOf(const Case &c) {
  std::ostringstream text;
  text << "@triton.jit\ndef k(x_ptr, y_ptr, z_ptr, out_ptr):\n    i = tl.arange(0, 256)\n";
  for (size_t i = 0; i < c.types.size(); ++i)
    text << "    " << "xyz"[i] << " = tl.load(" << "xyz"[i] << "_ptr + i)\n";
  text << "    value = " << c.expression << "\n    tl.store(out_ptr + tl.arange(0, " << c.count
       << "), value)\n";
  return text.str();
}

/// A float by its bits as a number whose neighbours differ by 1, so that a difference counts ulps.
int64_t place(uint64_t bits, unsigned width) {
  const uint64_t sign = uint64_t(1) << (width - 1);
  return bits & sign ? -static_cast<int64_t>(bits & (sign - 1)) : static_cast<int64_t>(bits);
}

uint64_t elementAt(const Bits &bits, size_t index, size_t size) {
  uint64_t value = 0;
  std::memcpy(&value, bits.data() + index * size, size);
  return value;
}

bool isNan(uint64_t bits, const std::string &type) {
  static const std::map<std::string, std::pair<uint64_t, uint64_t>> infinities = {
      {"fp16", {0x7fff, 0x7c00}},
      {"bf16", {0x7fff, 0x7f80}},
      {"fp32", {0x7fffffff, 0x7f800000}},
      {"fp64", {0x7fffffffffffffff, 0x7ff0000000000000}},
      {"fp8e5", {0x7f, 0x7c}},
      {"fp8e4nv", {0x7f, 0x7e}}};
  auto known = infinities.find(type);
  return known != infinities.end() && (bits & known->second.first) > known->second.second;
}

/// Where a result may differ from the GPU's, and by how much.
struct Tolerance {
  std::string_view part; ///< of the expression
  std::string_view type; ///< of the result; empty for all
  int64_t ulps = 0;      ///< units in the last place
  double absolute = 0;   ///< or this much: the order of a sum
  bool flushes = false;  ///< the GPU takes denormal operands for 0
};
constexpr double leastNormal = 0x1p-126; ///< of fp32, below which the GPU's functions give 0
constexpr Tolerance tolerances[] = {
    {"tl.exp", "fp32", 2, leastNormal, true},
    {"tl.sigmoid", "fp32", 8, leastNormal, true},
    {"tl.softmax", "fp32", 8},
    {"tl.randn", "fp32", 8}, // a logarithm, a root, a sine
    {"tl.log", "fp32", 2},
    {"tl.sin", "fp32", 2},
    {"tl.cos", "fp32", 2},
    {"tl.sqrt(", "fp32", 2, 0, true},
    {"tl.rsqrt", "fp32", 2, 0, true},
    {"tl.erf", "fp32", 2, 0, true},
    {"tl.floor", "fp32", 0, 0, true},
    {"tl.ceil", "fp32", 0, 0, true},
    {"tl.exp", "fp64", 1},
    {"tl.sigmoid", "fp64", 2},
    {"tl.log", "fp64", 1},
    {"tl.sin", "fp64", 1},
    {"tl.cos", "fp64", 1},
    {"tl.rsqrt", "fp64", 1},
    {"tl.erf", "fp64", 1},
    {"x / ", "fp32", 2}, // div.full.f32
    {"tl.fdiv", "fp32", 2},
    {"tl.sum", "fp16", 0, 1.0},
    {"tl.sum", "bf16", 0, 8.0},
    {"tl.sum", "fp32", 0, 1e-3},
    {"tl.cumsum", "fp16", 0, 2.0},
    {"tl.cumsum", "bf16", 0, 16.0},
    {"tl.cumsum", "fp32", 0, 2e-3},
    {"tl.cumprod", "fp16", 0, 2e-3},
    {"tl.cumprod", "fp32", 16},
    {"tl.cumprod", "fp64", 16},
};

/// What is left out, and why.
struct Exception {
  std::string_view expression; ///< a part of it
  std::string_view operands;   ///< their types begin with this
  std::string_view reason;
};
constexpr std::string_view widened = "Triton 3.6 gives fp32, 3.9 and we do not";
constexpr std::string_view packed =
    "past the range LLVM's result is poison, and spoils neighbours in its word";
constexpr Exception exceptions[] = {
    {"tl.maximum(", "bf16", widened},
    {"tl.minimum(", "bf16", widened},
    {"tl.maximum(x, y)", "fp16 bf16", widened},
    {"tl.minimum(x, y)", "fp16 bf16", widened},
    {"tl.cumsum(", "bf16", widened},
    {"tl.cumprod(", "bf16", widened},
    {"tl.cumprod(", "i8", "Triton 3.6 gives int32, 3.9 and we do not"},
    {"tl.cumprod(", "i16", "as for int8"},
    {"tl.cumprod(", "u8", "as for int8"},
    {"x.to(tl.uint8)", "fp16", packed},
    {"x.to(tl.uint8)", "bf16", packed},
    {"x.to(tl.uint8)", "fp32", packed},
    {"x.to(tl.uint8)", "fp64", packed},
    {"x.to(tl.bfloat16)", "fp8e5", "Triton takes infinity for 65,536"},
};

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

bool isExcepted(const Case &c) {
  return std::any_of(std::begin(exceptions), std::end(exceptions), [&](const Exception &exception) {
    return c.expression.find(exception.expression) != std::string::npos &&
           joined(c.types).starts_with(exception.operands);
  });
}

Tolerance toleranceOf(const Case &c) {
  for (const Tolerance &tolerance : tolerances)
    if (c.expression.find(tolerance.part) != std::string::npos &&
        (tolerance.type.empty() || tolerance.type == c.resultType))
      return tolerance;
  return {};
}

/// A float of 16, 32 or 64 bits by its type; other types count by their bits.
double numberOf(uint64_t bits, const std::string &type) {
  if (type == "fp16")
    return fromHalf(static_cast<uint16_t>(bits));
  if (type == "fp64")
    return std::bit_cast<double>(bits);
  return std::bit_cast<float>(static_cast<uint32_t>(type == "bf16" ? bits << 16 : bits));
}

class Comparison {
public:
  explicit Comparison(const Recorded &data) : m_data(data) {}

  void check(const Case &c) {
    std::map<std::string, std::string> signature = {{"out_ptr", "*" + c.resultType}};
    for (size_t i = 0; i < 3; ++i)
      signature[std::string(1, "xyz"[i]) + "_ptr"] = "*" + c.types[std::min(i, c.types.size() - 1)];
    frontend::test::Compiled compiled = frontend::test::compileKernel(scriptOf(c), signature);
    if (compiled.ir.empty()) {
      ADD_FAILURE() << label(c) << ": " << (compiled.diagnostics.empty() ? "" : compiled.errors()[0]);
      return;
    }
    const std::string type = compiled.typeOf("value");
    EXPECT_EQ(type.substr(0, type.find('[')), longName(c.resultType)) << label(c);
    compare(c, run(c, compiled.ir));
  }

private:
  static std::string label(const Case &c) { return c.expression + " of " + joined(c.types); }

  /// Types as the frontend says them.
  static std::string longName(const std::string &type) {
    return type[0] == 'i' ? "int" + type.substr(1) : type[0] == 'u' ? "uint" + type.substr(1) : type;
  }

  Bits run(const Case &c, const std::string &ir) {
    Machine machine;
    machine.options.threads = 1;
    auto kernel = kernelOf(ir, machine.diagnostics, /*contracts=*/true);
    if (!kernel)
      return {};
    std::vector<Argument> arguments;
    for (int i = 0; i < 3; ++i) {
      const std::string &type = c.types[std::min<size_t>(static_cast<size_t>(i), c.types.size() - 1)];
      arguments.push_back(
          machine.pointer(machine.tensor(operand(m_data.inputs.at(type), i, c.types.size()), "in")));
    }
    AllocationId out = machine.tensor(Bits(c.result.size()), "out");
    arguments.push_back(machine.pointer(out));
    machine.run(*kernel, {1, 1, 1}, arguments);
    return machine.values<char>(out);
  }

  /// The bits of x in a case whose x is fp32.
  uint32_t xAt(const Case &c, size_t i) const {
    const Bits x = operand(m_data.inputs.at(c.types[0]), 0, c.types.size());
    return c.types[0] == "fp32" ? static_cast<uint32_t>(elementAt(x, i, 4)) : 0;
  }
  static bool isDenormal(uint32_t bits) { return (bits & 0x7f800000) == 0 && (bits & 0x7fffff) != 0; }

  static bool agree(uint64_t ours, uint64_t theirs, const Case &c, const Tolerance &allowed) {
    const std::string &type = c.resultType;
    if (ours == theirs || (isNan(ours, type) && isNan(theirs, type)))
      return true;
    const bool isFloat = type.find('f') != std::string::npos;
    if (!isFloat || isNan(ours, type) != isNan(theirs, type))
      return false;
    const unsigned width = 8 * static_cast<unsigned>(c.result.size() / static_cast<size_t>(c.count));
    return std::abs(place(ours, width) - place(theirs, width)) <= allowed.ulps ||
           std::abs(numberOf(ours, type) - numberOf(theirs, type)) <= allowed.absolute;
  }

  void compare(const Case &c, const Bits &values) {
    ASSERT_EQ(values.size(), c.result.size()) << label(c);
    const size_t size = c.result.size() / static_cast<size_t>(c.count);
    const Tolerance allowed = toleranceOf(c);
    size_t differing = 0;
    std::ostringstream first;
    for (size_t i = 0; i < static_cast<size_t>(c.count); ++i) {
      const uint64_t ours = elementAt(values, i, size), theirs = elementAt(c.result, i, size);
      if (agree(ours, theirs, c, allowed) || (allowed.flushes && isDenormal(xAt(c, i))))
        continue;
      if (differing++ < 4)
        first << " element " << i << ": ours " << std::hex << ours << ", theirs " << theirs << std::dec
              << ';';
    }
    EXPECT_EQ(differing, 0u) << label(c) << ": " << first.str();
  }

  const Recorded &m_data;
};

TEST(OracleValues, AgreeWithTritonOnAGpu) {
  const Recorded data = recorded();
  ASSERT_GE(data.cases.size(), 900u);
  Comparison comparison(data);
  for (const Case &c : data.cases)
    if (!c.resultType.empty() && !isExcepted(c))
      comparison.check(c);
}

} // namespace
} // namespace tilescope::interp::test
