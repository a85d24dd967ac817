// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tilec as a person meets it: exit statuses, words, files of all sorts, the shape of --json.
#include "tests/Service/Client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilescope::testing;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
namespace fs = std::filesystem;

namespace {

struct Finished {
  int status = -1; ///< of exit; 1000 + number for a signal
  std::string out, err;
};

/// Each test has a folder of its own, with a name that needs care.
class CommandLine : public ::testing::Test {
protected:
  CommandLine() : folder(fs::temp_directory_path() / ("tilec 测试 " + std::to_string(getpid()))) {
    fs::create_directories(folder);
  }
  ~CommandLine() override { fs::remove_all(folder); }

  std::string path(const std::string &name) const { return (folder / name).string(); }
  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
    return path(name);
  }
  std::string example(const std::string &name) const { return projectFile("resources/examples/" + name); }

  pid_t start(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), tilecPath());
    std::vector<char *> argv;
    for (std::string &argument : arguments)
      argv.push_back(argument.data());
    argv.push_back(nullptr);
    pid_t pid = fork();
    if (pid == 0) {
      setenv("LC_ALL", "C", 1);
      dup2(open(path("out").c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600), STDOUT_FILENO);
      dup2(open(path("err").c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600), STDERR_FILENO);
      execv(argv[0], argv.data());
      _exit(127);
    }
    return pid;
  }
  Finished wait(pid_t pid) const {
    int status = 0;
    waitpid(pid, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), readFile(path("out")),
            readFile(path("err"))};
  }
  Finished tilec(std::vector<std::string> arguments) const { return wait(start(std::move(arguments))); }
  json reportOf(const std::string &script, int expectedStatus = 0) const {
    EXPECT_EQ(tilec({"run", script, "--json", path("report.json")}).status, expectedStatus);
    return json::parse(readFile(path("report.json")), nullptr, false);
  }

  const fs::path folder;
};

// --- run -------------------------------------------------------------------------------------------------

TEST_F(CommandLine, RunsTheExamples) {
  EXPECT_EQ(tilec({"run", example("main.py")}).out, "(1823, 781) True\n");
  EXPECT_EQ(tilec({"run", example("vector_add.py")}).out, "98432 sums, largest difference from torch: 0.0\n");
  EXPECT_EQ(tilec({"run", example("matmul.py"), "--threads", "1"}).out, "(500, 420) torch.float16 True\n");
}

TEST_F(CommandLine, TheReportHasItsShape) {
  const json report = reportOf(example("main.py"));
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report["stdout"], "(1823, 781) True\n");
  EXPECT_EQ(report["diagnostics"], json::array());
  ASSERT_EQ(report["launches"].size(), 1u);
  const json &launch = report["launches"][0];
  EXPECT_EQ(launch["kernel"], "softmax_kernel");
  EXPECT_EQ(launch["line"], 24);
  EXPECT_EQ(launch["grid"], json({1823, 1, 1}));
  EXPECT_EQ(launch["programs"], 1823);
  EXPECT_EQ(launch["num_warps"], 4);
  EXPECT_GT(launch["wall_ms"], 0);
  ASSERT_EQ(launch["accesses"].size(), 2u);
  EXPECT_EQ(launch["accesses"][0]["line"], 12);
  EXPECT_EQ(launch["accesses"][0]["op"], "load");
  EXPECT_EQ(launch["accesses"][0]["elements"],
            json({{"active", 1423763}, {"masked", 442989}, {"out_of_bounds", 0}}));
  EXPECT_EQ(launch["accesses"][0]["bytes"], 5695052);
  EXPECT_EQ(launch["accesses"][1]["line"], 17);
  EXPECT_EQ(launch["accesses"][1]["op"], "store");
}

