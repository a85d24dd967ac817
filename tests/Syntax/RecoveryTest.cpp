// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes as people make them: each is named once, at its exact place, with a fix where one is certain, and
// what comes after it is read as if nothing had happened.
#include "compiler/Syntax/Parser.h"
#include "tests/Syntax/Trees.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tilescope::syntax {
namespace {

struct Found {
  std::string id;
  std::string text; ///< under the range; "|" and the character before it for a point
  friend bool operator==(const Found &, const Found &) = default;
  friend std::ostream &operator<<(std::ostream &out, const Found &found) {
    return out << found.id << " at `" << found.text << "`";
  }
};

struct Mistake {
  std::string source;
  std::vector<Found> found;
  std::string fixed = {}; ///< the source after the first diagnostic's fix; empty where it has none
};

std::string textUnder(const SourceFile &file, SourceRange range) {
  if (range.size())
    return std::string(file.text(range));
  return (range.begin ? std::string(file.text({range.begin - 1, range.begin})) : std::string()) + "|";
}

std::string applyFix(std::string source, const DiagnosticFix &fix) {
  return source.replace(fix.range.begin, fix.range.size(), fix.replacement);
}

/// Whether the words of a diagnostic, its notes and its fix are in the catalogue.
bool hasWords(const Diagnostic &diagnostic) {
  static const std::string catalogue =
      readFile(std::string(TILESCOPE_SOURCE_DIR) + "/translations/diagnostics-syntax.json");
  auto has = [&](const std::string &key) { return catalogue.find('"' + key + '"') != std::string::npos; };
  bool hasNotes = std::all_of(diagnostic.notes.begin(), diagnostic.notes.end(),
                              [&](const DiagnosticNote &note) { return has("note." + note.id); });
  return has("diagnostic." + diagnostic.id) && hasNotes &&
         (!diagnostic.fix || has("fix." + diagnostic.fix->id));
}

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreNamedAndPassedOver) {
  const Mistake &mistake = GetParam();
  const std::string source = mistake.source + "\nafter = 1\n";
  auto file = std::make_shared<SourceFile>("test.py", source);
  Diagnostics diagnostics;
  auto module = parse(file, diagnostics);
  std::vector<Found> found;
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    found.push_back({diagnostic.id, textUnder(*file, diagnostic.span.range)});
    EXPECT_TRUE(hasWords(diagnostic)) << diagnostic.id << " has no words";
  }
  EXPECT_EQ(found, mistake.found) << source;
  ASSERT_FALSE(diagnostics.empty());
  std::optional<DiagnosticFix> fix = diagnostics.all()[0].fix;
  EXPECT_EQ(fix ? applyFix(source, *fix) : "", mistake.fixed.empty() ? "" : mistake.fixed + "\nafter = 1\n");
  ASSERT_FALSE(module->body.empty());
  auto *last = dynCast<Assign>(module->body.back());
  ASSERT_TRUE(last) << "the statement after the mistake is lost:\n" << source;
  EXPECT_EQ(cast<Name>(last->targets[0]).id, "after");
}

using M = Mistake;

INSTANTIATE_TEST_SUITE_P(
    Brackets, Mistakes,
    testing::Values(
        M{"x = f(1, 2", {{"unclosed-bracket", "("}}, "x = f(1, 2)"},
        M{"x = f(\n    1,\n    2", {{"unclosed-bracket", "("}}, "x = f(\n    1,\n    2)"},
        M{"x = [f(1, 2]", {{"mismatched-bracket", "]"}}, "x = [f(1, 2)"},
        M{"def f():\n    x = (1, [2\n    y = 1",
          {{"unclosed-bracket", "["}},
          "def f():\n    x = (1, [2]\n    y = 1"},
        M{"x = (1,\ndef f():\n    pass", {{"unclosed-bracket", "("}}, "x = (1,)\ndef f():\n    pass"},
        M{"x = [1\ny = {2\nz = (3",
          {{"unclosed-bracket", "["}, {"unclosed-bracket", "{"}, {"unclosed-bracket", "("}},
          "x = [1]\ny = {2\nz = (3"},
        M{"x = 1)", {{"unmatched-bracket", ")"}}},
        M{"x = (1, 2]", {{"mismatched-bracket", "]"}}, "x = (1, 2)"},
        M{"f(a b)", {{"missing-comma", "a|"}}, "f(a, b)"}, M{"x = [1, 2,, 3]", {{"missing-expression", ","}}},
        M{"x = a[]", {{"empty-subscript", "[]"}}}, M{"x = {1: 2, 3}", {{"missing-dict-value", "3"}}},
        M{"x = {1:}", {{"missing-dict-value", "1"}}}, M{"x = (*a)", {{"starred-alone", "*a"}}},
        M{"x = [*a for a in b]", {{"unpacking-in-comprehension", "*a"}}},
        M{"x = {**a for a in b}", {{"unpacking-in-comprehension", "a"}}}));

