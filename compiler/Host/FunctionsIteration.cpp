// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions over items: range, zip, map, sorted, min, sum …
#include "compiler/Host/Functions.h"

#include "compiler/Value/Operators.h"

#include <algorithm>

namespace tilescope::host {
namespace {

using syntax::BinaryOperator;
using syntax::CompareOperator;
using Items = std::vector<Value>;

Result<Items> itemsOf(NativeCall &call, size_t i) {
  auto items = call.evaluation.elementsOf(call[i]);
  return items ? items : call.blame(i, items.error());
}

Result<Value> range(NativeCall &call) {
  int64_t bounds[3] = {0, 0, 1};
  for (size_t i = 0; i < call.count(); ++i) {
    auto number = call.integer(i);
    if (!number)
      return number.error();
    bounds[call.count() == 1 ? 1 : i] = *number;
  }
  if (bounds[2] == 0)
    return call.blame(2, {"zero-step", {}});
  return makeObject<RangeObject>(bounds[0], bounds[1], bounds[2]);
}

Value iterator(const char *type, Items items) { return makeObject<IteratorObject>(type, std::move(items)); }

Result<Value> enumerate(NativeCall &call) {
  auto items = itemsOf(call, 0);
  if (!items)
    return items.error();
  auto *start = call.find(1, "start");
  int64_t number = start ? start->index().value_or(0) : 0;
  for (Value &item : *items)
    item = makeTuple({Value(number++), std::move(item)});
  return iterator("enumerate", std::move(*items));
}

Result<Value> zip(NativeCall &call) {
  std::vector<Items> columns;
  for (size_t i = 0; i < call.count(); ++i) {
    auto items = itemsOf(call, i);
    if (!items)
      return items.error();
    columns.push_back(std::move(*items));
  }
  auto bySize = [](const Items &a, const Items &b) { return a.size() < b.size(); };
  size_t rows = columns.empty() ? 0 : std::min_element(columns.begin(), columns.end(), bySize)->size();
  auto *strict = call.keyword("strict");
  bool ragged = !columns.empty() && rows != std::max_element(columns.begin(), columns.end(), bySize)->size();
  if (strict && truth(*strict) && ragged)
    return Error{"zip-lengths", {}};
  Items result;
  for (size_t row = 0; row < rows; ++row) {
    Items tuple;
    for (Items &column : columns)
      tuple.push_back(std::move(column[row]));
    result.push_back(makeTuple(std::move(tuple)));
  }
  return iterator("zip", std::move(result));
}

Result<Value> map(NativeCall &call) {
  NativeCall &outer = call;
  std::vector<Items> columns;
  size_t rows = SIZE_MAX;
  for (size_t i = 1; i < call.count(); ++i) {
    auto items = itemsOf(outer, i);
    if (!items)
      return items.error();
    rows = std::min(rows, items->size());
    columns.push_back(std::move(*items));
  }
  Items result;
  for (size_t row = 0; row < rows; ++row) {
    Items arguments;
    for (const Items &column : columns)
      arguments.push_back(column[row]);
    auto value = call.evaluation.call(call[0], std::move(arguments), call.site);
    if (!value)
      return Evaluation::raisedAlready();
    result.push_back(std::move(*value));
  }
  return iterator("map", std::move(result));
}

Result<Value> filter(NativeCall &call) {
  auto items = itemsOf(call, 1);
  if (!items)
    return items.error();
  Items result;
  for (Value &item : *items) {
    auto value = call[0].isNone() ? Maybe(item) : call.evaluation.call(call[0], {item}, call.site);
    auto keep = value ? call.evaluation.truthOf(*value) : Evaluation::raisedAlready();
    if (!keep || isUnknown(*keep))
      return keep;
    if (*keep->asBool())
      result.push_back(std::move(item));
  }
  return iterator("filter", std::move(result));
}

Result<Value> reversed(NativeCall &call) {
  auto items = itemsOf(call, 0);
  if (!items)
    return items.error();
  std::reverse(items->begin(), items->end());
  return iterator("reversed", std::move(*items));
}

Result<Value> iterate(NativeCall &call) {
  if (call[0].as<IteratorObject>())
    return call[0];
  auto items = itemsOf(call, 0);
  return items ? Result<Value>(iterator("iterator", std::move(*items))) : items.error();
}

Result<Value> next(NativeCall &call) {
  auto *iterator = call[0].as<IteratorObject>();
  if (!iterator)
    return call.wrongType(0, "iterator");
  if (iterator->next < iterator->items.size())
    return iterator->items[iterator->next++];
  return call.count() == 2 ? Result<Value>(call[1]) : Error{"iterator-at-end", {}};
}

Result<Value> quantified(NativeCall &call, bool decisive) {
  auto items = itemsOf(call, 0);
  if (!items)
    return items.error();
  for (const Value &item : *items) {
    auto holds = call.evaluation.truthOf(item);
    if (!holds || isUnknown(*holds))
      return holds;
    if (*holds->asBool() == decisive)
      return Value(decisive);
  }
  return Value(!decisive);
}
Result<Value> any(NativeCall &call) { return quantified(call, true); }
Result<Value> all(NativeCall &call) { return quantified(call, false); }

Result<Value> sum(NativeCall &call) {
  auto items = itemsOf(call, 0);
  if (!items)
    return items.error();
  auto *start = call.find(1, "start");
  Value total = start ? *start : Value(0);
  for (const Value &item : *items) {
    auto next = call.evaluation.step() ? call.evaluation.binaryOf(BinaryOperator::Add, total, item)
                                       : Evaluation::raisedAlready();
    if (!next)
      return next;
    total = std::move(*next);
  }
  return total;
}

/// Whether a stands before b; nothing with `problem` set.
class Order {
public:
  explicit Order(Evaluation &evaluation) : m_evaluation(evaluation) {}
  bool before(const Value &a, const Value &b) {
    if (problem)
      return false;
    auto less =
        m_evaluation.step() ? m_evaluation.compareOf(CompareOperator::Lt, a, b) : Evaluation::raisedAlready();
    auto truth = less ? m_evaluation.truthOf(*less) : less;
    if (!truth || isUnknown(*truth))
      problem = truth ? Error{"unknown", {}} : truth.error();
    return !problem && *truth->asBool();
  }
  std::optional<Error> problem;

private:
  Evaluation &m_evaluation;
};

/// The key of each item: key(item), or the item itself.
Result<Items> keysOf(NativeCall &call, const Items &items) {
  auto *key = call.keyword("key");
  if (!key || key->isNone())
    return items;
  Items keys;
  for (const Value &item : items) {
    auto value = call.evaluation.call(*key, {item}, call.site);
    if (!value)
      return Evaluation::raisedAlready();
    keys.push_back(std::move(*value));
  }
  return keys;
}

Result<Value> extreme(NativeCall &call, bool largest) {
  auto items = call.count() == 1 ? itemsOf(call, 0) : Result<Items>(call.site.arguments.positional);
  auto keys = items ? keysOf(call, *items) : items;
  if (!keys)
    return keys.error();
  auto *otherwise = call.keyword("default");
  if (items->empty())
    return otherwise ? Result<Value>(*otherwise)
                     : Error{"empty-sequence", {std::string(call.function.substr(9))}};
  Order order(call.evaluation);
  size_t best = 0;
  for (size_t i = 1; i < items->size() && !order.problem; ++i)
    if (largest ? order.before((*keys)[best], (*keys)[i]) : order.before((*keys)[i], (*keys)[best]))
      best = i;
  return order.problem ? Result<Value>(*order.problem) : Result<Value>((*items)[best]);
}
Result<Value> least(NativeCall &call) { return extreme(call, false); }
Result<Value> largest(NativeCall &call) { return extreme(call, true); }

/// A merge sort of positions by their keys: stable, and harmless with an order that contradicts itself (NaN).
void mergeSort(std::vector<size_t> &order, const Items &keys, Order &compare) {
  std::vector<size_t> merged(order.size());
  for (size_t width = 1; width < order.size() && !compare.problem; width *= 2) {
    for (size_t low = 0; low < order.size(); low += 2 * width) {
      size_t middle = std::min(low + width, order.size()), high = std::min(low + 2 * width, order.size());
      size_t left = low, right = middle;
      for (size_t at = low; at < high; ++at) {
        bool takeRight =
            left == middle || (right < high && compare.before(keys[order[right]], keys[order[left]]));
        merged[at] = takeRight ? order[right++] : order[left++];
      }
    }
    std::swap(order, merged);
  }
}

} // namespace

Result<std::vector<Value>> sortedItems(NativeCall &call, const std::vector<Value> &items) {
  auto keys = keysOf(call, items);
  if (!keys)
    return keys;
  auto *reverse = call.keyword("reverse");
  bool backwards = reverse && truth(*reverse);
  std::vector<size_t> order(items.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = backwards ? order.size() - 1 - i : i; // reversed twice, equal items keep their order
  Order compare(call.evaluation);
  mergeSort(order, *keys, compare);
  if (compare.problem)
    return *compare.problem;
  if (backwards)
    std::reverse(order.begin(), order.end());
  Items result;
  for (size_t i : order)
    result.push_back(items[i]);
  return result;
}

namespace {

Result<Value> sorted(NativeCall &call) {
  auto items = itemsOf(call, 0);
  auto result = items ? sortedItems(call, *items) : items;
  return result ? Result<Value>(makeList(std::move(*result))) : result.error();
}

constexpr NativeFunction Rows[] = {
    {"builtins.range", 1, 3, "", range},
    {"builtins.enumerate", 1, 2, "start ", enumerate},
    {"builtins.zip", 0, AnyNumber, "strict ", zip},
    {"builtins.map", 2, AnyNumber, "", map},
    {"builtins.filter", 2, 2, "", filter},
    {"builtins.reversed", 1, 1, "", reversed},
    {"builtins.iter", 1, 1, "", iterate},
    {"builtins.next", 1, 2, "", next},
    {"builtins.any", 1, 1, "", any},
    {"builtins.all", 1, 1, "", all},
    {"builtins.sum", 1, 2, "start ", sum},
    {"builtins.min", 1, AnyNumber, "key default ", least},
    {"builtins.max", 1, AnyNumber, "key default ", largest},
    {"builtins.sorted", 1, 1, "key reverse ", sorted},
};

} // namespace

NativeTable iterationFunctions() { return Rows; }

} // namespace tilescope::host
