// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over a kernel's syntax tree, by theme: LoweringStatements.cpp, LoweringBranches.cpp,
// LoweringLoops.cpp, LoweringExpressions.cpp and, of expressions, LoweringNames.cpp, LoweringAttributes.cpp,
// LoweringOperators.cpp, LoweringTuples.cpp and LoweringCalls.cpp; the kernel itself is in Frontend.cpp.
// Typed operations are in Semantics.h, the library in Library.h.
#pragma once

#include "compiler/Frontend/Emitter.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Frontend/Names.h"
#include "compiler/Frontend/Semantics.h"
#include "compiler/Frontend/Signature.h"

namespace tilescope::frontend {

/// A call with its variables.
struct Frame : CallFrame {
  Names names;
  std::vector<Operand> arguments; ///< what it was called with, one a parameter
  unsigned loopDepth = 0;         ///< of loops that run; those that are unrolled do not count
  /// Names announced by `x: tl.constexpr` without a value.
  std::vector<std::string_view> announcedConstants;
  /// In the constructor of an aggregate: the name of the object whose fields are being set; else empty.
  std::string_view underConstruction;
  /// Set when every path to here has returned.
  std::optional<Operand> returned;
};

enum class Flow : uint8_t {
  Falls,   ///< what comes next is to be compiled next
  Returned ///< every path has returned, and what comes next has been compiled where it belongs
};

/// What stands after the statement that is being compiled, out to the end of the function: the rest of its
/// body, the further trips of an unrolled loop. A run-time `if` with a `return` inside takes it into its
/// branches.
struct Continuation {
  /// Compiles it; `next` is what stands after it in turn.
  llvm::function_ref<Flow(const Continuation *next)> rest;
  const Continuation *next = nullptr;
};

/// Gives a value the name of the variable that it is assigned to, unless it has one. Of an operation with
/// several results all share its location.
void nameValue(mlir::Value value, std::string_view name);

class Lowering {
public:
  Lowering(mlir::MLIRContext *context, Diagnostics &diagnostics, std::vector<TypedExpression> *types)
      : m_emitter(context, diagnostics), m_types(types) {}

  mlir::OwningOpRef<mlir::ModuleOp> kernel(const FunctionObject &function,
                                           const Specialisation &specialisation);

  Emitter &emitter() { return m_emitter; }
  /// Are the types of the arguments known for sure, or guessed?
  bool isLaunched() const { return m_isLaunched; }
  /// A jit function compiled at its call: its result, None if it returns nothing.
  Term callFunction(const FunctionObject &function, const CallArguments &arguments,
                    std::string_view underConstruction = {});
  /// Anything called: a jit function, a library name, a method.
  Term call(const Operand &callee, const CallArguments &arguments);
  /// `value.name`, or nothing if there is no such attribute; reports nothing.
  std::optional<Term> findAttribute(const Operand &value, std::string_view name);

private:
  //===- Statements
  Flow lowerBody(syntax::Body body, const Continuation *next);
  Flow lowerStatement(const syntax::Stmt &stmt, const Continuation &after);
  Flow lowerReturn(const syntax::Return &stmt);
  Flow lowerIf(const syntax::If &stmt, const Continuation &after);
  void lowerAssign(const syntax::Assign &stmt);
  void lowerAugAssign(const syntax::AugAssign &stmt);
  void lowerAnnAssign(const syntax::AnnAssign &stmt);
  void lowerAssert(const syntax::Assert &stmt);
  Flow lowerWith(const syntax::With &stmt);
  /// What the name of a plain assignment holds: run-time scalars for numbers, unless announced as a constant.
  Term assignedTerm(const syntax::Expr &target, Operand value);
  void refuse(const syntax::Stmt &stmt);
  void assign(const syntax::Expr &target, const Operand &value);
  void assignItems(std::span<syntax::Expr *const> targets, const Operand &value, SourceRange range);
  void assignField(const syntax::Attribute &target, const Operand &value);
  void assignName(std::string_view name, SourceRange range, Term term);

