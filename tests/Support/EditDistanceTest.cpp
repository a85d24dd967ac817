// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Support/EditDistance.h"

#include <gtest/gtest.h>

using tilescope::editDistance;

namespace {

// Counted by hand.
TEST(EditDistance, CountsWhatFingersDo) {
  EXPECT_EQ(editDistance("", ""), 0u);
  EXPECT_EQ(editDistance("", "abc"), 3u);
  EXPECT_EQ(editDistance("zeros", "zeros"), 0u);
  EXPECT_EQ(editDistance("zeors", "zeros"), 1u) << "neighbours exchanged";
  EXPECT_EQ(editDistance("zero", "zeros"), 1u) << "one missing";
  EXPECT_EQ(editDistance("zerros", "zeros"), 1u) << "one too many";
  EXPECT_EQ(editDistance("zeroz", "zeros"), 1u) << "one wrong";
  EXPECT_EQ(editDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(editDistance("ca", "abc"), 3u) << "no place is mended twice";
}

} // namespace
