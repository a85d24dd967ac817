// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tests of the window share one QApplication; settings and recovery folder are thrown away afterwards.
#include "app/core/Words.h"

#include <QApplication>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <gtest/gtest.h>

int main(int argc, char **argv) {
  ::testing::InitGoogleTest(&argc, argv);
  QTemporaryDir home;
  qputenv("HOME", home.path().toUtf8());
  qputenv("XDG_CONFIG_HOME", home.path().toUtf8());
  qputenv("XDG_DATA_HOME", home.path().toUtf8());
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  Q_INIT_RESOURCE(words);
  Q_INIT_RESOURCE(window);
  QApplication application(argc, argv);
  QApplication::setApplicationName("tilescope-tests");
  QApplication::setStyle("Fusion");
  tilescope::app::setLanguage("en");
  return RUN_ALL_TESTS();
}
