// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long something on the GPU takes, as Triton's `do_bench` has it: runs one after another, before each of which a buffer
// larger than the L2 cache is written, so that none finds its data there.
#pragma once

#include "compiler/Runtime/Cuda/Buffer.h"

#include <functional>

namespace tilescope::cuda {

struct TimingOptions {
  double warmupMs = 25; ///< runs for so long that do not count
  double measureMs = 100;
};

/// Milliseconds, by the GPU's own clock (events).
struct Times {
  double medianMs = 0;
  double p20Ms = 0, p80Ms = 0; ///< so many in a hundred runs are quicker
  int runs = 0;
};

/// Quantiles of a list that is not empty, between neighbours in proportion, as torch.quantile has it.
Times summarise(std::vector<double> milliseconds);

class Stopwatch {
public:
  /// Takes memory to flush the cache with: 256 MiB, or four times the L2 if that is more.
  static Result<std::unique_ptr<Stopwatch>> create(const Device &device);

  /// `begin` begins what is timed, and gives its error.
  Result<Times> time(const std::function<std::optional<Error>()> &begin, const TimingOptions &options = {});

  /// Bytes read and written a second by the driver's own copy of half a GiB: the most that a kernel can do here.
  Result<double> copyBytesPerSecond();

private:
  Stopwatch(const Device &device, Buffer flush) : m_device(device), m_flush(std::move(flush)) {}
  Result<std::vector<double>> run(const std::function<std::optional<Error>()> &begin, int runs);

  const Device &m_device;
  Buffer m_flush;
};

} // namespace tilescope::cuda
