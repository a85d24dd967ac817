// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/Recovery.h"
#include "app/core/TextFile.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <gtest/gtest.h>

using namespace tilescope::app;

namespace {

void write(const QString &path, const QByteArray &bytes) {
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(bytes);
}

QByteArray read(const QString &path) {
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::ReadOnly));
  return file.readAll();
}

std::string errorOf(const QString &path) {
  auto loaded = loadTextFile(path);
  auto *error = std::get_if<FileError>(&loaded);
  return error ? error->id : "";
}

TEST(TextFile, WhatIsNotChangedIsWrittenBackByteForByte) {
  QTemporaryDir folder;
  QString path = folder.filePath(QString::fromUtf8("a b 变😀.py"));
  for (QByteArray bytes : {QByteArray(""), QByteArray("x\r\ny\rz\n\t"), QByteArray("\xEF\xBB\xBFx = 1\r\n"),
                           QByteArray("变 = '😀'\n")}) {
    write(path, bytes);
    auto loaded = loadTextFile(path);
    ASSERT_TRUE(std::holds_alternative<TextFile>(loaded));
    EXPECT_FALSE(saveTextFile(path, std::get<TextFile>(loaded)));
    EXPECT_EQ(read(path), bytes);
  }
}

TEST(TextFile, WhatIsNoTextIsRefusedByName) {
  QTemporaryDir folder;
  EXPECT_EQ(errorOf(folder.filePath("missing.py")), "file-missing");
  EXPECT_EQ(errorOf(folder.path()), "file-is-folder");
  write(folder.filePath("binary"), QByteArray("\x7f"
                                              "ELF\0\1\2",
                                              7));
  EXPECT_EQ(errorOf(folder.filePath("binary")), "file-binary");
  write(folder.filePath("latin1.py"), "# caf\xE9\n");
  EXPECT_EQ(errorOf(folder.filePath("latin1.py")), "file-not-utf8");
}

TEST(TextFile, FailedSavingSaysWhy) {
  std::optional<FileError> error = saveTextFile("/no/such/folder/x.py", {"x", false});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->id, "file-unwritable");
}

TEST(Recovery, TextsOfADeadProgramComeBack) {
  QTemporaryDir folder;
  {
    // A folder without a living owner, as a crash leaves it.
    Recovery crashed(folder.path());
    crashed.keep("file:///x.py", {"/x.py", QString::fromUtf8("变 = 1\r\n"), true});
    crashed.keep("file:///y.py", {"/y.py", "saved", false});
    crashed.forget("file:///y.py");
    QString own = QDir(folder.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).value(0);
    QDir(folder.path()).mkdir("left");
    for (const QString &name : QDir(folder.filePath(own)).entryList({"*.json"}))
      QFile::copy(folder.filePath(own + "/" + name), folder.filePath("left/" + name));
    EXPECT_EQ(Recovery(folder.path()).leftBehind().size(), 1u)
        << "what a living program keeps is not offered";
  }
  Recovery next(folder.path());
  std::vector<Recovery::Text> texts = next.leftBehind();
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts[0].path, "/x.py");
  EXPECT_EQ(texts[0].text, QString::fromUtf8("变 = 1\r\n"));
  EXPECT_TRUE(texts[0].byteOrderMark);
  next.discardLeftBehind();
  EXPECT_TRUE(next.leftBehind().empty());
}

TEST(Recovery, AnOrderlyEndLeavesNothing) {
  QTemporaryDir folder;
  {
    Recovery recovery(folder.path());
    recovery.keep("a", {"", "text", false});
  }
  EXPECT_TRUE(QDir(folder.path()).isEmpty());
}

} // namespace
