// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements between memory and slots.
#pragma once

#include "compiler/Interpreter/NarrowFloat.h"
#include "compiler/Interpreter/Operations.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace tilescope::interp {

/// Copies runs of elements between memory (byteSize each) and slots (slotBytes each).
class Transfer {
public:
  explicit Transfer(ElementType type)
      : m_type(type), m_bytes(byteSize(type)), m_slotBytes(interp::slotBytes(type)),
        m_format(isNarrowFloat(type) ? &FloatFormat::of(type) : nullptr) {}

  unsigned bytes() const { return m_bytes; }
  unsigned slotBytes() const { return m_slotBytes; }

  void toSlot(const std::byte *memory, std::byte *slot, size_t count) const {
    if (m_format)
      decode(*m_format, memory, reinterpret_cast<float *>(slot), count);
    else if (m_type == ElementType::Bool)
      toBits(memory, slot, count);
    else
      copy(memory, slot, count);
  }
  /// Element i stands at memory[addresses[i] - origin]. `scratch` is for whoever must be decoded.
  void gather(const std::byte *memory, const uint64_t *addresses, uint64_t origin, std::byte *slot,
              size_t count, std::vector<std::byte> &scratch) const {
    const bool direct = !m_format && m_type != ElementType::Bool;
    if (!direct)
      scratch.resize(std::max(scratch.size(), count * m_bytes));
    std::byte *to = direct ? slot : scratch.data();
    if (m_bytes == 2)
      gatherUnits<2>(memory, addresses, origin, to, count);
    else if (m_bytes == 4)
      gatherUnits<4>(memory, addresses, origin, to, count);
    else if (m_bytes == 8)
      gatherUnits<8>(memory, addresses, origin, to, count);
    else
      gatherUnits<1>(memory, addresses, origin, to, count);
    if (!direct)
      toSlot(to, slot, count);
  }
  void toMemory(const std::byte *slot, std::byte *memory, size_t count) const {
    if (m_format)
      encode(*m_format, reinterpret_cast<const float *>(slot), memory, count);
    else
      copy(slot, memory, count);
  }

private:
  /// One element is the common case where addresses are scattered.
  void copy(const std::byte *from, std::byte *to, size_t count) const {
    if (count > 1)
      std::memcpy(to, from, count * m_bytes);
    else if (m_bytes == 4)
      std::memcpy(to, from, 4);
    else if (m_bytes == 8)
      std::memcpy(to, from, 8);
    else
      std::memcpy(to, from, m_bytes);
  }
  template <unsigned Bytes>
  static void gatherUnits(const std::byte *memory, const uint64_t *addresses, uint64_t origin, std::byte *to,
                          size_t count) {
    for (size_t i = 0; i < count; ++i)
      std::memcpy(to + i * Bytes, memory + (addresses[i] - origin), Bytes);
  }
  static void toBits(const std::byte *from, std::byte *to, size_t count) {
    for (size_t i = 0; i < count; ++i)
      to[i] = std::byte(from[i] != std::byte(0));
  }

  ElementType m_type;
  unsigned m_bytes, m_slotBytes;
  const FloatFormat *m_format;
};

} // namespace tilescope::interp
