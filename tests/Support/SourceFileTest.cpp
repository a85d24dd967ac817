// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places in a text: bytes, lines and columns, and UTF-16 units, there and back.
#include "compiler/Support/SourceFile.h"

#include <gtest/gtest.h>

namespace tilescope {

std::ostream &operator<<(std::ostream &out, LineColumn place) {
  return out << place.line << ":" << place.column;
}
std::ostream &operator<<(std::ostream &out, Utf16Position place) {
  return out << place.line << ":" << place.character;
}

namespace {

TEST(SourceFile, CountsLinesOfEveryKindOfEnd) {
  SourceFile file("a.py", "one\ntwo\r\nthree\rfour");
  ASSERT_EQ(file.lineCount(), 4u);
  EXPECT_EQ(file.text(file.lineRange(1)), "one");
  EXPECT_EQ(file.text(file.lineRange(2)), "two");
  EXPECT_EQ(file.text(file.lineRange(3)), "three");
  EXPECT_EQ(file.text(file.lineRange(4)), "four");
  EXPECT_EQ(file.line(7), 2u) << "the carriage return belongs to its line";
  EXPECT_EQ(file.line(8), 2u) << "the line feed after it too";
  EXPECT_EQ(file.line(9), 3u);
}

TEST(SourceFile, LastLineMayBeEmpty) {
  EXPECT_EQ(SourceFile("a.py", "").lineCount(), 1u);
  EXPECT_EQ(SourceFile("a.py", "x\n").lineCount(), 2u);
  EXPECT_EQ(SourceFile("a.py", "x\n").lineRange(2), (SourceRange{2, 2}));
  EXPECT_EQ(SourceFile("a.py", "\r\n\r").lineCount(), 3u);
}

TEST(SourceFile, LinesOutsideTheFileAreTheNearest) {
  SourceFile file("a.py", "ab\ncd");
  EXPECT_EQ(file.lineRange(0), (SourceRange{0, 2}));
  EXPECT_EQ(file.lineRange(9), (SourceRange{3, 5}));
  EXPECT_EQ(file.line(100), 2u);
  EXPECT_EQ(file.lineColumn(100), (LineColumn{2, 3}));
  EXPECT_EQ(file.utf16(100), (Utf16Position{1, 2}));
}

// "é" has two bytes, "变" and "量" three each, "😀" four and two UTF-16 units.
constexpr const char *Mixed = "aé变量😀b\nc";

TEST(SourceFile, ColumnsAreCodePoints) {
  SourceFile file("a.py", Mixed);
  EXPECT_EQ(file.lineColumn(0), (LineColumn{1, 1}));
  EXPECT_EQ(file.lineColumn(1), (LineColumn{1, 2}));
  EXPECT_EQ(file.lineColumn(3), (LineColumn{1, 3}));
  EXPECT_EQ(file.lineColumn(6), (LineColumn{1, 4}));
  EXPECT_EQ(file.lineColumn(9), (LineColumn{1, 5}));
  EXPECT_EQ(file.lineColumn(13), (LineColumn{1, 6}));
  EXPECT_EQ(file.lineColumn(14), (LineColumn{1, 7}));
  EXPECT_EQ(file.lineColumn(15), (LineColumn{2, 1}));
}

TEST(SourceFile, AByteOrderMarkHasNoColumn) {
  SourceFile file("a.py", "\xEF\xBB\xBFx = y\nz");
  EXPECT_EQ(file.lineColumn(3), (LineColumn{1, 1}));
  EXPECT_EQ(file.lineColumn(7), (LineColumn{1, 5}));
  EXPECT_EQ(file.lineColumn(9), (LineColumn{2, 1}));
}

TEST(SourceFile, Utf16UnitsBothWays) {
  SourceFile file("a.py", Mixed);
  const std::pair<uint32_t, Utf16Position> places[] = {
      {0, {0, 0}},  {1, {0, 1}},  {3, {0, 2}},  {6, {0, 3}},  {9, {0, 4}},
      {13, {0, 6}}, {14, {0, 7}}, {15, {1, 0}}, {16, {1, 1}},
  };
  for (auto [offset, position] : places) {
    EXPECT_EQ(file.utf16(offset), position) << offset;
    EXPECT_EQ(file.offset(position), offset);
  }
}

TEST(SourceFile, PositionBeyondTheLineIsItsEnd) {
  SourceFile file("a.py", "ab\r\n😀\n");
  EXPECT_EQ(file.offset({0, 99}), 2u) << "not inside the line end";
  EXPECT_EQ(file.offset({1, 99}), 8u);
  EXPECT_EQ(file.offset({99, 0}), 9u);
  EXPECT_EQ(file.offset({1, 1}), 8u) << "half of a surrogate pair is the whole character";
}

/// A byte that is no part of UTF-8 is one column and one unit.
TEST(SourceFile, InvalidBytesCountOneEach) {
  const std::string invalid[] = {"\xFF\xFE", "\xC3(", "\x80\x80", "\xE5\x8F", "\xF5\x80", "\xC0\x80"};
  for (const std::string &bytes : invalid) {
    SourceFile file("a.py", bytes + "x");
    EXPECT_EQ(file.lineColumn(2), (LineColumn{1, 3})) << bytes;
    EXPECT_EQ(file.utf16(2), (Utf16Position{0, 2})) << bytes;
    EXPECT_EQ(file.offset({0, 2}), 2u) << bytes;
  }
}

TEST(SourceFile, RoundTripsAtEveryCharacter) {
  const std::string text = "def f(变量):\r\n\tреturn \"😀é\" # ¡\xFF!\r\r\nx\n";
  SourceFile file("a.py", text);
  for (uint32_t offset = 0; offset <= text.size(); ++offset) {
    bool insideCharacter = offset < text.size() && (text[offset] & 0xC0) == 0x80;
    bool insideLineEnd = offset > file.lineRange(file.line(offset)).end;
    if (insideCharacter || insideLineEnd)
      continue;
    EXPECT_EQ(file.offset(file.utf16(offset)), offset);
  }
}

TEST(SourceRange, CoversAndContains) {
  SourceRange range{3, 6};
  EXPECT_EQ(range.size(), 3u);
  EXPECT_TRUE(range.contains(3));
  EXPECT_FALSE(range.contains(6));
  EXPECT_FALSE((SourceRange{3, 3}.contains(3)));
  EXPECT_EQ(range.to({8, 9}), (SourceRange{3, 9}));
}

} // namespace
} // namespace tilescope
