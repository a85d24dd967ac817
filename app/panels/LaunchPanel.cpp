// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/LaunchPanel.h"

#include "app/panels/RowList.h"
#include "visualizer/render/Text.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace tilescope::app {
namespace {

using viz::grouped;
using viz::text;

constexpr int MostLaunches = 8; ///< shown at once; a script can make very many

/// What one program writes: "tile of 1,024 elements".
QString tileText(const protocol::LaunchSummary &launch) {
  if (launch.outputs.empty())
    return {};
  auto access = static_cast<size_t>(launch.outputs.front().access);
  if (access >= launch.accesses.size() || launch.accesses[access].shape.empty())
    return {};
  const std::vector<int64_t> &shape = launch.accesses[access].shape;
  return shape.size() == 1 ? viz::countText("launch.tile-elements", shape.front())
                           : text("launch.tile", {shapeText(shape)});
}

PanelRow launchRow(const protocol::LaunchSummary &launch) {
  PanelRow row;
  row.title = QString::fromStdString(launch.kernel);
  row.code = true;
  row.right = text("launch.line", {grouped(launch.line)});
  row.below << text("launch.programs-warps",
                    {viz::countText("count.programs", static_cast<qint64>(launch.programs)),
                     viz::countText("count.warps", launch.numWarps)});
  if (QString tile = tileText(launch); !tile.isEmpty())
    row.below << tile;
  return row;
}

PanelRow accessRow(const protocol::AccessSummary &access) {
  double all =
      static_cast<double>(access.elements.active + access.elements.masked + access.elements.outOfBounds);
  PanelRow row;
  row.title = text(QString("access.%1").arg(QString::fromStdString(access.op)));
  row.strong = true;
  row.beside = text("launch.line", {grouped(access.line)});
  row.share = all > 0 ? static_cast<double>(access.elements.active) / all : 0;
  row.right = viz::percent(row.share);
  return row;
}

PanelRow argumentRow(const protocol::ArgumentSummary &argument) {
  PanelRow row;
  row.title = QString::fromStdString(argument.shape.empty() || argument.value.empty() ? argument.name
                                                                                      : argument.value);
  row.code = true;
  QString type = QString::fromStdString(argument.type);
  type.remove("pointer<").remove('>');
  row.right = argument.shape.empty() ? QString::fromStdString(argument.value)
                                     : shapeText(argument.shape) + " " + type;
  return row;
}

} // namespace

LaunchPanel::LaunchPanel(RunModel &model, viz::Selection &selection, QWidget *parent)
    : QScrollArea(parent), m_model(model), m_selection(selection), m_empty(new QLabel) {
  setObjectName("launchPanel");
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setFocusPolicy(Qt::NoFocus); // its lists have it
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto *content = new QWidget;
  content->setObjectName("launchPanelContent");
  auto *layout = new QVBoxLayout(content);
  layout->setContentsMargins(8, 16, 8, 16);
  layout->setSpacing(4);
  m_empty->setWordWrap(true);
  m_empty->setProperty("quiet", true);
  m_empty->setContentsMargins(8, 0, 8, 0);
  m_launches = makeSection(layout);
  m_launches.list->setMostRows(MostLaunches);
  layout->insertWidget(1, m_empty);
  m_accesses = makeSection(layout);
  m_arguments = makeSection(layout);
  layout->addStretch(1);
  setWidget(content);

  connect(m_launches.list, &RowList::rowChosen, this, [this](int row) {
    const protocol::LaunchSummary *launch = m_model.launch(row);
    m_selection.setLaunch(row, QString::fromStdString(launch->kernel));
    emit lineActivated(QString::fromStdString(launch->path), launch->line);
  });
  connect(m_accesses.list, &RowList::rowChosen, this, [this](int row) {
    const protocol::LaunchSummary *launch = m_model.launch(m_selection.launch());
    m_selection.setOperation(row);
    emit lineActivated(QString::fromStdString(launch->kernelPath),
                       launch->accesses[static_cast<size_t>(row)].line);
  });
  connect(&model, &RunModel::reset, this, &LaunchPanel::showLaunches);
  connect(&model, &RunModel::launchAdded, this, [this](int index) {
    m_empty->hide();
    m_launches.list->addRow(launchRow(*m_model.launch(index)));
  });
  connect(&selection, &viz::Selection::launchChanged, this, &LaunchPanel::showLaunch);
  connect(&selection, &viz::Selection::operationChanged, m_accesses.list, &RowList::setCurrentRow);
  retranslate();
}

LaunchPanel::Section LaunchPanel::makeSection(QVBoxLayout *layout) {
  if (!m_rules.isEmpty() || layout->count() > 0) {
    auto *rule = new QFrame;
    rule->setProperty("rule", true);
    rule->setFixedHeight(1);
    layout->addSpacing(14);
    layout->addWidget(rule);
    layout->addSpacing(14);
    m_rules << rule;
  }
  Section section{new QLabel, new QLabel, new RowList};
  section.title->setProperty("sectionTitle", true);
  section.aside->setProperty("quiet", true);
  auto *heading = new QHBoxLayout;
  heading->setContentsMargins(8, 0, 8, 4);
  heading->addWidget(section.title);
  heading->addStretch(1);
  heading->addWidget(section.aside);
  layout->addLayout(heading);
  layout->addWidget(section.list);
  return section;
}

void LaunchPanel::setTheme(const viz::Theme &theme) {
  for (const Section *section : {&m_launches, &m_accesses, &m_arguments})
    section->list->setTheme(theme);
}

void LaunchPanel::retranslate() {
  m_launches.title->setText(text("launch.launches"));
  m_accesses.title->setText(text("launch.accesses"));
  m_accesses.aside->setText(text("launch.elements-on"));
  m_arguments.title->setText(text("launch.arguments"));
  m_empty->setText(text("launch.none"));
  m_launches.list->setAccessibleName(text("launch.launches"));
  m_accesses.list->setAccessibleName(text("launch.accesses"));
  m_arguments.list->setAccessibleName(text("launch.arguments"));
  showLaunches();
}

void LaunchPanel::showLaunches() {
  QList<PanelRow> rows;
  for (const protocol::LaunchSummary &launch : m_model.launches())
    rows << launchRow(launch);
  m_launches.list->setRows(rows);
  m_empty->setVisible(rows.isEmpty());
  showLaunch();
}

void LaunchPanel::showLaunch() {
  const protocol::LaunchSummary *launch = m_model.launch(m_selection.launch());
  QList<PanelRow> accesses, arguments;
  if (launch) {
    for (const protocol::AccessSummary &access : launch->accesses)
      accesses << accessRow(access);
    for (const protocol::ArgumentSummary &argument : launch->arguments)
      arguments << argumentRow(argument);
    m_launches.list->setCurrentRow(m_selection.launch());
  }
  m_accesses.list->setRows(accesses);
  m_arguments.list->setRows(arguments);
  for (const Section *section : {&m_accesses, &m_arguments}) {
    section->title->setVisible(launch);
    section->aside->setVisible(launch);
    section->list->setVisible(launch);
  }
  for (QWidget *rule : m_rules)
    rule->setVisible(launch);
}

} // namespace tilescope::app
