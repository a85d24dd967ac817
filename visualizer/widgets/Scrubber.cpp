// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/Scrubber.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace tilescope::viz {

namespace {
constexpr int Steps = 10'000; ///< of the slider; time itself is exact
} // namespace

Scrubber::Scrubber(QWidget *parent) : QAbstractSlider(parent) {
  setRange(0, Steps);
  setSingleStep(Steps / 100);
  setPageStep(Steps / 10);
  setFocusPolicy(Qt::TabFocus);
  setCursor(Qt::PointingHandCursor);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Scrubber::setTheme(const Theme &theme) {
  m_theme = theme;
  update();
}

void Scrubber::setSpan(double duration, std::vector<double> ticks) {
  m_duration = duration;
  m_ticks = std::move(ticks);
  setTime(std::min(m_time, duration));
  update();
}

void Scrubber::setTime(double time) {
  m_time = std::clamp(time, 0.0, m_duration);
  m_setting = true;
  setValue(m_duration > 0 ? static_cast<int>(std::lround(m_time / m_duration * Steps)) : 0);
  m_setting = false;
  update();
}

void Scrubber::sliderChange(SliderChange change) {
  QAbstractSlider::sliderChange(change);
  if (change != SliderValueChange || m_setting)
    return;
  // By keyboard, wheel or an assistive technology.
  m_time = m_duration * value() / Steps;
  Q_EMIT timeChosen(m_time);
}

double Scrubber::xOf(double time) const {
  return left() + (m_duration > 0 ? (right() - left()) * time / m_duration : 0);
}

void Scrubber::choose(double x) {
  setTime((x - left()) / std::max(1.0, right() - left()) * m_duration);
  Q_EMIT timeChosen(m_time);
}

void Scrubber::mousePressEvent(QMouseEvent *event) {
  if (event->button() == Qt::LeftButton)
    choose(event->position().x());
}

void Scrubber::mouseMoveEvent(QMouseEvent *event) {
  if (event->buttons() & Qt::LeftButton)
    choose(event->position().x());
}

void Scrubber::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  double y = height() / 2.0, x = xOf(m_time);
  auto line = [&](double to, const QColor &color) {
    painter.setPen(QPen(color, 4, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(left(), y), QPointF(to, y));
  };
  line(right(), m_theme.hair2);
  line(x, m_theme.ink);
  painter.setPen(QPen(m_theme.hair2, 1));
  double last = -1e9;
  for (double tick : m_ticks) {
    double at = std::round(xOf(tick)) + 0.5;
    if (at - last < 4)
      continue;
    painter.drawLine(QPointF(at, y + 7), QPointF(at, y + 12));
    last = at;
  }
  if (hasFocus()) {
    painter.setPen(QPen(m_theme.text3, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(QPointF(x, y), 11, 11);
  }
  painter.setPen(QPen(m_theme.ink, 2));
  painter.setBrush(m_theme.ground);
  painter.drawEllipse(QPointF(x, y), 8, 8);
}

} // namespace tilescope::viz
