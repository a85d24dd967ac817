// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/SourceClosure.h"

#include "compiler/Value/Operators.h"

#include <algorithm>
#include <unordered_set>

namespace tilescope::service {
namespace {

bool isNameByte(unsigned char c) { return std::isalnum(c) || c == '_' || c >= 0x80; }

/// The next word at or after `at`, which is moved behind it. Words of comments and strings come too: a key
/// may depend on more than it needs, never on less.
std::string_view nextWord(std::string_view text, size_t &at) {
  while (at < text.size() && !isNameByte(text[at]))
    ++at;
  const size_t begin = at;
  while (at < text.size() && isNameByte(text[at]))
    ++at;
  return text.substr(begin, at - begin);
}

/// Are a value and all its parts described by repr()?
bool isPlain(const Value &value) {
  Object *object = value.object();
  if (!object)
    return true;
  if (auto *tuple = value.as<TupleObject>())
    return std::ranges::all_of(tuple->items, isPlain);
  return object->kind() == ObjectKind::String || object->kind() == ObjectKind::Bytes;
}

} // namespace

SourceClosure::SourceClosure(const FunctionObject &kernel) {
  add(kernel);
  if (!m_isComplete)
    m_key.clear();
}

/// From the first decorator to the end of the body.
SourceRange SourceClosure::rangeOf(size_t function) const {
  const FunctionObject &object = *m_functions[function];
  if (!object.definition)
    return object.lambda->range;
  SourceRange range = object.definition->range;
  for (const syntax::Expr *decorator : object.definition->decorators)
    range.begin = std::min(range.begin, decorator->range.begin);
  return range;
}

void SourceClosure::add(const FunctionObject &function) {
  auto isSame = [&](const FunctionObject *other) {
    return other->definition == function.definition && other->lambda == function.lambda;
  };
  auto known = std::ranges::find_if(m_functions, isSame);
  m_key += "#" + std::to_string(known - m_functions.begin());
  if (known != m_functions.end())
    return;
  m_functions.push_back(&function);
  const std::string_view text = function.module->file->text(rangeOf(m_functions.size() - 1));
  m_key += '\n';
  m_key += text;
  m_key += '\0';
  addNames(function, text);
}

void SourceClosure::addNames(const FunctionObject &function, std::string_view text) {
  std::unordered_set<std::string_view> seen;
  for (size_t at = 0; at < text.size();) {
    const std::string_view word = nextWord(text, at);
    if (word.empty() || !seen.insert(word).second || !function.scope)
      continue;
    if (const Value *value = function.scope->find(word))
      addValue(word, *value);
  }
}

void SourceClosure::addValue(std::string_view name, const Value &value) {
  m_key += '\n';
  m_key += name;
  m_key += '=';
  if (auto *function = value.as<FunctionObject>())
    return add(*function);
  if (std::optional<std::string_view> symbol = symbolName(value))
    m_key += *symbol;
  else if (value.typeName() == "Tensor")
    m_key += "Tensor"; // no kernel can look into one that it was not given
  else if (isPlain(value))
    (m_key += value.typeName()) += repr(value);
  else
    m_isComplete = false;
}

SourceFilePtr SourceClosure::file(std::string_view path) const {
  for (const FunctionObject *function : m_functions)
    if (function->module->file->path() == path)
      return function->module->file;
  return nullptr;
}

std::optional<SourceClosure::Place> SourceClosure::relative(const SourceSpan &span) const {
  for (size_t i = 0; i < m_functions.size(); ++i) {
    const SourceRange whole = rangeOf(i);
    if (m_functions[i]->module->file == span.file && whole.begin <= span.range.begin &&
        span.range.end <= whole.end)
      return Place{i, {span.range.begin - whole.begin, span.range.end - whole.begin}};
  }
  return std::nullopt;
}

SourceSpan SourceClosure::absolute(const Place &place) const {
  const uint32_t begin = rangeOf(place.function).begin;
  return {m_functions[place.function]->module->file, {begin + place.range.begin, begin + place.range.end}};
}

} // namespace tilescope::service
