// SPDX-License-Identifier: GPL-3.0-or-later
//
// Script files on disk: UTF-8 with or without a byte order mark. What the editor did not change is written
// back byte for byte, line ends included.
#pragma once

#include "compiler/Protocol/Messages.h"

#include <QString>

#include <optional>
#include <variant>

namespace tilescope::app {

struct TextFile {
  QString text;
  bool byteOrderMark = false;
};

/// Why a file could not be read or written: catalogue key "error.<id>".
using FileError = protocol::ErrorData;

/// Errors: "file-missing", "file-unreadable", "file-is-folder", "file-binary", "file-not-utf8",
/// "file-too-large".
std::variant<TextFile, FileError> loadTextFile(const QString &path);

/// Replaces the file at once or not at all. Error: "file-unwritable".
std::optional<FileError> saveTextFile(const QString &path, const TextFile &file);

} // namespace tilescope::app
