// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// torch's default generators, bit for bit as far as their results are defined by integers: MT19937 on the CPU
// (RandomCpu.h), Philox 4x32-10 on a GPU (RandomPhilox.h). Normal numbers go through log, sin and cos and may
// differ from PyTorch's in the last place.
#pragma once

#include "compiler/Host/RandomCpu.h"
#include "compiler/Host/RandomPhilox.h"
#include "compiler/Host/TensorData.h"

namespace tilescope::host {

struct Distribution {
  enum class Kind : uint8_t { Uniform, Normal, Integer, Permutation };
  Kind kind = Kind::Uniform;
  double first = 0, second = 1; ///< Uniform: from, to (exclusive); Normal: mean, standard deviation
  int64_t low = 0;              ///< Integer: from here
  uint64_t range = 1;           ///< Integer: so many different ones
};

class Random {
public:
  /// torch.manual_seed: of both generators.
  void seed(uint64_t seed);
  /// Fills a tensor in row-major order, and moves the generator of its device on. A permutation on a GPU is
  /// that of the CPU's algorithm with Philox's numbers: PyTorch sorts random keys there, which is not
  /// modelled. False: stopped.
  bool fill(OperationContext &context, const TensorObject &tensor, const Distribution &distribution);

private:
  CpuGenerator m_cpu;
  PhiloxGenerator m_gpu;
};

} // namespace tilescope::host
