// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visualizer/model/TileLayout.h"

#include <algorithm>

namespace tilescope::viz {

namespace {

int64_t applied(const protocol::Packed &bases, int number) {
  int64_t element = 0;
  for (size_t bit = 0; bit < bases.values.size(); ++bit)
    if (number >> bit & 1)
      element ^= bases.values[bit];
  return element;
}

} // namespace

TileLayout::TileLayout(const protocol::AccessDetail &detail) : m_layout(detail.layout), m_warps(detail.warps) {
  int64_t count = 1;
  for (int64_t extent : detail.shape)
    count *= extent;
  m_places.resize(static_cast<size_t>(count));
  for (int warp = 0; warp < m_warps; ++warp)
    for (int lane = 0; lane < lanes(); ++lane)
      for (int reg = 0; reg < registers(); ++reg) {
        bool copy = reg & m_layout.freeRegisters || lane & m_layout.freeLanes || warp & m_layout.freeWarps;
        int64_t at = element(reg, lane, warp);
        if (!copy && at < count)
          m_places[static_cast<size_t>(at)] = {reg, static_cast<int16_t>(lane), static_cast<int16_t>(warp)};
      }
}

int64_t TileLayout::element(int reg, int lane, int warp) const {
  return applied(m_layout.registers, reg) ^ applied(m_layout.lanes, lane) ^ applied(m_layout.warps, warp);
}

bool TileLayout::isVectorBit(int bit) const {
  return std::ranges::find(m_layout.vectorBits.values, bit) != m_layout.vectorBits.values.end();
}

int TileLayout::instruction(int reg) const {
  int number = 0, place = 0;
  for (int bit = 0; bit < static_cast<int>(m_layout.registers.values.size()); ++bit) {
    if (isVectorBit(bit) || m_layout.freeRegisters >> bit & 1)
      continue;
    number |= (reg >> bit & 1) << place++;
  }
  return number;
}

int TileLayout::vectorPlace(int reg) const {
  int number = 0, place = 0;
  for (int bit : m_layout.vectorBits.values)
    number |= (reg >> bit & 1) << place++;
  return number;
}

int64_t TileLayout::request(int64_t element) const {
  ElementPlace at = place(element);
  return static_cast<int64_t>(instruction(at.reg)) * m_warps + at.warp;
}

std::vector<int64_t> TileLayout::elementsOf(int instruction, int lane, int warp) const {
  std::vector<int64_t> elements(size_t{1} << m_layout.vectorBits.values.size());
  int first = 0, place = 0; // the register whose instruction bits are these and whose other bits are 0
  for (int bit = 0; bit < static_cast<int>(m_layout.registers.values.size()); ++bit)
    if (!isVectorBit(bit) && !(m_layout.freeRegisters >> bit & 1))
      first |= (instruction >> place++ & 1) << bit;
  for (size_t i = 0; i < elements.size(); ++i) {
    int reg = first;
    for (size_t bit = 0; bit < m_layout.vectorBits.values.size(); ++bit)
      reg |= static_cast<int>(i >> bit & 1) << m_layout.vectorBits.values[bit];
    elements[i] = element(reg, lane & (lanes() - 1), warp);
  }
  return elements;
}

} // namespace tilescope::viz
