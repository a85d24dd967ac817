// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A button of the transport bar: an icon of its own and a hit area larger than that.
#pragma once

#include "visualizer/render/Theme.h"
#include "visualizer/widgets/Icons.h"

#include <QAbstractButton>

namespace tilescope::viz {

class TransportButton final : public QAbstractButton {
  Q_OBJECT
public:
  enum class Look { Plain, Round, Box };
  TransportButton(Icon icon, Look look, QWidget *parent);

  void setTheme(const Theme &theme);
  void setIcon(Icon icon);
  /// What a pointer or a screen reader is told; `key` may be empty.
  void setWords(const QString &name, const QString &key);
  QSize sizeHint() const override;

protected:
  void paintEvent(QPaintEvent *event) override;
  void enterEvent(QEnterEvent *event) override;
  void leaveEvent(QEvent *event) override;

private:
  Theme m_theme = Theme::light();
  Icon m_icon;
  Look m_look;
};

} // namespace tilescope::viz
