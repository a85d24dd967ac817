// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of the operations that draw random numbers. Numbers are drawn when somebody needs them, in the order
// of the program.
#include "compiler/Host/OperationsRows.h"
#include "compiler/Host/Random.h"

namespace tilescope::host {

namespace {

using Kind = Distribution::Kind;

#define FACTORY                                                                                              \
  ", *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False, memory_format=None"

/// Fills a tensor later.
Result<Value> drawn(Call &call, TensorPtr tensor, const Distribution &distribution) {
  OperationContext &context = call.context;
  const std::string name(call.name());
  context.defer([&context, tensor, distribution, name] {
    if (context.random->fill(context, *tensor, distribution))
      charge(context, name, {}, {&tensor, 1});
  });
  return valueOf(std::move(tensor));
}

Result<Value> made(Call &call, const Dims &shape, ElementType otherwise, bool onGpu, const Distribution &d) {
  const ElementType type = call.elementType().value_or(otherwise);
  const bool gpu = call.onGpu(onGpu);
  if (call.failed())
    return call.error();
  if (!isFloat(type) && (d.kind == Kind::Uniform || d.kind == Kind::Normal))
    return call.fail({"random-type", {std::string(call.name()), typeText(type)}}, "dtype");
  auto tensor = newTensor(call.context, shape, type, gpu);
  if (!tensor)
    return tensor.error();
  return drawn(call, *tensor, d);
}

template <Kind K> Result<Value> sized(Call &call) {
  return made(call, call.integers("size"), ElementType::Float32, false, {K, 0, 1, 0, 1});
}

template <Kind K> Result<Value> like(Call &call) {
  auto input = call.tensor("input");
  return call.failed() ? call.error() : made(call, input->shape, input->type, input->onGpu, {K, 0, 1, 0, 1});
}

/// randint(high, size) or randint(low, high, size): the bounds are what stands before the size.
Result<Distribution> bounds(Call &call, std::string_view low, std::string_view high) {
  Distribution d{Kind::Integer, 0, 0, 0, 1};
  const bool one = call.isNone(high);
  d.low = one ? 0 : call.integer(low);
  const int64_t end = call.integer(one ? low : high);
  if (!call.failed() && end <= d.low)
    return call.fail({"empty-range", {std::to_string(d.low), std::to_string(end)}}, one ? low : high);
  d.range = static_cast<uint64_t>(end) - static_cast<uint64_t>(d.low);
  return d;
}

Result<Value> randint(Call &call) {
  const bool two = !call.isNone("size"); // three positional arguments, or size= by name
  Result<Distribution> d = Distribution{};
  Dims shape;
  if (two) {
    d = bounds(call, "low", "high");
    shape = call.integers("size");
  } else {
    d = Distribution{Kind::Integer, 0, 0, 0,
                     static_cast<uint64_t>(std::max<int64_t>(call.integer("low"), 0))};
    shape = call.integers("high");
  }
  if (!d || call.failed())
    return call.failed() ? call.error() : d.error();
  if (d->range == 0)
    return call.fail({"empty-range", {"0", std::to_string(call.integer("low"))}}, "low");
  return made(call, shape, ElementType::Int64, false, *d);
}

Result<Value> randintLike(Call &call) {
  auto input = call.tensor("input");
  auto d = bounds(call, "low", "high");
  if (call.failed())
    return call.error();
  return made(call, input->shape, input->type, input->onGpu, *d);
}

Result<Value> randperm(Call &call) {
  return made(call, {call.integer("n")}, ElementType::Int64, false, {Kind::Permutation, 0, 0, 0, 1});
}

Result<Value> normal(Call &call) {
  const double mean = call.real("mean"), deviation = call.real("std");
  return made(call, call.integers("size"), ElementType::Float32, false,
              {Kind::Normal, mean, deviation, 0, 1});
}

/// tensor.uniform_() and the like overwrite what is there: all that reads it comes first.
Result<Value> refilled(Call &call, const Distribution &distribution) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  if (!isFloat(input->type))
    return call.fail({"random-type", {std::string(call.name()), typeText(input->type)}}, "input");
  if (!input->isContiguous())
    return call.fail({"random-not-contiguous", {std::string(call.name())}}, "input");
  return drawn(call, input, distribution);
}

Result<Value> seed(Call &call) {
  const int64_t seed = call.integer("seed");
  if (call.failed())
    return call.error();
  auto random = call.context.random;
  call.context.defer([random, seed] { random->seed(static_cast<uint64_t>(seed)); });
  return Value();
}

constexpr OperationRow Rows[] = {
    {"rand", Torch, "*size" FACTORY, sized<Kind::Uniform>},
    {"randn", Torch, "*size" FACTORY, sized<Kind::Normal>},
    {"rand_like", Torch, "input" FACTORY, like<Kind::Uniform>},
    {"randn_like", Torch, "input" FACTORY, like<Kind::Normal>},
    {"randint", Torch, "low, high=None, size=None" FACTORY, randint},
    {"randint_like", Torch, "input, low, high=None" FACTORY, randintLike},
    {"randperm", Torch, "n" FACTORY, randperm},
    {"normal", Torch, "mean, std, size" FACTORY, normal},
    {"uniform_", Method, "input, from=0.0, to=1.0",
     [](Call &call) { return refilled(call, {Kind::Uniform, call.real("from"), call.real("to"), 0, 1}); }},
    {"normal_", Method, "input, mean=0.0, std=1.0",
     [](Call &call) { return refilled(call, {Kind::Normal, call.real("mean"), call.real("std"), 0, 1}); }},
    {"manual_seed random.manual_seed cuda.manual_seed cuda.manual_seed_all", Torch, "seed", seed},
};

#undef FACTORY

} // namespace

std::span<const OperationRow> randomRows() { return Rows; }

} // namespace tilescope::host
