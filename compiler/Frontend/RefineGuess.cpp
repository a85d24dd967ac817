// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second guess: alternatives tried in order, the likeliest of each parameter first, keeping each change
// that leaves fewer errors. It always tries the same, so its answer is always the same.
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Frontend/Infer.h"

#include <algorithm>

namespace tilescope::frontend {

namespace {

/// So many compilations at most.
constexpr size_t MostAttempts = 500;

class Refinement {
public:
  Refinement(const FunctionObject &kernel, Guess guess) : m_kernel(kernel), m_guess(std::move(guess)) {
    m_errors = errors(m_guess.specialisation);
  }

  Specialisation run() {
    while (m_errors > 0 && improve()) {
    }
    return std::move(m_guess.specialisation);
  }

private:
  size_t errors(const Specialisation &specialisation) {
    ++m_attempts;
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    context.loadDialect<tile::TileDialect>();
    Diagnostics diagnostics;
    if (compile(context, m_kernel, specialisation, diagnostics))
      return 0;
    const auto isError = [](const Diagnostic &d) { return d.severity == Severity::Error; };
    return static_cast<size_t>(std::ranges::count_if(diagnostics.all(), isError));
  }

  /// One change for the better; false if there is none.
  bool improve() {
    size_t rounds = 0;
    for (const auto &list : m_guess.alternatives)
      rounds = std::max(rounds, list.size());
    for (size_t round = 0; round < rounds; ++round)
      for (size_t i = 0; i < m_guess.alternatives.size(); ++i)
        if (round < m_guess.alternatives[i].size() && tryAlternative(i, round))
          return true;
    return false;
  }

  bool tryAlternative(size_t parameter, size_t choice) {
    if (m_attempts >= MostAttempts)
      return false;
    Specialisation changed = m_guess.specialisation;
    changed.arguments[parameter] = m_guess.alternatives[parameter][choice];
    const size_t left = errors(changed);
    if (left >= m_errors)
      return false;
    m_guess.specialisation = std::move(changed);
    m_errors = left;
    return true;
  }

  const FunctionObject &m_kernel;
  Guess m_guess;
  size_t m_errors = 0, m_attempts = 0;
};

} // namespace

Specialisation refine(const FunctionObject &kernel, Guess guess) {
  return Refinement(kernel, std::move(guess)).run();
}

} // namespace tilescope::frontend
