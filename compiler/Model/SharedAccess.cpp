// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Model/SharedAccess.h"

#include <algorithm>
#include <vector>

namespace tilescope::model {
namespace {

constexpr uint64_t kBanks = 32, kWordBytes = 4;

/// Most distinct words in one bank, of the words that `width` bytes at each offset touch.
int64_t wavefrontsOfPhase(const std::vector<uint64_t> &offsets, unsigned width) {
  std::array<std::vector<uint64_t>, kBanks> banks;
  size_t most = 0;
  for (uint64_t offset : offsets)
    for (uint64_t word = offset / kWordBytes; word <= (offset + width - 1) / kWordBytes; ++word) {
      std::vector<uint64_t> &bank = banks[word % kBanks];
      if (std::ranges::find(bank, word) == bank.end())
        bank.push_back(word);
      most = std::max(most, bank.size());
    }
  return int64_t(most);
}

/// The offsets of each phase. Phases of a store are fixed lanes; a load first drops lanes that repeat
/// another's words, and what is left moves up.
std::vector<std::vector<uint64_t>> phasesOf(const WarpAccess &access, SharedDirection direction) {
  const uint64_t unit = std::max<uint64_t>(access.widthBytes, kWordBytes);
  const size_t lanesOfPhase = kBanks * kWordBytes / unit;
  std::vector<std::vector<uint64_t>> phases(32 / lanesOfPhase);
  std::vector<uint64_t> seen;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!access.isActive(lane))
      continue;
    const uint64_t offset = access.addresses[lane];
    if (direction == SharedDirection::Store) {
      phases[lane / lanesOfPhase].push_back(offset);
    } else if (std::ranges::find(seen, offset / unit) == seen.end()) {
      phases[seen.size() / lanesOfPhase].push_back(offset);
      seen.push_back(offset / unit);
    }
  }
  std::erase_if(phases, [](const auto &phase) { return phase.empty(); });
  return phases;
}

} // namespace

SharedCounts sharedAccess(const WarpAccess &access, SharedDirection direction) {
  SharedCounts counts;
  for (const std::vector<uint64_t> &phase : phasesOf(access, direction)) {
    counts.requests = 1;
    counts.ideal += 1;
    counts.wavefronts += wavefrontsOfPhase(phase, access.widthBytes);
  }
  return counts;
}

} // namespace tilescope::model
