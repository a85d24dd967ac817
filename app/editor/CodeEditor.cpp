// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/editor/CodeEditor.h"

#include "app/editor/Columns.h"
#include "app/editor/PythonLexer.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>

#include <algorithm>

namespace tilescope::app {
namespace {

constexpr int TypingPauseMs = 600; ///< hints stay away for so long after a keystroke
constexpr int RestMs = 350;        ///< of the pointer, before something is shown for it

QImage accessMark(const viz::Theme &theme, qreal ratio) {
  QImage image(QSize(14, 12) * ratio, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  for (int i = 0; i < 4; ++i)
    painter.fillRect(QRectF(1 + 3 * i, 2, 2, 8), theme.hbm.fill);
  return image;
}

QImage problemMark(const QColor &colour, qreal ratio) {
  QImage image(QSize(12, 12) * ratio, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(colour, 2, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(QPointF(3, 3), QPointF(9, 9));
  painter.drawLine(QPointF(9, 3), QPointF(3, 9));
  return image;
}

} // namespace

CodeEditor::CodeEditor(QWidget *parent) : QsciScintilla(parent), m_lexer(new PythonLexer(this)) {
  setUtf8(true);
  setLexer(m_lexer);
  setIndentationsUseTabs(false);
  setIndentationWidth(4);
  setTabWidth(8);
  setAutoIndent(true);
  setBackspaceUnindents(true);
  setBraceMatching(StrictBraceMatch);
  setCaretLineVisible(true);
  setFrameShape(QFrame::NoFrame);
  setScrollWidth(1);
  setScrollWidthTracking(true);
  setExtraAscent(1);
  setExtraDescent(1);
  SendScintilla(SCI_SETMOUSEDWELLTIME, RestMs);
  SendScintilla(SCI_SETMARGINLEFT, 0UL, 4L);
  SendScintilla(SCI_AUTOCSETIGNORECASE, true);
  SendScintilla(SCI_AUTOCSETMAXHEIGHT, 12);
  SendScintilla(SCI_AUTOCSETORDER, 1UL);
  setUpMargins();
  setUpIndicators();
  connectScintilla();
  setTheme(viz::Theme::light());
}

void CodeEditor::setUpMargins() {
  setMarginType(NumberMargin, QsciScintilla::NumberMargin);
  setMarginType(MarkMargin, SymbolMargin);
  setMarginWidth(MarkMargin, 18);
  setMarginMarkerMask(MarkMargin, 1 << AccessMark | 1 << ErrorMark | 1 << WarningMark);
  setFolding(PlainFoldStyle, FoldMargin);
  setMarginWidth(FoldMargin, 14);
  updateNumberMargin();
}

void CodeEditor::setUpIndicators() {
  indicatorDefine(SquiggleLowIndicator, ErrorSquiggle);
  indicatorDefine(DotsIndicator, WarningSquiggle);
  indicatorDefine(TextColorIndicator, LibraryName);
  indicatorDefine(StraightBoxIndicator, FindMatch);
}

void CodeEditor::connectScintilla() {
  m_typing.setSingleShot(true);
  m_typing.setInterval(TypingPauseMs);
  connect(&m_typing, &QTimer::timeout, this, [this] { viewport()->update(); });
  m_recolour.setSingleShot(true);
  m_recolour.setInterval(0);
  connect(&m_recolour, &QTimer::timeout, this, &CodeEditor::colourVisibleLibraryNames);
  connect(this, &QsciScintilla::textChanged, this, [this] {
    m_recolour.start();
    if (m_loading)
      return;
    m_typing.start();
    updateNumberMargin();
    emit edited();
  });
  connect(this, &QsciScintillaBase::SCN_DWELLSTART, this, [this](int byte, int x, int y) {
    if (byte >= 0)
      emit hoverWanted(byte, viewport()->mapToGlobal(QPoint(x, y)));
  });
  connect(this, &QsciScintillaBase::SCN_DWELLEND, this, [this] { emit hoverEnded(); });
  connect(this, &QsciScintillaBase::SCN_CHARADDED, this, [this](int character) {
    if (wantsCompletionAfter(character))
      emit completionWanted();
  });
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
    m_recolour.start();
    emit viewMoved();
  });
}

bool CodeEditor::wantsCompletionAfter(int character) const { return character == '.' && !isListActive(); }

void CodeEditor::setTheme(const viz::Theme &theme) {
  m_theme = theme;
  m_lexer->setTheme(theme);
  setPaper(theme.ground);
  setColor(theme.ink);
  setCaretForegroundColor(theme.ink);
  setCaretLineBackgroundColor(theme.selection);
  setSelectionBackgroundColor(theme.hair2);
  resetSelectionForegroundColor();
  setMarginsFont(pointSized(theme.codeFont(12)));
  setMarginsForegroundColor(theme.text3);
  setMarginsBackgroundColor(theme.ground);
  setFoldMarginColors(theme.ground, theme.ground);
  setMatchedBraceBackgroundColor(theme.selection);
  setMatchedBraceForegroundColor(theme.ink);
  setUnmatchedBraceForegroundColor(theme.hazard.text);
  setIndicatorForegroundColor(theme.hazard.fill, ErrorSquiggle);
  setIndicatorForegroundColor(theme.text3, WarningSquiggle);
  setIndicatorForegroundColor(theme.library, LibraryName);
  setIndicatorForegroundColor(theme.hair2, FindMatch);
  for (int marker = SC_MARKNUM_FOLDEREND, last = SC_MARKNUM_FOLDEROPEN; marker <= last; ++marker) {
    setMarkerForegroundColor(theme.hair2, marker);
    setMarkerBackgroundColor(theme.ground, marker);
  }
  markerDefine(accessMark(theme, devicePixelRatioF()), AccessMark);
  markerDefine(problemMark(theme.hazard.fill, devicePixelRatioF()), ErrorMark);
  markerDefine(problemMark(theme.text3, devicePixelRatioF()), WarningMark);
  updateNumberMargin();
}

void CodeEditor::updateNumberMargin() {
  QString widest(std::max<qsizetype>(3, QString::number(lines()).size()) + 1, QLatin1Char('0'));
  if (widest.size() != property("digits").toInt() || !isVisible()) {
    setProperty("digits", widest.size());
    setMarginWidth(NumberMargin, widest);
  }
}

void CodeEditor::load(const QString &text) {
  m_loading = true;
  setText(text);
  SendScintilla(SCI_EMPTYUNDOBUFFER);
  setModified(false);
  if (text.contains("\r\n"))
    setEolMode(EolWindows);
  else
    setEolMode(text.contains('\r') && !text.contains('\n') ? EolMac : EolUnix);
  if (text.contains("\n\t"))
    setIndentationsUseTabs(true);
  m_loading = false;
  updateNumberMargin();
  emit edited();
}

QString CodeEditor::content() const { return text(); }

void CodeEditor::fill(int indicator, const protocol::Range &range) {
  int begin = bytePosition(*this, range.start);
  int end = bytePosition(*this, range.end);
  if (end <= begin) // a point: underline the character before or after it
    end = static_cast<int>(SendScintilla(SCI_POSITIONAFTER, static_cast<unsigned long>(begin)));
  if (end <= begin)
    begin = static_cast<int>(SendScintilla(SCI_POSITIONBEFORE, static_cast<unsigned long>(begin)));
  SendScintilla(SCI_SETINDICATORCURRENT, static_cast<unsigned long>(indicator));
  SendScintilla(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(begin), static_cast<long>(end - begin));
}

void CodeEditor::clearIndicator(int indicator) {
  SendScintilla(SCI_SETINDICATORCURRENT, static_cast<unsigned long>(indicator));
  SendScintilla(SCI_INDICATORCLEARRANGE, 0UL, static_cast<long>(length()));
}

void CodeEditor::setDiagnostics(std::vector<protocol::Diagnostic> diagnostics) {
  m_diagnostics = std::move(diagnostics);
  for (int indicator : {ErrorSquiggle, WarningSquiggle})
    clearIndicator(indicator);
  for (int marker : {ErrorMark, WarningMark})
    markerDeleteAll(marker);
  for (const protocol::Diagnostic &diagnostic : m_diagnostics) {
    bool error = diagnostic.severity == 1;
    fill(error ? ErrorSquiggle : WarningSquiggle, diagnostic.range);
    markerAdd(static_cast<int>(diagnostic.range.start.line), error ? ErrorMark : WarningMark);
  }
}

std::vector<const protocol::Diagnostic *> CodeEditor::diagnosticsAt(int byte) const {
  std::vector<const protocol::Diagnostic *> found;
  for (const protocol::Diagnostic &diagnostic : m_diagnostics) {
    int begin = bytePosition(*this, diagnostic.range.start);
    int end = std::max(begin + 1, bytePosition(*this, diagnostic.range.end));
    if (begin <= byte && byte <= end)
      found.push_back(&diagnostic);
  }
  std::stable_sort(found.begin(), found.end(), [](auto *a, auto *b) { return a->severity < b->severity; });
  return found;
}

void CodeEditor::applyFix(const protocol::Fix &fix) {
  int begin = bytePosition(*this, fix.range.start);
  int end = bytePosition(*this, fix.range.end);
  beginUndoAction();
  SendScintilla(SCI_SETTARGETRANGE, static_cast<unsigned long>(begin), static_cast<long>(end));
  SendScintilla(SCI_REPLACETARGET, fix.replacement.size(), fix.replacement.c_str());
  endUndoAction();
  SendScintilla(SCI_GOTOPOS, static_cast<unsigned long>(begin + fix.replacement.size()));
}

void CodeEditor::setHints(QHash<int, QString> hints) {
  m_hints = std::move(hints);
  viewport()->update();
}

void CodeEditor::setAccessLines(const QList<int> &lines) {
  markerDeleteAll(AccessMark);
  for (int line : lines)
    markerAdd(line, AccessMark);
}

int CodeEditor::cursorByte() const { return static_cast<int>(SendScintilla(SCI_GETCURRENTPOS)); }

protocol::Position CodeEditor::cursor() const { return protocolPosition(*this, cursorByte()); }

void CodeEditor::goTo(protocol::Position position) { select({position, position}); }

void CodeEditor::select(const protocol::Range &range) {
  auto begin = static_cast<unsigned long>(bytePosition(*this, range.start));
  auto end = static_cast<unsigned long>(bytePosition(*this, range.end));
  SendScintilla(SCI_ENSUREVISIBLEENFORCEPOLICY, static_cast<unsigned long>(range.start.line));
  SendScintilla(SCI_SETSEL, begin, static_cast<long>(end));
  SendScintilla(SCI_SCROLLRANGE, end, static_cast<long>(begin));
  setFocus();
}

void CodeEditor::showCompletions(const protocol::CompletionList &list) {
  QStringList labels;
  for (const protocol::CompletionItem &item : list.items)
    labels << QString::fromStdString(item.label);
  if (labels.isEmpty())
    return;
  int cursor = cursorByte();
  auto start =
      static_cast<int>(SendScintilla(SCI_WORDSTARTPOSITION, static_cast<unsigned long>(cursor), true));
  QByteArray joined = labels.join(' ').toUtf8();
  SendScintilla(SCI_AUTOCSHOW, static_cast<unsigned long>(cursor - start), joined.constData());
}

void CodeEditor::colourVisibleLibraryNames() {
  int first = static_cast<int>(SendScintilla(SCI_DOCLINEFROMVISIBLE, SendScintilla(SCI_GETFIRSTVISIBLELINE)));
  int count = static_cast<int>(SendScintilla(SCI_LINESONSCREEN));
  colourLibraryNames(first, std::min(lines(), first + count + 2));
}

void CodeEditor::colourLibraryNames(int fromLine, int toLine) {
  static const QRegularExpression dotted(R"((?<![\w.])(?:tl|triton|torch|libdevice)(?:\.\w+)+)");
  auto first = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(fromLine));
  auto last =
      SendScintilla(SCI_GETLINEENDPOSITION, static_cast<unsigned long>(std::max(fromLine, toLine - 1)));
  SendScintilla(SCI_COLOURISE, static_cast<unsigned long>(first), last);
  for (int line = fromLine; line < toLine; ++line) {
    auto start = static_cast<int>(SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(line)));
    QString content = text(line);
    SendScintilla(SCI_SETINDICATORCURRENT, LibraryName);
    SendScintilla(SCI_INDICATORCLEARRANGE, static_cast<unsigned long>(start), content.toUtf8().size());
    for (auto matches = dotted.globalMatch(content); matches.hasNext();) {
      QRegularExpressionMatch match = matches.next();
      int begin = start + static_cast<int>(content.left(match.capturedStart()).toUtf8().size());
      int style = static_cast<int>(SendScintilla(SCI_GETSTYLEAT, static_cast<unsigned long>(begin)));
      if (style == QsciLexerPython::Identifier)
        SendScintilla(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(begin), match.capturedLength());
    }
  }
}

