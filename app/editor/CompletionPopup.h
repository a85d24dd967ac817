// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list of names that fit what is being typed, with the type or signature of the chosen one and its help
// below. The editor keeps the keyboard and passes on the keys that are the list's.
#pragma once

#include "compiler/Protocol/Messages.h"
#include "visualizer/render/Theme.h"

#include <QFrame>

class QKeyEvent;
class QLabel;
class QListWidget;

namespace tilescope::app {

class PairDelegate;

class CompletionPopup final : public QFrame {
  Q_OBJECT
public:
  explicit CompletionPopup(QWidget *editor);

  void setTheme(const viz::Theme &theme);
  /// Shows the names that fit `typed`, below a line of text whose top is at `place` on the screen.
  void open(const protocol::CompletionList &list, const QString &typed, QPoint place, int lineHeight);
  /// More or less is typed; hides when nothing fits any more.
  void setTyped(const QString &typed);
  /// True if the key was the list's.
  bool handleKey(const QKeyEvent &event);

signals:
  void chosen(const QString &name);

private:
  void fill(const QString &typed);
  void goDown(int rows);
  void describe();
  void fit();

  std::vector<protocol::CompletionItem> m_items;
  QListWidget *m_list;
  PairDelegate *m_delegate;
  QLabel *m_signature, *m_help;
  QPoint m_place;
  int m_lineHeight = 0;
};

/// The items that fit what is typed, in the order of the list: those that begin with it, then those that have
/// it within. Case does not matter.
std::vector<const protocol::CompletionItem *> fitting(const std::vector<protocol::CompletionItem> &items,
                                                      const QString &typed);

} // namespace tilescope::app
