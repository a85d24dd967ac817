// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/model/TileMap.h"

#include <algorithm>
#include <cmath>

namespace tilescope::viz {

namespace {

void sortUnique(std::vector<int32_t> &edges) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
}

/// Keeps at most `count` cells by leaving out edges evenly; the first and the last stay.
void thin(std::vector<int32_t> &edges, int64_t count) {
  int64_t cells = static_cast<int64_t>(edges.size()) - 1;
  if (cells <= count)
    return;
  std::vector<int32_t> kept;
  for (int64_t i = 0; i <= count; ++i)
    kept.push_back(edges[static_cast<size_t>(i * cells / count)]);
  edges = std::move(kept);
}

void limit(std::vector<int32_t> &rows, std::vector<int32_t> &columns) {
  auto size = [](const std::vector<int32_t> &edges) { return static_cast<int64_t>(edges.size()); };
  if (size(rows) * size(columns) <= TileMap::MaxCells)
    return;
  int64_t side = static_cast<int64_t>(std::sqrt(TileMap::MaxCells));
  auto &shorter = rows.size() < columns.size() ? rows : columns;
  auto &longer = rows.size() < columns.size() ? columns : rows;
  thin(shorter, side);
  thin(longer, TileMap::MaxCells / std::max<int64_t>(size(shorter), 1));
}

} // namespace

TileMap::TileMap(int64_t rows, int64_t columns, int64_t programs)
    : m_rows(rows), m_columns(columns), m_tiles(static_cast<size_t>(programs)),
      m_seen(static_cast<size_t>(programs)) {}

void TileMap::add(const protocol::TilePage &page) {
  const std::vector<int32_t> &values = page.tiles.values;
  for (size_t i = 0; i + 4 <= values.size(); i += 4) {
    int64_t program = page.first + static_cast<int64_t>(i / 4);
    if (program < 0 || program >= programs() || m_seen[static_cast<size_t>(program)])
      continue;
    TileRect tile{values[i], values[i + 1], values[i + 2], values[i + 3]};
    m_seen[static_cast<size_t>(program)] = true;
    m_tiles[static_cast<size_t>(program)] = tile;
    ++m_known;
    m_idle += tile.empty();
    m_maxRows = std::max(m_maxRows, tile.empty() ? 0 : tile.rows());
    m_maxColumns = std::max(m_maxColumns, tile.empty() ? 0 : tile.columns());
  }
  // Pages of a large grid come by the dozen: cells are made again when twice as much is known, and at the
  // end.
  m_stale = m_stale || complete() || m_known >= 2 * m_knownWhenMade;
}

int64_t TileMap::firstUnknown() const {
  return std::find(m_seen.begin(), m_seen.end(), false) - m_seen.begin();
}

TileRect TileMap::tile(int64_t program) const {
  return program >= 0 && program < programs() ? m_tiles[static_cast<size_t>(program)] : TileRect{};
}

void TileMap::foldInto(int64_t columns) {
  m_stale = m_stale || columns != m_fold;
  m_fold = columns;
}

int64_t TileMap::shownRows() const { return m_fold ? (m_columns + m_fold - 1) / m_fold : m_rows; }

template <typename F> void TileMap::eachPiece(const TileRect &tile, F visit) const {
  if (tile.empty())
    return;
  if (!m_fold)
    return visit(tile);
  for (int64_t begin = tile.columnBegin; begin < tile.columnEnd;) {
    int64_t row = begin / m_fold;
    int64_t end = std::min<int64_t>(tile.columnEnd, (row + 1) * m_fold);
    visit(TileRect{static_cast<int32_t>(row), static_cast<int32_t>(row + 1),
                   static_cast<int32_t>(begin - row * m_fold), static_cast<int32_t>(end - row * m_fold)});
    begin = end;
  }
}

std::vector<TileRect> TileMap::pieces(const TileRect &tile) const {
  std::vector<TileRect> pieces;
  eachPiece(tile, [&](const TileRect &piece) { pieces.push_back(piece); });
  return pieces;
}

const TileMap::Cells &TileMap::cells() const {
  if (m_stale) {
    m_cells = makeCells();
    m_knownWhenMade = m_known;
    m_stale = false;
  }
  return m_cells;
}

TileMap::Cells TileMap::makeCells() const {
  Cells cells;
  cells.rowEdges = {0, static_cast<int32_t>(std::max<int64_t>(shownRows(), 1))};
  cells.columnEdges = {0, static_cast<int32_t>(std::max<int64_t>(shownColumns(), 1))};
  for (const TileRect &tile : m_tiles)
    eachPiece(tile, [&](const TileRect &piece) {
      cells.rowEdges.insert(cells.rowEdges.end(), {piece.rowBegin, piece.rowEnd});
      cells.columnEdges.insert(cells.columnEdges.end(), {piece.columnBegin, piece.columnEnd});
    });
  sortUnique(cells.rowEdges), sortUnique(cells.columnEdges);
  limit(cells.rowEdges, cells.columnEdges);

  size_t width = cells.columnEdges.size() - 1;
  cells.owners.assign((cells.rowEdges.size() - 1) * width, -1);
  auto first = [](const std::vector<int32_t> &edges, int32_t position) {
    return static_cast<size_t>(std::lower_bound(edges.begin(), edges.end(), position) - edges.begin());
  };
  for (int32_t program = 0; program < static_cast<int32_t>(m_tiles.size()); ++program)
    eachPiece(m_tiles[static_cast<size_t>(program)], [&](const TileRect &piece) {
      size_t left = first(cells.columnEdges, piece.columnBegin);
      size_t right = first(cells.columnEdges, piece.columnEnd);
      size_t bottom = first(cells.rowEdges, piece.rowEnd);
      for (size_t row = first(cells.rowEdges, piece.rowBegin); row < bottom; ++row)
        for (size_t column = left; column < right; ++column) {
          int32_t &owner = cells.owners[row * width + column];
          cells.shared += owner >= 0;
          owner = program;
        }
    });
  return cells;
}

int64_t TileMap::cellAt(const std::vector<int32_t> &edges, double position) {
  auto after = std::upper_bound(edges.begin(), edges.end(), position,
                                [](double value, int32_t edge) { return value < edge; });
  return after - edges.begin() - 1;
}

int32_t TileMap::programAt(double row, double column) const {
  int64_t cellRow = cellAt(rowEdges(), row), cellColumn = cellAt(columnEdges(), column);
  bool inside = cellRow >= 0 && cellRow < cellRows() && cellColumn >= 0 && cellColumn < cellColumns();
  return inside ? owner(cellRow, cellColumn) : -1;
}

} // namespace tilescope::viz
