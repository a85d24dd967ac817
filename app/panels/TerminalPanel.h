// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the script prints, and what is said about its run. Output that comes faster than it can be shown is
// gathered; the oldest lines go when there are too many.
#pragma once

#include "visualizer/render/Theme.h"

#include <QPlainTextEdit>
#include <QTimer>

namespace tilescope::app {

class TerminalPanel final : public QPlainTextEdit {
  Q_OBJECT
public:
  explicit TerminalPanel(QWidget *parent = nullptr);

  enum class Voice { Program, Tilescope, Problem };
  void say(const QString &line, Voice voice = Voice::Tilescope);
  void print(const QString &text);
  void restart(const QString &firstLine);
  void setTheme(const viz::Theme &theme);

protected:
  void contextMenuEvent(QContextMenuEvent *event) override;

private:
  void flush();
  void append(const QString &text, Voice voice);

  viz::Theme m_theme;
  QString m_waiting;
  QTimer m_pause;
};

} // namespace tilescope::app
