// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/RaceCheck.h"

#include "compiler/Interpreter/Machine.h"

#include <algorithm>

namespace tilescope::interp {

namespace {

constexpr unsigned SiteBits = 14, EpochBits = 13;
constexpr uint64_t SiteMask = (1 << SiteBits) - 1, EpochMask = (1 << EpochBits) - 1;

void join(Known &into, const Known &from) {
  auto hint = into.begin();
  for (const auto &[program, epoch] : from) {
    hint = into.try_emplace(hint, program, epoch);
    hint->second = std::max(hint->second, epoch);
  }
}

/// Notes the owner, and the memory that it took.
void note(Owners &owners, uint64_t first, uint64_t count, uint64_t owner, uint64_t &bytes) {
  const uint64_t before = owners.bytes();
  owners.set(first, count, owner);
  bytes += owners.bytes() - before;
}

} // namespace

RaceCheck::RaceCheck(const Kernel &kernel, const WrittenTensors &written)
    : m_kernel(kernel), m_written(written) {
  const auto &sites = kernel.accesses();
  m_instructions.resize(sites.size());
  m_isAtomic.resize(sites.size());
  for (const AccessSite &site : sites)
    m_unit = std::min(m_unit, byteSize(site.element));
  for (uint32_t i = static_cast<uint32_t>(kernel.code().size()); i-- > 0;) {
    const Flow flow = kernel.flow(i).flow;
    const uint32_t detail = kernel.code()[i].detail;
    if (flow == Flow::Load || flow == Flow::Store || flow == Flow::Atomic)
      noteSite(kernel.access(detail), i);
    if (flow == Flow::Assembly)
      for (const PtxStep &step : kernel.assembly(detail).steps)
        if (step.memory.loads || step.memory.stores)
          noteSite(kernel.access(step.memory.access), i);
  }
}

void RaceCheck::noteSite(const AccessDetail &detail, uint32_t instruction) {
  m_instructions[detail.site] = instruction;
  m_isAtomic[detail.site] = detail.isVolatile || m_kernel.accesses()[detail.site].kind == AccessKind::Atomic;
  m_synchronises |= detail.acquires && detail.resultUsed;
}

uint64_t RaceCheck::pack(const Access &access) {
  const uint64_t epoch = std::min<uint64_t>(access.epoch, EpochMask), site = access.site & SiteMask;
  return ((access.program + 1) << EpochBits | epoch) << SiteBits | site;
}

RaceCheck::Access RaceCheck::unpack(uint64_t owner) {
  return {(owner >> (SiteBits + EpochBits)) - 1, static_cast<uint32_t>(owner >> SiteBits & EpochMask),
          static_cast<uint32_t>(owner & SiteMask)};
}

/// Null for a tensor that the launch only reads.
RaceCheck::Tensor *RaceCheck::findTensor(const Extent &extent) {
  if (auto found = m_tensors.find(extent.id); found != m_tensors.end())
    return &found->second;
  if (!m_written.holds(extent.id))
    return nullptr;
  Tensor &tensor = m_tensors.emplace(extent.id, Tensor(extent.bytes / m_unit + 1)).first->second;
  m_bytes += tensor.writers.bytes();
  return &tensor;
}

RaceCheck::Tensor *RaceCheck::tensorOf(const Extent &extent) {
  m_incomplete |= m_bytes > Budget;
  if (m_gaveUp || m_incomplete)
    return nullptr;
  if (extent.id != m_lastId) {
    m_last = findTensor(extent);
    m_lastId = extent.id;
  }
  return m_last;
}

bool RaceCheck::isOrdered(const Frame &frame, const Access &before) const {
  if (before.program == frame.program)
    return true;
  const auto known = frame.clock.known.find(before.program);
  return known != frame.clock.known.end() && known->second > before.epoch;
}

void RaceCheck::report(Frame &frame, FindingKind kind, uint32_t site, const Extent &extent, Address address,
                       const Access &other) {
  Finding finding;
  finding.address = address;
  finding.tensor = extent.id;
  finding.origin = other.site;
  finding.other = other.program;
  finding.bytes = byteSize(m_kernel.accesses()[site].element);
  frame.foundAt(kind, m_instructions[site], finding, m_kernel.placeOf(m_instructions[other.site]));
}

void RaceCheck::read(Frame &frame, const AccessDetail &detail, const Extent &extent, Address address,
                     uint64_t bytes) {
  Tensor *tensor = tensorOf(extent);
  if (!tensor)
    return;
  const uint64_t first = (address - extent.address) / m_unit, count = bytes / m_unit;
  const Access me{frame.program, frame.clock.epoch, detail.site};
  tensor->writers.forEach(first, count, [&](uint64_t unit, uint64_t, uint64_t owner) {
    const Access writer = unpack(owner);
    if (owner && !isOrdered(frame, writer) && !(detail.isVolatile && isAtomic(writer.site)))
      report(frame, FindingKind::ReadRace, detail.site, extent, extent.address + unit * m_unit, writer);
  });
  if (tensor->readers.empty()) {
    tensor->readers.assign(2, Owners(extent.bytes / m_unit + 1));
    m_bytes += 2 * tensor->readers[0].bytes();
  }
  // The first reader stays; of the others one is kept.
  std::vector<std::array<uint64_t, 3>> stretches;
  tensor->readers[0].forEach(first, count, [&](uint64_t unit, uint64_t units, uint64_t owner) {
    stretches.push_back({unit, units, owner});
  });
  for (const auto &[unit, units, owner] : stretches)
    note(tensor->readers[owner && unpack(owner).program != me.program], unit, units, pack(me), m_bytes);
}

bool RaceCheck::write(Frame &frame, const AccessDetail &detail, const Extent &extent, Address address,
                      uint64_t bytes) {
  Tensor *tensor = tensorOf(extent);
  if (!tensor)
    return false;
  const uint64_t first = (address - extent.address) / m_unit, count = bytes / m_unit;
  const bool atomic = isAtomic(detail.site);
  bool races = false;
  tensor->writers.forEach(first, count, [&](uint64_t unit, uint64_t, uint64_t owner) {
    const Access writer = unpack(owner);
    if (races || !owner || isOrdered(frame, writer) || (atomic && isAtomic(writer.site)))
      return;
    races = true;
    m_pending = {};
    m_pending.address = extent.address + unit * m_unit;
    m_pending.tensor = extent.id;
    m_pending.origin = writer.site;
    m_pending.other = writer.program;
    m_pending.bytes = byteSize(detail.element);
    m_pendingSite = detail.site;
  });
  for (const Owners &readers : tensor->readers)
    readers.forEach(first, count, [&](uint64_t unit, uint64_t, uint64_t owner) {
      const Access reader = unpack(owner);
      if (!owner || isOrdered(frame, reader) || (atomic && isAtomic(reader.site)))
        return;
      const Access me{frame.program, frame.clock.epoch, detail.site};
      report(frame, FindingKind::ReadRace, reader.site, extent, extent.address + unit * m_unit,
             {reader.program, me.epoch, me.site});
    });
  note(tensor->writers, first, count, pack({frame.program, frame.clock.epoch, detail.site}), m_bytes);
  return races;
}

void RaceCheck::wrote(Frame &frame, bool sameValue) {
  m_pending.sameValue = sameValue;
  frame.foundAt(FindingKind::WriteRace, m_instructions[m_pendingSite], m_pending,
                m_kernel.placeOf(m_instructions[m_pending.origin]));
}

//===- Order ---------------------------------------------------------------------------------------===//

void RaceCheck::learn(Known &into, const Known &from) {
  m_known += from.size();
  m_gaveUp |= m_known > MostKnown;
  join(into, from);
}

void RaceCheck::acquire(Frame &frame, const AccessDetail &detail, Address address) {
  const auto last = m_releases.find(address);
  if (!detail.acquires || last == m_releases.end() || m_gaveUp)
    return;
  if (frame.clock.seen.insert(last->second->number).second)
    learn(frame.clock.known, last->second->known);
}

/// What the program knows, and what was released before and it may not know.
RaceCheck::ReleasePtr RaceCheck::nextRelease(Frame &frame, const ReleasePtr &before) {
  auto next = std::make_shared<Release>(Release{++m_lastNumber, {}});
  learn(next->known, frame.clock.known);
  if (before && !frame.clock.seen.contains(before->number))
    learn(next->known, before->known);
  next->known[frame.program] = frame.clock.epoch;
  return next;
}

void RaceCheck::release(Frame &frame, const AccessDetail &detail, std::span<const Address> addresses) {
  if (!detail.releases || !m_synchronises || m_gaveUp)
    return;
  ++frame.clock.epoch;
  std::map<ReleasePtr, ReleasePtr> next; // of elements that were released together before
  for (Address address : addresses) {
    ReleasePtr &last = m_releases[address];
    ReleasePtr &mine = next[last];
    if (!mine)
      mine = nextRelease(frame, last);
    last = mine;
  }
  m_known += addresses.size();
}

} // namespace tilescope::interp
