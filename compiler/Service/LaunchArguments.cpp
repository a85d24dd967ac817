// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/LaunchArguments.h"

#include "compiler/Host/Descriptor.h"
#include "compiler/Host/Tensor.h"
#include "compiler/Service/Summary.h"

#include <bit>
#include <cstdlib>

namespace tilescope::service {
namespace {

/// "x" is the tensor, "x.shape[1]" and "x.strides[0]" its sizes and strides.
interp::Argument descriptorArgument(const host::DescriptorObject &descriptor, const std::string &name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos)
    return {descriptor.tensor().address(), descriptor.tensor().storage->allocation};
  const size_t index = std::strtoul(name.c_str() + name.find('[', dot) + 1, nullptr, 10);
  const bool isSize = std::string_view(name).substr(dot).starts_with(".shape");
  return {static_cast<uint64_t>((isSize ? descriptor.shape : descriptor.strides)[index])};
}

/// The bits of an argument as a parameter of the code takes it.
interp::Argument argumentFor(const Value &value, const interp::Parameter &parameter) {
  if (auto *descriptor = value.as<host::DescriptorObject>())
    return descriptorArgument(*descriptor, parameter.name);
  if (auto *tensor = value.as<host::TensorObject>())
    return {tensor->address(), tensor->storage->allocation};
  if (const double *number = value.asFloat())
    return {parameter.element == ElementType::Float64 ? std::bit_cast<uint64_t>(*number)
                                                      : std::bit_cast<uint32_t>(static_cast<float>(*number))};
  if (const bool *flag = value.asBool())
    return {*flag ? 1u : 0u};
  const Integer &number = *value.asInt();
  if (std::optional<int64_t> small = number.toInt64())
    return {static_cast<uint64_t>(*small)};
  return {static_cast<uint64_t>(*(number - Integer::shiftLeft(Integer(1), 64)).toInt64())};
}

} // namespace

std::vector<interp::Argument> argumentsFor(const host::LaunchRequest &request, const interp::Kernel &kernel) {
  std::vector<interp::Argument> arguments;
  for (size_t i = 0; i < kernel.parameters().size(); ++i)
    arguments.push_back(argumentFor(valueOf(request, kernel, i), kernel.parameters()[i]));
  return arguments;
}

std::array<uint32_t, 3> gridOf(const host::LaunchRequest &request) {
  return {static_cast<uint32_t>(request.grid[0]), static_cast<uint32_t>(request.grid[1]),
          static_cast<uint32_t>(request.grid[2])};
}

} // namespace tilescope::service
