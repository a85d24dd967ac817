// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Layout/MatrixLoad.h"

#include "compiler/Layout/Bits.h"

#include <algorithm>
#include <bit>

namespace tilescope::layout {
namespace {

constexpr uint64_t RowBytes = 16, WordBytes = 4, BankBytes = 128;
constexpr size_t MostMatrices = 2; ///< bits that number them

/// Where each bit of registers, lanes and warps leads, in bytes.
struct Places {
  std::vector<uint64_t> registers, lanes, warps;

  Places(const LinearLayout &offsets, unsigned bits) {
    const auto of = [&](Dim dim) {
      std::vector<uint64_t> places;
      for (unsigned bit = 0; bit < offsets.inputBits(dim); ++bit)
        places.push_back(offsets.basis(dim, bit) * (bits / 8));
      return places;
    };
    registers = of(Dim::Register);
    lanes = of(Dim::Lane);
    warps = of(Dim::Warp);
  }
};

/// Whether bytes of a row are named by these alone.
bool areRows(const std::vector<uint64_t> &places, const std::vector<unsigned> &inside = {}) {
  for (unsigned bit = 0; bit < places.size(); ++bit)
    if (std::ranges::count(inside, bit) == 0 && places[bit] % RowBytes != 0)
      return false;
  return true;
}

/// The bits of registers within a word, if lanes share the words of a row among them.
std::optional<std::vector<unsigned>> wordBits(const Places &places, uint64_t elementBytes) {
  std::vector<unsigned> inWord;
  for (uint64_t byte = elementBytes; byte < WordBytes; byte *= 2) {
    const auto found = std::ranges::find(places.registers, byte);
    if (found == places.registers.end())
      return std::nullopt;
    inWord.push_back(unsigned(found - places.registers.begin()));
  }
  const bool isShared = places.lanes[0] == WordBytes && places.lanes[1] == 2 * WordBytes;
  return isShared && areRows(places.registers, inWord) && areRows(places.lanes, {0, 1}) ? std::optional(inWord) : std::nullopt;
}

/// Whether lanes share the elements of a row among them, and have two rows each.
bool isTransposedRow(const Places &places, uint64_t elementBytes) {
  return elementBytes == 2 && !places.registers.empty() && places.lanes[2] == 2 && places.lanes[3] == 4 && places.lanes[4] == 8 &&
         areRows(places.registers) && areRows(places.lanes, {2, 3, 4});
}

unsigned wavefrontsOf(const std::vector<uint64_t> &rows) {
  Echelon words, banks;
  for (unsigned index = 0; index < rows.size(); ++index) {
    words.add(rows[index], index);
    banks.add(rows[index] % BankBytes, index);
  }
  return 1u << (words.rank() - banks.rank());
}

} // namespace

std::optional<MatrixLoad> matrixLoad(const LinearLayout &registers, const LinearLayout &shared, unsigned bits) {
  const LinearLayout offsets = registers.invertAndCompose(shared);
  const Places places(offsets, bits);
  if (bits > 8 * WordBytes || !areRows(places.warps))
    return std::nullopt;
  MatrixLoad load;
  std::vector<uint64_t> rows;
  if (const auto inWord = wordBits(places, bits / 8)) {
    load.inWord = *inWord;
    rows = {places.lanes[2], places.lanes[3], places.lanes[4]};
  } else if (isTransposedRow(places, bits / 8)) {
    load.isTransposed = true;
    load.inWord = {0};
    rows = {places.registers[0], places.lanes[0], places.lanes[1]};
  } else {
    return std::nullopt;
  }
  const unsigned wavefronts = wavefrontsOf(rows);

  std::vector<uint64_t> columns;
  for (unsigned bit = 0; bit < places.registers.size(); ++bit) {
    if (std::ranges::count(load.inWord, bit))
      continue;
    if (load.matrices.size() < MostMatrices) {
      load.matrices.push_back(bit);
      rows.push_back(places.registers[bit]);
    } else {
      columns.push_back(places.registers[bit]);
    }
  }
  const unsigned others = unsigned(columns.size()), matrices = 1u << load.matrices.size();
  rows.resize(registers.inputBits(Dim::Lane), 0);
  columns.insert(columns.end(), rows.begin(), rows.end());
  columns.insert(columns.end(), places.warps.begin(), places.warps.end());
  const unsigned offsetBits = offsets.outputBits() + unsigned(std::countr_zero(bits / 8));
  load.rows = {{{Dim::Register, others}, {Dim::Lane, unsigned(rows.size())}, {Dim::Warp, unsigned(places.warps.size())}},
               {{Dim::Offset, offsetBits}}, std::move(columns)};
  load.access = {.vector = matrices << load.inWord.size(), .instructions = 1u << others, .wavefronts = matrices * wavefronts, .ideal = matrices};
  return load;
}

} // namespace tilescope::layout