TEST_F(CommandLine, DiagnosticsInTheReport) {
  const std::string script = write("wrong.py", "# 😀\n名 = '😀'; assert 1 == 2, 'two'\n");
  const json report = reportOf(script, 1);
  ASSERT_EQ(report["diagnostics"].size(), 1u);
  const json &diagnostic = report["diagnostics"][0];
  EXPECT_EQ(diagnostic["severity"], "error");
  EXPECT_EQ(diagnostic["line"], 2);
  EXPECT_EQ(diagnostic["column"], 17) << "columns count code points";
  EXPECT_TRUE(diagnostic["id"].is_string());
  EXPECT_THAT(diagnostic["message"].get<std::string>(), HasSubstr("two"));
}

constexpr const char *SumOfTooMuch =
    "import torch, triton\n"
    "import triton.language as tl\n"
    "@triton.jit\n"
    "def total(x_ptr, out_ptr, n, B: tl.constexpr):\n"
    "    offsets = tl.arange(0, B)\n"
    "    x = tl.load(x_ptr + offsets, mask=offsets < n)\n"
    "    tl.store(out_ptr, tl.sum(x))\n"
    "total[(2,)](torch.ones(5, device='cuda'), torch.ones(1, device='cuda'), 5, B=8)\n"
    "print('done')\n";

TEST_F(CommandLine, FindingsInTheReport) {
  const json report = reportOf(write("sum.py", SumOfTooMuch), 1);
  ASSERT_EQ(report["diagnostics"].size(), 1u);
  const json &finding = report["diagnostics"][0];
  EXPECT_EQ(finding["id"], "undefined-reduction");
  EXPECT_EQ(finding["values"], json({"total", "(0, 0, 0)", "2", "3", "[5:8]"}));
  EXPECT_EQ(finding["line"], 7);
  EXPECT_EQ(finding["column"], 23);
  EXPECT_EQ(finding["end_column"], 32);
  EXPECT_EQ(finding["notes"][0]["id"], "masked-here");
  EXPECT_EQ(finding["notes"][0]["line"], 6);
  EXPECT_EQ(finding["notes"][1]["values"], json({"2", "(0, 0, 0)", "(1, 0, 0)"}));
  EXPECT_EQ(finding["fix"]["replacement"], ", other=0.0");
  EXPECT_EQ(finding["fix"]["line"], 6);
  EXPECT_EQ(finding["fix"]["column"], 50);
}

TEST_F(CommandLine, ChecksByRunning) {
  const std::string script = write("sum.py", SumOfTooMuch);
  const Finished without = tilec({"check", script});
  EXPECT_EQ(without.status, 0);
  const Finished with = tilec({"check", "--run", script});
  EXPECT_EQ(with.status, 1);
  EXPECT_THAT(with.out, HasSubstr("[undefined-reduction]"));
  EXPECT_THAT(with.out, HasSubstr("[write-race]")) << "both programs store the sum";
  EXPECT_THAT(with.out, ::testing::Not(HasSubstr("done"))) << "not what the script prints";
  EXPECT_THAT(tilec({"run", "--check", script}).err, HasSubstr("[write-race]"));
}

TEST_F(CommandLine, WhatIsPrintedStaysWhenTheScriptFails) {
  const Finished found = tilec({"run", write("a.py", "print('before')\n1 / 0\nprint('after')\n")});
  EXPECT_EQ(found.status, 1);
  EXPECT_EQ(found.out, "before\n");
  EXPECT_THAT(found.err, StartsWith(path("a.py") + ":2:"));
}

TEST_F(CommandLine, SysExitGivesItsStatus) {
  EXPECT_EQ(tilec({"run", write("a.py", "import sys\nprint(1)\nsys.exit(7)\n")}).status, 7);
  const Finished said = tilec({"run", write("b.py", "import sys\nsys.exit('no GPU')\n")});
  EXPECT_EQ(said.status, 1);
  EXPECT_THAT(said.err, HasSubstr("no GPU"));
}

