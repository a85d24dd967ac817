// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which register of which lane of which warp holds each element of a tile, and which request moves it: a linear layout
// over F2 as tilescope/access tells it.
#pragma once

#include "compiler/Protocol/AccessDetail.h"

#include <cstdint>
#include <vector>

namespace tilescope::viz {

/// Where an element is held; of copies, in the first one.
struct ElementPlace {
  int32_t reg = 0;
  int16_t lane = 0, warp = 0;
  friend bool operator==(const ElementPlace &, const ElementPlace &) = default;
};

class TileLayout {
public:
  TileLayout() = default;
  explicit TileLayout(const protocol::AccessDetail &detail);

  int64_t elements() const { return static_cast<int64_t>(m_places.size()); }
  int registers() const { return 1 << m_layout.registers.values.size(); }
  int lanes() const { return 1 << m_layout.lanes.values.size(); }
  int warps() const { return m_warps; }
  /// Row-major number of the element.
  int64_t element(int reg, int lane, int warp) const;
  ElementPlace place(int64_t element) const { return m_places[static_cast<size_t>(element)]; }
  /// The instruction that moves a register, from 0; its place among the instruction's elements, by address.
  int instruction(int reg) const;
  int vectorPlace(int reg) const;
  /// The request that moves an element: instruction * warps + warp.
  int64_t request(int64_t element) const;
  /// The elements of a lane's instruction, lowest address first.
  std::vector<int64_t> elementsOf(int instruction, int lane, int warp) const;

private:
  bool isVectorBit(int bit) const;

  protocol::AccessLayout m_layout;
  int m_warps = 1;
  std::vector<ElementPlace> m_places;
};

} // namespace tilescope::viz
