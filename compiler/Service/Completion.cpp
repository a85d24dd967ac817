// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/Functions.h"
#include "compiler/Host/Operations.h"
#include "compiler/Service/Features.h"
#include "compiler/Service/HostNames.h"
#include "compiler/Service/KernelMembers.h"
#include "compiler/Service/Library.h"
#include "compiler/Syntax/Parser.h"

#include <algorithm>

namespace tilescope::service {
namespace {

using protocol::CompletionItem;

constexpr std::string_view Keywords[] = {
    "and",  "as",     "assert", "async",  "await",  "break",   "class",    "continue", "def",
    "del",  "elif",   "else",   "except", "False",  "finally", "for",      "from",     "global",
    "if",   "import", "in",     "is",     "lambda", "None",    "nonlocal", "not",      "or",
    "pass", "raise",  "return", "True",   "try",    "while",   "with",     "yield"};
/// What stands before the cursor: "tl." and "lo" of "tl.lo".
struct Context {
  std::string base; ///< without its dot; empty if there is no dot
  bool hasDot = false;
  uint32_t wordBegin = 0;
};

bool isWordByte(unsigned char c) { return std::isalnum(c) || c == '_' || c >= 0x80; }

Context contextAt(std::string_view text, uint32_t offset) {
  uint32_t begin = offset;
  while (begin > 0 && isWordByte(text[begin - 1]))
    --begin;
  Context context{{}, begin > 0 && text[begin - 1] == '.', begin};
  if (!context.hasDot)
    return context;
  uint32_t baseBegin = begin - 1;
  while (baseBegin > 0 && (isWordByte(text[baseBegin - 1]) || text[baseBegin - 1] == '.'))
    --baseBegin;
  context.base = text.substr(baseBegin, begin - 1 - baseBegin);
  return context;
}

/// Is the place in a comment, or in a string of one line, where nothing is completed?
bool isInText(std::string_view text, uint32_t offset) {
  const size_t lineBegin = text.rfind('\n', offset == 0 ? 0 : offset - 1);
  char quote = 0;
  for (size_t i = lineBegin == std::string_view::npos ? 0 : lineBegin; i < offset; ++i) {
    const char c = text[i];
    if (quote && c == '\\')
      ++i;
    else if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '#')
      return true;
    else if (c == '"' || c == '\'')
      quote = c;
  }
  return quote != 0;
}

CompletionItem itemOf(const LibraryMember &member) {
  if (!member.entry)
    return {member.label, static_cast<int>(NameKind::Module), {}, {}};
  const NameKind kind = member.entry->isFunction ? NameKind::Function : NameKind::Variable;
  return {member.label, static_cast<int>(kind), member.entry->signature, member.entry->helpKey};
}

/// The type of a name as far as the last analysis knows it.
std::string detailOf(const Analysis *analysis, const std::string &name) {
  if (!analysis)
    return {};
  const Value *value = analysis->globals ? analysis->globals->findLocal(name) : nullptr;
  if (!value)
    return typeInKernels(*analysis, name);
  const HostName described = describe(*value);
  return described.signature.empty() ? described.type : described.signature;
}

/// Methods and attributes, if the name is one of the module's and holds a tensor.
void addTensorMembers(protocol::CompletionList &list, const std::string &name, const Analysis &analysis) {
  const Value *value = analysis.globals ? analysis.globals->findLocal(name) : nullptr;
  if (!value || !value->as<host::TensorObject>())
    return;
  for (std::string_view member : host::memberNames()) {
    const host::Operation &operation = *host::findMember(member);
    const bool isMethod = operation.kind == host::Operation::Kind::Method;
    list.items.push_back({std::string(member),
                          static_cast<int>(isMethod ? NameKind::Function : NameKind::Variable),
                          isMethod ? "(" + std::string(operation.schema) + ")" : std::string(),
                          {}});
  }
}

/// The same of a variable of a kernel.
void addKernelMembers(protocol::CompletionList &list, const std::string &name, const Analysis &analysis) {
  for (const KernelMember &member : kernelMembers(typeInKernels(analysis, name)))
    list.items.push_back({member.label,
                          static_cast<int>(member.entry ? NameKind::Function : NameKind::Variable),
                          member.entry ? member.entry->signature : std::string(),
                          member.entry ? member.entry->helpKey : std::string()});
}

void addNames(protocol::CompletionList &list, const syntax::Module &module, uint32_t offset,
              const Analysis *analysis) {
  for (const DefinedName &name : namesAt(module, offset))
    list.items.push_back({name.name, static_cast<int>(name.kind), detailOf(analysis, name.name), {}});
  for (const std::string &name : host::builtinNames())
    list.items.push_back({name, static_cast<int>(NameKind::Function), {}, {}});
  for (std::string_view name : Keywords)
    list.items.push_back({std::string(name), static_cast<int>(NameKind::Keyword), {}, {}});
}

} // namespace

protocol::CompletionList complete(SourceFilePtr text, uint32_t offset, const Analysis *analysis) {
  protocol::CompletionList list;
  if (isInText(text->text(), offset))
    return list;
  const Context context = contextAt(text->text(), offset);
  Diagnostics ignored;
  std::shared_ptr<const syntax::Module> module = syntax::parse(text, ignored);
  if (!context.hasDot) {
    addNames(list, *module, context.wordBegin, analysis);
    return list;
  }
  if (std::optional<std::string> full = fullName(importedNames(*module), context.base))
    std::ranges::transform(libraryMembers(*full), std::back_inserter(list.items), itemOf);
  else if (analysis)
    for (auto add : {addTensorMembers, addKernelMembers})
      add(list, context.base, *analysis);
  return list;
}

} // namespace tilescope::service
