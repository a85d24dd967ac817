// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/CodeLexer.h"

#include "app/editor/PythonLexer.h"

#include <Qsci/qsciscintilla.h>

#include <QRegularExpression>

namespace tilescope::app {

/// Styles without a description are not there for Scintilla; nobody reads them.
QString CodeLexer::description(int style) const { return style < Styles ? QString::number(style) : QString(); }

void CodeLexer::setTheme(const viz::Theme &theme) {
  QFont font = pointSized(theme.codeFont(12));
  setDefaultFont(font);
  setDefaultPaper(theme.ground);
  setDefaultColor(theme.ink);
  setFont(font);
  setPaper(theme.ground);
  const QColor colours[Styles] = {theme.ink, theme.text3, theme.keyword, theme.library, theme.number, theme.string};
  for (int style = 0; style < Styles; ++style)
    setColor(colours[style], style);
}

void CodeLexer::styleText(int start, int end) {
  static const QRegularExpression words(
      R"((//[^\n]*|^\s*;[^\n]*)|("[^"\n]*")|([%@!#$^][\w.$-]+)|(\b[a-z]\w*\.[\w.:]+)|(\b(?:0[xfd])?[0-9][0-9a-fA-F]*\b))",
      QRegularExpression::MultilineOption);
  constexpr int StyleOf[] = {Plain, Comment, Text, ValueName, Operation, Number};
  // What is shown is ASCII but for names in strings and comments: bytes, one to a character.
  QByteArray bytes(end - start + 1, '\0');
  editor()->SendScintilla(QsciScintillaBase::SCI_GETTEXTRANGE, start, end, bytes.data());
  bytes.chop(1);
  const QString text = QString::fromLatin1(bytes);
  startStyling(start);
  qsizetype at = 0;
  for (auto found = words.globalMatch(text); found.hasNext();) {
    const QRegularExpressionMatch match = found.next();
    setStyling(static_cast<int>(match.capturedStart() - at), Plain);
    setStyling(static_cast<int>(match.capturedLength()), StyleOf[match.lastCapturedIndex()]);
    at = match.capturedEnd();
  }
  setStyling(static_cast<int>(text.size() - at), Plain);
}

} // namespace tilescope::app
