// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's libdevice on the CPU: what each of its symbols computes, and how far a GPU may be from that.
// Triton links libdevice so that fp32 numbers too small to be normal count as zero in most functions; so they
// do here where a function is exact but for that.
#pragma once

#include "compiler/Interpreter/Kernel.h"

#include <string_view>

namespace tilescope::interp {

/// A GPU's result agrees with ours if it is within so many units in the last place, or within an absolute
/// distance. Sources: the maximum errors in the CUDA C++ Programming Guide, "Mathematical Functions", and
/// what an H200 gave.
struct Tolerance {
  double ulps = 0;
  double absolute = 0;
};

struct LibdeviceFunction {
  Handler handler = nullptr;
  /// Of functions of four arguments: makes one fp64 of the first three, which the handler takes with the
  /// fourth.
  Handler begin = nullptr;
  Tolerance tolerance;
};

/// Null for what is no symbol of libdevice that Triton offers.
const LibdeviceFunction *findLibdevice(std::string_view symbol);

} // namespace tilescope::interp
