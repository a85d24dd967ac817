// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/SlotValue.h"

#include "compiler/Interpreter/Operations.h"

#include <cstring>

namespace tilescope::interp {

double slotValue(const std::byte *at, ElementType type) {
  const auto as = [&]<typename T>(T value) {
    std::memcpy(&value, at, sizeof(T));
    return static_cast<double>(value);
  };
  switch (slotType(type)) {
  case ElementType::Float32:
    return as(float{});
  case ElementType::Float64:
    return as(double{});
  case ElementType::Int8:
    return as(int8_t{});
  case ElementType::Int16:
    return as(int16_t{});
  case ElementType::Int32:
    return as(int32_t{});
  case ElementType::Int64:
    return as(int64_t{});
  case ElementType::UInt16:
    return as(uint16_t{});
  case ElementType::UInt32:
    return as(uint32_t{});
  case ElementType::UInt64:
    return as(uint64_t{});
  default:
    return as(uint8_t{});
  }
}

} // namespace tilescope::interp
