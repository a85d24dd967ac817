// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Model/GlobalAccess.h"

#include <algorithm>
#include <span>

namespace tilescope::model {
namespace {

/// Blocks of `size` bytes that are touched by `width` bytes at each of the addresses, which ascend.
int64_t distinctBlocks(std::span<const uint64_t> addresses, uint64_t width, uint64_t size) {
  int64_t count = 0;
  uint64_t next = 0; // the first block not counted
  for (uint64_t address : addresses) {
    const uint64_t begin = std::max(next, address / size), end = (address + width - 1) / size + 1;
    if (begin < end) {
      count += int64_t(end - begin);
      next = end;
    }
  }
  return count;
}

} // namespace

GlobalCounts globalAccess(const WarpAccess &access) {
  std::array<uint64_t, 32> active;
  unsigned count = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (access.isActive(lane))
      active[count++] = access.addresses[lane];
  if (count == 0)
    return {};
  const std::span<uint64_t> addresses(active.data(), count);
  if (!std::ranges::is_sorted(addresses))
    std::ranges::sort(addresses);
  return {.requests = 1,
          .sectors = distinctBlocks(addresses, access.widthBytes, kSectorBytes),
          .bytesUsed = distinctBlocks(addresses, access.widthBytes, 1)};
}

} // namespace tilescope::model
