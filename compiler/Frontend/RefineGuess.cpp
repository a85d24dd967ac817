// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second guess: alternatives tried in order, the likeliest of each parameter first, keeping each change
// that comes further. It always tries the same, so its answer is always the same.
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Frontend/Infer.h"

#include <algorithm>

namespace tilescope::frontend {

namespace {

/// So many compilations at most.
constexpr size_t MostAttempts = 400;

/// How far a compilation came: to the first error, as a place in the kernel, and how many there are.
struct Progress {
  uint32_t place = 0;
  size_t errors = 0;

  bool isBetterThan(const Progress &other) const {
    return place > other.place || (place == other.place && errors < other.errors);
  }
};

/// All alike: one type that a kernel's tiles may share, where it is not fp32.
constexpr ElementType CommonElements[] = {ElementType::Int8, ElementType::Float16, ElementType::Int32};

class Refinement {
public:
  Refinement(const FunctionObject &kernel, Guess guess) : m_kernel(kernel), m_guess(std::move(guess)) {
    m_progress = progress(m_guess.specialisation);
  }

  Specialisation run() {
    while (m_progress.errors > 0 && (improve() || changeElements())) {
    }
    return std::move(m_guess.specialisation);
  }

private:
  Progress progress(const Specialisation &specialisation) {
    ++m_attempts;
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    context.loadDialect<tile::TileDialect>();
    Diagnostics diagnostics;
    if (compile(context, m_kernel, specialisation, diagnostics))
      return {UINT32_MAX, 0};
    Progress reached;
    for (const Diagnostic &diagnostic : diagnostics.all())
      if (diagnostic.severity == Severity::Error && ++reached.errors == 1)
        reached.place = placeInKernel(diagnostic);
    return reached;
  }

  /// Of an error in a helper, where the kernel calls it.
  uint32_t placeInKernel(const Diagnostic &diagnostic) const {
    const syntax::FunctionDef &definition = *m_kernel.definition;
    auto isInside = [&](const SourceSpan &span) {
      return span.file == m_kernel.module->file && definition.range.contains(span.range.begin);
    };
    if (isInside(diagnostic.span))
      return diagnostic.span.range.begin;
    for (const DiagnosticNote &note : diagnostic.notes)
      if (isInside(note.span))
        return note.span.range.begin;
    return 0;
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
    Specialisation changed = m_guess.specialisation;
    changed.arguments[parameter] = m_guess.alternatives[parameter][choice];
    return take(std::move(changed));
  }

  /// The operands of a product have one type: one pointer alone cannot be changed.
  bool changeElements() {
    for (ElementType element : CommonElements) {
      Specialisation changed = m_guess.specialisation;
      for (size_t i = 0; i < changed.arguments.size(); ++i)
        if (ArgumentSpec &spec = changed.arguments[i];
            spec.kind == ArgumentSpec::Kind::Pointer && !m_guess.alternatives[i].empty())
          spec.element = element;
      if (take(std::move(changed)))
        return true;
    }
    return false;
  }

  bool take(Specialisation changed) {
    if (m_attempts >= MostAttempts)
      return false;
    const Progress reached = progress(changed);
    if (!reached.isBetterThan(m_progress))
      return false;
    m_guess.specialisation = std::move(changed);
    m_progress = reached;
    return true;
  }

  const FunctionObject &m_kernel;
  Guess m_guess;
  Progress m_progress;
  size_t m_attempts = 0;
};

} // namespace

Specialisation refine(const FunctionObject &kernel, Guess guess) {
  return Refinement(kernel, std::move(guess)).run();
}

} // namespace tilescope::frontend
