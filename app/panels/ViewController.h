// SPDX-License-Identifier: GPL-3.0-or-later
//
// Feeds the views: gives them the chosen launch, asks the run process for what they lack, and keeps the GPU that
// launches are modelled for.
#pragma once

#include "app/core/RunController.h"
#include "app/core/RunModel.h"
#include "visualizer/widgets/SmViewWidget.h"
#include "visualizer/widgets/ViewArea.h"

namespace tilescope::app {

class ViewController final : public QObject {
  Q_OBJECT
public:
  /// Makes the views and gives them to `area`.
  ViewController(RunModel &model, viz::Selection &selection, RunController &runs, viz::ViewArea &area,
                 QObject *parent = nullptr);

  const std::vector<protocol::GpuInfo> &gpus() const { return m_gpus; }
  const QString &gpu() const { return m_gpu; }
  void setGpu(const QString &name);

signals:
  void programHovered(qint64 program); ///< -1 for none
  void gpusKnown();
  void gpuChanged(const QString &name);

private:
  void connectSm();
  void showLaunch(int index);
  void askSchedule();
  void askGpus();

  RunModel &m_model;
  viz::Selection &m_selection;
  RunController &m_runs;
  viz::ViewArea &m_area;
  viz::SmViewWidget &m_sm;
  std::vector<protocol::GpuInfo> m_gpus;
  QString m_gpu;
};

} // namespace tilescope::app
