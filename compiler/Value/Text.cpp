// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// repr() and str() of built-in values, as Python prints them.
#include "compiler/Value/Operators.h"

#include "compiler/Value/ElementType.h"
#include "compiler/Value/Text.h"
#include "compiler/Value/Utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tilescope {
namespace detail {

Digits shortestDigits(double magnitude) {
  std::array<char, 64> buffer;
  auto [end, problem] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude, std::chars_format::scientific);
  std::string_view text(buffer.data(), static_cast<size_t>(end - buffer.data()));
  size_t e = text.find('e');
  Digits result;
  for (char c : text.substr(0, e))
    if (c != '.')
      result.digits += c;
  result.exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
  return result;
}

std::string exponentText(int exponent) {
  std::string digits = std::to_string(std::abs(exponent));
  return (exponent < 0 ? "e-" : "e+") + (digits.size() < 2 ? "0" + digits : digits);
}

std::string positional(const Digits &value) {
  const auto &[digits, exponent] = value;
  if (exponent < 0)
    return "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  size_t whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() <= whole)
    return digits + std::string(whole - digits.size(), '0');
  return digits.substr(0, whole) + "." + digits.substr(whole);
}

std::string scientific(const Digits &value) {
  std::string result = value.digits.substr(0, 1);
  if (value.digits.size() > 1)
    result += "." + value.digits.substr(1);
  return result + exponentText(value.exponent);
}

} // namespace detail

namespace {

std::string floatRepr(double value) {
  if (std::isnan(value))
    return "nan";
  std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value))
    return sign + "inf";
  auto digits = detail::shortestDigits(std::abs(value));
  if (digits.exponent < -4 || digits.exponent >= 16)
    return sign + detail::scientific(digits);
  std::string text = detail::positional(digits);
  return sign + (text.find('.') == std::string::npos ? text + ".0" : text);
}

struct PointRange {
  uint32_t first, last;
};
constexpr PointRange Unprintable[] = {
#include "compiler/Value/Unprintable.inc"
};

bool isPrintable(uint32_t point) {
  if (point < 0x80)
    return point >= 0x20 && point != 0x7f;
  auto endsBefore = [](const PointRange &range, uint32_t p) { return range.last < p; };
  auto *range = std::lower_bound(std::begin(Unprintable), std::end(Unprintable), point, endsBefore);
  return range == std::end(Unprintable) || point < range->first;
}

std::string hexEscape(uint32_t point) {
  std::array<char, 12> buffer;
  const char *pattern = point < 0x100 ? "\\x%02x" : point < 0x10000 ? "\\u%04x" : "\\U%08x";
  std::snprintf(buffer.data(), buffer.size(), pattern, point);
  return buffer.data();
}

std::string escaped(std::string_view point, char quote) {
  uint32_t code = utf8::decode(point);
  switch (code) {
  case '\\':
    return "\\\\";
  case '\n':
    return "\\n";
  case '\r':
    return "\\r";
  case '\t':
    return "\\t";
  default:
    break;
  }
  if (code == static_cast<unsigned char>(quote))
    return std::string("\\") + quote;
  return isPrintable(code) ? std::string(point) : hexEscape(code);
}

/// Writes containers, asking `objects` for what Value does not know.
class Writer {
public:
  explicit Writer(const ObjectText &objects) : m_objects(objects) {}

  Result<std::string> write(const Value &value) {
    add(value);
    if (m_problem)
      return *m_problem;
    return std::move(m_text);
  }

private:
  void add(const Value &value);
  void addObject(const Value &value);
  void addContainer(const Value &value);
  void addItems(std::string_view open, const std::vector<Value> &items, std::string_view close);
  void addTuple(const TupleObject &tuple);
  void addDict(const KeyTable &table);
  void addSet(const KeyTable &table);

  const ObjectText &m_objects;
  std::string m_text;
  std::optional<Error> m_problem;
  std::vector<const Object *> m_open; ///< containers around this one: one that holds itself prints as "..."
};

void Writer::add(const Value &value) {
  if (m_problem)
    return;
  if (m_text.size() > MaxStringBytes)
    m_problem = Error{"string-too-long", {std::to_string(MaxStringBytes >> 20)}};
  else if (auto *flag = value.asBool())
    m_text += *flag ? "True" : "False";
  else if (auto *number = value.asInt())
    m_text += number->toString();
  else if (auto *real = value.asFloat())
    m_text += floatRepr(*real);
  else if (value.isNone() || value.isEllipsis())
    m_text += value.isNone() ? "None" : "Ellipsis";
  else
    addObject(value);
}

