// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Support/SourceFile.h"

#include <algorithm>

namespace tilescope {
namespace {

/// The bytes of the UTF-8 sequence that starts at `text[at]`: 1 for ASCII and for anything invalid.
uint32_t sequenceLength(std::string_view text, size_t at) {
  auto continues = [&](size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
  };
  unsigned char lead = static_cast<unsigned char>(text[at]);
  if (lead >= 0xC2 && lead < 0xE0 && continues(at + 1))
    return 2;
  if (lead >= 0xE0 && lead < 0xF0 && continues(at + 1) && continues(at + 2))
    return 3;
  if (lead >= 0xF0 && lead < 0xF5 && continues(at + 1) && continues(at + 2) && continues(at + 3))
    return 4;
  return 1;
}

uint32_t utf16Units(uint32_t sequence) { return sequence == 4 ? 2 : 1; }

} // namespace

SourceFile::SourceFile(std::string path, std::string text)
    : m_path(std::move(path)), m_text(std::move(text)), m_lineStarts{0} {
  for (size_t i = 0; i < m_text.size(); ++i) {
    bool carriageReturn = m_text[i] == '\r' && (i + 1 == m_text.size() || m_text[i + 1] != '\n');
    if (m_text[i] == '\n' || carriageReturn)
      m_lineStarts.push_back(static_cast<uint32_t>(i + 1));
  }
}

uint32_t SourceFile::line(uint32_t offset) const {
  auto next = std::upper_bound(m_lineStarts.begin(), m_lineStarts.end(), offset);
  return static_cast<uint32_t>(next - m_lineStarts.begin());
}

SourceRange SourceFile::lineRange(uint32_t line) const {
  line = std::clamp<uint32_t>(line, 1, lineCount());
  uint32_t begin = m_lineStarts[line - 1];
  uint32_t end = line < lineCount() ? m_lineStarts[line] : static_cast<uint32_t>(m_text.size());
  if (end > begin && m_text[end - 1] == '\n')
    --end;
  if (end > begin && m_text[end - 1] == '\r')
    --end;
  return {begin, end};
}

LineColumn SourceFile::lineColumn(uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(m_text.size()));
  LineColumn place{line(offset), 1};
  // No editor shows a byte order mark, and so it has no column.
  const uint32_t mark = place.line == 1 && m_text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  for (uint32_t i = m_lineStarts[place.line - 1] + mark; i < offset; i += sequenceLength(m_text, i))
    ++place.column;
  return place;
}

Utf16Position SourceFile::utf16(uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(m_text.size()));
  Utf16Position position{line(offset) - 1, 0};
  for (uint32_t i = m_lineStarts[position.line]; i < offset;) {
    uint32_t length = sequenceLength(m_text, i);
    position.character += utf16Units(length);
    i += length;
  }
  return position;
}

uint32_t SourceFile::offset(Utf16Position position) const {
  if (position.line >= lineCount())
    return static_cast<uint32_t>(m_text.size());
  SourceRange range = lineRange(position.line + 1);
  uint32_t at = range.begin;
  for (uint32_t units = 0; at < range.end && units < position.character;) {
    uint32_t length = sequenceLength(m_text, at);
    units += utf16Units(length);
    at += length;
  }
  return at;
}

} // namespace tilescope
