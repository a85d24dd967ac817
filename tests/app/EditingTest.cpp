// SPDX-License-Identifier: GPL-3.0-or-later
//
// Working with files and text in the window: names to choose from, other programs that change a file, tabs.
#include "tests/app/WindowFixture.h"

#include "app/editor/CompletionPopup.h"
#include "app/editor/FindBar.h"
#include "app/editor/HoverPopup.h"
#include "app/editor/LineOverlay.h"

#include <QDragEnterEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>

using namespace tilescope;
using namespace tilescope::app;

namespace {

std::vector<std::string> labels(const std::vector<const protocol::CompletionItem *> &items) {
  std::vector<std::string> all;
  for (const protocol::CompletionItem *item : items)
    all.push_back(item->label);
  return all;
}

TEST(Completion, WhatBeginsSoComesBeforeWhatHasItWithin) {
  std::vector<protocol::CompletionItem> items{
      {"atomic_max", 3, "", ""}, {"max", 3, "", ""}, {"Maximum", 3, "", ""}, {"sum", 3, "", ""}};
  EXPECT_EQ(labels(fitting(items, "max")), (std::vector<std::string>{"max", "Maximum", "atomic_max"}));
  EXPECT_EQ(labels(fitting(items, "")).size(), 4u);
  EXPECT_TRUE(fitting(items, "x").size() == 3 && fitting(items, "zz").empty());
}

struct Editing : Window {
  EditorPage *page = openScript("import tl\n");
  CodeEditor &editor = page->editor();

  Editing() {
    QApplication::setActiveWindow(window.get());
    editor.setFocus();
    waitFor([&] { return window->languageService().isReady(); });
  }
  ~Editing() override { editor.setModified(false); }
  bool openCompletions(const QString &text) {
    editor.load("");
    QTest::keyClicks(&editor, text);
    return waitFor([&] { return editor.completions().isVisible(); });
  }
  QListWidget *names() { return editor.completions().findChild<QListWidget *>(); }
};

TEST_F(Editing, ADotOffersNamesAndTypingNarrowsThem) {
  ASSERT_TRUE(openCompletions("tl."));
  EXPECT_EQ(names()->count(), 5);
  QTest::keyClicks(&editor, "ma");
  EXPECT_EQ(names()->count(), 2);
  QTest::keyClick(&editor, Qt::Key_Down);
  QTest::keyClick(&editor, Qt::Key_Return);
  EXPECT_EQ(editor.content(), "tl.max");
  EXPECT_FALSE(editor.completions().isVisible());
}

TEST_F(Editing, EscapeAndLeavingTheWordCloseTheNames) {
  ASSERT_TRUE(openCompletions("tl."));
  QTest::keyClick(&editor, Qt::Key_Escape);
  EXPECT_FALSE(editor.completions().isVisible());
  ASSERT_TRUE(openCompletions("tl."));
  QTest::keyClicks(&editor, "(");
  EXPECT_FALSE(editor.completions().isVisible());
  ASSERT_TRUE(openCompletions("tl."));
  QTest::keyClick(&editor, Qt::Key_Backspace);
  EXPECT_FALSE(editor.completions().isVisible());
  EXPECT_EQ(editor.content(), "tl");
}

TEST_F(Editing, TheChosenNameIsExplained) {
  ASSERT_TRUE(openCompletions("tl."));
  QStringList words;
  for (QLabel *label : editor.completions().findChildren<QLabel *>())
    words << label->text();
  EXPECT_TRUE(words.contains("load(pointer, mask=None, other=None)")) << words.join("|").toStdString();
}

TEST_F(Editing, HoverSaysTypeAndValue) {
  window->findChild<QAction *>("explain")->trigger();
  auto shown = [] {
    for (QWidget *top : QApplication::topLevelWidgets())
      if (auto *popup = qobject_cast<HoverPopup *>(top); popup && popup->isVisible())
        return popup->findChild<QLabel *>()->text();
    return QString();
  };
  ASSERT_TRUE(waitFor([&] { return !shown().isEmpty(); }));
  EXPECT_TRUE(shown().contains("x: fp32[1024] = 7")) << shown().toStdString();
  QTest::keyClick(&editor, Qt::Key_Right);
  EXPECT_TRUE(waitFor([&] { return shown().isEmpty(); })) << "it goes when the cursor moves";
}

TEST_F(Editing, HintsStayWithTheirLines) {
  LineOverlay overlay(editor);
  overlay.setHints({{0, "a"}, {2, "b"}, {5, "c"}});
  overlay.shiftHints(1, 2);
  EXPECT_EQ(overlay.hints(), (QHash<int, QString>{{0, "a"}, {4, "b"}, {7, "c"}}));
  overlay.shiftHints(2, -3);
  EXPECT_EQ(overlay.hints(), (QHash<int, QString>{{0, "a"}, {4, "c"}})) << "a hint goes with its line";
}

TEST_F(Editing, AFileChangedElsewhereIsTakenOver) {
  writeFile(page->path(), "changed = 1\n");
  ASSERT_TRUE(waitFor([&] { return editor.content() == "changed = 1\n"; }));
  EXPECT_FALSE(page->isUnsaved());
  editor.undo();
  EXPECT_EQ(editor.content(), "import tl\n") << "and can be taken back";
}

TEST_F(Editing, AFileChangedOnBothSidesIsAskedAbout) {
  editor.insert("mine ");
  answerBox("Mine");
  writeFile(page->path(), "theirs\n");
  ASSERT_TRUE(waitFor([&] { return !boxWords.isEmpty(); }));
  EXPECT_EQ(editor.content(), "mine import tl\n");
  EXPECT_TRUE(page->isUnsaved());
}

TEST_F(Editing, ADeletedFileKeepsItsText) {
  QFile::remove(page->path());
  ASSERT_TRUE(waitFor([&] { return page->isUnsaved(); }));
  EXPECT_EQ(editor.content(), "import tl\n");
  EXPECT_TRUE(window->editors().save(page));
  EXPECT_TRUE(QFile::exists(page->path()));
  EXPECT_FALSE(page->isUnsaved());
}

TEST_F(Editing, SavingIsNoChangeFromElsewhere) {
  editor.insert("x");
  EXPECT_TRUE(window->editors().save(page));
  QTest::qWait(300);
  EXPECT_FALSE(QApplication::activeModalWidget());
  EXPECT_EQ(editor.content(), "ximport tl\n");
}

TEST_F(Editing, AFileIsOpenOnceByWhateverName) {
  QFile::link(page->path(), folder.filePath("link.py"));
  EXPECT_EQ(window->editors().open(folder.filePath("link.py")), page);
  EXPECT_EQ(window->editors().open(folder.filePath("../") + QFileInfo(folder.path()).fileName() + "/a.py"),
            page);
  EXPECT_EQ(window->editors().count(), 1);
}

TEST_F(Editing, AFileThatDoesNotExistYetIsMadeBySaving) {
  window->openFiles({folder.filePath("new.py")});
  EXPECT_EQ(window->editors().current()->title(), "new.py");
  EXPECT_TRUE(terminal().contains("new.py does not exist yet"));
  EXPECT_TRUE(window->editors().save(window->editors().current()));
  EXPECT_TRUE(QFile::exists(folder.filePath("new.py")));
}

TEST_F(Editing, TabsGoRoundAndClose) {
  openScript("b\n", "b.py");
  auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers) {
    QTest::keyClick(window.get(), key, modifiers);
    return window->editors().current()->title();
  };
  EXPECT_EQ(press(Qt::Key_Tab, Qt::ControlModifier), "a.py");
  EXPECT_EQ(press(Qt::Key_Tab, Qt::ControlModifier), "b.py");
  EXPECT_EQ(press(Qt::Key_W, Qt::ControlModifier), "a.py");
  EXPECT_EQ(window->editors().count(), 1);
}