std::string rangeText(const RangeObject &range) {
  std::string text = "range(" + std::to_string(range.start) + ", " + std::to_string(range.stop);
  return text + (range.step == 1 ? ")" : ", " + std::to_string(range.step) + ")");
}

std::string symbolText(const std::string &name) {
  static constexpr std::string_view Builtins = "builtins.";
  if (auto type = elementTypeOfSymbol(name))
    return std::string(name.starts_with("torch.") ? torchName(*type) : tritonName(*type));
  if (name.starts_with(Builtins))
    return "<class '" + name.substr(Builtins.size()) + "'>";
  return "<module '" + name + "'>";
}

void Writer::addObject(const Value &value) {
  Object *object = value.object();
  switch (object->kind()) {
  case ObjectKind::String:
    m_text += detail::quoted(*value.asString());
    return;
  case ObjectKind::Range:
    m_text += rangeText(*value.as<RangeObject>());
    return;
  case ObjectKind::Symbol:
    m_text += symbolText(value.as<SymbolObject>()->name);
    return;
  case ObjectKind::Tuple:
  case ObjectKind::List:
  case ObjectKind::Dict:
  case ObjectKind::Set:
  case ObjectKind::Slice:
    addContainer(value);
    return;
  default:
    break;
  }
  auto text =
      m_objects ? m_objects(value) : Result<std::string>("<" + std::string(object->typeName()) + " object>");
  if (text)
    m_text += *text;
  else
    m_problem = text.error();
}

void Writer::addContainer(const Value &value) {
  Object *object = value.object();
  bool again = std::find(m_open.begin(), m_open.end(), object) != m_open.end();
  if (m_open.size() >= MaxNesting) {
    m_problem = Error{"recursion-limit", {std::to_string(MaxNesting)}};
    return;
  }
  m_open.push_back(object);
  if (auto *tuple = value.as<TupleObject>())
    addTuple(*tuple);
  else if (auto *list = value.as<ListObject>())
    again ? void(m_text += "[...]") : addItems("[", list->items, "]");
  else if (auto *dict = value.as<DictObject>())
    again ? void(m_text += "{...}") : addDict(dict->table);
  else if (auto *set = value.as<SetObject>())
    addSet(set->table);
  else if (auto *slice = value.as<SliceObject>())
    addItems("slice(", {slice->lower, slice->upper, slice->step}, ")");
  m_open.pop_back();
}

void Writer::addItems(std::string_view open, const std::vector<Value> &items, std::string_view close) {
  m_text += open;
  for (size_t i = 0; i < items.size() && !m_problem; ++i) {
    m_text += i ? ", " : "";
    add(items[i]);
  }
  m_text += close;
}

void Writer::addTuple(const TupleObject &tuple) {
  if (tuple.className == "torch.Size")
    return addItems("torch.Size([", tuple.items, "])");
  if (tuple.fieldNames.empty())
    return addItems("(", tuple.items, tuple.items.size() == 1 ? ",)" : ")");
  // torch's own named tuples put each field on a line.
  bool torch = tuple.className.starts_with("torch.");
  m_text += tuple.className + (torch ? "(\n" : "(");
  for (size_t i = 0; i < tuple.items.size(); ++i) {
    m_text += (i == 0 ? "" : torch ? ",\n" : ", ") + tuple.fieldNames[i] + "=";
    add(tuple.items[i]);
  }
  m_text += ")";
}

void Writer::addDict(const KeyTable &table) {
  m_text += "{";
  for (const auto &entry : table.entries()) {
    m_text += &entry == &table.entries().front() ? "" : ", ";
    add(entry.key);
    m_text += ": ";
    add(entry.value);
  }
  m_text += "}";
}

void Writer::addSet(const KeyTable &table) {
  if (table.size() == 0) {
    m_text += "set()";
    return;
  }
  std::vector<Value> items;
  for (const auto &entry : table.entries())
    items.push_back(entry.key);
  addItems("{", items, "}");
}

} // namespace

std::string detail::quoted(std::string_view text) {
  bool doubleQuotes = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos;
  char quote = doubleQuotes ? '"' : '\'';
  std::string result(1, quote);
  for (size_t at = 0; at < text.size();) {
    auto point = utf8::pointAt(text, at);
    result += escaped(point, quote);
    at += point.size();
  }
  return result + quote;
}

Result<std::string> repr(const Value &value, const ObjectText &text) { return Writer(text).write(value); }

std::string repr(const Value &value) {
  auto text = repr(value, ObjectText());
  return text ? *text : "...";
}

std::string str(const Value &value) {
  auto *text = value.asString();
  return text ? *text : repr(value);
}

} // namespace tilescope