TEST_F(CommandLine, InterruptEndsARunWithItsReport) {
  const std::string script = write("endless.py", "print('go', flush=True)\nwhile True:\n    pass\n");
  const pid_t pid = start({"run", script, "--json", path("report.json")});
  std::this_thread::sleep_for(milliseconds(500));
  kill(pid, SIGINT);
  const Finished found = wait(pid);
  EXPECT_EQ(found.status, 130);
  EXPECT_EQ(found.out, "go\n");
  EXPECT_EQ(json::parse(readFile(path("report.json")), nullptr, false)["stdout"], "go\n");
}

TEST_F(CommandLine, ATerabyte) {
  const Finished found = tilec(
      {"run", write("big.py", "import torch\nx = torch.empty(1 << 40, dtype=torch.int8, device='cuda')\n")});
  EXPECT_EQ(found.status, 1);
  EXPECT_THAT(found.err, HasSubstr("[out-of-memory]"));
}

// --- check -----------------------------------------------------------------------------------------------

TEST_F(CommandLine, CheckIsSilentWhenAllIsWell) {
  const Finished found = tilec({"check", example("main.py"), example("vector_add.py"), example("matmul.py")});
  EXPECT_EQ(found.status, 0);
  EXPECT_EQ(found.out + found.err, "");
}

TEST_F(CommandLine, CheckSaysWhere) {
  const std::string script = write("脚本 a.py", "import torch\nx = torch.zeros(3)\ny = nothing\n");
  const Finished found = tilec({"check", script});
  EXPECT_EQ(found.status, 1);
  EXPECT_THAT(found.out, StartsWith(script + ":3:5: error: "));
  EXPECT_THAT(found.out.substr(0, found.out.find('\n')), EndsWith("[undefined-name]"));
}

TEST_F(CommandLine, CheckRunsNothing) {
  EXPECT_EQ(tilec({"check", write("a.py", "print('x')\nassert False\n")}).out.find("x\n"), std::string::npos);
}

// --- files of all sorts ----------------------------------------------------------------------------------

TEST_F(CommandLine, FilesThatAreNoScripts) {
  const std::pair<std::string, std::string> cases[] = {
      {path("none.py"), "does not exist"},
      {folder.string(), "is a folder"},
      {write("binary.py", std::string("\x7F"
                                      "ELF\0\0\0",
                                      7)),
       "not a text file"},
  };
  for (const char *command : {"run", "check"})
    for (const auto &[file, sentence] : cases) {
      const Finished found = tilec({command, file});
      EXPECT_EQ(found.status, 2) << file;
      EXPECT_EQ(found.out, "");
      EXPECT_THAT(found.err, HasSubstr(sentence));
      EXPECT_THAT(found.err, HasSubstr(file));
    }
}

TEST_F(CommandLine, BytesThatAreNotUtf8AreTheScriptsMistake) {
  const Finished found = tilec({"check", write("latin.py", "x = '\xE9'\n")});
  EXPECT_EQ(found.status, 1);
  EXPECT_THAT(found.out, StartsWith(path("latin.py") + ":1:"));
}

TEST_F(CommandLine, EmptyFilesTabsWindowsLineEnds) {
  EXPECT_EQ(tilec({"run", write("empty.py", "")}).status, 0);
  const Finished found =
      tilec({"run", write("窗 口.py", "\xEF\xBB\xBFif True:\r\n\tfor i in range(2):\r\n\t\tprint(i)\r\n")});
  EXPECT_EQ(found.status, 0) << found.err;
  EXPECT_EQ(found.out, "0\n1\n");
}

TEST_F(CommandLine, TenThousandLines) {
  std::string text = "import torch\ntotal = 0\n";
  for (int i = 2; i < 9999; ++i)
    text += "total += " + std::to_string(i) + "  # 第 " + std::to_string(i) + " 行\n";
  text += "print(total)\n";
  const Finished found = tilec({"run", write("long.py", text)});
  EXPECT_EQ(found.status, 0) << found.err;
  EXPECT_EQ(found.out, std::to_string(9998 * 9999 / 2 - 1) + "\n");
  EXPECT_EQ(tilec({"check", path("long.py")}).status, 0);
}

