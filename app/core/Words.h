// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sentences for what the protocol carries as ids and arguments, and the language that they are made in.
#pragma once

#include "compiler/Protocol/Messages.h"

#include <QString>
#include <QStringList>

namespace tilescope::app {

QString diagnosticText(const protocol::Diagnostic &diagnostic);
QString noteText(const protocol::Note &note);
QString fixText(const protocol::Fix &fix);
QString errorText(const protocol::ErrorData &error);
/// "no problems", "2 problems".
QString problemsText(qint64 count);

/// "en", "fr" or "zh".
const QStringList &languages();
/// Its own name for itself: "Français".
QString languageName(const QString &code);
/// Installs the words and number formats of a language; every window gets a LanguageChange event.
void setLanguage(const QString &code);
QString currentLanguage();
/// The system's language if there are words in it, else English.
QString systemLanguage();

} // namespace tilescope::app
