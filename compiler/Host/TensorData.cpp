// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/TensorData.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace tilescope::host {

Result<Value> valueOf(Result<TensorPtr> tensor) {
  if (!tensor)
    return tensor.error();
  return valueOf(std::move(*tensor));
}

TensorPtr tensorOf(const Value &value) {
  return std::dynamic_pointer_cast<TensorObject>(value.sharedObject());
}

std::string shapeText(const Dims &shape) {
  std::string text = "(";
  for (size_t d = 0; d < shape.size(); ++d)
    text += (d > 0 ? ", " : "") + std::to_string(shape[d]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string typeText(ElementType type) { return std::string(torchName(type).substr(sizeof("torch.") - 1)); }

int64_t elementCount(const Dims &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

Dims contiguousStrides(const Dims &shape) {
  Dims strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * std::max<int64_t>(shape[d], 1);
  return strides;
}

namespace {

/// Saturates where the product does not fit: no memory is that large.
uint64_t bytesFor(const Dims &shape, ElementType type) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return 0;
  uint64_t bytes = byteSize(type);
  for (int64_t size : shape)
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes))
      return std::numeric_limits<uint64_t>::max();
  return bytes;
}

} // namespace

Result<TensorPtr> newTensor(OperationContext &context, const Dims &shape, ElementType type, bool onGpu,
                            const Dims *strides) {
  for (int64_t size : shape)
    if (size < 0)
      return Error{"negative-dimension", {std::to_string(size), shapeText(shape)}};
  auto allocation = context.memory.allocate(bytesFor(shape, type));
  if (!allocation)
    return allocation.error();
  auto tensor = std::make_shared<TensorObject>();
  tensor->storage = std::make_shared<Storage>(context.memory, *allocation);
  tensor->type = type;
  tensor->shape = shape;
  tensor->strides = strides ? *strides : contiguousStrides(shape);
  tensor->onGpu = onGpu;
  return tensor;
}

Result<TensorPtr> newTensorLike(OperationContext &context, const TensorObject &tensor, ElementType type,
                                bool onGpu) {
  const Dims strides = stridesLike(tensor.shape, {tensor.strides});
  return newTensor(context, tensor.shape, type, onGpu, &strides);
}

TensorPtr viewOf(const TensorObject &tensor, Dims shape, Dims strides, int64_t offset) {
  auto view = std::make_shared<TensorObject>();
  view->storage = tensor.storage;
  view->type = tensor.type;
  view->shape = std::move(shape);
  view->strides = std::move(strides);
  view->offset = offset;
  view->onGpu = tensor.onGpu;
  return view;
}

Result<Dims> broadcastShape(const Dims &left, const Dims &right) {
  Dims result = left.size() < right.size() ? right : left;
  const Dims &shorter = left.size() < right.size() ? left : right;
  const size_t lead = result.size() - shorter.size();
  for (size_t d = 0; d < shorter.size(); ++d) {
    int64_t &size = result[lead + d];
    if (size != shorter[d] && size != 1 && shorter[d] != 1)
      return Error{"shape-mismatch",
                   {shapeText(left), shapeText(right), std::to_string(lead + d), std::to_string(size),
                    std::to_string(shorter[d])}};
    if (size == 1)
      size = shorter[d];
  }
  return result;
}

Dims broadcastStrides(const TensorObject &tensor, const Dims &shape) {
  Dims strides(shape.size(), 0);
  const size_t lead = shape.size() - tensor.shape.size();
  for (size_t d = 0; d < tensor.shape.size(); ++d)
    strides[lead + d] = tensor.shape[d] == 1 ? 0 : tensor.strides[d];
  return strides;
}

namespace {

/// Does dimension `a` lie outside `b` (> 0), inside it (< 0), or is that open? The first operand to say so
/// counts.
int compareDims(const Dims &shape, const std::vector<Dims> &operandStrides, size_t a, size_t b) {
  for (const Dims &strides : operandStrides) {
    if (strides[a] == 0 || strides[b] == 0)
      continue;
    if (strides[a] != strides[b])
      return strides[a] < strides[b] ? -1 : 1;
    if (shape[a] > shape[b])
      return 1;
  }
  return 0;
}

} // namespace