TEST_F(CommandLine, ImportsBelowTheScriptsFolderOnly) {
  fs::create_directories(folder / "sub");
  write("outside.py", "SECRET = 1\n");
  write("sub/helper.py", "VALUE = 'helped'\n");
  EXPECT_EQ(tilec({"run", write("sub/a.py", "import helper\nprint(helper.VALUE)\n")}).out, "helped\n");
  fs::create_symlink(folder / "outside.py", folder / "sub/linked.py");
  const Finished found = tilec({"run", write("sub/b.py", "import linked\nprint(linked.SECRET + 1)\n")});
  EXPECT_EQ(found.status, 1);
  EXPECT_EQ(found.out, "");
}

// --- usage -----------------------------------------------------------------------------------------------

TEST_F(CommandLine, WrongUsage) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{}, "a command is missing"},
      {{"run"}, "FILE is missing"},
      {{"fly"}, "fly was not expected"},
      {{"run", "a.py", "--fast"}, "--fast was not expected"},
      {{"run", "a.py", "--json"}, "--json needs a value"},
      {{"run", "a.py", "--threads", "many"}, "--threads cannot have this value"},
      {{"--lang", "de", "run", "a.py"}, "--lang cannot have this value"},
      {{"serve", "--role", "king"}, "--role cannot have this value"},
  };
  for (const auto &[arguments, sentence] : cases) {
    const Finished found = tilec(arguments);
    EXPECT_EQ(found.status, 2) << sentence;
    EXPECT_THAT(found.err, HasSubstr(sentence));
  }
  const Finished unwritable = tilec({"run", example("main.py"), "--json", path("no/such/folder.json")});
  EXPECT_EQ(unwritable.status, 2);
  EXPECT_THAT(unwritable.err, HasSubstr("cannot be written"));
}

TEST_F(CommandLine, WordsInTheLanguageAskedFor) {
  EXPECT_THAT(tilec({"run", path("none.py"), "--lang", "fr"}).err, HasSubstr("n’existe pas"));
  EXPECT_THAT(tilec({"--lang=zh", "check", path("none.py")}).err, HasSubstr("不存在"));
  EXPECT_THAT(tilec({"--lang", "fr", "--help"}).out, HasSubstr("Commandes"));
  EXPECT_THAT(tilec({"check", "--lang", "zh", write("a.py", "y = nothing\n")}).out, HasSubstr("错误"));
}

TEST_F(CommandLine, VersionAndHelp) {
  EXPECT_THAT(tilec({"--version"}).out, StartsWith("tilec 0."));
  for (const char *command : {"run", "check", "compile", "trace", "serve"})
    EXPECT_EQ(tilec({command, "--help"}).status, 0);
}

// --- compile ---------------------------------------------------------------------------------------------

TEST_F(CommandLine, CompileShowsTheStages) {
  const std::vector<std::string> base{"compile", example("main.py"), "--kernel", "softmax_kernel", "--emit"};
  auto with = [&](std::string emit, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = base;
    arguments.push_back(std::move(emit));
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tilec(arguments);
  };
  EXPECT_THAT(with("ast").out, HasSubstr("FunctionDef"));
  const Finished tile = with("tile");
  EXPECT_EQ(tile.status, 0) << tile.err;
  EXPECT_THAT(tile.out, HasSubstr("tile.func"));
  EXPECT_THAT(tile.out, HasSubstr("1024xf32"));
  EXPECT_EQ(with("tile", {"--launch", "1"}).status, 2);
  EXPECT_EQ(with("sass").status, 2);
  EXPECT_EQ(tilec({"compile", example("main.py"), "--kernel", "none", "--emit", "tile"}).status, 2);
}

