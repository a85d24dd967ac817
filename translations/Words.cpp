// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Support/Words.h"

#include "translations/WordTable.h"

#include <algorithm>

namespace tilescope {
namespace {

const WordEntry *findEntry(std::string_view key) {
  const WordEntry *end = WordTable + WordTableSize;
  const WordEntry *found = std::lower_bound(
      WordTable, end, key, [](const WordEntry &entry, std::string_view k) { return entry.key < k; });
  return found != end && found->key == key ? found : nullptr;
}

/// French counts 0 and 1 as one, English 1 alone; Chinese has a single form.
bool isSingular(Language language, int64_t count) {
  return language == Language::French ? count == 0 || count == 1 : count == 1;
}

std::string replaced(std::string_view text, const std::vector<std::string> &arguments,
                     std::optional<int64_t> count) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    char next = text[i] == '%' && i + 1 < text.size() ? text[i + 1] : '\0';
    if (next >= '1' && next <= '9' && static_cast<size_t>(next - '1') < arguments.size())
      result += arguments[next - '1'], ++i;
    else if (next == 'n' && count)
      result += std::to_string(*count), ++i;
    else
      result += text[i];
  }
  return result;
}

std::string place(const SourceSpan &span) {
  if (!span.file)
    return {};
  LineColumn at = span.file->lineColumn(span.range.begin);
  return span.file->path() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": ";
}

} // namespace

Language languageOf(std::string_view locale) {
  std::string_view code = locale.substr(0, 2);
  return code == "fr" ? Language::French : code == "zh" ? Language::Chinese : Language::English;
}

std::string words(Language language, std::string_view key, const std::vector<std::string> &arguments,
                  std::optional<int64_t> count) {
  const WordEntry *entry = findEntry(key);
  if (!entry)
    return std::string(key);
  const WordForms &forms = entry->forms[static_cast<size_t>(language)];
  bool one = count && isSingular(language, *count);
  return replaced(one ? forms.one : forms.many, arguments, count);
}

std::string words(Language language, const Diagnostic &diagnostic) {
  return words(language, "diagnostic." + diagnostic.id, diagnostic.arguments);
}

std::string format(Language language, const Diagnostic &diagnostic) {
  static constexpr const char *SeverityKeys[] = {"severity.error", "severity.warning",
                                                 "severity.information"};
  std::string text = place(diagnostic.span) +
                     words(language, "severity.line",
                           {words(language, SeverityKeys[static_cast<size_t>(diagnostic.severity)]),
                            words(language, diagnostic)}) +
                     " [" + diagnostic.id + "]\n";
  auto addRemark = [&](const SourceSpan &span, const char *severity, const std::string &sentence) {
    text += place(span) + words(language, "severity.line", {words(language, severity), sentence}) + "\n";
  };
  for (const DiagnosticNote &note : diagnostic.notes)
    addRemark(note.span, "severity.note", words(language, "note." + note.id, note.arguments));
  if (diagnostic.fix)
    addRemark({diagnostic.span.file, diagnostic.fix->range}, "severity.fix",
              words(language, "fix." + diagnostic.fix->id, diagnostic.fix->arguments));
  return text;
}

} // namespace tilescope
