// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every view of a launch can do, so that the window needs to know no more of it: show a launch, be played,
// say what is going on, paint itself. What a view lacks it asks for by signals of its own. Views follow one
// Selection and never talk to each other; ViewArea.h puts them behind tabs, over one transport bar.
#pragma once

#include "compiler/Protocol/Messages.h"
#include "visualizer/widgets/Transport.h"

#include <QWidget>

class QKeyEvent;

namespace tilescope::viz {

class LaunchView : public QWidget {
  Q_OBJECT
public:
  using QWidget::QWidget;

  /// "sm", "coalescing", "sram": what the command line and the catalogue ("view.<id>") call it.
  virtual QString id() const = 0;
  virtual void setLaunch(const protocol::LaunchSummary &launch) = 0;
  /// No launch: says in words how to get one.
  virtual void clear() = 0;
  /// The script was edited after this launch: the picture stays and says that it is older.
  virtual void setStale(bool stale) = 0;
  virtual void setTheme(const Theme &theme) = 0;
  /// End states only: nothing flies and nothing fades.
  virtual void setReducedMotion(bool reduced) = 0;
  /// The language has changed.
  virtual void retranslate() = 0;

  /// False for a view that stands still whatever it shows: it has no transport bar.
  virtual bool plays() const { return true; }
  /// A duration of 0: there is nothing to play.
  virtual Playable playable() const = 0;
  /// In the unit of its playable.
  virtual double time() const = 0;
  virtual void setTime(double time) = 0;
  /// The sentence under the picture at a time, without marks; empty where there is no picture.
  virtual QString narration(double time) const = 0;
  /// The picture, without a pointer's traces, at any time and size and in any theme.
  virtual void paint(QPainter &painter, const QRectF &box, double time, const Theme &theme) const = 0;

Q_SIGNALS:
  void playableChanged();        ///< another scene, or other words for it: ask for all of it again
  void timeChanged(double time); ///< by the view itself too
  void keyPressed(QKeyEvent *event);
  void lineActivated(const QString &path, int line); ///< from 1
};

} // namespace tilescope::viz
