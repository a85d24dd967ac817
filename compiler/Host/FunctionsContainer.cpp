// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods of list, tuple, dict, set, int and float.
#include "compiler/Host/Functions.h"

#include "compiler/Value/Operators.h"

#include <algorithm>
#include <cmath>

namespace tilescope::host {

/// sorted() and list.sort(): FunctionsIteration.cpp.
Result<std::vector<Value>> sortedItems(NativeCall &call, const std::vector<Value> &items);

namespace {

using syntax::BinaryOperator;
using syntax::CompareOperator;
using Items = std::vector<Value>;

Items &list(NativeCall &call) { return call[0].as<ListObject>()->items; }
KeyTable &dict(NativeCall &call) { return call[0].as<DictObject>()->table; }
KeyTable &set(NativeCall &call) { return call[0].as<SetObject>()->table; }

const Items &sequence(NativeCall &call) {
  auto *tuple = call[0].as<TupleObject>();
  return tuple ? tuple->items : list(call);
}

Result<Value> append(NativeCall &call) {
  list(call).push_back(call[1]);
  return Value();
}

Result<Value> extend(NativeCall &call) {
  auto items = call.evaluation.elementsOf(call[1]);
  if (!items)
    return call.blame(1, items.error());
  list(call).insert(list(call).end(), items->begin(), items->end());
  return Value();
}

Result<Value> insert(NativeCall &call) {
  auto at = call.integer(1);
  if (!at)
    return at.error();
  int64_t size = static_cast<int64_t>(list(call).size());
  int64_t place = std::clamp<int64_t>(*at < 0 ? *at + size : *at, 0, size);
  list(call).insert(list(call).begin() + place, call[2]);
  return Value();
}

Result<Value> popItem(NativeCall &call) {
  Items &items = list(call);
  if (items.empty())
    return Error{"empty-pop", {"list"}};
  auto at = position(call.count() > 1 ? call[1] : Value(-1), static_cast<int64_t>(items.size()));
  if (!at)
    return call.blame(1, at.error());
  Value item = items[static_cast<size_t>(*at)];
  items.erase(items.begin() + *at);
  return item;
}

/// The first place of an equal item, or size().
Result<size_t> placeOf(NativeCall &call, const Items &items) {
  for (size_t i = 0; i < items.size(); ++i) {
    auto same = call.evaluation.compareOf(CompareOperator::Eq, items[i], call[1]);
    auto truth = same ? call.evaluation.truthOf(*same) : same;
    if (!truth || isUnknown(*truth))
      return truth ? Error{"unknown", {}} : truth.error();
    if (*truth->asBool())
      return i;
  }
  return items.size();
}

Error notInList(NativeCall &call) { return call.blame(1, {"not-in-list", {repr(call[1])}}); }

Result<Value> removeItem(NativeCall &call) {
  auto at = placeOf(call, list(call));
  if (!at)
    return at.error();
  if (*at == list(call).size())
    return notInList(call);
  list(call).erase(list(call).begin() + static_cast<std::ptrdiff_t>(*at));
  return Value();
}

Result<Value> index(NativeCall &call) {
  auto at = placeOf(call, sequence(call));
  if (!at)
    return at.error();
  return *at == sequence(call).size() ? Result<Value>(notInList(call)) : Value(static_cast<int64_t>(*at));
}

Result<Value> count(NativeCall &call) {
  int64_t found = 0;
  for (const Value &item : sequence(call)) {
    auto same = compare(CompareOperator::Eq, item, call[1]);
    if (!same)
      return same.error();
    found += *same;
  }
  return Value(found);
}

Result<Value> reverse(NativeCall &call) {
  std::reverse(list(call).begin(), list(call).end());
  return Value();
}

Result<Value> sort(NativeCall &call) {
  auto items = sortedItems(call, list(call));
  if (!items)
    return items.error();
  list(call) = std::move(*items);
  return Value();
}

Result<Value> copyList(NativeCall &call) { return makeList(list(call)); }

Result<Value> clearList(NativeCall &call) {
  release(std::move(list(call)));
  list(call).clear();
  return Value();
}

Result<Value> get(NativeCall &call) {
  auto found = dict(call).find(call[1]);
  if (!found)
    return call.blame(1, found.error());
  return *found ? (*found)->value : call.count() > 2 ? call[2] : Value();
}

template <typename Pick> Result<Value> listOf(NativeCall &call, Pick pick) {
  Items items;
  for (const auto &entry : dict(call).entries())
    items.push_back(pick(entry));
  if (!call.evaluation.steps(items.size()))
    return Evaluation::raisedAlready();
  return makeList(std::move(items));
}
Result<Value> keys(NativeCall &call) {
  return listOf(call, [](const KeyTable::Entry &entry) { return entry.key; });
}
Result<Value> values(NativeCall &call) {
  return listOf(call, [](const KeyTable::Entry &entry) { return entry.value; });
}
Result<Value> pairs(NativeCall &call) {
  return listOf(call, [](const KeyTable::Entry &entry) { return makeTuple({entry.key, entry.value}); });
}

Result<Value> popKey(NativeCall &call) {
  auto found = dict(call).find(call[1]);
  if (!found)
    return call.blame(1, found.error());
  if (!*found)
    return call.count() > 2 ? Result<Value>(call[2]) : call.blame(1, {"key-not-found", {repr(call[1])}});
  Value value = (*found)->value;
  (void)dict(call).erase(call[1]); // it has just been found
  return value;
}

Result<Value> popLast(NativeCall &call) {
  if (dict(call).size() == 0)
    return Error{"empty-pop", {"dict"}};
  auto last = dict(call).entries().back();
  (void)dict(call).erase(last.key); // it has just been found
  return makeTuple({last.key, last.value});
}

Result<Value> setDefault(NativeCall &call) {
  auto found = dict(call).find(call[1]);
  if (!found || *found)
    return found ? Result<Value>((*found)->value) : call.blame(1, found.error());
  Value value = call.count() > 2 ? call[2] : Value();
  (void)dict(call).set(call[1], value); // it has just been hashed
  return value;
}

Result<Value> update(NativeCall &call) {
  auto done = updateDict(call, *call[0].as<DictObject>(), 1);
  return done ? Result<Value>(Value()) : done.error();
}

Result<Value> copyDict(NativeCall &call) {
  return binary(BinaryOperator::BitOr, call[0], makeObject<DictObject>());
}

Result<Value> clearDict(NativeCall &call) {
  dict(call).clear();
  return Value();
}

Result<Value> add(NativeCall &call) {
  auto added = set(call).set(call[1], {});
  return added ? Result<Value>(Value()) : call.blame(1, added.error());
}

Result<Value> removeMember(NativeCall &call, bool must) {
  auto erased = set(call).erase(call[1]);
  if (!erased)
    return call.blame(1, erased.error());
  return *erased || !must ? Result<Value>(Value()) : call.blame(1, {"key-not-found", {repr(call[1])}});
}
Result<Value> remove(NativeCall &call) { return removeMember(call, true); }
Result<Value> discard(NativeCall &call) { return removeMember(call, false); }

template <BinaryOperator Op> Result<Value> combined(NativeCall &call) {
  Value result = call[0];
  for (size_t i = 1; i < call.count(); ++i) {
    auto items = call.evaluation.elementsOf(call[i]);
    auto other = items ? makeSet(*items) : Result<Value>(items.error());
    auto next = other ? binary(Op, result, *other) : other;
    if (!next)
      return call.blame(i, next.error());
    result = std::move(*next);
  }
  return result;
}

template <CompareOperator Op> Result<Value> compared(NativeCall &call) {
  auto items = call.evaluation.elementsOf(call[1]);
  auto other = items ? makeSet(*items) : Result<Value>(items.error());
  auto holds = other ? compare(Op, call[0], *other) : Result<bool>(other.error());
  return holds ? Result<Value>(Value(*holds)) : call.blame(1, holds.error());
}

Result<Value> updateSet(NativeCall &call) {
  for (size_t i = 1; i < call.count(); ++i) {
    auto items = call.evaluation.elementsOf(call[i]);
    if (!items)
      return call.blame(i, items.error());
    for (const Value &item : *items)
      if (auto added = set(call).set(item, {}); !added)
        return call.blame(i, added.error());
  }
  return Value();
}

Result<Value> bitLength(NativeCall &call) {
  return Value(static_cast<int64_t>(call[0].asInt()->bitLength()));
}
Result<Value> isInteger(NativeCall &call) {
  double value = *call[0].asFloat();
  return Value(std::isfinite(value) && std::trunc(value) == value);
}

constexpr NativeFunction Lists[] = {
    {"append", 2, 2, "", append, true},   {"extend", 2, 2, "", extend},
    {"insert", 3, 3, "", insert, true},   {"pop", 1, 2, "", popItem},
    {"remove", 2, 2, "", removeItem},     {"index", 2, 2, "", index},
    {"count", 2, 2, "", count},           {"reverse", 1, 1, "", reverse},
    {"sort", 1, 1, "key reverse ", sort}, {"copy", 1, 1, "", copyList},
    {"clear", 1, 1, "", clearList},
};
constexpr NativeFunction Tuples[] = {{"index", 2, 2, "", index}, {"count", 2, 2, "", count}};
constexpr NativeFunction Dicts[] = {
    {"get", 2, 3, "", get, true},
    {"keys", 1, 1, "", keys},
    {"values", 1, 1, "", values},
    {"items", 1, 1, "", pairs},
    {"pop", 2, 3, "", popKey},
    {"popitem", 1, 1, "", popLast},
    {"setdefault", 2, 3, "", setDefault, true},
    {"update", 1, 2, "*", update, true},
    {"copy", 1, 1, "", copyDict},
    {"clear", 1, 1, "", clearDict},
};
constexpr NativeFunction Sets[] = {
    {"add", 2, 2, "", add},
    {"remove", 2, 2, "", remove},
    {"discard", 2, 2, "", discard},
    {"union", 1, AnyNumber, "", combined<BinaryOperator::BitOr>},
    {"intersection", 1, AnyNumber, "", combined<BinaryOperator::BitAnd>},
    {"difference", 1, AnyNumber, "", combined<BinaryOperator::Sub>},
    {"symmetric_difference", 2, 2, "", combined<BinaryOperator::BitXor>},
    {"issubset", 2, 2, "", compared<CompareOperator::LtE>},
    {"issuperset", 2, 2, "", compared<CompareOperator::GtE>},
    {"update", 1, AnyNumber, "", updateSet},
};
constexpr NativeFunction Ints[] = {{"bit_length", 1, 1, "", bitLength}};
constexpr NativeFunction Floats[] = {{"is_integer", 1, 1, "", isInteger}};

} // namespace

NativeTable containerMethods(std::string_view type) {
  static const std::unordered_map<std::string_view, NativeTable> tables{
      {"list", Lists}, {"tuple", Tuples}, {"dict", Dicts}, {"set", Sets}, {"int", Ints}, {"float", Floats}};
  auto found = tables.find(type);
  return found == tables.end() ? NativeTable() : found->second;
}

} // namespace tilescope::host
