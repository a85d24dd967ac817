// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods of str. Upper and lower case are those of ASCII.
#include "compiler/Host/Functions.h"

#include "compiler/Value/Operators.h"
#include "compiler/Value/Utf8.h"

#include <algorithm>

namespace tilescope::host {
namespace {

constexpr std::string_view Space = " \t\n\r\f\v";

bool isSpace(unsigned char c) { return Space.find(static_cast<char>(c)) != std::string_view::npos; }
bool isUpper(unsigned char c) { return c >= 'A' && c <= 'Z'; }
bool isLower(unsigned char c) { return c >= 'a' && c <= 'z'; }
bool isDigit(unsigned char c) { return c >= '0' && c <= '9'; }
bool isAlpha(unsigned char c) { return isUpper(c) || isLower(c) || c >= 0x80; }
bool isAlnum(unsigned char c) { return isAlpha(c) || isDigit(c); }
char toUpper(char c) { return isLower(static_cast<unsigned char>(c)) ? static_cast<char>(c - 32) : c; }
char toLower(char c) { return isUpper(static_cast<unsigned char>(c)) ? static_cast<char>(c + 32) : c; }
char swapCase(char c) { return isUpper(static_cast<unsigned char>(c)) ? toLower(c) : toUpper(c); }

const std::string &self(NativeCall &call) { return *call[0].asString(); }

template <char (*Change)(char)> Result<Value> changed(NativeCall &call) {
  std::string text = self(call);
  std::transform(text.begin(), text.end(), text.begin(), Change);
  return Value(std::move(text));
}

template <bool (*Test)(unsigned char)> Result<Value> tested(NativeCall &call) {
  const std::string &text = self(call);
  return Value(!text.empty() && std::all_of(text.begin(), text.end(),
                                            [](char c) { return Test(static_cast<unsigned char>(c)); }));
}

/// All letters are of the wanted case, and there is one.
template <bool (*Wanted)(unsigned char), bool (*Other)(unsigned char)> Result<Value> cased(NativeCall &call) {
  bool any = false;
  for (char c : self(call)) {
    if (Other(static_cast<unsigned char>(c)))
      return Value(false);
    any = any || Wanted(static_cast<unsigned char>(c));
  }
  return Value(any);
}

Result<Value> capitalize(NativeCall &call) {
  std::string text = self(call);
  std::transform(text.begin(), text.end(), text.begin(), toLower);
  if (!text.empty())
    text[0] = toUpper(text[0]);
  return Value(std::move(text));
}

Result<Value> title(NativeCall &call) {
  std::string text = self(call);
  bool inWord = false;
  for (char &c : text) {
    c = inWord ? toLower(c) : toUpper(c);
    inWord = isAlpha(static_cast<unsigned char>(c));
  }
  return Value(std::move(text));
}

Result<Value> stripped(NativeCall &call, bool left, bool right) {
  std::string characters(Space);
  if (call.count() > 1 && !call[1].isNone()) {
    auto given = call.text(1);
    if (!given)
      return given.error();
    characters = *given;
  }
  std::string_view text = self(call);
  size_t first = left ? std::min(text.find_first_not_of(characters), text.size()) : 0;
  size_t last = right ? text.find_last_not_of(characters) + 1 : text.size();
  return Value(std::string(text.substr(first, last > first ? last - first : 0)));
}
Result<Value> strip(NativeCall &call) { return stripped(call, true, true); }
Result<Value> lstrip(NativeCall &call) { return stripped(call, true, false); }
Result<Value> rstrip(NativeCall &call) { return stripped(call, false, true); }

std::vector<Value> splitAtSpace(std::string_view text, int64_t most) {
  std::vector<Value> parts;
  for (size_t at = text.find_first_not_of(Space); at != std::string_view::npos;) {
    size_t end = most >= 0 && static_cast<int64_t>(parts.size()) == most ? std::string_view::npos
                                                                         : text.find_first_of(Space, at);
    std::string_view part = text.substr(at, end == std::string_view::npos ? end : end - at);
    if (end == std::string_view::npos)
      part = part.substr(0, part.find_last_not_of(Space) + 1);
    parts.push_back(Value(std::string(part)));
    at = end == std::string_view::npos ? end : text.find_first_not_of(Space, end);
  }
  return parts;
}

Result<int64_t> most(NativeCall &call) {
  auto *value = call.find(2, "maxsplit");
  auto number = value ? value->index() : std::optional<int64_t>(-1);
  return number ? Result<int64_t>(*number)
                : call.blame(2, {"wrong-argument-type", {"split", "int", std::string(value->typeName())}});
}

Result<Value> split(NativeCall &call) {
  auto limit = most(call);
  if (!limit)
    return limit.error();
  std::string_view text = self(call);
  auto *separator = call.find(1, "sep");
  if (!separator || separator->isNone())
    return makeList(splitAtSpace(text, *limit));
  auto *between = separator->asString();
  if (!between || between->empty())
    return call.blame(1, {"wrong-argument-type", {"split", "str", std::string(separator->typeName())}});
  std::vector<Value> parts;
  while (*limit < 0 || static_cast<int64_t>(parts.size()) < *limit) {
    size_t at = text.find(*between);
    if (at == std::string_view::npos)
      break;
    parts.push_back(Value(std::string(text.substr(0, at))));
    text.remove_prefix(at + between->size());
  }
  parts.push_back(Value(std::string(text)));
  return makeList(std::move(parts));
}

Result<Value> rsplit(NativeCall &call) {
  auto limit = most(call);
  auto *separator = call.find(1, "sep");
  auto *between = separator ? separator->asString() : nullptr;
  if (!limit || *limit < 0 || !between || between->empty())
    return limit ? split(call) : Result<Value>(limit.error());
  std::string_view text = self(call);
  std::vector<Value> parts;
  while (static_cast<int64_t>(parts.size()) < *limit) {
    size_t at = text.rfind(*between);
    if (at == std::string_view::npos)
      break;
    parts.push_back(Value(std::string(text.substr(at + between->size()))));
    text = text.substr(0, at);
  }
  parts.push_back(Value(std::string(text)));
  std::reverse(parts.begin(), parts.end());
  return makeList(std::move(parts));
}

Result<Value> splitLines(NativeCall &call) {
  std::string_view text = self(call);
  std::vector<Value> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find_first_of("\r\n"), text.size());
    lines.push_back(Value(std::string(text.substr(0, end))));
    bool pair = text.substr(end).starts_with("\r\n");
    text.remove_prefix(std::min(end + (pair ? 2 : 1), text.size()));
  }
  return makeList(std::move(lines));
}

