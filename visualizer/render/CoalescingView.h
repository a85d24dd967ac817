// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paints the view "Coalescing" at a time: on the screen, into an image, a drawing or a frame of a film, all by the same
// code.
#pragma once

#include "visualizer/render/CoalescingLayout.h"

#include <QImage>
#include <memory>

class QPainter;

namespace tilescope::viz {

/// What a person does with the view.
struct CoalescingState {
  int lane = -1; ///< followed, -1: the view's own choice
  bool reducedMotion = false;
  bool stale = false; ///< of a text before the last edit
};

/// What is at a point of the picture. At most one of them is not negative but `lane`, which goes with others.
struct CoalescingHit {
  int access = -1;      ///< a chip
  int lane = -1;        ///< of the warp, or whose bytes or element are there
  int64_t element = -1; ///< of the tile
  int64_t sector = -1;  ///< of memory, among those of the request: index
  int64_t request = -1; ///< of the chart, or of the element
  bool nothing() const { return access < 0 && lane < 0 && element < 0 && sector < 0 && request < 0; }
  friend bool operator==(const CoalescingHit &, const CoalescingHit &) = default;
};

struct CoalescingCache;

/// A painter that keeps its layout and windows from one frame to the next.
class CoalescingView {
public:
  explicit CoalescingView(const Theme &theme = Theme::light());
  ~CoalescingView();

  void setTheme(const Theme &theme);
  const Theme &theme() const { return m_theme; }

  /// Fills `size` pixels at the painter's origin. `log` takes all text that is placed.
  void paint(QPainter &painter, const QSizeF &size, const CoalescingScene &scene, double time,
             const CoalescingState &state = {}, std::vector<PlacedText> *log = nullptr);
  CoalescingHit hit(const QSizeF &size, const CoalescingScene &scene, double time, QPointF at);
  const CoalescingLayout &layout(const QSizeF &size, const CoalescingScene &scene);

private:
  const std::vector<LineWindow> &windows(const CoalescingScene &scene, int rows);

  Theme m_theme;
  std::unique_ptr<Typesetter> m_type;
  std::unique_ptr<CoalescingCache> m_cache;
};

/// One picture, nothing kept.
QImage renderCoalescing(const CoalescingScene &scene, double time, QSize size, const Theme &theme,
                        const CoalescingState &state = {});

} // namespace tilescope::viz
