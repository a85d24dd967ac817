// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is known of the last run: its launches as they come, and whether the script has been edited since.
#pragma once

#include "compiler/Protocol/Messages.h"

#include <QObject>
#include <QString>

#include <vector>

namespace tilescope::app {

class RunModel final : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  const std::vector<protocol::LaunchSummary> &launches() const { return m_launches; }
  /// Null for an index that is none.
  const protocol::LaunchSummary *launch(int index) const;
  const QString &script() const { return m_script; }
  bool isStale() const { return m_stale; }

  void begin(const QString &script);
  void add(const protocol::LaunchSummary &launch);
  void setStale(bool stale);

signals:
  void reset();
  void launchAdded(int index);
  void staleChanged(bool stale);

private:
  std::vector<protocol::LaunchSummary> m_launches;
  QString m_script;
  bool m_stale = false;
};

/// "1823 × 781".
QString shapeText(const std::vector<int64_t> &shape);

} // namespace tilescope::app
