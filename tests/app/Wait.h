// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lets events happen until a condition holds.
#pragma once

#include <QTest>

#include <functional>

namespace tilescope::app {

inline bool waitFor(const std::function<bool()> &condition) {
  constexpr int Patience = 10000;
  return QTest::qWaitFor(condition, Patience);
}

} // namespace tilescope::app