Dims stridesLike(const Dims &shape, const std::vector<Dims> &operandStrides) {
  std::vector<size_t> order(shape.size()); // of dimensions, the innermost first
  for (size_t d = 0; d < order.size(); ++d)
    order[d] = order.size() - 1 - d;
  for (size_t i = 1; i < order.size(); ++i)
    for (size_t place = i, other = i; other-- > 0;) {
      const int comparison = compareDims(shape, operandStrides, order[other], order[place]);
      if (comparison < 0)
        break;
      if (comparison > 0)
        std::swap(order[other], order[std::exchange(place, other)]);
    }
  Dims strides(shape.size());
  int64_t stride = 1;
  for (size_t d : order) {
    strides[d] = stride;
    stride *= std::max<int64_t>(shape[d], 1);
  }
  return strides;
}

Result<int64_t> wrapDim(int64_t dim, int64_t rank) {
  const int64_t count = std::max<int64_t>(rank, 1); // a tensor of no dimension has dimension 0 and -1
  if (dim < -count || dim >= count)
    return Error{"dimension-out-of-range", {std::to_string(dim), std::to_string(rank)}};
  return dim < 0 ? dim + count : dim;
}

std::optional<Number> numberOf(const Value &value) {
  if (const bool *flag = value.asBool())
    return Number::of(*flag);
  if (const double *real = value.asFloat())
    return Number::of(*real);
  if (auto integer = value.index())
    return Number::of(*integer);
  return std::nullopt;
}

ElementType promoteTypes(ElementType a, ElementType b) {
  if (a == b || b == ElementType::Bool)
    return a;
  if (a == ElementType::Bool)
    return b;
  if (isFloat(a) != isFloat(b))
    return isFloat(a) ? a : b;
  const unsigned bytesA = byteSize(a), bytesB = byteSize(b);
  if (isFloat(a))
    return bytesA == bytesB ? ElementType::Float32 : bytesA > bytesB ? a : b;
  if (isSignedInt(a) == isSignedInt(b))
    return bytesA > bytesB ? a : b;
  // A signed and an unsigned one: the signed one if it is wider, else the next wider signed one.
  const ElementType wanted = isSignedInt(a) ? a : b;
  const unsigned needed = std::min(8u, 2 * (isSignedInt(a) ? bytesB : bytesA));
  for (ElementType type : {ElementType::Int16, ElementType::Int32})
    if (byteSize(wanted) <= byteSize(type) && needed <= byteSize(type))
      return type;
  return ElementType::Int64;
}

namespace {

int kindRank(ElementType type) { return type == ElementType::Bool ? 0 : isFloat(type) ? 2 : 1; }

ElementType typeOf(Number number) {
  switch (number.kind) {
  case Number::Kind::Bool:
    return ElementType::Bool;
  case Number::Kind::Int:
    return ElementType::Int64;
  case Number::Kind::Float:
    break;
  }
  return ElementType::Float32;
}

/// torch's combine_categories: the lower priority counts only where its kind is higher.
std::optional<ElementType> combine(std::optional<ElementType> higher, std::optional<ElementType> lower) {
  if (!higher || !lower)
    return higher ? higher : lower;
  return kindRank(*lower) > kindRank(*higher) ? promoteTypes(*higher, *lower) : *higher;
}

} // namespace

ElementType resultType(std::span<const Operand> operands) {
  std::array<std::optional<ElementType>, 3> byPriority; // tensors, tensors of no dimension, numbers
  for (const Operand &operand : operands) {
    auto &slot = byPriority[!operand.tensor ? 2 : operand.tensor->shape.empty() ? 1 : 0];
    const ElementType type = operand.tensor ? operand.tensor->type : typeOf(operand.number);
    slot = slot ? promoteTypes(*slot, type) : type;
  }
  auto result = combine(byPriority[0], combine(byPriority[1], byPriority[2]));
  return result.value_or(ElementType::Float32);
}