TEST_F(CommandLine, EveryStageIsShownForTheGpuAskedFor) {
  auto stages = [&](const std::string &gpu) {
    const Finished result = tilec({"compile", example("flash_attention.py"), "--kernel", "attention_kernel", "--emit",
                                   "stages", "--gpu", gpu});
    EXPECT_EQ(result.status, 0) << result.err;
    return result.out;
  };
  const std::string h200 = stages("h200"), t4 = stages("t4");
  for (const char *stage : {"// frontend: ", "// assign-layouts: ", "// coalesce: ", "// place-products: ",
                            "// pipeline-loops: ", "// insert-barriers: "})
    EXPECT_THAT(h200, HasSubstr(stage));
  EXPECT_THAT(h200, HasSubstr("tile.async_copy"));
  EXPECT_THAT(t4, Not(HasSubstr("tile.async_copy"))); // Turing has none
  EXPECT_EQ(tilec({"compile", example("main.py"), "--kernel", "softmax_kernel", "--emit", "stages", "--gpu", "x"}).status,
            2);
}

// --- trace -----------------------------------------------------------------------------------------------

/// Figures that Nsight Compute counted on an H200 of Triton's own kernels (softmax of 1823x781 by 32-byte sectors and rows
/// that begin anywhere; vector add by 16-byte loads).
TEST_F(CommandLine, TraceCountsWhatTheHardwareCounted) {
  auto trace = [&](const std::string &script, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"trace", example(script), "--launch", "0", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Finished result = tilec(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  };
  const json softmax = trace("main.py")["accesses"];
  ASSERT_EQ(softmax.size(), 2u);
  EXPECT_EQ(softmax[0]["line"], 12);
  EXPECT_EQ(softmax[0]["requests"], 45575);
  EXPECT_EQ(softmax[0]["sectors"], 217846);
  EXPECT_EQ(softmax[0]["distinctSectors"], 177971);
  EXPECT_EQ(softmax[0]["irregular"], 0);

  const json sum = trace("vector_add.py")["accesses"];
  ASSERT_EQ(sum.size(), 3u);
  for (const json &access : sum) {
    EXPECT_EQ(access["requests"], 769);
    EXPECT_EQ(access["sectors"], 12304);
    EXPECT_EQ(access["vectorElements"], 4);
  }
  // The last program has 128 elements left: one warp's load.
  const json last = trace("vector_add.py", {"--program", "96"});
  EXPECT_EQ(last["program"], 96);
  EXPECT_EQ(last["accesses"][0]["requests"], 1);
  EXPECT_EQ(last["accesses"][0]["sectors"], 16);
}

TEST_F(CommandLine, TraceShowsSharedMemoryAndTheSchedule) {
  const Finished result = tilec({"trace", example("flash_attention.py"), "--launch", "0", "--json", "--gpu", "a100"});
  ASSERT_EQ(result.status, 0) << result.err;
  const json trace = json::parse(result.out);
  int64_t end = 0;
  bool isPipelined = false;
  for (const json &buffer : trace["buffers"]) {
    end = std::max(end, buffer["offset"].get<int64_t>() + buffer["bytes"].get<int64_t>());
    isPipelined |= buffer["stages"] == 3;
    for (const json &access : buffer["accesses"])
      EXPECT_EQ(access["wavefronts"], access["ideal"]) << access;
  }
  EXPECT_EQ(trace["sharedBytes"], end);
  EXPECT_TRUE(isPipelined);
  EXPECT_EQ(trace["schedule"]["sms"], 108);
  EXPECT_EQ(trace["schedule"]["programs"], trace["grid"][0].get<int>() * trace["grid"][1].get<int>());
}

TEST_F(CommandLine, TraceSaysWhatIsNotThere) {
  const Finished launch = tilec({"trace", example("main.py"), "--launch", "7"});
  EXPECT_EQ(launch.status, 2);
  EXPECT_THAT(launch.err, HasSubstr("there is no launch 7; the script makes 1"));
  const Finished program = tilec({"trace", example("main.py"), "--launch", "0", "--program", "1823"});
  EXPECT_EQ(program.status, 2);
  EXPECT_THAT(program.err, HasSubstr("the launch has no program 1823"));
  EXPECT_THAT(tilec({"trace", example("main.py"), "--launch", "0"}).out, HasSubstr("45575 requests, 217846 sectors"));
}

} // namespace
