// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/render/Text.h"

#include "visualizer/render/Canvas.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <gtest/gtest.h>

using namespace tilescope::viz;

namespace {

class TextTest : public testing::Test {
protected:
  ~TextTest() override { setLanguage("en"); }
};

TEST_F(TextTest, NumbersAreWrittenAsEachLanguageDoes) {
  setLanguage("en_GB");
  EXPECT_EQ(grouped(1823), "1,823");
  EXPECT_EQ(grouped(-1234567), QString::fromUtf8("−1,234,567"));
  EXPECT_EQ(percent(0.8), "80%");
  EXPECT_EQ(percent(0.125, 1), "12.5%");
  EXPECT_EQ(decimal(3.8787, 2), "3.88");
  EXPECT_EQ(byteSize(147456), QString::fromUtf8("144\u00A0KiB"));
  EXPECT_EQ(byteSize(160), QString::fromUtf8("160\u00A0B"));
  setLanguage("fr");
  EXPECT_EQ(grouped(1823), QString::fromUtf8("1\u202F823"));
  EXPECT_EQ(percent(0.25), QString::fromUtf8("25\u202F%"));
  EXPECT_EQ(decimal(1234.5, 1), QString::fromUtf8("1\u202F234,5"));
  EXPECT_EQ(byteSize(1536), QString::fromUtf8("1,5\u00A0Kio"));
  setLanguage("zh_CN.UTF-8");
  EXPECT_EQ(grouped(217846), "217,846");
  EXPECT_EQ(percent(0.8), "80%");
  setLanguage("de");
  EXPECT_EQ(language(), "en");
}

TEST_F(TextTest, PluralsHaveGroupedNumbers) {
  setLanguage("en");
  EXPECT_EQ(countText("sm.programs", 1), "1 program");
  EXPECT_EQ(countText("sm.programs", 1823), "1,823 programs");
  EXPECT_EQ(countText("sm.programs", 5'000'000'000), "5,000,000,000 programs");
  setLanguage("fr");
  EXPECT_EQ(countText("sm.programs", 0), "0 programme");
  EXPECT_EQ(countText("sm.programs", 1823), QString::fromUtf8("1\u202F823 programmes"));
  setLanguage("zh");
  EXPECT_EQ(countText("sm.programs", 2), QString::fromUtf8("2 个程序"));
}

TEST_F(TextTest, ArgumentsAreNotLookedInto) {
  setLanguage("en");
  EXPECT_EQ(text("sm.tile", {"%2", "x"}), "%2, x");
  EXPECT_EQ(text("no.such.key"), "no.such.key");
}

TEST_F(TextTest, PhrasesNest) {
  setLanguage("en");
  using namespace phrases;
  EXPECT_EQ(text(words("sm.programs-over-slots", {counted("sm.programs", 512), counted("sm.slots", 132)})),
            "512 programs / 132 slots");
  EXPECT_EQ(text(words("sm.usage.sms", {phrases::percent(512.0 / 528)})), "97% of the SM time used");
}

TEST_F(TextTest, EveryEntryIsFoundInEveryLanguage) {
  for (const char *file : {"view-sm.json", "view-transport.json"}) {
    QFile catalogue(QString(TILESCOPE_SOURCE_DIR "/translations/") + file);
    ASSERT_TRUE(catalogue.open(QIODevice::ReadOnly));
    QJsonObject entries = QJsonDocument::fromJson(catalogue.readAll()).object();
    EXPECT_GT(entries.size(), 5);
    for (const char *code : {"en", "fr", "zh"}) {
      setLanguage(code);
      for (auto entry = entries.begin(); entry != entries.end(); ++entry)
        EXPECT_NE(entry.value().toObject()[code].isArray() ? countText(entry.key().toUtf8(), 2)
                                                           : text(entry.key()),
                  entry.key());
    }
  }
}

TEST_F(TextTest, ParagraphsBreakBetweenWordsAndChineseCharacters) {
  Theme theme = Theme::light();
  Typesetter type(theme);
  for (const QString &words : {QString("one **two three** four five six seven eight"),
                               QString::fromUtf8("每次启动内核，**都会按各程序**写出的数据块分开")}) {
    double whole = type.richWidth(words, Type::Small);
    auto lines = type.paragraph(words, Type::Small, whole / 2.5);
    EXPECT_GE(lines.size(), 3u);
    QString joined;
    for (const Typesetter::Line &line : lines) {
      EXPECT_LE(line.width, whole / 2.5);
      for (const auto &[run, strong] : line.runs)
        joined += run;
    }
    EXPECT_EQ(joined, QString(words).remove("**"));
    EXPECT_EQ(type.paragraph(words, Type::Small, whole + 1).size(), 1u);
  }
}

} // namespace
