// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/StagesView.h"

#include "app/core/Words.h"
#include "app/panels/CodeLexer.h"
#include "visualizer/render/Text.h"
#include "visualizer/widgets/ChoiceBox.h"
#include "visualizer/widgets/EmptyView.h"

#include <Qsci/qsciscintilla.h>

#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace tilescope::app {

using viz::text;

namespace {

constexpr int LineMark = 1;

QString stageName(const std::string &name) { return text("stage." + QString::fromStdString(name)); }

} // namespace

StagesView::StagesView(QWidget *parent)
    : LaunchView(parent), m_theme(viz::Theme::light()), m_stages(new viz::ChoiceBox(this)), m_summary(new QLabel(this)),
      m_code(new QsciScintilla(this)), m_lexer(new CodeLexer(this)) {
  m_summary->setWordWrap(true);
  m_summary->setContentsMargins(0, 0, 12, 0);
  m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_code->setUtf8(true);
  m_code->setLexer(m_lexer);
  m_code->setReadOnly(true);
  m_code->setFrameShape(QFrame::NoFrame);
  m_code->setScrollWidth(1);
  m_code->setScrollWidthTracking(true);
  m_code->setMarginLineNumbers(0, true);
  m_code->setMarginWidth(1, 0);
  m_code->SendScintilla(QsciScintillaBase::SCI_SETMARGINLEFT, 0UL, 8L);
  m_code->markerDefine(QsciScintilla::Background, LineMark);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 0, 0);
  column->setSpacing(6);
  column->addWidget(m_stages, 0, Qt::AlignLeft);
  column->addWidget(m_summary);
  column->addWidget(m_code, 1);
  setFocusProxy(m_code);
  connect(m_stages, &QComboBox::activated, this, &StagesView::chooseStage);
  connect(m_code, &QsciScintilla::cursorPositionChanged, this, &StagesView::clickLine);
  clear();
}

void StagesView::setLaunch(const protocol::LaunchSummary &) { clear(); }

void StagesView::clear() {
  m_info.reset();
  m_problem.clear();
  m_stage = -1;
  m_stages->clear();
  m_sources.clear();
  m_cursor = 0;
  m_code->clear();
  showWords();
}

void StagesView::setStale(bool stale) {
  m_stale = stale;
  showWords();
}

void StagesView::setTheme(const viz::Theme &theme) {
  m_theme = theme;
  m_lexer->setTheme(theme);
  update();
  m_code->setMarginsForegroundColor(theme.text3);
  m_code->setMarginsBackgroundColor(theme.ground);
  m_code->setCaretForegroundColor(theme.ink);
  m_code->setMarkerBackgroundColor(theme.selection, LineMark);
}

void StagesView::retranslate() {
  if (m_info)
    for (int i = 0; i < m_stages->count(); ++i)
      m_stages->setItemText(i, stageName(m_info->stages[static_cast<size_t>(i)].name));
  showWords();
}

void StagesView::setCode(const protocol::CodeInfo &info) {
  clear();
  m_info = info;
  for (const protocol::CodeStage &stage : info.stages)
    m_stages->addItem(stageName(stage.name));
  chooseStage(stageToShow());
  showWords();
}

/// The stage that was looked at before; what the source says if there is none such.
int StagesView::stageToShow() const {
  auto found = std::ranges::find(m_info->stages, m_stageId, &protocol::CodeStage::name);
  if (found != m_info->stages.end())
    return static_cast<int>(found - m_info->stages.begin());
  return m_info->stages.empty() ? -1 : 0;
}

void StagesView::chooseStage(int stage) {
  m_stage = stage;
  m_stages->setCurrentIndex(stage);
  if (stage >= 0)
    m_stageId = m_info->stages[static_cast<size_t>(stage)].name;
  m_sources.clear();
  m_cursor = 0;
  m_code->clear();
  if (stage >= 0)
    emit textNeeded(stage, 0);
}

void StagesView::addText(const protocol::CodeText &page) {
  if (page.stage != m_stage || page.first != static_cast<int64_t>(m_sources.size()) || page.lines.empty())
    return;
  std::string lines;
  for (const std::string &line : page.lines)
    lines.append(line).append("\n");
  const QSignalBlocker quiet(m_code);
  m_code->setReadOnly(false);
  m_code->append(QString::fromStdString(lines));
  m_code->setReadOnly(true);
  m_sources.insert(m_sources.end(), page.sources.values.begin(), page.sources.values.end());
  m_code->setMarginWidth(0, QString::number(m_sources.size() * 10));
  const auto next = static_cast<qint64>(m_sources.size());
  if (next < m_info->stages[static_cast<size_t>(m_stage)].lines)
    emit textNeeded(m_stage, next);
  markLines(/*scrolls=*/page.first == 0);
}

