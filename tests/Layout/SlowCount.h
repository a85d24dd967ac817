// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wavefronts of shared memory counted slowly: the words of every lane, bank by bank.
#pragma once

#include "compiler/Layout/Conflicts.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace tilescope::layout {

/// The slow count. Elements of a thread are cut into aligned pieces of `vector`; the n-th pieces of all
/// lanes, in the order of registers, are an instruction.
class SlowCount {
public:
  SlowCount(const LinearLayout &registers, const LinearLayout &shared, unsigned bits) : m_bytes(bits / 8) {
    std::vector<uint64_t> offsets(shared.outputSize()); // of elements
    for (uint64_t offset = 0; offset < shared.inputSize(); ++offset)
      offsets[shared.apply(offset)] = offset;
    m_offsets.resize(32 * registers.inputSize(Dim::Warp));
    for (uint64_t lane = 0; lane < m_offsets.size(); ++lane)
      for (uint64_t reg = 0; reg < registers.inputSize(Dim::Register); ++reg)
        m_offsets[lane].push_back(offsets[registers.apply(reg | lane << registers.inputBits(Dim::Register))]);
  }

  /// Whether `vector` registers are neighbours everywhere: for each of its bits there is one of registers
  /// that moves by as much, from an offset that lacks it.
  bool isVector(uint64_t vector) const {
    for (uint64_t step = 1; step < vector; step *= 2) {
      auto moves = [&](std::size_t bit) {
        for (const std::vector<uint64_t> &lane : m_offsets)
          for (std::size_t reg = 0; reg < lane.size(); ++reg)
            if (!(reg & bit) && ((lane[reg] & step) != 0 || lane[reg | bit] != lane[reg] + step))
              return false;
        return true;
      };
      bool any = false;
      for (std::size_t bit = 1; bit < m_offsets[0].size() && !any; bit *= 2)
        any = moves(bit);
      if (!any)
        return false;
    }
    return true;
  }

  /// For each instruction of warp 0 the bytes at which its lanes begin.
  std::vector<std::vector<uint64_t>> instructions(uint64_t vector) const {
    std::vector<std::vector<uint64_t>> result;
    std::set<uint64_t> done;
    for (std::size_t reg = 0; reg < m_offsets[0].size(); ++reg) {
      std::vector<uint64_t> starts;
      for (std::size_t lane = 0; lane < 32; ++lane)
        starts.push_back(m_offsets[lane][reg] / vector * vector * m_bytes);
      if (done.insert(starts[0]).second)
        result.push_back(starts);
    }
    return result;
  }

  std::vector<unsigned> wavefronts(uint64_t vector, Direction direction) const {
    std::vector<unsigned> result;
    for (const std::vector<uint64_t> &starts : instructions(vector))
      result.push_back(instruction(starts, vector * m_bytes, direction));
    return result;
  }

private:
  static unsigned instruction(std::vector<uint64_t> starts, uint64_t width, Direction direction) {
    const uint64_t unit = std::max<uint64_t>(width, 4);
    if (direction == Direction::Load) { // lanes that read the same words share them
      std::vector<uint64_t> distinct;
      std::set<uint64_t> seen;
      for (uint64_t start : starts)
        if (seen.insert(start / unit).second)
          distinct.push_back(start);
      starts = distinct;
    }
    unsigned total = 0;
    for (std::size_t first = 0; first < starts.size(); first += 128 / unit) {
      std::map<uint64_t, std::set<uint64_t>> banks;
      for (std::size_t lane = first; lane < std::min<std::size_t>(first + 128 / unit, starts.size()); ++lane)
        for (uint64_t byte = 0; byte < width; byte += 4)
          banks[(starts[lane] + byte) / 4 % 32].insert((starts[lane] + byte) / 4);
      std::size_t most = 0;
      for (auto &[bank, words] : banks)
        most = std::max(most, words.size());
      total += unsigned(most);
    }
    return total;
  }

  uint64_t m_bytes;
  std::vector<std::vector<uint64_t>> m_offsets; ///< of each register of each thread, in elements
};

} // namespace tilescope::layout
