// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paints the view "Tiles on SMs" at a time: on the screen, into an image, a drawing or a frame of a film, all
// by the same code.
#pragma once

#include "visualizer/render/SmLayout.h"

#include <QImage>
#include <memory>

class QPainter;

namespace tilescope::viz {

/// What a person does with the view.
struct SmState {
  int64_t selected = -1; ///< program, -1 for none
  int64_t hovered = -1;
  bool reducedMotion = false; ///< end states only
  bool stale = false;         ///< of a text before the last edit
};

struct SmCache;

/// A painter that keeps its layout and the images of large grids from one frame to the next.
class SmView {
public:
  explicit SmView(const Theme &theme = Theme::light());
  ~SmView();

  void setTheme(const Theme &theme);
  const Theme &theme() const { return m_theme; }

  /// Fills `size` pixels at the painter's origin. `log` takes all text that is placed.
  void paint(QPainter &painter, const QSizeF &size, const SmScene &scene, double time,
             const SmState &state = {}, std::vector<PlacedText> *log = nullptr);
  /// The program at a point of that picture, -1 for none.
  int64_t programAt(const QSizeF &size, const SmScene &scene, double time, QPointF at,
                    const SmState &state = {});
  /// The program that it follows.
  int64_t followed(const QSizeF &size, const SmScene &scene, double time, const SmState &state);
  /// Where its parts stand.
  const SmLayout &layout(const QSizeF &size, const SmScene &scene);

private:
  Theme m_theme;
  std::unique_ptr<Typesetter> m_type;
  std::unique_ptr<SmCache> m_cache;
};

/// One picture, nothing kept.
void paintSmView(QPainter &painter, const QSizeF &size, const SmScene &scene, double time, const Theme &theme,
                 const SmState &state = {});
/// `size` in pixels at 100 %; the image has `deviceScale` times as many.
QImage renderSmView(const SmScene &scene, double time, QSize size, const Theme &theme,
                    double deviceScale = 1);

} // namespace tilescope::viz
