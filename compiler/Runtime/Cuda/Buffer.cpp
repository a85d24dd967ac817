// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Runtime/Cuda/Buffer.h"

#include <utility>

namespace tilescope::cuda {

Result<Buffer> Buffer::allocate(const Device &device, size_t bytes) {
  Buffer buffer(device);
  if (auto error = device.driver().check(device.driver().cuMemAlloc(&buffer.m_address, bytes), "cuMemAlloc"))
    return *error;
  buffer.m_bytes = bytes;
  return buffer;
}

Buffer::~Buffer() {
  if (m_address != 0)
    m_device->driver().cuMemFree(m_address);
}

Buffer::Buffer(Buffer &&other) noexcept
    : m_device(other.m_device), m_address(std::exchange(other.m_address, 0)), m_bytes(other.m_bytes) {}

std::optional<Error> Buffer::fill(unsigned char value) const {
  return m_device->driver().check(m_device->driver().cuMemsetD8Async(m_address, value, m_bytes, nullptr),
                                  "cuMemsetD8Async");
}

std::optional<Error> Buffer::read(void *to, size_t bytes) const {
  return m_device->driver().check(m_device->driver().cuMemcpyDtoH(to, m_address, bytes), "cuMemcpyDtoH");
}

} // namespace tilescope::cuda
