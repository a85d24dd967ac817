// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tl.device_print, a line an element, as Triton writes it:
//   pid (0, 1, 0) idx ( 3, 12) x: 1.500000
// Indices are padded to the width of the greatest; a print of several values names each "(operand N)".
#include "compiler/Interpreter/Machine.h"
#include "compiler/Interpreter/NarrowFloat.h"
#include "compiler/Interpreter/Operations.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace tilescope::interp {

namespace {

/// The low bytes of an element, as memory would have it.
uint64_t bitsOf(Frame &frame, const PrintDetail &print, const std::byte *element) {
  std::byte stored[8] = {};
  if (isNarrowFloat(print.element))
    encode(FloatFormat::of(print.element), reinterpret_cast<const float *>(element), stored, 1);
  else
    std::memcpy(stored, element, byteSize(print.element));
  uint64_t bits;
  std::memcpy(&bits, stored, sizeof(bits));
  return bits;
}

std::string formatted(const char *format, auto value) {
  char buffer[512];
  const int length = std::snprintf(buffer, sizeof(buffer), format, value);
  return std::string(buffer, static_cast<size_t>(length));
}

std::string floatText(const PrintDetail &print, const std::byte *element) {
  if (print.element == ElementType::Float64) {
    double value;
    std::memcpy(&value, element, sizeof(value));
    return formatted("%f", value);
  }
  float value;
  std::memcpy(&value, element, sizeof(value));
  return formatted("%f", double(value));
}

std::string valueText(Frame &frame, const PrintDetail &print, const std::byte *element) {
  const uint64_t bits = bitsOf(frame, print, element);
  const unsigned width = byteSize(print.element);
  if (print.pointer)
    return formatted("0x%" PRIx64, bits);
  if (print.hex)
    return "0x" + formatted(width == 8   ? "%016" PRIx64
                            : width == 4 ? "%08" PRIx64
                            : width == 2 ? "%04" PRIx64
                                         : "%02" PRIx64,
                            bits);
  if (isFloat(print.element))
    return floatText(print, element);
  if (!isSignedInt(print.element))
    return formatted("%" PRIu64, bits);
  const unsigned unused = 64 - 8 * width;
  return formatted("%" PRId64, int64_t(bits << unused) >> unused);
}

std::string indexText(const std::vector<int64_t> &shape, uint64_t element) {
  std::string result;
  for (size_t i = shape.size(); i-- > 0; element /= uint64_t(shape[i])) {
    const std::string index = std::to_string(element % uint64_t(shape[i]));
    const size_t width = std::to_string(shape[i] - 1).size();
    result = std::string(width - index.size(), ' ') + index + (result.empty() ? "" : ", ") + result;
  }
  return result;
}

} // namespace

namespace control {

void print(Frame &frame, const Instruction &instruction) {
  const PrintDetail &print = frame.kernel.print(instruction.detail);
  Launch &launch = frame.worker->launch;
  const auto [x, y, z] = launch.coordinates(frame.program);
  const std::string program =
      "pid (" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ") idx (";
  const size_t size = instruction.single & 1 ? 0 : slotBytes(print.element);
  const std::byte *values = print.hasValue ? frame.at<std::byte>(instruction.operands[0]) : nullptr;
  const std::string operand = print.operand < 0 ? "" : "(operand " + std::to_string(print.operand) + ") ";
  for (size_t i = 0; i < instruction.count; ++i) {
    if (launch.printed++ >= launch.options.printLimit || !launch.options.print)
      continue;
    std::string line = program + indexText(print.shape, i) + ")" + print.prefix + operand;
    if (values)
      line += valueText(frame, print, values + i * size);
    launch.options.print(line);
  }
}

} // namespace control

} // namespace tilescope::interp
