// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's format mini-language for int, float and str ("Format Specification Mini-Language" in its library
// reference).
#include "compiler/Value/Format.h"

#include "compiler/Value/Text.h"
#include "compiler/Value/Utf8.h"

#include <algorithm>
#include <cmath>

namespace tilescope {
namespace detail {
namespace {

bool isAlign(std::string_view point) { return point == "<" || point == ">" || point == "=" || point == "^"; }

/// Takes what stands at the front of a spec, part by part.
class SpecParser {
public:
  explicit SpecParser(std::string_view text) : m_text(text) {}

  /// Nothing if something is left over or a number is too large.
  std::optional<FormatSpec> parse() {
    parseAlign();
    m_spec.sign = take("+- ");
    m_spec.noNegativeZero = take("z");
    m_spec.alternate = take("#");
    m_spec.zeroPadded = take("0");
    bool fine = parseNumber(m_spec.width, MaxWidth);
    m_spec.grouping = take(",_");
    if (take("."))
      fine = fine && !m_text.empty() && isDigit() && parseNumber(m_spec.precision, MaxPrecision);
    m_spec.type = take("bcdeEfFgGnosxX%");
    return fine && m_text.empty() ? std::optional(m_spec) : std::nullopt;
  }

private:
  void parseAlign() {
    if (m_text.empty())
      return;
    auto first = utf8::pointAt(m_text, 0);
    auto rest = m_text.substr(first.size());
    if (!rest.empty() && isAlign(rest.substr(0, 1))) {
      m_spec.fill = first;
      m_spec.align = rest[0];
      m_text = rest.substr(1);
    } else if (isAlign(first)) {
      m_spec.align = first[0];
      m_text = rest;
    }
  }

  char take(std::string_view choices) {
    if (m_text.empty() || choices.find(m_text[0]) == std::string_view::npos)
      return 0;
    char result = m_text[0];
    m_text.remove_prefix(1);
    return result;
  }

  bool isDigit() const { return !m_text.empty() && m_text[0] >= '0' && m_text[0] <= '9'; }

  bool parseNumber(int64_t &number, int64_t limit) {
    for (bool first = true; isDigit(); first = false) {
      number = (first ? 0 : number * 10) + (m_text[0] - '0');
      m_text.remove_prefix(1);
      if (number > limit)
        return false;
    }
    return true;
  }

  std::string_view m_text;
  FormatSpec m_spec;
};

std::string times(std::string_view unit, int64_t count) {
  std::string result;
  for (int64_t i = 0; i < count; ++i)
    result += unit;
  return result;
}

/// `head` (sign and prefix) and `body`, filled to the width; '=' puts the filling between them.
std::string padded(std::string_view head, std::string_view body, const FormatSpec &spec, char defaultAlign) {
  int64_t missing = spec.width - utf8::count(head) - utf8::count(body);
  std::string fill = !spec.fill.empty() ? spec.fill : spec.zeroPadded ? "0" : " ";
  char align = spec.align ? spec.align : spec.zeroPadded && defaultAlign == '>' ? '=' : defaultAlign;
  std::string joined = std::string(head) + std::string(body);
  if (missing <= 0)
    return joined;
  switch (align) {
  case '<':
    return joined + times(fill, missing);
  case '^':
    return times(fill, missing / 2) + joined + times(fill, missing - missing / 2);
  case '=':
    return std::string(head) + times(fill, missing) + std::string(body);
  default:
    return times(fill, missing) + joined;
  }
}

/// Separators between groups of digits, counted from the right.
std::string grouped(std::string_view digits, char separator, size_t size) {
  std::string result;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i && (digits.size() - i) % size == 0)
      result += separator;
    result += digits[i];
  }
  return result;
}

bool padsWithZeros(const FormatSpec &spec) {
  bool zero = spec.fill == "0" || (spec.fill.empty() && spec.zeroPadded);
  return zero && (spec.align == '=' || (!spec.align && spec.zeroPadded));
}

/// Groups the digits; zeros that fill up the width are grouped like digits.
std::string withGroups(std::string digits, const FormatSpec &spec, size_t size, int64_t taken) {
  if (!spec.grouping)
    return digits;
  std::string result = grouped(digits, spec.grouping, size);
  if (!padsWithZeros(spec))
    return result;
  int64_t room = spec.width - taken;
  if (static_cast<int64_t>(result.size()) < room) {
    int64_t cell = static_cast<int64_t>(size) + 1;
    int64_t needed = room - room / cell + (room % cell == 0); // a separator cannot stand first
    digits = times("0", needed - static_cast<int64_t>(digits.size())) + digits;
    result = grouped(digits, spec.grouping, size);
  }
  return result;
}

std::string signOf(bool negative, char sign) {
  if (negative)
    return "-";
  return sign == '+' ? "+" : sign == ' ' ? " " : "";
}

std::string inBase(const Integer &magnitude, unsigned bitsPerDigit, bool upper) {
  const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  std::string result;
  Integer rest = magnitude, mask((1 << bitsPerDigit) - 1);
  do {
    result += digits[*(rest & mask).toInt64()];
    rest = Integer::shiftRight(rest, bitsPerDigit);
  } while (!rest.isZero());
  return {result.rbegin(), result.rend()};
}

unsigned bitsPerDigit(char type) {
  switch (type) {
  case 'b':
    return 1;
  case 'o':
    return 3;
  case 'x':
  case 'X':
    return 4;
  default:
    return 0;
  }
}

Error badFormat() { return {"bad-format", {}}; }

Result<std::string> character(const Integer &value, const FormatSpec &spec) {
  auto code = value.toInt64();
  if (spec.sign || spec.alternate || spec.grouping || !code || *code < 0 || *code > 0x10FFFF)
    return badFormat();
  return padded("", utf8::encode(static_cast<uint32_t>(*code)), spec, '<');
}

} // namespace

