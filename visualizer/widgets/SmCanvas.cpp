// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/SmCanvas.h"

#include "visualizer/render/Text.h"
#include "visualizer/widgets/EmptyView.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

namespace tilescope::viz {

SmCanvas::SmCanvas(QWidget *parent) : PictureCanvas(parent) { refresh(); }

void SmCanvas::setScene(const SmScene *scene) {
  m_scene = scene;
  m_detail.reset();
  hover(-1);
  fit();
  refresh();
}

void SmCanvas::refresh() {
  m_described = -1;
  describe();
  update();
}

void SmCanvas::setTheme(const Theme &theme) {
  m_view.setTheme(theme);
  update();
}

void SmCanvas::setTime(double time) {
  m_time = time;
  describe();
  update();
}

void SmCanvas::setState(const SmState &state) {
  m_state = state;
  update();
}

void SmCanvas::setDetail(const protocol::ProgramDetail &detail) {
  m_detail = detail;
  update();
}

QRect SmCanvas::outputTitle() {
  return hasPicture() && isWhole() ? m_view.layout(size(), *m_scene).outputTitle.toAlignedRect()
                                             : QRect();
}

/// Once an event, not once a frame.
void SmCanvas::describe() {
  int64_t event = hasPicture() ? m_scene->clock().eventAt(m_time) : 0;
  if (event == m_described)
    return;
  m_described = event;
  QStringList sentences;
  if (hasPicture())
    for (const Phrase &phrase : m_scene->description(m_time))
      sentences.append(text(phrase).remove("**"));
  else
    sentences.append(text("sm.empty"));
  setAccessibleName(text("sm.title"));
  setAccessibleDescription(sentences.join("\n"));
}

int64_t SmCanvas::programAt(QPointF at) {
  return hasPicture() ? m_view.programAt(size(), *m_scene, m_time, at, m_state) : -1;
}

void SmCanvas::hover(int64_t program) {
  if (std::exchange(m_state.hovered, program) == program)
    return;
  Q_EMIT hovered(program);
  update();
}

bool SmCanvas::point(QPointF at) {
  hover(programAt(at));
  return m_state.hovered >= 0;
}

void SmCanvas::click(QPointF at) {
  if (int64_t program = programAt(at); program >= 0)
    Q_EMIT chosen(program);
}

void SmCanvas::paintPicture(QPainter &painter) { m_view.paint(painter, size(), *m_scene, m_time, m_state); }

void SmCanvas::paintEmpty(QPainter &painter) {
  bool waits = m_scene && !m_scene->empty();
  paintNothing(painter, rect(), m_view.theme(), text(waits ? "sm.no-schedule" : "sm.empty"),
               waits ? QString() : text("sm.empty.hint"));
}

QStringList SmCanvas::calloutLines() const {
  int64_t program = m_state.hovered;
  if (program < 0)
    return {};
  QStringList lines{
      text("sm.hover", {text("sm.program", {grouped(program)}), text(m_scene->programTile(program))})};
  if (m_scene->oneSlot())
    lines += text("sm.hover.sm", {grouped(program - m_scene->firstProgram(m_scene->waveOf(program))),
                                  grouped(m_scene->waveOf(program) + 1)});
  const protocol::LaunchSummary &launch = m_scene->launch();
  bool detailed = m_detail && m_detail->program == program;
  for (size_t i = 0; i < launch.accesses.size(); ++i) {
    const protocol::AccessSummary &access = launch.accesses[i];
    bool stores = m_scene->output() && m_scene->output()->access == static_cast<int>(i);
    if (!detailed && !stores)
      continue;
    QString what =
        text("sm.access." + QString::fromStdString(access.op), {QString::fromStdString(access.tensor)});
    QString line = text("sm.hover.line", {QString::number(access.line), what});
    if (detailed)
      for (const protocol::ProgramAccess &counted : m_detail->accesses)
        if (counted.access == static_cast<int>(i))
          line += "\n" +
                  text("sm.detail", {countText("sm.elements", static_cast<qint64>(counted.elements.active)),
                                     grouped(static_cast<qint64>(counted.elements.masked)),
                                     grouped(static_cast<qint64>(counted.elements.outOfBounds))});
    lines += line.split('\n');
  }
  return lines;
}

bool SmCanvas::handleKey(const QKeyEvent &event) {
  if (!hasPicture())
    return false;
  int64_t down =
      m_scene->tiling() == Tiling::RowEach ? 1 : std::max<int64_t>(1, m_scene->tiles().cellColumns());
  int64_t step = 0;
  switch (event.key()) {
  case Qt::Key_Left:
    step = -1;
    break;
  case Qt::Key_Right:
    step = 1;
    break;
  case Qt::Key_Up:
    step = -down;
    break;
  case Qt::Key_Down:
    step = down;
    break;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    break;
  default:
    return false;
  }
  Q_EMIT chosen(std::clamp<int64_t>(m_view.followed(size(), *m_scene, m_time, m_state) + step, 0,
                                    m_scene->programs() - 1));
  return true;
}

} // namespace tilescope::viz