void CodeEditor::paintEvent(QPaintEvent *event) {
  QsciScintilla::paintEvent(event);
  if (m_hints.isEmpty())
    return;
  QPainter painter(viewport());
  paintHints(painter);
}

void CodeEditor::paintHints(QPainter &painter) {
  int current = static_cast<int>(cursor().line);
  auto firstVisible = SendScintilla(SCI_GETFIRSTVISIBLELINE);
  auto count = SendScintilla(SCI_LINESONSCREEN);
  int previous = -1;
  for (auto visible = firstVisible; visible <= firstVisible + count; ++visible) {
    int line = static_cast<int>(SendScintilla(SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(visible)));
    bool typingHere = line == current && m_typing.isActive();
    if (line != previous && !typingHere && m_hints.contains(line))
      paintHint(painter, line, m_hints[line], line == current);
    previous = line;
  }
}

void CodeEditor::paintHint(QPainter &painter, int line, const QString &hint, bool current) {
  auto end = SendScintilla(SCI_GETLINEENDPOSITION, static_cast<unsigned long>(line));
  int x = static_cast<int>(SendScintilla(SCI_POINTXFROMPOSITION, 0UL, end)) + 20;
  int y = static_cast<int>(SendScintilla(SCI_POINTYFROMPOSITION, 0UL, end));
  int height = static_cast<int>(SendScintilla(SCI_TEXTHEIGHT, static_cast<unsigned long>(line)));
  QFont font = m_theme.font(viz::Type::Label);
  QFontMetrics metrics(font);
  QRect plate(x, y + 1, metrics.horizontalAdvance(hint) + 16, height - 2);
  if (plate.right() > viewport()->width() - 8)
    return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(current ? m_theme.hbm.tint : m_theme.panel);
  painter.drawRoundedRect(plate, 3, 3);
  painter.setFont(font);
  painter.setPen(current ? m_theme.hbm.text : m_theme.text2);
  painter.drawText(plate, Qt::AlignCenter, hint);
}

void CodeEditor::keyPressEvent(QKeyEvent *event) {
  bool newline = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  bool listed = isListActive();
  QsciScintilla::keyPressEvent(event);
  if (!newline || listed || isReadOnly())
    return;
  // One level deeper after a line that opens a block.
  int line = static_cast<int>(cursor().line);
  if (line == 0 || !text(line - 1).trimmed().endsWith(':'))
    return;
  if (indentation(line) > indentation(line - 1))
    return;
  setIndentation(line, indentation(line - 1) + indentationWidth());
  auto after = SendScintilla(SCI_GETLINEINDENTPOSITION, static_cast<unsigned long>(line));
  SendScintilla(SCI_GOTOPOS, static_cast<unsigned long>(after));
}

void CodeEditor::contextMenuEvent(QContextMenuEvent *event) {
  emit contextMenuWanted(event->globalPos());
  event->accept();
}

} // namespace tilescope::app
