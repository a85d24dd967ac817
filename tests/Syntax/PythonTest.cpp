// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our tree of the files in Python's own library against the tree that this Python makes of them: structure,
// plain fields and every range. A file that Python refuses must be an error here too.
//
// By default a fixed sample is compared (every n-th file), so that the test takes seconds.
// TILESCOPE_SYNTAX_ALL=1 compares every file, TILESCOPE_PYTHON=PATH asks another Python (3.11 or later).
#include "compiler/Syntax/Dump.h"
#include "compiler/Syntax/Parser.h"
#include "tests/Syntax/Trees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

namespace tilescope::syntax {
namespace {

namespace fs = std::filesystem;

std::string python() {
  const char *chosen = std::getenv("TILESCOPE_PYTHON");
  return chosen ? chosen : "python3";
}

/// What the command prints, otherwise empty.
std::string outputOf(const std::string &command) {
  std::string output;
  if (FILE *pipe = popen((command + " 2>/dev/null").c_str(), "r")) {
    char buffer[4096];
    while (size_t count = fread(buffer, 1, sizeof buffer, pipe))
      output.append(buffer, count);
    pclose(pipe);
  }
  return output.substr(0, output.find_last_not_of('\n') + 1);
}

/// The files of the library and of Debian's packages beside it (/usr/lib/python3), in a fixed order.
std::vector<std::string> libraryFiles(const fs::path &library) {
  std::vector<std::string> files;
  for (const fs::path &folder : {library, library.parent_path() / "python3"}) {
    std::error_code missing;
    auto options = fs::directory_options::skip_permission_denied;
    for (auto &entry : fs::recursive_directory_iterator(folder, options, missing))
      if (entry.is_regular_file() && entry.path().extension() == ".py")
        files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> sample(const std::vector<std::string> &files) {
  constexpr size_t Wanted = 400;
  if (std::getenv("TILESCOPE_SYNTAX_ALL") || files.size() <= Wanted)
    return files;
  std::vector<std::string> chosen;
  for (size_t i = 0; i < files.size(); i += files.size() / Wanted)
    chosen.push_back(files[i]);
  return chosen;
}

/// `coding: …` in the first two lines, naming something other than UTF-8.
bool isOtherEncoding(const std::string &text) {
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i < 2 && std::getline(lines, line); ++i) {
    size_t at = line.find("coding");
    if (line.starts_with('#') && at != std::string::npos)
      return line.find("utf", at) == std::string::npos && line.find("UTF", at) == std::string::npos;
  }
  return false;
}

void compare(const PythonTree &theirs, bool fstringRanges) {
  auto file = std::make_shared<SourceFile>(theirs.path, readFile(theirs.path));
  bool hasNamedEscape = file->text().find("\\N{") != std::string_view::npos;
  Diagnostics diagnostics;
  auto module = parse(file, diagnostics);
  // Python wants "utf-8" with its hyphen where there is a byte order mark; that is a mistake for nobody else.
  if (theirs.isError && file->text().starts_with("\xEF\xBB\xBF#coding: utf8"))
    return;
  if (theirs.isError) {
    EXPECT_TRUE(diagnostics.hasErrors()) << theirs.path << " is refused by Python";
    return;
  }
  if (isOtherEncoding(std::string(file->text())) || hasNamedEscape) {
    const bool hasErrors = diagnostics.hasErrors();
    EXPECT_TRUE(!hasErrors || diagnostics.all()[0].id == "encoding-not-utf8") << theirs.path;
    return;
  }
  for (const Diagnostic &diagnostic : diagnostics.all())
    EXPECT_NE(diagnostic.severity, Severity::Error)
        << theirs.path << ":" << file->line(diagnostic.span.range.begin) << ": " << diagnostic.id;
  std::string difference = firstDifference(dump(*module, {fstringRanges}), theirs.text);
  EXPECT_EQ(difference, "") << theirs.path;
}

TEST(Python, AgreesAboutItsOwnLibrary) {
  std::string library = outputOf(python() + " -c \"import os; print(os.path.dirname(os.__file__))\"");
  if (library.empty())
    GTEST_SKIP() << "python3 is not installed";
  if (outputOf(python() + " -c \"import sys; print(sys.version_info >= (3, 11))\"") != "True")
    GTEST_SKIP() << "needs Python 3.11 or later";
  bool fstringRanges =
      outputOf(python() + " -c \"import sys; print(sys.version_info >= (3, 12))\"") == "True";
  fs::path folder = fs::temp_directory_path() / ("tilescope-syntax-" + std::to_string(getpid()));
  fs::create_directories(folder);
  fs::path list = folder / "list", trees = folder / "trees";
  std::vector<std::string> files = sample(libraryFiles(library));
  ASSERT_FALSE(files.empty());
  std::ofstream out(list);
  for (const std::string &file : files)
    out << file << "\n";
  out.close();
  std::string script = std::string(TILESCOPE_SOURCE_DIR) + "/tests/Syntax/dump_ast.py";
  outputOf(python() + " '" + script + "' '" + list.string() + "' '" + trees.string() + "'" +
           (fstringRanges ? " --fstring-ranges" : ""));
  TreeReader reader(trees.string());
  PythonTree tree;
  size_t compared = 0;
  for (; reader.next(tree); ++compared)
    compare(tree, fstringRanges);
  EXPECT_EQ(compared, files.size());
  fs::remove_all(folder);
}

} // namespace
} // namespace tilescope::syntax
