// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run process: output, launches, questions, and how runs end that would not.
#include "tests/Service/Client.h"

#include <gtest/gtest.h>

#include <csignal>
#include <thread>

using namespace tilescope;
using namespace tilescope::testing;
using Clock = std::chrono::steady_clock;

namespace {

const std::string Imports = "import torch\nimport triton\nimport triton.language as tl\n";
const std::string EndlessKernel =
    Imports + "@triton.jit\ndef spin(p):\n    i = 0\n    while i >= 0:\n        i = (i + 1) % 1000\n"
              "    tl.store(p, i)\n"
              "x = torch.zeros(4, dtype=torch.int32, device='cuda')\nprint('go')\n"
              "spin[(1,)](x)\nprint(x)\n";

class Run : public ::testing::Test {
protected:
  Run() { client.initialize(); }

  int start(const std::string &text, int64_t run = 1) {
    return client.send("tilescope/run", {{"run", run}, {"path", "/tmp/none/main.py"}, {"text", text}});
  }
  json run(const std::string &text, int64_t run = 1) {
    return client.response(start(text, run), patience)["result"];
  }
  json runExample(const std::string &name) {
    return run(readFile(projectFile("resources/examples/" + name)));
  }
  std::string output() {
    std::string text;
    for (json part; (part = client.notification("tilescope/output", milliseconds(0))).is_object();)
      text += part["text"];
    return text;
  }
  json launch() { return client.notification("tilescope/launch", milliseconds(0)); }
  /// Four numbers a program; page after page.
  std::vector<int32_t> tiles(int64_t count, int output = 0) {
    std::vector<int32_t> all;
    while (static_cast<int64_t>(all.size()) < 4 * count) {
      const int64_t first = static_cast<int64_t>(all.size()) / 4;
      const json page = client.request(
          "tilescope/tiles",
          {{"run", 1}, {"launch", 0}, {"output", output}, {"first", first}, {"count", count - first}});
      protocol::TilePage decoded;
      std::string error;
      if (!page.contains("result") || !protocol::fromJson(page["result"], decoded, error) ||
          decoded.tiles.values.empty() || decoded.first != first)
        return all;
      all.insert(all.end(), decoded.tiles.values.begin(), decoded.tiles.values.end());
    }
    return all;
  }
  void stop(int64_t run = 1) { client.notify("tilescope/stop", {{"run", run}}); }
  double seconds(Clock::time_point since) const {
    return std::chrono::duration<double>(Clock::now() - since).count();
  }

