// SPDX-License-Identifier: GPL-3.0-or-later
//
// One selection: whatever changes it, everything that shows it follows.
#include "tests/app/WindowFixture.h"

#include "app/editor/LineOverlay.h"
#include "app/panels/AccessTable.h"
#include "app/panels/Bars.h"
#include "app/panels/LaunchPanel.h"
#include "app/panels/RowList.h"
#include "visualizer/widgets/SmViewWidget.h"

using namespace tilescope;
using namespace tilescope::app;

namespace {

struct Following : Window {
  EditorPage *page = openScript("store()\nlaunch()\n");
  AccessTable *table = window->findChild<AccessTable *>();

  Following() { EXPECT_TRUE(runScript()); }
  QString chooser(const QString &label) {
    for (Chooser *chooser : window->findChildren<Chooser *>())
      if (chooser->accessibleName().startsWith(label))
        return chooser->accessibleName();
    return {};
  }
  RowList *list(const QString &name) {
    for (RowList *list : window->findChildren<RowList *>())
      if (list->accessibleName() == name)
        return list;
    return nullptr;
  }
};

TEST_F(Following, TheFirstLaunchIsChosenAndShownEverywhere) {
  EXPECT_EQ(chooser("Launch"), "Launch add_kernel, line 2");
  EXPECT_EQ(chooser("Program"), "Program 0 to 3");
  EXPECT_EQ(table->rowCount(), 1);
  EXPECT_EQ(table->item(0, 3)->text(), "4,000");
  EXPECT_EQ(list("Launches")->currentIndex().row(), 0);
  EXPECT_EQ(list("Accesses")->rows(), 1);
}

TEST_F(Following, ALineWithAnAccessIsMarkedByTheShareOfItsElements) {
  long markers = page->editor().SendScintilla(QsciScintilla::SCI_MARKERGET, 0UL);
  int filled = LineOverlay::AccessMark + 5; // 4000 of 4096
  EXPECT_TRUE(markers & 1L << filled) << markers;
  EXPECT_EQ(page->editor().SendScintilla(QsciScintilla::SCI_MARKERGET, 1UL) & (1L << filled), 0);
}

TEST_F(Following, TheCursorOnAnAccessChoosesIt) {
  page->editor().goTo({1, 0});
  EXPECT_TRUE(table->selectedItems().isEmpty());
  page->editor().goTo({0, 2});
  ASSERT_TRUE(waitFor([&] { return !table->selectedItems().isEmpty(); }));
  EXPECT_EQ(list("Accesses")->currentIndex().row(), 0);
}

TEST_F(Following, ARowOfTheTableMovesTheCursor) {
  page->editor().goTo({2, 0});
  emit table->cellClicked(0, 0);
  EXPECT_EQ(page->editor().cursor().line, 0u);
  page->editor().goTo({2, 0});
  emit list("Launches")->rowChosen(0);
  EXPECT_EQ(page->editor().cursor().line, 1u) << "of the launching call";
}

TEST_F(Following, TheProgramUnderThePointerIsNamed) {
  auto *view = window->findChild<viz::SmViewWidget *>();
  emit view->programHovered(2);
  EXPECT_EQ(chooser("Program"), "Program 2, of 0 to 3");
  emit view->programHovered(-1);
  EXPECT_EQ(chooser("Program"), "Program 0 to 3");
}

TEST_F(Following, AProblemInTheTerminalGoesToItsLine) {
  page->editor().load("\nFAIL\n");
  ASSERT_TRUE(runScript());
  EXPECT_TRUE(terminal().contains("line 1: ")) << terminal().toStdString();
  page->editor().goTo({1, 0});
  emit window->findChild<TerminalPanel *>()->lineActivated(page->runPath(), 1);
  EXPECT_EQ(page->editor().cursor().line, 0u);
  page->editor().setModified(false);
}

} // namespace
