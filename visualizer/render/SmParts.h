// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the view "Tiles on SMs", each with one function that paints it. SmView.h is what others use.
#pragma once

#include "visualizer/render/Kept.h"
#include "visualizer/render/SmView.h"

#include <QPolygonF>

namespace tilescope::viz {

struct SmCache {
  Kept<SmLayout> layout;
  Kept<QImage> tensor;
  Kept<QImage> sms; ///< the SMs without programs
  Kept<std::vector<QLineF>> waveOutline;
  Kept<std::pair<QImage, QImage>> tracks; ///< over, and in full colour
};

/// The selected program, or one that stands in the first column of SMs, where its connector crosses no other.
int64_t followedProgram(const SmScene &scene, const SmLayout &layout, double time, int64_t selected);

/// One picture at one time.
struct SmFrame {
  Canvas &canvas;
  const SmScene &scene;
  const SmLayout &layout;
  double time;
  const SmState &state;
  SmCache &cache;

  const Theme &theme() const { return canvas.theme(); }
  int64_t wave() const { return scene.clock().waveAt(time); }
  /// 1 where motion is reduced: all has landed.
  double phase() const { return state.reducedMotion ? 1 : scene.clock().phaseAt(time); }
  bool landed() const { return phase() >= WaveClock::Landed; }
  int64_t followed() const { return followedProgram(scene, layout, time, state.selected); }
  /// How far the program at `place` of the wave has come to its SM, 0 to 1.
  double travelled(int64_t place) const;
};

/// What is over keeps this share of its colour: where it stands among others, and on its own track.
inline constexpr double OverShare = 0.38, OverTrackShare = 0.5, RunningTrackShare = 0.62;

void paintHeader(const SmFrame &frame);
void paintFigures(const SmFrame &frame);
void paintWavesColumn(const SmFrame &frame);
void paintTensor(const SmFrame &frame);
void paintMagnifier(const SmFrame &frame);
void paintTravel(const SmFrame &frame);
/// The ribbon, under everything else.
void paintUnderTravel(const SmFrame &frame);
void paintGpu(const SmFrame &frame);
void paintLower(const SmFrame &frame);

/// Where a tile stands in the picture of the tensor; pieces if it is folded.
std::vector<QRectF> tileRects(const SmScene &scene, const SmLayout &layout, int64_t program);
/// The followed or hovered thing, at least so large that it is seen.
void markFollowed(const SmFrame &frame, const QRectF &rect, bool hovered = false);
/// The edges between cells that are inside and cells that are not, in units of cells, where the cells that
/// are inside stand in rows `first` to `last`, `last` not included. A line for each run of edges.
template <typename Inside>
std::vector<QLineF> boundary(int64_t columns, int64_t first, int64_t last, Inside inside) {
  std::vector<QLineF> lines;
  auto line = [&](int64_t x1, int64_t y1, int64_t x2, int64_t y2) {
    lines.emplace_back(static_cast<double>(x1), static_cast<double>(y1), static_cast<double>(x2),
                       static_cast<double>(y2));
  };
  // With a cell outside on either side.
  std::vector<char> above(static_cast<size_t>(columns) + 2), here(above);
  for (int64_t row = first; row <= last; ++row) {
    for (int64_t column = 0; column < columns; ++column)
      here[static_cast<size_t>(column) + 1] = row < last && inside(row, column);
    int64_t begin = 0;
    for (int64_t column = 0; column <= columns; ++column) {
      auto at = static_cast<size_t>(column);
      if (here[at] != here[at + 1])
        line(column, row, column, row + 1);
      if (here[at + 1] != above[at + 1])
        continue;
      if (begin < column)
        line(begin, row, column, row);
      begin = column + 1;
    }
    std::swap(above, here);
  }
  return lines;
}

/// The program of a row of the magnifier, counted from its top; -1 for none.
int64_t magnifiedProgram(const SmScene &scene, const SmLayout &layout, double time, int64_t selected,
                         int row);
/// The program at a point of the timeline, -1 for none.
int64_t timelineProgram(const SmScene &scene, const SmLayout &layout, QPointF at);

} // namespace tilescope::viz
