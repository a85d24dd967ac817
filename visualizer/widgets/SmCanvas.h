// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The picture of SmViewWidget: paints its scene, can be zoomed and dragged, and tells which program is
// pointed at or chosen.
#pragma once

#include "visualizer/render/SmView.h"

#include <QTransform>
#include <QWidget>
#include <optional>

namespace tilescope::viz {

class SmCanvas final : public QWidget {
  Q_OBJECT
public:
  explicit SmCanvas(QWidget *parent = nullptr);

  /// What is painted lives elsewhere; null for none.
  void setScene(const SmScene *scene);
  /// The scene has changed, or the language.
  void refresh();
  void setTheme(const Theme &theme);
  const Theme &theme() const { return m_view.theme(); }
  void setTime(double time);
  double time() const { return m_time; }
  const SmState &state() const { return m_state; }
  void setState(const SmState &state);
  void setDetail(const protocol::ProgramDetail &detail);
  /// The whole picture in the widget.
  void fit();
  /// Where the name of the output stands, for a chooser beside it; empty where the picture is zoomed.
  QRect outputTitle();

  QSize sizeHint() const override { return {900, 760}; }
  QSize minimumSizeHint() const override { return {320, 280}; }

Q_SIGNALS:
  void hovered(qint64 program);
  void chosen(qint64 program);
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
  bool showsScene() const { return m_scene && !m_scene->empty() && m_scene->waves() > 0; }
  int64_t programAt(QPointF at);
  void hover(int64_t program);
  void describe();
  void paintEmpty(QPainter &painter);
  void paintCallout(QPainter &painter);
  QStringList calloutLines() const;
  bool handleKey(const QKeyEvent &event);

  SmView m_view;
  const SmScene *m_scene = nullptr;
  SmState m_state;
  std::optional<protocol::ProgramDetail> m_detail;
  double m_time = 0;
  int64_t m_described = -1;
  QTransform m_zoom;
  QPointF m_pointer, m_pressed;
  bool m_dragging = false, m_focusShown = false;
};

} // namespace tilescope::viz
