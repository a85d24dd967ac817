// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/ViewController.h"

#include <QSettings>

namespace tilescope::app {

ViewController::ViewController(RunModel &model, viz::Selection &selection, RunController &runs,
                               viz::ViewArea &area, QObject *parent)
    : QObject(parent), m_model(model), m_selection(selection), m_runs(runs), m_area(area),
      m_gpu(QSettings().value("gpu", "H200").toString()) {
  for (const QString &id : viewIds()) {
    ViewFeed *feed = m_feeds.emplace_back(makeFeed(id, selection, runs, this));
    area.add(&feed->view());
    connect(feed, &ViewFeed::programHovered, this, &ViewController::programHovered);
  }
  connect(&model, &RunModel::reset, this, [this] { m_selection.clear(); });
  connect(&model, &RunModel::launchAdded, this, [this](int index) {
    if (m_selection.launch() < 0)
      m_selection.setLaunch(index, QString::fromStdString(m_model.launch(index)->kernel));
  });
  connect(&model, &RunModel::staleChanged, &area, &viz::ViewArea::setStale);
  connect(&selection, &viz::Selection::launchChanged, this, &ViewController::showLaunch);
  connect(&runs, &RunController::available, this, &ViewController::askGpus);
}

void ViewController::showLaunch(int index) {
  const protocol::LaunchSummary *launch = m_model.launch(index);
  if (!launch)
    return m_area.clear();
  m_area.setLaunch(*launch);
  m_area.setStale(m_model.isStale());
  feedAll();
}

void ViewController::feedAll() {
  if (const protocol::LaunchSummary *launch = m_model.launch(m_selection.launch()))
    for (ViewFeed *feed : m_feeds)
      feed->feed(*launch, m_gpu);
}

void ViewController::askGpus() {
  if (!m_gpus.empty())
    return;
  m_runs.askGpus([this](const protocol::GpuList &list) {
    m_gpus = list.gpus;
    emit gpusKnown();
  });
}

void ViewController::setGpu(const QString &name) {
  m_gpu = name;
  QSettings().setValue("gpu", name);
  emit gpuChanged(name);
  feedAll();
}

} // namespace tilescope::app
