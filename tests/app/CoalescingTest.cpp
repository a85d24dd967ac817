// SPDX-License-Identifier: GPL-3.0-or-later
//
// The view "Coalescing" with the real compiler: what it shows of main.py is what `tilec trace` says, and it follows the
// cursor. Skipped where no tilec is found, in TILESCOPE_TILEC or beside this program.
#include "tests/app/WindowFixture.h"

#include "visualizer/widgets/CoalescingViewWidget.h"

#include <QProcess>

using namespace tilescope;
using namespace tilescope::app;

namespace {

struct Coalescing : Window {
  Coalescing() : Window(tilecProgram()) {}
  void SetUp() override {
    if (tilecProgram().isEmpty())
      GTEST_SKIP() << "no tilec";
  }
  void runExample(const QString &name) {
    path = QString(TILESCOPE_SOURCE_DIR) + "/resources/examples/" + name;
    window->openFiles({path});
    window->showView("coalescing");
    ASSERT_TRUE(runScript());
  }
  nlohmann::json traced() {
    QProcess process;
    process.start(tilecProgram(), {"trace", "--json", "--launch", "0", path});
    EXPECT_TRUE(process.waitForFinished(60'000));
    return nlohmann::json::parse(process.readAllStandardOutput().toStdString(), nullptr, false);
  }
  viz::CoalescingViewWidget &view() { return *window->findChild<viz::CoalescingViewWidget *>(); }
  bool counted(int access) {
    return waitFor([&] {
      const viz::CoalescingScene &scene = view().scene();
      return !scene.empty() && scene.detail().access == access && scene.fullyCounted();
    });
  }

  QString path;
};

TEST_F(Coalescing, SaysWhatTraceSays) {
  runExample("main.py");
  const nlohmann::json accesses = traced()["accesses"];
  ASSERT_EQ(accesses.size(), 2u);
  for (int access : {0, 1}) {
    // The cursor on the line of an access chooses it.
    window->editors().current()->editor().goTo({accesses[size_t(access)]["line"].get<uint32_t>() - 1, 0});
    ASSERT_TRUE(counted(access));
    EXPECT_EQ(protocol::toJson(view().scene().count().totals), accesses[size_t(access)]);
    EXPECT_EQ(view().scene().count().totals.requests, 45'575);
    EXPECT_EQ(view().scene().count().totals.sectors, 217'846);
    EXPECT_EQ(view().scene().count().totals.distinctSectors, 177'971);
    EXPECT_EQ(view().playable().duration, 25);
  }
}

TEST_F(Coalescing, IsFedWhenItComesToTheFront) {
  window->openFiles({QString(TILESCOPE_SOURCE_DIR) + "/resources/examples/vector_add.py"});
  ASSERT_TRUE(runScript());
  EXPECT_TRUE(view().scene().empty()) << "behind another view";
  window->showView("coalescing");
  EXPECT_TRUE(counted(0));
}

TEST_F(Coalescing, VectorAddNeedsNothingMore) {
  runExample("vector_add.py");
  ASSERT_TRUE(counted(0));
  EXPECT_EQ(protocol::toJson(view().scene().count().totals), traced()["accesses"][0]);
  EXPECT_EQ(view().scene().count().totals.requests, 769);
  EXPECT_EQ(view().scene().count().totals.sectors, 12'304);
  EXPECT_EQ(view().scene().better(0).text, "coalescing.better.nothing");
}

} // namespace
