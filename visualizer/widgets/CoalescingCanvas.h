// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The picture of CoalescingViewWidget: paints its scene, can be zoomed and dragged, says what the pointer is on, and
// tells what was clicked.
#pragma once

#include "visualizer/render/CoalescingView.h"

#include <QTransform>
#include <QWidget>

namespace tilescope::viz {

class CoalescingCanvas final : public QWidget {
  Q_OBJECT
public:
  explicit CoalescingCanvas(QWidget *parent = nullptr);

  /// What is painted lives elsewhere; null for none, of which `words` are shown: a title and a hint.
  void setScene(const CoalescingScene *scene, const QStringList &words);
  void setTheme(const Theme &theme);
  const Theme &theme() const { return m_view.theme(); }
  void setTime(double time);
  const CoalescingState &state() const { return m_state; }
  void setState(const CoalescingState &state);

  QSize sizeHint() const override { return {900, 760}; }
  QSize minimumSizeHint() const override { return {320, 280}; }

Q_SIGNALS:
  void clicked(const CoalescingHit &hit);
  void keyPressed(QKeyEvent *event);

protected:
  void paintEvent(QPaintEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void leaveEvent(QEvent *event) override;
  void wheelEvent(QWheelEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void focusInEvent(QFocusEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;

private:
  CoalescingHit hitAt(QPointF at);
  void hover(QPointF at);
  void describe();
  void fit();
  QStringList calloutLines() const;
  QStringList laneLines(int lane) const;

  CoalescingView m_view;
  const CoalescingScene *m_scene = nullptr;
  QStringList m_words;
  CoalescingState m_state;
  CoalescingHit m_hovered;
  double m_time = 0;
  QTransform m_zoom;
  QPointF m_pointer, m_pressed;
  bool m_dragging = false, m_focusShown = false;
};

} // namespace tilescope::viz
