// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/render/Text.h"

#include <QCoreApplication>
#include <QTranslator>
#include <array>
#include <cmath>

namespace tilescope::viz {

namespace {

constexpr QChar NarrowNoBreakSpace(0x202F);
constexpr QChar NoBreakSpace(0x00A0);

struct Words {
  QTranslator translator;
  QString language = QStringLiteral("en");
  bool loaded = false;
};

Words &current() {
  static Words words;
  return words;
}

void load(Words &words) {
  words.loaded = words.translator.load(":/i18n/tilescope_" + words.language + ".qm");
  if (words.loaded && QCoreApplication::instance())
    QCoreApplication::installTranslator(&words.translator);
}

bool french() { return current().language == "fr"; }

/// An unknown key stands for itself, so that it is seen.
QString entry(const char *key, int count = -1) {
  Words &words = current();
  if (!words.loaded)
    load(words);
  QString found = words.translator.translate(nullptr, key, nullptr, count);
  return found.isEmpty() ? QString::fromUtf8(key) : found;
}

/// In one go: an argument that happens to hold "%2" stays what it is.
QString filled(const QString &pattern, const QStringList &arguments) {
  QString result;
  for (qsizetype i = 0; i < pattern.size(); ++i) {
    int digit = i + 1 < pattern.size() ? pattern[i + 1].digitValue() : -1;
    bool argument = pattern[i] == '%' && digit >= 1 && digit <= arguments.size();
    if (!argument) {
      result += pattern[i];
      continue;
    }
    result += arguments[digit - 1];
    ++i;
  }
  return result;
}

QString groupedDigits(QString digits) {
  QString separator = french() ? QString(NarrowNoBreakSpace) : QStringLiteral(",");
  for (qsizetype i = digits.size() - 3; i > 0; i -= 3)
    digits.insert(i, separator);
  return digits;
}

/// Plural rules look at the last digits and at 1; a number beyond int keeps both.
int pluralNumber(qint64 count) {
  count = std::abs(count);
  return static_cast<int>(count <= 1'000'000'000 ? count : 1'000'000'000 + count % 1'000'000'000);
}

} // namespace

void setLanguage(const QString &language) {
  Words &words = current();
  QCoreApplication::removeTranslator(&words.translator);
  QString code = language.left(2).toLower();
  words.language = code == "fr" || code == "zh" ? code : QStringLiteral("en");
  load(words);
}

QString language() { return current().language; }

QString text(const char *key, const QStringList &arguments) { return filled(entry(key), arguments); }

QString text(const QString &key, const QStringList &arguments) {
  return text(key.toUtf8().constData(), arguments);
}

QString countText(const char *key, qint64 count, const QStringList &arguments) {
  QString pattern = entry(key, pluralNumber(count));
  // Arguments first: one of them may hold "%n".
  qsizetype number = pattern.indexOf("%n");
  if (number < 0)
    return filled(pattern, arguments);
  return filled(pattern.left(number), arguments) + grouped(count) +
         filled(pattern.mid(number + 2), arguments);
}

QString text(const Phrase &phrase) {
  auto count = static_cast<qint64>(phrase.number);
  QStringList arguments;
  for (const Phrase &argument : phrase.arguments)
    arguments.append(text(argument));
  switch (phrase.kind) {
  case Phrase::Kind::Words:
    return text(phrase.text.c_str(), arguments);
  case Phrase::Kind::Counted:
    return countText(phrase.text.c_str(), count, arguments);
  case Phrase::Kind::Name:
    return QString::fromStdString(phrase.text);
  case Phrase::Kind::Integer:
    return grouped(count);
  case Phrase::Kind::Decimal:
    return decimal(phrase.number, phrase.decimals);
  case Phrase::Kind::Percent:
    return percent(phrase.number);
  case Phrase::Kind::Bytes:
    return byteSize(count);
  }
  return {};
}

QString grouped(qint64 number) {
  QString digits = groupedDigits(QString::number(number).remove('-'));
  return number < 0 ? QChar(0x2212) + digits : digits;
}

QString percent(double share, int decimals) {
  QString number = decimal(100 * share, decimals);
  return french() ? number + NarrowNoBreakSpace + '%' : number + '%';
}

QString decimal(double number, int decimals) {
  QString fixed = QString::number(std::abs(number), 'f', decimals);
  qsizetype point = decimals ? fixed.indexOf('.') : fixed.size();
  QString result = groupedDigits(fixed.left(point));
  if (decimals)
    result += (french() ? ',' : '.') + fixed.mid(point + 1);
  return number < 0 ? QChar(0x2212) + result : result;
}

QString byteSize(qint64 bytes) {
  static constexpr std::array<const char *, 5> Units{"unit.bytes", "unit.kib", "unit.mib", "unit.gib",
                                                     "unit.tib"};
  size_t unit = 0;
  auto number = static_cast<double>(bytes);
  while (std::abs(number) >= 1024 && unit + 1 < Units.size()) {
    number /= 1024;
    ++unit;
  }
  bool whole = number == std::floor(number);
  return decimal(number, whole ? 0 : 1) + NoBreakSpace + text(Units[unit]);
}

} // namespace tilescope::viz
