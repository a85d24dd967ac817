// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `template % arguments`: "printf-style String Formatting" in Python's library reference.
#include "compiler/Value/Format.h"

#include "compiler/Value/Utf8.h"

#include <cmath>

namespace tilescope {

using detail::FormatSpec;

namespace {

Error badFormat(std::string_view template_) { return {"bad-template", {std::string(template_)}}; }

class PercentFormatter {
public:
  PercentFormatter(std::string_view text, const Value &arguments, const ObjectText &objects)
      : m_whole(text), m_text(text), m_arguments(arguments), m_tuple(arguments.as<TupleObject>()),
        m_objects(objects) {}

  Result<std::string> run() {
    while (!m_text.empty()) {
      size_t percent = m_text.find('%');
      m_result += m_text.substr(0, percent);
      if (percent == std::string_view::npos)
        break;
      m_text.remove_prefix(percent + 1);
      if (auto done = placeholder(); !done)
        return done.error();
      if (m_result.size() > MaxStringBytes)
        return Error{"string-too-long", {std::to_string(MaxStringBytes >> 20)}};
    }
    // Python takes whatever has subscripts for a table of named arguments, which need not all be used.
    bool table = !m_arguments.asString() && !m_arguments.as<SetObject>() && length(m_arguments);
    bool leftOver = m_tuple ? m_next < m_tuple->items.size() : m_next == 0 && !table;
    return leftOver ? Result<std::string>(badFormat(m_whole)) : Result<std::string>(m_result);
  }

private:
  Result<bool> placeholder();
  Result<Value> argument();
  Result<Value> keyed();
  Result<bool> number(int64_t &into);
  FormatSpec flags();
  Result<std::string> shown(const Value &value, FormatSpec spec, char type);
  Result<std::string> text(const Value &value, bool asRepr);
  bool take(char c);

  std::string_view m_whole, m_text;
  const Value &m_arguments;
  const TupleObject *m_tuple;
  const ObjectText &m_objects;
  size_t m_next = 0;
  std::string m_result;
};

bool PercentFormatter::take(char c) {
  if (m_text.empty() || m_text[0] != c)
    return false;
  m_text.remove_prefix(1);
  return true;
}

Result<Value> PercentFormatter::argument() {
  size_t at = m_next++;
  if (m_tuple)
    return at < m_tuple->items.size() ? Result<Value>(m_tuple->items[at]) : badFormat(m_whole);
  return at == 0 ? Result<Value>(m_arguments) : badFormat(m_whole);
}

Result<Value> PercentFormatter::keyed() {
  size_t close = m_text.find(')');
  if (close == std::string_view::npos || !m_arguments.as<DictObject>())
    return badFormat(m_whole);
  Value key(std::string(m_text.substr(0, close)));
  m_text.remove_prefix(close + 1);
  return subscript(m_arguments, key);
}

FormatSpec &apply(char flag, FormatSpec &spec) {
  switch (flag) {
  case '-':
    spec.align = '<';
    break;
  case '0':
    spec.zeroPadded = true;
    break;
  case '#':
    spec.alternate = true;
    break;
  default:
    spec.sign = flag;
    break;
  }
  return spec;
}

FormatSpec PercentFormatter::flags() {
  FormatSpec spec;
  while (!m_text.empty() && std::string_view("-+ #0").find(m_text[0]) != std::string_view::npos) {
    apply(m_text[0], spec);
    m_text.remove_prefix(1);
  }
  if (spec.align) // to the left: nothing to fill with zeros
    spec.zeroPadded = false;
  return spec;
}

/// A width or precision: digits, or `*` for the next argument.
Result<bool> PercentFormatter::number(int64_t &into) {
  if (take('*')) {
    auto value = argument();
    auto count = value ? value->index() : std::nullopt;
    if (!count || *count < 0 || *count > detail::MaxWidth)
      return badFormat(m_whole);
    into = *count;
    return true;
  }
  bool any = false;
  for (; !m_text.empty() && m_text[0] >= '0' && m_text[0] <= '9'; m_text.remove_prefix(1), any = true)
    if ((into = (any ? into * 10 : 0) + (m_text[0] - '0')) > detail::MaxWidth)
      return badFormat(m_whole);
  return any;
}

Result<bool> PercentFormatter::placeholder() {
  std::optional<Value> value;
  if (take('(')) {
    auto found = keyed();
    if (!found)
      return found.error();
    value = *found;
  }
  FormatSpec spec = flags();
  if (auto width = number(spec.width); !width)
    return width;
  if (take('.')) {
    spec.precision = 0;
    if (auto precision = number(spec.precision); !precision || spec.precision > detail::MaxPrecision)
      return badFormat(m_whole);
  }
  if (m_text.empty())
    return badFormat(m_whole);
  char type = m_text[0];
  m_text.remove_prefix(1);
  if (type == '%') {
    m_result += '%';
    return true;
  }
  if (std::string_view("diuoxXeEfFgGcsra").find(type) == std::string_view::npos)
    return badFormat(m_whole);
  if (!value) {
    auto next = argument();
    if (!next)
      return next.error();
    value = *next;
  }
  auto shownText = shown(*value, spec, type);
  if (!shownText)
    return shownText.error();
  m_result += *shownText;
  return true;
}

Result<std::string> PercentFormatter::text(const Value &value, bool asRepr) {
  if (auto *string = value.asString(); string && !asRepr)
    return *string;
  return repr(value, m_objects);
}

/// C's %d: a precision is the least number of digits.
Result<std::string> whole(const Integer &value, FormatSpec spec, char type) {
  spec.type = type == 'i' || type == 'u' ? 'd' : type;
  if (spec.precision < 0)
    return detail::formatInteger(value, spec);
  FormatSpec digits;
  digits.sign = spec.sign;
  digits.type = spec.type;
  digits.alternate = spec.alternate;
  digits.zeroPadded = true;
  digits.width = spec.precision + ((value.isNegative() || spec.sign) ? 1 : 0);
  auto body = detail::formatInteger(value, digits);
  if (!spec.align)
    spec.align = '>';
  return body ? Result<std::string>(detail::formatText(
                    *body, FormatSpec{"", spec.align, 0, 0, 0, false, false, false, spec.width, -1}))
              : body;
}

Result<std::string> PercentFormatter::shown(const Value &value, FormatSpec spec, char type) {
  if (type == 's' || type == 'r' || type == 'a') {
    auto shownText = text(value, type != 's');
    FormatSpec plain;
    plain.align = spec.align ? spec.align : '>';
    plain.width = spec.width;
    plain.precision = spec.precision;
    return shownText ? Result<std::string>(detail::formatText(*shownText, plain)) : shownText;
  }
  auto number = detail::numberOf(value);
  Error mismatch{"format-needs-number", {std::string(1, type), std::string(value.typeName())}};
  if (type == 'c' && value.asString() && utf8::count(*value.asString()) == 1)
    return shown(value, spec, 's');
  if (!number)
    return mismatch;
  if (std::string_view("eEfFgG").find(type) != std::string_view::npos) {
    auto real = detail::toDouble(*number);
    spec.type = type;
    return real ? detail::formatFloat(*real, spec) : real.error();
  }
  bool decimal = std::string_view("diu").find(type) != std::string_view::npos;
  if (!number->isFloat)
    return whole(number->whole, spec, type);
  auto truncated = Integer::fromDouble(number->real);
  return decimal && truncated ? whole(*truncated, spec, type) : mismatch;
}

} // namespace

Result<std::string> percentFormat(std::string_view text, const Value &arguments, const ObjectText &objects) {
  return PercentFormatter(text, arguments, objects).run();
}

} // namespace tilescope
