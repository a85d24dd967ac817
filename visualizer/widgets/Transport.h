// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bar under a view: previous, play or pause, next, the line of time, where it stands, speed, repeat. It
// knows time and events by functions only, so that every view can use it.
#pragma once

#include "visualizer/render/Theme.h"
#include "visualizer/widgets/Scrubber.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <functional>

class QKeyEvent;

namespace tilescope::viz {

class TransportButton;

/// Time as a view has it.
struct Playable {
  double duration = 0;
  double secondsPerUnit = 1;
  std::vector<double> ticks;
  std::function<double(double)> next, previous; ///< the event after and before a time
  std::function<QString(double)> label;         ///< "wave 4 of 4"
};

class Transport final : public QWidget {
  Q_OBJECT
public:
  explicit Transport(QWidget *parent = nullptr);

  void setPlayable(Playable playable);
  void setTheme(const Theme &theme);
  /// Goes from event to event, at the pace of play.
  void setReducedMotion(bool reduced) { m_reduced = reduced; }
  void retranslate();

  double time() const { return m_scrubber->time(); }
  void setTime(double time);
  bool playing() const { return m_timer.isActive(); }
  void setPlaying(bool playing);
  double speed() const { return m_speed; }
  void setSpeed(double speed);
  void stepForward();
  void stepBack();
  /// Space , . Home End; false for any other key.
  bool handleKey(const QKeyEvent &event);

Q_SIGNALS:
  void timeChanged(double time);
  void playingChanged(bool playing);

protected:
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;

private:
  void advance();
  void moveTo(double time);
  void arrange();
  void chooseSpeed();
  QString label() const;

  Theme m_theme = Theme::light();
  Playable m_playable;
  TransportButton *m_previous, *m_play, *m_next, *m_speedButton, *m_loop;
  Scrubber *m_scrubber;
  QRect m_labelBox;
  QTimer m_timer;
  QElapsedTimer m_clock;
  double m_speed = 1, m_waited = 0;
  bool m_reduced = false;
};

} // namespace tilescope::viz
