// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPUs that can be chosen for the model, as data. Limits of an SM belong to the compute capability,
// the rest to the product.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tilescope::model {

/// What one SM of a compute capability holds. Source: CUDA C++ Programming Guide, "Technical
/// specifications per compute capability", and cuda_occupancy.h for the granularities.
struct SmLimits {
  int major, minor;          ///< compute capability
  int warps;                 ///< resident at a time, of 32 threads
  int programs;              ///< resident blocks at a time; Triton's program is one block
  int registers;             ///< of 32 bits
  int sharedBytes;           ///< of shared memory, at the largest carve-out
  int sharedBytesPerProgram; ///< the most one block may ask for
  int sharedGranularity;     ///< bytes; a block's shared memory is rounded up to it
  int sharedBytesReserved;   ///< bytes the system takes for each block
};

/// One product. Rates are the vendor's nominal ones, in 10^9 a second.
struct Gpu {
  std::string_view id;   ///< lower case, stable: "h200", "rtx-4070"
  std::string_view name; ///< as people say it: "H200", "RTX 4070"
  SmLimits sm;
  int sms;             ///< enabled streaming multiprocessors
  int l2MiB;           ///< level-2 cache, MiB
  double bandwidthGBs; ///< device memory, GB/s
  double boostClockGHz;
};

/// All of them: those of a desktop first, then those of a data centre, each by size.
std::span<const Gpu> gpus();

/// The GPU with that id, or null.
const Gpu *findGpu(std::string_view id);

/// The limits of a compute capability, or null for one that is not in the table.
const SmLimits *smLimits(int major, int minor);

} // namespace tilescope::model
