// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/Operations.h"
#include "compiler/Service/Convert.h"
#include "compiler/Service/Documents.h"
#include "compiler/Service/Features.h"
#include "compiler/Service/HostNames.h"
#include "compiler/Service/KernelMembers.h"
#include "compiler/Service/Library.h"
#include "compiler/Support/Words.h"

namespace tilescope::service {
namespace {

using protocol::HoverData;

std::string_view lastWord(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

/// Of a name in a kernel, where the text has not been edited since.
std::optional<HoverData> kernelName(const DottedName &name, std::optional<uint32_t> begin,
                                    const Analysis &analysis) {
  if (!begin)
    return std::nullopt;
  const TypedName *type = analysis.typeOf({*begin, *begin + name.range.size()});
  if (!type || type->type.empty())
    return std::nullopt;
  return HoverData{name.text, type->type, {}, {}};
}

std::optional<HoverData> libraryName(const DottedName &name, const Analysis &analysis) {
  std::optional<std::string> full = fullName(importedNames(*analysis.module), name.text);
  const LibraryName *entry = full ? findLibraryName(*full) : nullptr;
  if (!entry)
    return std::nullopt;
  return HoverData{name.text, {}, entry->signature, entry->helpKey};
}

std::optional<HoverData> moduleName(const DottedName &name, const Analysis &analysis) {
  const Value *value = analysis.globals ? analysis.globals->findLocal(name.text) : nullptr;
  if (!value)
    return std::nullopt;
  const HostName described = describe(*value);
  return HoverData{name.text, described.type, described.signature, {}, described.value};
}

/// `x.sum` in a kernel: a method of a tile or a descriptor.
std::optional<HoverData> kernelMember(const DottedName &name, const Analysis &analysis) {
  const size_t dot = name.text.rfind('.');
  if (dot == std::string::npos)
    return std::nullopt;
  const std::string type = typeInKernels(analysis, std::string_view(name.text).substr(0, dot));
  for (const KernelMember &member : kernelMembers(type))
    if (member.entry && member.label == lastWord(name.text))
      return HoverData{name.text, {}, member.entry->signature, member.entry->helpKey};
  return std::nullopt;
}

/// `x.sum`: a method or attribute of tensors, if the first word is no module.
std::optional<HoverData> tensorMember(const DottedName &name, const Analysis &analysis) {
  if (name.text.find('.') == std::string::npos || fullName(importedNames(*analysis.module), name.text))
    return std::nullopt;
  const std::string_view member = lastWord(name.text);
  const host::Operation *operation = host::findMember(member);
  if (!operation)
    return std::nullopt;
  const bool isMethod = operation->kind == host::Operation::Kind::Method;
  return HoverData{name.text, {}, isMethod ? "(" + std::string(operation->schema) + ")" : std::string(), {}};
}

/// For editors that show markdown.
std::string markdown(const HoverData &data) {
  std::string code = data.name + data.signature;
  if (!data.type.empty())
    code += ": " + data.type;
  if (!data.value.empty())
    code += " = " + data.value;
  std::string text = "```python\n" + code + "\n```";
  if (!data.helpKey.empty())
    text += "\n\n" + words(Language::English, data.helpKey);
  return text;
}

} // namespace

std::optional<protocol::Hover> hover(const SourceFile &text, uint32_t offset, const Analysis &analysis) {
  std::optional<DottedName> name = dottedNameAt(text.text(), offset);
  if (!name)
    return std::nullopt;
  const OffsetMap map(text.text(), analysis.file->text());
  std::optional<HoverData> data = kernelName(*name, map(name->range.begin), analysis);
  for (auto look : {libraryName, moduleName, kernelMember, tensorMember})
    if (!data)
      data = look(*name, analysis);
  if (!data)
    return std::nullopt;
  const protocol::Range range{positionOf(text, name->range.begin), positionOf(text, name->range.end)};
  return protocol::Hover{{"markdown", markdown(*data)}, range, *data};
}

} // namespace tilescope::service
