// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Frontend/Names.h"

#include <algorithm>
#include <numeric>

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

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool equalButForCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

/// Levenshtein's distance with exchanges of neighbours, case counting half a letter: in half letters.
size_t distance(std::string_view a, std::string_view b) {
  if (equalButForCase(a, b))
    return 1;
  std::vector<size_t> before, row(b.size() + 1), next(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = 2 * j;
  for (size_t i = 1; i <= a.size(); ++i) {
    next[0] = 2 * i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t change = a[i - 1] == b[j - 1] ? 0 : lower(a[i - 1]) == lower(b[j - 1]) ? 1 : 2;
      next[j] = std::min({row[j] + 2, next[j - 1] + 2, row[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 2);
    }
    before = row;
    std::swap(row, next);
  }
  return row[b.size()];
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
