// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The line of time with its events as ticks. A slider to those who cannot see it.
#pragma once

#include "visualizer/render/Theme.h"

#include <QAbstractSlider>
#include <vector>

namespace tilescope::viz {

class Scrubber final : public QAbstractSlider {
  Q_OBJECT
public:
  explicit Scrubber(QWidget *parent = nullptr);

  void setTheme(const Theme &theme);
  /// Time goes from 0 to `duration`; `ticks` are times.
  void setSpan(double duration, std::vector<double> ticks);
  void setTime(double time);
  double time() const { return m_time; }

  QSize sizeHint() const override { return {240, 44}; }
  QSize minimumSizeHint() const override { return {80, 32}; }

Q_SIGNALS:
  /// A person moved it.
  void timeChosen(double time);

protected:
  void paintEvent(QPaintEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void sliderChange(SliderChange change) override;

private:
  double left() const { return 10; }
  double right() const { return width() - 10; }
  double xOf(double time) const;
  void choose(double x);

  Theme m_theme = Theme::light();
  double m_duration = 0, m_time = 0;
  std::vector<double> m_ticks;
  bool m_setting = false;
};

} // namespace tilescope::viz
