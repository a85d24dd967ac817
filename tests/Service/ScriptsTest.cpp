// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole scripts, through evaluator, compiler and interpreter. What a script is to print was recorded with
// real Triton; the script's docstring says how. One without such a record compares with torch by itself.
#include "compiler/Service/Session.h"
#include "compiler/Support/Words.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tilescope::service {
namespace {

std::string contentOf(const std::string &name) {
  std::ifstream file(TILESCOPE_SOURCE_DIR "/tests/Service/scripts/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class Script : public ::testing::TestWithParam<const char *> {};

TEST_P(Script, PrintsWhatTritonPrints) {
  const std::string name = GetParam(), text = contentOf(name + ".py");
  ASSERT_FALSE(text.empty()) << name;
  std::string printed;
  SessionOptions options;
  options.threads = 2;
  options.print = [&](std::string_view part) { printed += part; };
  auto script = std::make_shared<SourceFile>(name + ".py", text);
  Session session(script, Sources(name + ".py", {}), std::move(options));
  EXPECT_EQ(session.run(), host::Outcome::Finished);
  for (const Diagnostic &found : session.diagnostics().all())
    ADD_FAILURE() << found.id << " in line " << script->line(found.span.range.begin) + 1 << ": "
                  << words(Language::English, found);
  const std::string expected = contentOf(name + ".txt");
  EXPECT_EQ(printed, expected.empty() ? "done\n" : expected);
}

INSTANTIATE_TEST_SUITE_P(Memory, Script,
                         ::testing::Values("atomics", "block_pointers", "descriptors", "tuples"));

} // namespace
} // namespace tilescope::service
