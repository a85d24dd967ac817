// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bars at the window's edges: menu bar with the title in its middle, tool bar, status bar.
#pragma once

#include "app/core/RunController.h"
#include "app/core/RunModel.h"
#include "visualizer/widgets/Selection.h"

#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>

namespace tilescope::app {

class ActionSearch;
class Actions;

class MenuBar final : public QMenuBar {
  Q_OBJECT
public:
  using QMenuBar::QMenuBar;
  void setTitle(const QString &title);

protected:
  void paintEvent(QPaintEvent *event) override;

private:
  QString m_title;
};

/// A button that says what is chosen ("Launch softmax_kernel, line 24") and drops down a list.
class Chooser final : public QToolButton {
  Q_OBJECT
public:
  explicit Chooser(bool flat, QWidget *parent = nullptr);
  void setChoice(const QString &label, const QString &value);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

protected:
  void paintEvent(QPaintEvent *event) override;

private:
  QFont strong() const;
  QString m_label, m_value;
};

class ToolBar final : public QToolBar {
  Q_OBJECT
public:
  ToolBar(RunModel &model, viz::Selection &selection, const Actions &actions, QWidget *parent = nullptr);
  void setRunState(RunController::State state);
  /// The program under the pointer, named instead of the chosen one; -1 for none.
  void setHoveredProgram(qint64 program);
  /// The choosers begin at `x`, where the editor does, or right of the buttons.
  void alignChoosers(int x);
  void setCompact(bool compact);
  void retranslate();
  ActionSearch &search() { return *m_search; }

signals:
  void runClicked();
  void stopClicked();

private:
  void showLaunch();
  void fillLaunches();
  void chooseProgram();

  RunModel &m_model;
  viz::Selection &m_selection;
  QPushButton *m_run, *m_stop;
  Chooser *m_launch, *m_program;
  ActionSearch *m_search;
  QWidget *m_indent;
  qint64 m_hovered = -1;
};

class StatusBar final : public QStatusBar {
  Q_OBJECT
public:
  explicit StatusBar(QWidget *parent = nullptr);
  void setPlace(int line, int column);
  void setProblems(int count);
  void setGpus(const QStringList &names);
  void setGpu(const QString &name);
  void retranslate();

signals:
  void gpuChosen(const QString &name);
  void languageChosen(const QString &code);

private:
  int m_line = 1, m_column = 1, m_problems = 0;
  QString m_gpu;
  QLabel *m_place, *m_encoding, *m_problemText;
  Chooser *m_gpuChooser, *m_device, *m_language;
};

} // namespace tilescope::app
