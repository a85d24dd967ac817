// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indexing, slicing, lengths and iteration.
#include "compiler/Value/Operators.h"

#include "compiler/Value/Utf8.h"

#include <algorithm>
#include <limits>

namespace tilescope {
namespace {

using Items = std::vector<Value>;

/// A bound of a slice as a number; too large ones saturate, as Python clips them. Nothing if it is no
/// integer.
std::optional<int64_t> bound(const Value &value) {
  if (auto small = value.index())
    return *small;
  if (auto *number = value.asInt())
    return number->isNegative() ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
  return std::nullopt;
}

/// Clips a bound into [low, high], counting from the end if it is negative.
int64_t clip(int64_t at, int64_t length, int64_t low, int64_t high) {
  if (at < 0)
    at = at < -length ? low : at + length;
  return std::clamp(at, low, high);
}

Result<int64_t> stepOf(const SliceObject &slice) {
  if (slice.step.isNone())
    return 1;
  auto step = bound(slice.step);
  if (!step)
    return Error{"bad-index-type", {std::string(slice.step.typeName())}};
  if (*step == 0)
    return Error{"zero-step", {}};
  return std::max(*step, std::numeric_limits<int64_t>::min() + 1); // so that it can be negated
}

Result<int64_t> boundOr(const Value &value, int64_t otherwise, int64_t length, int64_t low, int64_t high) {
  if (value.isNone())
    return otherwise;
  auto at = bound(value);
  if (!at)
    return Error{"bad-index-type", {std::string(value.typeName())}};
  return clip(*at, length, low, high);
}

Items picked(const Items &items, const SlicePositions &which) {
  Items result;
  result.reserve(static_cast<size_t>(which.count));
  for (int64_t i = 0; i < which.count; ++i)
    result.push_back(items[static_cast<size_t>(which.start + i * which.step)]);
  return result;
}

std::string pickedText(std::string_view text, const SlicePositions &which) {
  if (which.step == 1) {
    size_t first = utf8::offset(text, which.start);
    std::string_view rest = text.substr(first);
    return std::string(rest.substr(0, utf8::offset(rest, which.count)));
  }
  std::vector<std::string_view> points;
  for (size_t at = 0; at < text.size(); at += points.back().size())
    points.push_back(utf8::pointAt(text, at));
  std::string result;
  for (int64_t i = 0; i < which.count; ++i)
    result += points[static_cast<size_t>(which.start + i * which.step)];
  return result;
}

Value pickedRange(const RangeObject &range, const SlicePositions &which) {
  auto at = [&range](int64_t position) { return range.start + position * range.step; };
  int64_t step = 0;
  if (__builtin_mul_overflow(range.step, which.step, &step))
    step = which.step; // then there is at most one item
  return Value(std::shared_ptr<Object>(std::make_shared<RangeObject>(at(which.start), at(which.stop), step)));
}

bool isSequence(const Value &value) {
  return value.asString() || value.as<ListObject>() || value.as<TupleObject>() || value.as<RangeObject>();
}

Result<Value> sliced(const Value &value, const SliceObject &slice) {
  auto which = positions(slice, *length(value));
  if (!which)
    return which.error();
  if (auto *text = value.asString())
    return Value(pickedText(*text, *which));
  if (auto *list = value.as<ListObject>())
    return makeList(picked(list->items, *which));
  if (auto *tuple = value.as<TupleObject>())
    return makeTuple(picked(tuple->items, *which));
  return pickedRange(*value.as<RangeObject>(), *which);
}

Result<Value> item(const Value &value, const Value &index) {
  auto at = position(index, *length(value));
  if (!at)
    return at.error();
  if (auto *text = value.asString())
    return Value(std::string(utf8::pointAt(*text, utf8::offset(*text, *at))));
  if (auto *list = value.as<ListObject>())
    return list->items[static_cast<size_t>(*at)];
  if (auto *tuple = value.as<TupleObject>())
    return tuple->items[static_cast<size_t>(*at)];
  auto *range = value.as<RangeObject>();
  return Value(range->start + *at * range->step);
}

Result<Value> entry(const DictObject &dict, const Value &key) {
  auto found = dict.table.find(key);
  if (!found)
    return found.error();
  if (!*found)
    return Error{"key-not-found", {repr(key)}};
  return (*found)->value;
}

Items keys(const KeyTable &table) {
  Items result;
  result.reserve(table.size());
  for (const auto &entry : table.entries())
    result.push_back(entry.key);
  return result;
}

Result<Items> rangeItems(const RangeObject &range) {
  int64_t count = range.length();
  if (count > MaxItems)
    return Error{"too-many-items", {std::to_string(MaxItems)}};
  Items result;
  result.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    result.push_back(Value(range.start + i * range.step));
  return result;
}

Items characters(std::string_view text) {
  Items result;
  for (size_t at = 0; at < text.size();) {
    auto point = utf8::pointAt(text, at);
    result.push_back(Value(std::string(point)));
    at += point.size();
  }
  return result;
}

} // namespace

Result<int64_t> position(const Value &index, int64_t length) {
  auto at = bound(index);
  if (!at)
    return Error{"bad-index-type", {std::string(index.typeName())}};
  int64_t result = *at < 0 && *at >= -length ? *at + length : *at;
  if (result < 0 || result >= length)
    return Error{"index-out-of-range", {str(index), std::to_string(length)}};
  return result;
}

Result<SlicePositions> positions(const SliceObject &slice, int64_t length) {
  auto step = stepOf(slice);
  if (!step)
    return step.error();
  bool forward = *step > 0;
  int64_t low = forward ? 0 : -1, high = forward ? length : length - 1;
  auto start = boundOr(slice.lower, forward ? low : high, length, low, high);
  auto stop = boundOr(slice.upper, forward ? high : low, length, low, high);
  if (!start || !stop)
    return start ? stop.error() : start.error();
  return SlicePositions{*start, *stop, *step, RangeObject(*start, *stop, *step).length()};
}

Result<Value> subscript(const Value &value, const Value &index) {
  if (auto *dict = value.as<DictObject>())
    return entry(*dict, index);
  if (!isSequence(value))
    return Error{"not-subscriptable", {std::string(value.typeName())}};
  auto *slice = index.as<SliceObject>();
  return slice ? sliced(value, *slice) : item(value, index);
}

Result<int64_t> length(const Value &value) {
  if (auto *text = value.asString())
    return utf8::count(*text);
  if (auto *list = value.as<ListObject>())
    return static_cast<int64_t>(list->items.size());
  if (auto *tuple = value.as<TupleObject>())
    return static_cast<int64_t>(tuple->items.size());
  if (auto *dict = value.as<DictObject>())
    return static_cast<int64_t>(dict->table.size());
  if (auto *set = value.as<SetObject>())
    return static_cast<int64_t>(set->table.size());
  if (auto *range = value.as<RangeObject>())
    return range->length();
  return Error{"no-length", {std::string(value.typeName())}};
}

Result<std::vector<Value>> elements(const Value &value) {
  if (auto *text = value.asString())
    return characters(*text);
  if (auto *list = value.as<ListObject>())
    return list->items;
  if (auto *tuple = value.as<TupleObject>())
    return tuple->items;
  if (auto *dict = value.as<DictObject>())
    return keys(dict->table);
  if (auto *set = value.as<SetObject>())
    return keys(set->table);
  if (auto *range = value.as<RangeObject>())
    return rangeItems(*range);
  return Error{"not-iterable", {std::string(value.typeName())}};
}

} // namespace tilescope
