// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words for the screen, by their key in the catalogue (translations/*.json), in the language that is
// installed at the moment. Everything that a person reads goes through here.
#pragma once

#include "visualizer/model/Phrase.h"

#include <QString>
#include <QStringList>

namespace tilescope::viz {

/// "en", "fr" or "zh", or a locale that begins with one, such as "zh_CN"; English for anything else. From
/// then on `text` answers in it. Needs the resource of tilescope-words-qm (Q_INIT_RESOURCE(words)).
void setLanguage(const QString &language);
/// The language set, English before.
QString language();

/// The entry `key` with %1, %2 … replaced by `arguments`.
QString text(const char *key, const QStringList &arguments = {});
/// The same for a key that is put together at run time: "diagnostic." + id.
QString text(const QString &key, const QStringList &arguments = {});
/// The plural form of the entry for `count`, with %n replaced by the grouped number.
QString countText(const char *key, qint64 count, const QStringList &arguments = {});
/// A phrase of the model in words.
QString text(const Phrase &phrase);

/// 1823 -> "1,823" (en, zh), "1 823" (fr, with U+202F).
QString grouped(qint64 number);
/// 0.8 -> "80%" (en, zh), "80 %" (fr, with U+202F). `decimals` digits after the point.
QString percent(double share, int decimals = 0);
/// 3.8787, 2 -> "3.88" or "3,88".
QString decimal(double number, int decimals);
/// Bytes in the unit a reader expects: "160 B", "144 KiB"; a no-break space in between.
QString byteSize(qint64 bytes);

} // namespace tilescope::viz
