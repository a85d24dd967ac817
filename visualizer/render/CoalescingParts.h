// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the view "Coalescing", each with one function that paints it. CoalescingView.h is what others use.
#pragma once

#include "visualizer/render/CoalescingView.h"
#include "visualizer/render/Kept.h"
#include "visualizer/render/Text.h"

#include <QHash>

namespace tilescope::viz {

struct CoalescingCache {
  Kept<CoalescingLayout> layout;
  Kept<std::vector<LineWindow>> windows;
  Kept<QImage> tile;                                    ///< of small elements, before the request at this time
  Kept<std::pair<QImage, QImage>> tileCells;            ///< of large ones: all to come, and all over
  Kept<std::vector<std::pair<QRectF, QString>>> toCome; ///< names of requests, and where they stand
};

/// Where the elements of a tile stand: as rows, one-dimensional tiles folded by instructions of a warp.
struct TileGrid {
  int64_t rows = 1, columns = 1;
  double cell = 1;    ///< from element to element; small ones on whole pixels, or less than 1
  double row = 1;     ///< from row to row: a line that was folded may have higher ones
  bool cells = false; ///< large enough for a rectangle each lane, else pixels of an image
  QPointF corner;

  TileGrid(const CoalescingScene &scene, const QRectF &box);
  QRectF rect(int64_t element) const;
  /// -1 beside the tile.
  int64_t elementAt(QPointF at) const;
  QRectF box() const;
};

/// Where the lines of a window stand.
struct MemoryGrid {
  const CoalescingLayout &layout;
  const LineWindow &window;

  double pitch() const;
  QRectF line(int row) const;
  /// Of a part of a sector, from byte `from` to byte `to`; empty where its line is not drawn.
  QRectF bytes(int64_t sector, int from, int to) const;
};

/// One picture at one time.
struct CoalescingFrame {
  Canvas &canvas;
  const CoalescingScene &scene;
  const CoalescingLayout &layout;
  const LineWindow &window; ///< the one with the request at this time
  MemoryGrid grid;          ///< of that window
  double time;
  const CoalescingState &state;
  CoalescingCache &cache;

  /// What is kept for one request of one picture.
  std::vector<double> key() const {
    std::vector<double> key = pictureKey();
    key.push_back(static_cast<double>(order()));
    return key;
  }
  /// What is kept for all of them.
  std::vector<double> pictureKey() const {
    return {static_cast<double>(scene.revision()), layout.canvas.width(), layout.canvas.height(),
            static_cast<double>(qHash(language())), canvas.deviceScale()};
  }
  const Theme &theme() const { return canvas.theme(); }
  int64_t order() const { return scene.clock().requestAt(time); }
  const WarpRequest &request() const { return scene.request(order()); }
  /// Where motion is reduced the last stop's.
  double phase() const {
    double phase = scene.clock().phaseAt(time);
    return state.reducedMotion ? RequestClock::settled(phase) : phase;
  }
  int followed() const { return scene.followed(order(), state.lane); }
  /// How much of a lane's bytes is there, 0 to 1.
  double taken(int lane) const { return std::clamp(RequestClock::lanesAt(phase()) - lane, 0.0, 1.0); }
  double pitch() const { return grid.pitch(); }
  QRectF lineRect(int row) const { return grid.line(row); }
  QRectF bytesRect(int64_t sector, int from, int to) const { return grid.bytes(sector, from, to); }
};

/// What is over keeps this share of its colour.
inline constexpr double RequestOverShare = 0.5;

void paintCoalescingHeader(const CoalescingFrame &frame);
void paintTile(const CoalescingFrame &frame);
void paintRegisters(const CoalescingFrame &frame);
void paintWarp(const CoalescingFrame &frame);
void paintMemory(const CoalescingFrame &frame);
void paintRequestFigures(const CoalescingFrame &frame);
void paintRequestChart(const CoalescingFrame &frame);
void paintLegend(const CoalescingFrame &frame);

/// The request of the chart at a height's x; -1 beside it.
int64_t chartRequest(const CoalescingScene &scene, const CoalescingLayout &layout, QPointF at);

} // namespace tilescope::viz
