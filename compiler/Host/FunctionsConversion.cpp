// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// int, float, str, bool, list, tuple, dict, set, slice: types called as functions.
#include "compiler/Host/Functions.h"

#include "compiler/Value/Operators.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tilescope::host {
namespace {

std::string trimmed(std::string_view text) {
  constexpr std::string_view Space = " \t\n\r\f\v";
  size_t first = text.find_first_not_of(Space);
  return first == std::string_view::npos
             ? ""
             : std::string(text.substr(first, text.find_last_not_of(Space) - first + 1));
}

/// Takes a sign off the front.
bool takeSign(std::string &digits) {
  bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+'))
    digits.erase(0, 1);
  return negative;
}

/// Underscores may stand between digits.
bool dropUnderscores(std::string &digits) {
  for (size_t i = 0; i < digits.size(); ++i)
    if (digits[i] == '_' && (i == 0 || i + 1 == digits.size() || digits[i - 1] == '_'))
      return false;
  std::erase(digits, '_');
  return true;
}

std::optional<Integer> parseInteger(std::string_view text, int64_t base) {
  std::string digits = trimmed(text);
  bool negative = takeSign(digits);
  if (!dropUnderscores(digits))
    return std::nullopt;
  std::string_view prefix = base == 16 ? "0x" : base == 8 ? "0o" : base == 2 ? "0b" : "";
  bool hasPrefix =
      digits.size() > 1 && digits[0] == '0' && !std::isdigit(static_cast<unsigned char>(digits[1]));
  if (base == 10 && hasPrefix)
    return std::nullopt;
  if (!prefix.empty() && !hasPrefix)
    digits = std::string(prefix) + digits;
  auto magnitude = Integer::parse(digits);
  return magnitude && negative ? -*magnitude : magnitude;
}

Result<Value> integerOfText(NativeCall &call, const std::string &text) {
  constexpr size_t MostDigits = 4300; // Python's own limit
  auto *base = call.find(1, "base");
  auto radix = base ? base->index().value_or(-1) : 10;
  bool supported = radix == 0 || radix == 2 || radix == 8 || radix == 10 || radix == 16;
  if (!supported)
    return call.blame(1, {"bad-base", {repr(*base)}});
  if (text.size() > MostDigits)
    return Error{"integer-too-large", {std::to_string(MaxIntegerBits)}};
  auto number = parseInteger(text, radix);
  return number ? Result<Value>(Value(*number)) : call.blame(0, {"bad-number-text", {repr(call[0]), "int"}});
}

Result<Value> toInteger(NativeCall &call) {
  if (call.count() == 0)
    return Value(0);
  const Value &value = call[0];
  if (auto *text = value.asString())
    return integerOfText(call, *text);
  if (value.asInt())
    return value;
  if (auto *flag = value.asBool())
    return Value(int64_t(*flag));
  if (value.as<TensorObject>())
    return tensorToInt(call.evaluation, value);
  auto *number = value.asFloat();
  if (!number)
    return call.wrongType(0, "int");
  auto whole = Integer::fromDouble(*number);
  return whole ? Result<Value>(Value(*whole)) : call.blame(0, {"not-finite", {repr(value)}});
}

std::optional<double> parseFloat(std::string_view text) {
  std::string digits = trimmed(text);
  bool negative = takeSign(digits);
  std::transform(digits.begin(), digits.end(), digits.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (!dropUnderscores(digits) || digits.empty() || digits.starts_with('-') || digits.starts_with('+'))
    return std::nullopt;
  if (digits == "inf" || digits == "infinity")
    return negative ? -HUGE_VAL : HUGE_VAL;
  if (digits == "nan")
    return std::nan("");
  double value = 0;
  auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem == std::errc::result_out_of_range)
    value = std::strtod(digits.c_str(), nullptr);
  else if (problem != std::errc() || end != digits.data() + digits.size() || digits[0] == 'i' ||
           digits[0] == 'n')
    return std::nullopt;
  return negative ? -value : value;
}

Result<Value> toFloat(NativeCall &call) {
  if (call.count() == 0)
    return Value(0.0);
  if (auto *text = call[0].asString()) {
    auto number = parseFloat(*text);
    return number ? Result<Value>(Value(*number))
                  : call.blame(0, {"bad-number-text", {repr(call[0]), "float"}});
  }
  auto number = call.real(0);
  if (!number)
    return number.error();
  bool overflow = std::isinf(*number) && call[0].asInt();
  return overflow ? Result<Value>(Error{"float-overflow", {}}) : Result<Value>(Value(*number));
}

Result<Value> toText(NativeCall &call) {
  auto text = call.count() ? call.evaluation.strOf(call[0]) : Result<std::string>(std::string());
  return text ? Result<Value>(Value(std::move(*text))) : text.error();
}

Result<Value> toBool(NativeCall &call) {
  return call.count() ? call.evaluation.truthOf(call[0]) : Value(false);
}

Result<std::vector<Value>> items(NativeCall &call) {
  if (call.count() == 0)
    return std::vector<Value>();
  auto all = call.evaluation.elementsOf(call[0]);
  return all ? all : call.blame(0, all.error());
}

Result<Value> toList(NativeCall &call) {
  auto all = items(call);
  return all ? Result<Value>(makeList(std::move(*all))) : all.error();
}

Result<Value> toTuple(NativeCall &call) {
  auto all = items(call);
  return all ? Result<Value>(makeTuple(std::move(*all))) : all.error();
}

Result<Value> toSet(NativeCall &call) {
  auto all = items(call);
  return all ? makeSet(*all) : all.error();
}

} // namespace

