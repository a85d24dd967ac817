// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/Words.h"

#include "visualizer/render/Text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTranslator>

namespace tilescope::app {
namespace {

QString current;

QStringList toQt(const std::vector<std::string> &arguments) {
  QStringList list;
  for (const std::string &argument : arguments)
    list << QString::fromStdString(argument);
  return list;
}

/// An entry of the catalogue, or what came with the message where there is none.
QString entry(const char *area, const std::string &id, const std::vector<std::string> &arguments,
              const std::string &fallback = {}) {
  QString key = QString::fromLatin1(area) + "." + QString::fromStdString(id);
  QString words = viz::text(key, toQt(arguments));
  return words == key && !fallback.empty() ? QString::fromStdString(fallback) : words;
}

} // namespace

QString diagnosticText(const protocol::Diagnostic &diagnostic) {
  return entry("diagnostic", diagnostic.code, diagnostic.data.arguments, diagnostic.message);
}
QString noteText(const protocol::Note &note) { return entry("note", note.id, note.arguments); }
QString fixText(const protocol::Fix &fix) { return entry("fix", fix.id, fix.arguments); }
QString errorText(const protocol::ErrorData &error) { return entry("error", error.id, error.arguments); }

QString problemsText(qint64 count) {
  return count == 0 ? viz::text("count.no-problems") : viz::countText("count.problems", count);
}

const QStringList &languages() {
  static const QStringList codes{"en", "fr", "zh"};
  return codes;
}

QString languageName(const QString &code) {
  return code == "fr"   ? QStringLiteral("Français")
         : code == "zh" ? QStringLiteral("简体中文")
                        : QStringLiteral("English");
}

QString currentLanguage() { return current; }

QString systemLanguage() {
  QString code = QLocale::system().name().left(2);
  return languages().contains(code) ? code : QStringLiteral("en");
}

void setLanguage(const QString &code) {
  static QTranslator *words = nullptr;
  static QTranslator *qtWords = nullptr;
  for (QTranslator **translator : {&words, &qtWords}) {
    if (*translator)
      QCoreApplication::removeTranslator(*translator);
    delete std::exchange(*translator, new QTranslator(qApp));
  }
  current = code;
  QLocale locale(code == "fr" ? "fr_FR" : code == "zh" ? "zh_CN" : "en_US");
  QLocale::setDefault(locale);
  viz::setLanguage(code);
  if (qtWords->load("qtbase_" + locale.name(), "/usr/share/qt6/translations") ||
      qtWords->load("qtbase_" + code, "/usr/share/qt6/translations"))
    QCoreApplication::installTranslator(qtWords);
  if (words->load(":/i18n/tilescope_" + code + ".qm"))
    QCoreApplication::installTranslator(words);
}

} // namespace tilescope::app
