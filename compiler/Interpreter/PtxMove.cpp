// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX that moves, compares, converts, loads and stores.
#include "compiler/Interpreter/Machine.h"
#include "compiler/Interpreter/Ptx.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tilescope::interp {

namespace {

using Kind = PtxType::Kind;
using Wide = __int128;

//===- mov and selp -------------------------------------------------------------------------------===//

/// One register to one, to the parts of a vector, or the parts to one.
bool move(const PtxStep &step, uint64_t *registers, Frame &) {
  const size_t parts = std::max(step.results.size(), step.sources.size());
  if (step.results.size() == step.sources.size()) {
    for (size_t i = 0; i < parts; ++i)
      registers[step.results[i]] = registers[step.sources[i]];
    return true;
  }
  const PtxType part{Kind::Bits, static_cast<uint8_t>(step.source.bits * step.source.lanes / parts),
                     static_cast<uint8_t>(parts)};
  uint64_t whole = 0;
  for (unsigned i = 0; i < parts; ++i)
    if (step.sources.size() == 1)
      registers[step.results[i]] = ptxLane(part, registers[step.sources[0]], i);
    else
      whole = ptxPut(part, whole, i, registers[step.sources[i]]);
  if (step.results.size() == 1)
    registers[step.results[0]] = whole;
  return true;
}

bool select(const PtxStep &step, uint64_t *registers, Frame &) {
  const bool first = registers[step.sources[2]] & 1;
  registers[step.results[0]] = registers[step.sources[first ? 0 : 1]];
  return true;
}

//===- setp ---------------------------------------------------------------------------------------===//

constexpr std::string_view comparisons[] = {"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                                            "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
enum : uint8_t { FirstUnsigned = 6, FirstUnordered = 10, Num = 16, NaN = 17 };

/// eq, ne, lt, le, gt, ge by number, on what `<` and `==` say.
bool holds(unsigned comparison, bool less, bool equal) {
  const bool answers[] = {equal, !equal, less, less || equal, !less && !equal, !less};
  return answers[comparison];
}

bool compareReals(unsigned comparison, double a, double b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  if (comparison >= Num)
    return unordered == (comparison == NaN);
  if (unordered)
    return comparison >= FirstUnordered;
  return holds(comparison >= FirstUnordered ? comparison - FirstUnordered : comparison, a < b, a == b);
}

bool compareIntegers(PtxType type, unsigned comparison, uint64_t a, uint64_t b) {
  if (comparison >= FirstUnsigned) // lo, ls, hi, hs are lt, le, gt, ge
    comparison -= FirstUnsigned - 2;
  const bool less = type.isSigned() ? static_cast<int64_t>(a) < static_cast<int64_t>(b) : a < b;
  return holds(comparison, less, a == b);
}

bool compared(const PtxStep &step, const uint64_t *registers, unsigned lane) {
  const uint64_t a = registers[step.sources[0]], b = registers[step.sources[1]];
  if (step.source.isFloat())
    return compareReals(step.comparison, ptxReal(step.source, a, lane), ptxReal(step.source, b, lane));
  return compareIntegers(step.source, step.comparison, ptxLane(step.source, a, lane),
                         ptxLane(step.source, b, lane));
}

uint64_t combined(const PtxStep &step, const uint64_t *registers, bool value) {
  if (step.combine == 0)
    return value;
  const bool other = registers[step.sources[2]] & 1;
  return step.combine == '&' ? value && other : step.combine == '|' ? value || other : value != other;
}

/// A second predicate is that of the second lane, or of one lane the opposite.
bool setPredicate(const PtxStep &step, uint64_t *registers, Frame &) {
  const bool first = compared(step, registers, 0);
  const bool second = step.source.lanes == 2 ? compared(step, registers, 1) : !first;
  const uint64_t values[2] = {combined(step, registers, first), combined(step, registers, second)};
  for (size_t i = 0; i < step.results.size(); ++i)
    registers[step.results[i]] = values[i];
  return true;
}

//===- cvt ----------------------------------------------------------------------------------------===//

double roundedWhole(double value, PtxRounding rounding) {
  switch (rounding) {
  case PtxRounding::Zero:
    return std::trunc(value);
  case PtxRounding::Down:
    return std::floor(value);
  case PtxRounding::Up:
    return std::ceil(value);
  case PtxRounding::Nearest:
    break;
  }
  return std::nearbyint(value);
}

struct Range {
  Wide least, greatest;
};
Range rangeOf(PtxType type) {
  if (type.isSigned())
    return {-(Wide(1) << (type.bits - 1)), (Wide(1) << (type.bits - 1)) - 1};
  return {0, (Wide(1) << type.bits) - 1};
}

/// To the nearest end of the range; NaN is 0, or for 64 bits on either side the highest bit alone.
uint64_t realToInteger(const PtxStep &step, double value) {
  if (std::isnan(value))
    return step.source.bits == 64 || step.result.bits == 64 ? uint64_t(1) << (step.result.bits - 1) : 0;
  const Range range = rangeOf(step.result);
  const double whole = roundedWhole(value, step.rounding);
  if (whole <= static_cast<double>(range.least))
    return static_cast<uint64_t>(range.least);
  return static_cast<uint64_t>(whole >= static_cast<double>(range.greatest) ? range.greatest
                                                                            : static_cast<Wide>(whole));
}

/// An integer of 64 bits is rounded once, to fp32 too.
uint64_t integerToReal(const PtxStep &step, uint64_t value) {
  const bool isSigned = step.source.isSigned();
  if (step.result.bits == 32 && step.rounding == PtxRounding::Nearest) {
    const float single =
        isSigned ? static_cast<float>(static_cast<int64_t>(value)) : static_cast<float>(value);
    return ptxBits(step.result, single, PtxRounding::Nearest, false);
  }
  const double real =
      isSigned ? static_cast<double>(static_cast<int64_t>(value)) : static_cast<double>(value);
  return ptxBits(step.result, real, step.rounding, step.finite);
}

uint64_t integerToInteger(const PtxStep &step, uint64_t value) {
  if (!step.saturate)
    return value;
  const Range range = rangeOf(step.result);
  const Wide number = step.source.isSigned() ? Wide(static_cast<int64_t>(value)) : Wide(value);
  return static_cast<uint64_t>(std::clamp(number, range.least, range.greatest));
}

uint64_t realToReal(const PtxStep &step, double value) {
  if (step.toInteger)
    value = roundedWhole(value, step.rounding);
  if (step.saturate)
    value = value > 0 ? std::fmin(value, 1.0) : 0.0;
  return ptxBits(step.result, value, step.toInteger ? PtxRounding::Nearest : step.rounding,
                 step.finite || step.result.bits == 8);
}

/// From two sources the first is the upper lane.
bool convert(const PtxStep &step, uint64_t *registers, Frame &) {
  uint64_t whole = 0;
  const size_t count = step.sources.size();
  for (unsigned lane = 0; lane < step.result.lanes; ++lane) {
    const uint64_t from = registers[step.sources[count == 2 ? 1 - lane : 0]];
    const unsigned at = count == 2 ? 0 : lane;
    uint64_t bits;
    if (step.source.isFloat()) {
      const double value = ptxReal(step.source, from, at);
      bits = step.result.isFloat() ? realToReal(step, value) : realToInteger(step, value);
    } else {
      const uint64_t value = ptxLane(step.source, from, at);
      bits = step.result.isFloat() ? integerToReal(step, value) : integerToInteger(step, value);
    }
    whole = ptxPut(step.result, whole, lane, bits);
  }
  registers[step.results[0]] = ptxLane({step.result.isFloat() ? Kind::Bits : step.result.kind,
                                        static_cast<uint8_t>(step.result.bits * step.result.lanes), 1},
                                       whole, 0);
  return true;
}

//===- ld and st ----------------------------------------------------------------------------------===//

/// The tensor that holds `bytes` at an address; empty after a finding, which ends the launch.
Extent tensorAt(const PtxStep &step, Frame &frame, uint64_t address, uint64_t bytes) {
  const Extent extent = frame.worker->memory.find(address);
  if (extent.holds(address, bytes))
    return extent;
  Finding finding;
  finding.element = step.text;
  finding.address = address;
  frame.found(FindingKind::AssemblyOutside, std::move(finding));
  frame.leave(FrameState::Failed);
  return {};
}

const AccessDetail &noteAccess(const PtxStep &step, Frame &frame, uint64_t bytes) {
  const AccessDetail &access = frame.kernel.access(step.memory.access);
  AccessCounts &counts = frame.worker->counts[access.site];
  counts.active += bytes / byteSize(access.element);
  counts.bytes += bytes;
  return access;
}

bool loadRegisters(const PtxStep &step, uint64_t *registers, Frame &frame) {
  const uint64_t address = registers[step.sources[0]] + static_cast<uint64_t>(step.offset);
  const uint64_t each = step.source.bits * step.source.lanes / 8u, bytes = each * step.results.size();
  const Extent extent = tensorAt(step, frame, address, bytes);
  if (extent.bytes == 0)
    return false;
  const std::byte *from = frame.worker->memory.read(extent, address, bytes);
  const AccessDetail &access = noteAccess(step, frame, bytes);
  if (RaceCheck *races = frame.worker->launch.races) {
    races->acquire(frame, access, address);
    races->read(frame, access, extent, address, bytes);
  }
  const PtxType type{step.source.kind, static_cast<uint8_t>(8 * each), 1};
  for (uint16_t result : step.results) {
    uint64_t value = 0;
    std::memcpy(&value, from, each);
    registers[result] = ptxLane(type, value, 0);
    from += each;
  }
  return true;
}

bool storeRegisters(const PtxStep &step, uint64_t *registers, Frame &frame) {
  const uint64_t address = registers[step.sources[0]] + static_cast<uint64_t>(step.offset);
  const uint64_t each = step.source.bits * step.source.lanes / 8u, bytes = each * (step.sources.size() - 1);
  const Extent extent = tensorAt(step, frame, address, bytes);
  if (extent.bytes == 0)
    return false;
  const AccessDetail &access = noteAccess(step, frame, bytes);
  RaceCheck *races = frame.worker->launch.races;
  const bool racing = races && races->write(frame, access, extent, address, bytes);
  std::byte *to = frame.worker->memory.write(extent, address, bytes);
  const std::vector<std::byte> before(to, to + bytes);
  for (size_t i = 1; i < step.sources.size(); ++i)
    std::memcpy(to + (i - 1) * each, &registers[step.sources[i]], each);
  if (racing)
    races->wrote(frame, std::equal(before.begin(), before.end(), to));
  if (races)
    races->release(frame, access, std::span(&address, 1));
  if (frame.worker->stored)
    (*frame.worker->stored)(address, to, bytes);
  return true;
}

constexpr uint32_t AnyKind = ~uint32_t(0);

constexpr PtxRow rows[] = {
    {"mov", "", &move, AnySources, AnyKind},          {"selp", "", &select, 3, AnyKind},
    {"setp", "", &setPredicate, AnySources, AnyKind}, {"cvt", "", &convert, AnySources, AnyKind},
    {"ld", "", &loadRegisters, AnySources, AnyKind},  {"st", "", &storeRegisters, AnySources, AnyKind},
};

} // namespace

std::span<const PtxRow> ptxMoveRows() { return rows; }

bool ptxMemoryHint(std::string_view name, PtxMemory &memory) {
  static constexpr std::string_view strong[] = {"volatile", "relaxed", "acquire", "release", "mmio"};
  static constexpr std::string_view others[] = {"global", "weak", "cta", "cluster", "gpu", "sys",
                                                "ca",     "cg",   "cs",  "lu",      "cv",  "wb",
                                                "wt",     "nc",   "v2",  "v4",      "v8"};
  const auto is = [&](const auto &names) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
  };
  memory.isStrong |= is(strong);
  memory.acquires |= name == "acquire" || (name == "volatile" && memory.loads);
  memory.releases |= name == "release";
  return is(strong) || is(others) || name.starts_with("L1::") || name.starts_with("L2::");
}

int ptxComparison(std::string_view name) {
  const auto found = std::find(std::begin(comparisons), std::end(comparisons), name);
  return found == std::end(comparisons) ? -1 : static_cast<int>(found - std::begin(comparisons));
}

bool runPtx(const PtxProgram &program, uint64_t *registers, Frame &frame) {
  for (const auto &[to, from] : program.ties)
    registers[to] = registers[from];
  for (const PtxStep &step : program.steps)
    if (step.guard < 0 || (registers[step.guard] & 1) != step.guardIsNegated)
      if (!step.function(step, registers, frame))
        return false;
  return true;
}

} // namespace tilescope::interp