INSTANTIATE_TEST_SUITE_P(
    Headers, Mistakes,
    testing::Values(
        M{"if x\n    y", {{"missing-colon", "x|"}}, "if x:\n    y"},
        M{"while True print(x)", {{"missing-colon", "e|"}}, "while True: print(x)"},
        M{"def f(a, b)\n    return a", {{"missing-colon", ")|"}}, "def f(a, b):\n    return a"},
        M{"class A\n    pass", {{"missing-colon", "A|"}}, "class A:\n    pass"},
        M{"else_ = 1\nif x:\n    y\nelse\n    z",
          {{"missing-colon", "e|"}},
          "else_ = 1\nif x:\n    y\nelse:\n    z"},
        M{"if x = 3:\n    y", {{"assignment-in-expression", "="}}, "if x == 3:\n    y"},
        M{"if x = 3: y", {{"assignment-in-expression", "="}}, "if x == 3: y"},
        M{"def f:\n    pass", {{"missing-parameters", "f|"}}, "def f():\n    pass"},
        M{"def (x):\n    pass", {{"missing-name", "("}}},
        M{"def if():\n    pass", {{"keyword-as-name", "if"}}},
        M{"if x:\n    y\nelse if z:\n    y", {{"else-if", "else if"}}, "if x:\n    y\nelif z:\n    y"},
        M{"for x y:\n    pass", {{"missing-in", "x|"}}, "for x in y:\n    pass"},
        M{"for x ni y:\n    pass", {{"misspelt-keyword", "ni"}}, "for x in y:\n    pass"},
        M{"for x", {{"missing-in", "x|"}}}, M{"for 1 in x: pass", {{"assign-to-literal", "1"}}},
        M{"if x: if y: z", {{"block-on-header-line", "if"}}}, M{"else:\n    x", {{"stray-clause", "else"}}},
        M{"try:\n    x\ny", {{"try-without-except", "try"}}}, M{"async x", {{"async-alone", "async"}}},
        M{"@a\nx = 1", {{"decorator-alone", "@a"}}},
        M{"try: x\nexcept A, B: y", {{"except-needs-parentheses", "A, B"}}, "try: x\nexcept (A, B): y"},
        M{"try: x\nexcept A: y\nexcept* B: z", {{"mixed-except-star", "except*"}}},
        M{"with a as 1: pass", {{"assign-to-literal", "1"}}},
        M{"match x:\n    y = 1\n    case 1: pass", {{"expected-case", "y"}}},
        M{"match x:\n    case 1 + 2: pass", {{"pattern-not-literal", "1 + 2"}}},
        M{"match x:\n    case {y: 1}: pass", {{"pattern-key-name", "y"}}},
        M{"match x:\n    case 1 as _: pass", {{"pattern-name-underscore", "_"}}}));

