// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/render/Hatch.h"

#include <QRectF>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace tilescope::viz {

std::vector<QLineF> hatchLines(const QPolygonF &shape, double step) {
  // A line is x + y = sum; along it a point is told by x - y.
  std::vector<QLineF> lines;
  QRectF box = shape.boundingRect();
  double distance = step * std::numbers::sqrt2;
  double last = box.right() + box.bottom();
  for (double sum = std::ceil((box.left() + box.top()) / distance) * distance; sum < last; sum += distance) {
    std::vector<double> crossings;
    for (qsizetype i = 0; i < shape.size(); ++i) {
      QPointF a = shape[i], b = shape[(i + 1) % shape.size()];
      double first = a.x() + a.y() - sum, second = b.x() + b.y() - sum;
      if ((first < 0) == (second < 0))
        continue;
      QPointF at = a + (b - a) * (first / (first - second));
      crossings.push_back(at.x() - at.y());
    }
    std::sort(crossings.begin(), crossings.end());
    auto point = [sum](double along) { return QPointF((sum + along) / 2, (sum - along) / 2); };
    for (size_t i = 0; i + 1 < crossings.size(); i += 2)
      lines.emplace_back(point(crossings[i]), point(crossings[i + 1]));
  }
  return lines;
}

} // namespace tilescope::viz
