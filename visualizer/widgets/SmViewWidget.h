// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The view "Tiles on SMs": the output of a launch cut into tiles, the programs that made them on the SMs of a
// GPU, wave after wave. It is given messages and asks for what it lacks by signals.
//
//   setLaunch(launch); setSchedule(schedule);      both needed, in any order
//   tilesNeeded(output, first, count)  ->  addTiles(output, page)      until the whole grid is there
#pragma once

#include "visualizer/widgets/LaunchView.h"
#include "visualizer/widgets/Selection.h"

#include <QImage>
#include <memory>

namespace tilescope::viz {

class SmViewWidget final : public LaunchView {
  Q_OBJECT
public:
  explicit SmViewWidget(Selection &selection, QWidget *parent = nullptr);
  ~SmViewWidget() override;

  QString id() const override { return "sm"; }
  void setLaunch(const protocol::LaunchSummary &launch) override;
  void setSchedule(const protocol::Schedule &schedule);
  void addTiles(int output, const protocol::TilePage &page);
  void setProgramDetail(const protocol::ProgramDetail &detail);
  void setTheme(const Theme &theme) override;
  void setStale(bool stale) override;
  void setReducedMotion(bool reduced) override;
  void clear() override;
  void retranslate() override;

  Playable playable() const override;
  double time() const override;
  void setTime(double time) override;
  QString narration(double time) const override;
  void paint(QPainter &painter, const QRectF &box, double time, const Theme &theme) const override;
  /// The view as it stands, at `size` pixels.
  QImage picture(QSize size) const;

Q_SIGNALS:
  /// Answer with addTiles.
  void tilesNeeded(int output, qint64 first, qint64 count);
  /// Answer with setProgramDetail.
  void programDetailNeeded(qint64 program);
  void programHovered(qint64 program);  ///< -1: none
  void programSelected(qint64 program); ///< clicked or chosen by keyboard; Selection has it too

protected:
  bool eventFilter(QObject *object, QEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  struct Private;
  std::unique_ptr<Private> d;
};

} // namespace tilescope::viz
