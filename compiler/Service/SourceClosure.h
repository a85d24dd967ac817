// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All the source that a kernel's compilation depends on: its own text, the functions that it names, the
// values of the globals that it names. Equal keys compile alike, wherever the functions stand in their files.
#pragma once

#include "compiler/Support/Diagnostic.h"
#include "compiler/Value/Function.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::service {

class SourceClosure {
public:
  explicit SourceClosure(const FunctionObject &kernel);

  /// Empty if the kernel uses something that no key can stand for; then nothing may be cached.
  const std::string &key() const { return m_key; }
  /// The kernel first, then the functions of scripts that it may call, directly or not.
  const std::vector<const FunctionObject *> &functions() const { return m_functions; }
  /// The text of a path among the functions' files; null for any other.
  SourceFilePtr file(std::string_view path) const;

  /// A place within one of the functions, apart from where that function stands.
  struct Place {
    size_t function;
    SourceRange range; ///< from the beginning of the function
  };
  std::optional<Place> relative(const SourceSpan &span) const;
  SourceSpan absolute(const Place &place) const;

private:
  SourceRange rangeOf(size_t function) const;
  void add(const FunctionObject &function);
  void addNames(const FunctionObject &function, std::string_view text);
  void addValue(std::string_view name, const Value &value);

  std::vector<const FunctionObject *> m_functions;
  std::string m_key;
  bool m_isComplete = true;
};

} // namespace tilescope::service
