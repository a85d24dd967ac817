// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the parts of the view "Tiles on SMs" stand in a picture of a given size: beside each other with a
// header and a column of figures where there is room for it, else in one column, from which parts are left
// out from the least needed on. An empty rectangle is a part that is left out. All of it follows from the
// metrics of the words in the present language.
#pragma once

#include "visualizer/model/SmScene.h"
#include "visualizer/render/Canvas.h"

#include <QRectF>

namespace tilescope::viz {

/// From one row of the magnifier to the next.
inline constexpr int MagnifiedPitch = 20;

struct SmLayout {
  QRectF canvas;
  bool wide = false;  ///< header and column of figures
  bool small = false; ///< the least type sizes

  QRectF header;  ///< title, context and badge
  QRectF context; ///< its paragraph, in one column only
  QRectF figures; ///< a row, in one column only
  QRectF limitsLine;
  QRectF waves; ///< the column of figures and limits, if wide

  QRectF outputTitle, outputSubtitle, outputNotes;
  QRectF tensor; ///< the tensor itself, in its proportions where `toScale`
  bool toScale = true;
  QRectF magnifier; ///< rows of single programs, where a row is too thin to be seen
  int magnifiedRows = 0;
  double tensorBottom = 0; ///< of the room that it was given
  double labelWidth = 0;   ///< room for labels at the left of tensor and timeline

  QRectF between; ///< from tensor to GPU
  QRectF gpuTitle, gpuSubtitle;
  QRectF gpu;
  int gpuColumns = 1, gpuRows = 1;
  QSizeF pitch; ///< from one SM to the next

  QRectF lowerTitle, lower;
  QRectF narration;

  /// An SM's cell in the grid.
  QRectF cell(int sm) const;
};

SmLayout layOut(const QSizeF &size, const SmScene &scene, const Typesetter &type);

/// Type and weight of the titles of parts, "Output" and "GPU".
Style partStyle(const SmLayout &layout, const Theme &theme);
Style partSubtitleStyle(const SmLayout &layout, const Theme &theme);
Type narrationType(const SmLayout &layout);
/// What stands under the output, in one paragraph.
QString notesText(const SmScene &scene, bool toScale);

/// "3.88"; a digit more where two would say that there is nothing.
QString wavesText(const SmScene &scene);
/// What the row of figures says: label and number, the first is the big one.
std::vector<std::pair<QString, QString>> figureRow(const SmScene &scene);
double figureWidth(const Typesetter &type, const std::pair<QString, QString> &figure, Type size);
Type bigFigureType(const SmLayout &layout);

} // namespace tilescope::viz
