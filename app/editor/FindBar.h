// SPDX-License-Identifier: GPL-3.0-or-later
//
// Find and replace below an editor: plain text or regular expression, case, whole words, count of matches.
#pragma once

#include <QTimer>
#include <QWidget>

#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace tilescope::app {

class CodeEditor;

class FindBar final : public QWidget {
  Q_OBJECT
public:
  explicit FindBar(CodeEditor &editor, QWidget *parent = nullptr);

  void open(bool withReplace);
  void close();
  void findNext() { find(true); }
  void findPrevious() { find(false); }
  void retranslate();

protected:
  void keyPressEvent(QKeyEvent *event) override;

private:
  void find(bool forward);
  /// Scintilla's target becomes the replacement.
  void replaceTarget();
  void replaceOne();
  void replaceAll();
  void showCount();
  /// All matches as byte ranges.
  std::vector<std::pair<int, int>> matches() const;
  int searchFlags() const;
  QWidget *makeRow(std::initializer_list<QWidget *> widgets);

  CodeEditor &m_editor;
  QLineEdit *m_pattern;
  QLineEdit *m_replacement;
  QWidget *m_replaceRow;
  QCheckBox *m_case;
  QCheckBox *m_words;
  QCheckBox *m_regex;
  QLabel *m_count;
  QTimer m_recount;
  QPushButton *m_next, *m_previous, *m_one, *m_all, *m_close;
};

} // namespace tilescope::app
