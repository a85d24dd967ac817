// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Support/Diagnostic.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

SourceSpan span(const SourceFilePtr &file, uint32_t begin, uint32_t end) { return {file, {begin, end}}; }

TEST(Diagnostics, KeepTheirOrder) {
  auto file = std::make_shared<SourceFile>("a.py", "abcdef");
  Diagnostics diagnostics;
  diagnostics.error("second", span(file, 3, 4));
  diagnostics.warning("first", span(file, 0, 1), {"x"});
  ASSERT_EQ(diagnostics.all().size(), 2u);
  EXPECT_EQ(diagnostics.all()[0].id, "second");
  EXPECT_EQ(diagnostics.all()[1].severity, Severity::Warning);
  EXPECT_EQ(diagnostics.all()[1].arguments, std::vector<std::string>{"x"});
}

TEST(Diagnostics, OnlyErrorsAreErrors) {
  auto file = std::make_shared<SourceFile>("a.py", "abcdef");
  Diagnostics diagnostics;
  EXPECT_TRUE(diagnostics.empty());
  diagnostics.warning("w", span(file, 0, 1));
  diagnostics.add({"i", Severity::Information, span(file, 1, 2), {}, {}, {}});
  EXPECT_FALSE(diagnostics.hasErrors());
  EXPECT_FALSE(diagnostics.empty());
  diagnostics.error("e", span(file, 0, 1));
  EXPECT_TRUE(diagnostics.hasErrors());
}

TEST(Diagnostics, TheSameIsSaidOnce) {
  auto file = std::make_shared<SourceFile>("a.py", "abcdef");
  auto other = std::make_shared<SourceFile>("b.py", "abcdef");
  Diagnostics diagnostics;
  Diagnostic &first = diagnostics.error("e", span(file, 0, 1));
  first.notes.push_back({"n", {}, span(file, 2, 3)});
  EXPECT_EQ(diagnostics.error("e", span(file, 0, 1)).notes.size(), 1u) << "the first one is given back";
  EXPECT_EQ(diagnostics.all().size(), 1u);
  diagnostics.error("e", span(file, 0, 2));
  diagnostics.error("e", span(other, 0, 1));
  diagnostics.error("f", span(file, 0, 1));
  EXPECT_EQ(diagnostics.all().size(), 4u);
}

TEST(Diagnostics, NotesAndFixesCanBeAttached) {
  auto file = std::make_shared<SourceFile>("a.py", "abcdef");
  Diagnostics diagnostics;
  Diagnostic &error = diagnostics.error("e", span(file, 0, 1));
  error.notes.push_back({"opened-here", {"("}, span(file, 2, 3)});
  error.fix = DiagnosticFix{"insert", {")"}, {6, 6}, ")"};
  const Diagnostic &kept = diagnostics.all()[0];
  EXPECT_EQ(kept.notes[0].id, "opened-here");
  EXPECT_EQ(kept.fix->replacement, ")");
}

} // namespace
} // namespace tilescope
