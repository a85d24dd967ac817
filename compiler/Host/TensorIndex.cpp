// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/TensorIndex.h"

#include "compiler/Host/TensorViews.h"
#include "compiler/Value/Operators.h"

#include <algorithm>
#include <cstring>

namespace tilescope::host {

namespace {

/// Ints for one dimension, with the shape they were given in.
struct Picks {
  Dims shape;
  std::vector<int64_t> values;
};

std::vector<Value> itemsOf(const Value &index) {
  if (auto *tuple = index.as<TupleObject>())
    return tuple->items;
  return {index};
}

bool isMask(const TensorObject &tensor) {
  return tensor.type == ElementType::Bool || tensor.type == ElementType::UInt8;
}

/// Every element of a tensor of ints, in row-major order.
std::vector<int64_t> wholeValues(const TensorObject &tensor) {
  std::vector<int64_t> values;
  values.reserve(static_cast<size_t>(tensor.elements()));
  auto load = chunkLoader<int64_t>(tensor.type);
  StridedLoop loop(tensor.shape, {loopOperand(tensor, tensor.shape)});
  loop.forEachRun([&](const std::vector<std::byte *> &at, int64_t length) {
    values.resize(values.size() + static_cast<size_t>(length));
    load(at[0], loop.innerStride(0), length, values.data() + values.size() - length);
    return true;
  });
  return values;
}

/// Works through the items of an index from the left, keeping the view so far.
class Indexer {
public:
  Indexer(OperationContext &context, TensorPtr tensor) : m_context(context), m_view(std::move(tensor)) {}

  Result<std::optional<IndexedPlace>> run(const Value &index) {
    const auto items = itemsOf(index);
    int64_t consumed = 0;
    for (const Value &item : items)
      consumed += dimsConsumed(item);
    if (consumed > m_view->rank())
      return Error{"too-many-indices", {std::to_string(consumed), std::to_string(m_view->rank())}};
    const int64_t open = m_view->rank() - consumed;
    for (const Value &item : items) {
      if (item.isEllipsis())
        m_dim += open;
      else if (auto error = apply(item))
        return *error;
      if (m_unknown)
        return std::optional<IndexedPlace>();
    }
    return place();
  }

private:
  int64_t dimsConsumed(const Value &item) const {
    if (item.isNone() || item.isEllipsis() || item.asBool())
      return 0;
    if (auto tensor = tensorOf(item); tensor && isMask(*tensor))
      return tensor->rank();
    return 1;
  }

  std::optional<Error> apply(const Value &item) {
    if (item.isNone()) {
      m_view = unsqueezed(*m_view, m_dim++);
      return std::nullopt;
    }
    if (auto *slice = item.as<SliceObject>())
      return applySlice(*slice);
    if (auto tensor = tensorOf(item))
      return applyTensor(*tensor);
    if (item.as<ListObject>())
      return applyList(item);
    if (auto number = item.index(); number && !item.asBool())
      return applyInt(*number);
    return Error{"bad-index-type", {std::string(item.typeName())}};
  }

  std::optional<Error> applyInt(int64_t index) {
    const int64_t size = m_view->shape[m_dim];
    if (index < -size || index >= size)
      return Error{"tensor-index-out-of-range",
                   {std::to_string(index), std::to_string(m_dim), std::to_string(size)}};
    m_view = selected(*m_view, m_dim, index < 0 ? index + size : index);
    return std::nullopt;
  }

  std::optional<Error> applySlice(const SliceObject &slice) {
    auto picked = positions(slice, m_view->shape[m_dim]);
    if (!picked)
      return picked.error();
    if (picked->step < 0)
      return Error{"slice-step", {std::to_string(picked->step)}};
    m_view = narrowed(*m_view, m_dim, picked->start, picked->count, picked->step);
    ++m_dim;
    return std::nullopt;
  }

  std::optional<Error> applyList(const Value &list) {
    Picks picks;
    for (const Value &item : list.as<ListObject>()->items) {
      auto number = item.index();
      if (!number || item.asBool())
        return Error{"bad-index-type", {std::string(item.typeName())}};
      picks.values.push_back(*number);
    }
    picks.shape = {static_cast<int64_t>(picks.values.size())};
    return pick(std::move(picks));
  }

  std::optional<Error> applyTensor(const TensorObject &tensor) {
    if (isFloat(tensor.type))
      return Error{"bad-index-type", {typeText(tensor.type)}};
    if (m_context.checking()) {
      m_unknown = isMask(tensor) || tensor.shape.empty();
      return m_unknown ? std::nullopt : pick({tensor.shape, std::vector<int64_t>(tensor.elements(), 0)});
    }
    if (!m_context.settle())
      return stopped();
    if (isMask(tensor))
      return applyMask(tensor);
    return tensor.shape.empty() ? applyInt(elementAt(tensor, 0).integer)
                                : pick({tensor.shape, wholeValues(tensor)});
  }

  /// A mask of n dimensions picks the places where it is on: n lists of ints.
  std::optional<Error> applyMask(const TensorObject &mask) {
    const Dims covered(m_view->shape.begin() + m_dim, m_view->shape.begin() + m_dim + mask.rank());
    if (covered != mask.shape)
      return Error{"mask-shape", {shapeText(mask.shape), shapeText(m_view->shape)}};
    const auto flags = wholeValues(mask);
    std::vector<Picks> picks(mask.shape.size());
    const Dims places = contiguousStrides(mask.shape);
    for (size_t i = 0; i < flags.size(); ++i)
      for (size_t d = 0; flags[i] != 0 && d < picks.size(); ++d)
        picks[d].values.push_back(static_cast<int64_t>(i) / places[d] % mask.shape[d]);
    for (Picks &one : picks) {
      one.shape = {static_cast<int64_t>(one.values.size())};
      if (auto error = pick(std::move(one)))
        return error;
    }
    return std::nullopt;
  }

