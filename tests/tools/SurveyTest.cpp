// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilec check --kernels`: what counts as a kernel, what a folder's host code may be like, what is reported.
#include "tests/Service/Client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <sys/wait.h>
#include <unistd.h>

using namespace tilescope::testing;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

constexpr const char *Imports = "import triton\nimport triton.language as tl\n";
constexpr const char *Copy = "@triton.jit\ndef copy(x_ptr, y_ptr, n, BLOCK: tl.constexpr):\n"
                             "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                             "    tl.store(y_ptr + at, tl.load(x_ptr + at, mask=at < n), mask=at < n)\n";

class Survey : public ::testing::Test {
protected:
  Survey() : folder(fs::temp_directory_path() / ("tilec survey " + std::to_string(getpid()))) {
    fs::create_directories(folder / "in");
  }
  ~Survey() override { fs::remove_all(folder); }

  void write(const std::string &name, const std::string &text) {
    const fs::path path = folder / "in" / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  void writeWithImports(const std::string &name, const std::string &text) { write(name, Imports + text); }

  /// The report; `status` and `output` are the command's.
  json survey(std::vector<std::string> more = {}) {
    const std::string report = (folder / "report.json").string(), out = (folder / "out").string();
    fs::remove(report);
    std::vector<std::string> arguments = {
        tilecPath(), "--lang", "en", "check", "--kernels", (folder / "in").string(), "--json", report};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::string command;
    for (const std::string &argument : arguments)
      command += "'" + argument + "' ";
    status = WEXITSTATUS(std::system((command + "> '" + out + "' 2>&1").c_str()));
    output = readFile(out);
    return fs::exists(report) ? json::parse(readFile(report), nullptr, false) : json();
  }

  static std::vector<std::string> names(const json &functions) {
    std::vector<std::string> result;
    for (const json &function : functions)
      result.push_back(function["kernel"]);
    return result;
  }
  /// "name" of the kernels that compile, "name: reason" of the others.
  static std::vector<std::string> results(const json &report) {
    std::vector<std::string> result;
    for (const json &kernel : report["kernels"])
      result.push_back(kernel["kernel"].get<std::string>() +
                       (kernel.contains("reason") ? ": " + kernel["reason"]["id"].get<std::string>() : ""));
    return result;
  }

  const fs::path folder;
  int status = -1;
  std::string output;
};

TEST_F(Survey, SaysHowFarEachKernelComes) {
  writeWithImports("good.py", Copy);
  writeWithImports("sub/bad.py", "@triton.jit\ndef bad(x_ptr):\n    tl.store(x_ptr, missing)\n");
  const json report = survey();
  EXPECT_EQ(status, 1);
  EXPECT_EQ(report["summary"], json({{"files", 2}, {"kernels", 2}, {"compiled", 1}, {"helpers", 0}}));
  EXPECT_THAT(results(report), ElementsAre("copy", "bad: undefined-name"));
  const json reason = report["kernels"][1]["reason"];
  EXPECT_EQ(reason["file"], "sub/bad.py");
  EXPECT_EQ(reason["line"], 5);
  EXPECT_EQ(reason["column"], 21);
  EXPECT_EQ(reason["text"], "missing is not defined");
  EXPECT_EQ(report["kernels"][0]["stage"], "compiled");
  EXPECT_THAT(report["kernels"][0]["arguments"], Contains("x_ptr: *fp32:16"));
  EXPECT_THAT(output, HasSubstr("2 files, 2 kernels, 0 helpers\ncompiled: 1 of 2 (50.0%)\n"));
  EXPECT_THAT(output, HasSubstr("1  undefined-name  sub/bad.py:5:21  missing is not defined"));
}

TEST_F(Survey, HelpersAreNoKernelsUnlessLaunched) {
  writeWithImports("helpers.py", "@triton.jit\ndef twice(x):\n    return x * 2\n"
                                 "@triton.jit\ndef both(p, n):\n    tl.store(p, n)\n");
  writeWithImports("kernels.py", "from helpers import twice, both\n"
                                 "@triton.jit\ndef k(p):\n    both(p, twice(3))\n"
                                 "def run(p):\n    both[(1,)](p, 3)\n");
  const json report = survey();
  EXPECT_THAT(names(report["kernels"]), ElementsAre("both", "k"));
  EXPECT_THAT(names(report["helpers"]), ElementsAre("twice"));
  EXPECT_EQ(status, 0);
}

TEST_F(Survey, KernelsInFunctionsMethodsAndBranchesCount) {
  writeWithImports("nested.py",
                   "import pytest\nWIDTH = tl.constexpr(32)\n"
                   "@pytest.mark.parametrize('op, size', [('max', 16), ('min', 8)])\n"
                   "def test(op, size):\n"
                   "    bias = 3\n"
                   "    @triton.jit\n    def inner(p, S: tl.constexpr):\n"
                   "        tl.store(p + tl.arange(0, S), tl.arange(0, WIDTH)[:S] if False else S)\n"
                   "    inner[(1,)](p, S=size)\n"
                   "class Runner:\n    @triton.jit\n    def method(p):\n        tl.store(p, 1)\n"
                   "if False:\n    @triton.jit\n    def dead(p):\n        tl.store(p, 1)\n");
  const json report = survey();
  EXPECT_THAT(results(report), ElementsAre("test.inner", "Runner.method", "dead"));
  EXPECT_THAT(report["kernels"][0]["arguments"], Contains("S: =16"));
}

TEST_F(Survey, HostCodeKeepsNoKernelFromCompiling) {
  writeWithImports(
      "host.py",
      std::string("import nowhere\nfrom nowhere import thing, decorate\nimport torch\n"
                  "class Net(nowhere.Module):\n    pass\n"
                  "nowhere.setup(1)[2].run()\nraise_this = thing + 1 / 0\n"
                  "match raise_this:\n    case 1: pass\n"
                  "for i in nowhere.items():\n    print(i)\n"
                  "try:\n    import a\n    x = nowhere.y.z[0]()\nexcept ImportError:\n    x = None\n") +
          "@decorate\n@thing(a=1)\n" + Copy);
  EXPECT_THAT(results(survey()), ElementsAre("copy"));
}

TEST_F(Survey, GlobalsAreWorkedOut) {
  writeWithImports("globals.py",
                   "import math, os\nimport torch\n"
                   "LOG2E: tl.constexpr = math.log2(math.e)\n"
                   "WIDTH = tl.constexpr(int(os.environ.get('WIDTH', 8)) * triton.next_power_of_2(3))\n"
                   "try:\n    from triton.language.extra import libdevice\nexcept ImportError:\n"
                   "    from triton.language.math import libdevice\n"
                   "@triton.jit\ndef k(p):\n    at = tl.arange(0, WIDTH)\n"
                   "    tl.static_assert(WIDTH == 32)\n    tl.store(p + at, at * LOG2E)\n");
  EXPECT_THAT(results(survey()), ElementsAre("k"));
}

TEST_F(Survey, HelpersComeFromOtherFiles) {
  const std::string helper = "@triton.jit\ndef plus_one(x):\n    return x + 1\n";
  writeWithImports("pkg/ops/utils.py", helper);
  write("pkg/__init__.py", "raise RuntimeError('never run')\n");
  writeWithImports("pkg/ops/relative.py",
                   "from .utils import plus_one\n@triton.jit\ndef a(p):\n    tl.store(p, plus_one(1))\n");
  writeWithImports("pkg/absolute.py", "from library.pkg.ops.utils import plus_one as one\n"
                                      "@triton.jit\ndef b(p):\n    tl.store(p, one(1))\n");
  EXPECT_THAT(results(survey()), ElementsAre("b", "a"));
}

TEST_F(Survey, DecoratorsGiveConstants) {
  writeWithImports("decorated.py",
                   "def configs():\n    return [triton.Config({'BLOCK': b}, num_warps=2) for b in (32, 64)]\n"
                   "@triton.autotune(configs=configs(), key=['n'])\n"
                   "@triton.heuristics({'EVEN': lambda args: args['n'] % args['BLOCK'] == 0, 'ODD': lambda "
                   "args: nothing})\n"
                   "@triton.jit(do_not_specialize=['n'])\n"
                   "def k(p, n, BLOCK: tl.constexpr, EVEN: tl.constexpr, ODD: tl.constexpr):\n"
                   "    tl.store(p + tl.arange(0, BLOCK), n)\n");
  const json report = survey();
  EXPECT_THAT(results(report), ElementsAre("k"));
  EXPECT_EQ(report["kernels"][0]["arguments"],
            json({"p: *fp32:16", "n: int32", "BLOCK: =32", "EVEN: =True", "ODD: =False"}));
}

TEST_F(Survey, ASecondGuessIsTaken) {
  writeWithImports("second.py", "@triton.jit\ndef k(p, N: tl.constexpr):\n    tl.static_assert(N == 16)\n"
                                "    tl.store(p + tl.arange(0, N), N)\n");
  const json report = survey();
  EXPECT_THAT(results(report), ElementsAre("k"));
  EXPECT_THAT(report["kernels"][0]["arguments"], Contains("N: =16"));
}

TEST_F(Survey, SignaturesAreKeptTo) {
  writeWithImports("copy.py", Copy);
  const std::string path = (folder / "signatures.json").string();
  std::ofstream(path)
      << R"({"copy.py": {"copy": {"x_ptr": "*fp16", "n": "i64", "BLOCK": {"constexpr": 33}}}})";
  const json report = survey({"--signatures", path});
  EXPECT_THAT(results(report), ElementsAre("copy: arange-length"));
  EXPECT_EQ(report["kernels"][0]["arguments"],
            json({"x_ptr: *fp16:16", "y_ptr: *fp32:16", "n: int64", "BLOCK: =33"}));

  std::ofstream(path) << R"({"copy.py": {"copy": {"x_ptr": "fp17"}}})";
  survey({"--signatures", path});
  EXPECT_EQ(status, 2);
  EXPECT_THAT(output, HasSubstr("copy.py, copy, x_ptr: \"fp17\" is neither a type nor a constant"));
}

TEST_F(Survey, WhatCannotBeReadIsSaidAndEndsNothing) {
  write("broken.py", "def (:\n");
  write("bytes.py", std::string("x = 1\n\0", 7));
  writeWithImports("deep.py", "x = " + std::string(20'000, '(') + "1" + std::string(20'000, ')') + "\n");
  writeWithImports("endless.py", std::string("while True:\n    pass\nn = 2 ** 10 ** 10\n") + Copy);
  const json report = survey();
  EXPECT_THAT(results(report), ElementsAre("copy"));
  EXPECT_EQ(report["files"][0]["reason"]["file"], "broken.py");
  EXPECT_EQ(report["files"][1]["reason"]["id"], "file-not-text");
  EXPECT_TRUE(report["files"][2].contains("reason"));
}

TEST_F(Survey, FoldersThatAreNoneAreRefused) {
  fs::remove_all(folder / "in");
  survey();
  EXPECT_EQ(status, 2);
  EXPECT_THAT(output, HasSubstr("does not exist"));
  std::ofstream(folder / "in") << "";
  survey();
  EXPECT_THAT(output, HasSubstr("is not a folder"));
}

} // namespace
