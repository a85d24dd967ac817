// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/RandomCpu.h"

#include <array>
#include <cmath>
#include <numbers>

namespace tilescope::host {

namespace {

constexpr int64_t Block = 16;

} // namespace

void CpuGenerator::seed(uint64_t seed) {
  m_engine.seed(static_cast<uint32_t>(seed));
  m_nextNormal.reset();
}

uint64_t CpuGenerator::longWord() {
  const uint64_t high = word();
  return high << 32 | word();
}

double CpuGenerator::uniform(Width width) {
  return width == Width::Double ? double(longWord() & ((uint64_t(1) << 53) - 1)) * 0x1p-53
                                : double(word() & 0xff'ffff) * 0x1p-24;
}

double CpuGenerator::normal() {
  if (m_nextNormal) {
    const double value = *m_nextNormal;
    m_nextNormal.reset();
    return value;
  }
  const double angle = 2 * std::numbers::pi * uniform(Width::Double);
  const double radius = std::sqrt(-2 * std::log1p(-uniform(Width::Double)));
  m_nextNormal = radius * std::sin(angle);
  return radius * std::cos(angle);
}

uint64_t CpuGenerator::integer(uint64_t range) {
  constexpr uint64_t Long = uint64_t(1)
                            << 28; // from here on the remainder of one word would be visibly uneven
  return (range >= Long || range == 0 ? longWord() : word()) % std::max<uint64_t>(range, 1);
}

bool CpuGenerator::normals(int64_t count, Width width, const Sink &sink) {
  std::array<double, Block> block;
  auto draw = [&](int64_t from) {
    for (double &value : std::span(block).subspan(from))
      value = uniform(width);
  };
  auto emit = [&](int64_t first) {
    for (int64_t i = 0; i < Block / 2; ++i) {
      const double radius = std::sqrt(-2 * std::log(1 - block[i])),
                   angle = 2 * std::numbers::pi * block[i + 8];
      block[i] = radius * std::cos(angle);
      block[i + 8] = radius * std::sin(angle);
    }
    return sink(first, block);
  };
  if (count < Block) {
    for (int64_t i = 0; i < count; ++i) {
      const double value = normal();
      sink(i, {&value, 1});
    }
    return true;
  }
  for (int64_t first = 0; first + Block <= count; first += Block) {
    draw(0);
    if (!emit(first))
      return false;
  }
  const int64_t rest = count % Block;
  if (rest == 0)
    return true;
  // All elements take their uniform number first, but for the types of 16 bits; then the last block is drawn
  // anew.
  for (int64_t i = 0; width != Width::Short && i < rest; ++i)
    uniform(width);
  draw(0);
  return emit(count - Block);
}

} // namespace tilescope::host
