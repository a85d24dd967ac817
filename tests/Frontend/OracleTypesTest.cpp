// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of local variables, and kernels that are refused, compared with what real Triton said for the same
// kernels (data/*.txt, recorded by AskTypes.py).
#include "tests/Frontend/Script.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tilescope::frontend::test {
namespace {

struct Recorded {
  std::string kernel;
  std::vector<std::pair<std::string, std::string>> types;
  bool isRefused = false;
};

std::vector<Recorded> recordedKernels(const std::string &name) {
  std::ifstream file(TILESCOPE_SOURCE_DIR "/tests/Frontend/data/" + name);
  std::vector<Recorded> result(1);
  bool inKernel = true;
  for (std::string line; std::getline(file, line);) {
    if (line == "====") {
      result.emplace_back();
      inKernel = true;
    } else if (line == "----") {
      inKernel = false;
    } else if (inKernel) {
      result.back().kernel += line + "\n";
    } else if (line.starts_with("error ")) {
      result.back().isRefused = true;
    } else {
      size_t colon = line.find(": ");
      result.back().types.emplace_back(line.substr(0, colon), line.substr(colon + 2));
    }
  }
  result.pop_back();
  return result;
}

class OracleTypes : public ::testing::TestWithParam<const char *> {};

TEST_P(OracleTypes, AgreeWithTriton) {
  std::vector<Recorded> kernels = recordedKernels(GetParam());
  ASSERT_GE(kernels.size(), 4u);
  for (const Recorded &recorded : kernels) {
    if (recorded.isRefused) {
      EXPECT_TRUE(compileKernel(recorded.kernel).ir.empty()) << recorded.kernel;
      continue;
    }
    Compiled compiled = compileKernel(recorded.kernel);
    ASSERT_FALSE(compiled.ir.empty())
        << (compiled.diagnostics.empty() ? recorded.kernel : compiled.errors()[0]);
    ASSERT_FALSE(recorded.types.empty());
    for (const auto &[name, type] : recorded.types)
      EXPECT_EQ(compiled.typeOf(name), type) << name << " in\n" << recorded.kernel.substr(0, 200);
  }
}

INSTANTIATE_TEST_SUITE_P(All, OracleTypes, ::testing::Values("types.txt", "blocks.txt", "ops.txt"));

} // namespace
} // namespace tilescope::frontend::test
