// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which program wrote which part of a tensor. Tiles come a page at a time; between the edges of all tiles the
// tensor falls into *cells*, each of which belongs to one program, so that a grid of a million programs is
// looked up, and painted, without going through its tiles.
#pragma once

#include "compiler/Protocol/Messages.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tilescope::viz {

/// Half-open, in elements.
struct TileRect {
  int32_t rowBegin = -1, rowEnd = -1, columnBegin = -1, columnEnd = -1;
  bool empty() const { return rowEnd <= rowBegin || columnEnd <= columnBegin; }
  int64_t rows() const { return rowEnd - rowBegin; }
  int64_t columns() const { return columnEnd - columnBegin; }
  friend bool operator==(const TileRect &, const TileRect &) = default;
};

class TileMap {
public:
  /// With more cells than this, edges are rounded to fewer.
  static constexpr int64_t MaxCells = int64_t{1} << 22;

  TileMap() = default;
  /// A tensor of `rows` x `columns` elements that `programs` programs write to.
  TileMap(int64_t rows, int64_t columns, int64_t programs);

  /// Takes a page of tiles; cells are made again with the next look at them. Pages may come in any order;
  /// what lies outside the grid is ignored.
  void add(const protocol::TilePage &page);

  int64_t rows() const { return m_rows; }
  int64_t columns() const { return m_columns; }
  int64_t programs() const { return static_cast<int64_t>(m_tiles.size()); }
  /// Programs whose tile has come.
  int64_t known() const { return m_known; }
  bool complete() const { return m_known == programs(); }
  /// The first program whose tile has not come; programs() if none.
  int64_t firstUnknown() const;
  /// Programs that are known to have written nothing.
  int64_t idlePrograms() const { return m_idle; }
  /// Rows and columns of the largest tile.
  int64_t maxTileRows() const { return m_maxRows; }
  int64_t maxTileColumns() const { return m_maxColumns; }

  /// Empty for a program that is not known or wrote nothing.
  TileRect tile(int64_t program) const;

  /// A one-dimensional tensor as rows of `columns` elements. Tiles are split where a row ends.
  void foldInto(int64_t columns);
  bool folded() const { return m_fold != 0; }
  /// Of the picture: the tensor's own, or those it is folded into.
  int64_t shownRows() const;
  int64_t shownColumns() const { return m_fold ? m_fold : m_columns; }
  /// The rectangles of `tile` in the picture: one, or one a row where it is folded.
  std::vector<TileRect> pieces(const TileRect &tile) const;

  /// Edges of cells, ascending, from 0 to the picture's size.
  const std::vector<int32_t> &rowEdges() const { return cells().rowEdges; }
  const std::vector<int32_t> &columnEdges() const { return cells().columnEdges; }
  int64_t cellRows() const { return static_cast<int64_t>(rowEdges().size()) - 1; }
  int64_t cellColumns() const { return static_cast<int64_t>(columnEdges().size()) - 1; }
  /// The program of a cell, -1 where nothing was written. The later one where several wrote.
  int32_t owner(int64_t cellRow, int64_t cellColumn) const {
    return cells().owners[static_cast<size_t>(cellRow * cellColumns() + cellColumn)];
  }
  /// The program of an element of the picture, -1 for none.
  int32_t programAt(double row, double column) const;
  /// Cells that more than one program wrote.
  int64_t sharedCells() const { return cells().shared; }
  /// The index of the cell that holds `position`, given edges.
  static int64_t cellAt(const std::vector<int32_t> &edges, double position);

private:
  struct Cells {
    std::vector<int32_t> rowEdges{0, 0}, columnEdges{0, 0};
    std::vector<int32_t> owners{-1};
    int64_t shared = 0;
  };
  const Cells &cells() const;
  Cells makeCells() const;
  template <typename F> void eachPiece(const TileRect &tile, F visit) const;

  int64_t m_rows = 0, m_columns = 0, m_fold = 0;
  std::vector<TileRect> m_tiles;
  std::vector<bool> m_seen;
  int64_t m_known = 0, m_idle = 0, m_maxRows = 0, m_maxColumns = 0;
  mutable Cells m_cells;
  mutable bool m_stale = true;
  mutable int64_t m_knownWhenMade = 0;
};

} // namespace tilescope::viz
