// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/Bars.h"

#include "app/core/Words.h"
#include "app/panels/ActionSearch.h"
#include "visualizer/render/Text.h"

#include <QInputDialog>
#include <QMenu>
#include <QPainter>
#include <QStyle>

#include <limits>

namespace tilescope::app {
namespace {

using viz::grouped;
using viz::text;

constexpr int LongestLaunchMenu = 200;
constexpr int BarHeight = 44, CompactBarHeight = 40;
constexpr int Spacing = 8;

QWidget *space(int width) {
  auto *widget = new QWidget;
  widget->setFixedWidth(width);
  return widget;
}

/// The triangle of Run and the square of Stop, in the button's own ink.
QIcon shapeIcon(bool triangle, const QColor &colour) {
  QPixmap pixmap(32, 32);
  pixmap.setDevicePixelRatio(2);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  if (triangle)
    painter.drawPolygon(QPolygonF{{3, 2}, {14, 8}, {3, 14}});
  else
    painter.drawRect(QRectF(3.5, 3.5, 9, 9));
  return QIcon(pixmap);
}

} // namespace

void MenuBar::setTitle(const QString &title) {
  m_title = title;
  update();
}

void MenuBar::paintEvent(QPaintEvent *event) {
  QMenuBar::paintEvent(event);
  int menusEnd = 0;
  for (QAction *action : actions())
    menusEnd = std::max(menusEnd, actionGeometry(action).right());
  int titleWidth = fontMetrics().horizontalAdvance(m_title);
  QRect middle((width() - titleWidth) / 2, 0, titleWidth + 2, height());
  if (middle.left() < menusEnd + 16)
    return;
  QPainter painter(this);
  painter.setPen(palette().color(QPalette::Disabled, QPalette::WindowText));
  painter.drawText(middle, Qt::AlignCenter, m_title);
}

Chooser::Chooser(bool flat, QWidget *parent) : QToolButton(parent) {
  setObjectName(flat ? "" : "chooser");
  setProperty("flat", flat);
  setPopupMode(InstantPopup);
  setFocusPolicy(Qt::TabFocus);
}

QFont Chooser::strong() const {
  QFont font = this->font();
  font.setWeight(QFont::Medium);
  return font;
}

void Chooser::setChoice(const QString &label, const QString &value) {
  m_label = label;
  m_value = value;
  setAccessibleName(label + " " + value);
  updateGeometry();
  update();
}

QSize Chooser::sizeHint() const {
  int label = fontMetrics().horizontalAdvance(m_label);
  return {label + (label ? Spacing : 0) + QFontMetrics(strong()).horizontalAdvance(m_value) +
              (property("flat").toBool() ? 40 : 44),
          fontMetrics().height() + 10};
}

void Chooser::paintEvent(QPaintEvent *event) {
  QToolButton::paintEvent(event);
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QRect box = rect().adjusted(12, 0, -10, 0);
  painter.setPen(palette().color(QPalette::Disabled, QPalette::WindowText));
  painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, m_label);
  if (!m_label.isEmpty())
    box.adjust(fontMetrics().horizontalAdvance(m_label) + 8, 0, 0, 0);
  painter.setFont(strong());
  painter.setPen(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::WindowText));
  painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, m_value);
  QPointF tip(rect().right() - 14, rect().center().y() + 2);
  painter.setPen(QPen(painter.pen().color(), 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPolyline(QPolygonF{tip + QPointF(-4, -3), tip + QPointF(0, 1), tip + QPointF(4, -3)});
}

ToolBar::ToolBar(RunModel &model, viz::Selection &selection, const Actions &actions, QWidget *parent)
    : QToolBar(parent), m_model(model), m_selection(selection), m_run(new QPushButton),
      m_stop(new QPushButton), m_launch(new Chooser(false)), m_program(new Chooser(false)),
      m_search(new ActionSearch(actions, this)), m_indent(space(24)) {
  setObjectName("toolBar");
  setMovable(false);
  setContextMenuPolicy(Qt::PreventContextMenu);
  setFixedHeight(BarHeight);
  m_run->setObjectName("run");
  m_stop->setObjectName("stop");
  auto *gap = new QWidget;
  gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  for (QWidget *widget : std::initializer_list<QWidget *>{space(8), m_run, m_stop, m_indent, m_launch,
                                                          m_program, gap, m_search, space(8)})
    addWidget(widget);
  auto *menu = new QMenu(m_launch);
  m_launch->setMenu(menu);
  connect(menu, &QMenu::aboutToShow, this, &ToolBar::fillLaunches);
  connect(m_program, &QToolButton::clicked, this, &ToolBar::chooseProgram);
  connect(m_run, &QPushButton::clicked, this, &ToolBar::runClicked);
  connect(m_stop, &QPushButton::clicked, this, &ToolBar::stopClicked);
  connect(&model, &RunModel::reset, this, &ToolBar::showLaunch);
  connect(&selection, &viz::Selection::launchChanged, this, &ToolBar::showLaunch);
  connect(&selection, &viz::Selection::programChanged, this, &ToolBar::showLaunch);
  setRunState(RunController::State::Idle);
}

void ToolBar::setRunState(RunController::State state) {
  bool idle = state == RunController::State::Idle;
  m_run->setEnabled(idle);
  m_stop->setEnabled(state == RunController::State::Running);
  m_run->setIcon(shapeIcon(true, palette().color(QPalette::Base)));
  m_stop->setIcon(
      shapeIcon(false, palette().color(idle ? QPalette::Disabled : QPalette::Active, QPalette::Text)));
}

void ToolBar::retranslate() {
  m_run->setText(text("run.run"));
  m_run->setToolTip(text("run.run") + " (F5)");
  m_stop->setToolTip(text("run.stop") + " (Shift+F5)");
  m_stop->setAccessibleName(text("run.stop"));
  m_search->retranslate();
  showLaunch();
}

void ToolBar::setHoveredProgram(qint64 program) {
  m_hovered = program;
  showLaunch();
}

void ToolBar::alignChoosers(int x) {
  m_indent->setFixedWidth(std::max(Spacing, x - m_stop->geometry().right() - 1 - 2 * Spacing));
}

void ToolBar::setCompact(bool compact) { setFixedHeight(compact ? CompactBarHeight : BarHeight); }

void ToolBar::showLaunch() {
  const protocol::LaunchSummary *launch = m_model.launch(m_selection.launch());
  for (Chooser *chooser : {m_launch, m_program})
    chooser->setEnabled(launch);
  if (!launch) {
    m_launch->setChoice(text("tool.launch"), text("tool.none"));
    m_program->setChoice(text("tool.program"), text("tool.none"));
    return;
  }
  m_launch->setChoice(text("tool.launch"), text("tool.launch-value", {QString::fromStdString(launch->kernel),
                                                                      grouped(launch->line)}));
  QString last = grouped(static_cast<qint64>(launch->programs) - 1);
  qint64 program = m_hovered >= 0 ? m_hovered : m_selection.program();
  m_program->setChoice(text("tool.program"), program < 0
                                                 ? text("tool.program-any", {last})
                                                 : text("tool.program-value", {grouped(program), last}));
}

void ToolBar::fillLaunches() {
  QMenu *menu = m_launch->menu();
  menu->clear();
  int index = 0;
  for (const protocol::LaunchSummary &launch : m_model.launches()) {
    QString kernel = QString::fromStdString(launch.kernel);
    menu->addAction(text("tool.launch-value", {kernel, grouped(launch.line)}), this,
                    [this, index, kernel] { m_selection.setLaunch(index, kernel); });
    if (++index == LongestLaunchMenu)
      break;
  }
}

void ToolBar::chooseProgram() {
  const protocol::LaunchSummary *launch = m_model.launch(m_selection.launch());
  if (!launch || launch->programs == 0)
    return;
  qint64 last = std::min<qint64>(static_cast<qint64>(launch->programs) - 1, std::numeric_limits<int>::max());
  QInputDialog dialog(this);
  dialog.setWindowTitle(text("tool.program"));
  dialog.setLabelText(text("tool.choose-program", {grouped(last)}));
  dialog.setInputMode(QInputDialog::IntInput);
  dialog.setIntRange(0, static_cast<int>(last));
  dialog.setIntValue(static_cast<int>(std::max<qint64>(0, m_selection.program())));
  dialog.setOkButtonText(text("dialog.ok"));
  dialog.setCancelButtonText(text("dialog.cancel"));
  if (dialog.exec() == QDialog::Accepted)
    m_selection.setProgram(dialog.intValue());
}

StatusBar::StatusBar(QWidget *parent)
    : QStatusBar(parent), m_place(new QLabel), m_encoding(new QLabel), m_problemText(new QLabel),
      m_gpuChooser(new Chooser(true)), m_device(new Chooser(true)), m_language(new Chooser(true)) {
  setSizeGripEnabled(false);
  for (QLabel *label : {m_place, m_encoding, m_problemText})
    addWidget(label);
  for (Chooser *chooser : {m_gpuChooser, m_device, m_language}) {
    chooser->setMenu(new QMenu(chooser));
    addPermanentWidget(chooser);
  }
  for (const QString &code : languages())
    m_language->menu()->addAction(languageName(code), this, [this, code] { emit languageChosen(code); });
}

void StatusBar::setPlace(int line, int column) {
  m_line = line;
  m_column = column;
  m_place->setText(text("status.place", {grouped(line), grouped(column)}));
}

void StatusBar::setProblems(int count) {
  m_problems = count;
  m_problemText->setText(problemsText(count));
}

void StatusBar::setGpus(const QStringList &names) {
  m_gpuChooser->menu()->clear();
  for (const QString &name : names)
    m_gpuChooser->menu()->addAction(name, this, [this, name] { emit gpuChosen(name); });
}

void StatusBar::setGpu(const QString &name) {
  m_gpu = name;
  m_gpuChooser->setChoice(text("status.gpu"), text("status.gpu-modelled", {name}));
}

void StatusBar::retranslate() {
  m_encoding->setText(text("status.encoding"));
  m_device->setChoice(text("status.run-on"), text("status.interpreter"));
  m_device->menu()->clear();
  m_device->menu()->addAction(text("status.interpreter"));
  m_language->setChoice({}, languageName(currentLanguage()));
  setPlace(m_line, m_column);
  setProblems(m_problems);
  setGpu(m_gpu);
}

} // namespace tilescope::app
