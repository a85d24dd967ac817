// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The view "Coalescing": how the lanes of a warp reach memory, in one access of the chosen launch by one program. It
// is given messages and says what it wants to show:
//
//   setLaunch(launch)   ->  wanted()          asked(): launch's access, program, execution
//   setAccess(detail), addPage(detail) …, setCount(count)
#pragma once

#include "visualizer/model/CoalescingScene.h"
#include "visualizer/widgets/LaunchView.h"
#include "visualizer/widgets/Selection.h"

#include <memory>

namespace tilescope::viz {

class CoalescingViewWidget final : public LaunchView {
  Q_OBJECT
public:
  explicit CoalescingViewWidget(Selection &selection, QWidget *parent = nullptr);
  ~CoalescingViewWidget() override;

  QString id() const override { return "coalescing"; }
  void setLaunch(const protocol::LaunchSummary &launch) override;
  void clear() override;
  void setStale(bool stale) override;
  void setTheme(const Theme &theme) override;
  void setReducedMotion(bool reduced) override;
  void retranslate() override;
  Playable playable() const override;
  double time() const override;
  void setTime(double time) override;
  QString narration(double time) const override;
  void paint(QPainter &painter, const QRectF &box, double time, const Theme &theme) const override;

  /// What it shows, or waits for.
  struct Asked {
    int access = 0; ///< -1: the launch has none
    qint64 program = 0, execution = 0;
    friend bool operator==(const Asked &, const Asked &) = default;
  };
  Asked asked() const;
  /// The first page of what it asked for.
  void setAccess(const protocol::AccessDetail &detail, const QString &gpu);
  void addPage(const protocol::AccessDetail &page);
  void setCount(const protocol::AccessCount &count);
  /// There will be no answer, and why: a sentence.
  void setProblem(const QString &reason);
  const CoalescingScene &scene() const;

Q_SIGNALS:
  void wanted(); ///< asked() is another
  void shown();  ///< it has come to the front

protected:
  bool eventFilter(QObject *object, QEvent *event) override;
  void showEvent(QShowEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  struct Private;
  std::unique_ptr<Private> d;
};

} // namespace tilescope::viz