Result<std::string> formatInteger(const Integer &value, const FormatSpec &spec) {
  if (spec.type == 'c')
    return character(value, spec);
  if (spec.noNegativeZero || spec.type == 's')
    return badFormat();
  unsigned bits = bitsPerDigit(spec.type);
  if (bits ? spec.grouping == ',' : spec.grouping && spec.type == 'n')
    return badFormat();
  Integer magnitude = value.isNegative() ? -value : value;
  std::string digits = bits ? inBase(magnitude, bits, spec.type == 'X') : magnitude.toString();
  std::string head = signOf(value.isNegative(), spec.sign);
  if (spec.alternate && bits)
    head += std::string("0") + spec.type;
  digits = withGroups(std::move(digits), spec, bits ? 4 : 3, static_cast<int64_t>(head.size()));
  return padded(head, digits, spec, '>');
}

namespace {

Digits roundedDigits(double magnitude, int64_t places) {
  std::string buffer(static_cast<size_t>(places) + 16, '\0');
  int size = std::snprintf(buffer.data(), buffer.size(), "%.*e", static_cast<int>(places), magnitude);
  std::string_view text(buffer.data(), static_cast<size_t>(size));
  size_t e = text.find('e');
  Digits result{std::string(text.substr(0, 1)), std::atoi(std::string(text.substr(e + 1)).c_str())};
  if (places)
    result.digits += text.substr(2, e - 2);
  return result;
}

std::string fixed(double magnitude, int64_t places, bool alternate) {
  std::string buffer(static_cast<size_t>(places) + 330, '\0');
  int size = std::snprintf(buffer.data(), buffer.size(), "%.*f", static_cast<int>(places), magnitude);
  buffer.resize(static_cast<size_t>(size));
  return places == 0 && alternate ? buffer + "." : buffer;
}

void addPoint(std::string &text) {
  size_t e = text.find('e');
  if (text.find('.') == std::string::npos)
    text.insert(e == std::string::npos ? text.size() : e, ".");
}

std::string exponential(double magnitude, int64_t places, bool alternate) {
  std::string text = scientific(roundedDigits(magnitude, places));
  if (alternate)
    addPoint(text);
  return text;
}

void dropZeros(std::string &digits) { digits.erase(std::max<size_t>(digits.find_last_not_of('0') + 1, 1)); }

/// 'g', and a float without a type but with a precision, which keeps one digit behind the point.
std::string general(double magnitude, int64_t precision, bool alternate, bool keepsPoint) {
  precision = std::max<int64_t>(precision, 1);
  Digits digits = roundedDigits(magnitude, precision - 1);
  if (!alternate)
    dropZeros(digits.digits);
  bool scientificForm = digits.exponent < -4 || digits.exponent >= precision - (keepsPoint ? 1 : 0);
  std::string text = scientificForm ? scientific(digits) : positional(digits);
  if (alternate)
    addPoint(text);
  else if (keepsPoint && !scientificForm && text.find('.') == std::string::npos)
    text += ".0";
  return text;
}

std::string shortest(double magnitude, bool alternate) {
  std::string text = repr(Value(magnitude));
  if (alternate)
    addPoint(text);
  return text;
}

std::string finite(double magnitude, const FormatSpec &spec) {
  int64_t places = spec.precision < 0 ? 6 : spec.precision;
  switch (spec.type) {
  case 'e':
  case 'E':
    return exponential(magnitude, places, spec.alternate);
  case 'f':
  case 'F':
    return fixed(magnitude, places, spec.alternate);
  case '%':
    return fixed(magnitude * 100, places, spec.alternate) + "%";
  case 'g':
  case 'G':
  case 'n':
    return general(magnitude, places, spec.alternate, false);
  default:
    break;
  }
  return spec.precision < 0 ? shortest(magnitude, spec.alternate)
                            : general(magnitude, places, spec.alternate, true);
}

std::string notFinite(double value, char type) {
  std::string text = std::isnan(value) ? "nan" : "inf";
  return type == '%' ? text + "%" : text;
}

bool isAllZero(std::string_view text) {
  size_t e = text.find('e');
  return text.substr(0, e).find_first_of("123456789in") == std::string_view::npos;
}

} // namespace

