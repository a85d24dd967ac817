// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A jit function and the types of one call to tile IR (first stage: what the source says, nothing folded
// away). Read compiler/docs/dialect-tile.md first.
#pragma once

#include "compiler/Support/Diagnostic.h"
#include "compiler/Value/ElementType.h"
#include "compiler/Value/Function.h"

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/OwningOpRef.h>

namespace tilescope::frontend {

/// What a kernel is specialised on for one parameter.
struct ArgumentSpec {
  enum class Kind : uint8_t {
    Pointer,  ///< to `element`
    Scalar,   ///< a run-time number of type `element`
    Constant, ///< `constant`: a tl.constexpr parameter, None, or an int equal to 1
    /// of a tensor of `element`: it becomes parameters of the tile.func for the base, the sizes
    /// ("x.shape[0]") and all strides but the last ("x.strides[0]"), which is 1
    Descriptor,
    Tuple, ///< of `items`: a tuple, a named tuple if there are `fieldNames`, the arguments of `*args`
  };
  Kind kind = Kind::Constant;
  ElementType element = ElementType::Float32;
  bool divisibleBy16 = false; ///< the address, or the value of an int
  Value constant;
  std::vector<int64_t> blockShape = {}; ///< of a Descriptor
  bool padsNaN = false;                 ///< a Descriptor reads NaN outside its tensor, not 0
  std::vector<ArgumentSpec> items;
  std::vector<std::string> fieldNames;
};

struct Specialisation {
  std::vector<ArgumentSpec> arguments; ///< in the order of the kernel's parameters
  int numWarps = 4;
  int numStages = 3;
  /// False for a guess: then it may be a helper, which returns a value as no kernel does.
  bool isLaunched = true;

  /// Equal keys compile to equal IR, for the same source.
  std::string key() const;
};

/// Is this parameter of a jit function annotated tl.constexpr?
bool isConstexprParameter(const FunctionObject &kernel, size_t parameter);

/// Parameters of a kernel in order: positional-only, positional, `*args`, keyword-only.
std::vector<const syntax::Arg *> parameters(const syntax::FunctionDef &function);

/// A specialisation for a kernel that nobody launches, so that it can be checked: types by name and use
/// (`*_ptr` is a pointer to fp32, defaults give constants, …; the rules are in compiler/docs/frontend.md).
Specialisation inferSpecialisation(const FunctionObject &kernel);

/// The module with the kernel as its one public tile.func and helpers inlined or called, verified; null after
/// an error, which is in `diagnostics`. The context needs the tile dialect loaded.
mlir::OwningOpRef<mlir::ModuleOp> compile(mlir::MLIRContext &context, const FunctionObject &kernel,
                                          const Specialisation &specialisation, Diagnostics &diagnostics);

/// Called for every expression of a kernel whose type became known, in order; for hover and hints.
struct TypedExpression {
  SourceSpan span;
  std::string name; ///< of a variable, else empty
  std::string type; ///< as Triton says it: "fp32[1024]", "pointer<fp32>[1024]", "int32", "constexpr[1024]"
};
mlir::OwningOpRef<mlir::ModuleOp> compile(mlir::MLIRContext &context, const FunctionObject &kernel,
                                          const Specialisation &specialisation, Diagnostics &diagnostics,
                                          std::vector<TypedExpression> &types);

/// A name of the library for completion: "load", with its signature and the catalogue key of its one-line
/// help.
struct LibraryEntry {
  std::string name; ///< full: "triton.language.load"
  std::string signature;
  std::string helpKey;
  bool isMethod = false; ///< also `x.name(…)` of tiles and scalars
};
const std::vector<LibraryEntry> &libraryEntries();

} // namespace tilescope::frontend
