// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few things that every Value can do by itself.
#include "compiler/Value/Value.h"

#include "compiler/Value/ElementType.h"
#include "compiler/Value/Objects.h"

namespace tilescope {

/// `torch.half` and `torch.float16` are one; so is a name with itself, however often it is looked up.
static bool sameSymbol(const Value &a, const Value &b) {
  auto first = symbolName(a), second = symbolName(b);
  if (!first || !second)
    return false;
  auto type = elementTypeOfSymbol(*first);
  bool sameLibrary = first->substr(0, 6) == second->substr(0, 6);
  return *first == *second || (sameLibrary && type && type == elementTypeOfSymbol(*second));
}

Value::Value(std::string text) : m_data(std::make_shared<StringObject>(std::move(text))) {}

const std::string *Value::asString() const {
  auto *text = as<StringObject>();
  return text ? &text->text : nullptr;
}

std::optional<int64_t> Value::index() const {
  if (auto *flag = asBool())
    return *flag;
  if (auto *number = asInt())
    return number->toInt64();
  return std::nullopt;
}

std::string_view Value::typeName() const {
  static constexpr std::string_view Names[] = {"NoneType", "ellipsis", "bool", "int", "float"};
  Object *held = object();
  return held ? held->typeName() : Names[m_data.index()];
}

bool Value::identical(const Value &other) const {
  if (m_data.index() != other.m_data.index())
    return false;
  if (asInt())
    return *asInt() == *other.asInt();
  if (asFloat())
    return false;
  return m_data == other.m_data || sameSymbol(*this, other);
}

} // namespace tilescope
