// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes that a launch uses, each once: what of a sector nobody asked for. A bitmap of the pages that are touched,
// an eighth of their size.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>

namespace tilescope::model {

class UsedBytes {
public:
  /// `bytes` bytes at every address that is on; `mask` is empty (all on) or has one byte for each, 0 for off.
  void add(std::span<const uint64_t> addresses, std::span<const uint8_t> mask, unsigned bytes);
  /// Of the sector that holds `address`: bit b stands for its byte b.
  uint32_t ofSector(uint64_t address) const;

private:
  static constexpr uint64_t PageBytes = 1 << 16;
  using Page = std::array<uint32_t, PageBytes / 32>; ///< a word for each sector

  void addRun(uint64_t begin, uint64_t end);

  std::unordered_map<uint64_t, Page> m_pages; ///< by address / PageBytes
};

} // namespace tilescope::model
