// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Language Server Protocol's framing: "Content-Length: N\r\n\r\n" before each JSON message.
#pragma once

#include <QByteArray>

#include <optional>

namespace tilescope::app {

QByteArray framed(const std::string &json);

/// Takes bytes as they come and gives whole messages back.
class FrameReader final {
public:
  void append(const QByteArray &bytes) { m_buffer += bytes; }
  /// The next whole message, or nothing yet.
  std::optional<QByteArray> next();
  /// The peer sent something that is no frame; nothing more can be read.
  bool isBroken() const { return m_broken; }

private:
  QByteArray m_buffer;
  bool m_broken = false;
};

} // namespace tilescope::app
