// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the names of the library tell the inference of argument types, and looking up arguments in a call's
// text.
#pragma once

#include "compiler/Syntax/Ast.h"

#include <span>

namespace tilescope::frontend {

/// The arguments of a call by position; the object of a method is the first.
class CallView {
public:
  CallView(const syntax::Call &call, const syntax::Expr *self) : m_call(call), m_self(self) {}

  /// Null if it is not given.
  const syntax::Expr *argument(size_t position, std::string_view name) const;
  const syntax::Expr *keyword(std::string_view name) const;

private:
  const syntax::Call &m_call;
  const syntax::Expr *m_self;
};

/// The positions of the arguments that a call of this library function hands on: their elements are those of
/// its result, so that what is wanted of it is wanted of them.
std::span<const size_t> carriedArguments(std::string_view function);
/// Does it give integers, whatever it is given?
bool isIntegerSource(std::string_view function);

/// An argument of a library function that has to be something: a list wants it of each item.
struct ArgumentPlace {
  std::string_view function;
  size_t position;
  std::string_view keyword;
  uint32_t uses;
};
std::span<const ArgumentPlace> argumentPlaces();

} // namespace tilescope::frontend
