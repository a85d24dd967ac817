// SPDX-License-Identifier: GPL-3.0-or-later
//
// Gives the views the chosen launch, each with a feed (ViewFeed.h) that asks the run process for what it lacks, and
// keeps the GPU that launches are modelled for.
#pragma once

#include "app/core/RunModel.h"
#include "app/panels/ViewFeed.h"
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
  void showLaunch(int index);
  void feedAll();
  void askGpus();

  RunModel &m_model;
  viz::Selection &m_selection;
  RunController &m_runs;
  viz::ViewArea &m_area;
  std::vector<ViewFeed *> m_feeds;
  std::vector<protocol::GpuInfo> m_gpus;
  QString m_gpu;
};

} // namespace tilescope::app