Result<Value> join(NativeCall &call) {
  auto items = call.evaluation.elementsOf(call[1]);
  if (!items)
    return call.blame(1, items.error());
  std::string result;
  for (size_t i = 0; i < items->size(); ++i) {
    auto *text = (*items)[i].asString();
    if (!text)
      return isUnknown((*items)[i])
                 ? Result<Value>(unknown())
                 : call.blame(1,
                              {"join-needs-str", {std::to_string(i), std::string((*items)[i].typeName())}});
    result += (i ? self(call) : "") + *text;
    if (result.size() > MaxStringBytes)
      return Error{"string-too-long", {std::to_string(MaxStringBytes >> 20)}};
  }
  return Value(std::move(result));
}

Result<Value> replace(NativeCall &call) {
  auto from = call.text(1), to = call.text(2);
  if (!from || !to)
    return from ? to.error() : from.error();
  auto limit = call.count() > 3 ? call.integer(3) : Result<int64_t>(-1);
  if (!limit)
    return limit.error();
  std::string_view text = self(call);
  std::string result;
  for (int64_t done = 0; *limit < 0 || done < *limit; ++done) {
    size_t at = from->empty() ? (text.empty() ? std::string_view::npos : utf8::pointAt(text, 0).size())
                              : text.find(*from);
    if (from->empty() && done == 0)
      at = 0;
    if (at == std::string_view::npos)
      break;
    result.append(text.substr(0, at)).append(*to);
    text.remove_prefix(at + from->size());
    if (result.size() > MaxStringBytes)
      return Error{"string-too-long", {std::to_string(MaxStringBytes >> 20)}};
  }
  return Value(result.append(text));
}

template <typename Test> Result<Value> affix(NativeCall &call, Test test) {
  auto *several = call[1].as<TupleObject>();
  std::vector<Value> candidates = several ? several->items : std::vector<Value>{call[1]};
  for (const Value &candidate : candidates) {
    auto *text = candidate.asString();
    if (!text)
      return call.wrongType(1, "str");
    if (test(std::string_view(self(call)), *text))
      return Value(true);
  }
  return Value(false);
}
Result<Value> startsWith(NativeCall &call) {
  return affix(call, [](std::string_view text, const std::string &start) { return text.starts_with(start); });
}
Result<Value> endsWith(NativeCall &call) {
  return affix(call, [](std::string_view text, const std::string &end) { return text.ends_with(end); });
}

/// The position, in code points, or -1.
Result<Value> located(NativeCall &call, bool last, bool must) {
  auto part = call.text(1);
  if (!part)
    return part.error();
  const std::string &text = self(call);
  auto start = call.count() > 2 ? call.integer(2) : Result<int64_t>(0);
  if (!start)
    return start.error();
  size_t from = utf8::offset(text, *start < 0 ? std::max<int64_t>(utf8::count(text) + *start, 0) : *start);
  size_t at = last ? text.rfind(*part) : text.find(*part, from);
  if (at != std::string::npos && at >= from)
    return Value(utf8::count(std::string_view(text).substr(0, at)));
  return must ? call.blame(1, {"text-not-found", {repr(call[1])}}) : Result<Value>(Value(-1));
}
Result<Value> find(NativeCall &call) { return located(call, false, false); }
Result<Value> rfind(NativeCall &call) { return located(call, true, false); }
Result<Value> index(NativeCall &call) { return located(call, false, true); }

