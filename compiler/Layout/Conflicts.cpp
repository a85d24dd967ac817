// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Layout/Conflicts.h"

#include "compiler/Layout/Bits.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tilescope::layout {
namespace {

constexpr unsigned LaneBits = 5;
constexpr uint64_t Banks = 32;     ///< of four bytes each
constexpr unsigned LineBits = 7;   ///< a wavefront is at most 128 bytes, one word a bank
constexpr unsigned WidestBits = 4; ///< an instruction at most 16 bytes a lane

/// Where each input bit of `registers` leads in memory, as offsets in bytes.
class Addresses {
public:
  Addresses(const LinearLayout &registers, const LinearLayout &shared, unsigned bits)
      : m_map(registers.invertAndCompose(shared)), m_elementBits(unsigned(std::countr_zero(bits / 8))) {}

  std::vector<uint64_t> of(Dim dim) const {
    std::vector<uint64_t> addresses;
    for (unsigned bit = 0; bit < m_map.inputBits(dim); ++bit)
      addresses.push_back(m_map.basis(dim, bit) << m_elementBits);
    return addresses;
  }

  /// How many bits of the offset are bits of registers, lowest first, and nothing else's.
  unsigned vectorBits() const {
    unsigned bits = 0;
    while (m_elementBits + bits < WidestBits && isRegister(uint64_t(1) << bits) &&
           isOnlyOnce(uint64_t(1) << bits))
      ++bits;
    return bits;
  }

private:
  bool isRegister(uint64_t offset) const {
    return std::ranges::count(m_map.columns().first(m_map.inputBits(Dim::Register)), offset) > 0;
  }
  bool isOnlyOnce(uint64_t offset) const {
    return std::ranges::count_if(m_map.columns(), [&](uint64_t column) { return (column & offset) != 0; }) ==
           1;
  }

  LinearLayout m_map;
  unsigned m_elementBits;
};

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

SharedAccess sharedAccess(const LinearLayout &registers, const LinearLayout &shared, unsigned bits,
                          Direction direction) {
  assert(bits >= 8 && bits <= 64 && registers.inputs().front().dim == Dim::Register);
  assert(registers.inputBits(Dim::Lane) == LaneBits && shared.isInjective() && shared.isSurjective());
  const Addresses addresses(registers, shared, bits);
  const unsigned vectorBits = addresses.vectorBits();
  const unsigned widthBits = vectorBits + unsigned(std::countr_zero(bits / 8));

  std::vector<uint64_t> lanes = addresses.of(Dim::Lane);
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