namespace {

/// Calls f(address, bytes) for stretches that hold the elements from `dimension` on.
template <typename F> void forEachStretch(const TensorObject &tensor, size_t dimension, Address at, F &f) {
  const unsigned bytes = byteSize(tensor.type);
  if (dimension == tensor.shape.size())
    return f(at, bytes);
  const int64_t stride = tensor.strides[dimension];
  if (dimension + 1 == tensor.shape.size() && stride == 1)
    return f(at, static_cast<uint64_t>(tensor.shape[dimension]) * bytes);
  const int64_t extent = stride == 0 ? 1 : tensor.shape[dimension];
  for (int64_t i = 0; i < extent; ++i)
    forEachStretch(tensor, dimension + 1, at + static_cast<uint64_t>(i * stride) * bytes, f);
}

/// Someone reads a tensor in whose span not all was written: remembers it if elements are among that.
void noteUndefined(const TensorObject &tensor) {
  AddressSpace &memory = tensor.storage->memory;
  const AllocationId allocation = tensor.storage->allocation;
  if (memory.undefinedReads().contains(allocation))
    return;
  UndefinedRead read;
  read.allocation = allocation;
  read.version = memory.version();
  auto look = [&](Address at, uint64_t bytes) {
    read.bytes += bytes;
    if (memory.isDefined(at, bytes))
      return;
    read.undefined += memory.countUndefined(at, bytes);
    const Address first = memory.firstUndefined(at, bytes);
    read.first = read.first == 0 ? first : std::min(read.first, first);
  };
  forEachStretch(tensor, 0, tensor.address(), look);
  if (read.undefined > 0)
    memory.note(read);
}

} // namespace

std::byte *contents(const TensorObject &tensor, bool forWriting) {
  AddressSpace &memory = tensor.storage->memory;
  if (tensor.elements() == 0)
    return nullptr;
  const Address first = tensor.address();
  int64_t last = 0; // strides are never negative
  for (size_t d = 0; d < tensor.shape.size(); ++d)
    last += (tensor.shape[d] - 1) * tensor.strides[d];
  const uint64_t bytes = static_cast<uint64_t>(last + 1) * byteSize(tensor.type);
  if (forWriting)
    return memory.write(first, bytes);
  if (!memory.isDefined(first, bytes))
    noteUndefined(tensor);
  return const_cast<std::byte *>(memory.read(first));
}

LoopOperand loopOperand(const TensorObject &tensor, const Dims &shape, bool forWriting) {
  return {contents(tensor, forWriting), tensor.type, broadcastStrides(tensor, shape)};
}

Number elementAt(const TensorObject &tensor, int64_t offset) {
  const std::byte *at = contents(tensor) + offset * byteSize(tensor.type);
  return withElement(tensor.type, [at]<typename T>(std::type_identity<T>) {
    T element;
    std::memcpy(&element, at, sizeof(T));
    if constexpr (std::is_same_v<T, Flag>)
      return Number::of(element.bits != 0);
    else if constexpr (std::is_integral_v<T>)
      return Number::of(static_cast<int64_t>(element));
    else
      return Number::of(loadAs<double>(element));
  });
}

Value pythonValue(ElementType type, Number number) {
  if (type == ElementType::Bool)
    return Value(number.integer != 0);
  if (isFloat(type))
    return Value(number.real);
  if (type == ElementType::UInt64 && number.integer < 0)
    return Value(Integer(number.integer) + Integer::pow(Integer(2), 64));
  return Value(number.integer);
}

