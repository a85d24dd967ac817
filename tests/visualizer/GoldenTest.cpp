// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures as they were when somebody looked at them and was content. Where one differs, the new picture and
// the difference are written into the build folder. TILESCOPE_WRITE_GOLDEN=1 writes the expected ones anew:
// look at them before you commit them.
#include "tests/visualizer/Scenes.h"
#include "visualizer/render/SmView.h"
#include "visualizer/render/Text.h"

#include <QDir>
#include <QFontInfo>
#include <QImage>
#include <gtest/gtest.h>

using namespace tilescope::viz;

namespace {

struct Golden {
  const char *name;
  SmScene (*scene)();
  double time;
  bool dark;
};

void PrintTo(const Golden &golden, std::ostream *out) { *out << golden.name; }

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

class GoldenTest : public testing::TestWithParam<Golden> {};

TEST_P(GoldenTest, LooksAsItDid) {
  const Golden &golden = GetParam();
  if (QFontInfo(Theme::light().font(Type::Body)).family() != "Inter")
    GTEST_SKIP() << "the pictures are set in Inter";
  setLanguage("en");
  QImage image =
      renderSmView(golden.scene(), golden.time, {960, 600}, golden.dark ? Theme::dark() : Theme::light());
  QString path = QString(TILESCOPE_SOURCE_DIR "/tests/visualizer/golden/%1.png").arg(golden.name);
  if (qEnvironmentVariableIsSet("TILESCOPE_WRITE_GOLDEN")) {
    ASSERT_TRUE(image.convertToFormat(QImage::Format_RGB888).save(path, "PNG", 0));
    return;
  }
  QImage expected(path);
  ASSERT_EQ(expected.size(), image.size());
  QImage difference;
  int64_t count = differing(expected.convertToFormat(QImage::Format_RGB32), image, difference);
  EXPECT_LE(count, image.width() * image.height() / 500);
  if (!HasFailure())
    return;
  QString folder = TILESCOPE_BINARY_DIR "/golden";
  QDir().mkpath(folder);
  image.save(QString("%1/%2.png").arg(folder, golden.name));
  difference.save(QString("%1/%2-difference.png").arg(folder, golden.name));
  ADD_FAILURE() << "see " << qPrintable(folder);
}

INSTANTIATE_TEST_SUITE_P(Pictures, GoldenTest,
                         testing::Values(Golden{"one-slot-light", scenes::matmul, 3.1, false},
                                         Golden{"one-slot-dark", scenes::matmul, 3.1, true},
                                         Golden{"several-slots-light", scenes::softmax, 1, false},
                                         Golden{"several-slots-dark", scenes::softmax, 1, true}));

} // namespace
