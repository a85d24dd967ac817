// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/render/Hatch.h"

#include <QLineF>
#include <gtest/gtest.h>

#include <cmath>

using tilescope::viz::hatchLines;

namespace {

double length(const std::vector<QLineF> &lines) {
  double sum = 0;
  for (const QLineF &line : lines)
    sum += line.length();
  return sum;
}

TEST(Hatch, LinesStayInsideAndRiseAtFortyFiveDegrees) {
  QPolygonF stairs{{0, 0}, {100, 0}, {100, 40}, {60, 40}, {60, 20}, {0, 20}};
  for (const QLineF &line : hatchLines(stairs, 6)) {
    EXPECT_NEAR(std::abs(line.dx()), std::abs(line.dy()), 1e-9);
    EXPECT_LT(line.dx() * line.dy(), 0) << "up to the right, y grows downwards";
    EXPECT_TRUE(stairs.containsPoint(line.center(), Qt::OddEvenFill));
  }
}

TEST(Hatch, AmountOfInkIsTheAreaOverTheStep) {
  // Lines `step` apart cover a shape of area A with A / step of length.
  QPolygonF stairs{{3, 7}, {503, 7}, {503, 207}, {303, 207}, {303, 107}, {3, 107}};
  double area = 500 * 100 + 200 * 100;
  EXPECT_NEAR(length(hatchLines(stairs, 6)), area / 6, 0.02 * area / 6);
}

TEST(Hatch, NeighboursAreInPhase) {
  double both = length(hatchLines(QPolygonF(QRectF(0, 0, 80, 30)), 6));
  double halves = length(hatchLines(QPolygonF(QRectF(0, 0, 33, 30)), 6)) +
                  length(hatchLines(QPolygonF(QRectF(33, 0, 47, 30)), 6));
  EXPECT_NEAR(both, halves, 1e-6);
}

} // namespace
