// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A view with nothing to show, quietly: the place of one that is still to come.
#pragma once

#include "visualizer/widgets/LaunchView.h"

namespace tilescope::viz {

class EmptyView final : public LaunchView {
  Q_OBJECT
public:
  explicit EmptyView(QString id, QWidget *parent = nullptr) : LaunchView(parent), m_id(std::move(id)) {}

  QString id() const override { return m_id; }
  void setLaunch(const protocol::LaunchSummary &) override {}
  void clear() override {}
  void setStale(bool) override {}
  void setTheme(const Theme &theme) override;
  void setReducedMotion(bool) override {}
  void retranslate() override { update(); }
  bool plays() const override { return false; }
  Playable playable() const override { return {}; }
  double time() const override { return 0; }
  void setTime(double) override {}
  QString narration(double) const override { return {}; }
  void paint(QPainter &painter, const QRectF &box, double time, const Theme &theme) const override;

protected:
  void paintEvent(QPaintEvent *event) override;

private:
  QString m_id;
  Theme m_theme = Theme::light();
};

/// The words of a picture that has nothing to show, in its middle: what will be there, and how to get it.
void paintNothing(QPainter &painter, const QRectF &box, const Theme &theme, const QString &title,
                  const QString &hint);

} // namespace tilescope::viz
