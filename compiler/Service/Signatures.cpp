// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Signatures.h"

#include "compiler/Service/Sources.h"

#include <nlohmann/json.hpp>

namespace tilescope::service {
namespace {

using nlohmann::json;

/// A JSON value as Python has it; a list is a tuple, a string that names a type of triton.language
/// ("tl.float32") that type. Nothing for an object.
std::optional<Value> valueOf(const json &given) {
  if (given.is_null())
    return Value();
  if (given.is_boolean())
    return Value(given.get<bool>());
  if (given.is_number_integer())
    return Value(given.get<int64_t>());
  if (given.is_number())
    return Value(given.get<double>());
  if (given.is_string()) {
    const std::string text = given.get<std::string>();
    constexpr std::string_view Prefix = "tl.";
    const std::string symbol =
        "triton.language." + (text.starts_with(Prefix) ? text.substr(Prefix.size()) : std::string());
    return elementTypeOfSymbol(symbol) ? makeSymbol(symbol) : Value(text);
  }
  if (!given.is_array())
    return std::nullopt;
  std::vector<Value> items;
  for (const json &item : given) {
    std::optional<Value> value = valueOf(item);
    if (!value)
      return std::nullopt;
    items.push_back(std::move(*value));
  }
  return makeTuple(std::move(items));
}

std::optional<frontend::ArgumentSpec> specOf(const json &given) {
  if (given.is_string())
    return frontend::parseType(given.get<std::string>());
  const auto constant = given.is_object() ? given.find("constexpr") : given.end();
  if (!given.is_object() || constant == given.end() || given.size() != 1)
    return std::nullopt;
  std::optional<Value> value = valueOf(*constant);
  if (!value)
    return std::nullopt;
  frontend::ArgumentSpec spec;
  spec.constant = std::move(*value);
  return spec;
}

Error wrong(const std::string &where, const json &given) {
  return {"signatures-wrong", {where, given.dump(-1, ' ', false, json::error_handler_t::replace)}};
}

} // namespace

Result<Signatures> Signatures::read(const std::string &path) {
  Result<SourceFilePtr> text = readScript(path);
  if (!text)
    return text.error();
  const json root = json::parse((*text)->text(), nullptr, /*allow_exceptions=*/false);
  if (!root.is_object())
    return Error{"signatures-not-json", {path}};
  Signatures result;
  for (const auto &[file, kernels] : root.items()) {
    if (!kernels.is_object())
      return wrong(file, kernels);
    for (const auto &[kernel, parameters] : kernels.items()) {
      if (!parameters.is_object())
        return wrong(file + ", " + kernel, parameters);
      frontend::KnownArguments &known = result.m_kernels[{file, kernel}];
      for (const auto &[parameter, given] : parameters.items()) {
        std::optional<frontend::ArgumentSpec> spec = specOf(given);
        if (!spec)
          return wrong(file + ", " + kernel + ", " + parameter, given);
        known[parameter] = std::move(*spec);
      }
    }
  }
  return result;
}

const frontend::KnownArguments &Signatures::of(const std::string &file, const std::string &kernel) const {
  static const frontend::KnownArguments Nothing;
  auto found = m_kernels.find({file, kernel});
  if (found == m_kernels.end())
    found = m_kernels.find({file, kernel.substr(kernel.rfind('.') + 1)});
  return found == m_kernels.end() ? Nothing : found->second;
}

} // namespace tilescope::service
