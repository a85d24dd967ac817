// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one selection that every view follows: which launch of which kernel, which program of it, which of its
// operations, at what time. A view changes it and listens to it; views never talk to each other.
#pragma once

#include <QObject>
#include <QString>

namespace tilescope::viz {

class Selection final : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  QString kernel() const { return m_kernel; }
  /// Index of the launch in the run; -1 for none.
  int launch() const { return m_launch; }
  /// x + gridX * (y + gridY * z); -1 for none.
  qint64 program() const { return m_program; }
  /// Index into LaunchSummary::accesses; -1 for none.
  int operation() const { return m_operation; }
  /// In waves, 0 to the number of waves.
  double time() const { return m_time; }

  /// Another launch: no program and no operation is selected then, and time is 0.
  void setLaunch(int launch, const QString &kernel);
  void setProgram(qint64 program);
  void setOperation(int access);
  void setTime(double time);
  void clear() { setLaunch(-1, {}); }

Q_SIGNALS:
  void launchChanged(int launch);
  void programChanged(qint64 program);
  void operationChanged(int access);
  void timeChanged(double time);

private:
  QString m_kernel;
  int m_launch = -1;
  qint64 m_program = -1;
  int m_operation = -1;
  double m_time = 0;
};

} // namespace tilescope::viz
