// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts that nobody should write: mutated, cut off, and nested without end. Nothing may crash, hang or
// overflow the stack, and TreeCheck must hold.
#include "tests/Syntax/TreeCheck.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace tilescope::syntax {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> snippets() {
  std::vector<std::string> texts;
  for (auto &entry : fs::directory_iterator(fs::path(TILESCOPE_SOURCE_DIR) / "tests/Syntax/data")) {
    if (entry.path().extension() != ".py")
      continue;
    std::ifstream file(entry.path(), std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

/// Changes a text a little: bytes deleted, repeated, swapped, or tokens that matter put in.
class Mutator {
public:
  explicit Mutator(uint32_t seed) : m_random(seed) {}

  std::string mutate(std::string text) {
    for (uint32_t i = 0, count = 1 + below(4); i < count; ++i)
      step(text);
    return text;
  }

  std::string window(const std::string &text) {
    size_t begin = below(text.size());
    return text.substr(begin, 1 + below(400));
  }

  size_t below(size_t limit) { return limit ? m_random() % limit : 0; }

private:
  void step(std::string &text) {
    static const std::vector<std::string> Tokens = {
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
        ",",
        "\"",
        "'",
        "\"\"\"",
        "f\"",
        "f'''{",
        "\\",
        "\n",
        "\r",
        "\t",
        "    ",
        "\0\x80",
        "=",
        ":=",
        "*",
        "**",
        "->",
        "@",
        "if ",
        "else ",
        "elif ",
        "for ",
        "in ",
        "lambda ",
        "match x:\n",
        "case ",
        "def ",
        "class ",
        "async ",
        "type X",
        "é",
        "（",
        "0x",
        "1_",
        "1e",
        "...",
        "!",
        "!r",
        "\\N{",
        "\xEF\xBB\xBF",
        "not ",
        "await ",
        "yield ",
        "# ",
    };
    size_t at = below(text.size() + 1);
    switch (below(4)) {
    case 0:
      text.insert(at, Tokens[below(Tokens.size())]);
      break;
    case 1:
      text.erase(at, 1 + below(8));
      break;
    case 2:
      text.insert(at, text.substr(below(text.size() + 1), below(40)));
      break;
    default:
      text.resize(at);
      break;
    }
  }

  std::mt19937 m_random;
};

TEST(Robustness, MutatedText) {
  std::vector<std::string> texts = snippets();
  ASSERT_FALSE(texts.empty());
  Mutator mutator(20240501);
  for (int round = 0; round < 12000; ++round) {
    std::string text = mutator.mutate(mutator.window(texts[round % texts.size()]));
    ASSERT_EQ(TreeCheck::of(text), "") << "round " << round << " of:\n" << text;
  }
}

TEST(Robustness, TextCutOffAnywhere) {
  for (const std::string &text : snippets())
    for (size_t length = 0; length < std::min<size_t>(text.size(), 1500); ++length)
      ASSERT_EQ(TreeCheck::of(text.substr(0, length)), "") << "cut to " << length << " of:\n" << text;
}

TEST(Robustness, EveryPairOfBytes) {
  for (int first = 0; first < 256; ++first)
    for (int second = 0; second < 256; ++second) {
      std::string text{static_cast<char>(first), static_cast<char>(second)};
      ASSERT_EQ(TreeCheck::of(text), "") << first << " " << second;
    }
}

std::string repeated(std::string_view text, size_t bytes) {
  std::string result;
  while (result.size() < bytes)
    result += text;
  return result;
}

struct Endless {
  const char *before;
  const char *repeated;
  const char *after;
  const char *id; ///< of an error that must be among those reported; null where there need be none
};

class EndlessText : public testing::TestWithParam<Endless> {};

TEST_P(EndlessText, IsReadWithoutOverflow) {
  const Endless &endless = GetParam();
  std::string text = endless.before + repeated(endless.repeated, 1000000) + endless.after;
  Diagnostics diagnostics;
  EXPECT_EQ(TreeCheck::of(text, diagnostics), "");
  if (!endless.id)
    return;
  auto isWanted = [&](const Diagnostic &diagnostic) { return diagnostic.id == endless.id; };
  EXPECT_TRUE(std::any_of(diagnostics.all().begin(), diagnostics.all().end(), isWanted)) << endless.repeated;
}

INSTANTIATE_TEST_SUITE_P(
    Robustness, EndlessText,
    testing::Values(
        Endless{"", "(", "", "too-many-brackets"}, Endless{"", "[", "", "too-many-brackets"},
        Endless{"", "{", "", "too-many-brackets"}, Endless{"", "a(", "", "too-many-brackets"},
        Endless{"", "(\n", "", "too-many-brackets"}, Endless{"", "a[b(c{", "", "too-many-brackets"},
        Endless{"", ")", "", "too-many-syntax-errors"}, Endless{"", "-", "1", "too-deeply-nested"},
        Endless{"x = ", "not ", "y", "too-deeply-nested"}, Endless{"", "lambda: ", "1", "too-deeply-nested"},
        Endless{"", "a if b else ", "c", "too-deeply-nested"}, Endless{"", "a**", "a", "too-deeply-nested"},
        Endless{"x", "+x", "", "expression-too-long"}, Endless{"x", ".a", "", "expression-too-long"},
        Endless{"f", "()", "", "expression-too-long"}, Endless{"x", "[0]", "", "expression-too-long"},
        Endless{"x", "<x", "", nullptr}, Endless{"x", " and x", "", nullptr}, Endless{"x", ",x", "", nullptr},
        Endless{"x", "=x", "", nullptr}, Endless{"", "'a' ", "", nullptr},
        Endless{"", "f'{x}' ", "", nullptr}, Endless{"", "f'{", "", "too-many-brackets"},
        Endless{"", "f\"{f'{", "", "too-many-brackets"}, Endless{"f'{x", ":{x", "", "too-many-brackets"},
        Endless{"", "match ", "x:\n", nullptr},
        Endless{"if x: pass\n", "elif x: pass\n", "", "too-many-elif"},
        Endless{"", "else: x\n", "", "stray-clause"}, Endless{"", "if x: ", "", "block-on-header-line"},
        Endless{"", "@a\n", "def f(): pass", nullptr}, Endless{"", "with (", "", "too-many-brackets"},
        Endless{"", "with (a): pass\n", "", nullptr},
        Endless{"match x:\n case ", "(", "", "too-many-brackets"}, Endless{"", "\\\n", "", nullptr},
        Endless{"match x:\n case ", "a|", "a: pass", nullptr}, Endless{"", "\"", "", nullptr},
        Endless{"match x:\n case a", ".a", ": pass", "expression-too-long"}, Endless{"", "x;", "", nullptr},
        Endless{"", "match;", "", nullptr}, Endless{"", "fo(1);", "", nullptr},
        Endless{"", "\n", "", nullptr}, Endless{"", "x = (\n", "", nullptr},
        Endless{"", "f(x\n", "", nullptr}, Endless{"", "\xFF", "", "invalid-utf8"},
        Endless{"", "\xF0\x9F\x98\x80", "", "invalid-character"}, Endless{"", "await ", "x", nullptr},
        Endless{"x: ", "x: ", "", nullptr}, Endless{"def f(", "a, ", "): pass", nullptr},
        Endless{"[x ", "for x in y ", "]", nullptr}, Endless{"", "$", "", "too-many-syntax-errors"}));

/// Deeper and deeper blocks, each one space further in.
TEST(Robustness, EndlessIndentation) {
  std::string text;
  for (int depth = 0; depth < 2000; ++depth)
    text += std::string(depth, ' ') + "if x:\n";
  Diagnostics diagnostics;
  EXPECT_EQ(TreeCheck::of(text, diagnostics), "");
  EXPECT_EQ(diagnostics.all()[0].id, "too-many-indents");
}

TEST(Robustness, NestingThatPythonAllows) {
  std::string brackets = std::string(200, '(') + "x" + std::string(200, ')');
  std::string blocks;
  for (int depth = 0; depth < 99; ++depth)
    blocks += std::string(depth, ' ') + "if x:\n";
  blocks += std::string(99, ' ') + "pass\n";
  std::string sum = "x = 0" + repeated(" + 1", 3600);
  for (const std::string &text : {brackets, blocks, sum}) {
    Diagnostics diagnostics;
    parse(std::make_shared<SourceFile>("deep.py", text), diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << text.substr(0, 100);
  }
}

} // namespace
} // namespace tilescope::syntax
