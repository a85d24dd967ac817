// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX as text to a PtxProgram. Declarations give registers names; blocks in braces do not nest names,
// for nobody redeclares one in another type.
#include "compiler/Interpreter/Ptx.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>
#include <map>
#include <optional>

namespace tilescope::interp {

namespace {

using Kind = PtxType::Kind;
using Texts = std::vector<std::string>;

std::string trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\n\r\v\f";
  const size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos)
    return {};
  return std::string(text.substr(first, text.find_last_not_of(blank) - first + 1));
}

/// Split where `separator` stands outside of brackets.
Texts split(std::string_view text, char separator) {
  Texts parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == separator && depth == 0)) {
      parts.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    } else if (text[i] == '{' || text[i] == '[') {
      ++depth;
    } else if (text[i] == '}' || text[i] == ']') {
      --depth;
    }
  }
  return parts;
}

std::string withoutComments(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("//")) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (rest.starts_with("/*")) {
      const size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + 1;
      result += ' ';
    } else {
      result += text[i];
    }
  }
  return result;
}

/// Statements, without the braces of blocks: a brace is one where no instruction has begun.
Texts statements(const std::string &text) {
  Texts result;
  std::string current;
  for (char c : text) {
    const bool isEmpty = trimmed(current).empty();
    if ((c == '{' || c == '}') && isEmpty)
      continue;
    if (c != ';') {
      current += c;
      continue;
    }
    if (!isEmpty)
      result.push_back(trimmed(current));
    current.clear();
  }
  if (!trimmed(current).empty())
    result.push_back(trimmed(current));
  return result;
}

//===- Types --------------------------------------------------------------------------------------===//

std::optional<PtxType> typeOf(std::string_view name) {
  static constexpr struct {
    std::string_view name;
    PtxType type;
  } whole[] = {
      {"pred", {Kind::Predicate, 1, 1}}, {"bf16", {Kind::Brain, 16, 1}},  {"bf16x2", {Kind::Brain, 16, 2}},
      {"f16x2", {Kind::Float, 16, 2}},   {"f32x2", {Kind::Float, 32, 2}}, {"u16x2", {Kind::Unsigned, 16, 2}},
      {"s16x2", {Kind::Signed, 16, 2}},  {"e4m3x2", {Kind::E4M3, 8, 2}},  {"e5m2x2", {Kind::E5M2, 8, 2}}};
  for (const auto &row : whole)
    if (row.name == name)
      return row.type;
  static constexpr std::pair<char, Kind> letters[] = {
      {'b', Kind::Bits}, {'u', Kind::Unsigned}, {'s', Kind::Signed}, {'f', Kind::Float}};
  for (const auto &[letter, kind] : letters)
    for (unsigned bits : {8u, 16u, 32u, 64u})
      if (name == letter + std::to_string(bits) && !(kind == Kind::Float && bits == 8))
        return PtxType{kind, static_cast<uint8_t>(bits), 1};
  return std::nullopt;
}

//===- Instructions -------------------------------------------------------------------------------===//

constexpr std::pair<std::string_view, PtxSpecial> specials[] = {
    {"%laneid", PtxSpecial::Zero},         {"%warpid", PtxSpecial::Zero},
    {"%smid", PtxSpecial::Zero},           {"%gridid", PtxSpecial::Zero},
    {"%tid.x", PtxSpecial::Zero},          {"%tid.y", PtxSpecial::Zero},
    {"%tid.z", PtxSpecial::Zero},          {"%lanemask_lt", PtxSpecial::Zero},
    {"%clock_hi", PtxSpecial::Zero},       {"%globaltimer_hi", PtxSpecial::Zero},
    {"%lanemask_eq", PtxSpecial::One},     {"%lanemask_le", PtxSpecial::One},
    {"%nsmid", PtxSpecial::One},           {"%nwarpid", PtxSpecial::One},
    {"%ntid.x", PtxSpecial::One},          {"%ntid.y", PtxSpecial::One},
    {"%ntid.z", PtxSpecial::One},          {"%ctaid.x", PtxSpecial::BlockX},
    {"%ctaid.y", PtxSpecial::BlockY},      {"%ctaid.z", PtxSpecial::BlockZ},
    {"%nctaid.x", PtxSpecial::BlocksX},    {"%nctaid.y", PtxSpecial::BlocksY},
    {"%nctaid.z", PtxSpecial::BlocksZ},    {"%clock", PtxSpecial::Clock},
    {"%clock64", PtxSpecial::Clock},       {"%globaltimer", PtxSpecial::Clock},
    {"%globaltimer_lo", PtxSpecial::Clock}};

