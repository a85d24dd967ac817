// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/StoredTwice.h"

namespace tilescope::interp {

void StoredTwice::add(size_t first, size_t count, const AccessRun &access, const Extent &extent) {
  const Address begin = access.address(first);
  m_isAscending &= begin >= m_end;
  m_end = begin + count * access.bytes();
  m_runs.push_back({begin, first, count, extent.id});
}

void StoredTwice::report(Frame &frame, const AccessRun &access, const std::byte *values, unsigned size) {
  if (m_isAscending)
    return;
  std::ranges::stable_sort(m_runs, {}, &Run::begin);
  const uint64_t bytes = access.bytes();
  const auto end = [&](const Run &run) { return run.begin + run.count * bytes; };
  const Run *furthest = &m_runs.front();
  for (const Run &run : m_runs) {
    const size_t before = (run.begin - furthest->begin) / bytes; // elements of the furthest run
    for (size_t i = 0; &run != furthest && i < run.count && before + i < furthest->count; ++i) {
      const size_t one = furthest->first + before + i, other = run.first + i;
      if (std::memcmp(values + one * size, values + other * size, size) == 0)
        continue;
      Finding finding;
      finding.element = std::min(one, other);
      finding.other = std::max(one, other);
      finding.address = access.address(one);
      finding.bytes = access.bytes();
      finding.tensor = run.tensor;
      return frame.found(FindingKind::StoredTwice, finding);
    }
    if (end(run) > end(*furthest))
      furthest = &run;
  }
}

} // namespace tilescope::interp
