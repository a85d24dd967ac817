// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every script of scripts/ prints what Python printed (scripts/make_outputs.py asked it).
#include "tests/Host/EvaluatorTesting.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace tilescope::host {
namespace {

const std::filesystem::path Folder = TILESCOPE_SOURCE_DIR "/tests/Host/scripts";

std::string contents(const std::filesystem::path &path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> lines(const std::string &text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    result.push_back(line);
  return result;
}

std::vector<std::string> scripts() {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(Folder))
    if (entry.path().extension() == ".out")
      names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

class Scripts : public testing::TestWithParam<std::string> {};

TEST_P(Scripts, PrintWhatPythonPrints) {
  auto run = runScript(contents(Folder / (GetParam() + ".py")));
  EXPECT_EQ(run.error(), "") << "at " << run.marked();
  EXPECT_EQ(run.outcome, Outcome::Finished);
  auto actual = lines(run.output), expected = lines(contents(Folder / (GetParam() + ".out")));
  for (size_t i = 0; i < std::min(actual.size(), expected.size()); ++i)
    EXPECT_EQ(actual[i], expected[i]) << "line " << i + 1;
  EXPECT_EQ(actual.size(), expected.size());
}

INSTANTIATE_TEST_SUITE_P(Evaluator, Scripts, testing::ValuesIn(scripts()),
                         [](const auto &info) { return info.param; });

} // namespace
} // namespace tilescope::host
