// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that say whether tensors agree. They check a result and are no part of what is being compared, so they
// are not charged.
#include "compiler/Host/ElementLimit.h"
#include "compiler/Host/OperationsRows.h"

#include "compiler/Host/TensorElementwise.h"
#include "compiler/Value/Operators.h"

namespace tilescope::host {

namespace {

struct Tolerance {
  double relative = 1e-5, absolute = 1e-8;
  bool equalNan = false;
};

/// torch.isclose of two numbers, in the arithmetic of their type.
template <typename C> bool isClose(C actual, C expected, const Tolerance &tolerance) {
  if (actual == expected || (tolerance.equalNan && actual != actual && expected != expected))
    return true;
  if constexpr (std::is_integral_v<C>) {
    const double difference = std::fabs(double(actual) - double(expected));
    return difference <= tolerance.absolute + std::fabs(tolerance.relative * double(expected));
  } else {
    const C allowed = C(tolerance.absolute) + std::fabs(C(tolerance.relative) * expected);
    const C difference = std::fabs(actual - expected);
    return std::isfinite(difference) && difference <= allowed;
  }
}

/// Calls f(actual, expected, index) for each pair of elements, in row-major order of `shape`, until it gives
/// false. Gives false if stopped.
template <typename F>
bool forEachPair(OperationContext &context, const TensorObject &actual, const TensorObject &expected,
                 const Dims &shape, F f) {
  StridedLoop loop(shape, {loopOperand(actual, shape), loopOperand(expected, shape)});
  return withArithmetic(promoteTypes(actual.type, expected.type), [&]<typename C>(C) {
    auto loadA = chunkLoader<C>(actual.type), loadB = chunkLoader<C>(expected.type);
    const int64_t strideA = loop.innerStride(0), strideB = loop.innerStride(1);
    int64_t index = 0;
    bool ended = false;
    const bool whole = loop.forEachRun([&](const std::vector<std::byte *> &at, int64_t length) {
      C a[ChunkElements], b[ChunkElements];
      for (int64_t i = 0; i < length && !ended; i += ChunkElements) {
        const int64_t count = std::min(ChunkElements, length - i);
        loadA(at[0] + i * strideA * byteSize(actual.type), strideA, count, a);
        loadB(at[1] + i * strideB * byteSize(expected.type), strideB, count, b);
        for (int64_t k = 0; k < count && !ended; ++k)
          ended = !f(a[k], b[k], index++);
      }
      return !ended && !context.stopRequested();
    });
    return whole || ended;
  });
}

struct Pair {
  TensorPtr actual, expected;
  Dims shape;
};

/// Two tensors to be compared: on the same device, of shapes that broadcast.
std::optional<Pair> pairOf(Call &call, std::string_view first, std::string_view second) {
  Pair pair{call.tensor(first), call.tensor(second), {}};
  if (call.failed())
    return std::nullopt;
  auto shape = broadcastShape(pair.actual->shape, pair.expected->shape);
  const std::array operands{Operand{pair.actual, {}}, Operand{pair.expected, {}}};
  auto device = commonDevice(call.name(), operands);
  if (!shape)
    call.fail(shape.error());
  else if (!device)
    call.fail(device.error());
  else if (auto error = tooManyElements(*shape))
    call.fail(*error);
  else
    pair.shape = *shape;
  return call.failed() ? std::nullopt : std::optional(pair);
}

Tolerance toleranceOf(Call &call) {
  return {call.real("rtol"), call.real("atol"), call.boolean("equal_nan")};
}

/// allclose and isclose want one type.
bool sameType(Call &call, const Pair &pair) {
  if (pair.actual->type != pair.expected->type)
    call.fail({"dtype-mismatch", {typeText(pair.actual->type), typeText(pair.expected->type)}}, "other");
  return !call.failed();
}

Result<Value> allClose(Call &call) {
  const Tolerance tolerance = toleranceOf(call);
  auto pair = pairOf(call, "input", "other");
  if (!pair || !sameType(call, *pair))
    return call.error();
  if (call.context.checking())
    return unknown();
  bool all = true;
  auto test = [&](auto a, auto b, int64_t) { return all = isClose(a, b, tolerance); };
  if (!call.context.settle() || !forEachPair(call.context, *pair->actual, *pair->expected, pair->shape, test))
    return stopped();
  return Value(all);
}

Result<Value> isCloseBody(Call &call) {
  const Tolerance tolerance = toleranceOf(call);
  auto pair = pairOf(call, "input", "other");
  if (!pair || !sameType(call, *pair))
    return call.error();
  auto result = newTensor(call.context, pair->shape, ElementType::Bool, pair->actual->onGpu);
  if (!result || call.context.checking())
    return call.finish(result);
  if (!call.context.settle())
    return stopped();
  auto *flags = reinterpret_cast<Flag *>(contents(**result, true));
  auto test = [&](auto a, auto b, int64_t index) {
    flags[index].bits = isClose(a, b, tolerance);
    return true;
  };
  if (!forEachPair(call.context, *pair->actual, *pair->expected, pair->shape, test))
    return stopped();
  return valueOf(*result);
}

/// torch.equal: shapes and all elements; types may differ.
Result<Value> equal(Call &call) {
  auto left = call.tensor("input"), right = call.tensor("other");
  if (call.failed())
    return call.error();
  if (left->shape != right->shape)
    return Value(false);
  if (call.context.checking())
    return unknown();
  bool same = true;
  auto test = [&](auto a, auto b, int64_t) { return same = a == b; };
  if (!call.context.settle() || !forEachPair(call.context, *left, *right, left->shape, test))
    return stopped();
  return Value(same);
}

/// The tolerances of torch.testing by type.
Tolerance defaultTolerance(ElementType type) {
  switch (type) {
  case ElementType::Float16:
    return {1e-3, 1e-5};
  case ElementType::BFloat16:
    return {1.6e-2, 1e-5};
  case ElementType::Float32:
    return {1.3e-6, 1e-5};
  case ElementType::Float64:
    return {1e-7, 1e-7};
  default:
    return {0, 0};
  }
}

/// The larger tolerance of two types counts.
Tolerance toleranceFor(Call &call, const Pair &pair) {
  const Tolerance a = defaultTolerance(pair.actual->type), b = defaultTolerance(pair.expected->type);
  Tolerance t{std::max(a.relative, b.relative), std::max(a.absolute, b.absolute), call.boolean("equal_nan")};
  if (!call.isNone("rtol"))
    t.relative = call.real("rtol");
  if (!call.isNone("atol"))
    t.absolute = call.real("atol");
  return t;
}

struct Differences {
  int64_t count = 0;
  double absolute = -1, relative = -1; ///< the greatest ones
  int64_t absoluteAt = 0, relativeAt = 0;

