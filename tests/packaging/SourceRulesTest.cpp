// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rules that the sources keep: who may include whom, licences, and that every word has its entry in the
// catalogue.
#include "compiler/Support/Words.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace fs = std::filesystem;
using namespace tilescope;

namespace {

const fs::path Root = TILESCOPE_SOURCE_DIR;

std::string readAll(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Paths relative to the root of all sources below some folders.
std::vector<fs::path> sources(std::initializer_list<const char *> folders) {
  std::vector<fs::path> found;
  for (const char *folder : folders)
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(Root / folder))
      if (std::set<std::string>{".h", ".cpp", ".td"}.count(entry.path().extension().string()))
        found.push_back(fs::relative(entry.path(), Root));
  return found;
}

/// "compiler/Host" of "compiler/Host/Tensor.h", "compiler/Dialect" of deeper ones.
std::string part(const std::string &path) {
  size_t second = path.find('/', path.find('/') + 1);
  return second == std::string::npos ? path : path.substr(0, second);
}

/// What a folder may include beside itself. `std` alone means no library but C++'s own.
struct Rule {
  std::set<std::string> parts;
  bool llvm = false;
  bool qt = false;
};

const std::map<std::string, Rule> &rules() {
  static const std::map<std::string, Rule> all = [] {
    std::map<std::string, Rule> r;
    r["compiler/Support"] = {};
    r["compiler/Syntax"] = {{"compiler/Support"}};
    r["compiler/Value"] = {{"compiler/Support", "compiler/Syntax"}};
    r["compiler/Memory"] = {{"compiler/Support"}};
    r["compiler/Layout"] = {};
    r["compiler/Model"] = {{"compiler/Layout"}};
    r["compiler/Host"] = {{"compiler/Support", "compiler/Syntax", "compiler/Value", "compiler/Memory"}};
    r["compiler/Protocol"] = {};
    r["compiler/Dialect"] = {{"compiler/Support", "compiler/Layout", "compiler/Analysis"}, true};
    r["compiler/Analysis"] = {{"compiler/Support", "compiler/Layout", "compiler/Model", "compiler/Dialect"}, true};
    r["compiler/Conversion"] = {{"compiler/Support", "compiler/Layout", "compiler/Model", "compiler/Dialect",
                                 "compiler/Analysis"},
                                true};
    r["compiler/Target"] = {{"compiler/Support", "compiler/Conversion"}, true};
    r["compiler/Runtime"] = {{"compiler/Support", "compiler/Memory"}};
    r["compiler/Frontend"] = {{"compiler/Support", "compiler/Syntax", "compiler/Value", "compiler/Dialect"},
                              true};
    r["compiler/Interpreter"] = {
        {"compiler/Support", "compiler/Value", "compiler/Memory", "compiler/Layout", "compiler/Dialect",
         "compiler/Analysis"},
        true};
    std::set<std::string> everything;
    for (const auto &[name, rule] : r)
      everything.insert(name);
    r["compiler/Service"] = {everything, true};
    everything.insert("compiler/Service");
    r["compiler/tools"] = {everything, true};
    r["visualizer/model"] = {{"compiler/Protocol"}};
    r["visualizer/render"] = {{"compiler/Protocol", "visualizer/model"}, false, true};
    r["visualizer/widgets"] = {{"compiler/Protocol", "visualizer/model", "visualizer/render"}, false, true};
    std::set<std::string> window{"compiler/Protocol", "visualizer/model", "visualizer/render",
                                 "visualizer/widgets"};
    for (const char *folder : {"app/core", "app/editor", "app/panels", "app/lessons"}) {
      r[folder] = {window, false, true};
      r[folder].parts.insert({"app/core", "app/editor", "app/panels", "app/lessons"});
    }
    r["app/main.cpp"] = r["app/core"];
    return r;
  }();
  return all;
}

TEST(SourceRules, IncludesGoOneWay) {
  static const std::regex include(R"re(^\s*#include\s+[<"]([^>"]+)[>"])re");
  for (const fs::path &path : sources({"compiler", "visualizer", "app"})) {
    std::string own = part(path.generic_string());
    auto found = rules().find(own);
    if (own == "compiler/MlirPch.cpp")
      continue;
    ASSERT_NE(found, rules().end()) << path << ": a folder without a rule in this test";
    std::istringstream lines(readAll(Root / path));
    for (std::string line; std::getline(lines, line);) {
      std::smatch match;
      if (!std::regex_search(line, match, include))
        continue;
      std::string target = match[1];
      bool ours =
          target.starts_with("compiler/") || target.starts_with("visualizer/") || target.starts_with("app/");
      bool llvm = target.starts_with("llvm/") || target.starts_with("mlir/");
      bool qt = target.starts_with("Q") || target.starts_with("Qsci/");
      EXPECT_FALSE(llvm && !found->second.llvm) << path << " includes " << target;
      EXPECT_FALSE(qt && !found->second.qt) << path << " includes " << target;
      bool allowed = !ours || part(target) == own || found->second.parts.count(part(target)) > 0;
      EXPECT_TRUE(allowed) << path << " includes " << target;
    }
  }
}

TEST(SourceRules, EveryFileSaysItsLicence) {
  for (const fs::path &path : sources({"compiler", "visualizer", "app", "tests", "translations"})) {
    std::string text = readAll(Root / path).substr(0, 400);
    bool program = *path.begin() == "app";
    EXPECT_NE(text.find(program ? "SPDX-License-Identifier: GPL-3.0-or-later" : "SPDX-License-Identifier: "),
              std::string::npos)
        << path;
  }
}

TEST(SourceRules, NothingIsLeftForLater) {
  static const std::regex later(R"re(\b(TODO|FIXME|XXX|HACK)\b)re");
  for (const fs::path &path : sources({"compiler", "visualizer", "app"}))
    EXPECT_FALSE(std::regex_search(readAll(Root / path), later)) << path;
}

/// Keys that the sources name, by what stands before them.
std::set<std::string> keysIn(const std::string &text, const char *pattern, const std::string &prefix) {
  std::set<std::string> keys;
  std::regex expression(pattern);
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    keys.insert(prefix + (*match)[1].str());
  return keys;
}

TEST(SourceRules, WordsOnTheScreenAreInTheCatalogue) {
  for (const fs::path &path : sources({"app", "visualizer"})) {
    for (const std::string &key :
         keysIn(readAll(Root / path),
                R"re(\b(?:text|countText|words|counted)\(\s*"([a-z][\w-]*(?:\.[\w-]+)+)"\s*[,)])re", ""))
      EXPECT_NE(words(Language::English, key), key) << path;
    for (const std::string &id : keysIn(readAll(Root / path), R"re(ErrorData\{"([\w-]+)")re", "error."))
      EXPECT_NE(words(Language::English, id), id) << path;
  }
}

TEST(SourceRules, DiagnosticsAreInTheCatalogue) {
  for (const fs::path &path : sources({"compiler"})) {
    std::string text = readAll(Root / path);
    for (const std::string &key :
         keysIn(text, R"re(\b(?:error|warning|fail|report)\(\s*"([a-z][a-z0-9]*(?:-[a-z0-9]+)+)")re",
                "diagnostic."))
      EXPECT_NE(words(Language::English, key), key) << path;
  }
}

TEST(SourceRules, FrenchHasNoPlainSpaceBeforeItsMarks) {
  static const std::regex french(R"re("fr":\s*(\[[^\]]*\]|"(?:[^"\\]|\\.)*"))re"),
      plain(R"re( (?:[;:!?%]|»)(?=[\s"]|$)|« )re");
  for (const fs::directory_entry &entry : fs::directory_iterator(Root / "translations")) {
    if (entry.path().extension() != ".json")
      continue;
    std::string text = readAll(entry.path());
    for (std::sregex_iterator match(text.begin(), text.end(), french), end; match != end; ++match)
      EXPECT_FALSE(std::regex_search((*match)[1].str(), plain)) << entry.path() << ": " << (*match)[1];
  }
}

TEST(Words, ArgumentsAndPluralForms) {
  EXPECT_EQ(words(Language::French, "severity.line", {"erreur", "x"}), "erreur\u00a0: x");
  EXPECT_EQ(words(Language::English, "no.such-key"), "no.such-key");
  EXPECT_EQ(words(Language::English, "count.programs", {}, 1), "1 program");
  EXPECT_EQ(words(Language::English, "count.programs", {}, 0), "0 programs");
  EXPECT_EQ(words(Language::French, "count.programs", {}, 0), "0 programme");
  EXPECT_EQ(words(Language::Chinese, "count.programs", {}, 2), "2 个程序");
  EXPECT_EQ(languageOf("fr_CA.UTF-8"), Language::French);
  EXPECT_EQ(languageOf("zh_CN"), Language::Chinese);
  EXPECT_EQ(languageOf("de_DE"), Language::English);
}

} // namespace
