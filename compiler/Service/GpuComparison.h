// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch wrote on a GPU beside what the interpreter wrote from the same memory.
#pragma once

#include "compiler/Memory/AddressSpace.h"
#include "compiler/Value/ElementType.h"

#include <span>
#include <string>
#include <vector>

namespace tilescope::service {

/// Two NaN are equal, whatever their bits; 0 and -0 are not.
struct TensorComparison {
  std::string name; ///< of the tensor, or of the parameter that it is
  ElementType type = ElementType::UInt8;
  uint64_t elements = 0;
  uint64_t different = 0;
  uint64_t first = 0;             ///< that differs; counted from the tensor's beginning
  double gpu = 0, interpreter = 0; ///< the values there
  uint64_t ulps = 0;   ///< the most: places between the two among all numbers of the type; all bits set where one is NaN
  double absolute = 0; ///< the most; infinity where one is NaN or they are different infinities
  double relative = 0; ///< the most of |gpu - interpreter| / (1 + |interpreter|)
};

/// Both hold whole elements, of the same number.
TensorComparison compareElements(ElementType type, std::span<const std::byte> gpu,
                                 std::span<const std::byte> interpreter);

/// The bytes of a tensor after a launch on a GPU.
struct GpuResult {
  AllocationId tensor = 0;
  std::vector<std::byte> bytes;
};

} // namespace tilescope::service
