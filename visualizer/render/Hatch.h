// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hatching: always waste, hazard or nothing there. Lines at 45 degrees are cut by the shape's own geometry,
// because QSvgGenerator drops clip paths and texture brushes. All hatching of a picture is in phase.
#pragma once

#include <QLineF>
#include <QPolygonF>
#include <vector>

namespace tilescope::viz {

/// The parts inside `shape` (even-odd, closed) of lines that rise to the right, `step` apart across.
std::vector<QLineF> hatchLines(const QPolygonF &shape, double step);

} // namespace tilescope::viz
