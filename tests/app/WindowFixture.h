// SPDX-License-Identifier: GPL-3.0-or-later
//
// A window with the stand-in compiler, and scripts in a folder that goes away.
#pragma once

#include "tests/app/Wait.h"

#include "app/core/MainWindow.h"
#include "app/core/Words.h"
#include "app/editor/EditorArea.h"
#include "app/panels/TerminalPanel.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFileInfo>
#include <QMessageBox>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <gtest/gtest.h>

namespace tilescope::app {

/// The real compiler, named by TILESCOPE_TILEC or beside this program; empty for none.
inline QString tilecProgram() {
  QString named = qEnvironmentVariable("TILESCOPE_TILEC");
  QString found = named.isEmpty() ? QCoreApplication::applicationDirPath() + "/tilec" : named;
  return QFileInfo(found).isExecutable() ? found : QString();
}

inline void writeFile(const QString &path, const QByteArray &bytes) {
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(bytes);
}

struct Window : testing::Test {
  QTemporaryDir folder;
  std::unique_ptr<MainWindow> window;

  explicit Window(const QString &tilec = FAKE_TILEC) {
    QSettings().clear();
    setLanguage("en");
    window = std::make_unique<MainWindow>(tilec);
    window->resize(1366, 768);
    window->show();
  }
  ~Window() override { setLanguage("en"); }

  EditorPage *openScript(const QByteArray &text, const QString &name = "a.py") {
    writeFile(folder.filePath(name), text);
    window->openFiles({folder.filePath(name)});
    return window->editors().current();
  }
  bool runScript() {
    window->run();
    return waitFor([&] { return window->runs().state() == RunController::State::Idle; });
  }
  QString terminal() { return window->findChild<TerminalPanel *>()->toPlainText(); }
  /// Presses a button of the next message box, whenever it comes, and keeps its words.
  void answerBox(const QString &button) {
    auto *look = new QTimer(window.get());
    look->callOnTimeout([this, look, button] {
      auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
      if (!box)
        return;
      look->stop();
      look->deleteLater();
      boxWords = box->text();
      for (QAbstractButton *candidate : box->buttons())
        if (candidate->text() == button)
          return candidate->click();
      box->reject();
      FAIL() << "no button " << button.toStdString();
    });
    look->start(20);
  }
  QString boxWords;
};

} // namespace tilescope::app
