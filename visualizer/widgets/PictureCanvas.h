// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pictures of all views can do: be zoomed with the wheel and dragged, say what the pointer is on, be clicked,
// hand keys on, show a frame to those who came by keyboard. A view's canvas says what is painted and where what is.
#pragma once

#include "visualizer/render/Theme.h"

#include <QTransform>
#include <QWidget>

namespace tilescope::viz {

class PictureCanvas : public QWidget {
  Q_OBJECT
public:
  explicit PictureCanvas(QWidget *parent = nullptr);

  virtual const Theme &theme() const = 0;
  /// The whole picture in the widget.
  void fit();

  QSize sizeHint() const override { return {900, 760}; }
  QSize minimumSizeHint() const override { return {320, 280}; }

Q_SIGNALS:
  /// One that the canvas has no use for.
  void keyPressed(QKeyEvent *event);

protected:
  virtual bool hasPicture() const = 0;
  virtual void paintPicture(QPainter &painter) = 0; ///< as large as the widget
  virtual void paintEmpty(QPainter &painter) = 0;   ///< where there is none
  // Points are those of the picture, whatever its zoom.
  /// The pointer is there. True if something is, that can be clicked and that `calloutLines` tell of.
  virtual bool point(QPointF at) = 0;
  /// It is nowhere any more.
  virtual void leave() = 0;
  virtual void click(QPointF at) = 0;
  virtual QStringList calloutLines() const = 0;
  virtual bool handleKey(const QKeyEvent &) { return false; }
  bool isWhole() const { return m_zoom.isIdentity(); }

  void paintEvent(QPaintEvent *event) final;
  void mouseMoveEvent(QMouseEvent *event) final;
  void mousePressEvent(QMouseEvent *event) final;
  void mouseReleaseEvent(QMouseEvent *event) final;
  void leaveEvent(QEvent *event) final;
  void wheelEvent(QWheelEvent *event) final;
  void keyPressEvent(QKeyEvent *event) final;
  void focusInEvent(QFocusEvent *event) final;
  void focusOutEvent(QFocusEvent *event) final;
  void resizeEvent(QResizeEvent *event) final;

private:
  QPointF inPicture(QPointF at) const { return m_zoom.inverted().map(at); }

  QTransform m_zoom;
  QPointF m_pointer, m_pressed;
  bool m_dragging = false, m_focusShown = false;
};

} // namespace tilescope::viz
