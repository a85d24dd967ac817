// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variables of one call, and the name that somebody probably meant.
#pragma once

#include "compiler/Frontend/Term.h"

#include <span>

namespace tilescope::frontend {

struct Binding {
  enum class State : uint8_t {
    Bound,
    OneBranch, ///< assigned in one branch of a run-time `if` only, and not before
    LoopOnly,  ///< assigned inside a loop only, and not before
    Reset,     ///< None or a data type before a run-time `if` that assigned it: that again, as Triton has it
  };
  Term term;
  SourceRange assigned; ///< the target of the last assignment
  State state = State::Bound;
};

class Names {
public:
  /// Null if there is no such name. Valid until the next set().
  const Binding *find(std::string_view name) const;
  /// The name stays alive as long as the syntax tree that it points into.
  void set(std::string_view name, Binding binding);
  const std::vector<std::pair<std::string_view, Binding>> &all() const { return m_bindings; }

private:
  std::vector<std::pair<std::string_view, Binding>> m_bindings; ///< few enough for a linear search
};

/// The candidate that `name` is most probably a misspelling of, or empty.
std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates);

} // namespace tilescope::frontend