  /// Keeps the dimension in the view until the end, so that later ones are counted rightly.
  std::optional<Error> pick(Picks picks) {
    const int64_t size = m_view->shape[m_dim];
    for (int64_t &value : picks.values) {
      if (value < -size || value >= size)
        return Error{"tensor-index-out-of-range",
                     {std::to_string(value), std::to_string(m_dim), std::to_string(size)}};
      value += value < 0 ? size : 0;
    }
    m_picked.push_back({m_dim++, std::move(picks)});
    return std::nullopt;
  }

  Result<std::optional<IndexedPlace>> place() {
    IndexedPlace place{m_view, {}, std::nullopt, 0};
    if (m_picked.empty())
      return std::optional(place);
    Dims shape;
    for (const auto &[dim, picks] : m_picked) {
      auto both = broadcastShape(shape, picks.shape);
      if (!both)
        return both.error();
      shape = *both;
    }
    place.offsets.assign(static_cast<size_t>(elementCount(shape)), 0);
    for (const auto &[dim, picks] : m_picked)
      addOffsets(place.offsets, shape, picks, m_view->strides[dim]);
    // Picked dimensions that stand side by side are replaced where they are; others move to the front.
    const bool adjacent = m_picked.back().first - m_picked.front().first + 1 == int64_t(m_picked.size());
    place.pickedDim = adjacent ? m_picked.front().first : 0;
    place.pickedShape = shape;
    for (size_t k = m_picked.size(); k-- > 0;)
      place.view = selected(*place.view, m_picked[k].first, 0);
    return std::optional(place);
  }

  static void addOffsets(std::vector<int64_t> &offsets, const Dims &shape, const Picks &picks,
                         int64_t stride) {
    TensorObject asTensor;
    asTensor.shape = picks.shape;
    asTensor.strides = contiguousStrides(picks.shape);
    auto *values = reinterpret_cast<std::byte *>(const_cast<int64_t *>(picks.values.data()));
    StridedLoop loop(shape, {{values, ElementType::Int64, broadcastStrides(asTensor, shape)}});
    size_t next = 0;
    loop.forEachRun([&](const std::vector<std::byte *> &at, int64_t length) {
      for (int64_t i = 0; i < length; ++i)
        offsets[next++] += reinterpret_cast<const int64_t *>(at[0])[i * loop.innerStride(0)] * stride;
      return true;
    });
  }

  OperationContext &m_context;
  TensorPtr m_view;
  int64_t m_dim = 0; ///< of the view: the one that the next item is about
  std::vector<std::pair<int64_t, Picks>> m_picked;
  bool m_unknown = false;
};

/// For each pick: the view of the tensor, and the part of `whole`, which has the result's shape, that belongs
/// to it.
template <typename F> bool forEachPick(const IndexedPlace &place, const TensorObject &whole, F f) {
  // The picked dimensions of `whole` as one index.
  const auto first = static_cast<size_t>(place.pickedDim), rank = place.pickedShape->size();
  TensorObject part;
  part.storage = whole.storage;
  part.type = whole.type;
  part.shape = place.view->shape;
  part.strides = whole.strides;
  part.strides.erase(part.strides.begin() + first, part.strides.begin() + first + rank);
  auto view = viewOf(*place.view, place.view->shape, place.view->strides, 0);
  Dims index(rank, 0);
  for (int64_t offset : place.offsets) {
    view->offset = place.view->offset + offset;
    part.offset = whole.offset;
    for (size_t d = 0; d < rank; ++d)
      part.offset += index[d] * whole.strides[first + d];
    if (!f(*view, part))
      return false;
    for (size_t d = rank; d-- > 0 && ++index[d] == (*place.pickedShape)[d];)
      index[d] = 0;
  }
  return true;
}

} // namespace

Dims IndexedPlace::resultShape() const {
  Dims shape = view->shape;
  if (pickedShape)
    shape.insert(shape.begin() + pickedDim, pickedShape->begin(), pickedShape->end());
  return shape;
}

Result<std::optional<IndexedPlace>> indexed(OperationContext &context, const TensorPtr &tensor,
                                            const Value &index) {
  return Indexer(context, tensor).run(index);
}

Result<TensorPtr> gather(OperationContext &context, const IndexedPlace &place) {
  auto result = newTensor(context, place.resultShape(), place.view->type, place.view->onGpu);
  if (!result || context.checking() || (*result)->elements() == 0)
    return result;
  auto copy = [&](const TensorObject &view, const TensorObject &part) {
    return copyElements(context, view, part);
  };
  if (!forEachPick(place, **result, copy))
    return stopped();
  return result;
}

bool scatter(OperationContext &context, const IndexedPlace &place, const TensorObject &value) {
  TensorObject spread;
  spread.storage = value.storage;
  spread.type = value.type;
  spread.offset = value.offset;
  spread.shape = place.resultShape();
  spread.strides = broadcastStrides(value, spread.shape);
  return elementCount(spread.shape) == 0 ||
         forEachPick(place, spread,
                     [&](const auto &view, const auto &part) { return copyElements(context, part, view); });
}

} // namespace tilescope::host
