// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The picture of CoalescingViewWidget: paints its scene, and tells what was clicked.
#pragma once

#include "visualizer/render/CoalescingView.h"
#include "visualizer/widgets/PictureCanvas.h"

namespace tilescope::viz {

class CoalescingCanvas final : public PictureCanvas {
  Q_OBJECT
public:
  using PictureCanvas::PictureCanvas;

  /// What is painted lives elsewhere; null for none, of which `words` are shown: a title and a hint.
  void setScene(const CoalescingScene *scene, const QStringList &words);
  void setTheme(const Theme &theme);
  const Theme &theme() const override { return m_view.theme(); }
  void setTime(double time);
  const CoalescingState &state() const { return m_state; }
  void setState(const CoalescingState &state);

Q_SIGNALS:
  void clicked(const CoalescingHit &hit);

protected:
  bool hasPicture() const override { return m_scene && !m_scene->empty(); }
  void paintPicture(QPainter &painter) override;
  void paintEmpty(QPainter &painter) override;
  bool point(QPointF at) override;
  void leave() override;
  void click(QPointF at) override;
  QStringList calloutLines() const override;

private:
  CoalescingHit hitAt(QPointF at);
  void describe();
  QStringList laneLines(int lane) const;

  CoalescingView m_view;
  const CoalescingScene *m_scene = nullptr;
  QStringList m_words;
  CoalescingState m_state;
  CoalescingHit m_hovered;
  double m_time = 0;
};

} // namespace tilescope::viz
