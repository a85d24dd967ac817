// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in containers: construction, hashing, and release without deep recursion.
#include "compiler/Value/Objects.h"

#include "compiler/Value/ElementType.h"
#include "compiler/Value/Operators.h"

#include <cmath>

namespace tilescope {

void release(std::vector<Value> &&values) {
  static thread_local std::vector<Value> waiting;
  static thread_local bool draining = false;
  for (Value &value : values)
    if (value.object())
      waiting.push_back(std::move(value));
  if (draining)
    return;
  draining = true;
  while (!waiting.empty()) {
    Value last = std::move(waiting.back()); // its destructor may add to `waiting`
    waiting.pop_back();
  }
  draining = false;
}

int64_t RangeObject::length() const {
  if (step > 0 ? start >= stop : start <= stop)
    return 0;
  uint64_t distance = step > 0 ? uint64_t(stop) - uint64_t(start) : uint64_t(start) - uint64_t(stop);
  uint64_t stride = step > 0 ? uint64_t(step) : 0 - uint64_t(step);
  return static_cast<int64_t>((distance - 1) / stride + 1);
}

Value makeTuple(std::vector<Value> items) {
  return Value(std::shared_ptr<Object>(std::make_shared<TupleObject>(std::move(items))));
}

Value makeList(std::vector<Value> items) {
  return Value(std::shared_ptr<Object>(std::make_shared<ListObject>(std::move(items))));
}

Value makeSymbol(std::string name) {
  return Value(std::shared_ptr<Object>(std::make_shared<SymbolObject>(std::move(name))));
}

Result<Value> makeSet(const std::vector<Value> &items) {
  auto set = std::make_shared<SetObject>();
  for (const Value &item : items)
    if (auto added = set->table.set(item, {}); !added)
      return added.error();
  return Value(std::shared_ptr<Object>(std::move(set)));
}

std::optional<std::string_view> symbolName(const Value &value) {
  auto *symbol = value.as<SymbolObject>();
  return symbol ? std::optional<std::string_view>(symbol->name) : std::nullopt;
}

namespace {

size_t mix(size_t seed, size_t next) {
  return seed ^ (next + 0x9e3779b97f4a7c15 + (seed << 6) + (seed >> 2));
}

size_t hashDouble(double value) {
  if (auto whole = Integer::fromDouble(value); whole && std::trunc(value) == value)
    return whole->hash();
  return std::hash<double>()(value);
}

size_t hashSymbol(const std::string &name) {
  auto type = elementTypeOfSymbol(name);
  return type ? static_cast<size_t>(*type) : std::hash<std::string>()(name);
}

Result<size_t> hashAt(const Value &value, unsigned depth);

Result<size_t> hashTuple(const TupleObject &tuple, unsigned depth) {
  if (depth > MaxNesting)
    return Error{"recursion-limit", {std::to_string(MaxNesting)}};
  size_t result = tuple.items.size();
  for (const Value &item : tuple.items) {
    auto next = hashAt(item, depth + 1);
    if (!next)
      return next;
    result = mix(result, *next);
  }
  return result;
}

Result<size_t> hashObject(const Value &value, unsigned depth) {
  switch (value.object()->kind()) {
  case ObjectKind::String:
    return std::hash<std::string>()(*value.asString());
  case ObjectKind::Symbol:
    return hashSymbol(value.as<SymbolObject>()->name);
  case ObjectKind::Tuple:
    return hashTuple(*value.as<TupleObject>(), depth);
  case ObjectKind::Range:
    return static_cast<size_t>(value.as<RangeObject>()->length());
  case ObjectKind::List:
  case ObjectKind::Dict:
  case ObjectKind::Set:
  case ObjectKind::Slice:
    return Error{"unhashable", {std::string(value.typeName())}};
  default:
    return std::hash<Object *>()(value.object());
  }
}

Result<size_t> hashAt(const Value &value, unsigned depth) {
  if (auto *flag = value.asBool())
    return Integer(*flag).hash();
  if (auto *number = value.asInt())
    return number->hash();
  if (auto *number = value.asFloat())
    return hashDouble(*number);
  return value.object() ? hashObject(value, depth) : Result<size_t>(size_t(value.isNone() ? 1 : 2));
}

} // namespace

Result<size_t> hash(const Value &value) { return hashAt(value, 0); }

KeyTable::~KeyTable() { clear(); }

void KeyTable::clear() {
  std::vector<Value> held;
  held.reserve(2 * m_entries.size());
  for (Entry &entry : m_entries) {
    held.push_back(std::move(entry.key));
    held.push_back(std::move(entry.value));
  }
  m_entries.clear();
  m_byHash.clear();
  ++m_changes;
  release(std::move(held));
}

/// Where the key stands, or size() if nowhere.
Result<size_t> KeyTable::position(const Value &key, size_t &hash) const {
  auto hashed = tilescope::hash(key);
  if (!hashed)
    return hashed;
  hash = *hashed;
  auto [first, last] = m_byHash.equal_range(hash);
  for (; first != last; ++first) {
    const Value &other = m_entries[first->second].key;
    if (key.identical(other))
      return first->second;
    auto equal = compare(syntax::CompareOperator::Eq, key, other);
    if (!equal)
      return equal.error();
    if (*equal)
      return first->second;
  }
  return m_entries.size();
}

Result<const KeyTable::Entry *> KeyTable::find(const Value &key) const {
  size_t hash = 0;
  auto at = position(key, hash);
  if (!at)
    return at.error();
  return *at < size() ? &m_entries[*at] : nullptr;
}

Result<bool> KeyTable::set(const Value &key, Value value) {
  size_t hash = 0;
  auto at = position(key, hash);
  if (!at)
    return at.error();
  if (*at < size()) {
    m_entries[*at].value = std::move(value);
    return false;
  }
  m_byHash.emplace(hash, m_entries.size());
  m_entries.push_back({key, std::move(value)});
  ++m_changes;
  return true;
}

Result<bool> KeyTable::erase(const Value &key) {
  size_t hash = 0;
  auto at = position(key, hash);
  if (!at)
    return at.error();
  if (*at == size())
    return false;
  auto [first, last] = m_byHash.equal_range(hash);
  while (first->second != *at)
    ++first;
  m_byHash.erase(first);
  // Positions behind the gap move up; erasing from the end, the common case, moves none.
  if (*at + 1 < size())
    for (auto &entry : m_byHash)
      entry.second -= entry.second > *at;
  Entry removed = std::move(m_entries[*at]);
  m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(*at));
  ++m_changes;
  return true;
}

} // namespace tilescope
