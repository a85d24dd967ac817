// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Python expression over the variables of a program that is stepped through: what a watch shows, and the
// condition of a breakpoint. It is evaluated as host code is: tiles are torch tensors (`mask.all()`,
// `x[4, 10]`, `offsets.max() >= n`), scalars are numbers, pointers are their addresses; `torch` and `math`
// are there. It can import nothing of the script's and change nothing.
#pragma once

#include "compiler/Interpreter/Stepper.h"
#include "compiler/Protocol/TraceMessages.h"

namespace tilescope::service {

class TraceExpression {
public:
  /// `constants`: the kernel's constexpr parameters. Errors "wrong-expression" (text, what is wrong),
  /// "not-an-expression" (text).
  static Result<TraceExpression> parse(std::string text,
                                       const std::vector<protocol::ArgumentSummary> &constants);

  /// At the stepper's position. Error "wrong-expression".
  Result<protocol::TraceAnswer> evaluate(const interp::Stepper &stepper) const;
  /// Is it true there? A tile of several elements is neither: `.any()` and `.all()` say which is meant.
  Result<bool> holds(const interp::Stepper &stepper) const;

private:
  TraceExpression(std::string text, std::string constants)
      : m_text(std::move(text)), m_constants(std::move(constants)) {}

  std::string m_text, m_constants;
};

/// One element as a slot has it, in the fewest digits that read back as the same.
std::string elementText(ElementType type, const std::byte *element);

} // namespace tilescope::service
