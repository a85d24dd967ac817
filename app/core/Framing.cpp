// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/Framing.h"

namespace tilescope::app {

QByteArray framed(const std::string &json) {
  QByteArray bytes =
      "Content-Length: " + QByteArray::number(static_cast<qulonglong>(json.size())) + "\r\n\r\n";
  return bytes.append(json.data(), static_cast<qsizetype>(json.size()));
}

std::optional<QByteArray> FrameReader::next() {
  constexpr qsizetype LongestHeader = 4096;
  qsizetype end = m_buffer.indexOf("\r\n\r\n");
  if (end < 0) {
    m_broken |= m_buffer.size() > LongestHeader;
    return std::nullopt;
  }
  qsizetype length = -1;
  for (const QByteArray &line : m_buffer.left(end).split('\n')) {
    qsizetype colon = line.indexOf(':');
    if (colon > 0 && line.left(colon).trimmed().toLower() == "content-length")
      length = line.mid(colon + 1).trimmed().toLongLong();
  }
  if (length < 0) {
    m_broken = true;
    return std::nullopt;
  }
  if (m_buffer.size() < end + 4 + length)
    return std::nullopt;
  QByteArray message = m_buffer.mid(end + 4, length);
  m_buffer.remove(0, end + 4 + length);
  return message;
}

} // namespace tilescope::app