  void add(double actual, double expected, int64_t index) {
    ++count;
    const double difference = std::fabs(actual - expected), quotient = difference / std::fabs(expected);
    auto keep = [index](double value, double &greatest, int64_t &at) {
      if (value > greatest || (value != value && greatest == greatest)) {
        greatest = value;
        at = index;
      }
    };
    keep(difference, absolute, absoluteAt);
    keep(quotient, relative, relativeAt);
  }
};

std::string placeText(int64_t index, const Dims &shape) {
  Dims place(shape.size());
  for (size_t d = shape.size(); d-- > 0; index /= shape[d])
    place[d] = index % shape[d];
  return shapeText(place);
}

/// Error "not-close" unless all elements of the pair are.
Result<Value> expectClose(Call &call, const Pair &pair, const Tolerance &tolerance) {
  if (call.failed())
    return call.error();
  if (call.context.checking())
    return Value();
  Differences found;
  auto test = [&](auto a, auto b, int64_t index) {
    if (!isClose(a, b, tolerance))
      found.add(double(a), double(b), index);
    return true;
  };
  if (!call.context.settle() || !forEachPair(call.context, *pair.actual, *pair.expected, pair.shape, test))
    return stopped();
  if (found.count == 0)
    return Value();
  return call.fail({"not-close",
                    {std::to_string(found.count), std::to_string(elementCount(pair.shape)),
                     repr(Value(found.absolute)), placeText(found.absoluteAt, pair.shape),
                     repr(Value(found.relative)), placeText(found.relativeAt, pair.shape),
                     repr(Value(tolerance.absolute)), repr(Value(tolerance.relative))}});
}

Result<Value> assertClose(Call &call) {
  auto actual = call.tensor("actual"), expected = call.tensor("expected");
  if (call.failed())
    return call.error();
  if (actual->shape != expected->shape)
    return call.fail({"assert-close-shape", {shapeText(actual->shape), shapeText(expected->shape)}});
  if (call.boolean("check_dtype") && actual->type != expected->type)
    return call.fail({"assert-close-type", {typeText(actual->type), typeText(expected->type)}});
  auto pair = pairOf(call, "actual", "expected");
  return pair ? expectClose(call, *pair, toleranceFor(call, *pair)) : call.error();
}

/// triton.testing.assert_close: types may differ; 0.01 absolute unless told otherwise; a NaN
/// equals a NaN, but not as the only element.
Result<Value> tritonAssertClose(Call &call) {
  auto actual = call.tensor("x"), expected = call.tensor("y");
  if (call.failed())
    return call.error();
  if (actual->shape != expected->shape)
    return call.fail({"assert-close-shape", {shapeText(actual->shape), shapeText(expected->shape)}});
  const Tolerance tolerance{call.isNone("rtol") ? 0 : call.real("rtol"),
                            call.isNone("atol") ? 1e-2 : call.real("atol"), actual->elements() != 1};
  auto wide = converted(call.context, expected, actual->type);
  if (!wide)
    return wide.error();
  return expectClose(call, {actual, *wide, actual->shape}, tolerance);
}

#define TOLERANCE "input, other, rtol=0.00001, atol=0.00000001, equal_nan=False"

constexpr OperationRow Rows[] = {
    {"allclose", Torch | Method, TOLERANCE, allClose},
    {"isclose", Torch | Method, TOLERANCE, isCloseBody},
    {"equal", Torch | Method, "input, other", equal},
    {"torch.testing.assert_close", FullName,
     "actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True, "
     "check_dtype=True, check_layout=True, check_stride=False, msg=None",
     assertClose},
    {"triton.testing.assert_close", FullName, "x, y, atol=None, rtol=None, err_msg=''", tritonAssertClose},
};

#undef TOLERANCE

} // namespace

std::span<const OperationRow> comparisonRows() { return Rows; }

} // namespace tilescope::host
