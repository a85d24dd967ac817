// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/widgets/Selection.h"

#include <utility>

namespace tilescope::viz {

void Selection::setLaunch(int launch, const QString &kernel) {
  m_kernel = kernel;
  m_launch = launch;
  Q_EMIT launchChanged(launch);
  setProgram(-1);
  setOperation(-1);
  setTime(0);
}

void Selection::setProgram(qint64 program) {
  if (std::exchange(m_program, program) != program)
    Q_EMIT programChanged(program);
}

void Selection::setOperation(int access) {
  if (std::exchange(m_operation, access) != access)
    Q_EMIT operationChanged(access);
}

void Selection::setTime(double time) {
  if (std::exchange(m_time, time) != time)
    Q_EMIT timeChanged(time);
}

} // namespace tilescope::viz
