// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Specialise.h"

#include "compiler/Host/Descriptor.h"
#include "compiler/Value/Operators.h"

#include <limits>

namespace tilescope::service {

using frontend::ArgumentSpec;
using Kind = ArgumentSpec::Kind;

namespace {

/// Is the parameter in `@triton.jit(do_not_specialize=[…])`, by name or by number?
bool isExempt(const FunctionObject &kernel, std::string_view name, size_t index, std::string_view keyword) {
  for (const Decorator &decorator : kernel.decorators)
    for (const auto &[key, value] : decorator.keywords) {
      Result<std::vector<Value>> listed = elements(value);
      if (key != keyword || !listed)
        continue;
      for (const Value &item : *listed)
        if ((item.asString() && *item.asString() == name) || item.index() == static_cast<int64_t>(index))
          return true;
    }
  return false;
}

/// The narrowest of Triton's types for an int.
std::optional<ElementType> integerType(const Integer &value) {
  if (std::optional<int64_t> small = value.toInt64()) {
    using Limits = std::numeric_limits<int32_t>;
    return *small >= Limits::min() && *small <= Limits::max() ? ElementType::Int32 : ElementType::Int64;
  }
  if (!value.isNegative() && value.bitLength() <= 64)
    return ElementType::UInt64;
  return std::nullopt;
}

ArgumentSpec constant(const Value &value) {
  ArgumentSpec spec;
  spec.constant = value;
  return spec;
}

ArgumentSpec scalar(ElementType type, bool divisible = false) { return {Kind::Scalar, type, divisible, {}}; }

/// Specialises the arguments of one launch, one after another.
struct Specialiser {
  const host::LaunchRequest &request;
  Diagnostics &diagnostics;
  std::vector<const syntax::Arg *> parameters = frontend::parameters(*request.kernel->definition);

  SourceSpan place(size_t i) const {
    if (i < request.ranges.size() && request.ranges[i].size() > 0)
      return {request.call.file, request.ranges[i]};
    return request.call;
  }
  std::optional<ArgumentSpec> refuse(std::string id, size_t i, std::vector<std::string> arguments) {
    diagnostics.error(std::move(id), place(i), std::move(arguments));
    return std::nullopt;
  }
  /// Of argument `i`, or of a value inside it.
  std::optional<ArgumentSpec> argument(size_t i, const Value &value);
  std::optional<ArgumentSpec> tuple(size_t i, const TupleObject &tuple);
  std::optional<ArgumentSpec> integer(size_t i, const Integer &value);
};

std::optional<ArgumentSpec> Specialiser::integer(size_t i, const Integer &value) {
  const std::string_view name = parameters[i]->name;
  const bool specialised = !isExempt(*request.kernel, name, i, "do_not_specialize");
  if (specialised && value == Integer(1))
    return constant(value);
  std::optional<ElementType> type = integerType(value);
  if (!type)
    return refuse("integer-argument-too-large", i, {std::string(name)});
  const bool aligned = Integer::floorMod(value, Integer(16)).isZero();
  return scalar(*type, specialised && aligned &&
                           !isExempt(*request.kernel, name, i, "do_not_specialize_on_alignment"));
}

std::optional<ArgumentSpec> Specialiser::tuple(size_t i, const TupleObject &tuple) {
  ArgumentSpec spec;
  spec.kind = Kind::Tuple;
  spec.fieldNames = tuple.fieldNames;
  for (const Value &item : tuple.items) {
    std::optional<ArgumentSpec> known = argument(i, item);
    if (!known)
      return std::nullopt;
    spec.items.push_back(std::move(*known));
  }
  return spec;
}

std::optional<ArgumentSpec> Specialiser::argument(size_t i, const Value &value) {
  if (frontend::isConstexprParameter(*request.kernel, i) || value.isNone() || value.as<FunctionObject>())
    return constant(value);
  if (value.asBool())
    return scalar(ElementType::Bool);
  if (const Integer *integral = value.asInt())
    return integer(i, *integral);
  if (value.asFloat())
    return scalar(ElementType::Float32);
  if (auto *tensor = value.as<host::TensorObject>())
    return ArgumentSpec{Kind::Pointer, tensor->type, tensor->address() % 16 == 0, {}};
  if (auto *descriptor = value.as<host::DescriptorObject>()) {
    ArgumentSpec spec{
        Kind::Descriptor, descriptor->tensor().type, descriptor->tensor().address() % 16 == 0, {}};
    spec.blockShape = descriptor->blockShape;
    spec.padsNaN = descriptor->padsNaN;
    return spec;
  }
  if (auto *items = value.as<TupleObject>())
    return tuple(i, *items);
  return refuse("unsupported-argument", i, {std::string(parameters[i]->name), std::string(value.typeName())});
}

} // namespace

std::optional<frontend::Specialisation> specialise(const host::LaunchRequest &request,
                                                   Diagnostics &diagnostics) {
  frontend::Specialisation specialisation;
  specialisation.numWarps = static_cast<int>(request.numWarps);
  specialisation.numStages = static_cast<int>(request.numStages);
  Specialiser specialiser{request, diagnostics};
  bool isComplete = true;
  for (size_t i = 0; i < request.arguments.size(); ++i) {
    std::optional<ArgumentSpec> spec = specialiser.argument(i, request.arguments[i]);
    isComplete &= spec.has_value();
    specialisation.arguments.push_back(spec.value_or(ArgumentSpec{}));
  }
  return isComplete ? std::optional(std::move(specialisation)) : std::nullopt;
}

} // namespace tilescope::service
