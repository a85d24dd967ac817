// SPDX-License-Identifier: GPL-3.0-or-later
//
// The main job with the real compiler: open main.py, press Run, see the tiles. Skipped where no tilec is
// found, in TILESCOPE_TILEC or beside this program.
#include "tests/app/WindowFixture.h"

#include "app/panels/AccessTable.h"
#include "app/panels/Bars.h"
#include "app/panels/ProblemsPanel.h"
#include "visualizer/widgets/SmViewWidget.h"

#include <QSignalSpy>

using namespace tilescope;
using namespace tilescope::app;

namespace {

QString realTilec() {
  QString named = qEnvironmentVariable("TILESCOPE_TILEC");
  QString found = named.isEmpty() ? QCoreApplication::applicationDirPath() + "/tilec" : named;
  return QFileInfo(found).isExecutable() ? found : QString();
}

struct EndToEnd : Window {
  EndToEnd() : Window(realTilec()) {}
  void SetUp() override {
    if (realTilec().isEmpty())
      GTEST_SKIP() << "no tilec";
  }
  EditorPage *openExample(const QString &name) {
    window->openFiles({QString(TILESCOPE_SOURCE_DIR) + "/resources/examples/" + name});
    return window->editors().current();
  }
};

TEST_F(EndToEnd, MainRunsAndItsTilesAreShown) {
  openExample("main.py");
  auto *view = window->findChild<viz::SmViewWidget *>();
  QSignalSpy wanted(view, &viz::SmViewWidget::tilesNeeded);
  ASSERT_TRUE(runScript());
  // What PyTorch and Triton print for the same script.
  EXPECT_TRUE(terminal().contains("(1823, 781) True\n")) << terminal().toStdString();
  EXPECT_TRUE(terminal().contains("Finished. 1 launch, 1,823 programs, no problems."))
      << terminal().toStdString();
  auto *table = window->findChild<AccessTable *>();
  ASSERT_EQ(table->rowCount(), 2);
  for (int row : {0, 1}) { // 1823 rows of 781 elements in tiles of 1024
    EXPECT_EQ(table->item(row, 3)->text(), "1,423,763");
    EXPECT_EQ(table->item(row, 4)->text(), "442,989");
  }
  ASSERT_TRUE(waitFor([&] { return !wanted.isEmpty(); })) << "the view asks for tiles";
  std::vector<int32_t> tiles;
  std::function<void()> askOn = [&] { // a page may hold fewer than asked for
    window->runs().askTiles(0, 0, static_cast<qint64>(tiles.size() / 4), 1823,
                            [&](const protocol::TilePage &page) {
                              tiles.insert(tiles.end(), page.tiles.values.begin(), page.tiles.values.end());
                              if (!page.tiles.values.empty() && tiles.size() < 4 * 1823)
                                askOn();
                            });
  };
  askOn();
  ASSERT_TRUE(waitFor([&] { return tiles.size() >= 4 * 1823; }));
  for (int row : {0, 1000, 1822}) { // a program writes a row
    auto tile = tiles.begin() + 4 * row;
    EXPECT_EQ(std::vector<int32_t>(tile, tile + 4), (std::vector<int32_t>{row, row + 1, 0, 781}));
  }
}

TEST_F(EndToEnd, AMistakeIsUnderlinedWhileTyping) {
  EditorPage *page = openScript("import triton\nx = triton.cdiv(7, 2)\nprint(y)\n");
  auto *problems = window->findChild<ProblemsPanel *>();
  ASSERT_TRUE(waitFor([&] { return problems->count() == 1; }));
  EXPECT_EQ(page->editor().diagnosticsAt(page->editor().length() - 3).size(), 1u);
  page->editor().select({{2, 6}, {2, 7}});
  page->editor().replaceSelectedText("x");
  EXPECT_TRUE(waitFor([&] { return problems->count() == 0; }));
  page->editor().setModified(false);
}

TEST_F(EndToEnd, ALoopWithoutEndIsStopped) {
  openScript("while True:\n    pass\n");
  window->run();
  QTest::qWait(300);
  window->runs().stop();
  EXPECT_TRUE(waitFor([&] { return terminal().contains("Stopped."); })) << terminal().toStdString();
  EXPECT_EQ(window->runs().state(), RunController::State::Idle);
}

TEST_F(EndToEnd, FromAKeystrokeToDiagnostics) {
  EditorPage *page = openExample("main.py");
  int published = 0;
  auto *problems = window->findChild<ProblemsPanel *>();
  QObject::connect(problems, &ProblemsPanel::countChanged, window.get(),
                   [&](int count) { published = count; });
  ASSERT_TRUE(waitFor([&] { return window->languageService().isReady(); }));
  QTest::qWait(200);
  std::vector<qint64> times;
  for (int i = 0; i < 11; ++i) {
    QElapsedTimer time;
    time.start();
    page->editor().insertAt("q", 3, 0);
    EXPECT_TRUE(waitFor([&] { return published == 1; }));
    times.push_back(time.elapsed());
    page->editor().select({{3, 0}, {3, 1}});
    page->editor().removeSelectedText();
    ASSERT_TRUE(waitFor([&] { return published == 0; }));
  }
  std::nth_element(times.begin(), times.begin() + 5, times.end());
  RecordProperty("medianMs", static_cast<int>(times[5]));
  std::printf("keystroke to diagnostics, with a pause of %d ms: %lld ms\n", LanguageClient::PauseMs,
              times[5]);
  page->editor().setModified(false);
}

TEST_F(EndToEnd, AnythingInThePathAndTheText) {
  QByteArray text =
      QString::fromUtf8("# 变量 😀\r\ns = '😀变é'; print(s)\r\nif s:\r\n\tprint(missing)\r\n").toUtf8();
  EditorPage *page = openScript(text, QString::fromUtf8("a b 变😀.py"));
  auto *problems = window->findChild<ProblemsPanel *>();
  ASSERT_TRUE(waitFor([&] { return problems->count() == 1; }));
  emit problems->itemActivated(problems->topLevelItem(0), 0);
  EXPECT_EQ(page->editor().selectedText(), "missing");
  ASSERT_TRUE(runScript());
  EXPECT_TRUE(terminal().contains(QString::fromUtf8("😀变é\n"))) << terminal().toStdString();
}

TEST_F(EndToEnd, AScriptThatAsksForTooMuchIsToldSo) {
  openScript("import torch\nx = torch.zeros(1 << 38)\nprint(x.sum())\n");
  ASSERT_TRUE(runScript());
  EXPECT_TRUE(terminal().contains("line 2: ") || terminal().contains("line 3: ")) << terminal().toStdString();
}

TEST_F(EndToEnd, TenThousandLines) {
  openScript(QByteArray("x = 1\n").repeated(9999) + "print(y)\n");
  auto *problems = window->findChild<ProblemsPanel *>();
  ASSERT_TRUE(waitFor([&] { return problems->count() == 1; }));
  EXPECT_EQ(problems->topLevelItem(0)->text(2), "10,000");
}

} // namespace
