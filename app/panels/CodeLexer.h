// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tile IR, LLVM IR and PTX in the theme's colours, all by the same few rules: comments, names of values, operations.
#pragma once

#include "visualizer/render/Theme.h"

#include <Qsci/qscilexercustom.h>

namespace tilescope::app {

class CodeLexer final : public QsciLexerCustom {
  Q_OBJECT
public:
  explicit CodeLexer(QObject *parent = nullptr) : QsciLexerCustom(parent) {}

  void setTheme(const viz::Theme &theme);
  const char *language() const override { return "IR"; }
  QString description(int style) const override;
  void styleText(int start, int end) override;

private:
  enum Style { Plain, Comment, Operation, ValueName, Number, Text, Styles };
};

} // namespace tilescope::app
