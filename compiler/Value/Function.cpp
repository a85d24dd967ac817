// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scopes and functions.
#include "compiler/Value/Function.h"

#include <algorithm>

namespace tilescope {

Scope::~Scope() { clear(); }

void Scope::clear() {
  std::vector<Value> held;
  held.reserve(m_values.size());
  for (auto &entry : m_values)
    held.push_back(std::move(entry.second));
  m_values.clear();
  m_order.clear();
  release(std::move(held));
}

const Value *Scope::find(std::string_view name) {
  for (Scope *scope = this; scope; scope = scope->m_parent.get())
    if (Value *value = scope->findLocal(name))
      return value;
  return nullptr;
}

Value *Scope::findLocal(std::string_view name) {
  auto found = m_values.find(name);
  return found == m_values.end() ? nullptr : &found->second;
}

void Scope::set(std::string_view name, Value value) {
  if (Value *old = findLocal(name)) {
    *old = std::move(value);
    return;
  }
  m_values.emplace(std::string(name), std::move(value));
  m_order.emplace_back(name);
}

bool Scope::erase(std::string_view name) {
  auto found = m_values.find(name);
  if (found == m_values.end())
    return false;
  m_order.erase(std::find(m_order.begin(), m_order.end(), name));
  m_values.erase(found);
  return true;
}

bool FunctionObject::isJit() const {
  constexpr std::string_view spellings[] = {"triton.jit", "triton.runtime.jit", "triton.runtime.jit.jit"};
  auto isJitDecorator = [&](const Decorator &decorator) {
    auto symbol = symbolName(decorator.callee);
    return symbol && std::find(std::begin(spellings), std::end(spellings), *symbol) != std::end(spellings);
  };
  return std::any_of(decorators.begin(), decorators.end(), isJitDecorator);
}

} // namespace tilescope