INSTANTIATE_TEST_SUITE_P(
    Lines, Mistakes,
    testing::Values(
        M{"x = 1\n    y = 2", {{"unexpected-indent", "    "}}, "x = 1\ny = 2"},
        M{"if x:\ny = 1", {{"missing-block", "y"}}},
        M{"def f():\n    # nothing", {{"missing-block", "after"}}},
        M{"if x:\n        a\n    b", {{"inconsistent-dedent", "    "}}},
        M{"if x:\n\ta\n        b", {{"inconsistent-tabs", "        "}}},
        M{"x = 1 \\ 2", {{"stray-backslash", "\\"}}}, M{"x = 1 +", {{"missing-expression", "+"}}},
        M{"x = ", {{"missing-expression", "="}}}, M{"x = 1 if y", {{"conditional-without-else", "1 if y"}}},
        M{"x = a b", {{"unexpected-token", "b"}}},
        M{"x = a adn b", {{"misspelt-keyword", "adn"}}, "x = a and b"},
        M{"x = if", {{"keyword-in-expression", "if"}}}, M{"x.", {{"missing-attribute", "."}}},
        M{"x.y.", {{"missing-attribute", "."}}}, M{"x.class", {{"keyword-as-name", "class"}}},
        M{"x := 3", {{"walrus-needs-parentheses", ":="}}}, M{"(x.y := 3)", {{"walrus-target", "x.y"}}},
        M{"whlie x:\n    y", {{"misspelt-keyword", "whlie"}}, "while x:\n    y"},
        M{"retrun x", {{"misspelt-keyword", "retrun"}}, "return x"},
        M{"improt os", {{"misspelt-keyword", "improt"}}, "import os"},
        M{"dfe f(x):\n    y", {{"misspelt-keyword", "dfe"}}, "def f(x):\n    y"},
        M{"if x:\n    y\nesle:\n    z", {{"misspelt-keyword", "esle"}}, "if x:\n    y\nelse:\n    z"},
        M{"if x:\n    y\nelseif z:\n    y", {{"misspelt-keyword", "elseif"}}, "if x:\n    y\nelif z:\n    y"},
        M{"throw E()", {{"misspelt-keyword", "throw"}}, "raise E()"},
        M{"// text", {{"foreign-comment", "//"}}, "# text"},
        M{"print \"x\"", {{"print-needs-parentheses", "print"}}, "print(\"x\")"},
        M{"print x, y", {{"print-needs-parentheses", "print"}}, "print(x, y)"},
        M{"break", {{"break-outside-loop", "break"}}}, M{"return 1", {{"return-outside-function", "return"}}},
        M{"continue", {{"continue-outside-loop", "continue"}}},
        M{"import", {{"missing-name-after", "import"}}}, M{"from x", {{"missing-import", "x|"}}},
        M{"from x import a,", {{"trailing-comma-in-import", ","}}},
        M{"import a from b", {{"import-before-from", "import a from"}}},
        M{"x = 5 && y", {{"foreign-operator", "&&"}}, "x = 5 and y"},
        M{"x = a || b", {{"foreign-operator", "||"}}, "x = a or b"},
        M{"x = !a", {{"foreign-operator", "!"}}, "x = not a"},
        M{"x++", {{"foreign-operator", "++"}}, "x += 1"}, M{"a <> b", {{"old-not-equal", "<>"}}, "a != b"},
        M{"*a", {{"starred-alone", "*a"}}}, M{"x = *a", {{"starred-alone", "*a"}}}));

INSTANTIATE_TEST_SUITE_P(Assignments, Mistakes,
                         testing::Values(M{"1 = x", {{"assign-to-literal", "1"}}},
                                         M{"f() = x", {{"assign-to-call", "f()"}}},
                                         M{"a + b = x", {{"assign-to-expression", "a + b"}}},
                                         M{"None = x", {{"assign-to-keyword", "None"}}},
                                         M{"a < b = x", {{"assign-to-comparison", "a < b"}}},
                                         M{"(a, 1) = x", {{"assign-to-literal", "1"}}},
                                         M{"(a, b): int", {{"annotated-several", "(a, b)"}}},
                                         M{"a, b += 1", {{"augmented-several", "a, b"}}},
                                         M{"del f()", {{"cannot-delete", "f()"}}}));

