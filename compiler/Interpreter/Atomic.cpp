// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics, element by element in row-major order. Integers change at one stroke for all threads; kernels in
// which the order shows (floats, results that are used) run their programs on one thread
// (Kernel::inProgramOrder).
#include "compiler/Interpreter/Access.h"

#include <bit>

namespace tilescope::interp {

namespace {

/// The greater or the lesser as Triton's integer atomics compare the bits of floats: -0 is below 0, and NaN
/// beyond all numbers of its sign.
template <typename T> T extreme(AtomicKind kind, T old, T value) {
  using Signed = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;
  using Unsigned = std::make_unsigned_t<Signed>;
  const auto a = std::bit_cast<Signed>(old), b = std::bit_cast<Signed>(value);
  const bool isMax = kind == AtomicKind::Max;
  if (b >= 0)
    return std::bit_cast<T>(isMax ? std::max(a, b) : std::min(a, b));
  const auto x = static_cast<Unsigned>(a), y = static_cast<Unsigned>(b);
  return std::bit_cast<T>(isMax ? std::min(x, y) : std::max(x, y));
}

template <typename T> T combined(AtomicKind kind, T old, T value) {
  switch (kind) {
  case AtomicKind::Add:
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<uint64_t>(old) + static_cast<uint64_t>(value));
    else
      return old + value;
  case AtomicKind::Max:
  case AtomicKind::Min:
    if constexpr (std::is_integral_v<T>)
      return kind == AtomicKind::Max ? std::max(old, value) : std::min(old, value);
    else
      return extreme(kind, old, value);
  default:
    break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (kind == AtomicKind::And)
      return static_cast<T>(old & value);
    if (kind == AtomicKind::Or)
      return static_cast<T>(old | value);
    if (kind == AtomicKind::Xor)
      return static_cast<T>(old ^ value);
  }
  return value; // exchange
}

/// Where the address is not a multiple of the size, which a GPU refuses, it is plain.
template <typename T, typename Change> T change(std::byte *at, Change next) {
  if (reinterpret_cast<uintptr_t>(at) % sizeof(T) != 0) {
    T old;
    std::memcpy(&old, at, sizeof(T));
    const T wanted = next(old);
    std::memcpy(at, &wanted, sizeof(T));
    return old;
  }
  std::atomic_ref<T> cell(*reinterpret_cast<T *>(at));
  T old = cell.load();
  while (!cell.compare_exchange_weak(old, next(old))) {
  }
  return old;
}

template <typename T>
void atomicElement(const AccessDetail &detail, std::byte *at, std::byte *old, const std::byte *value,
                   const std::byte *replacement) {
  T operand, result;
  std::memcpy(&operand, value, sizeof(T));
  if (detail.atomic == AtomicKind::CompareExchange) {
    T wanted;
    std::memcpy(&wanted, replacement, sizeof(T));
    result = change<T>(at, [&](T found) { return found == operand ? wanted : found; });
  } else {
    result = change<T>(at, [&](T found) { return combined(detail.atomic, found, operand); });
  }
  std::memcpy(old, &result, sizeof(T));
}

/// A narrow float: computed in fp32, rounded, and written back. Compared by its bits.
void atomicNarrow(const AccessDetail &detail, std::byte *at, std::byte *old, const std::byte *value,
                  const std::byte *replacement) {
  const FloatFormat &format = FloatFormat::of(detail.element);
  float found, operand, next;
  decode(format, at, &found, 1);
  std::memcpy(&operand, value, sizeof(float));
  if (detail.atomic == AtomicKind::CompareExchange) {
    std::byte wanted[2];
    encode(format, &operand, wanted, 1);
    std::memcpy(&next,
                std::memcmp(wanted, at, format.bytes) == 0 ? replacement
                                                           : reinterpret_cast<std::byte *>(&found),
                sizeof(float));
  } else {
    next = combined(detail.atomic, found, operand);
    roundTo(format, /*towardZero=*/false, /*saturate=*/false, &next, &next, 1);
  }
  encode(format, &next, at, 1);
  std::memcpy(old, &found, sizeof(float));
}

using ElementFunction = void (*)(const AccessDetail &, std::byte *, std::byte *, const std::byte *,
                                 const std::byte *);

ElementFunction elementFunction(const AccessDetail &detail) {
  const bool bitsOnly = detail.atomic == AtomicKind::CompareExchange;
  switch (detail.element) {
  case ElementType::Int8:
    return &atomicElement<int8_t>;
  case ElementType::UInt8:
    return &atomicElement<uint8_t>;
  case ElementType::Int16:
    return &atomicElement<int16_t>;
  case ElementType::UInt16:
    return &atomicElement<uint16_t>;
  case ElementType::Int32:
    return &atomicElement<int32_t>;
  case ElementType::UInt32:
    return &atomicElement<uint32_t>;
  case ElementType::Int64:
    return &atomicElement<int64_t>;
  case ElementType::UInt64:
    return &atomicElement<uint64_t>;
  case ElementType::Float32:
    return bitsOnly ? &atomicElement<uint32_t> : &atomicElement<float>;
  case ElementType::Float64:
    return bitsOnly ? &atomicElement<uint64_t> : &atomicElement<double>;
  default:
    return &atomicNarrow;
  }
}

/// An atomic that adds to what nobody wrote. It stays undefined, so that all programs are told of alike.
void foundUnwritten(Frame &frame, const AccessRun &access, size_t i, const Extent &extent) {
  Finding finding;
  finding.element = i;
  finding.elements = 1;
  finding.origin = frame.pc - 1;
  finding.originKind = OriginKind::Unwritten;
  finding.address = access.address(i);
  finding.tensor = extent.id;
  frame.found(FindingKind::UndefinedAtomic, finding, frame.kernel.placeOf(finding.origin));
}

void atomicLoop(Frame &frame, const Instruction &instruction) {
  const AccessDetail &detail = frame.kernel.access(instruction.detail);
  const bool compares = detail.atomic == AtomicKind::CompareExchange;
  AccessRun access(frame, instruction, /*maskOperand=*/compares ? 3 : 2, FindingKind::OutOfBoundsAtomic);
  const ElementFunction apply = elementFunction(detail);
  const size_t size = slotBytes(detail.element);
  const size_t valueStride = instruction.single & 2 ? 0 : size;
  const size_t replacementStride = !compares || instruction.single & 4 ? 0 : size;
  std::byte *result = frame.at<std::byte>(instruction.result);
  const std::byte *value = frame.at<std::byte>(instruction.operands[1]);
  const std::byte *replacement = frame.at<std::byte>(instruction.operands[2]);
  Worker &worker = *frame.worker;
  RaceCheck *races = worker.launch.races;
  std::vector<Address> released; // what changes nothing tells nobody anything
  access.forEach(
      [&](size_t first, size_t count, const Extent &extent) {
        for (size_t i = first; i < first + count; ++i) {
          if (races && detail.resultUsed)
            races->acquire(frame, detail, access.address(i));
          if (races && races->write(frame, detail, extent, access.address(i), access.bytes()))
            races->wrote(frame, false);
          const bool reads = detail.atomic != AtomicKind::Exchange;
          if (reads && !worker.memory.isDefined(access.address(i), access.bytes())) [[unlikely]]
            foundUnwritten(frame, access, i, extent);
          std::byte *at = reads ? worker.memory.change(extent, access.address(i), access.bytes())
                                : worker.memory.write(extent, access.address(i), access.bytes());
          std::byte before[8];
          if (races)
            std::memcpy(before, at, access.bytes());
          apply(detail, at, result + i * size, value + i * valueStride, replacement + i * replacementStride);
          if (races && detail.releases && std::memcmp(before, at, access.bytes()) != 0)
            released.push_back(access.address(i));
        }
      },
      [&](size_t first, size_t count, bool) { std::memset(result + first * size, 0, count * size); });
  if (!released.empty())
    races->release(frame, detail, released);
  if (!detail.resultUsed)
    return;
  frame.log.begin();
  if (worker.replays)
    frame.log.restore(result, instruction.count * size);
  else if (worker.launch.log)
    frame.log.record(result, instruction.count * size);
}

} // namespace

Handler atomic() { return &atomicLoop; }

} // namespace tilescope::interp
