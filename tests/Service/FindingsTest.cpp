// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scripts in findings/ are run in checking mode, those in mistakes/ are looked at without being run. What
// must be said stands on the line that it is said of:
//   … # expect[ID] VALUE; VALUE | at RANGE | note ID VALUE; VALUE | fix TEXT
// with values out of the arguments in their order, "##" between several. Nothing else may be said, and a fix
// that is offered must mend it. Threads do not show.
#include "compiler/Service/Analysis.h"
#include "compiler/Service/Session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tilescope;
using ::testing::Contains;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

namespace {

const fs::path Folder = TILESCOPE_SOURCE_DIR "/tests/Service";

std::string textOf(const fs::path &path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::string> split(const std::string &text, const std::string &separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    std::string part = text.substr(begin, end - begin);
    part.erase(0, part.find_first_not_of(" \n"));
    part.erase(part.find_last_not_of(" \n") + 1);
    parts.push_back(part);
    begin = end + separator.size();
  }
  return parts;
}

struct Words {
  std::string id;
  std::vector<std::string> values;
};

struct Expected : Words {
  uint32_t line = 0;
  std::string at; ///< the text that it is said of, if that matters
  Words note;
  std::string fix;
};

std::vector<std::string> valuesOf(const std::string &text) {
  return text.empty() ? std::vector<std::string>{} : split(text, ";");
}

/// "expect[ID] VALUES | at RANGE | note ID VALUES | fix TEXT".
Expected expectedOf(const std::string &text, uint32_t line) {
  const std::vector<std::string> parts = split(text, " | ");
  const size_t open = parts[0].find('['), close = parts[0].find(']');
  Expected expected;
  expected.line = line;
  expected.id = parts[0].substr(open + 1, close - open - 1);
  expected.values = valuesOf(split(parts[0].substr(close + 1), "\n")[0]);
  for (size_t i = 1; i < parts.size(); ++i) {
    const size_t space = parts[i].find(' ');
    const std::string word = parts[i].substr(0, space), rest = parts[i].substr(space + 1);
    if (word == "fix") {
      expected.fix = rest;
    } else if (word == "at") {
      expected.at = rest;
    } else {
      const size_t next = std::min(rest.find(' '), rest.size());
      expected.note = {rest.substr(0, next), valuesOf(split(rest.substr(next), "\n")[0])};
    }
  }
  return expected;
}

std::vector<Expected> expectedIn(const std::string &script) {
  std::vector<Expected> all;
  const std::vector<std::string> lines = split(script, "\n");
  for (uint32_t i = 0; i < lines.size(); ++i)
    if (const size_t comment = lines[i].find("# expect["); comment != std::string::npos)
      for (const std::string &one : split(lines[i].substr(comment + 2), "##"))
        all.push_back(expectedOf(one, i + 1));
  return all;
}

struct Ran {
  host::Outcome outcome;
  std::vector<Diagnostic> found;
};

Ran run(const std::string &script, unsigned threads = 0, bool checking = true) {
  service::SessionOptions options;
  options.checking = checking;
  options.threads = threads;
  const auto file = std::make_shared<SourceFile>("script.py", script);
  service::Session session(file, service::Sources("script.py", {}), std::move(options));
  const host::Outcome outcome = session.run();
  return {outcome, session.diagnostics().all()};
}

/// Without running the script.
std::vector<Diagnostic> mistakesIn(const std::string &script) {
  service::Analyser analyser;
  service::AnalysisControl control;
  control.until = std::chrono::steady_clock::time_point::max();
  const auto file = std::make_shared<SourceFile>("script.py", script);
  return analyser.analyse(file, 0, service::Sources("script.py", {}), control)->diagnostics.all();
}

uint32_t lineOf(const Diagnostic &diagnostic) {
  return diagnostic.span.file ? diagnostic.span.file->line(diagnostic.span.range.begin) : 0;
}

std::string said(const Diagnostic &diagnostic) {
  std::string text = std::to_string(lineOf(diagnostic)) + " " + diagnostic.id + ":";
  for (const std::string &argument : diagnostic.arguments)
    text += " " + argument + ";";
  for (const DiagnosticNote &note : diagnostic.notes) {
    text += " | note " + note.id;
    for (const std::string &argument : note.arguments)
      text += " " + argument + ";";
  }
  return text;
}

std::string said(const std::vector<Diagnostic> &found) {
  std::string text;
  for (const Diagnostic &diagnostic : found)
    text += said(diagnostic) + "\n";
  return text;
}

bool holdsInOrder(const std::vector<std::string> &all, const std::vector<std::string> &wanted) {
  auto at = all.begin();
  for (const std::string &value : wanted) {
    at = std::find(at, all.end(), value);
    if (at++ == all.end())
      return false;
  }
  return true;
}

bool matches(const Diagnostic &diagnostic, const Expected &expected) {
  const bool hasNote =
      expected.note.id.empty() ||
      std::any_of(diagnostic.notes.begin(), diagnostic.notes.end(), [&](const DiagnosticNote &note) {
        return note.id == expected.note.id && holdsInOrder(note.arguments, expected.note.values);
      });
  const bool hasFix = expected.fix.empty() ||
                      (diagnostic.fix && diagnostic.fix->replacement.find(expected.fix) != std::string::npos);
  const bool isThere =
      expected.at.empty() ||
      (diagnostic.span.file && diagnostic.span.file->text(diagnostic.span.range) == expected.at);
  return diagnostic.id == expected.id && lineOf(diagnostic) == expected.line && isThere && hasNote &&
         hasFix && holdsInOrder(diagnostic.arguments, expected.values);
}

void expectThoseOf(const std::string &script, const std::vector<Diagnostic> &all) {
  std::vector<Diagnostic> left = all;
  for (const Expected &expected : expectedIn(script)) {
    const auto found = std::find_if(left.begin(), left.end(), [&](const Diagnostic &diagnostic) {
      return matches(diagnostic, expected);
    });
    EXPECT_NE(found, left.end()) << "line " << expected.line << " lacks " << expected.id << " in\n"
                                 << said(all);
    if (found != left.end())
      left.erase(found);
  }
  EXPECT_THAT(left, IsEmpty()) << said(left);
}

std::string mended(std::string script, const DiagnosticFix &fix) {
  return script.replace(fix.range.begin, fix.range.size(), fix.replacement);
}

std::vector<std::string> scriptsIn(const char *folder) {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(Folder / folder))
    if (entry.path().extension() == ".py")
      names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

class FindingsOf : public ::testing::TestWithParam<std::string> {
protected:
  const std::string script = textOf(Folder / "findings" / (GetParam() + ".py"));
};

TEST_P(FindingsOf, AreThoseExpected) {
  const Ran ran = run(script);
  expectThoseOf(script, ran.found);
  EXPECT_EQ(ran.outcome, host::Outcome::Finished);
}

/// Each fix alone takes its finding away.
TEST_P(FindingsOf, AreMendedByTheirFix) {
  const Ran before = run(script);
  for (const Diagnostic &diagnostic : before.found) {
    if (!diagnostic.fix)
      continue;
    for (const Diagnostic &still : run(mended(script, *diagnostic.fix)).found)
      EXPECT_FALSE(still.id == diagnostic.id && lineOf(still) == lineOf(diagnostic) &&
                   still.notes.front().span.range.begin == diagnostic.notes.front().span.range.begin)
          << said(diagnostic) << " is not mended by " << diagnostic.fix->replacement;
  }
}

TEST_P(FindingsOf, DoNotDependOnThreads) {
  EXPECT_EQ(said(run(script, 1).found), said(run(script, 2).found));
  EXPECT_EQ(said(run(script, 1, false).found), said(run(script, 2, false).found));
}

std::string testName(const ::testing::TestParamInfo<std::string> &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Scripts, FindingsOf, ::testing::ValuesIn(scriptsIn("findings")), testName);

//===- Mistakes that show before a script is run ---------------------------------------------------===//

class MistakesIn : public ::testing::TestWithParam<std::string> {
protected:
  const std::string script = textOf(Folder / "mistakes" / (GetParam() + ".py"));
};

TEST_P(MistakesIn, AreThoseExpected) {
  const std::vector<Diagnostic> found = mistakesIn(script);
  expectThoseOf(script, found);
  for (const Diagnostic &diagnostic : found) {
    if (!diagnostic.fix)
      continue;
    EXPECT_LT(mistakesIn(mended(script, *diagnostic.fix)).size(), found.size()) << said(diagnostic);
  }
}

TEST_P(MistakesIn, AreNotInARepairedScript) {
  if (!GetParam().ends_with("-repaired"))
    return;
  const Ran ran = run(script);
  EXPECT_THAT(ran.found, IsEmpty()) << said(ran.found);
  EXPECT_EQ(ran.outcome, host::Outcome::Finished);
}

INSTANTIATE_TEST_SUITE_P(Scripts, MistakesIn, ::testing::ValuesIn(scriptsIn("mistakes")), testName);

//===- Examples ------------------------------------------------------------------------------------===//

class Examples : public ::testing::TestWithParam<std::string> {};

TEST_P(Examples, HaveNoFinding) {
  for (bool checking : {false, true}) {
    const Ran ran = run(textOf(GetParam()), 0, checking);
    EXPECT_THAT(ran.found, IsEmpty()) << said(ran.found);
    EXPECT_EQ(ran.outcome, host::Outcome::Finished);
  }
}

std::vector<std::string> examples() {
  std::vector<std::string> paths;
  for (const auto &entry : fs::recursive_directory_iterator(TILESCOPE_SOURCE_DIR "/resources/examples"))
    if (entry.path().extension() == ".py")
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

INSTANTIATE_TEST_SUITE_P(Scripts, Examples, ::testing::ValuesIn(examples()),
                         [](const auto &info) { return fs::path(info.param).stem().string(); });

//===- Limits --------------------------------------------------------------------------------------===//

TEST(Limits, AGridOfABillionProgramsIsGivenUpAtOnce) {
  const Ran ran = run("import torch, triton\n"
                      "import triton.language as tl\n"
                      "@triton.jit\n"
                      "def one(x_ptr, B: tl.constexpr):\n"
                      "    tl.store(x_ptr + tl.arange(0, B), 1.0)\n"
                      "x = torch.zeros(64, device='cuda')\n"
                      "one[(1000000000,)](x, B=64)\n"
                      "print(x)\n");
  ASSERT_EQ(ran.found.size(), 1u) << said(ran.found);
  EXPECT_EQ(ran.found[0].id, "work-limit");
  EXPECT_THAT(ran.found[0].arguments, Contains("1000000000"));
  EXPECT_EQ(ran.outcome, host::Outcome::Failed);
}

TEST(Limits, ASumOfTooManyElementsIsGivenUpAtOnce) {
  const Ran ran = run("import torch\nx = torch.ones(1).expand(1 << 40).sum()\nprint(x.item())\n");
  ASSERT_EQ(ran.found.size(), 1u) << said(ran.found);
  EXPECT_EQ(ran.found[0].id, "too-many-elements");
  EXPECT_EQ(lineOf(ran.found[0]), 2u);
}

} // namespace
