// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/Wait.h"

#include "app/core/Framing.h"
#include "app/core/LanguageClient.h"
#include "app/core/RunController.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <csignal>

using namespace tilescope;
using namespace tilescope::app;

namespace {

TEST(FrameReader, FramesInPiecesAndTogether) {
  QByteArray bytes = framed("{\"a\":1}") + framed("{}");
  FrameReader reader;
  QList<QByteArray> frames;
  for (char byte : bytes) {
    reader.append(QByteArray(1, byte));
    while (auto frame = reader.next())
      frames << *frame;
  }
  EXPECT_EQ(frames, (QList<QByteArray>{"{\"a\":1}", "{}"}));
  EXPECT_FALSE(reader.isBroken());
}

TEST(FrameReader, NoFrameIsBroken) {
  FrameReader reader;
  reader.append("Traceback: something else\r\n\r\n");
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.isBroken());
}

struct Running : testing::Test {
  ServiceProcess process{FAKE_TILEC, ServiceProcess::Role::Run};
  RunController runs{process};
  QString printed;
  QStringList ends;
  std::vector<protocol::LaunchSummary> launches;

  Running() {
    QObject::connect(&runs, &RunController::output, [this](const QString &text) { printed += text; });
    QObject::connect(&runs, &RunController::launched, [this](auto &launch) { launches.push_back(launch); });
    QObject::connect(&runs, &RunController::finished,
                     [this](auto &report) { ends << QString::fromStdString(report.outcome); });
    QObject::connect(&runs, &RunController::lost,
                     [this](auto &reason) { ends << QString::fromStdString(reason.id); });
    process.start();
  }
  bool waitForEnds(int count) {
    return waitFor([&] { return ends.size() == count; });
  }
};

TEST_F(Running, PrintsLaunchesAndEnds) {
  runs.run("/x.py", "fine", {}); // before the process is ready: it waits
  ASSERT_TRUE(waitForEnds(1));
  EXPECT_EQ(ends.last(), "finished");
  EXPECT_EQ(printed, "hello\n");
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].kernel, "add_kernel");
  EXPECT_EQ(runs.state(), RunController::State::Idle);
  bool asked = false;
  runs.askTiles(0, 0, 0, 4, [&](const protocol::TilePage &page) { asked = page.tiles.values.size() == 16; });
  EXPECT_TRUE(waitFor([&] { return asked; }));
}

TEST_F(Running, AProcessThatDiesIsReplaced) {
  runs.run("/x.py", "CRASH", {});
  ASSERT_TRUE(waitForEnds(1));
  EXPECT_EQ(ends.last(), "run-died");
  EXPECT_EQ(runs.currentRun(), 0) << "nobody can answer questions about that run";
  runs.run("/x.py", "fine", {});
  ASSERT_TRUE(waitForEnds(2));
  EXPECT_EQ(ends.last(), "finished");
}

TEST_F(Running, ARunThatDoesNotListenIsStoppedAllTheSame) {
  runs.run("/x.py", "HANG", {});
  ASSERT_TRUE(waitFor([&] { return process.isReady(); }));
  QTest::qWait(100);
  QElapsedTimer time;
  time.start();
  runs.stop();
  EXPECT_EQ(runs.state(), RunController::State::Stopping);
  ASSERT_TRUE(waitForEnds(1));
  EXPECT_EQ(ends.last(), "run-stopped");
  EXPECT_LT(time.elapsed(), 4000);
  runs.run("/x.py", "fine", {});
  ASSERT_TRUE(waitForEnds(2));
  EXPECT_EQ(ends.last(), "finished");
}

TEST_F(Running, KilledFromOutside) {
  runs.run("/x.py", "HANG", {});
  ASSERT_TRUE(waitFor([&] { return process.isReady(); }));
  QTest::qWait(100);
  process.findChild<QProcess *>()->kill();
  ASSERT_TRUE(waitForEnds(1));
  EXPECT_EQ(ends.last(), "run-died");
}

TEST_F(Running, AFloodArrivesWhole) {
  runs.run("/x.py", "FLOOD", {});
  ASSERT_TRUE(waitForEnds(1));
  EXPECT_EQ(printed.size(), 200 * 20001 + 6);
}

TEST(ServiceProcess, AMissingProgramIsSaid) {
  ServiceProcess process("/no/such/tilec", ServiceProcess::Role::Language);
  std::string reason;
  QObject::connect(&process, &ServiceProcess::unusable, [&](auto &error) { reason = error.id; });
  process.start();
  ASSERT_TRUE(waitFor([&] { return !reason.empty(); }));
  EXPECT_EQ(reason, "service-missing");
}

TEST(LanguageClient, DocumentsAreToldAgainToAFreshProcess) {
  ServiceProcess process(FAKE_TILEC, ServiceProcess::Role::Language);
  LanguageClient client(process);
  int published = 0;
  size_t problems = 0;
  QObject::connect(&client, &LanguageClient::diagnosticsPublished, [&](auto &, auto &diagnostics) {
    ++published;
    problems = diagnostics.size();
  });
  client.open("file:///x.py", "fine");
  process.start();
  ASSERT_TRUE(waitFor([&] { return published == 1; }));
  EXPECT_EQ(problems, 0u);
  client.change("file:///x.py", [] { return QString("BAD"); });
  ASSERT_TRUE(waitFor([&] { return published == 2; }));
  EXPECT_EQ(problems, 1u);
  process.findChild<QProcess *>()->kill();
  ASSERT_TRUE(waitFor([&] { return published == 3; })) << "opened again by itself";
  EXPECT_EQ(problems, 1u) << "with the text as it was last";
}

} // namespace
