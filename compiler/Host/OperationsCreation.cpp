// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of the operations that make tensors out of nothing, numbers or lists.
#include "compiler/Host/OperationsRows.h"

#include "compiler/Value/Operators.h"

namespace tilescope::host {

namespace {

/// What every factory takes besides its own parameters.
#define FACTORY                                                                                              \
  ", *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, memory_format=None"

Result<Value> filled(Call &call, Result<TensorPtr> tensor, std::optional<Number> value) {
  if (!tensor)
    return tensor.error();
  if (!value || call.context.checking())
    return valueOf(*tensor);
  if (!fillElements(call.context, **tensor, *value))
    return stopped();
  charge(call.context, call.name(), {}, {&*tensor, 1});
  return valueOf(*tensor);
}

Result<TensorPtr> made(Call &call, const Dims &shape, ElementType type, bool onGpu) {
  return call.failed() ? call.error() : newTensor(call.context, shape, type, onGpu);
}

Result<Value> sized(Call &call, std::optional<Number> value) {
  const Dims shape = call.integers("size");
  return filled(call, made(call, shape, call.elementType().value_or(ElementType::Float32), call.onGpu()),
                value);
}

Result<Value> like(Call &call, std::optional<Number> value) {
  auto input = call.tensor("input");
  const auto type = call.elementType();
  const bool onGpu = call.onGpu(input && input->onGpu);
  if (call.failed())
    return call.error();
  return filled(call, newTensorLike(call.context, *input, type.value_or(input->type), onGpu), value);
}

/// tensor.new_zeros(size) and the like.
Result<Value> newLike(Call &call, std::optional<Number> value) {
  auto input = call.tensor("input");
  const Dims shape = call.integers("size");
  if (call.failed())
    return call.error();
  const ElementType type = call.elementType().value_or(input->type);
  return filled(call, made(call, shape, type, call.onGpu(input->onGpu)), value);
}

ElementType typeFor(Number::Kind kind) {
  switch (kind) {
  case Number::Kind::Bool:
    return ElementType::Bool;
  case Number::Kind::Int:
    return ElementType::Int64;
  case Number::Kind::Float:
    break;
  }
  return ElementType::Float32;
}

Result<Value> full(Call &call) {
  const Dims shape = call.integers("size");
  const Number value = call.number("fill_value");
  return filled(call, made(call, shape, call.elementType().value_or(typeFor(value.kind)), call.onGpu()),
                value);
}

/// Computes f(i) for every element in row-major order.
template <typename C, typename F> bool compute(OperationContext &context, const TensorObject &tensor, F f) {
  auto store = chunkStorer<C>(tensor.type);
  std::byte *data = contents(tensor, true);
  C chunk[ChunkElements];
  const int64_t elements = tensor.elements();
  for (int64_t i = 0; i < elements; i += ChunkElements) {
    const int64_t count = std::min(ChunkElements, elements - i);
    for (int64_t k = 0; k < count; ++k)
      chunk[k] = f(i + k);
    store(chunk, count, data + i * byteSize(tensor.type), 1);
    if (context.stopRequested())
      return false;
  }
  return true;
}

/// A new tensor whose element i is f(i), worked out in C.
template <typename C, typename F>
Result<Value> computed(Call &call, const Dims &shape, ElementType type, F f) {
  if (call.failed())
    return call.error();
  auto tensor = newTensor(call.context, shape, type, call.onGpu());
  if (!tensor || call.context.checking())
    return call.finish(tensor);
  if (!compute<C>(call.context, **tensor, f))
    return stopped();
  charge(call.context, call.name(), {}, {&*tensor, 1});
  return valueOf(*tensor);
}

Result<Value> arange(Call &call) {
  const bool one = call.isNone("end");
  const Number start = one ? Number::of(int64_t(0)) : call.number("start");
  const Number end = call.number(one ? "start" : "end"), step = call.number("step");
  using Kind = Number::Kind;
  const bool real = start.kind == Kind::Float || end.kind == Kind::Float || step.kind == Kind::Float;
  const ElementType type = call.elementType().value_or(real ? ElementType::Float32 : ElementType::Int64);
  const double span = end.real - start.real;
  if (!call.failed() &&
      (step.real == 0 || !std::isfinite(span) || (span != 0 && (span < 0) != (step.real < 0))))
    return call.fail({"arange-step", {}}, "step");
  const Dims shape{loadAs<int64_t>(std::ceil(span / (step.real == 0 ? 1 : step.real)))};
  if (!isFloat(type) && !real)
    return computed<int64_t>(call, shape, type, [=](int64_t i) { return start.integer + i * step.integer; });
  return computed<double>(call, shape, type, [=](int64_t i) { return start.real + double(i) * step.real; });
}

/// Counted from the nearer end, as in torch, so that both ends are exact.
Result<Value> linspace(Call &call) {
  const double start = call.real("start"), end = call.real("end");
  const int64_t steps = call.integer("steps");
  const ElementType type = call.elementType().value_or(ElementType::Float32);
  auto values = [&]<typename C>(C) {
    const C step = (C(end) - C(start)) / C(std::max<int64_t>(steps - 1, 1));
    return computed<C>(call, {steps}, type, [=](int64_t i) {
      return i < steps / 2 ? C(start) + step * C(i)
             : steps == 1  ? C(start)
                           : C(end) - step * C(steps - i - 1);
    });
  };
  return type == ElementType::Float32 ? values(float{}) : values(double{});
}

Result<Value> eye(Call &call) {
  const int64_t rows = call.integer("n"), columns = call.optionalInteger("m").value_or(rows);
  return computed<int64_t>(call, {rows, columns}, call.elementType().value_or(ElementType::Float32),
                           [=](int64_t i) { return int64_t(i / columns == i % columns); });
}

/// The numbers of nested lists, in order, and their shape.
class Flattener {
public:
  std::optional<Error> add(const Value &value, size_t depth = 0) {
    if (!value.as<ListObject>() && !value.as<TupleObject>() && !value.as<RangeObject>())
      return addNumber(value, depth);
    auto items = elements(value);
    if (!items)
      return items.error();
    const auto size = static_cast<int64_t>(items->size());
    if (depth == m_shape.size() && !m_complete)
      m_shape.push_back(size);
    if (depth >= m_shape.size() || m_shape[depth] != size || depth > MaxNesting)
      return ragged(depth, size);
    for (const Value &item : *items)
      if (auto error = add(item, depth + 1))
        return error;
    m_complete |= items->empty();
    return std::nullopt;
  }

