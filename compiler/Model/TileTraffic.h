// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs ask of global memory at one access. Where addresses are regular, the counts depend only on
// where the tile starts within a sector, on its strides and on its box; programs that agree in these are one
// class, which is counted once, so that a launch of a million programs costs a look-up each.
#pragma once

#include "compiler/Model/AccessPlan.h"
#include "compiler/Model/GlobalAccess.h"
#include "compiler/Model/RegularTile.h"

#include <unordered_map>

namespace tilescope::model {

struct TileCounts {
  int64_t instructions = 0; ///< of warps, those with every lane off too
  GlobalCounts global;

  TileCounts &operator+=(const TileCounts &other) {
    instructions += other.instructions;
    global += other.global;
    return *this;
  }
  friend bool operator==(const TileCounts &, const TileCounts &) = default;
};

/// The counter of one access. Not for several threads at a time.
class TileTraffic {
public:
  explicit TileTraffic(AccessPlan plan);

  const AccessPlan &plan() const { return m_plan; }
  /// Counts of one program. The tile has the rank of the plan's layout (1 for a layout without dimensions);
  /// an instruction is on where its first element is.
  TileCounts count(const RegularTile &tile);
  /// The same lane by lane for addresses of any kind, one for each element in row-major order. `mask` is
  /// empty (all on) or has one byte for each, 0 for off.
  TileCounts count(std::span<const uint64_t> addresses, std::span<const uint8_t> mask) const;
  /// How many classes there were until now.
  size_t classes() const { return m_classes.size(); }

private:
  template <typename AddressOf> TileCounts countLanes(AddressOf addressOf) const;

  struct Hash {
    size_t operator()(const RegularTile &tile) const;
  };
  AccessPlan m_plan;
  std::unordered_map<RegularTile, TileCounts, Hash> m_classes; ///< `start` modulo the bytes of a sector
};

} // namespace tilescope::model
