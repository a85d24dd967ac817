// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's binary and unary operators: numbers go to Arithmetic.cpp, containers are put together here.
#include "compiler/Value/Operators.h"

#include "compiler/Value/Arithmetic.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tilescope {

using detail::numberOf;
using detail::unsupportedOperands;
using syntax::BinaryOperator;
using syntax::UnaryOperator;

namespace {

using Items = std::vector<Value>;
using Maybe = std::optional<Result<Value>>; ///< nothing: these operands are not mine

Error tooManyItems() { return {"too-many-items", {std::to_string(MaxItems)}}; }
Error tooLongString() { return {"string-too-long", {std::to_string(MaxStringBytes >> 20)}}; }

Value wrap(std::shared_ptr<Object> object) { return Value(std::move(object)); }

Maybe bitsOfBools(BinaryOperator op, const Value &left, const Value &right) {
  auto *a = left.asBool(), *b = right.asBool();
  if (!a || !b)
    return std::nullopt;
  switch (op) {
  case BinaryOperator::BitAnd:
    return Value(*a && *b);
  case BinaryOperator::BitOr:
    return Value(*a || *b);
  case BinaryOperator::BitXor:
    return Value(*a != *b);
  default:
    return std::nullopt;
  }
}

Maybe numbers(BinaryOperator op, const Value &left, const Value &right) {
  auto a = numberOf(left), b = numberOf(right);
  if (!a || !b)
    return std::nullopt;
  return detail::arithmetic(op, *a, *b);
}

Result<Value> joined(const Items &left, const Items &right, Value (*make)(Items)) {
  if (left.size() + right.size() > static_cast<size_t>(MaxItems))
    return tooManyItems();
  Items all;
  all.reserve(left.size() + right.size());
  all.insert(all.end(), left.begin(), left.end());
  all.insert(all.end(), right.begin(), right.end());
  return make(std::move(all));
}

Maybe concatenation(const Value &left, const Value &right) {
  if (auto *a = left.asString(), *b = right.asString(); a && b)
    return a->size() + b->size() > MaxStringBytes ? Result<Value>(tooLongString())
                                                  : Result<Value>(Value(*a + *b));
  if (auto *a = left.as<ListObject>(), *b = right.as<ListObject>(); a && b)
    return joined(a->items, b->items, makeList);
  if (auto *a = left.as<TupleObject>(), *b = right.as<TupleObject>(); a && b)
    return joined(a->items, b->items, makeTuple);
  return std::nullopt;
}

/// How often to repeat `size` units, none of which may be more than `limit`; nothing if too many.
std::optional<size_t> repetitions(const Value &times, size_t size, uint64_t limit) {
  auto number = numberOf(times)->whole;
  if (number.isNegative() || size == 0)
    return 0;
  auto count = number.toInt64();
  if (!count || static_cast<uint64_t>(*count) > limit / size)
    return std::nullopt;
  return static_cast<size_t>(*count);
}

Result<Value> repeatedItems(const Items &items, const Value &times, Value (*make)(Items)) {
  auto count = repetitions(times, items.size(), MaxItems);
  if (!count)
    return tooManyItems();
  if (items.size() == 1)
    return make(Items(*count, items[0]));
  Items all;
  all.reserve(items.size() * *count);
  for (size_t i = 0; i < *count; ++i)
    all.insert(all.end(), items.begin(), items.end());
  return make(std::move(all));
}

Result<Value> repeatedText(const std::string &text, const Value &times) {
  auto count = repetitions(times, text.size(), MaxStringBytes);
  if (!count)
    return tooLongString();
  std::string all;
  all.reserve(text.size() * *count);
  for (size_t i = 0; i < *count; ++i)
    all += text;
  return Value(std::move(all));
}

Maybe repetition(const Value &sequence, const Value &times) {
  if (!times.asInt() && !times.asBool())
    return std::nullopt;
  if (auto *text = sequence.asString())
    return repeatedText(*text, times);
  if (auto *list = sequence.as<ListObject>())
    return repeatedItems(list->items, times, makeList);
  if (auto *tuple = sequence.as<TupleObject>())
    return repeatedItems(tuple->items, times, makeTuple);
  return std::nullopt;
}

/// Which of the left set's members stay, and whether the right set's others come in.
struct SetRule {
  bool common, leftOnly, rightOnly;
};
std::optional<SetRule> setRule(BinaryOperator op) {
  switch (op) {
  case BinaryOperator::BitOr:
    return SetRule{true, true, true};
  case BinaryOperator::BitAnd:
    return SetRule{true, false, false};
  case BinaryOperator::Sub:
    return SetRule{false, true, false};
  case BinaryOperator::BitXor:
    return SetRule{false, true, true};
  default:
    return std::nullopt;
  }
}

/// Copies those of `from` into `to` of which it is right that `other` has them or not.
Result<bool> copyMembers(SetObject &to, const SetObject &from, const SetObject &other, bool whenIn,
                         bool whenOut) {
  for (const auto &entry : from.table.entries()) {
    auto found = other.table.find(entry.key);
    if (!found)
      return found.error();
    if (*found ? !whenIn : !whenOut)
      continue;
    if (auto added = to.table.set(entry.key, {}); !added)
      return added;
  }
  return true;
}

Maybe sets(BinaryOperator op, const Value &left, const Value &right) {
  auto *a = left.as<SetObject>(), *b = right.as<SetObject>();
  auto rule = setRule(op);
  if (!a || !b || !rule)
    return std::nullopt;
  auto result = std::make_shared<SetObject>();
  if (auto done = copyMembers(*result, *a, *b, rule->common, rule->leftOnly); !done)
    return done.error();
  if (auto done = copyMembers(*result, *b, *a, false, rule->rightOnly); !done)
    return done.error();
  return wrap(std::move(result));
}

Maybe mergedDicts(const Value &left, const Value &right) {
  auto *a = left.as<DictObject>(), *b = right.as<DictObject>();
  if (!a || !b)
    return std::nullopt;
  auto result = std::make_shared<DictObject>();
  for (auto *from : {a, b})
    for (const auto &entry : from->table.entries())
      if (auto added = result->table.set(entry.key, entry.value); !added)
        return added.error();
  return wrap(std::move(result));
}

Maybe containers(BinaryOperator op, const Value &left, const Value &right) {
  switch (op) {
  case BinaryOperator::Add:
    return concatenation(left, right);
  case BinaryOperator::Mult: {
    Maybe result = repetition(left, right);
    return result ? result : repetition(right, left);
  }
  case BinaryOperator::Mod:
    return left.asString() ? Maybe([&]() -> Result<Value> {
      auto text = percentFormat(*left.asString(), right);
      return text ? Result<Value>(Value(std::move(*text))) : text.error();
    }())
                           : std::nullopt;
  case BinaryOperator::BitOr:
    if (Maybe merged = mergedDicts(left, right))
      return merged;
    return sets(op, left, right);
  default:
    return sets(op, left, right);
  }
}

std::string_view unaryName(UnaryOperator op) { return syntax::spelling(op); }

} // namespace

