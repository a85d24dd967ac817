// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/editor/HoverPopup.h"

#include "app/core/Words.h"
#include "app/editor/Placement.h"
#include "visualizer/render/Text.h"

#include <QLabel>
#include <QVBoxLayout>

namespace tilescope::app {
namespace {

constexpr int WidestPopup = 560;

QString paragraph(const QString &words, const QColor &colour, bool strong = false) {
  return QString("<p style='margin:0 0 4px 0; color:%1;%2'>%3</p>")
      .arg(colour.name(), strong ? "font-weight:600;" : "", words.toHtmlEscaped());
}

/// A library function's signature, or "name: type = value" as far as known.
QString codeOf(const protocol::HoverData &hover) {
  if (!hover.signature.empty())
    return QString::fromStdString(hover.signature.front() == '(' ? hover.name + hover.signature
                                                                 : hover.signature);
  if (hover.name.empty() || (hover.type.empty() && hover.value.empty()))
    return {};
  return QString::fromStdString(hover.name + (hover.type.empty() ? "" : ": " + hover.type) +
                                (hover.value.empty() ? "" : " = " + hover.value));
}

} // namespace

HoverPopup::HoverPopup() : QFrame(nullptr, Qt::ToolTip), m_label(new QLabel) {
  setObjectName("popup");
  setAttribute(Qt::WA_ShowWithoutActivating);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 8, 12, 6);
  layout->addWidget(m_label);
  m_label->setTextFormat(Qt::RichText);
  m_label->setWordWrap(true);
}

void HoverPopup::setTheme(const viz::Theme &theme) { m_theme = theme; }

QString HoverPopup::html(const Content &content) const {
  QString all;
  for (const protocol::Diagnostic &diagnostic : content.diagnostics) {
    all += paragraph(diagnosticText(diagnostic), diagnostic.severity == 1 ? m_theme.hazard.text : m_theme.ink,
                     true);
    for (const protocol::Note &note : diagnostic.data.notes)
      all += paragraph(noteText(note), m_theme.text2);
    if (diagnostic.data.fix)
      all += paragraph("+ " + fixText(*diagnostic.data.fix) + QString(QChar(0x2003)) + "Ctrl+.", m_theme.ink);
  }
  QString code = codeOf(content.hover);
  if (!code.isEmpty())
    all += QString("<p style='margin:0 0 4px 0; font-family:\"%1\"; color:%2'>%3</p>")
               .arg(m_theme.codeFont().family(), m_theme.ink.name(), code.toHtmlEscaped());
  if (!content.hover.helpKey.empty())
    all += paragraph(viz::text(QString::fromStdString(content.hover.helpKey)), m_theme.text2);
  return all;
}

void HoverPopup::showAt(QPoint place, int lineHeight, const Content &content) {
  QString words = html(content);
  if (words.isEmpty())
    return hide();
  m_label->setText(words);
  m_label->setWordWrap(false);
  int natural = m_label->sizeHint().width();
  m_label->setWordWrap(true);
  m_label->setFixedWidth(std::min(WidestPopup, natural + 4));
  m_label->setMinimumHeight(m_label->heightForWidth(m_label->width()));
  adjustSize();
  placeByLine(*this, place, lineHeight);
  show();
}

} // namespace tilescope::app
