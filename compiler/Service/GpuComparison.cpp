// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/GpuComparison.h"

#include "compiler/Interpreter/NarrowFloat.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tilescope::service {
namespace {

/// An element as a number, and its place among all of its type: neighbours are 1 apart.
struct Number {
  double value = 0;
  int64_t place = 0;
};

uint64_t bitsAt(const std::byte *at, unsigned bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, bytes);
  return bits;
}

double floatAt(ElementType type, const std::byte *at) {
  if (type == ElementType::Float64) {
    double value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  float value;
  if (type == ElementType::Float32)
    std::memcpy(&value, at, sizeof value);
  else
    interp::decode(interp::FloatFormat::of(type), at, &value, 1);
  return double(value);
}

Number numberAt(ElementType type, const std::byte *at) {
  const unsigned bytes = byteSize(type);
  const uint64_t bits = bitsAt(at, bytes), sign = uint64_t(1) << (8 * bytes - 1);
  if (isFloat(type)) {
    // -0 is the place before 0.
    const int64_t place = bits & sign ? -1 - int64_t(bits & (sign - 1)) : int64_t(bits);
    return {floatAt(type, at), place};
  }
  if (isSignedInt(type)) {
    const int64_t value = int64_t(bits ^ sign) - int64_t(sign);
    return {double(value), value};
  }
  return {double(bits), int64_t(bits)};
}

void note(TensorComparison &result, uint64_t element, const Number &gpu, const Number &interpreter) {
  if (result.different++ == 0) {
    result.first = element;
    result.gpu = gpu.value;
    result.interpreter = interpreter.value;
  }
  const double distance = std::abs(gpu.value - interpreter.value);
  if (std::isnan(distance)) {
    result.ulps = std::numeric_limits<uint64_t>::max();
    result.absolute = result.relative = std::numeric_limits<double>::infinity();
    return;
  }
  const uint64_t places = gpu.place > interpreter.place ? uint64_t(gpu.place) - uint64_t(interpreter.place)
                                                        : uint64_t(interpreter.place) - uint64_t(gpu.place);
  result.ulps = std::max(result.ulps, places);
  result.absolute = std::max(result.absolute, distance);
  result.relative = std::max(result.relative, distance / (1 + std::abs(interpreter.value)));
}

} // namespace

TensorComparison compareElements(ElementType type, std::span<const std::byte> gpu,
                                 std::span<const std::byte> interpreter) {
  TensorComparison result;
  result.type = type;
  const unsigned bytes = byteSize(type);
  result.elements = gpu.size() / bytes;
  for (uint64_t i = 0; i < result.elements; ++i) {
    const std::byte *ours = gpu.data() + i * bytes, *theirs = interpreter.data() + i * bytes;
    if (std::memcmp(ours, theirs, bytes) == 0)
      continue;
    const Number a = numberAt(type, ours), b = numberAt(type, theirs);
    if (!(std::isnan(a.value) && std::isnan(b.value)))
      note(result, i, a, b);
  }
  return result;
}

} // namespace tilescope::service
