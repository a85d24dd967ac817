// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/ReplayLog.h"

#include <algorithm>
#include <cstring>

namespace tilescope::interp {

namespace {

struct Header {
  uint64_t access = 0, size = 0;
};

} // namespace

void ProgramLog::record(const std::byte *elements, uint64_t size) {
  const Header header{m_access, size};
  const auto *bytes = reinterpret_cast<const std::byte *>(&header);
  m_bytes.insert(m_bytes.end(), bytes, bytes + sizeof(header));
  m_bytes.insert(m_bytes.end(), elements, elements + size);
}

void ProgramLog::restore(std::byte *elements, uint64_t size) {
  if (m_next >= m_bytes.size())
    return;
  Header header;
  std::memcpy(&header, m_bytes.data() + m_next, sizeof(header));
  if (header.access != m_access)
    return;
  std::memcpy(elements, m_bytes.data() + m_next + sizeof(header), std::min(size, header.size));
  m_next += sizeof(header) + header.size;
}

void ReplayLog::add(uint64_t program, ProgramLog log) {
  std::lock_guard lock(m_mutex);
  m_bytes += m_complete ? log.bytes() : 0;
  if (m_complete && m_bytes <= m_budget) {
    m_programs.emplace(program, std::move(log));
    return;
  }
  m_complete = false;
  m_programs.clear();
  m_bytes = 0;
}

const ProgramLog *ReplayLog::find(uint64_t program) const {
  const auto found = m_programs.find(program);
  return found == m_programs.end() ? nullptr : &found->second;
}

} // namespace tilescope::interp
