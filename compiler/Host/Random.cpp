// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/Random.h"

#include <algorithm>
#include <numbers>
#include <numeric>

namespace tilescope::host {

namespace {

using Kind = Distribution::Kind;

/// Stores values at row-major places of a contiguous tensor.
class Writer {
public:
  explicit Writer(const TensorObject &tensor)
      : m_data(contents(tensor, true)), m_bytes(byteSize(tensor.type)),
        m_reals(chunkStorer<double>(tensor.type)), m_wholes(chunkStorer<int64_t>(tensor.type)) {}
  void put(int64_t first, std::span<const double> values) {
    m_reals(values.data(), int64_t(values.size()), m_data + first * m_bytes, 1);
  }
  void put(int64_t first, int64_t value) { m_wholes(&value, 1, m_data + first * m_bytes, 1); }

private:
  std::byte *m_data;
  int64_t m_bytes;
  ChunkStorer<double> m_reals;
  ChunkStorer<int64_t> m_wholes;
};

CpuGenerator::Width widthOf(ElementType type) {
  if (type == ElementType::Float64)
    return CpuGenerator::Width::Double;
  return byteSize(type) < 4 ? CpuGenerator::Width::Short : CpuGenerator::Width::Single;
}

/// f(first, last) for pieces of [0, count), until it is to stop.
template <typename F> bool inPieces(OperationContext &context, int64_t count, F f) {
  constexpr int64_t Piece = 1 << 14;
  for (int64_t i = 0; i < count; i += Piece) {
    if (context.stopRequested())
      return false;
    f(i, std::min(count, i + Piece));
  }
  return true;
}

double scaled(const Distribution &d, double standard) {
  return d.kind == Kind::Normal ? standard * d.second + d.first : standard * (d.second - d.first) + d.first;
}

bool fillOnCpu(OperationContext &context, CpuGenerator &generator, const TensorObject &tensor,
               const Distribution &d) {
  Writer writer(tensor);
  const int64_t count = tensor.elements();
  const auto width = widthOf(tensor.type);
  if (d.kind == Kind::Normal)
    return generator.normals(count, width, [&](int64_t first, std::span<const double> values) {
      std::array<double, 16> block;
      std::transform(values.begin(), values.end(), block.begin(), [&](double v) { return scaled(d, v); });
      writer.put(first, std::span(block).first(values.size()));
      return first % (1 << 14) != 0 || !context.stopRequested();
    });
  return inPieces(context, count, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      if (d.kind == Kind::Integer) {
        writer.put(i, d.low + int64_t(generator.integer(d.range)));
      } else {
        const double value = scaled(d, generator.uniform(width));
        writer.put(i, {&value, 1});
      }
    }
  });
}

/// Box and Muller as cuRAND has it: of two numbers the first takes the sine.
template <typename C> C philoxNormal(C radiusFrom, C turn, bool second) {
  const C radius = std::sqrt(-2 * std::log(radiusFrom)), angle = 2 * std::numbers::pi_v<C> * turn;
  return radius * (second ? std::cos(angle) : std::sin(angle));
}

/// Number k of a draw of four floats.
double philoxSingle(const PhiloxWords &words, int64_t k, bool normal) {
  const size_t pair = size_t(k) & ~size_t(1);
  return normal ? philoxNormal(philoxUniform(words[pair]), philoxUniform(words[pair + 1]), k & 1)
                : philoxUniform(words[size_t(k)]);
}

/// Number k of a draw of two doubles.
double philoxDouble(const PhiloxWords &words, int64_t k, bool normal) {
  const double a = philoxUniform(words[0], words[1]), b = philoxUniform(words[2], words[3]);
  if (normal)
    return philoxNormal(a, b, k == 1);
  return k == 0 ? a : b;
}

/// Number k of a draw of four words, or of two of 64 bits.
uint64_t philoxWhole(const PhiloxWords &words, int64_t k, bool wide) {
  return wide ? uint64_t(words[size_t(2 * k + 1)]) << 32 | words[size_t(2 * k)] : words[size_t(k)];
}

bool fillOnGpu(OperationContext &context, PhiloxGenerator &generator, const TensorObject &tensor,
               const Distribution &d) {
  Writer writer(tensor);
  const bool integer = d.kind == Kind::Integer, normal = d.kind == Kind::Normal;
  const bool wide = integer ? d.range >= uint64_t(1) << 28 : tensor.type == ElementType::Float64;
  const int64_t count = tensor.elements();
  const auto launch = generator.launch(count, wide ? 2 : 4);
  auto put = [&](int64_t element, const PhiloxWords &words, int64_t k) {
    if (integer)
      return writer.put(element, d.low + int64_t(philoxWhole(words, k, wide) % d.range));
    double value = scaled(d, wide ? philoxDouble(words, k, normal) : philoxSingle(words, k, normal));
    if (!normal && value == d.second) // (0, 1] becomes [0, 1)
      value = d.first;
    writer.put(element, {&value, 1});
  };
  for (int64_t turn = 0; turn < launch.turns; ++turn) {
    auto drawAll = [&](int64_t first, int64_t last) {
      for (int64_t thread = first; thread < last; ++thread) {
        const PhiloxWords words = launch.words(turn, thread);
        for (int64_t k = 0; k < launch.perDraw && launch.element(turn, thread, k) < count; ++k)
          put(launch.element(turn, thread, k), words, k);
      }
    };
    if (!inPieces(context, launch.threads, drawAll))
      return false;
  }
  return true;
}

/// Fisher and Yates, from the front; `word(i)` is the random number for place i.
template <typename F> bool fillPermutation(OperationContext &context, const TensorObject &tensor, F word) {
  std::vector<int64_t> order(static_cast<size_t>(tensor.elements()));
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = 0; i + 1 < order.size(); ++i)
    std::swap(order[i], order[i + word(int64_t(i)) % (order.size() - i)]);
  Writer writer(tensor);
  return inPieces(context, tensor.elements(), [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i)
      writer.put(i, order[size_t(i)]);
  });
}

} // namespace

std::shared_ptr<Random> makeRandom() { return std::make_shared<Random>(); }

void Random::seed(uint64_t seed) {
  m_cpu.seed(seed);
  m_gpu.seed(seed);
}

bool Random::fill(OperationContext &context, const TensorObject &tensor, const Distribution &distribution) {
  if (tensor.elements() == 0)
    return true;
  if (distribution.kind != Kind::Permutation)
    return tensor.onGpu ? fillOnGpu(context, m_gpu, tensor, distribution)
                        : fillOnCpu(context, m_cpu, tensor, distribution);
  if (!tensor.onGpu)
    return fillPermutation(context, tensor, [&](int64_t) { return m_cpu.word(); });
  const auto launch = m_gpu.launch(tensor.elements(), 4);
  return fillPermutation(context, tensor, [&](int64_t i) {
    const int64_t turn = i / launch.threads;
    return launch.words(turn / 4, i % launch.threads)[size_t(turn % 4)];
  });
}

} // namespace tilescope::host
