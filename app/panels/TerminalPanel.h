// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the script prints, and what is said about its run; a problem can be clicked to go to its place. Output
// that comes faster than it can be shown is gathered; the oldest lines go when there are too many.
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
  /// A problem in line `number` (from 1) of a file.
  void sayProblem(const QString &line, const QString &path, int number);
  void print(const QString &text);
  /// Clears all and says that it waits.
  void restart(const QString &readyLine);
  /// It still waits for the first run.
  bool isFresh() const { return m_fresh; }
  /// A run begins: what the last one said goes.
  void begin(const QString &line);
  void setTheme(const viz::Theme &theme);

signals:
  void lineActivated(const QString &path, int line);

protected:
  void contextMenuEvent(QContextMenuEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void paintEvent(QPaintEvent *event) override;

private:
  void flush();
  void append(const QString &text, Voice voice, const QString &link = {});
  void sayLine(const QString &line, Voice voice, const QString &link);
  QString linkAt(QPoint place) const;

  viz::Theme m_theme;
  QString m_waiting;
  QTimer m_pause;
  bool m_fresh = true; ///< nothing has run since it said that it waits
};

} // namespace tilescope::app
