// SPDX-License-Identifier: GPL-3.0-or-later
//
// The view "Stages" with the real compiler: code and editor lead to each other. Skipped where no tilec is found, in
// TILESCOPE_TILEC or beside this program.
#include "tests/app/WindowFixture.h"

#include "app/panels/StagesView.h"

#include <QComboBox>

using namespace tilescope;
using namespace tilescope::app;

namespace {

struct Stages : Window {
  Stages() : Window(tilecProgram()) {}
  void SetUp() override {
    if (tilecProgram().isEmpty())
      GTEST_SKIP() << "no tilec";
    window->openFiles({QString(TILESCOPE_SOURCE_DIR) + "/resources/examples/vector_add.py"});
    window->showView("stages");
    ASSERT_TRUE(runScript());
    ASSERT_TRUE(waitFor([&] { return code().lines() > 5; }));
  }
  StagesView &view() { return *window->findChild<StagesView *>(); }
  QsciScintilla &code() { return *view().findChild<QsciScintilla *>(); }
  CodeEditor &editor() { return window->editors().current()->editor(); }
  void choose(int stage) {
    QComboBox &box = *view().findChild<QComboBox *>();
    if (box.currentIndex() == stage)
      return;
    QString before = code().text();
    box.setCurrentIndex(stage);
    emit box.activated(stage);
    ASSERT_TRUE(waitFor([&] { return code().lines() > 5 && code().text() != before; }));
  }
  int sourceLineWith(const QString &word) {
    for (int line = 0; line < editor().lines(); ++line)
      if (editor().text(line).contains(word))
        return line;
    return -1;
  }
  QStringList marked() {
    QStringList lines;
    for (int line = 0; line < code().lines(); ++line)
      if (code().markersAtLine(line))
        lines << code().text(line).trimmed();
    return lines;
  }
};

TEST_F(Stages, EachHasWords) {
  QComboBox &box = *view().findChild<QComboBox *>();
  ASSERT_GT(box.count(), 10);
  EXPECT_EQ(box.currentIndex(), 0) << "what the source says comes first";
  for (int i = 0; i < box.count(); ++i)
    EXPECT_FALSE(box.itemText(i).startsWith("stage.")) << box.itemText(i).toStdString();
}

TEST_F(Stages, TheCursorsLineIsMarkedInTheCode) {
  choose(view().findChild<QComboBox *>()->count() - 1);
  editor().goTo({uint32_t(sourceLineWith("tl.store(")), 0});
  // The editor tells of its cursor when it paints.
  EXPECT_TRUE(waitFor([&] { return !marked().filter("st.global").isEmpty(); }));
  EXPECT_TRUE(marked().filter("ld.global").isEmpty());
}

TEST_F(Stages, ALineOfTheCodeLeadsToItsSource) {
  choose(0);
  editor().goTo({0, 0});
  QStringList leads;
  QObject::connect(&view(), &StagesView::lineActivated, [&](const QString &, int line) { leads << editor().text(line - 1); });
  window->activateWindow();
  code().setFocus();
  ASSERT_TRUE(waitFor([&] { return code().hasFocus(); }));
  for (int line = 0; line < code().lines(); ++line)
    if (code().text(line).contains("tile.store "))
      code().setCursorPosition(line, 0);
  ASSERT_TRUE(waitFor([&] { return leads.size() == 1; }));
  EXPECT_TRUE(leads.front().contains("tl.store(")) << leads.front().toStdString();
  EXPECT_EQ(int(editor().cursor().line), sourceLineWith("tl.store("));
}

} // namespace
