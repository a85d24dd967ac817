// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Layout/Conflicts.h"

#include "compiler/Layout/Bits.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>

namespace tilescope::layout {
namespace {

constexpr unsigned LaneBits = 5;
constexpr uint64_t Banks = 32;     ///< of four bytes each
constexpr unsigned LineBits = 7;   ///< a wavefront is at most 128 bytes, one word a bank
constexpr unsigned WidestBits = 4; ///< an instruction at most 16 bytes a lane

/// Where each bit of an input dimension leads in memory, as offsets in bytes.
std::vector<uint64_t> addressesOf(const LinearLayout &offsets, Dim dim, unsigned elementBits) {
  std::vector<uint64_t> addresses;
  for (unsigned bit = 0; bit < offsets.inputBits(dim); ++bit)
    addresses.push_back(offsets.basis(dim, bit) << elementBits);
  return addresses;
}

/// The bit of registers that alone makes this bit of the offset.
std::optional<unsigned> onlyRegisterBit(const LinearLayout &offsets, uint64_t offset) {
  const auto touches = [&](uint64_t column) { return (column & offset) != 0; };
  const auto registers = offsets.columns().first(offsets.inputBits(Dim::Register));
  const auto found = std::ranges::find(registers, offset);
  if (found == registers.end() || std::ranges::count_if(offsets.columns(), touches) != 1)
    return std::nullopt;
  return unsigned(found - registers.begin());
}

/// The numbers of the words at addresses; a byte of a word counts as the word.
std::vector<uint64_t> wordsOf(std::span<const uint64_t> addresses) {
  std::vector<uint64_t> words;
  for (uint64_t address : addresses)
    words.push_back(address / 4);
  return words;
}

/// Words in each bank that is hit.
unsigned wordsPerBank(const std::vector<uint64_t> &words) {
  std::vector<uint64_t> banks = words;
  for (uint64_t &bank : banks)
    bank %= Banks;
  return 1u << (Echelon(words).rank() - Echelon(banks).rank());
}

} // namespace

std::vector<unsigned> sharedVectorBits(const LinearLayout &offsets, unsigned bits) {
  assert(offsets.inputs().front().dim == Dim::Register);
  const unsigned most = WidestBits - unsigned(std::countr_zero(bits / 8));
  std::vector<unsigned> vector;
  while (vector.size() < most) {
    const auto bit = onlyRegisterBit(offsets, uint64_t(1) << vector.size());
    if (!bit)
      break;
    vector.push_back(*bit);
  }
  return vector;
}

SharedAccess sharedAccess(const LinearLayout &registers, const LinearLayout &shared, unsigned bits,
                          Direction direction, unsigned mostElements) {
  assert(bits >= 8 && bits <= 64 && registers.inputs().front().dim == Dim::Register);
  assert(registers.inputBits(Dim::Lane) == LaneBits && shared.isInjective() && shared.isSurjective());
  const LinearLayout offsets = registers.invertAndCompose(shared);
  const unsigned elementBits = unsigned(std::countr_zero(bits / 8));
  const auto together = unsigned(sharedVectorBits(offsets, bits).size());
  const unsigned vectorBits = std::min(together, unsigned(std::bit_width(mostElements)) - 1);
  const unsigned widthBits = vectorBits + elementBits;

  std::vector<uint64_t> lanes = addressesOf(offsets, Dim::Lane, elementBits);
  // Lanes that read the same words share them; those that write them do not.
  if (direction == Direction::Load) {
    Echelon known;
    std::erase_if(lanes, [&, index = 0u](uint64_t lane) mutable {
      return !known.add(lane >> std::max(2u, widthBits), index++);
    });
  }
  // The lanes of one wavefront, if there is no conflict.
  const unsigned phaseBits = std::min<unsigned>(LineBits - std::max(2u, widthBits), unsigned(lanes.size()));
  const unsigned phases = 1u << (lanes.size() - phaseBits);
  lanes.resize(phaseBits);
  for (unsigned bit = 2; bit < widthBits; ++bit)
    lanes.push_back(uint64_t(1) << bit);

  return {.vector = 1u << vectorBits,
          .instructions = 1u << (registers.inputBits(Dim::Register) - vectorBits),
          .wavefronts = phases * wordsPerBank(wordsOf(lanes)),
          .ideal = phases};
}

} // namespace tilescope::layout
