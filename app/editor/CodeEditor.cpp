// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/editor/CodeEditor.h"

#include "app/editor/Columns.h"
#include "app/editor/CompletionPopup.h"
#include "app/editor/PythonLexer.h"

#include <Qsci/qscicommandset.h>

#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>

#include <algorithm>

namespace tilescope::app {
namespace {

constexpr int TypingPauseMs = 600; ///< hints stay away for so long after a keystroke
constexpr int RestMs = 350;        ///< of the pointer, before something is shown for it
constexpr int MarkMarginWidth = 24;
constexpr int FoldMarginWidth = 16;

} // namespace

CodeEditor::CodeEditor(QWidget *parent)
    : QsciScintilla(parent), m_lexer(new PythonLexer(this)), m_overlay(*this),
      m_completions(new CompletionPopup(this)) {
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
  SendScintilla(SCI_SETCARETLINEVISIBLEALWAYS, 1UL);
  setUpMargins();
  setUpIndicators();
  setUpKeys();
  connectScintilla();
  connectCompletions();
  setTheme(viz::Theme::light());
}

void CodeEditor::setUpMargins() {
  setMarginType(LineOverlay::NumberMargin, QsciScintilla::NumberMargin);
  setMarginType(LineOverlay::MarkMargin, SymbolMargin);
  setMarginWidth(LineOverlay::MarkMargin, MarkMarginWidth);
  int all = 0;
  for (int marker = LineOverlay::AccessMark; marker <= LineOverlay::WarningMark; ++marker) {
    markerDefine(Invisible, marker); // LineOverlay paints them
    all |= 1 << marker;
  }
  setMarginMarkerMask(LineOverlay::MarkMargin, all);
  setFolding(PlainFoldStyle, LineOverlay::FoldMargin);
  setMarginWidth(LineOverlay::FoldMargin, FoldMarginWidth);
  for (int marker = SC_MARKNUM_FOLDEREND, last = SC_MARKNUM_FOLDEROPEN; marker <= last; ++marker)
    markerDefine(Invisible, marker);
  updateNumberMargin();
}

void CodeEditor::setUpKeys() {
  // These belong to the window's actions.
  for (Qt::Key key : {Qt::Key_Slash, Qt::Key_Space, Qt::Key_I, Qt::Key_Period})
    if (QsciCommand *command = standardCommands()->boundTo((Qt::CTRL | key).toCombined()))
      command->setKey(0);
}

void CodeEditor::setUpIndicators() {
  indicatorDefine(SquiggleLowIndicator, ErrorSquiggle);
  indicatorDefine(DotsIndicator, WarningSquiggle);
  indicatorDefine(TextColorIndicator, LibraryName);
  indicatorDefine(TextColorIndicator, DecoratorName);
  indicatorDefine(StraightBoxIndicator, FindMatch);
  setIndicatorDrawUnder(true, FindMatch);
}

void CodeEditor::connectScintilla() {
  m_typing.setSingleShot(true);
  m_typing.setInterval(TypingPauseMs);
  connect(&m_typing, &QTimer::timeout, this, [this] { viewport()->update(); });
  m_recolour.setSingleShot(true);
  m_recolour.setInterval(0);
  connect(&m_recolour, &QTimer::timeout, this, &CodeEditor::colourVisibleLibraryNames);
  connect(this, &QsciScintilla::textChanged, this, &CodeEditor::textEdited);
  connect(this, &QsciScintillaBase::SCN_MODIFIED, this,
          [this](int byte, int, const char *, int, int linesAdded) {
            if (linesAdded != 0)
              m_overlay.shiftHints(
                  static_cast<int>(SendScintilla(SCI_LINEFROMPOSITION, static_cast<unsigned long>(byte))),
                  linesAdded);
          });
  connect(this, &QsciScintillaBase::SCN_DWELLSTART, this, [this](int byte, int x, int y) {
    if (byte >= 0)
      emit hoverWanted(byte, viewport()->mapToGlobal(QPoint(x, y)));
  });
  connect(this, &QsciScintillaBase::SCN_DWELLEND, this, [this] { emit hoverEnded(); });
  connect(this, &QsciScintillaBase::SCN_ZOOM, this, &CodeEditor::updateNumberMargin);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
    m_recolour.start();
    m_completions->hide();
    emit viewMoved();
  });
}

void CodeEditor::textEdited() {
  m_recolour.start();
  if (m_loading)
    return;
  m_typing.start();
  updateNumberMargin();
  emit edited();
}

void CodeEditor::connectCompletions() {
  connect(this, &QsciScintillaBase::SCN_CHARADDED, this, [this](int character) {
    if (character == '.' && !m_completions->isVisible())
      emit completionWanted();
  });
  connect(this, &QsciScintilla::cursorPositionChanged, this, [this] {
    viewport()->update(); // the band in the margins has moved
    updateCompletions();
  });
  connect(m_completions, &CompletionPopup::chosen, this, &CodeEditor::complete);
}

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
  setIndicatorForegroundColor(theme.number, DecoratorName);
  QColor match = theme.text3;
  match.setAlpha(50);
  setIndicatorForegroundColor(match, FindMatch);
  SendScintilla(SCI_INDICSETOUTLINEALPHA, static_cast<unsigned long>(FindMatch), 180L);
  m_overlay.setTheme(theme);
  m_completions->setTheme(theme);
  updateNumberMargin();
}

