// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bump allocator for the nodes of one syntax tree: nothing is freed one by one, no destructor runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tilescope::syntax {

class Arena {
public:
  /// A zeroed T. It must need no destructor.
  template <typename T> T *make() {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T{};
  }

  /// A copy of `items` that lives as long as the arena.
  template <typename T> std::span<const T> copy(std::span<const T> items) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (items.empty())
      return {};
    T *first = static_cast<T *>(allocate(sizeof(T) * items.size(), alignof(T)));
    std::memcpy(static_cast<void *>(first), items.data(), sizeof(T) * items.size());
    return {first, items.size()};
  }
  template <typename T> std::span<const T> copy(const std::vector<T> &items) {
    return copy(std::span<const T>(items));
  }

  std::string_view copy(std::string_view text) {
    if (text.empty())
      return {};
    char *first = static_cast<char *>(allocate(text.size(), 1));
    std::memcpy(first, text.data(), text.size());
    return {first, text.size()};
  }

private:
  static constexpr size_t BlockSize = 64 * 1024;

  void *allocate(size_t bytes, size_t alignment) {
    size_t padding = (alignment - reinterpret_cast<uintptr_t>(m_next) % alignment) % alignment;
    if (padding + bytes > m_left) {
      size_t size = bytes + alignment > BlockSize ? bytes + alignment : BlockSize;
      m_blocks.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
      m_next = m_blocks.back().get();
      m_left = size;
      padding = (alignment - reinterpret_cast<uintptr_t>(m_next) % alignment) % alignment;
    }
    void *result = m_next + padding;
    m_next += padding + bytes;
    m_left -= padding + bytes;
    return result;
  }

  std::vector<std::unique_ptr<std::byte[]>> m_blocks;
  std::byte *m_next = nullptr;
  size_t m_left = 0;
};

} // namespace tilescope::syntax
