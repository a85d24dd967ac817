// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/HostNames.h"

#include "compiler/Host/Operations.h"
#include "compiler/Value/Operators.h"

namespace tilescope::service {
namespace {

constexpr size_t LongestValue = 80;

std::string tensorType(const host::TensorObject &tensor) {
  std::string text(torchName(tensor.type));
  text += '[';
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    (text += i ? ", " : "") += std::to_string(tensor.shape[i]);
  return text + ']';
}

/// The parameters as the source has them: from the name to the colon's line, between the brackets.
std::string signatureOf(const FunctionObject &function) {
  if (!function.definition)
    return {};
  const syntax::FunctionDef &definition = *function.definition;
  const uint32_t end = definition.body.empty() ? definition.range.end : definition.body.front()->range.begin;
  std::string_view text = function.module->file->text({definition.nameRange.end, end});
  text = text.substr(0, text.rfind(':'));
  std::string line;
  for (char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)))
      line += c;
    else if (!line.empty() && line.back() != ' ' && line.back() != '(')
      line += ' ';
  while (line.ends_with(' '))
    line.pop_back();
  return line;
}

bool isScalar(const Value &value) {
  return value.isNone() || value.asBool() || value.asInt() || value.asFloat() || value.asString();
}

} // namespace

HostName describe(const Value &value) {
  if (auto *tensor = value.as<host::TensorObject>())
    return {tensorType(*tensor), {}, {}};
  if (auto *function = value.as<FunctionObject>())
    return {{}, {}, signatureOf(*function)};
  if (host::isUnknown(value))
    return {};
  HostName name{std::string(value.typeName()), {}, {}};
  if (std::optional<std::string_view> symbol = symbolName(value))
    name.value = *symbol;
  else if (isScalar(value) || value.as<TupleObject>())
    name.value = repr(value);
  if (name.value.size() > LongestValue)
    name.value.clear();
  return name;
}

} // namespace tilescope::service
