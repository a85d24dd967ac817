// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source text and places in it. Every other part of Tilescope speaks of a place as a range of UTF-8
// bytes; this file is the one that converts to lines, columns and UTF-16 units.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope {

/// A half-open range of UTF-8 bytes in one source file. An empty range is a point.
struct SourceRange {
  uint32_t begin = 0;
  uint32_t end = 0;

  uint32_t size() const { return end - begin; }
  bool contains(uint32_t offset) const { return begin <= offset && offset < end; }
  /// The smallest range that covers both.
  SourceRange to(SourceRange last) const { return {begin, last.end}; }
  friend bool operator==(SourceRange, SourceRange) = default;
};

/// A place as people count: line from 1, column from 1 in Unicode code points.
struct LineColumn {
  uint32_t line = 1;
  uint32_t column = 1;
  friend bool operator==(LineColumn, LineColumn) = default;
};

/// A place as the Language Server Protocol counts: line from 0, character from 0 in UTF-16 units.
struct Utf16Position {
  uint32_t line = 0;
  uint32_t character = 0;
  friend bool operator==(Utf16Position, Utf16Position) = default;
};

/// One immutable text with its name. Lines end with "\n", "\r\n" or "\r", as in Python. Invalid UTF-8
/// counts one column (and one UTF-16 unit) a byte, so that no text is refused here.
class SourceFile {
public:
  SourceFile(std::string path, std::string text);

  const std::string &path() const { return m_path; }
  std::string_view text() const { return m_text; }
  std::string_view text(SourceRange range) const {
    return std::string_view(m_text).substr(range.begin, range.size());
  }

  uint32_t lineCount() const { return static_cast<uint32_t>(m_lineStarts.size()); }
  /// The line (from 1) that holds the byte `offset`; an offset past the end gives the last line.
  uint32_t line(uint32_t offset) const;
  /// The bytes of a line (from 1) without its end.
  SourceRange lineRange(uint32_t line) const;

  LineColumn lineColumn(uint32_t offset) const;
  Utf16Position utf16(uint32_t offset) const;
  /// The byte offset of a position; one beyond the end of its line gives the line's end.
  uint32_t offset(Utf16Position position) const;

private:
  std::string m_path;
  std::string m_text;
  std::vector<uint32_t> m_lineStarts;
};

using SourceFilePtr = std::shared_ptr<const SourceFile>;

/// A range together with the file that it lies in.
struct SourceSpan {
  SourceFilePtr file;
  SourceRange range;
};

} // namespace tilescope
