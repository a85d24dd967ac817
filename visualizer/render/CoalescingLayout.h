// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the parts of the view "Coalescing" stand in a picture of a given size: tile, lanes over memory, and figures
// beside each other where there is room; else lanes over memory with figures at their right, or above them in a small
// picture, from which parts are left out from the least needed on. An empty rectangle is a part that is left out.
//
// A lane of the warp is as wide as four bytes of a line, so that an aligned access of four bytes falls straight down.
#pragma once

#include "visualizer/model/CoalescingScene.h"
#include "visualizer/render/Canvas.h"

#include <QRectF>

namespace tilescope::viz {

struct CoalescingLayout {
  enum class Form { Wide, Pair, Column };
  QRectF canvas;
  Form form = Form::Column;
  double margin = 28;

  QRectF header;  ///< title and badge, and the context if wide
  QRectF context; ///< its paragraph, if not
  QRectF chips;   ///< the accesses of the launch

  QRectF tileTitle, tileSubtitle, tile, registers;

  QRectF warpTitle, warp; ///< the row of 32 lanes
  QRectF memory;          ///< room for lines, as wide as the warp
  QRectF memoryTitle;
  double pitch = 16;      ///< from line to line, where the lines of a window fit
  bool addresses = false; ///< there is room at the left

  QRectF figures, bar, barWords, launch, words;
  bool onlyWhy = false;                        ///< of the words, where not all fit
  bool bigFigure = true, figuresInTwo = false; ///< rows
  QRectF requestsTitle, requests, sums;
  QRectF narration, legend;

  Type wordsType() const { return form == Form::Wide ? Type::Body : Type::Small; }
  double lane() const { return warp.width() / WarpLanes; }
  int rows() const { return std::max(1, static_cast<int>((memory.height() + 3) / pitch)); }
};

CoalescingLayout layOutCoalescing(const QSizeF &size, const CoalescingScene &scene, const Typesetter &type);

/// A chip of the row of accesses, or an arrow that goes on to others.
struct AccessChip {
  QRectF box;
  int access = 0;
  QString strong, quiet; ///< "load of x", "line 12"
};
/// As many as fit, the chosen one among them.
std::vector<AccessChip> accessChips(const CoalescingLayout &layout, const CoalescingScene &scene,
                                    const Typesetter &type);

/// What the row of figures says: label and number, the first is the big one.
std::vector<std::pair<QString, QString>> coalescingFigures(int64_t bytesUsed, int64_t sectors, int64_t ideal);
/// What the bar is made of.
QString coalescingBarWords(const WarpRequest &request);
/// The sentences under the figures, one paragraph each.
QStringList coalescingWords(const CoalescingScene &scene, int64_t order, bool onlyWhy = false);

} // namespace tilescope::viz
