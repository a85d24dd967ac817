// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in containers, and names of libraries.
#pragma once

#include "compiler/Support/Result.h"
#include "compiler/Value/Value.h"

#include <unordered_map>

namespace tilescope {

struct StringObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::String;
  explicit StringObject(std::string t) : Object(Kind), text(std::move(t)) {}
  std::string_view typeName() const override { return "str"; }
  const std::string text; ///< UTF-8
};

/// Frees values without going as deep into the stack as they are nested. For destructors of what holds
/// Values.
void release(std::vector<Value> &&values);

struct TupleObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Tuple;
  explicit TupleObject(std::vector<Value> v, std::vector<std::string> names = {},
                       std::string className = "tuple")
      : Object(Kind), items(std::move(v)), fieldNames(std::move(names)), className(std::move(className)) {}
  ~TupleObject() override { release(std::move(items)); }
  std::string_view typeName() const override { return className; }
  std::vector<Value> items;                  ///< never changed
  const std::vector<std::string> fieldNames; ///< of a named tuple; else empty
  const std::string className;               ///< "tuple", a named tuple's class, or "torch.Size"
};

struct ListObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::List;
  explicit ListObject(std::vector<Value> v) : Object(Kind), items(std::move(v)) {}
  ~ListObject() override { release(std::move(items)); }
  std::string_view typeName() const override { return "list"; }
  std::vector<Value> items;
};

/// Keys in the order they were first set, found by hash: what dict and set have in common.
class KeyTable {
public:
  struct Entry {
    Value key, value;
  };
  ~KeyTable();
  /// The entry of a key, or null. Error "unhashable".
  Result<const Entry *> find(const Value &key) const;
  Result<bool> set(const Value &key, Value value); ///< was the key new?
  Result<bool> erase(const Value &key);            ///< was it there?
  void clear();
  const std::vector<Entry> &entries() const { return m_entries; }
  size_t size() const { return m_entries.size(); }
  /// A different number whenever keys have come or gone.
  uint64_t changes() const { return m_changes; }

private:
  Result<size_t> position(const Value &key, size_t &hash) const;

  std::vector<Entry> m_entries;
  std::unordered_multimap<size_t, size_t> m_byHash;
  uint64_t m_changes = 0;
};

struct DictObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Dict;
  DictObject() : Object(Kind) {}
  std::string_view typeName() const override { return "dict"; }
  KeyTable table;
};

/// Iterates in the order of insertion (Python's own order depends on its hash tables).
struct SetObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Set;
  SetObject() : Object(Kind) {}
  std::string_view typeName() const override { return "set"; }
  KeyTable table; ///< the values are None
};

struct SliceObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Slice;
  SliceObject(Value l, Value u, Value s)
      : Object(Kind), lower(std::move(l)), upper(std::move(u)), step(std::move(s)) {}
  std::string_view typeName() const override { return "slice"; }
  const Value lower, upper, step;
};

struct RangeObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Range;
  RangeObject(int64_t a, int64_t b, int64_t s) : Object(Kind), start(a), stop(b), step(s) {}
  std::string_view typeName() const override { return "range"; }
  int64_t length() const;
  const int64_t start, stop, step; ///< step is not 0
};

/// A name of a library, by its full dotted name: `tl.load` is "triton.language.load" whatever tl is called in
/// the script, `np.array` is "numpy.array". Whether anybody knows the name is asked only when it is used, so
/// that a file with unknown imports opens. Data types are symbols too: "torch.float16",
/// "triton.language.float32".
struct SymbolObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Symbol;
  explicit SymbolObject(std::string n) : Object(Kind), name(std::move(n)) {}
  std::string_view typeName() const override { return "module"; }
  const std::string name;
};

Value makeTuple(std::vector<Value> items);
Value makeList(std::vector<Value> items);
Value makeSymbol(std::string name);
/// Error "unhashable".
Result<Value> makeSet(const std::vector<Value> &items);
/// The hash that equal values share (1, 1.0 and True are equal). Error "unhashable".
Result<size_t> hash(const Value &value);
/// The full dotted name of a symbol, or nothing.
std::optional<std::string_view> symbolName(const Value &value);

} // namespace tilescope