INSTANTIATE_TEST_SUITE_P(
    Calls, Mistakes,
    testing::Values(
        M{"f(a=1, 2)", {{"positional-after-keyword", "2"}}},
        M{"f(**a, 2)", {{"positional-after-double-star", "2"}}},
        M{"f(**a, *b)", {{"unpacking-after-double-star", "*b"}}},
        M{"f(a.b=1)", {{"assignment-in-expression", "="}}, "f(a.b==1)"},
        M{"f(x for x in y, 1)", {{"generator-needs-parentheses", "x for x in y"}}, "f((x for x in y), 1)"},
        M{"def f(a=1, b): pass", {{"parameter-without-default", "b"}}},
        M{"def f(*): pass", {{"star-without-parameters", "*"}}},
        M{"def f(*a, *b): pass", {{"repeated-star-parameter", "*"}}},
        M{"def f(a, /, b, /): pass", {{"misplaced-slash", "/"}}},
        M{"def f(**k, a): pass", {{"parameter-after-double-star", "a"}}},
        M{"def f((a, b)): pass", {{"parameter-in-parentheses", "("}}},
        M{"def f(a b): pass", {{"missing-comma", "a|"}}, "def f(a, b): pass"},
        M{"def f(*a=1): pass", {{"star-parameter-default", "="}}},
        M{"def f[*T: int](): pass", {{"bound-on-star-parameter", ": int"}}}));

INSTANTIATE_TEST_SUITE_P(
    Literals, Mistakes,
    testing::Values(
        M{"x = \"abc", {{"unterminated-string", "\"abc"}}, "x = \"abc\""},
        M{"f('abc)", {{"unterminated-string", "'abc)"}}, "f('abc)'"},
        M{"x = f\"a{b\"", {{"fstring-unclosed-field", "{b"}}, "x = f\"a{b}\""},
        M{"x = f\"a{b", {{"fstring-unclosed-field", "{b"}}}, M{"x = f'{}'", {{"fstring-empty-field", "{}"}}},
        M{"x = f'a}b'", {{"fstring-single-brace", "}"}}, "x = f'a}}b'"},
        M{"x = f'{1:{2:{3:{4}}}}'", {{"fstring-nested-format", "{"}}},
        M{"x = f'{y!z}'", {{"fstring-conversion", "!z"}}}, M{"x = f'{a b}'", {{"unexpected-token", "b"}}},
        M{"x = 'a' b'b'", {{"mixed-bytes", "'a' b'b'"}}}, M{"x = b'é'", {{"bytes-not-ascii", "é"}}},
        M{"x = '\\x1'", {{"invalid-escape", "\\x1"}}}, M{"x = '\\u12'", {{"invalid-escape", "\\u12"}}},
        M{"x = '\\N{'", {{"invalid-escape", "\\N"}}},
        M{"x = '\\d'", {{"unknown-escape", "\\d"}}, "x = '\\\\d'"},
        M{"x = '\\777'", {{"octal-escape-too-large", "\\777"}}}, M{"x = 0x", {{"invalid-number", "0x"}}},
        M{"x = 012", {{"leading-zeros", "012"}}, "x = 12"}, M{"x = 1_", {{"invalid-number", "1_"}}},
        M{"x = 1abc", {{"invalid-number", "1abc"}}}, M{"x = 0b12", {{"invalid-number", "0b12"}}},
        M{"x = 1__0", {{"invalid-number", "1__0"}}}, M{"x = 5 $ 3", {{"invalid-character", "$"}}},
        M{"x = a ？ b", {{"lookalike-character", "？"}}, "x = a ? b"},
        M{"print（x）", {{"lookalike-character", "（"}, {"lookalike-character", "）"}}, "print(x）"},
        M{"# \xFF", {{"invalid-utf8", "\xFF"}}},
        M{std::string("x = 1 \0", 7), {{"null-byte", std::string(1, '\0')}}},
        M{"# coding: utf-16", {{"encoding-not-utf8", "utf-16"}}},
        M{"# coding: latin-1\nx = 'é'", {{"encoding-not-utf8", "latin-1"}}}));

