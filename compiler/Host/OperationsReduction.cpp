// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of reductions, running sums, and the fused row operations (softmax, normalisation).
#include "compiler/Host/ElementLimit.h"
#include "compiler/Host/OperationsRows.h"

#include "compiler/Host/OperationsElementwise.h"
#include "compiler/Host/TensorReduce.h"
#include "compiler/Host/TensorRows.h"
#include "compiler/Host/TensorViews.h"

namespace tilescope::host {

namespace {

/// The dimensions that "dim" names, all of them for None or an empty tuple.
std::vector<bool> reducedDims(Call &call, const TensorObject &input) {
  const Dims dims = call.isNone("dim") ? Dims() : call.integers("dim");
  std::vector<bool> reduced(input.shape.size(), dims.empty());
  for (int64_t dim : dims) {
    auto wrapped = wrapDim(dim, input.rank());
    if (!wrapped)
      call.fail(wrapped.error(), "dim");
    else if (!reduced.empty() && reduced[*wrapped])
      call.fail({"duplicate-dimension", {std::to_string(dim)}}, "dim");
    else if (!reduced.empty())
      reduced[*wrapped] = true;
  }
  return reduced;
}

struct Request {
  Reduction kind;
  std::vector<bool> reduced;
  double parameter = 0;
  std::array<std::optional<ElementType>, 2> types; ///< of the results that are wanted
};

using Results = std::array<TensorPtr, 2>;

Dims shapeAfter(const TensorObject &input, const std::vector<bool> &reduced, bool keep) {
  Dims shape;
  for (size_t d = 0; d < reduced.size(); ++d)
    if (!reduced[d] || keep)
      shape.push_back(reduced[d] ? 1 : input.shape[d]);
  return shape;
}

/// Reduces and gives the results the shape that "keepdim" asks for.
Result<Results> reduce(Call &call, const TensorPtr &input, const Request &request) {
  OperationContext &context = call.context;
  if (auto error = tooManyElements(input->shape))
    return *error;
  Results results;
  std::vector<TensorPtr> written;
  for (size_t k = 0; k < results.size(); ++k) {
    if (!request.types[k])
      continue;
    auto made =
        newTensor(context, shapeAfter(*input, request.reduced, false), *request.types[k], input->onGpu);
    if (!made)
      return made.error();
    results[k] = *made;
    // The indices that come with a maximum are not counted: nobody who counts the passes of a softmax does.
    if (k == 0 || !request.types[0])
      written.push_back(*made);
  }
  if (!context.checking()) {
    if (!context.settle() ||
        !reduceElements(context, request.kind, request.parameter, *input, request.reduced, results))
      return stopped();
    const Operand read{input, {}};
    charge(context, call.name(), {&read, 1}, written);
  }
  if (call.has("keepdim") && call.boolean("keepdim"))
    for (TensorPtr &result : results)
      if (result) {
        const Dims shape = shapeAfter(*input, request.reduced, true);
        result = viewOf(*result, shape, contiguousStrides(shape), 0);
      }
  return results;
}

Result<Value> one(Call &call, const TensorPtr &input, Request request) {
  if (call.failed())
    return call.error();
  auto results = reduce(call, input, request);
  return results ? valueOf((*results)[0]) : Result<Value>(results.error());
}

/// A maximum of nothing is an error; `dim` or the whole tensor may be empty.
bool reducesNothing(const TensorObject &input, const std::vector<bool> &reduced) {
  for (size_t d = 0; d < reduced.size(); ++d)
    if (reduced[d] && input.shape[d] == 0)
      return true;
  return false;
}

enum class TypeRule : uint8_t { Sum, Floating, Bool, Int64 };

ElementType resultFor(TypeRule rule, ElementType input) {
  switch (rule) {
  case TypeRule::Sum:
    return isFloat(input) ? input : ElementType::Int64;
  case TypeRule::Floating:
    return input;
  case TypeRule::Bool:
    return input == ElementType::UInt8 ? input : ElementType::Bool; // as in torch
  case TypeRule::Int64:
    break;
  }
  return ElementType::Int64;
}

template <Reduction R, TypeRule Rule> Result<Value> reduction(Call &call) {
  auto input = call.tensor("input");
  const auto asked = call.elementType();
  if (call.failed())
    return call.error();
  if (Rule == TypeRule::Floating && !isFloat(asked.value_or(input->type)))
    return call.fail({"floats-only", {std::string(call.name()), typeText(input->type)}}, "input");
  return one(call, input, {R, reducedDims(call, *input), 0, {asked.value_or(resultFor(Rule, input->type))}});
}

/// amax and amin; max and min of all elements.
template <Reduction R> Result<Value> extreme(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  const auto reduced = reducedDims(call, *input);
  if (reducesNothing(*input, reduced))
    return call.fail({"empty-reduction", {std::string(call.name())}}, "input");
  return one(call, input, {R, reduced, 0, {input->type}});
}

/// max(x), max(x, dim), and max(x, other).
template <Reduction R, BinaryFunction F> Result<Value> extremeOrBinary(Call &call) {
  auto input = call.tensor("input");
  if (call.failed() || call.isNone("dim"))
    return call.failed() ? call.error() : extreme<R>(call);
  if (auto other = tensorOf(call.value("dim")))
    return valueOf(binaryElementwise(call.context, call.name(), F, {input, {}}, {other, {}}));
  std::vector<bool> reduced(input->shape.size(), false);
  const int64_t dim = call.dim("dim", *input);
  if (call.failed())
    return call.error();
  if (!reduced.empty())
    reduced[dim] = true;
  if (reducesNothing(*input, reduced))
    return call.fail({"empty-reduction", {std::string(call.name())}}, "input");
  auto results = reduce(call, input, {R, reduced, 0, {input->type, ElementType::Int64}});
  if (!results)
    return results.error();
  return Value(std::static_pointer_cast<Object>(std::make_shared<TupleObject>(
      std::vector<Value>{valueOf((*results)[0]), valueOf((*results)[1])},
      std::vector<std::string>{"values", "indices"}, "torch.return_types." + std::string(call.name()))));
}

template <Reduction R> Result<Value> argument(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  const auto reduced = reducedDims(call, *input);
  if (reducesNothing(*input, reduced))
    return call.fail({"empty-reduction", {std::string(call.name())}}, "input");
  if (call.failed())
    return call.error();
  auto results = reduce(call, input, {R, reduced, 0, {std::nullopt, ElementType::Int64}});
  return results ? valueOf((*results)[1]) : Result<Value>(results.error());
}

template <Reduction R> Result<Value> spread(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  if (!isFloat(input->type))
    return call.fail({"floats-only", {std::string(call.name()), typeText(input->type)}}, "input");
  double correction = call.boolean("unbiased") ? 1 : 0;
  if (!call.isNone("correction"))
    correction = call.real("correction");
  return one(call, input, {R, reducedDims(call, *input), correction, {input->type}});
}

Result<Value> norm(Call &call) {
  auto input = call.tensor("input");
  const std::string *named = call.value("p").asString();
  const double order = named ? 2 : call.real("p");
  if (call.failed())
    return call.error();
  if ((named && *named != "fro") ||
      (order != 1 && order != 2 && order != std::numeric_limits<double>::infinity()))
    return call.fail({"operation-argument-value", {"p", named ? *named : std::to_string(order)}}, "p");
  if (!isFloat(input->type))
    return call.fail({"floats-only", {std::string(call.name()), typeText(input->type)}}, "input");
  return one(call, input, {Reduction::Norm, reducedDims(call, *input), order, {input->type}});
}

template <Reduction R> Result<Value> scan(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  const int64_t dim = call.dim("dim", *input);
  const ElementType type = call.elementType().value_or(resultFor(TypeRule::Sum, input->type));
  if (call.failed())
    return call.error();
  auto result = newTensor(call.context, input->shape, type, input->onGpu);
  if (!result || call.context.checking())
    return call.finish(result);
  if (!call.context.settle())
    return stopped();
  // A tensor of no dimension is scanned as a row of one.
  const TensorPtr from = input->shape.empty() ? unsqueezed(*input, 0) : input;
  const TensorPtr to = input->shape.empty() ? unsqueezed(**result, 0) : *result;
  if (!scanElements(call.context, R, *from, dim, *to))
    return stopped();
  const Operand read{input, {}};
  charge(call.context, call.name(), {&read, 1}, {&*result, 1});
  return valueOf(*result);
}

constexpr int64_t SoftmaxPasses = 3;   // largest, sum of exponentials, quotient
constexpr int64_t NormalisePasses = 3; // mean, variance, result

template <RowOperation R> Result<Value> softmax(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  const int64_t dim = call.dim("dim", *input);
  const ElementType type = call.elementType().value_or(input->type);
  if (call.failed())
    return call.error();
  if (!isFloat(type))
    return call.fail({"floats-only", {std::string(call.name()), typeText(type)}}, "input");
  auto result = newTensor(call.context, input->shape, type, input->onGpu);
  if (!result || call.context.checking())
    return call.finish(result);
  if (!call.context.settle() || !softmaxRows(call.context, R, *input, dim, **result))
    return stopped();
  const Operand read{input, {}};
  charge(call.context, call.name(), {&read, 1}, {&*result, 1}, SoftmaxPasses);
  return valueOf(*result);
}

Result<Value> normalise(Call &call, bool centred) {
  OperationContext &context = call.context;
  auto input = call.tensor("input");
  const Dims shape = call.integers("normalized_shape");
  RowNormalisation n{elementCount(shape), 0, centred, nullptr, nullptr};
  n.weight = call.has("weight") ? call.tensor("weight") : nullptr;
  n.bias = call.has("bias") ? call.tensor("bias") : nullptr;
  if (call.failed())
    return call.error();
  n.epsilon =
      call.isNone("eps") ? (input->type == ElementType::Float64 ? 0x1p-52 : 0x1p-23) : call.real("eps");
  const bool trailing = shape.size() <= input->shape.size() && !shape.empty() &&
                        std::equal(shape.rbegin(), shape.rend(), input->shape.rbegin());
  if (!trailing)
    return call.fail({"normalized-shape", {shapeText(shape), shapeText(input->shape)}}, "normalized_shape");
  for (const char *parameter : {"weight", "bias"})
    if (call.has(parameter) && call.tensor(parameter)->shape != shape)
      return call.fail(
          {"shape-mismatch-in-place", {shapeText(shape), shapeText(call.tensor(parameter)->shape)}},
          parameter);
  if (!isFloat(input->type))
    return call.fail({"floats-only", {std::string(call.name()), typeText(input->type)}}, "input");
  auto result = newTensor(context, input->shape, input->type, input->onGpu);
  if (!result || context.checking())
    return call.finish(result);
  if (!context.settle())
    return stopped();
  std::vector<Operand> reads{{input, {}}};
  for (TensorPtr *parameter : {&n.weight, &n.bias})
    if (*parameter) {
      reads.push_back({*parameter, {}});
      auto plain = contiguous(context, *parameter);
      if (!plain)
        return plain.error();
      *parameter = *plain;
    }
  auto plain = contiguous(context, input);
  if (!plain)
    return plain.error();
  if (!normaliseRows(context, n, **plain, **result))
    return stopped();
  charge(context, call.name(), reads, {&*result, 1}, NormalisePasses);
  return valueOf(*result);
}

#define DIMS "input, dim=None, keepdim=False"

constexpr OperationRow Rows[] = {
    {"sum", Torch | Method, DIMS ", *, dtype=None", reduction<Reduction::Sum, TypeRule::Sum>},
    {"mean", Torch | Method, DIMS ", *, dtype=None", reduction<Reduction::Mean, TypeRule::Floating>},
    {"prod", Torch | Method, DIMS ", *, dtype=None", reduction<Reduction::Product, TypeRule::Sum>},
    {"any", Torch | Method, DIMS, reduction<Reduction::Any, TypeRule::Bool>},
    {"all", Torch | Method, DIMS, reduction<Reduction::All, TypeRule::Bool>},
    {"count_nonzero", Torch | Method, "input, dim=None", reduction<Reduction::CountNonzero, TypeRule::Int64>},
    {"logsumexp", Torch | Method, DIMS, reduction<Reduction::LogSumExp, TypeRule::Floating>},
    {"amax", Torch | Method, DIMS, extreme<Reduction::Maximum>},
    {"amin", Torch | Method, DIMS, extreme<Reduction::Minimum>},
    {"max", Torch | Method, DIMS, extremeOrBinary<Reduction::Maximum, BinaryFunction::Maximum>},
    {"min", Torch | Method, DIMS, extremeOrBinary<Reduction::Minimum, BinaryFunction::Minimum>},
    {"argmax", Torch | Method, DIMS, argument<Reduction::Maximum>},
    {"argmin", Torch | Method, DIMS, argument<Reduction::Minimum>},
    {"var", Torch | Method, "input, dim=None, unbiased=True, keepdim=False, *, correction=None",
     spread<Reduction::Variance>},
    {"std", Torch | Method, "input, dim=None, unbiased=True, keepdim=False, *, correction=None",
     spread<Reduction::Deviation>},
    {"norm", Torch | Method, "input, p='fro', dim=None, keepdim=False", norm},
    {"cumsum", Torch | Method, "input, dim, *, dtype=None", scan<Reduction::Sum>},
    {"cumprod", Torch | Method, "input, dim, *, dtype=None", scan<Reduction::Product>},
    {"softmax", Torch | Method, "input, dim, dtype=None", softmax<RowOperation::Softmax>},
    {"log_softmax", Torch | Method, "input, dim, dtype=None", softmax<RowOperation::LogSoftmax>},
    {"softmax", Functional, "input, dim, _stacklevel=3, dtype=None", softmax<RowOperation::Softmax>},
    {"log_softmax", Functional, "input, dim, _stacklevel=3, dtype=None", softmax<RowOperation::LogSoftmax>},
    {"layer_norm", Torch | Functional, "input, normalized_shape, weight=None, bias=None, eps=0.00001",
     [](Call &call) { return normalise(call, true); }},
    {"rms_norm", Torch | Functional, "input, normalized_shape, weight=None, eps=None",
     [](Call &call) { return normalise(call, false); }},
};

#undef DIMS

} // namespace

std::span<const OperationRow> reductionRows() { return Rows; }

} // namespace tilescope::host