Result<bool> updateDict(NativeCall &call, DictObject &dict, size_t from) {
  if (from < call.count()) {
    if (auto *other = call[from].as<DictObject>()) {
      for (const auto &entry : other->table.entries())
        (void)dict.table.set(entry.key, entry.value); // keys of a dict can be keys
    } else {
      auto pairs = call.evaluation.elementsOf(call[from]);
      if (!pairs)
        return call.blame(from, pairs.error());
      for (const Value &pair : *pairs) {
        auto two = call.evaluation.elementsOf(pair);
        if (!two || two->size() != 2)
          return call.blame(from,
                            two ? Error{"unpack-mismatch", {"2", std::to_string(two->size())}} : two.error());
        if (auto added = dict.table.set((*two)[0], (*two)[1]); !added)
          return added;
      }
    }
  }
  for (const auto &[name, value] : call.site.arguments.keywords)
    (void)dict.table.set(Value(name), value); // a str can be a key
  return true;
}

namespace {

Result<Value> toDict(NativeCall &call) {
  auto dict = std::make_shared<DictObject>();
  auto done = updateDict(call, *dict, 0);
  return done ? Result<Value>(Value(std::shared_ptr<Object>(std::move(dict)))) : done.error();
}

Result<Value> slice(NativeCall &call) {
  size_t count = call.count();
  return makeObject<SliceObject>(count > 1 ? call[0] : Value(), call[count > 1 ? 1 : 0],
                                 count > 2 ? call[2] : Value());
}

constexpr NativeFunction Rows[] = {
    {"builtins.int", 0, 2, "base ", toInteger}, {"builtins.float", 0, 1, "", toFloat},
    {"builtins.str", 0, 1, "", toText},         {"builtins.bool", 0, 1, "", toBool},
    {"builtins.list", 0, 1, "", toList, true},  {"builtins.tuple", 0, 1, "", toTuple, true},
    {"builtins.set", 0, 1, "", toSet},          {"builtins.frozenset", 0, 1, "", toSet},
    {"builtins.dict", 0, 1, "*", toDict, true}, {"builtins.slice", 1, 3, "", slice},
};

} // namespace

NativeTable conversionFunctions() { return Rows; }

} // namespace tilescope::host
