// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of torch's CPU generator (aten/src/ATen/CPUGeneratorImpl.cpp,
// native/cpu/DistributionTemplates.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>

namespace tilescope::host {

/// torch's default seed, of all its generators.
constexpr uint64_t DefaultSeed = 67280421310721;

class CpuGenerator {
public:
  /// Elements are drawn differently by width: float64 takes two words a number.
  enum class Width : uint8_t { Short, Single, Double };

  explicit CpuGenerator(uint64_t seed = DefaultSeed) { this->seed(seed); }
  void seed(uint64_t seed);

  uint32_t word() { return static_cast<uint32_t>(m_engine()); }
  uint64_t longWord();
  /// In [0, 1): 24 bits, or 53.
  double uniform(Width width);
  /// One of a standard normal distribution by Box and Muller; the second of each pair is kept for the next
  /// call.
  double normal();
  /// Below `range`.
  uint64_t integer(uint64_t range);

  /// Takes what normals() makes: `values` for the elements from `first` on. False ends it.
  using Sink = std::function<bool(int64_t first, std::span<const double> values)>;
  /// `count` standard normal numbers. From 16 on they are made in blocks of 16 out of 16 uniform ones; a last
  /// block that is not full is made anew and laid over the end. False: the sink ended it.
  bool normals(int64_t count, Width width, const Sink &sink);

private:
  std::mt19937 m_engine;
  std::optional<double> m_nextNormal;
};

} // namespace tilescope::host