void CodeEditor::updateNumberMargin() {
  QString widest(std::max<qsizetype>(2, QString::number(lines()).size()), QLatin1Char('0'));
  auto width = SendScintilla(SCI_TEXTWIDTH, static_cast<unsigned long>(STYLE_LINENUMBER),
                             widest.toLatin1().constData());
  setMarginWidth(LineOverlay::NumberMargin, static_cast<int>(width) + 6);
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

void CodeEditor::reload(const QString &text) {
  protocol::Position place = cursor();
  auto first = SendScintilla(SCI_GETFIRSTVISIBLELINE);
  QByteArray bytes = text.toUtf8();
  beginUndoAction();
  SendScintilla(SCI_TARGETWHOLEDOCUMENT);
  SendScintilla(SCI_REPLACETARGET, static_cast<unsigned long>(bytes.size()), bytes.constData());
  endUndoAction();
  SendScintilla(SCI_GOTOPOS, static_cast<unsigned long>(bytePosition(*this, place)));
  SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(first));
  setModified(false);
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
  for (int marker : {LineOverlay::ErrorMark, LineOverlay::WarningMark})
    markerDeleteAll(marker);
  for (const protocol::Diagnostic &diagnostic : m_diagnostics) {
    bool error = diagnostic.severity == 1;
    fill(error ? ErrorSquiggle : WarningSquiggle, diagnostic.range);
    markerAdd(static_cast<int>(diagnostic.range.start.line),
              error ? LineOverlay::ErrorMark : LineOverlay::WarningMark);
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
  m_overlay.setHints(std::move(hints));
  viewport()->update();
}

void CodeEditor::setAccessLines(const QHash<int, double> &shares) {
  for (int filled = 0; filled <= LineOverlay::Bars; ++filled)
    markerDeleteAll(LineOverlay::AccessMark + filled);
  for (auto access = shares.cbegin(); access != shares.cend(); ++access)
    markerAdd(access.key(), LineOverlay::AccessMark + qRound(*access * LineOverlay::Bars));
}

void CodeEditor::setFollowedLines(int first, int last) {
  m_overlay.setFollowed(first, last);
  viewport()->update();
}

void CodeEditor::markMatches(const std::vector<std::pair<int, int>> &ranges) {
  clearIndicator(FindMatch);
  for (auto [begin, end] : ranges)
    SendScintilla(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(begin), static_cast<long>(end - begin));
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

QPoint CodeEditor::screenPoint(int byte) const {
  auto x = SendScintilla(SCI_POINTXFROMPOSITION, 0UL, static_cast<long>(byte));
  auto y = SendScintilla(SCI_POINTYFROMPOSITION, 0UL, static_cast<long>(byte));
  return viewport()->mapToGlobal(QPoint(static_cast<int>(x), static_cast<int>(y)));
}

int CodeEditor::lineHeight() const { return static_cast<int>(SendScintilla(SCI_TEXTHEIGHT, 0UL)); }

int CodeEditor::typedStart() const {
  return static_cast<int>(SendScintilla(SCI_WORDSTARTPOSITION, static_cast<unsigned long>(cursorByte()), 1L));
}

void CodeEditor::showCompletions(const protocol::CompletionList &list) {
  int start = typedStart();
  m_completions->open(list, text(start, cursorByte()), screenPoint(start), lineHeight());
  m_completionStart = start;
}

void CodeEditor::updateCompletions() {
  if (!m_completions->isVisible())
    return;
  if (cursorByte() < m_completionStart || typedStart() != m_completionStart)
    m_completions->hide();
  else
    m_completions->setTyped(text(m_completionStart, cursorByte()));
}

void CodeEditor::complete(const QString &name) {
  QByteArray bytes = name.toUtf8();
  int start = typedStart();
  SendScintilla(SCI_SETTARGETRANGE, static_cast<unsigned long>(start), static_cast<long>(cursorByte()));
  SendScintilla(SCI_REPLACETARGET, static_cast<unsigned long>(bytes.size()), bytes.constData());
  SendScintilla(SCI_GOTOPOS, static_cast<unsigned long>(start + bytes.size()));
}

void CodeEditor::colourVisibleLibraryNames() {
  int first = static_cast<int>(SendScintilla(SCI_DOCLINEFROMVISIBLE, SendScintilla(SCI_GETFIRSTVISIBLELINE)));
  int count = static_cast<int>(SendScintilla(SCI_LINESONSCREEN));
  colourLibraryNames(first, std::min(lines(), first + count + 2));
}

void CodeEditor::colourLibraryNames(int fromLine, int toLine) {
  static const QRegularExpression library(R"((?<![\w.@])(?:tl|triton|torch|libdevice)(?:\.\w+)+)");
  static const QRegularExpression decorator(R"(^\s*@[\w.]+)");
  auto first = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(fromLine));
  auto last =
      SendScintilla(SCI_GETLINEENDPOSITION, static_cast<unsigned long>(std::max(fromLine, toLine - 1)));
  SendScintilla(SCI_COLOURISE, static_cast<unsigned long>(first), last);
  for (int line = fromLine; line < toLine; ++line) {
    colourMatches(line, library, LibraryName, QsciLexerPython::Identifier);
    colourMatches(line, decorator, DecoratorName, QsciLexerPython::Decorator);
  }
}

void CodeEditor::colourMatches(int line, const QRegularExpression &names, int indicator, int style) {
  auto start = static_cast<int>(SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(line)));
  QString content = text(line);
  SendScintilla(SCI_SETINDICATORCURRENT, static_cast<unsigned long>(indicator));
  SendScintilla(SCI_INDICATORCLEARRANGE, static_cast<unsigned long>(start), content.toUtf8().size());
  for (auto matches = names.globalMatch(content); matches.hasNext();) {
    QRegularExpressionMatch match = matches.next();
    QString name = match.captured().trimmed();
    int end = start + static_cast<int>(content.left(match.capturedEnd()).toUtf8().size());
    int begin = end - static_cast<int>(name.toUtf8().size());
    if (SendScintilla(SCI_GETSTYLEAT, static_cast<unsigned long>(begin)) == style)
      SendScintilla(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(begin),
                    static_cast<long>(end - begin));
  }
}

