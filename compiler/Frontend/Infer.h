// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The argument types of a kernel that is not launched with values: guessed from names, use, defaults and
// annotations, and guessed again where the first guess does not compile. The rules are in
// compiler/docs/frontend.md.
#pragma once

#include "compiler/Frontend/Frontend.h"

#include <map>

namespace tilescope::frontend {

/// Parameters whose arguments are known, by name.
using KnownArguments = std::map<std::string, ArgumentSpec, std::less<>>;

/// A type as Triton writes it, "*fp32", "i32", "*fp16:16", or a scalar's by Python's names; nothing if it is
/// none. Pointers are divisible by 16.
std::optional<ArgumentSpec> parseType(std::string_view text);

/// As Triton writes it, "*fp32:16", "int32"; a constant as "=64".
std::string textOf(const ArgumentSpec &spec);

struct Guess {
  Specialisation specialisation;
  /// What else each parameter may be, likeliest first; empty for what is certain.
  std::vector<std::vector<ArgumentSpec>> alternatives;
};

/// `certain` arguments are as they are given; `likely` ones (of a launch, of autotune's first configuration)
/// are better than a guess.
Guess guessSpecialisation(const FunctionObject &kernel, const KnownArguments &certain,
                          const KnownArguments &likely);

/// The guess with one parameter after another changed to an alternative, as long as that is for the better:
/// the first that compiles, or else the one with the fewest errors.
Specialisation refine(const FunctionObject &kernel, const Guess &guess);

} // namespace tilescope::frontend
