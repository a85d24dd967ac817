// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear algebra over F2. A matrix is its columns, each the bits of one number.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tilescope::layout {

/// A set of columns in echelon form, each with the combination of the original columns that makes it.
class Echelon {
public:
  Echelon() = default;
  explicit Echelon(std::span<const uint64_t> columns);

  /// Adds column number `index`; false if it depends on those before.
  bool add(uint64_t column, unsigned index);
  /// Which of the columns added give `value` together (bit i: column i); nothing if none do.
  std::optional<uint64_t> solve(uint64_t value) const;
  unsigned rank() const { return unsigned(m_rows.size()); }

  struct Row {
    uint64_t value = 0; ///< its highest bit is in no other row
    uint64_t combination = 0;
  };
  std::span<const Row> rows() const { return m_rows; }

private:
  Row reduce(Row row) const;
  std::vector<Row> m_rows;
};

/// The sum of the columns that `input` chooses.
uint64_t multiply(std::span<const uint64_t> columns, uint64_t input);

} // namespace tilescope::layout
