// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single elements by their index, histograms, and operands of scaled products.
#include "compiler/Interpreter/Loops.h"
#include "compiler/Interpreter/Operations.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilescope::interp {

namespace {

//===- gather -------------------------------------------------------------------------------------===//

void reportIndex(Frame &frame, int64_t index, uint64_t element, uint32_t length) {
  Finding finding;
  finding.element = element;
  finding.address = static_cast<Address>(index);
  finding.bytes = length;
  frame.found(FindingKind::GatherOutside, std::move(finding));
}

template <typename T> void gatherLoop(Frame &frame, const Instruction &instruction) {
  const GatherDetail &detail = frame.kernel.gather(instruction.detail);
  const T *source = frame.at<T>(instruction.operands[0]);
  const int64_t *indices = frame.at<int64_t>(instruction.operands[1]);
  T *result = frame.at<T>(instruction.result);
  size_t element = 0;
  for (size_t outer = 0; outer < detail.outer; ++outer, source += size_t(detail.length) * detail.inner)
    for (size_t i = 0; i < detail.indices; ++i)
      for (size_t inner = 0; inner < detail.inner; ++inner, ++element) {
        const int64_t index = indices[element];
        const bool isInside = index >= 0 && index < int64_t(detail.length);
        result[element] = isInside ? source[size_t(index) * detail.inner + inner] : T();
        if (!isInside)
          reportIndex(frame, index, element, detail.length);
      }
}

template <typename T> void pickLoop(Frame &frame, const Instruction &instruction) {
  const int32_t index = *frame.at<int32_t>(instruction.operands[1]);
  *frame.at<T>(instruction.result) =
      frame.at<T>(instruction.operands[0])[uint32_t(index) + instruction.detail];
}
template <typename T> void putLoop(Frame &frame, const Instruction &instruction) {
  const int32_t index = *frame.at<int32_t>(instruction.operands[1]);
  frame.at<T>(instruction.result)[uint32_t(index) + instruction.detail] =
      *frame.at<T>(instruction.operands[0]);
}

//===- histogram ----------------------------------------------------------------------------------===//

void histogramLoop(Frame &frame, const Instruction &instruction) {
  const uint32_t *values = frame.at<uint32_t>(instruction.operands[0]);
  const uint8_t *mask = instruction.used & 2 ? frame.at<uint8_t>(instruction.operands[1]) : nullptr;
  int32_t *bins = frame.at<int32_t>(instruction.result);
  std::fill_n(bins, instruction.detail, 0);
  for (uint32_t i = 0; i < instruction.count; ++i)
    if ((!mask || mask[i]) && values[i] < instruction.detail)
      ++bins[values[i]];
}

//===- Operands of scaled products ----------------------------------------------------------------===//

/// The OCP Microscaling format of 4 bits: sign, two bits of exponent, one digit.
constexpr float E2M1Values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0f, -0.5, -1, -1.5, -2, -3, -4, -6};

float scaleOf(const ScaledDetail &detail, const void *scales, size_t index) {
  if (detail.realScales)
    return static_cast<const float *>(scales)[index];
  const uint8_t exponent = static_cast<const uint8_t *>(scales)[index];
  if (exponent == 255)
    return detail.ignoreNaN ? std::numeric_limits<float>::infinity()
                            : std::numeric_limits<float>::quiet_NaN();
  return std::ldexp(1.0f, exponent - 127);
}

template <bool IsPacked>
float elementAt(const ScaledDetail &detail, const void *elements, size_t batch, size_t row, size_t column) {
  if constexpr (!IsPacked)
    return static_cast<const float *>(elements)[(batch * detail.rows + row) * detail.columns + column];
  const size_t rows = detail.rows >> detail.packedRows, columns = detail.columns >> detail.packedColumns;
  const size_t half = detail.packedRows ? row & 1 : column & 1;
  const uint8_t byte = static_cast<const uint8_t *>(
      elements)[(batch * rows + (row >> detail.packedRows)) * columns + (column >> detail.packedColumns)];
  return E2M1Values[byte >> (4 * half) & 0xf];
}

/// Scales are [batch, M or N, groups along K] on both sides of the product.
template <bool IsPacked> void unpackLoop(Frame &frame, const Instruction &instruction) {
  const ScaledDetail &detail = frame.kernel.scaled(instruction.detail);
  const auto *elements = frame.at<std::byte>(instruction.operands[0]);
  const auto *scales = detail.group ? frame.at<std::byte>(instruction.operands[1]) : nullptr;
  float *result = frame.at<float>(instruction.result);
  const size_t others = detail.scalesRows ? detail.rows : detail.columns;
  const size_t groups = detail.group ? (detail.scalesRows ? detail.columns : detail.rows) / detail.group : 0;
  for (size_t batch = 0; batch < detail.batch; ++batch)
    for (size_t row = 0; row < detail.rows; ++row)
      for (size_t column = 0; column < detail.columns; ++column) {
        const float value = elementAt<IsPacked>(detail, elements, batch, row, column);
        const size_t other = detail.scalesRows ? row : column, k = detail.scalesRows ? column : row;
        *result++ = groups == 0 ? value
                                : value * scaleOf(detail, scales,
                                                  (batch * others + other) * groups + k / detail.group);
      }
}

template <template <typename> class Make> Handler forBytes(unsigned bytes) {
  switch (bytes) {
  case 1:
    return Make<uint8_t>::handler();
  case 2:
    return Make<uint16_t>::handler();
  case 4:
    return Make<uint32_t>::handler();
  default:
    return Make<uint64_t>::handler();
  }
}
template <typename T> struct Gather {
  static Handler handler() { return &gatherLoop<T>; }
};
template <typename T> struct Pick {
  static Handler handler() { return &pickLoop<T>; }
};
template <typename T> struct Put {
  static Handler handler() { return &putLoop<T>; }
};

} // namespace

Handler gather(unsigned bytes) { return forBytes<Gather>(bytes); }
Handler histogram() { return &histogramLoop; }
Handler unpackScaled(bool isPacked) { return isPacked ? &unpackLoop<true> : &unpackLoop<false>; }
Handler pickElement(unsigned bytes) { return forBytes<Pick>(bytes); }
Handler putElement(unsigned bytes) { return forBytes<Put>(bytes); }

} // namespace tilescope::interp
