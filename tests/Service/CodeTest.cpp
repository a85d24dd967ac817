// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of a launch's kernel, line by line with its source. What the lines should say is taken from the script's own
// text: what loads in the code comes from a line that loads, whatever the stage.
#include "compiler/Protocol/CodeMessages.h"
#include "tests/Service/Client.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <sstream>

using namespace tilescope;
using namespace tilescope::testing;

namespace {

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

std::string outputOf(const std::string &command) {
  FILE *pipe = popen(command.c_str(), "r");
  std::string text;
  for (char buffer[4096]; size_t count = fread(buffer, 1, sizeof buffer, pipe);)
    text.append(buffer, count);
  pclose(pipe);
  return text;
}

bool has(const std::string &line, const std::string &word) { return line.find(word) != std::string::npos; }

class CodeOf : public ::testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    client.initialize();
    const std::string path = projectFile(GetParam());
    source = linesOf(readFile(path));
    client.request("tilescope/run", {{"run", 1}, {"path", path}, {"text", readFile(path)}}, patience);
    launch = client.notification("tilescope/launch", patience);
    info = ask<protocol::CodeInfo>("tilescope/code", {});
  }
  template <typename T> T ask(const std::string &method, json params) {
    params["run"] = 1;
    const json response = client.request(method, params.is_null() ? json::object() : params, patience);
    T result;
    std::string error = response.dump();
    EXPECT_TRUE(response.contains("result") && protocol::fromJson(response["result"], result, error)) << error;
    return result;
  }
  protocol::CodeText text(int stage, int64_t first = 0, int64_t count = 2000) {
    return ask<protocol::CodeText>("tilescope/code/text", {{"stage", stage}, {"first", first}, {"count", count}});
  }
  /// All lines of code with `word` come from lines of source with one of `calls`; how many there are.
  int comesFrom(const protocol::CodeText &page, const std::string &word, const std::string &call) {
    int count = 0;
    for (size_t i = 0; i < page.lines.size(); ++i) {
      if (!has(page.lines[i], word))
        continue;
      const int line = page.sources.values[i];
      EXPECT_TRUE(line > 0 && line <= int(source.size())) << "stage " << page.stage << ": " << page.lines[i];
      if (line > 0 && line <= int(source.size())) {
        EXPECT_TRUE(has(source[size_t(line - 1)], call))
            << "stage " << page.stage << ": " << page.lines[i] << " from " << line;
      }
      ++count;
    }
    return count;
  }

  Client client{{"serve", "--role=run"}};
  std::vector<std::string> source;
  json launch;
  protocol::CodeInfo info;
  const milliseconds patience{30'000};
};

TEST_P(CodeOf, EachLineKnowsTheSourceThatItComesFrom) {
  ASSERT_GE(info.stages.size(), 5u);
  EXPECT_EQ(info.stages.front().name, "frontend");
  EXPECT_EQ(info.stages.back().name, "ptx");
  for (int i = 0; i < int(info.stages.size()); ++i) {
    const protocol::CodeStage &stage = info.stages[size_t(i)];
    const protocol::CodeText page = text(i);
    ASSERT_EQ(int64_t(page.lines.size()), std::min<int64_t>(stage.lines, 2000));
    ASSERT_EQ(page.sources.values.size(), page.lines.size());
    for (const std::string &line : page.lines)
      EXPECT_FALSE(has(line, "!dbg") || has(line, ".loc") || has(line, "loc(")) << line;
    const bool isPtx = stage.name == "ptx", isLlvm = stage.name == "llvm";
    if (isLlvm || stage.lines > 2000)
      continue;
    EXPECT_GT(comesFrom(page, isPtx ? "ld.global" : "tile.load ", "tl.load("), 0) << stage.name;
    EXPECT_GT(comesFrom(page, isPtx ? "st.global" : "tile.store ", "tl.store("), 0) << stage.name;
  }
}

TEST_P(CodeOf, IsWhatTheCommandLineSays) {
  const std::string kernel = launch["kernel"];
  std::string expected, said;
  for (const std::string &line : linesOf(outputOf(tilecPath() + " compile --emit ptx --gpu h200 --kernel " + kernel +
                                                  " --launch 0 " + projectFile(GetParam()))))
    if (!has(line, "\t.loc\t") && !has(line, "\t.file\t"))
      expected += line + "\n";
  for (int64_t first = 0; first < info.stages.back().lines; first += 7)
    for (const std::string &line : text(int(info.stages.size()) - 1, first, 7).lines)
      said += line + "\n";
  EXPECT_EQ(said, expected);
}

TEST_P(CodeOf, SaysWhatItTakesOfAnSm) {
  ASSERT_TRUE(info.resources);
  EXPECT_GT(info.resources->registers, 8);
  EXPECT_TRUE((std::set<std::string>{"assembler", "driver", "estimate"}.contains(info.resources->source)));
  EXPECT_EQ(info.resources->schedule.programs, launch["programs"]);
  EXPECT_GT(info.resources->schedule.waves, 0);
  EXPECT_TRUE(info.diagnostics.empty());
}

INSTANTIATE_TEST_SUITE_P(Scripts, CodeOf,
                         ::testing::Values("resources/examples/vector_add.py", "resources/examples/layer_norm.py",
                                           "resources/examples/transpose.py"));

/// A sum over four warps passes one float of each through shared memory, on any GPU and whoever says so.
TEST(Code, SharedMemoryIsWithoutWhatTheSystemReserves) {
  Client client{{"serve", "--role=run"}};
  client.initialize();
  const std::string path = projectFile("resources/examples/atomic_sum.py");
  client.request("tilescope/run", {{"run", 1}, {"path", path}, {"text", readFile(path)}}, milliseconds(30'000));
  for (const char *gpu : {"H200", "A100"}) {
    const json info = client.request("tilescope/code", {{"run", 1}, {"launch", 0}, {"gpu", gpu}}, milliseconds(30'000));
    EXPECT_EQ(info["result"]["resources"]["sharedBytes"], 4 * sizeof(float)) << gpu << info;
  }
}

TEST(Code, QuestionsThatHaveNoAnswer) {
  Client client{{"serve", "--role=run"}};
  client.initialize();
  const std::string path = projectFile("resources/examples/vector_add.py");
  client.request("tilescope/run", {{"run", 1}, {"path", path}, {"text", readFile(path)}}, milliseconds(30'000));
  auto error = [&](json params) {
    params["run"] = params.value("run", 1);
    return client.request("tilescope/code/text", params)["error"]["data"].value("id", "");
  };
  EXPECT_EQ(error({{"run", 2}}), "unknown-run");
  EXPECT_EQ(error({{"launch", 9}}), "unknown-launch");
  EXPECT_EQ(error({{"gpu", "Voodoo"}}), "unknown-gpu");
  EXPECT_EQ(error({{"stage", 99}}), "unknown-stage");
}

} // namespace
