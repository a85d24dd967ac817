// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures of the view "Tiles on SMs" as they were when somebody looked at them and was content (Pictures.h).
#include "tests/visualizer/Pictures.h"
#include "tests/visualizer/Scenes.h"
#include "visualizer/render/SmView.h"
#include "visualizer/render/Text.h"

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

class GoldenTest : public testing::TestWithParam<Golden> {};

TEST_P(GoldenTest, LooksAsItDid) {
  const Golden &golden = GetParam();
  setLanguage("en");
  QImage image =
      renderSmView(golden.scene(), golden.time, {960, 600}, golden.dark ? Theme::dark() : Theme::light());
  expectGolden(image, golden.name);
}

INSTANTIATE_TEST_SUITE_P(Pictures, GoldenTest,
                         testing::Values(Golden{"one-slot-light", scenes::matmul, 3.1, false},
                                         Golden{"one-slot-dark", scenes::matmul, 3.1, true},
                                         Golden{"several-slots-light", scenes::softmax, 1, false},
                                         Golden{"several-slots-dark", scenes::softmax, 1, true}));

} // namespace
