// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `tilescope` understands on its command line.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace tilescope::app {

struct CommandLine {
  QStringList files;
  QString language; ///< empty: as kept, else the system's
  QString theme;    ///< empty: as kept
  QString tilec;    ///< the compiler's program

  QString render; ///< a script to paint without a window
  QString view = "sm";
  int launch = 0;
  int access = 0;       ///< of the launch
  qint64 program = -1;  ///< -1: the view's own choice
  double at = 1; ///< share of the animation
  QString gpu = "H200";
  QSize size{1920, 1080};
  QString output;

  QString screenshot; ///< of the window, for documentation
  bool afterRun = false;
  bool startupTime = false;

  std::optional<int> exitCode; ///< set: report() and leave with it
  QString message;             ///< its key
  QStringList messageArguments;

  /// Before there is a QApplication: a picture needs no display.
  static void prepare(int argc, char **argv);
  static CommandLine parse(const QStringList &arguments);
  int report() const;
};

} // namespace tilescope::app
