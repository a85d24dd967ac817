// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every script of resources/examples through tilec: it prints what it prints under real Triton (recorded by
// data/record_outputs.py), with one thread and with several, and nothing is found wrong with it.
#include "tests/Service/Client.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace tilescope::testing;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> examples() {
  std::vector<fs::path> found;
  for (const auto &entry : fs::directory_iterator(projectFile("resources/examples")))
    if (entry.path().extension() == ".py")
      found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

std::string recorded(const fs::path &example) {
  return readFile(projectFile("tests/examples/data/" + example.stem().string() + ".out"));
}

/// The exit status, and both outputs together.
std::pair<int, std::string> tilec(const std::string &arguments) {
  std::FILE *pipe = popen(("'" + tilecPath() + "' " + arguments + " 2>&1").c_str(), "r");
  std::string text;
  char buffer[4096];
  for (size_t count = 0; (count = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    text.append(buffer, count);
  return {pclose(pipe), text};
}

class Example : public ::testing::TestWithParam<fs::path> {};

TEST_P(Example, PrintsWhatTritonPrints) {
  const std::string expected = recorded(GetParam());
  ASSERT_FALSE(expected.empty());
  for (const char *threads : {"1", "2"})
    EXPECT_EQ(tilec("run --threads " + std::string(threads) + " '" + GetParam().string() + "'"),
              std::pair(0, expected));
}

TEST_P(Example, IsCheckedInSilence) {
  for (const char *how : {"check", "check --run"})
    EXPECT_EQ(tilec(std::string(how) + " '" + GetParam().string() + "'"), std::pair(0, std::string())) << how;
}

INSTANTIATE_TEST_SUITE_P(All, Example, ::testing::ValuesIn(examples()),
                         [](const auto &info) { return info.param.stem().string(); });

TEST(Examples, AreAllThere) { EXPECT_EQ(examples().size(), 12u); }

} // namespace
