// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a popup for a place in the text goes.
#pragma once

class QPoint;
class QWidget;

namespace tilescope::app {

/// Moves `popup` below a line of text whose top is at `place` on the screen; above it where there is no room
/// below.
void placeByLine(QWidget &popup, QPoint place, int lineHeight);

} // namespace tilescope::app