Result<Value> count(NativeCall &call) {
  auto part = call.text(1);
  if (!part)
    return part.error();
  const std::string &text = self(call);
  if (part->empty())
    return Value(utf8::count(text) + 1);
  int64_t found = 0;
  for (size_t at = text.find(*part); at != std::string::npos; at = text.find(*part, at + part->size()))
    ++found;
  return Value(found);
}

Result<Value> removePrefix(NativeCall &call) {
  auto part = call.text(1);
  std::string_view text = self(call);
  return part ? Result<Value>(Value(std::string(text.substr(text.starts_with(*part) ? part->size() : 0))))
              : part.error();
}

Result<Value> removeSuffix(NativeCall &call) {
  auto part = call.text(1);
  std::string_view text = self(call);
  return part ? Result<Value>(Value(
                    std::string(text.substr(0, text.size() - (text.ends_with(*part) ? part->size() : 0)))))
              : part.error();
}

Result<Value> partition(NativeCall &call) {
  auto between = call.text(1);
  if (!between || between->empty())
    return call.wrongType(1, "str");
  const std::string &text = self(call);
  size_t at = text.find(*between);
  if (at == std::string::npos)
    return makeTuple({call[0], Value(""), Value("")});
  return makeTuple({Value(text.substr(0, at)), Value(*between), Value(text.substr(at + between->size()))});
}

Result<Value> justified(NativeCall &call, const char *align) {
  auto width = call.integer(1);
  auto fill = call.count() > 2 ? call.text(2) : Result<std::string>(" ");
  if (!width || !fill)
    return width ? fill.error() : width.error();
  if (utf8::count(*fill) != 1)
    return call.wrongType(2, "str");
  if (*width <= utf8::count(self(call)))
    return call[0];
  auto text = format(call[0], *fill + align + std::to_string(*width));
  return text ? Result<Value>(Value(*text))
              : Error{"string-too-long", {std::to_string(MaxStringBytes >> 20)}};
}
Result<Value> ljust(NativeCall &call) { return justified(call, "<"); }
Result<Value> rjust(NativeCall &call) { return justified(call, ">"); }

/// Python's center() puts an odd space on the left if the width is odd, format() always on the right.
Result<Value> center(NativeCall &call) {
  auto width = call.integer(1);
  auto fill = call.count() > 2 ? call.text(2) : Result<std::string>(" ");
  if (!width || !fill)
    return width ? fill.error() : width.error();
  int64_t missing = *width - utf8::count(self(call));
  if (missing <= 0)
    return call[0];
  int64_t left = missing / 2 + (missing & *width & 1);
  auto leftFill = binary(syntax::BinaryOperator::Mult, Value(*fill), Value(left));
  auto rightFill = binary(syntax::BinaryOperator::Mult, Value(*fill), Value(missing - left));
  if (!leftFill || !rightFill)
    return leftFill ? rightFill : leftFill;
  return Value(*leftFill->asString() + self(call) + *rightFill->asString());
}

Result<Value> zfill(NativeCall &call) {
  auto width = call.integer(1);
  if (!width)
    return width.error();
  const std::string &text = self(call);
  bool sign = text.starts_with('-') || text.starts_with('+');
  int64_t missing = *width - utf8::count(text);
  auto zeros = binary(syntax::BinaryOperator::Mult, Value("0"), Value(missing));
  return zeros ? Value(text.substr(0, sign) + *zeros->asString() + text.substr(sign)) : zeros;
}

/// `"{} {name!r:>{width}}".format(…)`.
class TemplateFormatter {
public:
  explicit TemplateFormatter(NativeCall &call) : m_call(call) {}