class Parser {
public:
  explicit Parser(uint32_t ports) {
    m_program.ports = ports;
    m_program.image.resize(ports);
  }

  Result<PtxProgram> run(std::string_view text, std::string_view constraints) {
    if (!readConstraints(constraints))
      return Error{"assembly-not-interpreted", {std::string(constraints)}};
    for (const std::string &statement : statements(withoutComments(text)))
      if (!(statement.starts_with(".reg") ? declare(statement) : instruction(statement)))
        return Error{"assembly-not-interpreted", {statement}};
    return std::move(m_program);
  }

private:
  bool readConstraints(std::string_view constraints);
  bool declare(std::string_view statement);
  bool instruction(const std::string &statement);
  bool guard(std::string &statement, PtxStep &step);
  /// What stands behind the instruction's name: types, roundings, forms.
  bool modifiers(const Texts &parts, PtxStep &step, std::string &form, std::vector<PtxType> &types);
  bool modifier(std::string_view name, PtxStep &step);
  bool operands(std::string_view name, const std::string &text, PtxStep &step);
  bool addOperand(const std::string &text, PtxType type, std::vector<uint16_t> &registers);
  bool address(const std::string &text, PtxStep &step);
  const PtxRow *rowOf(std::string_view name, const std::string &form, PtxType type) const;
  bool checkCounts(const PtxRow &row, const PtxStep &step) const;

  std::optional<uint16_t> registerOf(const std::string &name, PtxType type);
  std::optional<uint64_t> literal(std::string_view text, PtxType type) const;
  uint16_t fresh(uint64_t value = 0) {
    m_program.image.push_back(value);
    return static_cast<uint16_t>(m_program.image.size() - 1);
  }

  PtxProgram m_program;
  std::map<std::string, uint16_t, std::less<>> m_names;
};

/// Outputs come first; an input that is a digit has the register of that output.
bool Parser::readConstraints(std::string_view constraints) {
  uint32_t port = 0;
  for (const std::string &constraint : split(constraints, ',')) {
    if (constraint.empty() || constraint.starts_with('~'))
      continue;
    if (std::isdigit(static_cast<unsigned char>(constraint[0]))) {
      const auto output = static_cast<uint16_t>(std::atoi(constraint.c_str()));
      if (output >= port)
        return false;
      m_program.ties.emplace_back(output, static_cast<uint16_t>(port));
      m_names["$" + std::to_string(port)] = output;
    }
    ++port;
  }
  return port == m_program.ports && port < 0x8000;
}

/// ".reg .b32 a<2>, b;" declares a0, a1 and b.
bool Parser::declare(std::string_view statement) {
  const size_t type = statement.find('.', 1);
  const size_t names = statement.find_first_of(" \t\n", type);
  if (type == std::string_view::npos || names == std::string_view::npos)
    return false;
  for (const std::string &name : split(statement.substr(names), ',')) {
    const size_t angle = name.find('<');
    if (angle == std::string::npos) {
      m_names[name] = fresh();
      continue;
    }
    const int count = std::atoi(name.c_str() + angle + 1);
    if (count < 0 || count > 1024)
      return false;
    for (int i = 0; i < count; ++i)
      m_names[name.substr(0, angle) + std::to_string(i)] = fresh();
  }
  return true;
}

/// "@!p" in front.
bool Parser::guard(std::string &statement, PtxStep &step) {
  if (!statement.starts_with('@'))
    return true;
  step.guardIsNegated = statement.size() > 1 && statement[1] == '!';
  const size_t begin = step.guardIsNegated ? 2 : 1, end = statement.find_first_of(" \t\n");
  if (end == std::string::npos)
    return false;
  const auto predicate = registerOf(statement.substr(begin, end - begin), {Kind::Predicate, 1, 1});
  statement = trimmed(std::string_view(statement).substr(end));
  step.guard = predicate ? *predicate : -1;
  return predicate.has_value();
}

bool Parser::modifier(std::string_view name, PtxStep &step) {
  static constexpr std::pair<std::string_view, PtxRounding> roundings[] = {{"rn", PtxRounding::Nearest},
                                                                           {"rz", PtxRounding::Zero},
                                                                           {"rm", PtxRounding::Down},
                                                                           {"rp", PtxRounding::Up}};
  for (const auto &[rounding, value] : roundings)
    if (name == rounding || name == std::string(rounding) + "i") {
      step.rounding = value;
      step.toInteger = name.size() == 3;
      return true;
    }
  static constexpr std::pair<std::string_view, bool PtxStep::*> flags[] = {{"ftz", &PtxStep::flush},
                                                                           {"sat", &PtxStep::saturate},
                                                                           {"NaN", &PtxStep::isNaN},
                                                                           {"satfinite", &PtxStep::finite}};
  for (const auto &[flag, member] : flags)
    if (name == flag) {
      step.*member = true;
      return true;
    }
  return name == "approx" || name == "full";
}

