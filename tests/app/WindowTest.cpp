// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/WindowFixture.h"

#include "app/panels/ProblemsPanel.h"

#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTabBar>

using namespace tilescope;
using namespace tilescope::app;

namespace {

TEST_F(Window, SaysThatItIsReadyAndWaitsForRun) {
  openScript("fine\n");
  EXPECT_EQ(terminal().trimmed(), "Ready. Run starts a.py.");
  window->run();
  ASSERT_TRUE(waitFor([&] { return terminal().contains("Finished"); })) << terminal().toStdString();
  EXPECT_EQ(terminal(), "Ready. Run starts a.py.\nRun a.py on the interpreter\nhello\n"
                        "Finished. 1 launch, 4 programs, no problems.\n");
}

TEST_F(Window, ProblemsJumpToTheirPlaceAndOfferTheirFix) {
  EditorPage *page = openScript("变变 = BAD\n");
  auto *problems = window->findChild<ProblemsPanel *>();
  ASSERT_TRUE(waitFor([&] { return problems->count() == 1; }));
  EXPECT_EQ(problems->topLevelItem(0)->text(1), "a.py");
  emit problems->itemActivated(problems->topLevelItem(0), 0);
  EXPECT_EQ(page->editor().selectedText(), "BAD");
  page->editor().goTo({0, 6});
  QTest::keyClick(window.get(), Qt::Key_Period, Qt::ControlModifier);
  EXPECT_EQ(page->editor().content(), QString::fromUtf8("变变 = GOOD\n"));
  EXPECT_TRUE(waitFor([&] { return problems->count() == 0; }));
}

TEST_F(Window, UnsavedTextIsGuarded) {
  EditorPage *page = openScript("fine\n");
  page->editor().insert("x");
  EXPECT_TRUE(window->windowTitle().contains("a.py"));
  answerBox("Keep editing");
  EXPECT_FALSE(window->editors().close(page));
  answerBox("Save");
  EXPECT_TRUE(window->editors().close(page));
  QFile file(folder.filePath("a.py"));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_EQ(file.readAll(), "xfine\n");
}

TEST_F(Window, WhatIsNoScriptIsRefusedInWords) {
  writeFile(folder.filePath("x.bin"), QByteArray("\0\1\2", 3));
  writeFile(folder.filePath("latin.py"), "# caf\xE9\n");
  const std::pair<QString, QString> cases[] = {{"x.bin", "is not a text file"},
                                               {"latin.py", "is not UTF-8"},
                                               {".", "is a folder"},
                                               {"missing.py", "does not exist"}};
  for (const auto &[name, words] : cases) {
    answerBox("OK");
    EXPECT_FALSE(window->editors().open(folder.filePath(name)));
    EXPECT_TRUE(boxWords.contains(words)) << boxWords.toStdString();
  }
}

TEST_F(Window, EditingMakesThePictureOld) {
  EditorPage *page = openScript("fine\n");
  window->run();
  ASSERT_TRUE(waitFor([&] { return terminal().contains("Finished"); }));
  page->editor().insert("x");
  QTest::qWait(50);
  EXPECT_TRUE(page->isUnsaved());
  page->editor().setModified(false);
}

/// All words that the window shows at the moment.
QStringList visibleWords(QWidget &window) {
  QStringList words;
  for (QAction *action : window.findChildren<QAction *>())
    if (!action->objectName().isEmpty() && !action->objectName().startsWith("language-"))
      words << action->text();
  for (QLabel *label : window.findChildren<QLabel *>())
    words << label->text();
  for (QAbstractButton *button : window.findChildren<QAbstractButton *>())
    if (button->isVisibleTo(&window))
      words << button->text() << button->toolTip() << button->accessibleName();
  for (QLineEdit *line : window.findChildren<QLineEdit *>())
    words << line->placeholderText();
  for (QTabBar *bar : window.findChildren<QTabBar *>())
    for (int i = 0; i < bar->count(); ++i)
      words << bar->tabText(i);
  for (QDockWidget *dock : window.findChildren<QDockWidget *>())
    words << dock->windowTitle();
  words.removeAll(QString());
  words.removeDuplicates();
  return words;
}

TEST_F(Window, SwitchingTheLanguageLeavesNoWordBehind) {
  openScript("fine\n");
  window->run();
  ASSERT_TRUE(waitFor([&] { return terminal().contains("Finished"); }));
  setLanguage("fr");
  QApplication::processEvents();
  QStringList french = visibleWords(*window);
  setLanguage("zh");
  QApplication::processEvents();
  QStringList chinese = visibleWords(*window);
  // These are the same in every language: names, numbers, sizes.
  static const QRegularExpression same(
      R"(^(GPU.*|H200.*|T4|a\.py|add_kernel.*|[\d\s.,×%x]+|SRAM|Tilescope|English|Français|简体中文)$)");
  for (const QString &word : french)
    if (chinese.contains(word) && !same.match(word).hasMatch())
      ADD_FAILURE() << "the same in French and Chinese: " << word.toStdString();
  for (const QString &word : chinese) {
    static const QRegularExpression key(R"(^[a-z]+(\.[a-z-]+)+$)");
    EXPECT_FALSE(key.match(word).hasMatch() && word != "a.py")
        << "a key instead of words: " << word.toStdString();
  }
}

TEST_F(Window, EveryActionHasWordsInEveryLanguage) {
  for (const QString &code : languages()) {
    setLanguage(code);
    QApplication::processEvents();
    for (QAction *action : window->findChildren<QAction *>())
      if (!action->objectName().isEmpty()) {
        EXPECT_FALSE(action->text().isEmpty()) << action->objectName().toStdString();
        EXPECT_FALSE(action->text().startsWith("action.")) << action->text().toStdString();
      }
  }
}

TEST_F(Window, ArrangementIsKept) {
  window->findChild<QDockWidget *>("accesses")->hide();
  openScript("fine\n");
  window->close();
  window = std::make_unique<MainWindow>(FAKE_TILEC);
  window->show();
  EXPECT_FALSE(window->findChild<QDockWidget *>("accesses")->isVisibleTo(window.get()));
  window->findChild<QAction *>("arrange-reset")->trigger();
  EXPECT_TRUE(window->findChild<QDockWidget *>("accesses")->isVisibleTo(window.get()));
}

} // namespace
