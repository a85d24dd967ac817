// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second guess: alternatives tried in order, the likeliest of each parameter first, keeping each change
// for the better. It always tries the same, so its answer is always the same.
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Frontend/Infer.h"
#include "compiler/Syntax/Visitor.h"

#include <algorithm>

namespace tilescope::frontend {

namespace {

/// So many compilations at most, for each way of telling what is better.
constexpr size_t MostAttempts = 250;

/// How far a compilation came: to the statement of the first error, and how many errors there are.
struct Progress {
  uint32_t place = 0;
  size_t errors = 0;
};

/// What is better: fewer errors, or a later first one. An error hides those that would come of its value, and
/// a wrong guess may make many: either misleads at times.
using IsBetter = bool (*)(const Progress &reached, const Progress &before);
constexpr IsBetter Orders[] = {
    [](const Progress &reached, const Progress &before) { return reached.errors < before.errors; },
    [](const Progress &reached, const Progress &before) {
      return reached.place > before.place ||
             (reached.place == before.place && reached.errors < before.errors);
    },
};

/// The beginning of the innermost statement around a place.
uint32_t statementAt(syntax::Body body, uint32_t place) {
  uint32_t found = 0;
  for (const syntax::Stmt *statement : body) {
    if (!statement->range.contains(place))
      continue;
    found = statement->range.begin;
    syntax::forEachChild(*statement, [&](const auto *child) {
      if constexpr (std::is_same_v<decltype(child), const syntax::Stmt *>)
        found = std::max(found, statementAt({const_cast<syntax::Stmt *const *>(&child), 1}, place));
    });
  }
  return found;
}

/// All alike: one type that a kernel's tiles may share, where it is not fp32.
constexpr ElementType CommonElements[] = {ElementType::Int8, ElementType::Float16, ElementType::Int32};

class Refinement {
public:
  Refinement(const FunctionObject &kernel, const Guess &guess, IsBetter isBetter)
      : m_kernel(kernel), m_guess(guess), m_isBetter(isBetter) {
    m_progress = progress(m_guess.specialisation);
  }

  /// Does the guess compile in the end?
  bool run() {
    while (m_progress.errors > 0 && (changeElements() || improve())) {
    }
    return m_progress.errors == 0;
  }
  const Specialisation &result() const { return m_guess.specialisation; }

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
    auto place = [&](const SourceSpan &span) { return statementAt(definition.body, span.range.begin); };
    auto isInside = [&](const SourceSpan &span) {
      return span.file == m_kernel.module->file && definition.range.contains(span.range.begin);
    };
    if (isInside(diagnostic.span))
      return place(diagnostic.span);
    for (const DiagnosticNote &note : diagnostic.notes)
      if (isInside(note.span))
        return place(note.span);
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
    if (!m_isBetter(reached, m_progress))
      return false;
    m_guess.specialisation = std::move(changed);
    m_progress = reached;
    return true;
  }

  const FunctionObject &m_kernel;
  Guess m_guess;
  const IsBetter m_isBetter;
  Progress m_progress;
  size_t m_attempts = 0;
};

} // namespace

Specialisation refine(const FunctionObject &kernel, const Guess &guess) {
  Refinement fewest(kernel, guess, Orders[0]);
  if (fewest.run())
    return fewest.result();
  Refinement latest(kernel, guess, Orders[1]);
  return latest.run() ? latest.result() : fewest.result();
}

} // namespace tilescope::frontend