/// With one thread there is nothing to wait for, and launches are one after another.
bool isIdle(std::string_view name) {
  static constexpr std::string_view names[] = {"griddepcontrol", "nanosleep", "membar", "fence", "bar",
                                               "barrier",        "prefetch"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool Parser::modifiers(const Texts &parts, PtxStep &step, std::string &form, std::vector<PtxType> &types) {
  const bool isMemory = parts[0] == "ld" || parts[0] == "st";
  step.memory.loads = parts[0] == "ld";
  step.memory.stores = parts[0] == "st";
  static constexpr std::string_view forms[] = {"lo", "hi", "wide", "l", "r", "wrap", "clamp", "shiftamt"};
  for (size_t i = 1; i < parts.size(); ++i) {
    const std::string &part = parts[i];
    if (const auto type = typeOf(part)) {
      types.push_back(*type);
    } else if (parts[0] == "setp" && ptxComparison(part) >= 0) {
      step.comparison = static_cast<uint8_t>(ptxComparison(part));
    } else if (parts[0] == "setp" && (part == "and" || part == "or" || part == "xor")) {
      step.combine = part == "and" ? '&' : part == "or" ? '|' : '^';
    } else if (std::find(std::begin(forms), std::end(forms), part) != std::end(forms)) {
      form += (form.empty() ? "" : ".") + part;
    } else if (!(isMemory ? ptxMemoryHint(part, step.memory) : modifier(part, step))) {
      return false;
    }
  }
  return true;
}

const PtxRow *Parser::rowOf(std::string_view name, const std::string &form, PtxType type) const {
  for (auto rows : {ptxIntegerRows(), ptxFloatRows(), ptxMoveRows()})
    for (const PtxRow &row : rows)
      if (row.name == name && row.form == form && row.kinds >> uint32_t(type.kind) & 1)
        return &row;
  return nullptr;
}

std::optional<uint64_t> Parser::literal(std::string_view text, PtxType type) const {
  const std::string digits(text);
  char *end = nullptr;
  if (text.starts_with("0f") || text.starts_with("0F") || text.starts_with("0d") || text.starts_with("0D")) {
    const uint64_t bits = std::strtoull(digits.c_str() + 2, &end, 16);
    if (*end != 0)
      return std::nullopt;
    const bool isSingle = text[1] == 'f' || text[1] == 'F';
    if (!type.isFloat() || type.bits == (isSingle ? 32 : 64))
      return bits;
    const double value =
        isSingle ? std::bit_cast<float>(static_cast<uint32_t>(bits)) : std::bit_cast<double>(bits);
    return ptxBits(type, value, PtxRounding::Nearest, false);
  }
  if (text.find_first_of(".") != std::string_view::npos) {
    const double value = std::strtod(digits.c_str(), &end);
    return *end == 0 && type.isFloat() ? std::optional(ptxBits(type, value, PtxRounding::Nearest, false))
                                       : std::nullopt;
  }
  const bool isNegative = text.starts_with('-');
  const char *first = digits.c_str() + isNegative;
  const bool isBinary = std::string_view(first).starts_with("0b");
  const uint64_t value = std::strtoull(isBinary ? first + 2 : first, &end, isBinary ? 2 : 0);
  if (*end == 'U')
    ++end;
  return *end == 0 ? std::optional(isNegative ? 0 - value : value) : std::nullopt;
}

/// A declared register, a port, a special register, or a literal as a constant.
std::optional<uint16_t> Parser::registerOf(const std::string &name, PtxType type) {
  if (const auto known = m_names.find(name); known != m_names.end())
    return known->second;
  if (name.starts_with('$')) {
    const std::string digits = name.substr(name.starts_with("${") ? 2 : 1);
    const auto port = static_cast<uint32_t>(std::strtoul(digits.c_str(), nullptr, 10));
    return !digits.empty() && port < m_program.ports ? std::optional(static_cast<uint16_t>(port))
                                                     : std::nullopt;
  }
  for (const auto &[special, what] : specials)
    if (special == name) {
      const uint16_t place = m_names[name] = fresh();
      m_program.specials.emplace_back(place, what);
      return place;
    }
  if (name == "_")
    return fresh();
  if (name == "WARP_SZ")
    return fresh(32);
  if (name.empty() || (!std::isdigit(static_cast<unsigned char>(name[0])) && name[0] != '-'))
    return std::nullopt;
  const auto value = literal(name, type);
  return value ? std::optional(fresh(*value)) : std::nullopt;
}

/// One register, or those of a vector in braces.
bool Parser::addOperand(const std::string &text, PtxType type, std::vector<uint16_t> &registers) {
  if (text.starts_with('{') && text.ends_with('}')) {
    for (const std::string &part : split(std::string_view(text).substr(1, text.size() - 2), ','))
      if (!addOperand(part, type, registers))
        return false;
    return true;
  }
  const auto place = registerOf(text, type);
  if (place)
    registers.push_back(*place);
  return place.has_value();
}

/// "[$1]", "[$1+16]".
bool Parser::address(const std::string &text, PtxStep &step) {
  if (!text.starts_with('[') || !text.ends_with(']'))
    return false;
  std::string inner = trimmed(std::string_view(text).substr(1, text.size() - 2));
  if (const size_t sign = inner.find_first_of("+-", 1); sign != std::string::npos) {
    const bool isNegative = inner[sign] == '-';
    step.offset = std::strtoll(trimmed(std::string_view(inner).substr(sign + 1)).c_str(), nullptr, 0);
    step.offset = isNegative ? -step.offset : step.offset;
    inner = trimmed(std::string_view(inner).substr(0, sign));
  }
  return addOperand(inner, {Kind::Bits, 64, 1}, step.sources);
}

bool Parser::operands(std::string_view name, const std::string &text, PtxStep &step) {
  const Texts parts = split(text, ',');
  const bool isStore = name == "st";
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool isAddress = (name == "ld" && i == 1) || (isStore && i == 0);
    if (isAddress) {
      if (!address(parts[i], step))
        return false;
    } else if (i == 0 && name == "setp") {
      for (const std::string &predicate : split(parts[i], '|'))
        if (!addOperand(predicate, step.result, step.results))
          return false;
    } else if (i == 0 && !isStore) {
      if (!addOperand(parts[i], step.result, step.results))
        return false;
    } else if (!addOperand(parts[i], step.source, step.sources)) {
      return false;
    }
  }
  return true;
}

/// How many registers each instruction takes, so that no step reads beyond its own.
bool Parser::checkCounts(const PtxRow &row, const PtxStep &step) const {
  const size_t results = step.results.size(), sources = step.sources.size();
  if (row.sources != AnySources)
    return results == 1 && sources == row.sources;
  if (row.name == "mov") {
    const size_t parts = std::max(results, sources);
    return results > 0 && sources > 0 && (results == sources || std::min(results, sources) == 1) &&
           step.source.bits * step.source.lanes % parts == 0;
  }
  if (row.name == "setp")
    return results >= 1 && results <= 2 && sources == (step.combine ? 3u : 2u);
  if (row.name == "cvt") {
    const bool isPair = sources == 2 && step.result.lanes == 2 && step.source.lanes == 1;
    return results == 1 && (isPair || (sources == 1 && step.result.lanes == step.source.lanes));
  }
  if (row.name == "ld")
    return results >= 1 && sources == 1;
  return row.name == "st" ? sources >= 2 : true;
}

bool Parser::instruction(const std::string &statement) {
  PtxStep step;
  std::string rest = statement;
  if (!guard(rest, step))
    return false;
  const size_t space = std::min(rest.find_first_of(" \t\n"), rest.size());
  const Texts parts = split(std::string_view(rest).substr(0, space), '.');
  if (isIdle(parts[0]))
    return true;
  std::string form;
  std::vector<PtxType> types;
  if (!modifiers(parts, step, form, types) || types.empty() || types.size() > 2)
    return false;
  step.result = types[0];
  step.source = types.back();
  const PtxRow *row = rowOf(parts[0], form, step.source);
  if (!row || (types.size() == 2 && row->name != "cvt" && row->name != "dp4a"))
    return false;
  if (form == "wide")
    step.result.bits *= 2;
  if (row->name == "popc" || row->name == "clz" || row->name == "bfind")
    step.result = {Kind::Unsigned, 32, 1};
  if (row->name == "setp")
    step.result = {Kind::Predicate, 1, 1};
  if (!operands(parts[0], rest.substr(space), step) || !checkCounts(*row, step))
    return false;
  step.function = row->function;
  step.text = static_cast<uint32_t>(m_program.texts.size());
  m_program.texts.push_back(statement);
  m_program.steps.push_back(std::move(step));
  return true;
}

} // namespace

Result<PtxProgram> parsePtx(std::string_view text, std::string_view constraints, uint32_t ports) {
  return Parser(ports).run(text, constraints);
}

} // namespace tilescope::interp
