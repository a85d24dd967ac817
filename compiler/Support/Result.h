// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value or the reason why there is none, for code that links no LLVM. No exceptions are thrown
// anywhere in compiler/.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tilescope {

/// Why something could not be done: the id and arguments of a diagnostic whose place the caller knows.
struct Error {
  std::string id;
  std::vector<std::string> arguments;
};

template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return m_state.index() == 0; }
  T &operator*() { return std::get<0>(m_state); }
  const T &operator*() const { return std::get<0>(m_state); }
  T *operator->() { return &std::get<0>(m_state); }
  const T *operator->() const { return &std::get<0>(m_state); }
  const Error &error() const { return std::get<1>(m_state); }

private:
  std::variant<T, Error> m_state;
};

} // namespace tilescope