  const Dims &shape() const { return m_shape; }
  const std::vector<Number> &numbers() const { return m_numbers; }
  ElementType type() const { return m_numbers.empty() ? ElementType::Float32 : typeFor(m_kind); }

private:
  std::optional<Error> addNumber(const Value &value, size_t depth) {
    std::optional<Number> number = numberOf(value);
    if (auto tensor = tensorOf(value); tensor && tensor->elements() == 1)
      number = elementAt(*tensor, 0);
    if (!number)
      return Error{"not-a-number", {std::string(value.typeName())}};
    if (depth != m_shape.size())
      return ragged(depth, 0);
    m_complete = true;
    m_kind = std::max(m_kind, number->kind);
    m_numbers.push_back(*number);
    return std::nullopt;
  }
  Error ragged(size_t depth, int64_t size) const {
    const int64_t expected = depth < m_shape.size() ? m_shape[depth] : 0;
    return {"ragged-list", {std::to_string(depth), std::to_string(expected), std::to_string(size)}};
  }

  Dims m_shape;
  std::vector<Number> m_numbers;
  Number::Kind m_kind = Number::Kind::Bool;
  bool m_complete = false; ///< the shape is known: no deeper lists
};

Result<Value> tensorBody(Call &call) {
  const auto type = call.elementType();
  if (auto source = tensorOf(call.value("data"))) {
    auto copy =
        newTensor(call.context, source->shape, type.value_or(source->type), call.onGpu(source->onGpu));
    if (!copy || call.failed() || call.context.checking())
      return call.finish(copy);
    if (!call.context.settle() || !copyElements(call.context, *source, **copy))
      return stopped();
    return valueOf(*copy);
  }
  if (!call.context.checking() && !call.context.settle())
    return stopped();
  Flattener flat;
  if (auto error = flat.add(call.value("data")))
    return call.fail(*error, "data");
  const auto &numbers = flat.numbers();
  const ElementType result = type.value_or(flat.type());
  if (isFloat(result))
    return computed<double>(call, flat.shape(), result, [&](int64_t i) { return numbers[i].real; });
  return computed<int64_t>(call, flat.shape(), result, [&](int64_t i) { return numbers[i].integer; });
}

const Number Zero = Number::of(int64_t(0)), UnitNumber = Number::of(int64_t(1));

constexpr OperationRow Rows[] = {
    {"empty", Torch, "*size" FACTORY, [](Call &call) { return sized(call, std::nullopt); }},
    {"zeros", Torch, "*size" FACTORY, [](Call &call) { return sized(call, Zero); }},
    {"ones", Torch, "*size" FACTORY, [](Call &call) { return sized(call, UnitNumber); }},
    {"full", Torch, "size, fill_value" FACTORY, full},
    {"empty_like", Torch, "input" FACTORY, [](Call &call) { return like(call, std::nullopt); }},
    {"zeros_like", Torch, "input" FACTORY, [](Call &call) { return like(call, Zero); }},
    {"ones_like", Torch, "input" FACTORY, [](Call &call) { return like(call, UnitNumber); }},
    {"full_like", Torch, "input, fill_value" FACTORY,
     [](Call &call) { return like(call, call.number("fill_value")); }},
    {"new_empty", Method, "input, *size" FACTORY, [](Call &call) { return newLike(call, std::nullopt); }},
    {"new_zeros", Method, "input, *size" FACTORY, [](Call &call) { return newLike(call, Zero); }},
    {"new_ones", Method, "input, *size" FACTORY, [](Call &call) { return newLike(call, UnitNumber); }},
    {"new_full", Method, "input, size, fill_value" FACTORY,
     [](Call &call) { return newLike(call, call.number("fill_value")); }},
    {"arange", Torch, "start, end=None, step=1" FACTORY, arange},
    {"linspace", Torch, "start, end, steps" FACTORY, linspace},
    {"eye", Torch, "n, m=None" FACTORY, eye},
    {"tensor as_tensor", Torch, "data" FACTORY, tensorBody},
};

#undef FACTORY

} // namespace

std::span<const OperationRow> creationRows() { return Rows; }

} // namespace tilescope::host
