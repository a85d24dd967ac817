// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One request of one warp: the bytes that its lanes take, in sectors of 32 bytes, four to a line of 128. A position is
// a number of bytes behind the line that holds the tensor's first byte; it may be negative.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tilescope::viz {

inline constexpr int WarpLanes = 32, SectorBytes = 32, LineBytes = 128;

/// A sector that a request touches. Bit b of a mask is its byte b.
struct RequestSector {
  int64_t number = 0; ///< position / 32
  uint32_t mine = 0;  ///< taken by a lane of this request
  uint32_t used = 0;  ///< taken by a request of some program that was counted
  int64_t line() const { return number >> 2; }
  uint32_t byNeighbours() const { return used & ~mine; }
  uint32_t byNobody() const { return ~(used | mine); }
};

struct WarpRequest {
  int64_t index = 0; ///< of all requests of the execution, those with no lane on too
  int instruction = 0, warp = 0;
  uint32_t on = 0;                            ///< bit l: lane l
  int bytesPerLane = 0;                       ///< of its one instruction
  bool known = false;                         ///< the rest is not, before its page is here
  std::array<int64_t, WarpLanes> positions{}; ///< of the first byte of each lane that is on
  std::vector<RequestSector> sectors;         ///< ascending
  int64_t bytesUsed = 0;                      ///< taken by its lanes, each once

  bool isOn(int lane) const { return on >> lane & 1; }
  int lanesOn() const;
  int64_t bytesRequested() const { return SectorBytes * static_cast<int64_t>(sectors.size()); }
  /// The fewest sectors that hold as many bytes.
  int64_t ideal() const { return (bytesUsed + SectorBytes - 1) / SectorBytes; }
  int64_t bytesOfNeighbours() const;
  int64_t bytesOfNobody() const;
  /// Of bytes requested, 0 to 1.
  double usedShare() const;
  /// The first lane that takes the byte at a position; -1 for none.
  int laneAt(int64_t position) const;

  /// Fills in sectors and bytes from the positions; `used` has a word for each sector, ascending.
  void findSectors(const int32_t *used, const int32_t *end);
};

/// How the lanes of a request lie in memory, as far as one word can say it.
struct LanePattern {
  enum class Kind {
    Nothing,   ///< no lane is on
    Same,      ///< all at the same place
    Row,       ///< their bytes are neighbours
    Masked,    ///< as Row, but lanes in between are off
    Stride,    ///< the same distance from each lane to the next
    Pieces,    ///< several rows
    Scattered, ///< none of these
  };
  Kind kind = Kind::Nothing;
  int64_t start = 0;  ///< bytes from the sector's first to the first that is taken
  int64_t stride = 0; ///< bytes from lane to lane; Stride only
  int pieces = 0;     ///< runs of neighbouring bytes
};

LanePattern patternOf(const WarpRequest &request);

} // namespace tilescope::viz
