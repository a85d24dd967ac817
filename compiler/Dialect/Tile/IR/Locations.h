// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spans, call sites and variable names as MLIR locations, and back.
//
//   loc("acc"(callsite("kernel.py":12:5 to 12:18 at "kernel.py":40:9 to 40:20)))
//
// is the value called `acc`, computed at line 12, in a helper inlined at line 40. Lines and columns count
// from 1, columns in bytes of UTF-8; the end is exclusive.
#pragma once

#include "compiler/Support/SourceFile.h"

#include "mlir/IR/Location.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::tile {

/// A span as a location has it: it needs no text of the file.
struct SourcePlace {
  std::string path;
  uint32_t beginLine = 1, beginColumn = 1; ///< from 1, in bytes
  uint32_t endLine = 1, endColumn = 1;     ///< exclusive
  friend bool operator==(const SourcePlace &, const SourcePlace &) = default;
};

/// All that a location says.
struct ValueOrigin {
  SourcePlace place;
  std::string variable;               ///< empty for a value without a name
  std::vector<SourcePlace> callStack; ///< call sites, the innermost first
  friend bool operator==(const ValueOrigin &, const ValueOrigin &) = default;
};

/// The location of what `span` computes. `callStack`: the calls that it was inlined through, the innermost
/// first. A span without a file gives an unknown location.
mlir::Location makeLocation(mlir::MLIRContext *context, const SourceSpan &span,
                            llvm::ArrayRef<SourceSpan> callStack = {}, llvm::StringRef variable = {});

/// The same location with that variable name in place of any it had.
mlir::Location withVariable(mlir::Location location, llvm::StringRef variable);

/// Reads a location of any kind; of a fused one the first part with a place. Nothing when it has no place.
std::optional<ValueOrigin> readLocation(mlir::Location location);

/// Where a place lies in its file's text, kept within the text if that has changed since.
SourceRange rangeOf(const SourcePlace &place, const SourceFile &file);

} // namespace tilescope::tile
