// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the parameters of a jit function are used, found in its text and in that of the jit functions that it
// calls, without any types: what is wanted of an expression is carried back through arithmetic, assignments,
// calls and loads to the names that it is made of.
#pragma once

#include "compiler/Value/Function.h"

#include <map>

namespace tilescope::frontend {

enum Use : uint32_t {
  AsAddress = 1 << 0,          ///< a load, store or atomic goes there
  AsInteger = 1 << 1,          ///< in an offset, a bound, bit arithmetic, a comparison with one of these
  ToIntegers = 1 << 2,         ///< an address whose elements are used as integers
  ToAddresses = 1 << 3,        ///< an address whose elements are addresses
  AsType = 1 << 4,             ///< a data type
  AsTest = 1 << 5,             ///< `if x`, `not x`, `x and …`
  AsSize = 1 << 6,             ///< the length of a tile's side
  AsCount = 1 << 7,            ///< trips of an unrolled loop
  AsFunction = 1 << 8,         ///< called
  AsDescriptor = 1 << 9,       ///< `x.load(…)`
  AsNumberOfAddress = 1 << 12, ///< an integer that is cast to a pointer
  WithNone = 1 << 10,          ///< compared with None
  WithText = 1 << 11,          ///< compared with a string
};

struct ParameterUse {
  uint32_t uses = 0;
  std::vector<std::string_view> texts; ///< strings that it is compared with

  std::vector<int64_t> block; ///< of a descriptor, by the coordinates that it is given

  bool is(uint32_t any) const { return (uses & any) != 0; }
};

/// The uses of a jit function's parameters.
class UseAnalysis {
public:
  explicit UseAnalysis(const FunctionObject &kernel);
  ParameterUse of(std::string_view parameter) const;

private:
  /// What a variable was given.
  struct Source {
    const FunctionObject *function;
    const syntax::Expr *expr;
    bool isStep; ///< `x += expr`
  };
  struct Variable {
    ParameterUse use;
    std::vector<Source> sources;
    bool isParameter = false;
    bool isCounter = false; ///< of a loop over a range
    mutable bool isVisited = false;
  };
  /// What is called, as far as the text says it.
  struct Callee {
    const FunctionObject *helper = nullptr; ///< a jit function
    std::string_view library;               ///< the last part of a library name, or the name of a method
    const syntax::Expr *self = nullptr;     ///< of a method
  };

  // Names and what they hold.
  void collect(const FunctionObject &function);
  void collect(const FunctionObject &function, const syntax::Stmt &statement);
  void collectCalls(const FunctionObject &function, const syntax::Expr &expr);
  void bind(const FunctionObject &function, const syntax::Expr &target, const FunctionObject &origin,
            const syntax::Expr &value);
  void bindArguments(const FunctionObject &function, const syntax::Call &call, const FunctionObject &helper);
  Variable &variable(const FunctionObject &function, std::string_view name);
  const Variable *local(const FunctionObject &function, std::string_view name) const;
  const Value *global(const FunctionObject &function, const syntax::Expr &expr) const;
  /// The same of `a` in `a.b.c`.
  const Value *rootOf(const FunctionObject &function, const syntax::Expr &expr) const;
  Callee callee(const FunctionObject &function, const syntax::Call &call) const;
  /// Calls `action` with the value of each `return` of a function.
  template <typename Action> void forEachReturn(const FunctionObject &function, Action action) const;

  // What places say of the expressions in them.
  void place(const FunctionObject &function, const syntax::Stmt &statement);
  void place(const FunctionObject &function, const syntax::Expr &expr);
  void placeCall(const FunctionObject &function, const syntax::Call &call);
  void placeLibraryCall(const FunctionObject &function, const syntax::Call &call, const Callee &callee);
  void placeCompare(const FunctionObject &function, const syntax::Compare &compare);
  void placePair(const FunctionObject &function, const syntax::Expr &one, const syntax::Expr &other,
                 bool isEquality);

  // Carrying back what is wanted.
  void want(const FunctionObject &function, const syntax::Expr *expr, uint32_t uses);
  void want(Variable &variable, uint32_t uses);
  void wantText(const FunctionObject &function, const syntax::Expr &expr, std::string_view text);
  void wantBlock(const FunctionObject &function, const syntax::Expr &expr, const std::vector<int64_t> &block);
  /// Calls `action` with a name's variable and with those that it was made from, as long as it gives true.
  template <typename Action>
  void forEachOrigin(const FunctionObject &function, const syntax::Expr &expr, Action action);
  void wantOfCall(const FunctionObject &function, const syntax::Call &call, uint32_t uses);
  void wantItems(const FunctionObject &function, const syntax::Expr *list, uint32_t uses);
  bool isInteger(const FunctionObject &function, const syntax::Expr &expr) const;
  /// Of the sides of a sum, is this surely not the address?
  bool isOffset(const FunctionObject &function, const syntax::Expr &expr) const;
  bool isIntegerCall(const FunctionObject &function, const syntax::Call &call) const;

  std::map<std::pair<const syntax::FunctionDef *, std::string_view>, Variable> m_variables;
  std::vector<const FunctionObject *> m_functions; ///< the kernel first
};

} // namespace tilescope::frontend
