// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is shown for a place in the text: its problems with their notes and fix, the type and shape of a name,
// a library function's signature and its help.
#pragma once

#include "compiler/Protocol/Messages.h"
#include "visualizer/render/Theme.h"

#include <QFrame>

class QLabel;

namespace tilescope::app {

class HoverPopup final : public QFrame {
  Q_OBJECT
public:
  struct Content {
    std::vector<protocol::Diagnostic> diagnostics;
    protocol::HoverData hover;
  };

  HoverPopup();
  void setTheme(const viz::Theme &theme);
  /// Below a line of text whose top is at `place`, above it where there is no room. Hidden if there is
  /// nothing to say.
  void showAt(QPoint place, int lineHeight, const Content &content);

private:
  QString html(const Content &content) const;

  QLabel *m_label;
  viz::Theme m_theme;
};

} // namespace tilescope::app
