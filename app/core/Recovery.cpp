// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/Recovery.h"

#include <QCryptographicHash>
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>
#include <QUuid>

namespace tilescope::app {
namespace {

const QString LockName = QStringLiteral("owner.lock");

std::unique_ptr<QLockFile> lockOf(const QString &folder) {
  auto lock = std::make_unique<QLockFile>(folder + "/" + LockName);
  lock->setStaleLockTime(0); // only a dead owner makes it stale
  return lock;
}

} // namespace

Recovery::Recovery(QString folder) : m_root(std::move(folder)) {
  m_own = m_root + "/" + QUuid::createUuid().toString(QUuid::WithoutBraces);
  QDir().mkpath(m_own);
  m_lock = lockOf(m_own);
  m_lock->tryLock(0);
}

Recovery::~Recovery() {
  m_lock->unlock();
  QDir(m_own).removeRecursively();
}

QString Recovery::defaultFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + "/recovery";
}

QString Recovery::fileOf(const QString &key) const {
  QByteArray digest = QCryptographicHash::hash(key.toUtf8(), QCryptographicHash::Sha1).toHex();
  return m_own + "/" + QString::fromLatin1(digest) + ".json";
}

void Recovery::keep(const QString &key, const Text &text) {
  QSaveFile file(fileOf(key));
  if (!file.open(QIODevice::WriteOnly))
    return;
  file.write(
      QJsonDocument(QJsonObject{{"path", text.path}, {"text", text.text}, {"mark", text.byteOrderMark}})
          .toJson(QJsonDocument::Compact));
  file.commit();
}

void Recovery::forget(const QString &key) { QFile::remove(fileOf(key)); }

std::vector<QString> Recovery::abandonedFolders() const {
  std::vector<QString> folders;
  for (const QFileInfo &info : QDir(m_root).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    if (info.absoluteFilePath() == QFileInfo(m_own).absoluteFilePath())
      continue;
    if (std::unique_ptr<QLockFile> lock = lockOf(info.absoluteFilePath()); lock->tryLock(0))
      folders.push_back(info.absoluteFilePath());
  }
  return folders;
}

std::vector<Recovery::Text> Recovery::leftBehind() const {
  std::vector<Text> texts;
  for (const QString &folder : abandonedFolders()) {
    for (const QFileInfo &info : QDir(folder).entryInfoList({"*.json"}, QDir::Files, QDir::Time)) {
      QFile file(info.absoluteFilePath());
      if (!file.open(QIODevice::ReadOnly))
        continue;
      QJsonObject object = QJsonDocument::fromJson(file.readAll()).object();
      if (object.contains("text"))
        texts.push_back({object["path"].toString(), object["text"].toString(), object["mark"].toBool()});
    }
  }
  return texts;
}

void Recovery::discardLeftBehind() {
  for (const QString &folder : abandonedFolders())
    QDir(folder).removeRecursively();
}

} // namespace tilescope::app
