// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/Transport.h"

#include "visualizer/render/Text.h"
#include "visualizer/widgets/TransportButton.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

namespace tilescope::viz {

namespace {

constexpr std::array<double, 7> Speeds{0.1, 0.25, 0.5, 1, 1.5, 2, 4};

QString speedText(double speed) {
  int decimals = speed == std::floor(speed)                             ? 0
                 : std::abs(speed * 10 - std::round(speed * 10)) < 1e-6 ? 1
                                                                        : 2;
  return text("transport.speed.value", {decimal(speed, decimals)});
}

} // namespace

Transport::Transport(QWidget *parent) : QWidget(parent) {
  using Look = TransportButton::Look;
  m_previous = new TransportButton(Icon::Previous, Look::Plain, this);
  m_play = new TransportButton(Icon::Play, Look::Round, this);
  m_next = new TransportButton(Icon::Next, Look::Plain, this);
  m_scrubber = new Scrubber(this);
  m_speedButton = new TransportButton(Icon::Chevron, Look::Box, this);
  m_loop = new TransportButton(Icon::Loop, Look::Plain, this);
  m_loop->setCheckable(true);
  m_timer.setInterval(16);
  setFixedHeight(60);
  connect(m_previous, &QAbstractButton::clicked, this, &Transport::stepBack);
  connect(m_next, &QAbstractButton::clicked, this, &Transport::stepForward);
  connect(m_play, &QAbstractButton::clicked, this, [this] { setPlaying(!playing()); });
  connect(m_speedButton, &QAbstractButton::clicked, this, &Transport::chooseSpeed);
  connect(m_scrubber, &Scrubber::timeChosen, this, &Transport::moveTo);
  connect(&m_timer, &QTimer::timeout, this, &Transport::advance);
  retranslate();
}

void Transport::setPlayable(Playable playable) {
  setPlaying(false);
  m_playable = std::move(playable);
  m_scrubber->setSpan(m_playable.duration, m_playable.ticks);
  for (QWidget *part : {static_cast<QWidget *>(m_previous), static_cast<QWidget *>(m_play),
                        static_cast<QWidget *>(m_next), static_cast<QWidget *>(m_scrubber)})
    part->setEnabled(m_playable.duration > 0);
  arrange();
}

void Transport::setTheme(const Theme &theme) {
  m_theme = theme;
  for (TransportButton *button : {m_previous, m_play, m_next, m_speedButton, m_loop})
    button->setTheme(theme);
  m_scrubber->setTheme(theme);
  update();
}

void Transport::retranslate() {
  setAccessibleName(text("transport.bar"));
  m_previous->setWords(text("transport.previous"), ",");
  m_next->setWords(text("transport.next"), ".");
  m_play->setWords(text(playing() ? "transport.pause" : "transport.play"), text("transport.key.space"));
  m_scrubber->setAccessibleName(text("transport.scrubber"));
  m_speedButton->setWords(text("transport.speed"), {});
  m_loop->setWords(text("transport.loop"), {});
  m_speedButton->setText(speedText(m_speed));
  arrange();
}

QString Transport::label() const { return m_playable.label ? m_playable.label(time()) : QString(); }

void Transport::setTime(double time) {
  m_scrubber->setTime(time);
  m_scrubber->setAccessibleDescription(label());
  update();
}

void Transport::moveTo(double time) {
  setTime(time);
  Q_EMIT timeChanged(this->time());
}

void Transport::setPlaying(bool playing) {
  if (playing == this->playing() || (playing && m_playable.duration <= 0))
    return;
  if (playing && time() >= m_playable.duration)
    moveTo(0);
  m_waited = 0;
  m_clock.start();
  playing ? m_timer.start() : m_timer.stop();
  m_play->setIcon(playing ? Icon::Pause : Icon::Play);
  m_play->setWords(text(playing ? "transport.pause" : "transport.play"), text("transport.key.space"));
  Q_EMIT playingChanged(playing);
}

void Transport::advance() {
  double units = static_cast<double>(m_clock.restart()) / 1000 * m_speed / m_playable.secondsPerUnit;
  double time = this->time() + units;
  if (m_reduced) {
    m_waited += units;
    double next = m_playable.next(this->time());
    if (m_waited < next - this->time())
      return;
    m_waited = 0;
    time = next;
  }
  if (time < m_playable.duration)
    return moveTo(time);
  moveTo(m_loop->isChecked() ? 0 : m_playable.duration);
  if (!m_loop->isChecked())
    setPlaying(false);
}

void Transport::setSpeed(double speed) {
  m_speed = std::clamp(speed, Speeds.front(), Speeds.back());
  m_speedButton->setText(speedText(m_speed));
  m_speedButton->update();
}

void Transport::chooseSpeed() {
  QMenu menu(this);
  for (double speed : Speeds) {
    QAction *action = menu.addAction(speedText(speed), this, [this, speed] { setSpeed(speed); });
    action->setCheckable(true);
    action->setChecked(speed == m_speed);
  }
  menu.exec(m_speedButton->mapToGlobal(QPoint(0, -menu.sizeHint().height())));
}

void Transport::stepForward() {
  setPlaying(false);
  if (m_playable.next)
    moveTo(m_playable.next(time()));
}

void Transport::stepBack() {
  setPlaying(false);
  if (m_playable.previous)
    moveTo(m_playable.previous(time()));
}

bool Transport::handleKey(const QKeyEvent &event) {
  switch (event.key()) {
  case Qt::Key_Space:
    setPlaying(!playing());
    return true;
  case Qt::Key_Comma:
    stepBack();
    return true;
  case Qt::Key_Period:
    stepForward();
    return true;
  case Qt::Key_Home:
    moveTo(0);
    return true;
  case Qt::Key_End:
    moveTo(m_playable.duration);
    return true;
  default:
    return false;
  }
}

void Transport::keyPressEvent(QKeyEvent *event) {
  if (!handleKey(*event))
    QWidget::keyPressEvent(event);
}

void Transport::resizeEvent(QResizeEvent *) { arrange(); }

/// Previous, play, next, time, label; speed and repeat where there is room.
void Transport::arrange() {
  bool roomy = width() >= 560;
  setFixedHeight(roomy ? 60 : 48);
  int y = height() / 2, x = roomy && width() >= 1280 ? 46 : roomy ? 16 : 4;
  auto put = [&](QWidget *part, int left, int width) {
    part->setGeometry(left, y - part->sizeHint().height() / 2, width, part->sizeHint().height());
    return left + width;
  };
  x = put(m_previous, x, 40);
  x = put(m_play, x, 40);
  x = put(m_next, x, 40);
  int right = width() - (width() >= 1280 ? 48 : 8);
  m_loop->setVisible(roomy);
  m_speedButton->setVisible(roomy);
  if (roomy) {
    put(m_loop, right - 40, 40);
    put(m_speedButton, right - 108, 60);
    right -= 132;
  }
  QFontMetricsF metrics(m_theme.font(Type::Small, Weight::Medium));
  // The label at the end is the widest: its numbers only grow.
  double widest = 0;
  if (m_playable.label)
    widest = std::max(metrics.horizontalAdvance(m_playable.label(m_playable.duration)),
                      metrics.horizontalAdvance(m_playable.label(0)));
  int labelWidth = static_cast<int>(std::ceil(widest)) + 8;
  m_labelBox = QRect(right - labelWidth, 0, labelWidth, height());
  int end = m_labelBox.left() - (roomy ? 16 : 8);
  put(m_scrubber, x + (roomy ? 12 : 2), std::max(80, end - x - (roomy ? 12 : 2)));
  update();
}

void Transport::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.chrome);
  painter.fillRect(0, 0, width(), 1, m_theme.hair);
  painter.setFont(m_theme.font(Type::Small, Weight::Medium));
  painter.setPen(m_theme.ink);
  painter.drawText(m_labelBox, Qt::AlignVCenter | Qt::AlignLeft, label());
}

} // namespace tilescope::viz
