// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The view "Tiles on SMs": the output of a launch cut into tiles, the programs that made them on the SMs of a
// GPU, wave after wave; with its transport bar. It is given messages and asks for what it lacks by signals.
//
//   setLaunch(launch); setSchedule(schedule);      both needed, in any order
//   tilesNeeded(output, first, count)  ->  addTiles(output, page)      until the whole grid is there
#pragma once

#include "compiler/Protocol/Messages.h"
#include "visualizer/render/Theme.h"
#include "visualizer/widgets/Selection.h"

#include <QImage>
#include <QWidget>
#include <memory>

namespace tilescope::viz {

class SmViewWidget final : public QWidget {
  Q_OBJECT
public:
  explicit SmViewWidget(Selection &selection, QWidget *parent = nullptr);
  ~SmViewWidget() override;

  void setLaunch(const protocol::LaunchSummary &launch);
  void setSchedule(const protocol::Schedule &schedule);
  void addTiles(int output, const protocol::TilePage &page);
  void setProgramDetail(const protocol::ProgramDetail &detail);
  void setTheme(const Theme &theme);
  /// The script was edited after this launch: the picture stays and says that it is older.
  void setStale(bool stale);
  /// End states only: nothing flies and nothing fades.
  void setReducedMotion(bool reduced);
  /// No launch: says in words how to get one.
  void clear();
  /// The language has changed.
  void retranslate();

  /// The view as it stands, at `size` pixels, without its transport bar.
  QImage picture(QSize size) const;

Q_SIGNALS:
  /// Answer with addTiles.
  void tilesNeeded(int output, qint64 first, qint64 count);
  /// Answer with setProgramDetail.
  void programDetailNeeded(qint64 program);
  void programHovered(qint64 program);               ///< -1: none
  void programSelected(qint64 program);              ///< clicked or chosen by keyboard; Selection has it too
  void lineActivated(const QString &path, int line); ///< from 1

protected:
  bool eventFilter(QObject *object, QEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  struct Private;
  std::unique_ptr<Private> d;
};

} // namespace tilescope::viz
