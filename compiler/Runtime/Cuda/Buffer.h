// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the GPU that no tensor of the script lives in: what is written to flush a cache, what a probe records.
#pragma once

#include "compiler/Runtime/Cuda/Device.h"

namespace tilescope::cuda {

class Buffer {
public:
  static Result<Buffer> allocate(const Device &device, size_t bytes);
  ~Buffer();
  Buffer(Buffer &&other) noexcept;
  Buffer &operator=(Buffer &&) = delete;

  DevicePtr address() const { return m_address; }
  size_t bytes() const { return m_bytes; }
  /// Begins to set each byte; does not wait.
  std::optional<Error> fill(unsigned char value) const;
  /// Waits for what was begun.
  std::optional<Error> read(void *to, size_t bytes) const;

private:
  explicit Buffer(const Device &device) : m_device(&device) {}
  const Device *m_device;
  DevicePtr m_address = 0;
  size_t m_bytes = 0;
};

} // namespace tilescope::cuda
