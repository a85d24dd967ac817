// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of torch's CUDA generator: Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as
// 1, 2, 3", SC 2011), used as cuRAND and PyTorch's distribution kernels use it (aten/src/ATen/native/cuda/
// DistributionTemplates.h). Thread t takes subsequence t; which elements a thread fills depends on the number
// of threads, and that, beyond 270,336 elements, on the GPU. Modelled is one of 132 multiprocessors with 2048
// threads each (H100 and H200, SXM).
#pragma once

#include <array>
#include <cstdint>

namespace tilescope::host {

using PhiloxWords = std::array<uint32_t, 4>;

/// The block cipher: a counter and a key to four words.
PhiloxWords philox(PhiloxWords counter, std::array<uint32_t, 2> key);

/// In (0, 1], as curand_uniform.
float philoxUniform(uint32_t word);
/// In (0, 1], as curand_uniform_double of cuRAND's Philox.
double philoxUniform(uint32_t low, uint32_t high);

class PhiloxGenerator {
public:
  void seed(uint64_t seed);

  /// A kernel that fills a tensor: thread t fills, in its turn k, `perDraw` elements with one draw, each as
  /// many elements after the one before as there are threads.
  struct Launch {
    std::array<uint32_t, 2> key{};
    uint64_t counter = 0; ///< of the first turn
    int64_t threads = 1, turns = 0, perDraw = 4;

    PhiloxWords words(int64_t turn, int64_t thread) const;
    /// The element that number `k` of that draw is for; it may lie beyond the end.
    int64_t element(int64_t turn, int64_t thread, int64_t k) const {
      return (turn * perDraw + k) * threads + thread;
    }
  };
  /// For `count` elements, `perDraw` (4, or 2 of 64 bits) at a time; moves the generator on.
  Launch launch(int64_t count, int64_t perDraw);

private:
  uint64_t m_seed = 67280421310721;
  uint64_t m_offset = 0; ///< in words
};

} // namespace tilescope::host