bool copyElements(OperationContext &context, const TensorObject &from, const TensorObject &to) {
  if (from.type == to.type && from.shape == to.shape && from.isContiguous() && to.isContiguous()) {
    const auto bytes = static_cast<size_t>(to.elements()) * byteSize(to.type);
    if (bytes > 0)
      std::memmove(contents(to, true), contents(from), bytes);
    return true;
  }
  StridedLoop loop(to.shape, {loopOperand(to, to.shape, true), loopOperand(from, to.shape)});
  // Through int64 only what is whole in both; through double the rest, exactly.
  auto run = [&]<typename C>(C) {
    auto load = chunkLoader<C>(from.type);
    auto store = chunkStorer<C>(to.type);
    const int64_t strideTo = loop.innerStride(0), strideFrom = loop.innerStride(1);
    return loop.forEachRun([&](const std::vector<std::byte *> &at, int64_t length) {
      C chunk[ChunkElements];
      for (int64_t i = 0; i < length; i += ChunkElements) {
        const int64_t count = std::min(ChunkElements, length - i);
        load(at[1] + i * strideFrom * byteSize(from.type), strideFrom, count, chunk);
        store(chunk, count, at[0] + i * strideTo * byteSize(to.type), strideTo);
      }
      return !context.stopRequested();
    });
  };
  return withArithmetic(from.type, run);
}

bool fillElements(OperationContext &context, const TensorObject &to, Number value) {
  const bool zero =
      value.kind == Number::Kind::Float ? std::bit_cast<uint64_t>(value.real) == 0 : value.integer == 0;
  const auto bytes = static_cast<uint64_t>(to.elements()) * byteSize(to.type);
  if (bytes == 0)
    return true;
  if (zero && to.isContiguous() && context.memory.isUntouched(to.address(), bytes)) {
    context.memory.define(to.address(), bytes); // fresh memory reads as zeros: nobody needs to touch it
    return true;
  }
  StridedLoop loop(to.shape, {loopOperand(to, to.shape, true)});
  return withArithmetic(to.type, [&]<typename C>(C) {
    auto store = chunkStorer<C>(to.type);
    C chunk[ChunkElements];
    std::fill_n(chunk, ChunkElements, value.as<C>());
    const int64_t stride = loop.innerStride(0);
    return loop.forEachRun([&](const std::vector<std::byte *> &at, int64_t length) {
      for (int64_t i = 0; i < length; i += ChunkElements)
        store(chunk, std::min(ChunkElements, length - i), at[0] + i * stride * byteSize(to.type), stride);
      return !context.stopRequested();
    });
  });
}

Result<TensorPtr> contiguous(OperationContext &context, const TensorPtr &tensor) {
  if (tensor->isContiguous())
    return tensor;
  auto copy = newTensor(context, tensor->shape, tensor->type, tensor->onGpu);
  if (copy && !context.checking() && !copyElements(context, *tensor, **copy))
    return stopped();
  return copy;
}

Result<TensorPtr> converted(OperationContext &context, const TensorPtr &tensor, ElementType type) {
  if (tensor->type == type)
    return tensor;
  auto copy = newTensorLike(context, *tensor, type, tensor->onGpu);
  if (!copy || context.checking())
    return copy;
  if (!context.settle() || !copyElements(context, *tensor, **copy))
    return stopped();
  const Operand read{tensor, {}};
  charge(context, "to", {&read, 1}, {&*copy, 1});
  return copy;
}

void charge(OperationContext &context, std::string_view operation, std::span<const Operand> reads,
            std::span<const TensorPtr> writes, int64_t passes, int64_t kernels) {
  OperationCost cost;
  cost.kernels = kernels;
  cost.passes = passes;
  auto add = [&cost](const TensorObject &tensor, bool written) {
    const int64_t elements = tensor.elements(), bytes = elements * byteSize(tensor.type);
    cost.operands.push_back({elements, bytes, written});
    (written ? cost.elementsWritten : cost.elementsRead) += elements;
    (written ? cost.bytesWritten : cost.bytesRead) += bytes;
  };
  for (const Operand &operand : reads)
    if (operand.tensor)
      add(*operand.tensor, false);
  for (const TensorPtr &tensor : writes)
    add(*tensor, true);
  context.charge(operation, cost);
}

} // namespace tilescope::host
