// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/editor/CodeEditor.h"
#include "app/editor/Columns.h"
#include "app/editor/FindBar.h"

#include <QLineEdit>
#include <QPushButton>

#include <gtest/gtest.h>

using namespace tilescope;
using namespace tilescope::app;
using protocol::Position;

namespace {

// Bytes, code points and UTF-16 units all differ: é is 2 bytes, 变 3, 😀 4 bytes and 2 units.
const QString Mixed = QString::fromUtf8("a = 'é变😀z'\r\nb = 1\rc\n");

TEST(Columns, BothWaysThroughEveryCharacter) {
  CodeEditor editor;
  editor.load(Mixed);
  struct Place {
    Position position;
    int byte;
  };
  const Place places[] = {{{0, 0}, 0},  {{0, 5}, 5},   {{0, 6}, 7},   {{0, 7}, 10},
                          {{0, 9}, 14}, {{0, 10}, 15}, {{0, 11}, 16}, {{1, 0}, 18},
                          {{1, 5}, 23}, {{2, 0}, 24},  {{2, 1}, 25},  {{3, 0}, 26}};
  for (const Place &place : places) {
    EXPECT_EQ(bytePosition(editor, place.position), place.byte)
        << place.position.line << ":" << place.position.character;
    EXPECT_EQ(protocolPosition(editor, place.byte), place.position) << place.byte;
  }
}

TEST(Columns, BeyondTheEndIsTheEnd) {
  CodeEditor editor;
  editor.load(Mixed);
  EXPECT_EQ(bytePosition(editor, {0, 500}), 16);
  EXPECT_EQ(bytePosition(editor, {500, 0}), 26);
  EXPECT_EQ(protocolPosition(editor, 5000), (Position{3, 0}));
}

TEST(CodeEditor, KeepsTheTextByteForByte) {
  for (const char *text : {"", "\n", "a\r\nb\n\tc\r", "\t\x0c tab\n", "变😀"}) {
    CodeEditor editor;
    editor.load(QString::fromUtf8(text));
    EXPECT_EQ(editor.content().toUtf8(), QByteArray(text));
    EXPECT_FALSE(editor.isModified());
  }
}

protocol::Diagnostic diagnosticAt(Position start, Position end) {
  protocol::Diagnostic diagnostic;
  diagnostic.range = {start, end};
  diagnostic.code = "undefined-name";
  return diagnostic;
}

TEST(CodeEditor, UnderlinesExactlyTheRange) {
  CodeEditor editor;
  editor.load(QString::fromUtf8("变 = 😀 + name\n"));
  editor.setDiagnostics({diagnosticAt({0, 9}, {0, 13})});
  int begin = bytePosition(editor, {0, 9});
  auto underlined = [&](int byte) {
    return editor.SendScintilla(QsciScintilla::SCI_INDICATORVALUEAT, 8UL, static_cast<long>(byte)) != 0;
  };
  EXPECT_EQ(editor.content().toUtf8().mid(begin, 4), "name");
  EXPECT_FALSE(underlined(begin - 1));
  for (int i = 0; i < 4; ++i)
    EXPECT_TRUE(underlined(begin + i));
  EXPECT_FALSE(underlined(begin + 4));
  ASSERT_EQ(editor.diagnosticsAt(begin + 2).size(), 1u);
  editor.setDiagnostics({});
  EXPECT_FALSE(underlined(begin));
}

TEST(CodeEditor, FixIsOneStepOfUndo) {
  CodeEditor editor;
  editor.load(QString::fromUtf8("变 = r < M and c < N\n"));
  editor.applyFix({"use-elementwise-and", {}, {{0, 4}, {0, 19}}, "(r < M) & (c < N)"});
  EXPECT_EQ(editor.content(), QString::fromUtf8("变 = (r < M) & (c < N)\n"));
  editor.undo();
  EXPECT_EQ(editor.content(), QString::fromUtf8("变 = r < M and c < N\n"));
}

TEST(CodeEditor, TenThousandLinesAreNoTrouble) {
  CodeEditor editor;
  editor.load(QString("x = tl.load(p)  # 变\n").repeated(10000));
  EXPECT_EQ(editor.lines(), 10001);
  editor.goTo({9999, 4});
  EXPECT_EQ(editor.cursor(), (Position{9999, 4}));
}

TEST(FindBar, FindsCountsAndReplaces) {
  CodeEditor editor;
  editor.load("block = BLOCK\nBLOCK_M = block\n");
  FindBar bar(editor);
  auto *pattern = bar.findChildren<QLineEdit *>().at(0);
  pattern->setText("block");
  bar.findNext();
  EXPECT_EQ(editor.selectedText(), "block");
  bar.findNext();
  EXPECT_EQ(editor.selectedText(), "BLOCK") << "case is ignored unless asked for";
  bar.findPrevious();
  EXPECT_EQ(editor.cursor().line, 0u);
  bar.findChildren<QLineEdit *>().at(1)->setText("tile");
  for (QPushButton *button : bar.findChildren<QPushButton *>())
    if (button->text() == "Replace all")
      button->click();
  EXPECT_EQ(editor.content(), "tile = tile\ntile_M = tile\n");
  editor.undo();
  EXPECT_EQ(editor.content(), "block = BLOCK\nBLOCK_M = block\n");
}

} // namespace
