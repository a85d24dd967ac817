// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/Access.h"

#include "compiler/Interpreter/Loops.h"

namespace tilescope::interp {

namespace {

/// The instruction's tensor where all elements share one.
Extent commonExtent(Frame &frame, const Provenance &provenance) {
  if (provenance.kind == Provenance::Kind::Argument)
    return frame.worker->launch.extents[provenance.index];
  return provenance.kind == Provenance::Kind::Slot && provenance.single
             ? frame.worker->memory.extent(*frame.at<AllocationId>(provenance.index))
             : Extent{};
}

/// Not 0 where addresses are not `bytes` apart.
TILESCOPE_WIDE_VECTORS uint64_t stray(const uint64_t *addresses, size_t count, uint64_t bytes) {
  uint64_t result = 0, expected = addresses[0];
  for (size_t i = 0; i < count; ++i, expected += bytes)
    result |= addresses[i] ^ expected;
  return result;
}

} // namespace

std::optional<LeftDimension> leftDimension(Frame &frame, const BlockDetail &block, uint64_t element) {
  std::optional<LeftDimension> left;
  for (size_t d = block.dimensions.size(); d-- > 0;) {
    const BlockDetail::Dimension &dimension = block.dimensions[d];
    const uint64_t along = element % static_cast<uint64_t>(dimension.extent);
    element /= static_cast<uint64_t>(dimension.extent);
    const int64_t index = frame.at<int64_t>(dimension.indices)[dimension.single ? 0 : along];
    const int64_t size = *frame.at<int64_t>(dimension.size);
    if (index < 0 || index >= size)
      left = {static_cast<int>(d), index, size};
  }
  return left;
}

AccessRun::AccessRun(Frame &frame, const Instruction &instruction, unsigned maskOperand, FindingKind outside)
    : m_frame(frame), m_instruction(instruction), m_detail(frame.kernel.access(instruction.detail)),
      m_bytes(byteSize(m_detail.element)), m_addresses(frame.at<uint64_t>(instruction.operands[0])),
      m_extent(commonExtent(frame, m_detail.provenance)), m_outside(outside),
      m_singleAddress((instruction.single & 1) != 0), m_counts(frame.worker->counts[m_detail.site]) {
  if (m_detail.provenance.kind == Provenance::Kind::Slot && !m_detail.provenance.single)
    m_tensors = frame.at<AllocationId>(m_detail.provenance.index);
  if (instruction.used >> maskOperand & 1) {
    const uint8_t *mask = frame.at<uint8_t>(instruction.operands[maskOperand]);
    if (!(instruction.single >> maskOperand & 1))
      m_mask = mask;
    else
      m_off = *mask == 0;
  }
  if (m_detail.number >= 0 && frame.worker->launch.options.observe) [[unlikely]]
    observe();
}

void AccessRun::observe() const {
  const size_t count = m_instruction.count;
  ObservedAccess observed{m_frame.program, m_detail.number, {m_addresses, count}, {}, m_off};
  std::vector<uint64_t> repeated;
  if (m_singleAddress) {
    repeated.assign(count, *m_addresses);
    observed.addresses = repeated;
  }
  if (m_mask)
    observed.mask = {m_mask, count};
  m_frame.worker->launch.options.observe(observed);
}

/// Looks at the ends first, so that scattered addresses cost little.
bool AccessRun::isRun(size_t first, size_t count) const {
  if (m_singleAddress || m_tensors || m_detail.provenance.kind == Provenance::Kind::Address)
    return count == 1;
  const uint64_t *addresses = m_addresses + first;
  if (addresses[count - 1] - addresses[0] != (count - 1) * m_bytes)
    return false;
  return stray(addresses, count, m_bytes) == 0;
}

Extent AccessRun::extentAt(size_t i) {
  if (m_tensors)
    return m_frame.worker->memory.extent(m_tensors[i]);
  return m_detail.provenance.kind == Provenance::Kind::Address ? m_frame.worker->memory.find(address(i))
                                                               : m_extent;
}

Extent AccessRun::spread(size_t first, size_t count) const {
  if (m_singleAddress || m_tensors || m_extent.id == 0 || m_frame.worker->footprints ||
      (m_mask && std::memchr(m_mask + first, 0, count)))
    return {};
  uint64_t low = m_addresses[first], high = low;
  for (size_t i = first + 1; i < first + count; ++i) {
    low = std::min(low, m_addresses[i]);
    high = std::max(high, m_addresses[i]);
  }
  const Extent range{m_extent.id, low, high - low + m_bytes};
  return m_extent.holds(low, range.bytes) ? range : Extent{};
}

void AccessRun::countInside(size_t first, size_t count) {
  m_counts.active += count;
  m_counts.bytes += count * m_bytes;
  if (!m_frame.worker->footprints)
    return;
  Footprint &footprint = (*m_frame.worker->footprints)[m_detail.site];
  const Address low = address(first), high = low + (count - 1) * m_bytes;
  footprint.first = footprint.first == 0 ? low : std::min(footprint.first, low);
  footprint.last = std::max(footprint.last, high);
}

void AccessRun::reportOutside(size_t first, size_t count, const Extent &extent) {
  m_counts.outOfBounds += count;
  Finding finding;
  finding.element = first;
  finding.address = address(first);
  finding.bytes = m_bytes;
  finding.run = count * m_bytes;
  finding.tensor = extent.id;
  finding.isBlock = m_detail.block != 0;
  if (finding.isBlock)
    if (auto left = leftDimension(m_frame, m_frame.kernel.block(m_detail.block - 1), first)) {
      finding.dimension = left->dimension;
      finding.index = left->index;
      finding.size = left->size;
    }
  m_frame.found(m_outside, finding);
}

} // namespace tilescope::interp
