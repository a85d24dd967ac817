// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a view keeps from one frame to the next.
#pragma once

#include <utility>
#include <vector>

namespace tilescope::viz {

/// An image or the lines that were made for a key, until the key changes.
template <typename T> class Kept {
public:
  template <typename Make> const T &get(std::vector<double> key, Make make) {
    if (!m_made || key != m_key)
      m_value = make(), m_key = std::move(key), m_made = true;
    return m_value;
  }

private:
  bool m_made = false;
  std::vector<double> m_key;
  T m_value;
};

} // namespace tilescope::viz
