// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one place that converts between Scintilla's positions (bytes of UTF-8 from the start of the text) and
// the protocol's (line, and UTF-16 units from its start). QScintilla's own columns are neither.
#pragma once

#include "compiler/Protocol/Messages.h"

#include <Qsci/qsciscintillabase.h>

namespace tilescope::app {

/// A position beyond the end of its line gives the line's end; beyond the text, the text's end.
int bytePosition(const QsciScintillaBase &editor, protocol::Position position);
protocol::Position protocolPosition(const QsciScintillaBase &editor, int byte);

} // namespace tilescope::app