  Client client{{"serve", "--role=run"}};
  const milliseconds patience{30'000};
};

std::string errorId(const json &response) {
  return response.is_object() && response.contains("error") ? response["error"]["data"].value("id", "") : "";
}

// --- the examples ----------------------------------------------------------------------------------------

TEST_F(Run, SoftmaxEachProgramWritesItsRow) {
  const json report = runExample("main.py");
  EXPECT_EQ(report["outcome"], "finished") << report;
  EXPECT_EQ(output(), "(1823, 781) True\n");
  EXPECT_EQ(report["launches"], 1);
  EXPECT_EQ(report["programs"], 1823);

  const json summary = launch();
  EXPECT_EQ(summary["kernel"], "softmax_kernel");
  EXPECT_EQ(summary["line"], 24);
  EXPECT_EQ(summary["kernelLine"], 7);
  EXPECT_EQ(summary["kernelEndLine"], 17);
  EXPECT_EQ(summary["grid"], json({1823, 1, 1}));
  EXPECT_EQ(summary["num_warps"], 4);
  ASSERT_EQ(summary["accesses"].size(), 2u);
  const json &load = summary["accesses"][0], &store = summary["accesses"][1];
  EXPECT_EQ(load["op"], "load");
  EXPECT_EQ(load["line"], 12);
  EXPECT_EQ(load["tensor"], "x");
  EXPECT_EQ(load["shape"], json({1024}));
  EXPECT_EQ(load["elements"], json({{"active", 1823 * 781}, {"masked", 1823 * 243}, {"out_of_bounds", 0}}));
  EXPECT_EQ(load["bytes"], 1823 * 781 * 4);
  EXPECT_EQ(store["op"], "store");
  EXPECT_EQ(store["line"], 17);
  EXPECT_EQ(store["tensor"], "y");
  ASSERT_EQ(summary["outputs"].size(), 1u);
  EXPECT_EQ(summary["outputs"][0]["name"], "y");
  EXPECT_EQ(summary["outputs"][0]["rows"], 1823);
  EXPECT_EQ(summary["outputs"][0]["columns"], 781);
  EXPECT_EQ(summary["outputs"][0]["access"], 1);

  const std::vector<int32_t> found = tiles(1823);
  ASSERT_EQ(found.size(), 4u * 1823);
  for (int32_t p = 0; p < 1823; ++p)
    ASSERT_EQ((std::vector<int32_t>(found.begin() + 4 * p, found.begin() + 4 * p + 4)),
              (std::vector<int32_t>{p, p + 1, 0, 781}));

  const json program =
      client.request("tilescope/program", {{"run", 1}, {"launch", 0}, {"program", 444}})["result"];
  EXPECT_EQ(program["ids"], json({444, 0, 0}));
  ASSERT_EQ(program["accesses"].size(), 2u);
  EXPECT_EQ(program["accesses"][0]["elements"],
            json({{"active", 781}, {"masked", 243}, {"out_of_bounds", 0}}));
}

TEST_F(Run, VectorAddCutsOneRow) {
  const json report = runExample("vector_add.py");
  EXPECT_EQ(report["outcome"], "finished") << report;
  EXPECT_EQ(output(), "98432 sums, largest difference from torch: 0.0\n");
  const std::vector<int32_t> found = tiles(97);
  ASSERT_EQ(found.size(), 4u * 97);
  for (int32_t p = 0; p < 97; ++p)
    ASSERT_EQ((std::vector<int32_t>(found.begin() + 4 * p, found.begin() + 4 * p + 4)),
              (std::vector<int32_t>{0, 1, 1024 * p, std::min(1024 * (p + 1), 98432)}));
}

TEST_F(Run, MatmulGoesDownFourTilesBeforeRight) {
  const json report = runExample("matmul.py");
  EXPECT_EQ(report["outcome"], "finished") << report;
  EXPECT_EQ(output(), "(500, 420) torch.float16 True\n");
  // 500 x 420 in tiles of 64 x 64: 8 x 7, in groups of 4 rows of tiles.
  const std::vector<int32_t> found = tiles(56);
  ASSERT_EQ(found.size(), 4u * 56);
  for (int32_t p = 0; p < 56; ++p) {
    const int32_t row = p / 28 * 4 + p % 28 % 4, column = p % 28 / 4;
    ASSERT_EQ((std::vector<int32_t>(found.begin() + 4 * p, found.begin() + 4 * p + 4)),
              (std::vector<int32_t>{64 * row, std::min(64 * (row + 1), 500), 64 * column,
                                    std::min(64 * (column + 1), 420)}))
        << p;
  }
}

TEST_F(Run, PagesOfTiles) {
  runExample("main.py");
  const json page = client.request(
      "tilescope/tiles", {{"run", 1}, {"launch", 0}, {"output", 0}, {"first", 1820}, {"count", 100}});
  protocol::TilePage decoded;
  std::string error;
  ASSERT_TRUE(protocol::fromJson(page["result"], decoded, error)) << page;
  EXPECT_EQ(decoded.tiles.values,
            (std::vector<int32_t>{1820, 1821, 0, 781, 1821, 1822, 0, 781, 1822, 1823, 0, 781}));
}

// --- questions that have no answer -----------------------------------------------------------------------

TEST_F(Run, QuestionsAboutWhatIsNotThere) {
  runExample("main.py");
  auto ask = [&](const char *method, json params) {
    return errorId(client.request(method, std::move(params)));
  };
  EXPECT_EQ(ask("tilescope/tiles", {{"run", 2}}), "unknown-run");
  EXPECT_EQ(ask("tilescope/tiles", {{"run", 1}, {"launch", 1}, {"count", 1}}), "unknown-launch");
  EXPECT_EQ(ask("tilescope/tiles", {{"run", 1}, {"launch", 0}, {"output", 1}, {"count", 1}}),
            "unknown-launch");
  EXPECT_EQ(ask("tilescope/tiles", {{"run", 1}, {"launch", 0}, {"first", 1824}, {"count", 1}}),
            "unknown-program");
  EXPECT_EQ(ask("tilescope/program", {{"run", 1}, {"launch", 0}, {"program", 1823}}), "unknown-program");
  EXPECT_EQ(ask("tilescope/program", {{"run", 1}, {"launch", -1}, {"program", 0}}), "unknown-launch");
  EXPECT_EQ(ask("tilescope/schedule", {{"gpu", "none"}, {"programs", 1}}), "unknown-gpu");
}

TEST_F(Run, TheMachineNeedsNoRun) {
  const json gpus = client.request("tilescope/gpus")["result"]["gpus"];
  EXPECT_TRUE(std::any_of(gpus.begin(), gpus.end(), [](const json &gpu) { return gpu["name"] == "H200"; }));
  const json schedule =
      client.request("tilescope/schedule", {{"gpu", "H200"}, {"programs", 1823}, {"num_warps", 4}})["result"];
  EXPECT_EQ(schedule["slots"], 2112);
  EXPECT_EQ(schedule["waveCount"], 1);
}

// --- scripts that are wrong ------------------------------------------------------------------------------

TEST_F(Run, ErrorsCarryTheirFileAndPlace) {
  const json report = run("x = 1\nassert x == 2, 'no'\n");
  EXPECT_EQ(report["outcome"], "failed");
  ASSERT_EQ(report["diagnostics"].size(), 1u);
  EXPECT_EQ(report["diagnostics"][0]["path"], "/tmp/none/main.py");
  EXPECT_EQ(report["diagnostics"][0]["diagnostics"][0]["range"]["start"]["line"], 1);
}

TEST_F(Run, AnAccessOutsideIsReportedAtItsLine) {
  const json report = run(
      Imports +
      "@triton.jit\ndef k(p, B: tl.constexpr):\n    i = tl.arange(0, B)\n"
      "    tl.store(p + i, i)\n"
      "x = torch.zeros(100, dtype=torch.int32, device='cuda')\nk[(1,)](x, B=128)\nprint(x.sum().item())\n");
  ASSERT_EQ(report["diagnostics"].size(), 1u) << report;
  EXPECT_EQ(report["diagnostics"][0]["diagnostics"][0]["range"]["start"]["line"], 6);
  EXPECT_EQ(launch()["accesses"][0]["elements"],
            json({{"active", 100}, {"masked", 0}, {"out_of_bounds", 28}}));
}

TEST_F(Run, ATerabyteIsRefusedInWords) {
  const Clock::time_point begin = Clock::now();
  const json report =
      run("import torch\nprint('before')\nx = torch.zeros(1 << 38, device='cuda')\nprint(x)\n");
  EXPECT_EQ(report["outcome"], "failed");
  EXPECT_EQ(output(), "before\n");
  ASSERT_EQ(report["diagnostics"].size(), 1u);
  const json &diagnostic = report["diagnostics"][0]["diagnostics"][0];
  EXPECT_EQ(diagnostic["code"], "out-of-memory");
  EXPECT_EQ(diagnostic["range"]["start"]["line"], 2);
  EXPECT_LT(seconds(begin), 2);
}

// --- runs that do not end by themselves ------------------------------------------------------------------

TEST_F(Run, AnEndlessKernelIsStopped) {
  const int id = start(EndlessKernel);
  EXPECT_EQ(client.notification("tilescope/output")["text"], "go\n");
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_TRUE(client.request("tilescope/gpus").contains("result")) << "questions are answered meanwhile";
  EXPECT_EQ(errorId(client.request("tilescope/run", {{"run", 2}, {"text", ""}})), "busy");
  const Clock::time_point begin = Clock::now();
  stop();
  const json report = client.response(id)["result"];
  EXPECT_LT(seconds(begin), 1);
  EXPECT_EQ(report["outcome"], "stopped");
  EXPECT_EQ(run("print('again')\n", 2)["outcome"], "finished");
  EXPECT_EQ(output(), "again\n");
}

TEST_F(Run, AnEndlessLoopOfTheHostIsStopped) {
  const int id = start("print('go')\nwhile True:\n    pass\n");
  client.notification("tilescope/output");
  const Clock::time_point begin = Clock::now();
  stop();
  EXPECT_EQ(client.response(id)["result"]["outcome"], "stopped");
  EXPECT_LT(seconds(begin), 1);
}

TEST_F(Run, EndlessPrintingIsBoundedAndStopped) {
  const int id = start("while True:\n    print('0123456789' * 10)\n");
  std::this_thread::sleep_for(milliseconds(500));
  const Clock::time_point begin = Clock::now();
  stop();
  EXPECT_EQ(client.response(id)["result"]["outcome"], "stopped");
  EXPECT_LT(seconds(begin), 1);
  size_t messages = 0, bytes = 0;
  for (json part; (part = client.notification("tilescope/output", milliseconds(0))).is_object(); ++messages)
    bytes += part["text"].get<std::string>().size();
  EXPECT_LT(bytes, 4u << 20);
  EXPECT_LT(messages, 200u);
}

TEST_F(Run, AStopThatComesFirstCounts) {
  stop(5);
  EXPECT_EQ(run("while True:\n    pass\n", 5)["outcome"], "stopped");
}

TEST_F(Run, ACancelledRunEnds) {
  const int id = start(EndlessKernel);
  client.notification("tilescope/output");
  client.notify("$/cancelRequest", {{"id", id}});
  EXPECT_EQ(errorId(client.response(id)), "cancelled");
  const Clock::time_point begin = Clock::now();
  json next;
  while (errorId(next = client.request("tilescope/run", {{"run", 2}, {"text", "print(1)\n"}})) == "busy" &&
         seconds(begin) < 1)
    std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(next["result"]["outcome"], "finished");
}

TEST_F(Run, TheProcessEndsWithItsParentInTheMiddleOfALoop) {
  start(EndlessKernel);
  client.notification("tilescope/output");
  client.closeInput();
  EXPECT_TRUE(client.waitForExit(milliseconds(1000)));
}

TEST_F(Run, KilledWhileRunningNothingElseIsLost) {
  start(EndlessKernel);
  client.notification("tilescope/output");
  client.signal(SIGKILL);
  EXPECT_TRUE(client.waitForExit());
  Client next({"serve", "--role=run"});
  next.initialize();
  EXPECT_EQ(next.request("tilescope/run", {{"run", 1}, {"text", "print(2)\n"}})["result"]["outcome"],
            "finished");
}

// --- odd scripts -----------------------------------------------------------------------------------------

TEST_F(Run, OutputIsWhatPythonPrints) {
  EXPECT_EQ(run("print('名字', '😀', sep='|', end='!')\nprint()\nprint(1, 2.5, None)\n")["outcome"],
            "finished");
  EXPECT_EQ(output(), "名字|😀!\n1 2.5 None\n");
}

TEST_F(Run, EmptyScriptsAndWindowsLineEnds) {
  EXPECT_EQ(run("", 1)["outcome"], "finished");
  EXPECT_EQ(run("if True:\r\n\tprint('tab')\r\n", 2)["outcome"], "finished");
  EXPECT_EQ(output(), "tab\n");
}

TEST_F(Run, BuffersGoBeforeTheDisk) {
  const int id =
      client.send("tilescope/run",
                  {{"run", 1},
                   {"path", "/tmp/none/main.py"},
                   {"text", "import helper\nprint(helper.VALUE)\n"},
                   {"buffers", {{{"path", "/tmp/none/helper.py"}, {"text", "VALUE = 'in the editor'\n"}}}}});
  EXPECT_EQ(client.response(id)["result"]["outcome"], "finished");
  EXPECT_EQ(output(), "in the editor\n");
}

} // namespace
