// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/Descriptor.h"
#include "compiler/Host/Functions.h"

#include "compiler/Value/Operators.h"

#include <bit>

namespace tilescope::host {

namespace {

std::string listText(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

Value listOf(const std::vector<int64_t> &numbers) {
  return makeList(std::vector<Value>(numbers.begin(), numbers.end()));
}

Result<std::vector<int64_t>> integersOf(const Value &value) {
  auto items = elements(value);
  if (!items)
    return items.error();
  std::vector<int64_t> numbers;
  for (const Value &item : *items) {
    auto number = item.index();
    if (!number)
      return Error{"wrong-argument-type", {"TensorDescriptor", "int", std::string(item.typeName())}};
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<int64_t> DescriptorObject::*partOf(std::string_view name) {
  if (name == "shape")
    return &DescriptorObject::shape;
  if (name == "strides")
    return &DescriptorObject::strides;
  return name == "block_shape" ? &DescriptorObject::blockShape : nullptr;
}

} // namespace

const TensorObject *tensorOfArgument(const Value &value) {
  auto *descriptor = value.as<DescriptorObject>();
  return descriptor ? &descriptor->tensor() : value.as<TensorObject>();
}

Result<bool> DescriptorObject::check() const {
  if (shape.size() != strides.size() || shape.size() != blockShape.size())
    return Error{"tensor-descriptor-ranks", {listText(shape), listText(strides), listText(blockShape)}};
  if (shape.empty() || shape.size() > 5)
    return Error{"descriptor-rank", {std::to_string(shape.size())}};
  if (tensor().address() % 16 != 0)
    return Error{"tensor-descriptor-base", {}};
  for (int64_t size : blockShape)
    if (size <= 0 || !std::has_single_bit(static_cast<uint64_t>(size)))
      return Error{"shape-not-power-of-two", {listText(blockShape), std::to_string(size)}};
  for (size_t i = 0; i + 1 < strides.size(); ++i)
    if (int64_t bytes = strides[i] * byteSize(tensor().type); bytes % 16 != 0)
      return Error{"descriptor-stride-alignment", {std::to_string(strides[i]), std::to_string(bytes)}};
  for (int64_t size : shape)
    if (size <= 0)
      return Error{"tensor-descriptor-size", {listText(shape)}};
  if (strides.back() != 1)
    return Error{"tensor-descriptor-last-stride", {std::to_string(strides.back())}};
  if (padsNaN && !isFloat(tensor().type))
    return Error{"padding-of-integers", {std::string(tritonName(tensor().type))}};
  return true;
}

Result<Value> descriptorAttribute(const Value &value, std::string_view name) {
  auto *descriptor = value.as<DescriptorObject>();
  if (name == "base")
    return descriptor->base;
  if (name == "padding")
    return Value(descriptor->padsNaN ? "nan" : "zero");
  if (auto part = partOf(name))
    return listOf(descriptor->*part);
  return Error{"no-attribute", {std::string(value.typeName()), std::string(name)}};
}

Result<Value> setDescriptorAttribute(const Value &value, std::string_view name, const Value &held) {
  auto *descriptor = value.as<DescriptorObject>();
  if (auto part = partOf(name)) {
    auto numbers = integersOf(held);
    if (!numbers)
      return numbers.error();
    descriptor->*part = std::move(*numbers);
    return held;
  }
  if (name == "base" && held.as<TensorObject>()) {
    descriptor->base = held;
    return held;
  }
  return Error{"no-attribute", {std::string(value.typeName()), std::string(name)}};
}

namespace {

Result<bool> setPadding(DescriptorObject &descriptor, const Value *padding) {
  const std::string *text = padding ? padding->asString() : nullptr;
  if (padding && (!text || (*text != "zero" && *text != "nan")))
    return Error{"unknown-option", {padding ? str(*padding) : "", "zero, nan"}};
  descriptor.padsNaN = text && *text == "nan";
  return true;
}

Result<Value> finished(const std::shared_ptr<DescriptorObject> &made, NativeCall &call, size_t padding) {
  if (auto padded = setPadding(*made, call.find(padding, "padding")); !padded)
    return padded.error();
  if (auto sound = made->check(); !sound)
    return sound.error();
  return Value(std::static_pointer_cast<Object>(made));
}

/// The tensor at position 0; an error "missing-argument" or "wrong-argument-type".
Result<Value> tensorArgument(NativeCall &call, std::string_view name) {
  auto *base = call.find(0, name);
  if (!base)
    return Error{"missing-argument", {std::string(call.function), std::string(name)}};
  if (!base->as<TensorObject>())
    return call.wrongType(0, "Tensor");
  return *base;
}

/// TensorDescriptor(base, shape, strides, block_shape, padding).
Result<Value> descriptor(NativeCall &call) {
  auto base = tensorArgument(call, "base");
  if (!base)
    return base.error();
  auto made = std::make_shared<DescriptorObject>(DescriptorParts{.base = *base});
  constexpr std::string_view names[] = {"shape", "strides", "block_shape"};
  for (size_t i = 0; i < 3; ++i) {
    auto *given = call.find(i + 1, names[i]);
    if (!given)
      return Error{"missing-argument", {std::string(call.function), std::string(names[i])}};
    auto numbers = integersOf(*given);
    if (!numbers)
      return numbers.error();
    (*made).*partOf(names[i]) = std::move(*numbers);
  }
  return finished(made, call, 4);
}

/// TensorDescriptor.from_tensor(tensor, block_shape, padding).
Result<Value> fromTensor(NativeCall &call) {
  auto base = tensorArgument(call, "tensor");
  auto *given = call.find(1, "block_shape");
  if (!base || !given)
    return base ? Error{"missing-argument", {std::string(call.function), "block_shape"}} : base.error();
  auto blockShape = integersOf(*given);
  if (!blockShape)
    return blockShape.error();
  auto *tensor = base->as<TensorObject>();
  auto made = std::make_shared<DescriptorObject>(
      DescriptorParts{*base, tensor->shape, tensor->strides, std::move(*blockShape)});
  return finished(made, call, 2);
}

Result<Value> nothing(NativeCall &) { return Value(); }

constexpr NativeFunction Rows[] = {
    {"triton.tools.tensor_descriptor.TensorDescriptor", 0, 6,
     "base shape strides block_shape padding round_f32_to_tf32 ", descriptor},
    {"triton.tools.tensor_descriptor.TensorDescriptor.from_tensor", 0, 4,
     "tensor block_shape padding round_f32_to_tf32 ", fromTensor},
    // Where descriptors lie on a GPU is no concern of the host's memory here.
    {"triton.set_allocator", 1, 1, "", nothing, /*takesUnknown=*/true},
};

} // namespace

NativeTable descriptorFunctions() { return Rows; }

} // namespace tilescope::host
