// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a name or an expression of a kernel stands for while it is compiled: something known at compile time
// (a Python value, a function, a library name), a value of the program that will run, a data type, a tuple of
// these, a block pointer or tensor descriptor, or a method waiting for its call. An error term stands for
// what has been reported already; whatever is done with it stays silent.
#pragma once

#include "compiler/Support/SourceFile.h"
#include "compiler/Value/Objects.h"

#include <mlir/IR/ValueRange.h>

#include <variant>

namespace tilescope::frontend {

class Term;

struct TupleTerm;
struct MethodTerm;
struct BlockTerm; ///< Block.h

class Term {
public:
  Term() = default; ///< an error term
  Term(Value constant) : m_data(std::move(constant)) {}
  Term(mlir::Value value) : m_data(value) {}
  Term(mlir::Type type) : m_data(type) {}
  Term(std::shared_ptr<const TupleTerm> tuple) : m_data(std::move(tuple)) {}
  Term(std::shared_ptr<const MethodTerm> method) : m_data(std::move(method)) {}
  Term(std::shared_ptr<const BlockTerm> block) : m_data(std::move(block)) {}

  bool isError() const { return std::holds_alternative<std::monostate>(m_data); }
  /// Known at compile time; null otherwise. None, numbers, strings, functions, library names.
  const Value *constant() const { return std::get_if<Value>(&m_data); }
  /// A value of the running program, or null.
  mlir::Value value() const {
    auto *value = std::get_if<mlir::Value>(&m_data);
    return value ? *value : mlir::Value();
  }
  /// A data type such as tl.float32 or x.dtype, or null.
  mlir::Type type() const {
    auto *type = std::get_if<mlir::Type>(&m_data);
    return type ? *type : mlir::Type();
  }
  const TupleTerm *tuple() const { return get<TupleTerm>(); }
  const MethodTerm *method() const { return get<MethodTerm>(); }
  /// A block pointer or a tensor descriptor, or null.
  const BlockTerm *block() const { return get<BlockTerm>(); }
  bool isNone() const { return constant() && constant()->isNone(); }
  /// A bool, int or float known at compile time.
  bool isNumber() const {
    const Value *c = constant();
    return c && (c->asBool() || c->asInt() || c->asFloat());
  }
  std::optional<std::string_view> symbol() const {
    return constant() ? symbolName(*constant()) : std::optional<std::string_view>();
  }
  /// The same object: nothing needs to be merged where two branches meet.
  bool identical(const Term &other) const;

private:
  template <typename T> const T *get() const {
    auto *pointer = std::get_if<std::shared_ptr<const T>>(&m_data);
    return pointer ? pointer->get() : nullptr;
  }

  std::variant<std::monostate, Value, mlir::Value, mlir::Type, std::shared_ptr<const TupleTerm>,
               std::shared_ptr<const MethodTerm>, std::shared_ptr<const BlockTerm>>
      m_data;
};

struct TupleTerm {
  std::vector<Term> items;
  std::vector<std::string> fieldNames; ///< of a named tuple or an aggregate; else empty
  Value type;                          ///< the class of the script that it is an object of; else None
};

/// `x.sum` before it is called.
struct MethodTerm {
  Term self;
  SourceRange selfRange;
  std::string_view name;
  Value function; ///< of an aggregate's class; else None, and the library knows the name
};

/// A term and the source it came from, so that an error can point at it.
struct Operand {
  Term term;
  SourceRange range;
};

Term makeTuple(std::vector<Term> items, std::vector<std::string> fieldNames = {}, Value type = {});
/// A tuple like another one, with other items.
Term tupleLike(const TupleTerm &like, std::vector<Term> items);
/// A Python value as a term: tuples and lists become tuples of terms, names of data types become types.
Term makeTerm(mlir::MLIRContext *context, const Value &value);
/// The Python value of a term in which nothing is known at run time only.
std::optional<Value> toValue(const Term &term);
/// The items of a tuple, or the term itself alone.
std::vector<Term> itemsOf(const Term &term);

//===- Values inside terms ------------------------------------------------------------------------===//

/// The run-time values inside a term, left to right.
void collectValues(const Term &term, llvm::SmallVectorImpl<mlir::Value> &values);
/// A term like `like` whose run-time values are taken from the front of `values`.
Term withValues(const Term &like, mlir::ValueRange &values);
/// Do two terms differ in their run-time values at most, and those not in type?
bool haveSameForm(const Term &a, const Term &b);

/// Two terms made one where two paths meet: what is the same in both stays; the rest, numbers and run-time
/// values, is to be brought together, pair by pair, and filled in where error terms stand in `form`.
struct MergedTerm {
  Term form;
  std::vector<std::pair<Term, Term>> pairs;
};
/// Nothing if they do not go together.
std::optional<MergedTerm> mergeTerms(const Term &a, const Term &b);
Term filled(const Term &form, mlir::ValueRange &values);

/// As hover shows it: "fp32[64, 64]", "pointer<fp32>", "constexpr[64]", "(int32, fp32)"; empty for an error
/// term.
std::string describe(const Term &term);

} // namespace tilescope::frontend
