// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/RandomPhilox.h"

#include <algorithm>

namespace tilescope::host {

namespace {

constexpr int64_t BlockThreads = 256;
constexpr int64_t Multiprocessors = 132, ThreadsEach = 2048;
constexpr uint64_t WordsPerDraw = 4;

} // namespace

PhiloxWords philox(PhiloxWords counter, std::array<uint32_t, 2> key) {
  constexpr uint64_t M0 = 0xd2511f53, M1 = 0xcd9e8d57;
  constexpr uint32_t W0 = 0x9e3779b9, W1 = 0xbb67ae85;
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = M0 * counter[0], b = M1 * counter[2];
    counter = {uint32_t(b >> 32) ^ counter[1] ^ key[0], uint32_t(b), uint32_t(a >> 32) ^ counter[3] ^ key[1],
               uint32_t(a)};
    key[0] += W0;
    key[1] += W1;
  }
  return counter;
}

float philoxUniform(uint32_t word) { return float(word) * 0x1p-32f + 0x1p-33f; }

double philoxUniform(uint32_t low, uint32_t high) {
  return double(uint64_t(low) ^ uint64_t(high) << 21) * 0x1p-53 + 0x1p-54;
}

void PhiloxGenerator::seed(uint64_t seed) {
  m_seed = seed;
  m_offset = 0;
}

PhiloxGenerator::Launch PhiloxGenerator::launch(int64_t count, int64_t perDraw) {
  const int64_t blocks =
      std::min(Multiprocessors * (ThreadsEach / BlockThreads), (count + BlockThreads - 1) / BlockThreads);
  Launch launch;
  launch.key = {uint32_t(m_seed), uint32_t(m_seed >> 32)};
  launch.counter = m_offset / WordsPerDraw;
  launch.threads = std::max<int64_t>(blocks, 1) * BlockThreads;
  launch.perDraw = perDraw;
  launch.turns = count > 0 ? (count - 1) / (launch.threads * perDraw) + 1 : 0;
  m_offset += uint64_t(launch.turns) * WordsPerDraw;
  return launch;
}

PhiloxWords PhiloxGenerator::Launch::words(int64_t turn, int64_t thread) const {
  const uint64_t at = counter + uint64_t(turn);
  return philox({uint32_t(at), uint32_t(at >> 32), uint32_t(thread), uint32_t(uint64_t(thread) >> 32)}, key);
}

} // namespace tilescope::host
