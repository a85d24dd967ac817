// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Frontend/Emitter.h"

#include "compiler/Dialect/Tile/IR/Locations.h"

namespace tilescope::frontend {

namespace {

SourceSpan spanIn(const CallFrame *frame, SourceRange range) {
  return frame ? SourceSpan{frame->function->module->file, range} : SourceSpan{};
}

} // namespace

void Emitter::setFrame(CallFrame *frame) {
  m_frame = frame;
  m_location = {};
}

const CallFrame *Emitter::visibleFrame(SourceRange &range) const {
  const CallFrame *frame = m_frame;
  while (frame && frame->isPrelude) {
    range = frame->call;
    frame = frame->caller;
  }
  return frame;
}

SourceSpan Emitter::span(SourceRange range) const {
  const CallFrame *frame = visibleFrame(range);
  return spanIn(frame, range);
}

void Emitter::addCallers(Diagnostic &diagnostic, const CallFrame *from) {
  for (; from && from->caller; from = from->caller)
    if (!from->caller->isPrelude)
      diagnostic.notes.push_back(
          {"called-from", {std::string(from->function->name())}, spanIn(from->caller, from->call)});
}

Diagnostic &Emitter::report(Severity severity, SourceRange range, std::string id,
                            std::vector<std::string> arguments) {
  const CallFrame *frame = visibleFrame(range);
  Diagnostic diagnostic{std::move(id), severity, spanIn(frame, range), std::move(arguments), {}, {}};
  // Inside the prelude the first error says it all: what follows from it is told at the same call.
  if (frame != m_frame && severity == Severity::Error)
    for (const Diagnostic &other : m_diagnostics.all())
      if (other.severity == Severity::Error && other.span.file == diagnostic.span.file &&
          other.span.range == diagnostic.span.range)
        return m_repeated = other;
  addCallers(diagnostic, frame);
  size_t before = m_diagnostics.all().size();
  Diagnostic &added = m_diagnostics.add(std::move(diagnostic));
  if (m_diagnostics.all().size() > before)
    return added;
  m_repeated = added;
  return m_repeated;
}

Diagnostic &Emitter::error(SourceRange range, std::string id, std::vector<std::string> arguments) {
  return report(Severity::Error, range, std::move(id), std::move(arguments));
}

Diagnostic &Emitter::warning(SourceRange range, std::string id, std::vector<std::string> arguments) {
  return report(Severity::Warning, range, std::move(id), std::move(arguments));
}

Diagnostic &Emitter::information(SourceRange range, std::string id, std::vector<std::string> arguments) {
  return report(Severity::Information, range, std::move(id), std::move(arguments));
}

mlir::Location Emitter::location() {
  if (m_location)
    return *m_location;
  SourceRange range = m_range;
  const CallFrame *frame = visibleFrame(range);
  llvm::SmallVector<SourceSpan, 4> callers;
  for (const CallFrame *f = frame; f && f->caller; f = f->caller)
    if (!f->caller->isPrelude)
      callers.push_back(spanIn(f->caller, f->call));
  m_location = tile::makeLocation(context(), spanIn(frame, range), callers);
  return *m_location;
}

} // namespace tilescope::frontend