Result<Value> binary(BinaryOperator op, const Value &left, const Value &right) {
  for (auto rule : {bitsOfBools, numbers, containers})
    if (Maybe result = rule(op, left, right))
      return *result;
  return unsupportedOperands(syntax::spelling(op), left, right);
}

Result<Value> unary(UnaryOperator op, const Value &operand) {
  if (op == UnaryOperator::Not)
    return Value(!truth(operand));
  auto number = numberOf(operand);
  if (!number || (number->isFloat && op == UnaryOperator::Invert))
    return Error{"unsupported-operand", {std::string(unaryName(op)), std::string(operand.typeName())}};
  switch (op) {
  case UnaryOperator::USub:
    return number->isFloat ? Value(-number->real) : Value(-number->whole);
  case UnaryOperator::Invert:
    return Value(~number->whole);
  default:
    return number->isFloat ? Value(number->real) : Value(number->whole);
  }
}

bool truth(const Value &value) {
  if (auto number = numberOf(value))
    return number->isFloat ? number->real != 0 : !number->whole.isZero();
  if (value.isNone())
    return false;
  auto size = length(value);
  return !size || *size != 0; // what has no length is true
}

namespace {

Result<Value> numberConstant(const syntax::Constant &literal) {
  if (literal.constant == syntax::ConstantKind::Int) {
    auto number = Integer::parse(literal.text);
    if (!number)
      return Error{"unsupported-constant", {std::string(literal.text)}};
    if (number->bitLength() > MaxIntegerBits)
      return Error{"integer-too-large", {std::to_string(MaxIntegerBits)}};
    return Value(*number);
  }
  double value = 0;
  const char *end = literal.text.data() + literal.text.size();
  auto [stop, problem] = std::from_chars(literal.text.data(), end, value);
  if (problem == std::errc::result_out_of_range) // too large or too small: strtod says which
    value = std::strtod(std::string(literal.text).c_str(), nullptr);
  else if (problem != std::errc() || stop != end)
    return Error{"unsupported-constant", {std::string(literal.text)}};
  return Value(value);
}

} // namespace

Result<Value> constant(const syntax::Constant &literal) {
  switch (literal.constant) {
  case syntax::ConstantKind::None:
    return Value();
  case syntax::ConstantKind::True:
    return Value(true);
  case syntax::ConstantKind::False:
    return Value(false);
  case syntax::ConstantKind::Ellipsis:
    return Value(EllipsisType{});
  case syntax::ConstantKind::Int:
  case syntax::ConstantKind::Float:
    return numberConstant(literal);
  case syntax::ConstantKind::String:
    return Value(std::string(literal.text));
  default:
    return Error{"unsupported-constant", {std::string(literal.text)}};
  }
}

} // namespace tilescope
