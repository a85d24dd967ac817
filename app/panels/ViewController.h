// SPDX-License-Identifier: GPL-3.0-or-later
//
// Feeds the view "Tiles on SMs": gives it the chosen launch, asks the run process for what the view lacks,
// and keeps the GPU that schedules are modelled for.
#pragma once

#include "app/core/RunController.h"
#include "app/core/RunModel.h"
#include "visualizer/widgets/SmViewWidget.h"

namespace tilescope::app {

class ViewController final : public QObject {
  Q_OBJECT
public:
  ViewController(RunModel &model, viz::Selection &selection, RunController &runs, viz::SmViewWidget &view,
                 QObject *parent = nullptr);

  const std::vector<protocol::GpuInfo> &gpus() const { return m_gpus; }
  const QString &gpu() const { return m_gpu; }
  void setGpu(const QString &name);

signals:
  void gpusKnown();
  void gpuChanged(const QString &name);

private:
  void showLaunch(int index);
  void askSchedule();
  void askGpus();

  RunModel &m_model;
  viz::Selection &m_selection;
  RunController &m_runs;
  viz::SmViewWidget &m_view;
  std::vector<protocol::GpuInfo> m_gpus;
  QString m_gpu;
};

} // namespace tilescope::app
