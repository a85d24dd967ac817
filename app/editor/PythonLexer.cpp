// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/editor/PythonLexer.h"

#include <QGuiApplication>
#include <QScreen>

namespace tilescope::app {

QFont pointSized(QFont font) {
  QScreen *screen = QGuiApplication::primaryScreen();
  double dotsPerInch = screen ? screen->logicalDotsPerInchY() : 96;
  font.setPointSizeF(font.pixelSize() * 72.0 / dotsPerInch);
  return font;
}

PythonLexer::PythonLexer(QObject *parent) : QsciLexerPython(parent) {
  setFoldComments(false);
  setFoldQuotes(true);
  setHighlightSubidentifiers(false);
}

const char *PythonLexer::keywords(int set) const {
  return set == 1
             ? "False None True and as assert async await break case class continue def del elif else except "
               "finally for from global if import in is lambda match nonlocal not or pass raise return try "
               "while with yield"
             : nullptr;
}

void PythonLexer::setTheme(const viz::Theme &theme) {
  QFont font = pointSized(theme.codeFont());
  setDefaultFont(font);
  setDefaultPaper(theme.ground);
  setDefaultColor(theme.ink);
  setFont(font);
  setPaper(theme.ground);
  setColor(theme.ink);
  for (int style : {SingleQuotedString, DoubleQuotedString, TripleSingleQuotedString,
                    TripleDoubleQuotedString, UnclosedString, SingleQuotedFString, DoubleQuotedFString,
                    TripleSingleQuotedFString, TripleDoubleQuotedFString})
    setColor(theme.string, style);
  for (int style : {Number, Decorator})
    setColor(theme.number, style);
  setColor(theme.keyword, Keyword);
  for (int style : {Comment, CommentBlock})
    setColor(theme.text3, style);
  QFont strong = font;
  strong.setWeight(QFont::DemiBold);
  for (int style : {FunctionMethodName, ClassName})
    setFont(strong, style);
}

} // namespace tilescope::app