TEST_F(Editing, ADroppedFileOpens) {
  writeFile(folder.filePath("d.py"), "dropped\n");
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(folder.filePath("d.py"))});
  QDragEnterEvent enter({9, 9}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window.get(), &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop({9, 9}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window.get(), &drop);
  EXPECT_EQ(window->editors().current()->editor().content(), "dropped\n");
}

TEST_F(Editing, CommentsComeAndGo) {
  editor.load("def f():\n    x = 1\n\n    y = 2\n");
  editor.selectAll();
  editor.toggleComment();
  EXPECT_EQ(editor.content(), "# def f():\n#     x = 1\n\n#     y = 2\n");
  editor.selectAll();
  editor.toggleComment();
  EXPECT_EQ(editor.content(), "def f():\n    x = 1\n\n    y = 2\n");
}

TEST_F(Editing, UndoAndRedoByKey) {
  editor.load("");
  QTest::keyClicks(&editor, "ab");
  QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(editor.content(), "");
  QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(editor.content(), "ab");
}

TEST_F(Editing, MatchesAreOutlinedWhileTheFindBarIsOpen) {
  editor.load("aa b aa\n");
  page->findBar().open(false);
  page->findBar().findChild<QLineEdit *>()->setText("aa");
  auto outlined = [&](int byte) {
    return editor.SendScintilla(QsciScintilla::SCI_INDICATORVALUEAT, 11UL, static_cast<long>(byte)) != 0;
  };
  EXPECT_TRUE(outlined(0) && outlined(6));
  EXPECT_FALSE(outlined(3));
  editor.setFocus();
  QTest::keyClick(&editor, Qt::Key_Escape);
  EXPECT_FALSE(page->findBar().isVisible());
  EXPECT_FALSE(outlined(0));
}

} // namespace
