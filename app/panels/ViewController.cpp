// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/ViewController.h"

#include "visualizer/widgets/EmptyView.h"

#include <QSettings>

namespace tilescope::app {

ViewController::ViewController(RunModel &model, viz::Selection &selection, RunController &runs,
                               viz::ViewArea &area, QObject *parent)
    : QObject(parent), m_model(model), m_selection(selection), m_runs(runs), m_area(area),
      m_sm(*new viz::SmViewWidget(selection)), m_gpu(QSettings().value("gpu", "H200").toString()) {
  area.add(&m_sm);
  area.add(new viz::EmptyView("coalescing"));
  area.add(new viz::EmptyView("sram"));
  connect(&model, &RunModel::reset, this, [this] { m_selection.clear(); });
  connect(&model, &RunModel::launchAdded, this, [this](int index) {
    if (m_selection.launch() < 0)
      m_selection.setLaunch(index, QString::fromStdString(m_model.launch(index)->kernel));
  });
  connect(&model, &RunModel::staleChanged, &area, &viz::ViewArea::setStale);
  connect(&selection, &viz::Selection::launchChanged, this, &ViewController::showLaunch);
  connect(&runs, &RunController::available, this, &ViewController::askGpus);
  connectSm();
}

void ViewController::connectSm() {
  connect(&m_sm, &viz::SmViewWidget::tilesNeeded, this, [this](int output, qint64 first, qint64 count) {
    int launch = m_selection.launch();
    m_runs.askTiles(launch, output, first, count, [this, launch, output](const protocol::TilePage &page) {
      if (launch == m_selection.launch())
        m_sm.addTiles(output, page);
    });
  });
  connect(&m_sm, &viz::SmViewWidget::programDetailNeeded, this, [this](qint64 program) {
    m_runs.askProgram(m_selection.launch(), program,
                      [this](const protocol::ProgramDetail &detail) { m_sm.setProgramDetail(detail); });
  });
  connect(&m_sm, &viz::SmViewWidget::programHovered, this, &ViewController::programHovered);
}

void ViewController::showLaunch(int index) {
  const protocol::LaunchSummary *launch = m_model.launch(index);
  if (!launch)
    return m_area.clear();
  m_area.setLaunch(*launch);
  m_area.setStale(m_model.isStale());
  askSchedule();
}

void ViewController::askSchedule() {
  const protocol::LaunchSummary *launch = m_model.launch(m_selection.launch());
  if (!launch)
    return;
  protocol::ScheduleRequest request;
  request.gpu = m_gpu.toStdString();
  request.programs = static_cast<int64_t>(launch->programs);
  request.numWarps = launch->numWarps;
  int index = m_selection.launch();
  m_runs.askSchedule(request, [this, index](const protocol::Schedule &schedule) {
    if (index == m_selection.launch())
      m_sm.setSchedule(schedule);
  });
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
  askSchedule();
}

} // namespace tilescope::app
