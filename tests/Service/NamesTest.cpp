// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Names.h"

#include "compiler/Syntax/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilescope;
using namespace tilescope::service;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;
using ::testing::Not;

namespace {

std::shared_ptr<const syntax::Module> parse(std::string text) {
  Diagnostics ignored;
  return syntax::parse(std::make_shared<SourceFile>("t.py", std::move(text)), ignored);
}

std::vector<std::string> namesAt(const std::string &text, std::string_view mark) {
  std::vector<std::string> names;
  for (const DefinedName &name : service::namesAt(*parse(text), static_cast<uint32_t>(text.find(mark))))
    names.push_back(name.name);
  return names;
}

TEST(Names, ImportsStandForFullNames) {
  auto names = importedNames(*parse("import torch\nimport triton.language as tl\nimport os.path\n"
                                    "from torch import nn, float16 as half\ndef f():\n  import triton\n"));
  EXPECT_EQ(fullName(names, "tl.load"), "triton.language.load");
  EXPECT_EQ(fullName(names, "torch.nn.functional.gelu"), "torch.nn.functional.gelu");
  EXPECT_EQ(fullName(names, "nn.functional"), "torch.nn.functional");
  EXPECT_EQ(fullName(names, "half"), "torch.float16");
  EXPECT_EQ(fullName(names, "os.path"), "os.path");
  EXPECT_EQ(fullName(names, "triton"), "triton");
  EXPECT_EQ(fullName(names, "x.load"), std::nullopt);
}

TEST(Names, InnerOnesFirstAndOnlyThoseInReach) {
  const std::string text = "import torch\n"
                           "def other(hidden):\n    secret = 1\n"
                           "def outer(a, *rest, b=1, **more):\n"
                           "    for i, (j, k) in []:\n        with f() as w:\n            total += HERE\n"
                           "x, [y, *z] = 1, (2, 3)\nclass C: pass\n";
  const std::vector<std::string> names = namesAt(text, "HERE");
  EXPECT_THAT(names, ElementsAre("a", "b", "rest", "more", "i", "j", "k", "w", "total", "torch", "other",
                                 "outer", "x", "y", "z", "C"));
  EXPECT_THAT(namesAt(text, "x, ["), Not(Contains("total")));
}

TEST(Names, TextThatDoesNotParse) {
  EXPECT_THAT(namesAt("def f(alpha):\n    beta = 1\n    gamma = tl.load(HERE\n\ndef g(): pass\n", "HERE"),
              IsSupersetOf({"alpha", "beta", "f", "g"}));
}

TEST(Names, ALongChainOfElifIsNoTower) {
  std::string text = "if a:\n  x0 = 1\n";
  for (int i = 1; i < 2000; ++i)
    text += "elif a:\n  x" + std::to_string(i) + " = 1\n";
  EXPECT_GE(namesAt(text + "END = 1\n", "END").size(), 1u);
}

TEST(Names, TheDottedNameUnderAPlace) {
  const std::string text = "y = tl.load(x变.量)";
  EXPECT_EQ(dottedNameAt(text, 5)->text, "tl");
  EXPECT_EQ(dottedNameAt(text, 8)->text, "tl.load");
  EXPECT_EQ(dottedNameAt(text, 8)->range, (SourceRange{7, 11}));
  EXPECT_EQ(dottedNameAt(text, 13)->text, "x变");
  EXPECT_EQ(dottedNameAt(text, 18)->text, "x变.量");
  EXPECT_EQ(dottedNameAt(text, 3), std::nullopt);
  EXPECT_EQ(dottedNameAt("", 0), std::nullopt);
}

} // namespace
