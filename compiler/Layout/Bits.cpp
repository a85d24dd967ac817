// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Layout/Bits.h"

#include <bit>

namespace tilescope::layout {

Echelon::Echelon(std::span<const uint64_t> columns) {
  for (unsigned index = 0; index < columns.size(); ++index)
    add(columns[index], index);
}

Echelon::Row Echelon::reduce(Row row) const {
  for (const Row &known : m_rows)
    if (row.value & std::bit_floor(known.value)) {
      row.value ^= known.value;
      row.combination ^= known.combination;
    }
  return row;
}

bool Echelon::add(uint64_t column, unsigned index) {
  const Row row = reduce({column, uint64_t(1) << index});
  if (row.value == 0)
    return false;
  for (Row &known : m_rows)
    if (known.value & std::bit_floor(row.value)) {
      known.value ^= row.value;
      known.combination ^= row.combination;
    }
  m_rows.push_back(row);
  return true;
}

std::optional<uint64_t> Echelon::solve(uint64_t value) const {
  const Row rest = reduce({value, 0});
  if (rest.value != 0)
    return std::nullopt;
  return rest.combination;
}

uint64_t multiply(std::span<const uint64_t> columns, uint64_t input) {
  uint64_t sum = 0;
  for (; input != 0; input &= input - 1)
    sum ^= columns[std::countr_zero(input)];
  return sum;
}

} // namespace tilescope::layout
