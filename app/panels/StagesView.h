// SPDX-License-Identifier: GPL-3.0-or-later
//
// The view "Stages": the code that the chosen launch's kernel becomes, from tile IR to PTX, linked with the editor line
// by line both ways, and what it takes of an SM.
#pragma once

#include "compiler/Protocol/CodeMessages.h"
#include "visualizer/widgets/LaunchView.h"

class QComboBox;
class QLabel;
class QsciScintilla;

namespace tilescope::app {

class CodeLexer;

class StagesView final : public viz::LaunchView {
  Q_OBJECT
public:
  explicit StagesView(QWidget *parent = nullptr);

  QString id() const override { return "stages"; }
  void setLaunch(const protocol::LaunchSummary &launch) override;
  void clear() override;
  void setStale(bool stale) override;
  void setTheme(const viz::Theme &theme) override;
  void setReducedMotion(bool) override {}
  void retranslate() override;
  bool plays() const override { return false; }
  viz::Playable playable() const override { return {}; }
  double time() const override { return 0; }
  void setTime(double) override {}
  QString narration(double) const override { return {}; }
  void paint(QPainter &painter, const QRectF &box, double time, const viz::Theme &theme) const override;

  /// What there is; asks for the text of the chosen stage.
  void setCode(const protocol::CodeInfo &info);
  void addText(const protocol::CodeText &page);
  void setProblem(const QString &sentence);
  /// Marks the lines of code of this line of source, from 1, and shows the first.
  void setSourceLine(const QString &path, int line);

signals:
  void shown(); ///< it came to the front
  void textNeeded(int stage, qint64 first);

protected:
  void paintEvent(QPaintEvent *event) override;
  void showEvent(QShowEvent *event) override;

private:
  int stageToShow() const;
  void chooseStage(int stage);
  void clickLine(int line);
  void markLines(bool scrolls);
  QString summary() const;
  void showWords();

  viz::Theme m_theme;
  QComboBox *m_stages;
  QLabel *m_summary;
  QsciScintilla *m_code;
  CodeLexer *m_lexer;
  std::optional<protocol::CodeInfo> m_info;
  QString m_problem;
  std::vector<int> m_sources; ///< of each line of code
  int m_stage = -1;           ///< of `m_info`
  std::string m_stageId;      ///< kept for the next launch
  QString m_path;             ///< of the source
  int m_line = 0;             ///< of the source, from 1
  int m_cursor = 0;           ///< line of the code that was clicked last; where our own texts put it
  bool m_stale = false;
};

} // namespace tilescope::app
