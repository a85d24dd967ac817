// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/TensorChunks.h"

#include <algorithm>

namespace tilescope::host {

namespace {

template <typename C, typename T>
void loadChunk(const std::byte *from, int64_t stride, int64_t count, C *to) {
  const T *source = reinterpret_cast<const T *>(from);
  if (stride == 1)
    for (int64_t i = 0; i < count; ++i)
      to[i] = loadAs<C>(source[i]);
  else if (stride == 0)
    std::fill_n(to, count, loadAs<C>(*source));
  else
    for (int64_t i = 0; i < count; ++i)
      to[i] = loadAs<C>(source[i * stride]);
}

template <typename C, typename T>
void storeChunk(const C *from, int64_t count, std::byte *to, int64_t stride) {
  T *target = reinterpret_cast<T *>(to);
  if (stride == 1)
    for (int64_t i = 0; i < count; ++i)
      target[i] = storeAs<T>(from[i]);
  else
    for (int64_t i = 0; i < count; ++i)
      target[i * stride] = storeAs<T>(from[i]);
}

} // namespace

template <typename C> ChunkLoader<C> chunkLoader(ElementType type) {
  return withElement(type,
                     []<typename T>(std::type_identity<T>) -> ChunkLoader<C> { return loadChunk<C, T>; });
}

template <typename C> ChunkStorer<C> chunkStorer(ElementType type) {
  return withElement(type,
                     []<typename T>(std::type_identity<T>) -> ChunkStorer<C> { return storeChunk<C, T>; });
}

template ChunkLoader<float> chunkLoader(ElementType);
template ChunkLoader<double> chunkLoader(ElementType);
template ChunkLoader<int64_t> chunkLoader(ElementType);
template ChunkStorer<float> chunkStorer(ElementType);
template ChunkStorer<double> chunkStorer(ElementType);
template ChunkStorer<int64_t> chunkStorer(ElementType);

StridedLoop::StridedLoop(const Dims &shape, const std::vector<LoopOperand> &operands) {
  m_empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  Dims sizes;
  std::vector<Dims> strides(operands.size());
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1)
      continue;
    auto follows = [&](size_t k) { return strides[k].back() == operands[k].strides[d] * shape[d]; };
    bool joined = !sizes.empty();
    for (size_t k = 0; joined && k < operands.size(); ++k)
      joined = follows(k);
    if (!joined)
      sizes.push_back(1);
    sizes.back() *= shape[d];
    for (size_t k = 0; k < operands.size(); ++k) {
      if (!joined)
        strides[k].push_back(0);
      strides[k].back() = operands[k].strides[d];
    }
  }
  if (!sizes.empty()) {
    m_length = sizes.back();
    m_outer.assign(sizes.begin(), sizes.end() - 1);
  }
  for (size_t k = 0; k < operands.size(); ++k) {
    m_inner.push_back(sizes.empty() ? 0 : strides[k].back());
    m_pointers.push_back(operands[k].data);
    Dims bytes;
    for (size_t d = 0; d < m_outer.size(); ++d)
      bytes.push_back(strides[k][d] * byteSize(operands[k].type));
    m_outerBytes.push_back(std::move(bytes));
  }
}

bool StridedLoop::advance(Dims &index) {
  for (size_t d = m_outer.size(); d-- > 0;) {
    const bool carries = ++index[d] == m_outer[d];
    for (size_t k = 0; k < m_pointers.size(); ++k)
      m_pointers[k] += carries ? -(m_outer[d] - 1) * m_outerBytes[k][d] : m_outerBytes[k][d];
    if (!carries)
      return true;
    index[d] = 0;
  }
  return false;
}

} // namespace tilescope::host