Result<std::string> formatFloat(double value, const FormatSpec &spec) {
  if (spec.type && std::string_view("eEfFgGn%").find(spec.type) == std::string_view::npos)
    return badFormat();
  if (spec.grouping && spec.type == 'n')
    return badFormat();
  double magnitude = std::abs(value);
  std::string body = std::isfinite(value) ? finite(magnitude, spec) : notFinite(value, spec.type);
  bool negative = std::signbit(value) && !std::isnan(value) && !(spec.noNegativeZero && isAllZero(body));
  if (spec.type == 'E' || spec.type == 'F' || spec.type == 'G')
    std::transform(body.begin(), body.end(), body.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
  std::string head = signOf(negative, spec.sign);
  size_t whole = std::min(body.find_first_not_of("0123456789"), body.size());
  std::string rest = body.substr(whole);
  std::string digits = body.substr(0, whole);
  if (whole)
    digits = withGroups(std::move(digits), spec, 3, static_cast<int64_t>(head.size() + rest.size()));
  return padded(head, digits + rest, spec, '>');
}

std::string formatText(std::string_view text, const FormatSpec &spec) {
  std::string_view shown = spec.precision < 0 ? text : text.substr(0, utf8::offset(text, spec.precision));
  return padded("", shown, spec, '<');
}

} // namespace detail

namespace {

using detail::FormatSpec;

Result<std::string> formatNumber(const detail::Number &number, const FormatSpec &spec) {
  bool asFloat = spec.type && std::string_view("eEfFgG%").find(spec.type) != std::string_view::npos;
  if (!number.isFloat && !asFloat)
    return spec.precision >= 0 ? Error{"bad-format", {}} : detail::formatInteger(number.whole, spec);
  auto value = detail::toDouble(number);
  return value ? detail::formatFloat(*value, spec) : value.error();
}

Result<std::string> formatString(const std::string &text, const FormatSpec &spec) {
  bool forNumbers = spec.sign || spec.alternate || spec.grouping || spec.noNegativeZero || spec.align == '=';
  if (forNumbers || (spec.type && spec.type != 's'))
    return Error{"bad-format", {}};
  return detail::formatText(text, spec);
}

Result<std::string> formatParsed(const Value &value, const FormatSpec &spec) {
  if (auto number = detail::numberOf(value))
    return formatNumber(*number, spec);
  if (auto *text = value.asString())
    return formatString(*text, spec);
  return Error{"bad-format", {}};
}

} // namespace

Result<std::string> format(const Value &value, std::string_view spec) {
  if (spec.empty())
    return str(value);
  auto parsed = detail::SpecParser(spec).parse();
  auto result = parsed ? formatParsed(value, *parsed) : Result<std::string>(Error{"bad-format", {}});
  if (!result && result.error().id == "bad-format")
    return Error{"bad-format", {std::string(spec), std::string(value.typeName())}};
  return result;
}

} // namespace tilescope
