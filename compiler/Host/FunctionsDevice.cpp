// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What scripts ask about the GPU, and the half of torch.autograd.Function that runs forwards.
#include "compiler/Host/Functions.h"

namespace tilescope::host {

namespace {

/// torch.cuda.get_device_properties().
Result<Value> deviceProperties(NativeCall &call) {
  const DeviceProperties &gpu = call.evaluation.device();
  const std::pair<std::string_view, Value> fields[] = {
      {"name", Value(gpu.name)},
      {"major", Value(gpu.major)},
      {"minor", Value(gpu.minor)},
      {"total_memory", Value(gpu.memoryBytes)},
      {"multi_processor_count", Value(gpu.multiprocessors)},
      {"warp_size", Value(32)},
      {"max_threads_per_multi_processor", Value(32 * gpu.warps)},
      {"regs_per_multiprocessor", Value(gpu.registers)},
      {"shared_memory_per_block", Value(48 * 1024)},
      {"shared_memory_per_block_optin", Value(gpu.sharedBytesPerProgram)},
      {"shared_memory_per_multiprocessor", Value(gpu.sharedBytes)},
      {"L2_cache_size", Value(gpu.l2Bytes)}};
  std::vector<Value> values;
  std::vector<std::string> names;
  for (const auto &[name, value] : fields) {
    names.emplace_back(name);
    values.push_back(value);
  }
  return makeObject<TupleObject>(std::move(values), std::move(names), "_CudaDeviceProperties");
}

Result<Value> deviceName(NativeCall &call) { return Value(call.evaluation.device().name); }

Result<Value> deviceCapability(NativeCall &call) {
  const DeviceProperties &gpu = call.evaluation.device();
  return makeTuple({Value(gpu.major), Value(gpu.minor)});
}

/// Triton's own names for the same.
Result<Value> driverProperties(NativeCall &call) {
  const DeviceProperties &gpu = call.evaluation.device();
  const std::pair<const char *, Value> entries[] = {{"max_shared_mem", Value(gpu.sharedBytesPerProgram)},
                                                    {"max_num_regs", Value(gpu.registers)},
                                                    {"multiprocessor_count", Value(gpu.multiprocessors)},
                                                    {"warpSize", Value(32)},
                                                    {"sm_clock_rate", Value(gpu.clockKHz)}};
  auto dict = std::make_shared<DictObject>();
  for (const auto &[name, value] : entries)
    (void)dict->table.set(Value(name), value); // a str can be a key
  return Value(std::static_pointer_cast<Object>(dict));
}

constexpr std::string_view ContextClass = "FunctionCtx";

/// F.apply(…): F.forward with a context in front. Nothing is recorded for going back.
Result<Value> applyFunction(NativeCall &call) {
  auto forward = call.evaluation.attributeOf(call[0], "forward");
  if (!forward)
    return forward.error();
  auto context = std::make_shared<InstanceObject>(std::make_shared<ClassObject>(std::string(ContextClass)));
  std::vector<Value> arguments = call.site.arguments.positional;
  arguments[0] = Value(std::static_pointer_cast<Object>(context));
  context->attributes.set("needs_input_grad",
                          makeTuple(std::vector<Value>(arguments.size() - 1, Value(false))));
  auto result = call.evaluation.call(*forward, std::move(arguments), call.site);
  return result ? Result<Value>(*result) : Evaluation::raisedAlready();
}

Result<Value> saveForBackward(NativeCall &call) {
  const auto &given = call.site.arguments.positional;
  call[0].as<InstanceObject>()->attributes.set("saved_tensors", makeTuple({given.begin() + 1, given.end()}));
  return Value();
}

Result<Value> none(NativeCall &) { return Value(); }

/// Time says nothing here, so the benchmark is passed over; the script goes on.
Result<Value> skipBenchmark(NativeCall &call) {
  call.evaluation.inform(call.site.call, {"benchmark-not-run", {}});
  return Value();
}

constexpr NativeFunction Rows[] = {
    {"torch.cuda.get_device_properties", 0, 1, "device ", deviceProperties},
    {"torch.cuda.get_device_name", 0, 1, "device ", deviceName},
    {"torch.cuda.get_device_capability", 0, 1, "device ", deviceCapability},
    {"triton.runtime.driver.active.utils.get_device_properties", 1, 1, "", driverProperties},
    {"triton.testing.perf_report.run", 0, AnyNumber, "*", skipBenchmark},
};

constexpr NativeFunction ClassMethods[] = {{"apply", 1, AnyNumber, "", applyFunction}};

constexpr NativeFunction ContextMethods[] = {
    {"save_for_backward", 1, AnyNumber, "", saveForBackward},
    {"mark_non_differentiable", 1, AnyNumber, "", none},
    {"mark_dirty", 1, AnyNumber, "", none},
    {"set_materialize_grads", 2, 2, "", none},
};

} // namespace

NativeTable deviceFunctions() { return Rows; }

NativeTable autogradMethods(std::string_view type) {
  return type == "type"         ? NativeTable(ClassMethods)
         : type == ContextClass ? NativeTable(ContextMethods)
                                : NativeTable();
}

} // namespace tilescope::host
