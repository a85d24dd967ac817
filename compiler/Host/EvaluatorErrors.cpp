// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raising errors: their places, the calls that led there, and names that were perhaps meant.
#include "compiler/Host/EvaluatorRun.h"
#include "compiler/Host/Functions.h"
#include "compiler/Support/Words.h"

#include <algorithm>

namespace tilescope::host {

namespace {
/// Of a long chain of calls the outermost ones say little: a recursion would fill the screen.
constexpr size_t MostNotes = 8;
} // namespace

std::vector<DiagnosticNote> Evaluation::callChain() const {
  std::vector<DiagnosticNote> notes;
  for (size_t i = m_frames.size(); i-- > 0 && notes.size() < MostNotes;)
    if (const Frame &frame = *m_frames[i]; frame.calledFrom.file)
      notes.push_back(frame.function.empty()
                          ? DiagnosticNote{"imported-here", {}, frame.calledFrom}
                          : DiagnosticNote{"called-from", {frame.function}, frame.calledFrom});
  return notes;
}

std::nullopt_t Evaluation::raise(SourceRange range, Error error) {
  if (error.id == "raised")
    return std::nullopt;
  if (error.id == "stopped")
    return raiseQuietly(m_launchFailed);
  Value exception = exceptionFor(error);
  return raise(range, std::move(error), std::move(exception));
}

std::nullopt_t Evaluation::raise(SourceRange range, Error error, Value exception) {
  Raised raised;
  raised.diagnostic.id = std::move(error.id);
  raised.diagnostic.arguments = std::move(error.arguments);
  raised.diagnostic.span = top().module->span(range);
  raised.diagnostic.notes = callChain();
  raised.exception = std::move(exception);
  m_raised = std::move(raised);
  return std::nullopt;
}

void Evaluation::exit(SourceRange range, std::vector<Value> arguments) {
  auto text = arguments.empty() ? Result<std::string>(std::string()) : strOf(arguments[0]);
  raise(range, {"exception-raised-saying", {"SystemExit", text ? *text : std::string()}},
        makeObject<ExceptionObject>("SystemExit", std::move(arguments)));
}

void Evaluation::inform(SourceRange range, Error what) {
  Diagnostic diagnostic;
  diagnostic.id = std::move(what.id);
  diagnostic.severity = Severity::Information;
  diagnostic.arguments = std::move(what.arguments);
  diagnostic.span = top().module->span(range);
  m_diagnostics->add(std::move(diagnostic));
}

std::nullopt_t Evaluation::raiseQuietly(bool failed) {
  m_raised.emplace();
  m_raised->quiet = true;
  m_raised->failed = failed;
  return std::nullopt;
}

namespace {

/// What a script sees that prints the exception: Python's own words where they are known, else ours. English,
/// as everything that a script prints.
std::string pythonMessage(const Error &error) {
  const std::string key = "python." + error.id;
  std::string said = words(Language::English, key, error.arguments);
  return said == key ? words(Language::English, "diagnostic." + error.id, error.arguments) : said;
}

/// The key of a KeyError, which errors carry as its repr(): an int, a str, or else that text.
Value keyOf(const std::string &text) {
  if (auto number = Integer::parse(text))
    return Value(*number);
  const bool quoted = text.size() >= 2 && text.front() == '\'' && text.back() == '\'';
  return Value(quoted ? text.substr(1, text.size() - 2) : text);
}

} // namespace

Value Evaluation::exceptionFor(const Error &error) {
  std::string name(exceptionClass(error.id));
  Value said = name == "KeyError" ? keyOf(error.arguments.back()) : Value(pythonMessage(error));
  return makeObject<ExceptionObject>(std::move(name), std::vector<Value>{std::move(said)});
}

Maybe Evaluation::placed(SourceRange range, Result<Value> result) {
  if (result)
    return std::move(*result);
  if (result.error().id == "unknown")
    return unknown();
  return raise(range, result.error());
}

Maybe Evaluation::placed(const CallSite &site, Result<Value> result) {
  size_t blame = blamed.value_or(SIZE_MAX);
  blamed.reset();
  SourceRange place = blame < site.ranges.size() ? site.ranges[blame] : site.call;
  return placed(place, std::move(result));
}

void Evaluation::note(std::string id, SourceSpan span, std::vector<std::string> arguments) {
  if (m_raised)
    m_raised->diagnostic.notes.insert(m_raised->diagnostic.notes.begin(),
                                      {std::move(id), std::move(arguments), span});
}

void Evaluation::suggest(std::string_view name, const std::vector<std::string> &candidates,
                         SourceRange range) {
  std::string nearest = nearestName(name, candidates);
  if (!nearest.empty() && m_raised)
    m_raised->diagnostic.fix = DiagnosticFix{"replace-name", {nearest}, range, nearest};
}

std::nullopt_t Evaluation::raiseUndefined(const syntax::Name &name) {
  raise(name.range, {"undefined-name", {std::string(name.id)}});
  std::vector<std::string> candidates = builtinNames();
  for (Scope *scope = top().scope.get(); scope; scope = scope->parent().get())
    candidates.insert(candidates.end(), scope->names().begin(), scope->names().end());
  suggest(name.id, candidates, name.range);
  return std::nullopt;
}

std::nullopt_t Evaluation::raiseUnsupported(SourceRange range, std::string what) {
  return raise(range, {"unsupported-syntax", {std::move(what)}});
}

namespace {

bool startsWithAny(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [name](std::string_view p) { return name.starts_with(p); });
}

/// Why a name of a library cannot be used here.
std::string_view reasonAgainst(std::string_view symbol) {
  if (startsWithAny(symbol, {"triton.testing.", "time.", "torch.cuda.Event", "torch.profiler", "timeit."}))
    return "timing-unavailable";
  if (symbol.starts_with("triton.language."))
    return "kernel-only";
  return startsWithAny(symbol, {"torch.", "triton.", "math.", "builtins."}) ? "unknown-function"
                                                                            : "unknown-library";
}

std::string_view lastPart(std::string_view symbol) { return symbol.substr(symbol.rfind('.') + 1); }

} // namespace

Maybe Evaluation::raiseUnknownSymbol(SourceRange range, std::string_view symbol) {
  if (m_declaring)
    return unknown();
  std::string_view reason = reasonAgainst(symbol);
  raise(range, {std::string(reason), {std::string(symbol)}});
  if (reason != "unknown-function")
    return std::nullopt;
  std::string nearest(nearestFunction(symbol));
  if (nearest.empty())
    nearest = nearestName(symbol, nativeNames());
  std::string_view written = top().module->file->text(range);
  std::string_view last = lastPart(symbol);
  if (!nearest.empty() && written.ends_with(last) &&
      nearest.substr(0, nearest.rfind('.')) == symbol.substr(0, symbol.rfind('.'))) {
    SourceRange place{range.end - static_cast<uint32_t>(last.size()), range.end};
    std::string replacement(lastPart(nearest));
    m_raised->diagnostic.fix = DiagnosticFix{"replace-name", {replacement}, place, replacement};
  }
  return std::nullopt;
}

} // namespace tilescope::host
