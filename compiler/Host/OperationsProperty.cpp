// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that ask about a tensor, take its values out, or convert its type and device.
#include "compiler/Host/OperationsRows.h"

#include "compiler/Host/TensorViews.h"

namespace tilescope::host {

namespace {

Value sizeOf(const Dims &shape) {
  std::vector<Value> items(shape.begin(), shape.end());
  return Value(std::static_pointer_cast<Object>(
      std::make_shared<TupleObject>(std::move(items), std::vector<std::string>(), "torch.Size")));
}

template <typename F> Result<Value> ask(Call &call, F f) {
  auto input = call.tensor("input");
  return call.failed() ? Result<Value>(call.error()) : Result<Value>(f(*input));
}

/// size(dim) and stride(dim); all of them without one.
Result<Value> ofDim(Call &call, const Dims &all, Value whole) {
  if (call.isNone("dim"))
    return whole;
  const int64_t dim = call.dim("dim", *call.tensor("input"));
  if (call.failed() || all.empty())
    return call.fail({"dimension-out-of-range", {std::to_string(dim), "0"}}, "dim");
  return Value(all[dim]);
}

Result<Value> size(Call &call) {
  auto input = call.tensor("input");
  return call.failed() ? Result<Value>(call.error()) : ofDim(call, input->shape, sizeOf(input->shape));
}

Result<Value> stride(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  return ofDim(call, input->strides, makeTuple({input->strides.begin(), input->strides.end()}));
}

Value device(const TensorObject &input) {
  return input.onGpu ? deviceValue("cuda", 0) : deviceValue("cpu", std::nullopt);
}

/// The one element; an error if there are others.
Result<Value> item(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  if (input->elements() != 1)
    return call.fail({"not-one-element", {shapeText(input->shape)}}, "input");
  if (call.context.checking())
    return unknown();
  if (!call.context.settle())
    return stopped();
  return pythonValue(input->type, elementAt(*input, 0));
}

Value listOf(const TensorObject &tensor, size_t dim, int64_t offset) {
  if (dim == tensor.shape.size())
    return pythonValue(tensor.type, elementAt(tensor, offset));
  std::vector<Value> items;
  for (int64_t i = 0; i < tensor.shape[dim]; ++i)
    items.push_back(listOf(tensor, dim + 1, offset + i * tensor.strides[dim]));
  return makeList(std::move(items));
}

Result<Value> tolist(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  constexpr int64_t MostItems = 10'000'000;
  if (input->elements() > MostItems)
    return call.fail({"tensor-too-large", {shapeText(input->shape)}}, "input");
  if (call.context.checking())
    return unknown();
  if (!call.context.settle())
    return stopped();
  return listOf(*input, 0, 0);
}

/// Converts the type, then moves to the device; itself where nothing changes, unless a copy is asked for.
Result<TensorPtr> moved(Call &call, const TensorPtr &input, ElementType type, bool onGpu, bool copy = false) {
  OperationContext &context = call.context;
  if (!copy && input->onGpu == onGpu)
    return converted(context, input, type);
  auto result = newTensorLike(context, *input, type, onGpu);
  if (!result || context.checking())
    return result;
  if (!context.settle() || !copyElements(context, *input, **result))
    return stopped();
  return result;
}

/// to(dtype), to(device), to(device, dtype), to(other), by position or by name.
Result<Value> to(Call &call) {
  auto input = call.tensor("input");
  if (call.failed())
    return call.error();
  ElementType type = call.elementType().value_or(input->type);
  bool onGpu = call.onGpu(input->onGpu);
  for (const Value &item : call.value("args").as<TupleObject>()->items) {
    auto symbol = symbolName(item);
    if (auto named = symbol ? elementTypeOfSymbol(*symbol) : std::nullopt) {
      type = *named;
    } else if (auto other = tensorOf(item)) {
      type = other->type;
      onGpu = other->onGpu;
    } else if (!item.asBool()) { // non_blocking and copy by position
      auto device = deviceOf(item);
      if (!device)
        return call.fail(device.error(), "args");
      auto *object = device->as<DeviceObject>();
      onGpu = object && object->type == "cuda";
    }
  }
  if (call.failed())
    return call.error();
  return valueOf(moved(call, input, type, onGpu, call.boolean("copy")));
}

template <ElementType T> Result<Value> as(Call &call) {
  auto input = call.tensor("input");
  return call.failed() ? Result<Value>(call.error()) : valueOf(converted(call.context, input, T));
}

template <bool OnGpu> Result<Value> onDevice(Call &call) {
  auto input = call.tensor("input");
  return call.failed() ? Result<Value>(call.error()) : valueOf(moved(call, input, input->type, OnGpu));
}

Result<Value> type(Call &call) {
  auto input = call.tensor("input");
  const auto wanted = call.elementType();
  if (call.failed())
    return call.error();
  if (wanted)
    return valueOf(converted(call.context, input, *wanted));
  return Value("torch." + std::string(input->onGpu ? "cuda." : "") + typeText(input->type));
}

using T = const TensorObject &;

constexpr OperationRow Rows[] = {
    {"shape", Attribute, "input", [](Call &call) { return ask(call, [](T t) { return sizeOf(t.shape); }); }},
    {"size", Method, "input, dim=None", size},
    {"stride", Method, "input, dim=None", stride},
    {"dtype", Attribute, "input",
     [](Call &call) { return ask(call, [](T t) { return makeSymbol(std::string(torchName(t.type))); }); }},
    {"device", Attribute, "input", [](Call &call) { return ask(call, device); }},
    {"is_cuda", Attribute, "input", [](Call &call) { return ask(call, [](T t) { return Value(t.onGpu); }); }},
    {"ndim", Attribute, "input", [](Call &call) { return ask(call, [](T t) { return Value(t.rank()); }); }},
    {"dim ndimension", Method, "input",
     [](Call &call) { return ask(call, [](T t) { return Value(t.rank()); }); }},
    {"numel", Torch | Method, "input",
     [](Call &call) { return ask(call, [](T t) { return Value(t.elements()); }); }},
    {"nelement", Method, "input",
     [](Call &call) { return ask(call, [](T t) { return Value(t.elements()); }); }},
    {"itemsize", Attribute, "input",
     [](Call &call) { return ask(call, [](T t) { return Value(int64_t(byteSize(t.type))); }); }},
    {"element_size", Method, "input",
     [](Call &call) { return ask(call, [](T t) { return Value(int64_t(byteSize(t.type))); }); }},
    {"nbytes", Attribute, "input",
     [](Call &call) { return ask(call, [](T t) { return Value(t.elements() * byteSize(t.type)); }); }},
    {"data_ptr", Method, "input",
     [](Call &call) { return ask(call, [](T t) { return Value(int64_t(t.address())); }); }},
    {"storage_offset", Method, "input",
     [](Call &call) { return ask(call, [](T t) { return Value(t.offset); }); }},
    {"is_contiguous", Method, "input",
     [](Call &call) { return ask(call, [](T t) { return Value(t.isContiguous()); }); }},
    {"is_floating_point", Torch | Method, "input",
     [](Call &call) { return ask(call, [](T t) { return Value(isFloat(t.type)); }); }},
    {"requires_grad is_leaf", Attribute, "input",
     [](Call &call) { return ask(call, [](T) { return Value(false); }); }},
    {"grad grad_fn", Attribute, "input", [](Call &call) { return ask(call, [](T) { return Value(); }); }},
    {"data", Attribute, "input",
     [](Call &call) {
       return ask(call, [](T t) { return valueOf(viewOf(t, t.shape, t.strides, t.offset)); });
     }},
    {"item", Method, "input", item},
    {"tolist", Method, "input", tolist},
    {"to", Method,
     "input, *args, dtype=None, device=None, non_blocking=False, copy=False, memory_format=None", to},
    {"type", Method, "input, dtype=None", type},
    {"float", Method, "input", as<ElementType::Float32>},
    {"double", Method, "input", as<ElementType::Float64>},
    {"half", Method, "input", as<ElementType::Float16>},
    {"bfloat16", Method, "input", as<ElementType::BFloat16>},
    {"int", Method, "input", as<ElementType::Int32>},
    {"long", Method, "input", as<ElementType::Int64>},
    {"short", Method, "input", as<ElementType::Int16>},
    {"char", Method, "input", as<ElementType::Int8>},
    {"byte", Method, "input", as<ElementType::UInt8>},
    {"bool", Method, "input", as<ElementType::Bool>},
    {"cuda", Method, "input, device=None, non_blocking=False", onDevice<true>},
    {"cpu", Method, "input", onDevice<false>},
};

} // namespace

std::span<const OperationRow> propertyRows() { return Rows; }

Value deviceValue(std::string_view type, std::optional<int64_t> index) {
  auto made = [](std::string_view t, std::optional<int64_t> i) {
    return Value(std::static_pointer_cast<Object>(std::make_shared<DeviceObject>(std::string(t), i)));
  };
  static const std::vector<Value> devices{made("cpu", std::nullopt), made("cpu", 0),
                                          made("cuda", std::nullopt), made("cuda", 0)};
  for (const Value &device : devices)
    if (auto *object = device.as<DeviceObject>(); object->type == type && object->index == index)
      return device;
  return made(type, index);
}

} // namespace tilescope::host
