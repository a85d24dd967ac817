// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libdevice and tl.math: for each function and each element type what real Triton says (data/libdevice.txt
// and data/math.txt, recorded by AskLibrary.py), the import paths, and the errors.
#include "tests/Frontend/Script.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>

namespace tilescope::frontend::test {
namespace {

std::vector<std::string> lines(const std::string &name) {
  std::ifstream file(TILESCOPE_SOURCE_DIR "/tests/Frontend/data/" + name);
  std::vector<std::string> result;
  for (std::string line; std::getline(file, line);)
    result.push_back(line);
  return result;
}

std::vector<std::string> split(const std::string &text, const std::string &separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t at; (at = text.find(separator, begin)) != std::string::npos; begin = at + separator.size())
    parts.push_back(text.substr(begin, at - begin));
  parts.push_back(text.substr(begin));
  return parts;
}

/// "fp32" as it is written in a kernel.
std::string spelled(const std::string &type) {
  return "tl." + std::regex_replace(type, std::regex("^fp"), "float");
}

const std::string head = "from triton.language.extra import libdevice\n"
                         "@triton.jit\ndef k(p, B: tl.constexpr):\n    o = tl.arange(0, B)\n";

/// A kernel that computes r from x, y, z, w of these types.
std::string kernel(const std::vector<std::string> &types, const std::string &expression) {
  std::string text = head;
  for (size_t i = 0; i < types.size(); ++i)
    text += "    " + std::string(1, "xyzw"[i]) + " = tl.load(p + o).to(" + spelled(types[i]) + ")\n";
  return text + "    r = " + expression + "\n";
}

/// Those for which the dialect has an operation of its own.
const std::map<std::string, std::string> ownOperations = {
    {"erf", "erf"}, {"nearbyint", "round"}, {"rint", "round"}, {"tanh", "tanh"}, {"trunc", "trunc"}};

TEST(Libdevice, EverySignatureOfTriton) {
  const std::regex row(R"((\w+)\((.*)\) -> (\w+) (\w+))");
  std::vector<std::string> recorded = lines("libdevice.txt");
  ASSERT_EQ(recorded.size(), 313u);
  for (const std::string &line : recorded) {
    std::smatch part;
    ASSERT_TRUE(std::regex_match(line, part, row)) << line;
    const std::vector<std::string> types = split(part[2], ", ");
    std::string arguments = "x";
    for (size_t i = 1; i < types.size(); ++i)
      arguments += std::string(", ") + "xyzw"[i];
    const std::string name = part[1];
    Compiled c = compileKernel(kernel(types, "libdevice." + name + "(" + arguments + ")"));
    ASSERT_FALSE(c.ir.empty()) << line << (c.diagnostics.empty() ? "" : c.errors()[0]);
    EXPECT_EQ(c.typeOf("r"), std::string(part[3]) + "[64]") << line;
    const auto own = ownOperations.find(name);
    const std::string operation = own == ownOperations.end() ? "tile.extern \"" + std::string(part[4]) + "\"("
                                                             : "tile." + own->second + " %";
    EXPECT_NE(c.ir.find(operation), std::string::npos) << line << "\n" << c.ir;
  }
}

TEST(Libdevice, EveryFunctionIsInTheList) {
  std::set<std::string> recorded, listed;
  for (const std::string &line : lines("libdevice.txt"))
    recorded.insert(line.substr(0, line.find('(')));
  const std::string prefix = "triton.language.extra.libdevice.";
  for (const LibraryEntry &entry : libraryEntries())
    if (entry.name.starts_with(prefix))
      listed.insert(entry.name.substr(prefix.size()));
  EXPECT_EQ(recorded.size(), 197u);
  EXPECT_EQ(listed, recorded);
  for (const char *name : {"triton.language.math.exp2", "triton.language.extra.cuda.libdevice.asin"})
    EXPECT_EQ(std::ranges::count(libraryEntries(), name, &LibraryEntry::name), 1) << name;
}

TEST(Math, EveryTypeAsTritonHasIt) {
  std::vector<std::string> recorded = lines("math.txt");
  ASSERT_EQ(recorded.size(), 882u);
  for (const std::string &line : recorded) {
    const std::vector<std::string> part = split(line, " | ");
    Compiled c = compileKernel(kernel({part[1], part[2]}, part[0]));
    if (part[3] == "error")
      EXPECT_FALSE(c.diagnostics.empty()) << line;
    else
      EXPECT_EQ(c.diagnostics.empty() ? c.typeOf("r") : c.errors()[0], part[3]) << line;
  }
}

struct Spelling {
  const char *import, *call, *operation;
};
class Path : public ::testing::TestWithParam<Spelling> {};

TEST_P(Path, LeadsToTheFunction) {
  Compiled c = compileKernel(std::string(GetParam().import) + "\n" + kernel({"fp32"}, GetParam().call));
  ASSERT_FALSE(c.ir.empty()) << GetParam().call << (c.diagnostics.empty() ? "" : c.errors()[0]);
  EXPECT_NE(c.ir.find(GetParam().operation), std::string::npos) << GetParam().call << "\n" << c.ir;
}

INSTANTIATE_TEST_SUITE_P(
    All, Path,
    ::testing::Values(
        Spelling{"from triton.language.extra import libdevice as ld", "ld.asin(x)", "__nv_asinf"},
        Spelling{"from triton.language.extra.libdevice import asin", "asin(x)", "__nv_asinf"},
        Spelling{"from triton.language.extra.cuda import libdevice as ld", "ld.asin(x)", "__nv_asinf"},
        Spelling{"from triton.language.extra.cuda.libdevice import asin", "asin(arg0=x)", "__nv_asinf"},
        Spelling{"import triton.language.extra.libdevice as ld", "ld.asin(x)", "__nv_asinf"},
        Spelling{"", "tl.extra.libdevice.asin(x)", "__nv_asinf"},
        Spelling{"", "tl.extra.cuda.libdevice.asin(x)", "__nv_asinf"},
        Spelling{"from triton.language import libdevice as ld", "ld.exp(x)", "__nv_expf"},
        Spelling{"", "tl.libdevice.pow(x, 2)", "__nv_powif"},
        Spelling{"", "tl.math.pow(x, 2.0)", "__nv_powf"},
        Spelling{"from triton.language.math import llrint", "llrint(x)", "__nv_llrintf"},
        Spelling{"", "tl.math.tanh(x)", "tile.tanh"}, Spelling{"", "tl.math.max(x, 0.0)", "tile.max"},
        Spelling{"", "tl.math.min(x, x)", "tile.min"}, Spelling{"", "tl.libdevice.max(x, 0.0)", "tile.max"},
        Spelling{"", "tl.math.exp(x)", "tile.exp"}, Spelling{"", "tl.math.rsqrt(x)", "tile.rsqrt"},
        Spelling{"from triton.language.math import fma", "fma(x, x, 1)", "tile.fma"}));

struct Wrong {
  const char *type, *expression, *error;
};
class LibdeviceError : public ::testing::TestWithParam<Wrong> {};

TEST_P(LibdeviceError, IsSaidAtTheArgument) {
  Compiled c = compileKernel(kernel({GetParam().type}, GetParam().expression));
  ASSERT_EQ(c.errors().size(), 1u) << GetParam().expression;
  EXPECT_EQ(c.errors()[0], GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    All, LibdeviceError,
    ::testing::Values(Wrong{"fp16", "libdevice.asin(x)", "libdevice-types|x|asin, (fp16), (fp32), (fp64)"},
                      Wrong{"fp32", "libdevice.hypot(x, 2)",
                            "libdevice-types|2|hypot, (fp32, int32), (fp32, fp32), (fp64, fp64)"},
                      Wrong{"fp64", "libdevice.pow(x, 0.5)",
                            "libdevice-types|0.5|pow, (fp64, fp32), (fp32, int32), (fp64, int32), (fp32, "
                            "fp32), (fp64, fp64)"},
                      Wrong{"fp32", "libdevice.clz(x)", "libdevice-types|x|clz, (fp32), (int32), (int64)"},
                      Wrong{"fp32", "libdevice.fma(x, x)", "missing-argument|libdevice.fma(x, x)|fma, arg2"},
                      Wrong{"fp32", "libdevice.sin(x, x)", "too-many-arguments|x|sin, 1, 2"},
                      Wrong{"fp32", "libdevice.asin(p)",
                            "libdevice-types|p|asin, (pointer<fp32>), (fp32), (fp64)"},
                      Wrong{"fp32", "libdevice.asin('x')", "tensor-expected|'x'|constexpr['x']"},
                      Wrong{"fp32", "libdevice.asim(x)",
                            "unknown-library-function|libdevice.asim|triton.language.extra.libdevice.asim"},
                      Wrong{"fp32", "tl.math.tanhh(x)",
                            "unknown-library-function|tl.math.tanhh|triton.language.math.tanhh"},
                      Wrong{"fp32", "tl.fdiv(x, x, True, True)", "approximate-and-precise|True|"}));

TEST(Libdevice, ShapesAreBroadcastAndScalarsStayScalars) {
  Compiled c = compileKernel(head + "    x = tl.load(p + o)\n    a = libdevice.fmod(x[:, None], x[None, :])\n"
                                    "    b = libdevice.ldexp(x[None, :], 3)\n    c = libdevice.exp10(2.0)\n"
                                    "    d = libdevice.norm4d(1.0, x, x[:, None], 2.0)\n");
  ASSERT_FALSE(c.ir.empty()) << c.errors()[0];
  EXPECT_EQ(c.typeOf("a"), "fp32[64, 64]");
  EXPECT_EQ(c.typeOf("b"), "fp32[1, 64]");
  EXPECT_EQ(c.typeOf("c"), "fp32");
  EXPECT_EQ(c.typeOf("d"), "fp32[64, 64]");
}

TEST(Libdevice, HalfPrecisionIsOfferedACast) {
  const std::string repaired = compileKernel(kernel({"fp16"}, "libdevice.asin(x + x)")).fixed();
  EXPECT_NE(repaired.find("libdevice.asin((x + x).to(tl.float32))"), std::string::npos) << repaired;
  EXPECT_FALSE(compileKernel(repaired).ir.empty());
}

} // namespace
} // namespace tilescope::frontend::test
