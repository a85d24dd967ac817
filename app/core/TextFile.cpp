// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/TextFile.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStringDecoder>

namespace tilescope::app {
namespace {

constexpr qint64 LargestFile = 64 << 20;
constexpr char Mark[] = "\xEF\xBB\xBF";

FileError fileError(const char *id, const QString &path, const QString &detail = {}) {
  return {id, {path.toStdString(), detail.toStdString()}, false};
}

} // namespace

std::variant<TextFile, FileError> loadTextFile(const QString &path) {
  QFileInfo info(path);
  if (!info.exists())
    return fileError("file-missing", path);
  if (info.isDir())
    return fileError("file-is-folder", path);
  if (info.size() > LargestFile)
    return fileError("file-too-large", path);
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return fileError("file-unreadable", path, file.errorString());
  QByteArray bytes = file.readAll();
  TextFile result;
  result.byteOrderMark = bytes.startsWith(Mark);
  if (result.byteOrderMark)
    bytes.remove(0, 3);
  if (bytes.contains('\0'))
    return fileError("file-binary", path);
  QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
  result.text = decoder(bytes);
  if (decoder.hasError())
    return fileError("file-not-utf8", path);
  return result;
}

std::optional<FileError> saveTextFile(const QString &path, const TextFile &file) {
  QSaveFile out(path);
  if (!out.open(QIODevice::WriteOnly))
    return fileError("file-unwritable", path, out.errorString());
  if (file.byteOrderMark)
    out.write(Mark, 3);
  out.write(file.text.toUtf8());
  if (!out.commit())
    return fileError("file-unwritable", path, out.errorString());
  return std::nullopt;
}

} // namespace tilescope::app
