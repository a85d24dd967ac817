// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python in the theme's colours. Names of the libraries (tl.load, torch.exp, triton.jit) are coloured by
// CodeEditor, since Scintilla's lexer does not know what a dotted name belongs to.
#pragma once

#include "visualizer/render/Theme.h"

#include <Qsci/qscilexerpython.h>

namespace tilescope::app {

/// The font with its size in points, which is all that Scintilla knows.
QFont pointSized(QFont font);

class PythonLexer final : public QsciLexerPython {
  Q_OBJECT
public:
  explicit PythonLexer(QObject *parent = nullptr);

  void setTheme(const viz::Theme &theme);
  const char *keywords(int set) const override;
};

} // namespace tilescope::app
