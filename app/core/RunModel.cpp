// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/RunModel.h"

#include <QStringList>

namespace tilescope::app {

const protocol::LaunchSummary *RunModel::launch(int index) const {
  return index >= 0 && static_cast<size_t>(index) < m_launches.size()
             ? &m_launches[static_cast<size_t>(index)]
             : nullptr;
}

void RunModel::begin(const QString &script) {
  m_launches.clear();
  m_script = script;
  emit reset();
  setStale(false);
}

void RunModel::add(const protocol::LaunchSummary &launch) {
  m_launches.push_back(launch);
  emit launchAdded(static_cast<int>(m_launches.size()) - 1);
}

void RunModel::setStale(bool stale) {
  if (std::exchange(m_stale, stale) != stale)
    emit staleChanged(stale);
}

QString shapeText(const std::vector<int64_t> &shape) {
  QStringList sizes;
  for (int64_t size : shape)
    sizes << QString::number(size);
  return sizes.join(QStringLiteral(" × "));
}

} // namespace tilescope::app
