// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The picture of SmViewWidget: paints its scene, and tells which program is pointed at or chosen.
#pragma once

#include "visualizer/render/SmView.h"
#include "visualizer/widgets/PictureCanvas.h"

#include <optional>

namespace tilescope::viz {

class SmCanvas final : public PictureCanvas {
  Q_OBJECT
public:
  explicit SmCanvas(QWidget *parent = nullptr);

  /// What is painted lives elsewhere; null for none.
  void setScene(const SmScene *scene);
  /// The scene has changed, or the language.
  void refresh();
  void setTheme(const Theme &theme);
  const Theme &theme() const override { return m_view.theme(); }
  void setTime(double time);
  double time() const { return m_time; }
  const SmState &state() const { return m_state; }
  void setState(const SmState &state);
  void setDetail(const protocol::ProgramDetail &detail);
  /// Where the name of the output stands, for a chooser beside it; empty where the picture is zoomed.
  QRect outputTitle();

Q_SIGNALS:
  void hovered(qint64 program);
  void chosen(qint64 program);

protected:
  bool hasPicture() const override { return m_scene && !m_scene->empty() && m_scene->waves() > 0; }
  void paintPicture(QPainter &painter) override;
  void paintEmpty(QPainter &painter) override;
  bool point(QPointF at) override;
  void leave() override { hover(-1); }
  void click(QPointF at) override;
  QStringList calloutLines() const override;
  bool handleKey(const QKeyEvent &event) override;

private:
  int64_t programAt(QPointF at);
  void hover(int64_t program);
  void describe();

  SmView m_view;
  const SmScene *m_scene = nullptr;
  SmState m_state;
  std::optional<protocol::ProgramDetail> m_detail;
  double m_time = 0;
  int64_t m_described = -1;
};

} // namespace tilescope::viz
