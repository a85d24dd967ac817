// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's comparisons: int with float exactly, sequences item by item, sets by inclusion.
#include "compiler/Value/Arithmetic.h"

#include <algorithm>

namespace tilescope {

using detail::numberOf;
using syntax::CompareOperator;

namespace {

Error tooDeep() { return {"recursion-limit", {std::to_string(MaxNesting)}}; }

const std::vector<Value> *itemsOf(const Value &value) {
  if (auto *list = value.as<ListObject>())
    return &list->items;
  if (auto *tuple = value.as<TupleObject>())
    return &tuple->items;
  return nullptr;
}

bool sameKind(const Value &a, const Value &b) {
  return a.object() && b.object() && a.object()->kind() == b.object()->kind();
}

Result<bool> equal(const Value &a, const Value &b, unsigned depth);

Result<bool> equalItems(const std::vector<Value> &a, const std::vector<Value> &b, unsigned depth) {
  if (a.size() != b.size())
    return false;
  for (size_t i = 0; i < a.size(); ++i) {
    auto same = equal(a[i], b[i], depth + 1);
    if (!same || !*same)
      return same;
  }
  return true;
}

/// Does every key of `a` stand in `b`, with an equal value?
Result<bool> contained(const KeyTable &a, const KeyTable &b, unsigned depth) {
  for (const auto &entry : a.entries()) {
    auto other = b.find(entry.key);
    if (!other)
      return other.error();
    if (!*other)
      return false;
    auto same = equal(entry.value, (*other)->value, depth + 1);
    if (!same || !*same)
      return same;
  }
  return true;
}

bool equalRanges(const RangeObject &a, const RangeObject &b) {
  int64_t count = a.length();
  return count == b.length() && (count == 0 || a.start == b.start) && (count <= 1 || a.step == b.step);
}

Result<bool> equalObjects(const Value &a, const Value &b, unsigned depth) {
  if (depth > MaxNesting)
    return tooDeep();
  if (auto *text = a.asString())
    return *text == *b.asString();
  if (auto *items = itemsOf(a))
    return equalItems(*items, *itemsOf(b), depth);
  if (auto *range = a.as<RangeObject>())
    return equalRanges(*range, *b.as<RangeObject>());
  if (auto *dict = a.as<DictObject>())
    return dict->table.size() == b.as<DictObject>()->table.size()
               ? contained(dict->table, b.as<DictObject>()->table, depth)
               : false;
  if (auto *set = a.as<SetObject>())
    return set->table.size() == b.as<SetObject>()->table.size()
               ? contained(set->table, b.as<SetObject>()->table, depth)
               : false;
  return false;
}

Result<bool> equal(const Value &a, const Value &b, unsigned depth) {
  if (a.identical(b))
    return true;
  auto x = numberOf(a), y = numberOf(b);
  if (x && y)
    return detail::order(*x, *y) == std::partial_ordering::equivalent;
  return sameKind(a, b) ? equalObjects(a, b, depth) : false;
}

bool holds(CompareOperator op, std::partial_ordering order) {
  switch (op) {
  case CompareOperator::Lt:
    return order < 0;
  case CompareOperator::LtE:
    return order <= 0;
  case CompareOperator::Gt:
    return order > 0;
  default:
    return order >= 0;
  }
}

Result<bool> ordered(CompareOperator op, const Value &a, const Value &b, unsigned depth);

Result<bool> orderedItems(CompareOperator op, const std::vector<Value> &a, const std::vector<Value> &b,
                          unsigned depth) {
  if (depth > MaxNesting)
    return tooDeep();
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    auto same = equal(a[i], b[i], depth + 1);
    if (!same)
      return same;
    if (!*same)
      return ordered(op, a[i], b[i], depth + 1);
  }
  return holds(op, a.size() <=> b.size());
}

Result<bool> orderedSets(CompareOperator op, const KeyTable &a, const KeyTable &b) {
  bool forward = op == CompareOperator::Lt || op == CompareOperator::LtE;
  const KeyTable &small = forward ? a : b, &large = forward ? b : a;
  bool strict = op == CompareOperator::Lt || op == CompareOperator::Gt;
  if (strict && small.size() == large.size())
    return false;
  return contained(small, large, 0);
}

Result<bool> ordered(CompareOperator op, const Value &a, const Value &b, unsigned depth) {
  auto x = numberOf(a), y = numberOf(b);
  if (x && y)
    return holds(op, detail::order(*x, *y));
  if (auto *text = a.asString(); text && b.asString())
    return holds(op, text->compare(*b.asString()) <=> 0);
  if (auto *items = itemsOf(a); items && sameKind(a, b))
    return orderedItems(op, *items, *itemsOf(b), depth);
  if (auto *set = a.as<SetObject>(); set && b.as<SetObject>())
    return orderedSets(op, set->table, b.as<SetObject>()->table);
  return detail::unsupportedOperands(syntax::spelling(op), a, b);
}

Result<bool> inTable(const Value &item, const KeyTable &table) {
  auto found = table.find(item);
  return found ? Result<bool>(*found != nullptr) : found.error();
}

Result<bool> inRange(const Value &item, const RangeObject &range) {
  auto number = numberOf(item);
  if (!number)
    return false;
  auto whole = number->isFloat ? Integer::fromDouble(number->real) : number->whole;
  if (!whole || !whole->toInt64() || (number->isFloat && whole->toDouble() != number->real))
    return false;
  int64_t at = *whole->toInt64();
  bool inside = range.step > 0 ? range.start <= at && at < range.stop : range.stop < at && at <= range.start;
  return inside && Integer::floorMod(Integer(at) - Integer(range.start), range.step).isZero();
}

Result<bool> inText(const Value &item, const std::string &text) {
  if (auto *part = item.asString())
    return text.find(*part) != std::string::npos;
  return Error{"string-membership", {std::string(item.typeName())}};
}

Result<bool> contains(const Value &item, const Value &container) {
  if (auto *text = container.asString())
    return inText(item, *text);
  if (auto *dict = container.as<DictObject>())
    return inTable(item, dict->table);
  if (auto *set = container.as<SetObject>())
    return item.as<SetObject>() ? false : inTable(item, set->table); // Python asks for an equal frozenset
  if (auto *range = container.as<RangeObject>())
    return inRange(item, *range);
  auto *items = itemsOf(container);
  if (!items)
    return Error{"not-iterable", {std::string(container.typeName())}};
  for (const Value &each : *items) {
    auto same = equal(item, each, 0);
    if (!same || *same)
      return same;
  }
  return false;
}

Result<bool> negated(Result<bool> result) { return result ? Result<bool>(!*result) : result; }

} // namespace

Result<bool> compare(CompareOperator op, const Value &left, const Value &right) {
  auto *real = left.asFloat();
  bool nan = real && *real != *real; // the one value that does not equal itself
  switch (op) {
  case CompareOperator::Eq:
    return nan ? Result<bool>(false) : equal(left, right, 0);
  case CompareOperator::NotEq:
    return nan ? Result<bool>(true) : negated(equal(left, right, 0));
  case CompareOperator::Is:
    return left.identical(right);
  case CompareOperator::IsNot:
    return !left.identical(right);
  case CompareOperator::In:
    return contains(left, right);
  case CompareOperator::NotIn:
    return negated(contains(left, right));
  default:
    return ordered(op, left, right, 0);
  }
}

} // namespace tilescope
