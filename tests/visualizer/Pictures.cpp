// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/visualizer/Pictures.h"

#include <QDir>
#include <QFontInfo>
#include <gtest/gtest.h>

namespace tilescope::viz {

void expectApart(const std::vector<PlacedText> &texts, QSize size, const std::string &where) {
  QRectF canvas({0, 0}, QSizeF(size));
  for (size_t i = 0; i < texts.size(); ++i) {
    EXPECT_TRUE(canvas.contains(texts[i].box))
        << where << ": \"" << texts[i].text.toStdString() << "\" leaves the picture";
    for (size_t j = i + 1; j < texts.size(); ++j)
      EXPECT_FALSE(texts[i].box.adjusted(0.5, 0.5, -0.5, -0.5).intersects(texts[j].box.adjusted(0.5, 0.5, -0.5, -0.5)))
          << where << ": \"" << texts[i].text.toStdString() << "\" and \"" << texts[j].text.toStdString() << "\"";
  }
}

namespace {

/// Pixels that differ by more than the rounding of one font rasteriser or another.
int64_t differing(const QImage &a, const QImage &b, QImage &difference) {
  constexpr int Tolerance = 40;
  int64_t count = 0;
  difference = QImage(a.size(), QImage::Format_RGB32);
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      QRgb left = a.pixel(x, y), right = b.pixel(x, y);
      int most = std::max({std::abs(qRed(left) - qRed(right)), std::abs(qGreen(left) - qGreen(right)),
                           std::abs(qBlue(left) - qBlue(right))});
      bool differs = most > Tolerance;
      count += differs;
      difference.setPixel(x, y, differs ? qRgb(213, 94, 0) : qRgb(255 - most, 255 - most, 255 - most));
    }
  return count;
}

} // namespace

void expectGolden(const QImage &image, const QString &name) {
  if (QFontInfo(Theme::light().font(Type::Body)).family() != "Inter")
    GTEST_SKIP() << "the pictures are set in Inter";
  QString path = QString(TILESCOPE_SOURCE_DIR "/tests/visualizer/golden/%1.png").arg(name);
  if (qEnvironmentVariableIsSet("TILESCOPE_WRITE_GOLDEN")) {
    ASSERT_TRUE(image.convertToFormat(QImage::Format_RGB888).save(path, "PNG", 0));
    return;
  }
  QImage expected(path);
  ASSERT_EQ(expected.size(), image.size()) << qPrintable(path);
  QImage difference;
  int64_t count = differing(expected.convertToFormat(QImage::Format_RGB32), image, difference);
  EXPECT_LE(count, image.width() * image.height() / 500);
  if (count <= image.width() * image.height() / 500)
    return;
  QString folder = TILESCOPE_BINARY_DIR "/golden";
  QDir().mkpath(folder);
  image.save(QString("%1/%2.png").arg(folder, name));
  difference.save(QString("%1/%2-difference.png").arg(folder, name));
  ADD_FAILURE() << "see " << qPrintable(folder);
}

} // namespace tilescope::viz
