// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in containers, and names of libraries.
#pragma once

#include "compiler/Value/Value.h"

#include <unordered_map>

namespace tilescope {

struct StringObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::String;
  explicit StringObject(std::string t) : Object(Kind), text(std::move(t)) {}
  std::string_view typeName() const override { return "str"; }
  const std::string text; ///< UTF-8
};

struct TupleObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Tuple;
  explicit TupleObject(std::vector<Value> v, std::vector<std::string> names = {})
      : Object(Kind), items(std::move(v)), fieldNames(std::move(names)) {}
  std::string_view typeName() const override { return "tuple"; }
  const std::vector<Value> items;
  const std::vector<std::string> fieldNames; ///< of a named tuple; else empty
};

struct ListObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::List;
  explicit ListObject(std::vector<Value> v) : Object(Kind), items(std::move(v)) {}
  std::string_view typeName() const override { return "list"; }
  std::vector<Value> items;
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
/// The full dotted name of a symbol, or nothing.
std::optional<std::string_view> symbolName(const Value &value);

} // namespace tilescope
