// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Documents.h"

#include <gtest/gtest.h>

#include <random>

using namespace tilescope;
using namespace tilescope::service;

namespace {

/// The oracle: a text as UTF-16, edited by hand.
class Utf16Text {
public:
  /// Positions of line ends are found as LSP says: "\n", "\r\n" and "\r" end lines.
  size_t index(protocol::Position position) const {
    size_t at = 0;
    for (uint32_t line = 0; line < position.line && at < units.size();)
      if (const char16_t c = units[at++];
          c == '\n' || (c == '\r' && (at == units.size() || units[at] != '\n')))
        ++line;
    for (uint32_t i = 0;
         i < position.character && at < units.size() && units[at] != '\n' && units[at] != '\r'; ++i)
      ++at;
    return at;
  }
  void replace(protocol::Range range, const std::u16string &text) {
    const size_t from = index(range.start), to = index(range.end);
    units.replace(from, to - from, text);
  }
  std::u16string units;
};

std::string utf8(const std::u16string &units) {
  std::string text;
  for (size_t i = 0; i < units.size(); ++i) {
    uint32_t code = units[i];
    if (code >= 0xD800 && code < 0xDC00)
      code = 0x10000 + ((code - 0xD800) << 10) + (units[++i] - 0xDC00);
    if (code < 0x80)
      text += static_cast<char>(code);
    else if (code < 0x800)
      text += {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 63))};
    else if (code < 0x10000)
      text += {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 63)),
               static_cast<char>(0x80 | (code & 63))};
    else
      text += {static_cast<char>(0xF0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 63)),
               static_cast<char>(0x80 | (code >> 6 & 63)), static_cast<char>(0x80 | (code & 63))};
  }
  return text;
}

/// Random edits at places between characters, many in one message, against the oracle.
TEST(Documents, RandomEditsAsAnotherTextHasThem) {
  std::mt19937 random(7);
  auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  const std::u16string pieces[] = {u"x", u"\n",         u"\r\n", u"\r", u"变量", u"\U0001F600",
                                   u"é", u"def f():\n", u"\t",   u"",   u"a = 1"};
  Utf16Text oracle;
  Documents documents;
  documents.open({"file:///t.py", "python", 0, ""});
  for (int version = 1; version <= 3000; ++version) {
    protocol::DidChange edit{{"file:///t.py", version}, {}};
    for (uint32_t changes = 1 + below(3); changes > 0; --changes) {
      auto place = [&] {
        protocol::Position position{below(30), below(8)};
        const size_t at = oracle.index(position);
        // Never within a surrogate pair: no editor does that.
        if (at < oracle.units.size() && (oracle.units[at] & 0xFC00) == 0xDC00)
          ++position.character;
        return position;
      };
      protocol::Range range{place(), place()};
      if (oracle.index(range.start) > oracle.index(range.end))
        std::swap(range.start, range.end);
      const std::u16string &text = oracle.units.size() > 300 ? pieces[9] : pieces[below(std::size(pieces))];
      oracle.replace(range, text);
      edit.contentChanges.push_back({range, utf8(text)});
    }
    const Document *document = documents.change(edit);
    ASSERT_TRUE(document);
    ASSERT_EQ(document->version, version);
    ASSERT_EQ(document->file->text(), utf8(oracle.units)) << "version " << version;
  }
}

TEST(Documents, WholeTextsAndUnknownDocuments) {
  Documents documents;
  EXPECT_FALSE(documents.change({{"file:///a.py", 2}, {{std::nullopt, "x"}}}));
  documents.open({"file:///a%20b.py", "python", 1, "old"});
  const Document *document = documents.change({{"file:///a%20b.py", 2}, {{std::nullopt, "new"}}});
  ASSERT_TRUE(document);
  EXPECT_EQ(document->file->text(), "new");
  EXPECT_EQ(document->file->path(), "/a b.py");
  EXPECT_EQ(documents.buffers().count("/a b.py"), 1u);
  documents.close("file:///a%20b.py");
  EXPECT_FALSE(documents.find("file:///a%20b.py"));
}

TEST(OffsetMap, PlacesBeforeAndAfterAnEdit) {
  const OffsetMap map("x = load(a)\ny = 1\n", "x = load(abc)\ny = 1\n");
  EXPECT_EQ(map(0), 0u);
  EXPECT_EQ(map(10), 10u);
  EXPECT_EQ(map(12), 14u);
  EXPECT_EQ(map(18), 20u);
  EXPECT_EQ(OffsetMap("same", "same")(4), 4u);
  EXPECT_EQ(OffsetMap("one two", "one 2")(5), std::nullopt);
  EXPECT_EQ(OffsetMap("aaa", "aa")(3), 2u);
}

} // namespace
