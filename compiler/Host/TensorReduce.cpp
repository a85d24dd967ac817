// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/TensorReduce.h"

#include <algorithm>

namespace tilescope::host {

namespace {

// Accumulators: add() takes the reduced elements chunk by chunk, finish() gives value and index.

template <typename C> struct Finished {
  C value{};
  int64_t index = 0;
};

/// Eight partial sums, so that the additions do not wait for each other.
template <typename C> class Summing {
public:
  template <typename F> void add(const C *values, int64_t count, F of) {
    int64_t i = 0;
    for (; i + Lanes <= count; i += Lanes)
      for (int64_t k = 0; k < Lanes; ++k)
        m_lanes[k] += of(values[i + k]);
    for (; i < count; ++i)
      m_lanes[0] += of(values[i]);
  }
  C total() const {
    C sum{};
    for (C lane : m_lanes)
      sum += lane;
    return sum;
  }

private:
  static constexpr int64_t Lanes = 8;
  // Sums of integers wrap.
  using Lane = std::conditional_t<std::is_integral_v<C>, uint64_t, C>;
  Lane m_lanes[Lanes]{};
};

template <typename C> struct Sum {
  Summing<C> sum;
  void add(const C *values, int64_t count) {
    sum.add(values, count, [](C v) { return v; });
  }
  Finished<C> finish(int64_t, double) const { return {sum.total()}; }
};

template <typename C> struct Mean : Sum<C> {
  Finished<C> finish(int64_t count, double) const {
    return {static_cast<C>(this->sum.total() / double(count))};
  }
};

template <typename C> struct Product {
  C product = 1;
  void add(const C *values, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      if constexpr (std::is_integral_v<C>)
        product = static_cast<C>(static_cast<uint64_t>(product) * static_cast<uint64_t>(values[i]));
      else
        product *= values[i];
  }
  Finished<C> finish(int64_t, double) const { return {product}; }
};

/// The first of the largest (or smallest) elements.
template <typename C, bool Largest> struct Extreme {
  C best{};
  int64_t index = -1, seen = 0;
  bool beats(C value) const {
    if (best != best) // a NaN stays
      return false;
    return index < 0 || value != value || (Largest ? value > best : value < best);
  }
  void add(const C *values, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      if (beats(values[i])) {
        best = values[i];
        index = seen + i;
      }
    seen += count;
  }
  Finished<C> finish(int64_t, double) const { return {best, index}; }
};
template <typename C> struct Maximum : Extreme<C, true> {};
template <typename C> struct Minimum : Extreme<C, false> {};

template <typename C> struct CountNonzero {
  int64_t nonzero = 0;
  void add(const C *values, int64_t count) {
    nonzero += std::count_if(values, values + count, [](C v) { return v != C(0); });
  }
  Finished<C> finish(int64_t, double) const { return {static_cast<C>(nonzero)}; }
};
template <typename C> struct Any : CountNonzero<C> {
  Finished<C> finish(int64_t, double) const { return {static_cast<C>(this->nonzero > 0)}; }
};
template <typename C> struct All : CountNonzero<C> {
  Finished<C> finish(int64_t count, double) const { return {static_cast<C>(this->nonzero == count)}; }
};

/// Chan's parallel form of Welford's method, a chunk at a time.
template <typename C> struct Variance {
  double mean = 0, squares = 0, seen = 0;
  void add(const C *values, int64_t count) {
    Summing<double> sum, deviations;
    double chunk[ChunkElements];
    std::copy_n(values, count, chunk);
    sum.add(chunk, count, [](double v) { return v; });
    const double chunkMean = sum.total() / double(count), delta = chunkMean - mean,
                 both = seen + double(count);
    deviations.add(chunk, count, [=](double v) { return (v - chunkMean) * (v - chunkMean); });
    squares += deviations.total() + delta * delta * seen * double(count) / both;
    mean += delta * double(count) / both;
    seen = both;
  }
  Finished<C> finish(int64_t count, double correction) const {
    return {static_cast<C>(squares / std::max(0.0, double(count) - correction))};
  }
};
template <typename C> struct Deviation : Variance<C> {
  Finished<C> finish(int64_t count, double correction) const {
    return {static_cast<C>(std::sqrt(Variance<C>::finish(count, correction).value))};
  }
};

template <typename C, int Order> struct NormOf {
  Summing<double> sum;
  void add(const C *values, int64_t count) {
    double chunk[ChunkElements];
    std::copy_n(values, count, chunk);
    sum.add(chunk, count, [](double v) { return Order == 2 ? v * v : std::fabs(v); });
  }
  Finished<C> finish(int64_t, double) const {
    return {static_cast<C>(Order == 2 ? std::sqrt(sum.total()) : sum.total())};
  }
};
template <typename C> struct Norm1 : NormOf<C, 1> {};
template <typename C> struct Norm2 : NormOf<C, 2> {};
template <typename C> struct NormInfinity {
  double largest = 0;
  void add(const C *values, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      if (const double v = std::fabs(double(values[i])); !(v <= largest) && largest == largest)
        largest = v;
  }
  Finished<C> finish(int64_t, double) const { return {static_cast<C>(largest)}; }
};

template <typename C> struct LogSumExp {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  void add(const C *values, int64_t count) {
    const double before = largest;
    for (int64_t i = 0; i < count; ++i)
      largest = std::max(largest, double(values[i]));
    const double base = std::isinf(largest) ? 0 : largest;
    sum *= std::isinf(before) ? 1 : std::exp(before - base);
    for (int64_t i = 0; i < count; ++i)
      sum += std::exp(double(values[i]) - base);
  }
  Finished<C> finish(int64_t, double) const {
    return {static_cast<C>(std::log(sum) + (std::isinf(largest) ? 0 : largest))};
  }
};

/// The kept and the reduced dimensions of a tensor.
struct Split {
  Dims keptShape, keptStrides, reducedShape, reducedStrides;
};

Split split(const TensorObject &input, const std::vector<bool> &reduced) {
  Split parts;
  for (size_t d = 0; d < input.shape.size(); ++d) {
    (reduced[d] ? parts.reducedShape : parts.keptShape).push_back(input.shape[d]);
    (reduced[d] ? parts.reducedStrides : parts.keptStrides).push_back(input.strides[d]);
  }
  return parts;
}

/// Reduces what `loop` goes over, which begins at `from`.
template <typename C, typename Accumulator>
Accumulator accumulate(StridedLoop &loop, std::byte *from, ChunkLoader<C> load, unsigned bytes) {
  Accumulator accumulator;
  const int64_t stride = loop.innerStride(0);
  loop.restart(0, from);
  loop.forEachRun([&](const std::vector<std::byte *> &at, int64_t length) {
    C chunk[ChunkElements];
    for (int64_t i = 0; i < length; i += ChunkElements) {
      const int64_t count = std::min(ChunkElements, length - i);
      load(at[0] + i * stride * bytes, stride, count, chunk);
      accumulator.add(chunk, count);
    }
    return true;
  });
  return accumulator;
}

template <typename C, typename Accumulator>
bool reduceLoop(OperationContext &context, double parameter, const TensorObject &input, const Split &parts,
                const std::array<TensorPtr, 2> &results) {
  std::byte *data = contents(input);
  const unsigned bytes = byteSize(input.type);
  std::vector<LoopOperand> operands{{data, input.type, parts.keptStrides}};
  for (const TensorPtr &result : results)
    operands.push_back(
        result ? LoopOperand{contents(*result, true), result->type, contiguousStrides(result->shape)}
               : LoopOperand{nullptr, ElementType::Bool, Dims(parts.keptShape.size(), 0)});
  StridedLoop outer(parts.keptShape, operands);
  StridedLoop inner(parts.reducedShape, {{data, input.type, parts.reducedStrides}});
  const int64_t count = elementCount(parts.reducedShape);
  auto load = chunkLoader<C>(input.type);
  auto storeValue = chunkStorer<C>(results[0] ? results[0]->type : ElementType::Bool);
  return outer.forEachRun([&](const std::vector<std::byte *> &at, int64_t length) {
    for (int64_t i = 0; i < length; ++i) {
      auto accumulator =
          accumulate<C, Accumulator>(inner, at[0] + i * outer.innerStride(0) * bytes, load, bytes);
      const Finished<C> finished = accumulator.finish(count, parameter);
      if (results[0])
        storeValue(&finished.value, 1, at[1] + i * byteSize(results[0]->type), 1);
      if (results[1])
        reinterpret_cast<int64_t *>(at[2])[i] = finished.index;
      if ((i * count) % (1 << 16) < count && context.stopRequested())
        return false;
    }
    return true;
  });
}

template <typename C>
using ReduceLoop = bool (*)(OperationContext &, double, const TensorObject &, const Split &,
                            const std::array<TensorPtr, 2> &);

template <typename C> ReduceLoop<C> loopFor(Reduction kind, double parameter) {
  switch (kind) {
  case Reduction::Sum:
    return reduceLoop<C, Sum<C>>;
  case Reduction::Mean:
    return reduceLoop<C, Mean<C>>;
  case Reduction::Product:
    return reduceLoop<C, Product<C>>;
  case Reduction::Maximum:
    return reduceLoop<C, Maximum<C>>;
  case Reduction::Minimum:
    return reduceLoop<C, Minimum<C>>;
  case Reduction::Any:
    return reduceLoop<C, Any<C>>;
  case Reduction::All:
    return reduceLoop<C, All<C>>;
  case Reduction::CountNonzero:
    return reduceLoop<C, CountNonzero<C>>;
  case Reduction::Variance:
    return reduceLoop<C, Variance<C>>;
  case Reduction::Deviation:
    return reduceLoop<C, Deviation<C>>;
  case Reduction::LogSumExp:
    return reduceLoop<C, LogSumExp<C>>;
  case Reduction::Norm:
    break;
  }
  if (std::isinf(parameter))
    return reduceLoop<C, NormInfinity<C>>;
  return parameter == 1 ? reduceLoop<C, Norm1<C>> : reduceLoop<C, Norm2<C>>;
}

template <typename C> C combined(Reduction kind, C a, C b) {
  using Wrapping = std::conditional_t<std::is_integral_v<C>, uint64_t, C>;
  return static_cast<C>(kind == Reduction::Sum ? Wrapping(a) + Wrapping(b) : Wrapping(a) * Wrapping(b));
}

template <typename C>
void scanRow(Reduction kind, const std::byte *from, int64_t strideFrom, ElementType type, std::byte *to,
             int64_t strideTo, ElementType resultType, int64_t length) {
  auto load = chunkLoader<C>(type);
  auto store = chunkStorer<C>(resultType);
  C chunk[ChunkElements], total = kind == Reduction::Sum ? 0 : 1;
  for (int64_t i = 0; i < length; i += ChunkElements) {
    const int64_t count = std::min(ChunkElements, length - i);
    load(from + i * strideFrom * byteSize(type), strideFrom, count, chunk);
    for (int64_t k = 0; k < count; ++k)
      chunk[k] = total = combined(kind, total, chunk[k]);
    store(chunk, count, to + i * strideTo * byteSize(resultType), strideTo);
  }
}

} // namespace

bool reduceElements(OperationContext &context, Reduction kind, double parameter, const TensorObject &input,
                    const std::vector<bool> &reduced, const std::array<TensorPtr, 2> &results) {
  const Split parts = split(input, reduced);
  // The mean and the like of integers are asked for only with a float as their result.
  const bool real = isFloat(input.type) || (results[0] && isFloat(results[0]->type));
  return real ? loopFor<double>(kind, parameter)(context, parameter, input, parts, results)
              : loopFor<int64_t>(kind, parameter)(context, parameter, input, parts, results);
}

bool scanElements(OperationContext &context, Reduction kind, const TensorObject &input, int64_t dim,
                  const TensorObject &result) {
  std::vector<bool> scanned(input.shape.size(), false);
  scanned[static_cast<size_t>(dim)] = true;
  const Split from = split(input, scanned), to = split(result, scanned);
  StridedLoop loop(from.keptShape, {{contents(input), input.type, from.keptStrides},
                                    {contents(result, true), result.type, to.keptStrides}});
  auto scan = isFloat(result.type) ? scanRow<double> : scanRow<int64_t>;
  return loop.forEachRun([&](const std::vector<std::byte *> &at, int64_t length) {
    for (int64_t i = 0; i < length; ++i)
      scan(kind, at[0] + i * loop.innerStride(0) * byteSize(input.type), from.reducedStrides[0], input.type,
           at[1] + i * loop.innerStride(1) * byteSize(result.type), to.reducedStrides[0], result.type,
           from.reducedShape[0]);
    return !context.stopRequested();
  });
}

} // namespace tilescope::host
