// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The colours and type that every view is painted with. Hue means a place in the machine or a hazard; the
// program's own chrome has none. visualizer/docs/painting.md says what each token is for.
#pragma once

#include <QColor>
#include <QFont>

namespace tilescope::viz {

/// A place in the machine, or a hazard: its fill, a tint for what is over or near, and a colour for text.
struct Hue {
  QColor fill, tint, text;
};

/// Text by its role; the size follows from the theme.
enum class Type {
  BigFigure, ///< 54, one a panel
  Figure,    ///< 22
  Title,     ///< 20
  Part,      ///< 18
  Narration, ///< 17
  Body,      ///< 14
  Small,     ///< 13
  Label,     ///< 12
  Address,   ///< 11
  Index,     ///< 10, nothing is smaller
};
enum class Weight { Regular = 400, Medium = 500, Semibold = 600, Bold = 700 };

struct Theme {
  enum class Kind { Light, Dark, Projector };
  Kind kind = Kind::Light;

  QColor ground, chrome, panel, empty;
  QColor hair, hair2;         ///< fine and less fine lines
  QColor ink, text2, text3;   ///< text: strong, plain, quiet
  QColor selection, followed; ///< the followed thing's outline
  QColor onHbm;               ///< text on the blue fill
  Hue hbm, l2, sram, reg, hazard, barrier;
  /// Of code, for the editor.
  QColor keyword, string, number, library;

  double stroke = 1;         ///< outline of data
  double followedStroke = 2; ///< outline of the current or followed thing

  static Theme light();
  static Theme dark();
  static Theme projector();

  /// Size in pixels at 100 %.
  double size(Type type) const;
  QFont font(Type type, Weight weight = Weight::Regular) const;
  QFont codeFont(double pixels = 13) const;
};

} // namespace tilescope::viz
