// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waves of programs; see Schedule.h.
#include "compiler/Model/Schedule.h"

#include <algorithm>
#include <cassert>

namespace tilescope::model {

Schedule::Schedule(int64_t programs, int sms, int slotsPerSm)
    : m_programs(programs), m_sms(sms), m_slotsPerSm(slotsPerSm) {
  assert(programs >= 0 && sms >= 1 && slotsPerSm >= 1);
}

Wave Schedule::wave(int64_t index) const {
  int64_t first = index * slots();
  return {first, std::clamp<int64_t>(m_programs - first, 0, slots())};
}

std::vector<int> Schedule::programsPerSm(int64_t wave) const {
  int64_t count = this->wave(wave).count;
  std::vector<int> held(m_sms, static_cast<int>(count / m_sms));
  std::for_each_n(held.begin(), count % m_sms, [](int &programs) { ++programs; });
  return held;
}

int Schedule::idleSms(int64_t wave) const {
  return static_cast<int>(std::max<int64_t>(0, m_sms - this->wave(wave).count));
}

std::optional<int> Schedule::smOf(int64_t program) const {
  if (m_slotsPerSm != 1 || program < 0 || program >= m_programs)
    return std::nullopt;
  return static_cast<int>(program % m_sms);
}

std::optional<int64_t> Schedule::programOn(int64_t wave, int sm) const {
  if (m_slotsPerSm != 1 || sm < 0 || sm >= this->wave(wave).count)
    return std::nullopt;
  return this->wave(wave).first + sm;
}

} // namespace tilescope::model
