// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of functions and of library entries, and how the arguments of a call are brought to them.
#pragma once

#include "compiler/Frontend/Emitter.h"

namespace tilescope::frontend {

struct Parameter {
  std::string_view name;
  std::optional<Term> defaultValue;
  bool keywordOnly = false;
  bool isStar = false;       ///< `*name`: takes the positional arguments that are left, as a tuple
  bool isDoubleStar = false; ///< `**name`
};

/// Is this annotation tl.constexpr, in any spelling? `function`: whose scope its names are found in.
bool isConstexprAnnotation(const FunctionObject &function, const syntax::Expr &annotation);

struct NamedOperand {
  std::string_view name;
  SourceRange nameRange;
  Operand operand;
};

struct CallArguments {
  std::vector<Operand> positional;
  std::vector<NamedOperand> named;
  SourceRange call;   ///< the whole call expression
  SourceRange callee; ///< what is called
};

/// One operand a parameter; a default has the range of the callee. Nothing after an error:
/// "too-many-arguments", "missing-argument", "unknown-keyword", "repeated-argument".
std::optional<std::vector<Operand>> bindArguments(Emitter &emitter, std::string_view function,
                                                  llvm::ArrayRef<Parameter> parameters,
                                                  const CallArguments &arguments);

/// Parameters out of "x, axis=None, *, keep_dims=False"; the text stays alive. Defaults are None, True,
/// False, integers, '' and ().
std::vector<Parameter> parseSignature(mlir::MLIRContext *context, std::string_view signature);

} // namespace tilescope::frontend
