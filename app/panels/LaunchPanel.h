// SPDX-License-Identifier: GPL-3.0-or-later
//
// The left column: the launches of the last run, and of the chosen one its accesses and its arguments.
#pragma once

#include "app/core/RunModel.h"
#include "visualizer/render/Theme.h"
#include "visualizer/widgets/Selection.h"

#include <QScrollArea>

class QLabel;

namespace tilescope::app {

class RowList;

class LaunchPanel final : public QScrollArea {
  Q_OBJECT
public:
  LaunchPanel(RunModel &model, viz::Selection &selection, QWidget *parent = nullptr);

  void setTheme(const viz::Theme &theme);
  void retranslate();

signals:
  void lineActivated(const QString &path, int line);

private:
  struct Section {
    QLabel *title;
    QLabel *aside;
    RowList *list;
  };
  Section makeSection(class QVBoxLayout *layout);
  void showLaunches();
  void showLaunch();

  RunModel &m_model;
  viz::Selection &m_selection;
  QLabel *m_empty;
  Section m_launches, m_accesses, m_arguments;
  QList<QWidget *> m_rules;
};

} // namespace tilescope::app
