// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python values, as far as scripts with kernels need them: one implementation for constants inside kernels
// (Frontend) and for host code (Host). A Value is cheap to copy; everything of more than a word lives behind
// a shared Object. Operators are in Operators.h, the classes of objects in Objects.h and Function.h.
#pragma once

#include "compiler/Value/Integer.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tilescope {

enum class ObjectKind : uint8_t {
  String,
  Bytes,
  Tuple,
  List,
  Dict,
  Set,
  Slice,
  Range,
  Symbol,
  Function,
  BoundMethod,
  Module,
  Instance,
  Host,
};

/// What is too large for a Value itself. Subclasses say their kind; `Host` is for the evaluator's own objects
/// (tensors, launchers), which Value does not know.
class Object {
public:
  explicit Object(ObjectKind kind) : m_kind(kind) {}
  virtual ~Object() = default;
  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;

  ObjectKind kind() const { return m_kind; }
  /// Python's name of the type, for messages: "list", "Tensor" …
  virtual std::string_view typeName() const = 0;

private:
  ObjectKind m_kind;
};

struct NoneType {
  friend bool operator==(NoneType, NoneType) = default;
};
struct EllipsisType {
  friend bool operator==(EllipsisType, EllipsisType) = default;
};

class Value {
public:
  Value() = default; ///< None
  Value(NoneType) {}
  Value(EllipsisType e) : m_data(e) {}
  Value(bool b) : m_data(b) {}
  Value(Integer i) : m_data(std::move(i)) {}
  Value(int i) : m_data(Integer(static_cast<int64_t>(i))) {}
  Value(int64_t i) : m_data(Integer(i)) {}
  Value(double d) : m_data(d) {}
  Value(std::string text);
  Value(const char *text) : Value(std::string(text)) {}
  Value(std::shared_ptr<Object> object) : m_data(std::move(object)) {}

  bool isNone() const { return std::holds_alternative<NoneType>(m_data); }
  bool isEllipsis() const { return std::holds_alternative<EllipsisType>(m_data); }
  const bool *asBool() const { return std::get_if<bool>(&m_data); }
  const Integer *asInt() const { return std::get_if<Integer>(&m_data); }
  const double *asFloat() const { return std::get_if<double>(&m_data); }
  /// The text of a str, or null.
  const std::string *asString() const;
  Object *object() const {
    auto *pointer = std::get_if<std::shared_ptr<Object>>(&m_data);
    return pointer ? pointer->get() : nullptr;
  }
  std::shared_ptr<Object> sharedObject() const {
    auto *pointer = std::get_if<std::shared_ptr<Object>>(&m_data);
    return pointer ? *pointer : nullptr;
  }
  /// The object as a T (whose static member Kind says its kind; for Host objects T is found by dynamic_cast).
  template <typename T> T *as() const {
    Object *o = object();
    if (!o || o->kind() != T::Kind)
      return nullptr;
    if constexpr (T::Kind == ObjectKind::Host)
      return dynamic_cast<T *>(o);
    else
      return static_cast<T *>(o);
  }
  /// An int64 of a bool or an int that fits, as Python's __index__ would give.
  std::optional<int64_t> index() const;

  /// Python's name of the type: "int", "str", "NoneType", "Tensor" …
  std::string_view typeName() const;
  /// `is`: the same object, or equal None, bool or Ellipsis.
  bool identical(const Value &other) const;

private:
  std::variant<NoneType, EllipsisType, bool, Integer, double, std::shared_ptr<Object>> m_data;
};

} // namespace tilescope
