// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <QApplication>
#include <gtest/gtest.h>

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  QApplication application(argc, argv);
  Q_INIT_RESOURCE(words);
  return RUN_ALL_TESTS();
}
