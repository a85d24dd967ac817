// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Frontend/Names.h"

#include "compiler/Support/EditDistance.h"

#include <algorithm>
#include <string>

namespace tilescope::frontend {

const Binding *Names::find(std::string_view name) const {
  for (const auto &[known, binding] : m_bindings)
    if (known == name)
      return &binding;
  return nullptr;
}

void Names::set(std::string_view name, Binding binding) {
  for (auto &[known, old] : m_bindings)
    if (known == name) {
      old = std::move(binding);
      return;
    }
  m_bindings.emplace_back(name, std::move(binding));
}

namespace {

std::string lowered(std::string_view name) {
  std::string result(name);
  for (char &c : result)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return result;
}

/// In half letters: names that differ in case alone are nearest of all.
size_t distance(std::string_view a, std::string_view b) {
  return std::max<size_t>(1, 2 * editDistance(lowered(a), lowered(b)));
}

} // namespace

std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates) {
  std::string_view best;
  size_t least = std::max<size_t>(2, name.size() * 2 / 3) + 1;
  for (std::string_view candidate : candidates) {
    size_t lengths =
        name.size() > candidate.size() ? name.size() - candidate.size() : candidate.size() - name.size();
    if (2 * lengths >= least || candidate == name)
      continue;
    if (size_t d = distance(name, candidate); d < least) {
      least = d;
      best = candidate;
    }
  }
  return best;
}

} // namespace tilescope::frontend