  //===- Control flow
  Flow lowerRuntimeIf(const syntax::If &stmt, mlir::Value condition);
  Flow lowerReturningIf(const syntax::If &stmt, mlir::Value condition, const Continuation &after);
  /// Is the test known, and what is it? Reports constants that are no conditions, which become error terms.
  std::optional<bool> staticTruth(Operand &test);
  /// A tile of one element as a scalar, for an `if`.
  void unwrapSingle(Operand &test);
  Flow lowerFor(const syntax::For &stmt, const Continuation &after);
  Flow lowerStaticFor(const syntax::For &stmt, std::span<const Term> items, const Continuation *next);
  std::optional<std::vector<Term>> loopItems(const syntax::For &stmt, std::string_view iterator);
  void lowerRange(const syntax::For &stmt, const std::vector<Operand> &bounds,
                  const std::vector<NamedOperand> &options);
  void lowerWhile(const syntax::While &stmt);
  /// The names that a loop's body assigns, leaving out branches that are dead at compile time.
  std::vector<std::string_view> assignedInLoop(syntax::Body body);
  bool isStaticTest(const syntax::Expr &expr, std::span<const std::string_view> assigned);
  struct Branch {
    Names names;
    std::optional<Operand> returned;
    mlir::Block *block = nullptr;
  };
  Branch lowerBranch(mlir::Block *block, syntax::Body body, const Continuation *next);
  /// The binding of a name after a branch, if that is known without results of the branch.
  std::optional<Binding> settledBinding(const Binding *before, const Binding *first, const Binding *second);
  /// The pairs of a merged term as values, at the end of either side's block. False if types differ.
  bool bringTogether(const MergedTerm &merged, const Branch &first, const Branch &second,
                     llvm::SmallVectorImpl<mlir::Value> &firstValues,
                     llvm::SmallVectorImpl<mlir::Value> &secondValues);
  void reportReassignedConstant(std::string_view name, const Binding &binding, const Term &before);
  void mergeNames(std::span<const std::string_view> assigned, const Names &before, tile::IfOp skeleton,
                  const Branch &first, const Branch &second);
  struct Carried {
    std::string_view name;
    Term before;
    size_t first = 0, count = 0; ///< its values among the loop's
  };
  std::vector<Carried> carriedNames(std::span<const std::string_view> assigned,
                                    llvm::SmallVectorImpl<mlir::Value> &inits);
  void bindCarried(const std::vector<Carried> &carried, mlir::ValueRange values);
  llvm::SmallVector<mlir::Value> yieldedValues(const std::vector<Carried> &carried, mlir::ValueRange current);
  void leaveLoop(const std::vector<Carried> &carried, mlir::ValueRange results, Names before,
                 std::span<const std::string_view> assigned);
  tile::IfOp withResults(tile::IfOp skeleton, const Branch &first, mlir::ValueRange firstValues,
                         const Branch &second, mlir::ValueRange secondValues);

  //===- Expressions
  Term lower(const syntax::Expr &expr);
  Term lowerUnrecorded(const syntax::Expr &expr);
  Operand operand(const syntax::Expr &expr) { return {lower(expr), expr.range}; }
  Term lowerConstant(const syntax::Constant &expr);
  Term lowerName(const syntax::Name &expr);
  Term lowerGlobal(const syntax::Name &expr);
  void checkGlobal(const syntax::Name &expr, const syntax::Module &module);
  Term undefinedName(const syntax::Name &expr);
  Term lowerAttribute(const syntax::Attribute &expr);
  Term attributeOf(const Operand &value, const syntax::Attribute &expr);
  std::optional<Term> symbolAttribute(std::string_view symbol, std::string_view name);
  std::optional<Term> tupleAttribute(const Operand &value, std::string_view name);
  std::optional<Term> constantAttribute(const Operand &value, std::string_view name);
  Term lowerBinOp(const syntax::BinOp &expr);
  Term lowerCompare(const syntax::Compare &expr);
  Term lowerBoolOp(const syntax::BoolOp &expr);
  Term lowerIfExp(const syntax::IfExp &expr);
  Term lowerNamedExpr(const syntax::NamedExpr &expr);
  void warnOfPrecedence(const syntax::Compare &expr);
  Term lowerSubscript(const syntax::Subscript &expr);
  Term tupleItem(const TupleTerm &tuple, const Operand &index);
  Term lowerTupleSlice(const Operand &value, const syntax::Slice &slice);
  Term lowerIndex(const Operand &value, const syntax::Subscript &expr);
  Term lowerTuple(std::span<syntax::Expr *const> elts);
  bool isKept(std::span<syntax::Expr *const> conditions);
  Term lowerComprehension(const syntax::Expr &elt, std::span<const syntax::Comprehension> generators);
  Term lowerFString(const syntax::JoinedStr &expr);
  Term lowerPairs(const syntax::Dict &expr);
  Term refuse(const syntax::Expr &expr, std::string form);
  /// The items of what a compile-time loop goes over; nothing after an error.
  std::optional<std::vector<Term>> staticItems(const Operand &iterable);

  //===- Calls
  Term lowerCall(const syntax::Call &expr);
  CallArguments lowerArguments(const syntax::Call &expr);
  Term callSymbol(std::string_view symbol, const CallArguments &arguments);
  Term callMethod(const MethodTerm &method, const CallArguments &arguments);
  /// Plain Python at compile time, on constants.
  Term callHost(const Operand &callee, const CallArguments &arguments);
  /// A named tuple or an aggregate made by calling its class.
  Term makeRecord(const Value &type, const HostCalls::Record &record, const CallArguments &arguments);
  Term construct(const FunctionObject &initialize, const Term &object, const CallArguments &arguments);
  void checkNoinline(const FunctionObject &function, std::span<const Operand> arguments);
  Term callLibrary(const struct LibraryFunction &function, const CallArguments &arguments);
  bool checkRecursion(const FunctionObject &function, std::span<const Operand> arguments, SourceRange call);
  std::vector<Parameter> parametersOf(const FunctionObject &function);

  //===- Record
  void record(SourceRange range, std::string_view name, const Term &term);
  std::shared_ptr<HostCalls> host() { return m_frame->function->host.lock(); }
  Frame &frame() { return *m_frame; }
  const SourceFile &file() { return *m_frame->function->module->file; }

  Emitter m_emitter;
  std::vector<TypedExpression> *m_types;
  Frame *m_frame = nullptr;
  bool m_isLaunched = true;
  /// Statements compiled so far, inlined and unrolled ones each time: a budget against kernels that explode.
  size_t m_statements = 0;
  static constexpr size_t statementLimit = 100'000;
};

} // namespace tilescope::frontend
