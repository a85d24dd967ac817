// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/editor/Placement.h"

#include <QGuiApplication>
#include <QScreen>
#include <QWidget>

#include <algorithm>

namespace tilescope::app {
namespace {

constexpr int PopupGap = 4;

} // namespace

void placeByLine(QWidget &popup, QPoint place, int lineHeight) {
  QScreen *screen = QGuiApplication::screenAt(place);
  QRect room = screen ? screen->availableGeometry() : QRect(0, 0, 1 << 20, 1 << 20);
  QPoint at(std::max(room.left(), std::min(place.x(), room.right() - popup.width())),
            place.y() + lineHeight + PopupGap);
  if (at.y() + popup.height() > room.bottom())
    at.setY(place.y() - popup.height() - PopupGap);
  popup.move(at);
}

} // namespace tilescope::app
