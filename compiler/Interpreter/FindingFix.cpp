// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/FindingFix.h"

#include "compiler/Interpreter/Operations.h"

namespace tilescope::interp {

namespace {

/// The least (`greatest`: greatest) value of an integer type as Python writes it.
std::string integerEnd(ElementType type, bool greatest) {
  const unsigned bits = 8 * byteSize(type);
  if (!isSignedInt(type))
    return greatest ? std::to_string(bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1) : "0";
  const uint64_t half = uint64_t(1) << (bits - 1);
  return greatest ? std::to_string(half - 1) : "-" + std::to_string(half);
}

/// The number that changes no result of an operation.
std::optional<std::string> neutral(Op op, ElementType type) {
  const bool real = isFloat(type);
  switch (op) {
  case Op::Add:
  case Op::Or:
  case Op::Xor:
    return real ? "0.0" : "0";
  case Op::Mul:
    return real ? "1.0" : "1";
  case Op::Max:
  case Op::MaxNan:
    return real ? "float(\"-inf\")" : integerEnd(type, false);
  case Op::Min:
  case Op::MinNan:
    return real ? "float(\"inf\")" : integerEnd(type, true);
  default:
    return std::nullopt;
  }
}

/// The value of the keyword `other` in a call, as bytes of the call's text; nothing if there is none.
std::optional<std::pair<size_t, size_t>> otherValue(std::string_view call) {
  constexpr std::string_view Keyword = "other";
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < call.size(); ++i) {
    const char c = call[i];
    const bool closes = c == ')' || c == ']' || c == '}';
    if (begin && depth == 1 && (c == ',' || closes))
      return std::pair(begin, i);
    depth += (c == '(' || c == '[' || c == '{') - closes;
    if (begin || depth != 1 || !call.substr(i).starts_with(Keyword))
      continue;
    const size_t sign = call.find_first_not_of(" \t\n", i + Keyword.size());
    if (sign != std::string_view::npos && call[sign] == '=' && call.substr(sign, 2) != "==")
      begin = call.find_first_not_of(" \t\n", sign + 1);
    if (begin == std::string_view::npos)
      return std::nullopt;
  }
  return std::nullopt;
}

} // namespace

std::optional<DiagnosticFix> otherFix(FindingKind kind, const FlowDetail &flow, ElementType element,
                                      bool changed, const SourceSpan &load) {
  std::optional<std::string> value;
  if (kind == FindingKind::UndefinedProduct)
    value = neutral(Op::Add, element);
  else if ((kind == FindingKind::UndefinedReduction || kind == FindingKind::UndefinedScan) && flow.hasOp)
    value = neutral(flow.op, element);
  if (!value || changed || !load.file)
    return std::nullopt;
  const std::string_view call = load.file->text(load.range);
  if (!call.ends_with(')'))
    return std::nullopt;
  const auto at = [&](size_t offset) { return load.range.begin + static_cast<uint32_t>(offset); };
  if (const auto other = otherValue(call))
    return DiagnosticFix{"set-other", {*value}, {at(other->first), at(other->second)}, *value};
  const size_t last = call.find_last_not_of(" \t\n", call.size() - 2);
  const std::string argument = "other=" + *value;
  return DiagnosticFix{
      "add-other", {argument}, {at(last + 1), at(last + 1)}, (call[last] == ',' ? " " : ", ") + argument};
}

} // namespace tilescope::interp
