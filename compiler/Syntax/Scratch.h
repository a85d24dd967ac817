// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists while they are being read. All lists of one type share a stack, so that parsing allocates nothing
// but the finished nodes.
#pragma once

#include "compiler/Syntax/Ast.h"

#include <tuple>
#include <vector>

namespace tilescope::syntax {

struct ScratchStacks {
  template <typename T> std::vector<T> &of() { return std::get<std::vector<T>>(stacks); }

  std::tuple<std::vector<Expr *>, std::vector<Stmt *>, std::vector<Pattern *>, std::vector<Keyword>,
             std::vector<Comprehension>, std::vector<CompareOperator>, std::vector<Arg>,
             std::vector<TypeParam>, std::vector<WithItem>, std::vector<MatchCase>,
             std::vector<ExceptHandler>, std::vector<Alias>, std::vector<std::string_view>>
      stacks;
};

/// One list: pushes above what other lists hold, and takes its items away when it goes out of scope. While
/// another list of the same type lives above it, only `[]` may be used.
template <typename T> class Scratch {
public:
  explicit Scratch(ScratchStacks &stacks) : m_stack(stacks.of<T>()), m_mark(m_stack.size()) {}
  ~Scratch() { m_stack.resize(m_mark); }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  void push(const T &item) { m_stack.push_back(item); }
  void clear() { m_stack.resize(m_mark); }
  size_t size() const { return m_stack.size() - m_mark; }
  bool empty() const { return size() == 0; }
  const T &operator[](size_t i) const { return m_stack[m_mark + i]; }
  T &back() { return m_stack.back(); }

  std::span<const T> in(Arena &arena) const {
    return arena.copy(std::span<const T>(m_stack.data() + m_mark, size()));
  }

private:
  std::vector<T> &m_stack;
  size_t m_mark;
};

} // namespace tilescope::syntax
