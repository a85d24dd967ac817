// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Model/TileTraffic.h"

#include <algorithm>
#include <cassert>

namespace tilescope::model {
namespace {

/// The address of an element by its packed (row-major) number, or nothing if it is off.
class ElementAddresses {
public:
  ElementAddresses(const layout::LinearLayout &layout, const RegularTile &tile) : m_tile(tile) {
    unsigned shift = layout.outputBits();
    for (size_t dim = 0; dim < layout.outputs().size(); ++dim) {
      shift -= layout.outputs()[dim].bits;
      m_shifts[dim] = shift;
      m_masks[dim] = layout.outputs()[dim].size() - 1;
    }
  }

  std::optional<uint64_t> operator()(uint64_t number) const {
    uint64_t address = m_tile.start;
    for (unsigned dim = 0; dim < m_tile.rank; ++dim) {
      const TileAxis &axis = m_tile.axes[dim];
      const auto index = int64_t(number >> m_shifts[dim] & m_masks[dim]);
      if (index < axis.begin || index >= axis.end)
        return std::nullopt;
      address += uint64_t(index * axis.stride);
    }
    return address;
  }

private:
  const RegularTile &m_tile;
  std::array<unsigned, kMaxTileRank> m_shifts{};
  std::array<uint64_t, kMaxTileRank> m_masks{};
};

} // namespace

TileTraffic::TileTraffic(AccessPlan plan) : m_plan(std::move(plan)) {
  assert(m_plan.layout.outputs().size() <= kMaxTileRank);
}

template <typename AddressOf> TileCounts TileTraffic::countLanes(AddressOf addressOf) const {
  TileCounts counts;
  for (unsigned instruction = 0; instruction < m_plan.instructions(); ++instruction)
    for (unsigned warp = 0; warp < m_plan.warps(); ++warp) {
      WarpAccess access{.widthBytes = m_plan.widthBytes()};
      for (unsigned lane = 0; lane < kWarpLanes; ++lane)
        if (const auto elements = m_plan.elements(instruction, warp, lane))
          if (const auto address = addressOf(elements->first()))
            access.set(lane, *address);
      counts += {1, globalAccess(access)};
    }
  return counts;
}

TileCounts TileTraffic::count(const RegularTile &tile) {
  assert(tile.rank == std::max<size_t>(1, m_plan.layout.outputs().size()));
  RegularTile key = tile;
  key.start %= kSectorBytes;
  auto [found, isNew] = m_classes.try_emplace(key);
  if (isNew)
    found->second = countLanes(ElementAddresses(m_plan.layout, tile));
  return found->second;
}

TileCounts TileTraffic::count(std::span<const uint64_t> addresses, std::span<const uint8_t> mask) const {
  assert(addresses.size() == m_plan.layout.outputSize() && (mask.empty() || mask.size() == addresses.size()));
  return countLanes([&](uint64_t number) {
    const bool isOn = mask.empty() || mask[size_t(number)] != 0;
    return isOn ? std::optional(addresses[size_t(number)]) : std::nullopt;
  });
}

size_t TileTraffic::Hash::operator()(const RegularTile &tile) const {
  uint64_t hash = tile.start;
  auto mix = [&](int64_t value) { hash = (hash ^ uint64_t(value)) * 0x9E3779B97F4A7C15ull + (hash >> 29); };
  for (const TileAxis &axis : tile.dims()) {
    mix(axis.stride);
    mix(axis.begin);
    mix(axis.end);
  }
  return size_t(hash);
}

} // namespace tilescope::model