  Result<std::string> format(std::string_view text, unsigned depth = 0) {
    std::string result;
    while (!text.empty()) {
      size_t brace = text.find_first_of("{}");
      result += text.substr(0, brace);
      if (brace == std::string_view::npos)
        break;
      char c = text[brace];
      text.remove_prefix(brace + 1);
      if (text.starts_with(c)) {
        result += c;
        text.remove_prefix(1);
        continue;
      }
      size_t end = c == '{' && depth < 2 ? closing(text) : std::string_view::npos;
      auto value =
          end == std::string_view::npos ? Result<std::string>(mistake()) : field(text.substr(0, end), depth);
      if (!value)
        return value;
      result += *value;
      text.remove_prefix(end + 1);
    }
    return result;
  }

private:
  static size_t closing(std::string_view text) {
    int depth = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      depth += text[i] == '{';
      if (text[i] == '}' && depth-- == 0)
        return i;
    }
    return std::string_view::npos;
  }

  Error mistake() { return {"bad-template", {self(m_call)}}; }

  Result<Value> argument(std::string_view name) {
    auto number =
        name.empty() ? std::optional<Integer>(Integer(static_cast<int64_t>(m_next++))) : Integer::parse(name);
    if (number) {
      auto at = number->toInt64();
      bool there = at && *at + 1 < static_cast<int64_t>(m_call.count());
      return there ? Result<Value>(m_call[static_cast<size_t>(*at) + 1]) : mistake();
    }
    auto *value = m_call.keyword(name);
    return value ? Result<Value>(*value) : Error{"key-not-found", {repr(Value(std::string(name)))}};
  }

  /// "name.attribute[item]"
  Result<Value> lookUp(std::string_view path) {
    size_t end = std::min(path.find_first_of(".["), path.size());
    auto value = argument(path.substr(0, end));
    path.remove_prefix(end);
    while (value && !path.empty()) {
      bool item = path[0] == '[';
      size_t stop = item ? path.find(']') : std::min(path.find_first_of(".[", 1), path.size());
      if (stop == std::string_view::npos)
        return mistake();
      std::string part(path.substr(1, stop - 1));
      auto number = Integer::parse(part);
      value = item ? m_call.evaluation.subscriptOf(*value, number ? Value(*number) : Value(part))
                   : m_call.evaluation.attributeOf(*value, part);
      path.remove_prefix(stop + item);
    }
    return value;
  }

  Result<std::string> field(std::string_view text, unsigned depth) {
    size_t colon = text.find(':');
    std::string_view head = text.substr(0, colon);
    size_t mark = head.find('!');
    auto value = lookUp(head.substr(0, mark));
    if (!value)
      return value.error();
    auto spec = colon == std::string_view::npos ? Result<std::string>(std::string())
                                                : format(text.substr(colon + 1), depth + 1);
    if (!spec)
      return spec;
    if (mark != std::string_view::npos) {
      auto shown =
          head.substr(mark) == "!r" ? m_call.evaluation.reprOf(*value) : m_call.evaluation.strOf(*value);
      if (!shown)
        return shown;
      value = Value(*shown);
    }
    auto shown = m_call.evaluation.formatOf(*value, *spec);
    if (!shown || isUnknown(*shown))
      return shown ? Error{"unknown", {}} : shown.error();
    return *shown->asString();
  }

  NativeCall &m_call;
  size_t m_next = 0;
};

Result<Value> formatTemplate(NativeCall &call) {
  auto text = TemplateFormatter(call).format(self(call));
  return text ? Result<Value>(Value(std::move(*text))) : text.error();
}

constexpr NativeFunction Rows[] = {
    {"upper", 1, 1, "", changed<toUpper>},
    {"lower", 1, 1, "", changed<toLower>},
    {"swapcase", 1, 1, "", changed<swapCase>},
    {"capitalize", 1, 1, "", capitalize},
    {"title", 1, 1, "", title},
    {"strip", 1, 2, "", strip},
    {"lstrip", 1, 2, "", lstrip},
    {"rstrip", 1, 2, "", rstrip},
    {"split", 1, 3, "sep maxsplit ", split},
    {"rsplit", 1, 3, "sep maxsplit ", rsplit},
    {"splitlines", 1, 1, "", splitLines},
    {"join", 2, 2, "", join},
    {"replace", 3, 4, "", replace},
    {"startswith", 2, 2, "", startsWith},
    {"endswith", 2, 2, "", endsWith},
    {"find", 2, 3, "", find},
    {"rfind", 2, 2, "", rfind},
    {"index", 2, 3, "", index},
    {"count", 2, 2, "", count},
    {"removeprefix", 2, 2, "", removePrefix},
    {"removesuffix", 2, 2, "", removeSuffix},
    {"partition", 2, 2, "", partition},
    {"ljust", 2, 3, "", ljust},
    {"rjust", 2, 3, "", rjust},
    {"center", 2, 3, "", center},
    {"zfill", 2, 2, "", zfill},
    {"isdigit", 1, 1, "", tested<isDigit>},
    {"isnumeric", 1, 1, "", tested<isDigit>},
    {"isalpha", 1, 1, "", tested<isAlpha>},
    {"isalnum", 1, 1, "", tested<isAlnum>},
    {"isspace", 1, 1, "", tested<isSpace>},
    {"isupper", 1, 1, "", cased<isUpper, isLower>},
    {"islower", 1, 1, "", cased<isLower, isUpper>},
    {"format", 1, AnyNumber, "*", formatTemplate},
};

} // namespace

NativeTable stringMethods() { return Rows; }

} // namespace tilescope::host