void CodeEditor::paintEvent(QPaintEvent *event) {
  QsciScintilla::paintEvent(event);
  QPainter painter(viewport());
  m_overlay.paint(painter, m_typing.isActive());
}

void CodeEditor::keyPressEvent(QKeyEvent *event) {
  if (m_completions->handleKey(*event))
    return;
  if (event->key() == Qt::Key_Escape)
    emit escaped();
  bool newline = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  QsciScintilla::keyPressEvent(event);
  updateCompletions();
  if (newline && !isReadOnly())
    indentAfterColon();
}

void CodeEditor::indentAfterColon() {
  int line = static_cast<int>(cursor().line);
  if (line == 0 || !text(line - 1).trimmed().endsWith(':') || indentation(line) > indentation(line - 1))
    return;
  setIndentation(line, indentation(line - 1) + indentationWidth());
  auto after = SendScintilla(SCI_GETLINEINDENTPOSITION, static_cast<unsigned long>(line));
  SendScintilla(SCI_GOTOPOS, static_cast<unsigned long>(after));
}

void CodeEditor::toggleComment() {
  int fromLine, fromIndex, toLine, toIndex;
  getSelection(&fromLine, &fromIndex, &toLine, &toIndex);
  if (fromLine < 0)
    fromLine = toLine = static_cast<int>(cursor().line);
  else if (toIndex == 0 && toLine > fromLine)
    --toLine;
  auto isBlank = [this](int line) { return text(line).trimmed().isEmpty(); };
  bool comment = false;
  int column = INT_MAX;
  for (int line = fromLine; line <= toLine; ++line) {
    if (isBlank(line))
      continue;
    comment |= !text(line).trimmed().startsWith('#');
    column = std::min(column, static_cast<int>(text(line).indexOf(QRegularExpression("\\S"))));
  }
  beginUndoAction();
  for (int line = fromLine; line <= toLine; ++line) {
    if (isBlank(line))
      continue;
    int sign = static_cast<int>(text(line).indexOf('#'));
    if (comment) {
      insertAt("# ", line, column);
    } else {
      setSelection(line, sign, line, sign + (text(line).mid(sign, 2) == "# " ? 2 : 1));
      removeSelectedText();
    }
  }
  endUndoAction();
}

void CodeEditor::contextMenuEvent(QContextMenuEvent *event) {
  if (event->reason() == QContextMenuEvent::Mouse &&
      !hasSelectedText()) { // the menu is about what is clicked
    QPoint at = viewport()->mapFromGlobal(event->globalPos());
    auto byte =
        SendScintilla(SCI_POSITIONFROMPOINT, static_cast<unsigned long>(at.x()), static_cast<long>(at.y()));
    SendScintilla(SCI_GOTOPOS, static_cast<unsigned long>(byte));
  }
  emit contextMenuWanted(event->globalPos());
  event->accept();
}

void CodeEditor::focusOutEvent(QFocusEvent *event) {
  m_completions->hide();
  QsciScintilla::focusOutEvent(event);
}

bool CodeEditor::viewportEvent(QEvent *event) {
  if (event->type() == QEvent::Leave) // Scintilla sees only what moves within it
    emit hoverEnded();
  return QsciScintilla::viewportEvent(event);
}

void CodeEditor::dragEnterEvent(QDragEnterEvent *event) {
  if (event->mimeData()->hasUrls())
    event->ignore(); // the window opens files
  else
    QsciScintilla::dragEnterEvent(event);
}

} // namespace tilescope::app