void StagesView::setProblem(const QString &sentence) {
  clear();
  m_problem = sentence;
  showWords();
}

void StagesView::setSourceLine(const QString &path, int line) {
  if (m_line == line && m_path == path)
    return;
  m_path = path;
  m_line = line;
  markLines(/*scrolls=*/true);
}

/// The editor follows; the code stays where it is.
void StagesView::clickLine(int line) {
  const bool hasMoved = line != std::exchange(m_cursor, line);
  if (!hasMoved || !m_code->hasFocus() || static_cast<size_t>(line) >= m_sources.size() || m_sources[static_cast<size_t>(line)] == 0)
    return;
  m_path = QString::fromStdString(m_info->path);
  m_line = m_sources[static_cast<size_t>(line)];
  markLines(/*scrolls=*/false);
  emit lineActivated(m_path, m_line);
  m_code->setFocus();
}

void StagesView::markLines(bool scrolls) {
  m_code->markerDeleteAll(LineMark);
  int first = -1;
  const bool isOurs = m_info && QString::fromStdString(m_info->path) == m_path;
  for (size_t i = 0; isOurs && i < m_sources.size(); ++i) {
    if (m_sources[i] != m_line)
      continue;
    m_code->markerAdd(static_cast<int>(i), LineMark);
    if (first < 0)
      first = static_cast<int>(i);
  }
  if (scrolls && first >= 0)
    m_code->setFirstVisibleLine(std::max(0, first - 3));
}

QString StagesView::summary() const {
  if (!m_problem.isEmpty())
    return m_problem;
  if (!m_info)
    return text("stages.empty");
  QStringList parts{QString::fromStdString(m_info->target)};
  if (const auto &taken = m_info->resources) {
    parts << text("stages.registers." + QString::fromStdString(taken->source), {viz::grouped(taken->registers)});
    if (taken->source == "assembler")
      parts << text("stages.spills", {viz::byteSize(taken->spillStores + taken->spillLoads)});
    parts << text("stages.shared", {viz::byteSize(taken->sharedBytes)})
          << text("stages.occupancy", {viz::grouped(taken->schedule.slotsPerSm)})
          << text("stages.waves", {viz::decimal(taken->schedule.waves, 2)});
  }
  for (const protocol::FileDiagnostics &file : m_info->diagnostics)
    for (const protocol::Diagnostic &diagnostic : file.diagnostics)
      parts << text("terminal.problem", {viz::grouped(diagnostic.range.start.line + 1), diagnosticText(diagnostic)});
  QString words = parts.join(QString::fromUtf8(" · "));
  return m_stale ? text("stages.stale") + QString::fromUtf8(" · ") + words : words;
}

void StagesView::showWords() {
  m_summary->setText(summary());
  m_stages->setVisible(m_info.has_value());
  m_stages->setAccessibleName(text("view.stages"));
  m_code->setAccessibleName(text("view.stages"));
  m_code->setVisible(m_info.has_value());
}

void StagesView::paint(QPainter &painter, const QRectF &box, double, const viz::Theme &theme) const {
  if (!m_info)
    return viz::paintNothing(painter, box, theme, text("view.stages"), summary());
  painter.fillRect(box, theme.ground);
  painter.setPen(theme.text2);
  painter.setFont(theme.font(viz::Type::Small));
  const QRectF inner = box.adjusted(16, 12, -16, -12);
  QRectF head;
  painter.drawText(inner, Qt::AlignLeft | Qt::TextWordWrap, m_stages->currentText() + "\n" + summary(), &head);
  painter.setPen(theme.ink);
  painter.setFont(theme.codeFont(12));
  // As many lines, and of each as much, as there is room for: nothing that is painted is clipped.
  const QFontMetricsF metrics(painter.font());
  double y = inner.top() + head.height() + 8 + metrics.ascent();
  for (int line = 0; line < m_code->lines() && y + metrics.descent() <= inner.bottom(); ++line, y += metrics.lineSpacing())
    painter.drawText(QPointF(inner.left(), y), metrics.elidedText(m_code->text(line).remove(QChar(10)), Qt::ElideRight, inner.width()));
}

void StagesView::paintEvent(QPaintEvent *) { QPainter(this).fillRect(rect(), m_theme.ground); }

void StagesView::showEvent(QShowEvent *event) {
  LaunchView::showEvent(event);
  emit shown();
}

} // namespace tilescope::app
