// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where IR and diagnostics go: the builder, the source range that is being compiled, and the stack of calls
// that led here, from which locations and "called from here" notes are made.
#pragma once

#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Frontend/Term.h"
#include "compiler/Support/Diagnostic.h"
#include "compiler/Value/Function.h"

#include <mlir/IR/Builders.h>

namespace tilescope::frontend {

/// One call that is being compiled: the kernel, or a helper inlined into it.
struct CallFrame {
  const FunctionObject *function = nullptr;
  SourceRange call; ///< in the caller's file; empty for the kernel
  CallFrame *caller = nullptr;
  /// Written in the library's own prelude: what happens inside is told at the call.
  bool isPrelude = false;
};

class Emitter {
public:
  Emitter(mlir::MLIRContext *context, Diagnostics &diagnostics)
      : builder(context), m_diagnostics(diagnostics) {}

  mlir::OpBuilder builder;
  mlir::MLIRContext *context() const { return builder.getContext(); }

  /// The call that is being compiled; null before and after.
  CallFrame *frame() const { return m_frame; }
  void setFrame(CallFrame *frame);

  /// Reports an error at a range of the current function's file. Inside a prelude function it goes to the
  /// call.
  Diagnostic &error(SourceRange range, std::string id, std::vector<std::string> arguments = {});
  Diagnostic &warning(SourceRange range, std::string id, std::vector<std::string> arguments = {});
  Diagnostic &information(SourceRange range, std::string id, std::vector<std::string> arguments = {});
  bool hasErrors() const { return m_diagnostics.hasErrors(); }
  Diagnostics &diagnostics() { return m_diagnostics; }

  /// The span that a reader sees for a range of the current function: the call, if that is in the prelude.
  SourceSpan span(SourceRange range) const;

  /// The location of what the current range computes.
  mlir::Location location();

  template <typename Op, typename... Arguments> Op create(Arguments &&...arguments) {
    return Op::create(builder, location(), std::forward<Arguments>(arguments)...);
  }

  /// While it lives, created operations belong to `range`.
  class At {
  public:
    At(Emitter &emitter, SourceRange range) : m_emitter(emitter), m_before(emitter.m_range) {
      emitter.m_range = range;
      emitter.m_location = {};
    }
    ~At() {
      m_emitter.m_range = m_before;
      m_emitter.m_location = {};
    }
    At(const At &) = delete;
    At &operator=(const At &) = delete;

  private:
    Emitter &m_emitter;
    SourceRange m_before;
  };
  SourceRange range() const { return m_range; }

private:
  Diagnostic &report(Severity severity, SourceRange range, std::string id,
                     std::vector<std::string> arguments);
  void addCallers(Diagnostic &diagnostic, const CallFrame *from);
  const CallFrame *visibleFrame(SourceRange &range) const;

  Diagnostics &m_diagnostics;
  Diagnostic m_repeated; ///< takes the notes of a diagnostic that has been given before
  CallFrame *m_frame = nullptr;
  SourceRange m_range;
  std::optional<mlir::Location> m_location; ///< of m_range, made when first asked for
};

} // namespace tilescope::frontend
