// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports of files below the script's folder.
#include "tests/Host/EvaluatorTesting.h"

#include <gtest/gtest.h>

namespace tilescope::host {
namespace {

ScriptRun withFiles(const std::string &script, std::map<std::string, std::string> files) {
  ScriptOptions options;
  for (auto &[path, text] : files)
    options.files["/scripts/" + path] = text;
  return runScript(script, options);
}

TEST(Modules, DotsBeyondTheScriptsFolderAreRefused) {
  auto run =
      withFiles("from pkg.inner import x", {{"pkg/inner.py", "from ...up import x\n"}, {"up.py", "x = 1\n"}});
  EXPECT_EQ(run.error(), "import-outside(up)");
}

TEST(Modules, StarsBringWhatHasNoUnderscore) {
  auto run = withFiles("from a import *\nprint(x)\nprint(_y)", {{"a.py", "x = 1\n_y = 2\n"}});
  EXPECT_EQ(run.output, "1\n");
  EXPECT_EQ(run.error(), "undefined-name(_y)");
}

TEST(Modules, RunOnceAndKeepTheirOwnNames) {
  auto run = withFiles(
      "import helpers\nimport helpers as h\nfrom helpers import double\nimport plain.leaf\nLIMIT = 0\n"
      "print(helpers.double(2), h is helpers, double(3), plain.leaf.x)\n",
      {{"helpers.py", "print('once', __name__)\nLIMIT = 9\ndef double(x):\n    return x * 2 + LIMIT\n"},
       {"plain/leaf.py", "x = 1\n"}});
  EXPECT_EQ(run.error(), "");
  EXPECT_EQ(run.output, "once helpers\n13 True 15 1\n");
}

TEST(Modules, PackagesAndRelativeImports) {
  auto run =
      withFiles("from pkg import value\nfrom pkg.inner import name as n\nimport pkg.inner\nprint(value, n, "
                "pkg.inner.name)\n",
                {{"pkg/__init__.py", "from .inner import name\nfrom . import inner\nvalue = name + '!'\n"},
                 {"pkg/inner.py", "from .deep.leaf import L\nname = f'inner {L}'\n"},
                 {"pkg/deep/__init__.py", ""},
                 {"pkg/deep/leaf.py", "from ..side import S\nL = S + 1\n"},
                 {"pkg/side.py", "S = 1\n"}});
  EXPECT_EQ(run.error(), "");
  EXPECT_EQ(run.output, "inner 2! inner 2 inner 2\n");
}

TEST(Modules, CyclesEnd) {
  auto run = withFiles("import a\nprint(a.x, a.b.y)",
                       {{"a.py", "import b\nx = 1\n"}, {"b.py", "import a\ny = 2\n"}});
  EXPECT_EQ(run.output, "1 2\n");
  run = withFiles("import a", {{"a.py", "from b import y\nx = 1\n"}, {"b.py", "from a import x\ny = 2\n"}});
  EXPECT_EQ(run.error(), "import-cycle(a, x)");
}

TEST(Modules, ErrorsStandInTheirFile) {
  auto run = withFiles("import a\n", {{"a.py", "x = 1 / 0\n"}});
  ASSERT_EQ(run.diagnostics.size(), 1u);
  EXPECT_EQ(run.diagnostics[0].span.file->path(), "/scripts/a.py");
  ASSERT_EQ(run.diagnostics[0].notes.size(), 1u);
  EXPECT_EQ(run.diagnostics[0].notes[0].id, "imported-here");
  EXPECT_EQ(run.diagnostics[0].notes[0].span.file->path(), "/scripts/main.py");
}

TEST(Modules, MistakesOfSyntaxAreReportedThere) {
  auto run = withFiles("print('before')\nimport a\nprint('after')", {{"a.py", "x = = 1\n"}});
  EXPECT_EQ(run.output, "before\n");
  EXPECT_EQ(run.outcome, Outcome::Failed);
  ASSERT_FALSE(run.diagnostics.empty());
  EXPECT_EQ(run.diagnostics[0].span.file->path(), "/scripts/a.py");
}

TEST(Modules, MissingNamesAreSuggested) {
  auto run = withFiles("from a import helpr", {{"a.py", "helper = 1\n"}});
  EXPECT_EQ(run.error(), "no-name-in-module(a, helpr)");
  ASSERT_TRUE(run.diagnostics[0].fix);
  EXPECT_EQ(run.diagnostics[0].fix->replacement, "helper");
  EXPECT_EQ(withFiles("from . import a", {}).error(), "no-name-in-module(, a)");
  EXPECT_EQ(withFiles("from .a import b", {}).error(), "import-not-found(a)");
}

TEST(Modules, KernelsOfOtherFilesAreLaunched) {
  auto run = withFiles("from kernels import k\nk[(3,)](1)\n",
                       {{"kernels.py", "import triton\n@triton.jit\ndef k(x):\n    pass\n"}});
  ASSERT_EQ(run.launches.size(), 1u);
  EXPECT_EQ(run.launches[0].kernel, "k");
}

TEST(Modules, TorchAndTritonAreNeverFiles) {
  auto run =
      withFiles("import torch\nprint(torch.float32)", {{"torch.py", "raise ValueError('not this one')\n"}});
  EXPECT_EQ(run.output, "torch.float32\n");
}

} // namespace
} // namespace tilescope::host