TEST(Recovery, StringThatNeverEnds) {
  Diagnostics diagnostics;
  auto file = std::make_shared<SourceFile>("test.py", "x = 1\ny = '''abc\nz = 2\n");
  auto module = parse(file, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].id, "unterminated-triple-string");
  EXPECT_EQ(file->text(diagnostics.all()[0].span.range), "'''");
  EXPECT_EQ(module->body.size(), 2u);
}

TEST(Recovery, NotesSayWhereABracketOrBlockBegan) {
  Diagnostics diagnostics;
  auto file = std::make_shared<SourceFile>("test.py", "x = (1]\nif x:\ny = 1\n");
  parse(file, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 2u);
  ASSERT_EQ(diagnostics.all()[0].notes.size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].notes[0].id, "opened-here");
  EXPECT_EQ(file->text(diagnostics.all()[0].notes[0].span.range), "(");
  ASSERT_EQ(diagnostics.all()[1].notes.size(), 1u);
  EXPECT_EQ(diagnostics.all()[1].notes[0].id, "block-of");
  EXPECT_EQ(file->text(diagnostics.all()[1].notes[0].span.range), "if");
}

TEST(Recovery, ConsequencesOfAMistakeAreNotReported) {
  const char *sources[] = {
      "def f(a,\n    x = 1\n    return x\n",
      "class = 3:\n    x = 1\n",
      "fro x in y:\n    if x:\n        continue\n    else:\n        break\n",
      "if x ==:\n    y\nelif z:\n    y\nelse:\n    y\n",
      "for x in:\n    y\nelse:\n    z\n",
      "try x:\n    y\nexcept E:\n    z\n",
      "if x:\n        y\n   else:\n        z\nw\n",
      "if x:\n        y\n    z\n    w\nv\n",
      "x = [f(1, 2,\ny = {3\n",
  };
  const size_t mistakes[] = {1, 1, 1, 1, 1, 1, 1, 1, 2};
  for (size_t i = 0; i < std::size(sources); ++i) {
    Diagnostics diagnostics;
    parse(std::make_shared<SourceFile>("test.py", sources[i]), diagnostics);
    std::string ids;
    for (const Diagnostic &diagnostic : diagnostics.all())
      ids += diagnostic.id + " ";
    EXPECT_EQ(diagnostics.all().size(), mistakes[i]) << ids << "in\n" << sources[i];
  }
}

TEST(Recovery, SeveralMistakesComeInOrder) {
  Diagnostics diagnostics;
  parse(std::make_shared<SourceFile>("test.py", "x = 1 +\nif y\n    z = (\n1 = 2\nw = 'a\nv = 3\n"),
        diagnostics);
  std::vector<std::string> ids;
  for (const Diagnostic &diagnostic : diagnostics.all())
    ids.push_back(diagnostic.id);
  std::vector<std::string> expected{"missing-expression", "missing-colon", "unclosed-bracket",
                                    "assign-to-literal", "unterminated-string"};
  EXPECT_EQ(ids, expected);
}

TEST(Recovery, WhatCannotBeReadStandsInTheTree) {
  Diagnostics diagnostics;
  auto module = parse(std::make_shared<SourceFile>("test.py", "x = 1 +\ny = a b\n"), diagnostics);
  ASSERT_EQ(module->body.size(), 3u);
  EXPECT_EQ(cast<BinOp>(cast<Assign>(module->body[0]).value).right->kind, ExprKind::Error);
  EXPECT_EQ(module->body[2]->kind, StmtKind::Error);
  EXPECT_EQ(module->span(module->body[2]->range).range, (SourceRange{14, 15}));
}

TEST(Recovery, StopsCountingMistakes) {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += "1 = x\n";
  Diagnostics diagnostics;
  parse(std::make_shared<SourceFile>("test.py", text), diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 101u);
  EXPECT_EQ(diagnostics.all()[100].id, "too-many-syntax-errors");
}

} // namespace
} // namespace tilescope::syntax
