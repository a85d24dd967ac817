// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kernel[grid](arguments, META=…, num_warps=…)`: options, binding, the grid, and the hand-over to the
// Launcher.
#include "compiler/Host/Descriptor.h"
#include "compiler/Host/EvaluatorRun.h"
#include "compiler/Host/Functions.h"

#include "compiler/Value/Operators.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tilescope::host {

namespace {

/// What a launch takes besides the kernel's own parameters (Triton's CUDAOptions and JITFunction.run).
constexpr std::string_view Options[] = {"num_warps",
                                        "num_stages",
                                        "num_ctas",
                                        "maxnreg",
                                        "enable_fp_fusion",
                                        "cluster_dims",
                                        "launch_cooperative_grid",
                                        "launch_pdl",
                                        "extern_libs",
                                        "allow_fp8e4nv",
                                        "sanitize_overflow"};

/// CUDA's limits on the size of a grid along each axis.
constexpr std::array<int64_t, 3> LargestGrid{(int64_t(1) << 31) - 1, 65535, 65535};
constexpr int64_t MostWarps = 32;

bool isOption(std::string_view name) {
  return std::find(std::begin(Options), std::end(Options), name) != std::end(Options);
}

bool hasParameter(const FunctionObject &kernel, std::string_view name) {
  auto parameters = parametersOf(*kernel.definition->args);
  return std::any_of(parameters.begin(), parameters.end(),
                     [name](const Parameter &p) { return p.arg->name == name; });
}

bool isGiven(const CallSite &site, std::string_view name) {
  const auto &keywords = site.arguments.keywords;
  return std::any_of(keywords.begin(), keywords.end(),
                     [name](const auto &keyword) { return keyword.first == name; });
}

void addKeyword(CallSite &site, const std::string &name, const Value &value, SourceRange range) {
  site.arguments.keywords.emplace_back(name, value);
  site.ranges.push_back(range);
  site.names.push_back(range);
}

const Decorator *decoratorOf(const FunctionObject &kernel, std::string_view symbol) {
  for (const Decorator &decorator : kernel.decorators)
    if (symbolName(decorator.callee) == symbol)
      return &decorator;
  return nullptr;
}

const Value *argumentOf(const Decorator &decorator, size_t position, std::string_view name) {
  if (position < decorator.args.size())
    return &decorator.args[position];
  for (const auto &[key, value] : decorator.keywords)
    if (key == name)
      return &value;
  return nullptr;
}

} // namespace

bool Evaluation::takeOption(std::string_view name, const Value &value, SourceRange range,
                            LaunchRequest &request) {
  if (name != "num_warps" && name != "num_stages")
    return true;
  auto number = value.index();
  bool warps = name == "num_warps";
  bool fits = number && *number >= (warps ? 1 : 0) && *number <= MostWarps &&
              (!warps || std::has_single_bit(static_cast<uint64_t>(*number)));
  if (!fits)
    return raise(range, {warps ? "bad-num-warps" : "bad-num-stages", {repr(value)}}), false;
  (warps ? request.numWarps : request.numStages) = *number;
  return true;
}

/// Takes the options out of the call's keywords.
bool Evaluation::takeOptions(CallSite &site, const FunctionObject &kernel, LaunchRequest &request) {
  auto &keywords = site.arguments.keywords;
  size_t positional = site.arguments.positional.size();
  for (size_t i = 0; i < keywords.size();) {
    if (!isOption(keywords[i].first) || hasParameter(kernel, keywords[i].first)) {
      ++i;
      continue;
    }
    if (!takeOption(keywords[i].first, keywords[i].second, site.ranges[positional + i], request))
      return false;
    keywords.erase(keywords.begin() + static_cast<std::ptrdiff_t>(i));
    site.ranges.erase(site.ranges.begin() + static_cast<std::ptrdiff_t>(positional + i));
    site.names.erase(site.names.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return true;
}

/// An autotuned kernel runs with its first configuration; which one is fastest is a question of timing.
bool Evaluation::applyConfig(const FunctionObject &kernel, CallSite &site) {
  auto *decorator = decoratorOf(kernel, "triton.autotune");
  if (!decorator)
    return true;
  auto *configs = argumentOf(*decorator, 0, "configs");
  auto all = configs ? elementsOf(*configs) : Result<std::vector<Value>>(std::vector<Value>{});
  auto *config = all && !all->empty() ? all->front().as<ConfigObject>() : nullptr;
  if (!config)
    return raise(site.call, {"no-configs", {std::string(kernel.name())}}), false;
  for (auto *rows : {&config->constants, &config->options})
    for (const auto &[name, value] : *rows)
      if (!isGiven(site, name))
        addKeyword(site, name, value, site.callee);
  return config->preHook.isNone() || call(config->preHook, {givenArguments(kernel, site)}, site);
}

/// `@triton.heuristics({"NAME": function of the arguments})`.
bool Evaluation::applyHeuristics(const FunctionObject &kernel, CallSite &site) {
  auto *decorator = decoratorOf(kernel, "triton.heuristics");
  auto *values = decorator ? argumentOf(*decorator, 0, "values") : nullptr;
  auto *table = values ? values->as<DictObject>() : nullptr;
  if (!table)
    return true;
  Value meta = givenArguments(kernel, site);
  for (const auto &entry : table->table.entries()) {
    auto value = call(entry.value, {meta}, site);
    if (!value)
      return false;
    auto *name = entry.key.asString();
    if (name && !isGiven(site, *name))
      addKeyword(site, *name, *value, site.callee);
  }
  return true;
}

/// The arguments by name as far as they are known before defaults, for heuristics.
Value Evaluation::givenArguments(const FunctionObject &kernel, const CallSite &site) {
  auto dict = std::make_shared<DictObject>();
  auto parameters = parametersOf(*kernel.definition->args);
  auto set = [&dict](std::string_view name, const Value &value) {
    (void)dict->table.set(Value(std::string(name)), value); // a str can be a key
  };
  for (const Parameter &parameter : parameters)
    if (auto found = kernel.defaults.find(std::string(parameter.arg->name)); found != kernel.defaults.end())
      set(parameter.arg->name, found->second);
  for (size_t i = 0; i < std::min(parameters.size(), site.arguments.positional.size()); ++i)
    set(parameters[i].arg->name, site.arguments.positional[i]);
  for (const auto &[name, value] : site.arguments.keywords)
    set(name, value);
  return Value(std::shared_ptr<Object>(std::move(dict)));
}

std::optional<int64_t> Evaluation::gridSize(const Value &value, SourceRange range, size_t axis) {
  auto number = value.index();
  if (!number && !value.asInt()) {
    raise(range, {"grid-not-integer", {std::to_string(axis), std::string(value.typeName())}});
    if (value.asFloat())
      note("use-cdiv", top().module->span(range));
    return std::nullopt;
  }
  if (number && *number < 0)
    return raise(range, {"grid-negative", {std::to_string(axis), std::to_string(*number)}});
  if (!number || *number > LargestGrid[axis])
    return raise(range,
                 {"grid-over-limit", {std::to_string(axis), repr(value), std::to_string(LargestGrid[axis])}});
  return number;
}

/// False if the launch is not to take place, because part of the grid is unknown or zero; nothing if raised.
std::optional<bool> Evaluation::resolveGrid(const KernelLaunchObject &launcher, const CallSite &site,
                                            const Value &meta, LaunchRequest &request) {
  Value grid = launcher.grid;
  SourceRange range = launcher.gridRange;
  if (grid.as<FunctionObject>() || grid.as<BoundMethodObject>()) {
    auto result = call(grid, {meta}, site);
    if (!result)
      return std::nullopt;
    grid = std::move(*result);
  }
  if (isUnknown(grid))
    return false;
  bool isSequence = grid.as<TupleObject>() || grid.as<ListObject>();
  auto sizes = isSequence ? elementsOf(grid) : Result<std::vector<Value>>(std::vector<Value>{grid});
  if (sizes->empty() || sizes->size() > request.grid.size())
    return raise(range, {"grid-dimensions", {std::to_string(sizes->size())}});
  bool programs = true;
  for (size_t axis = 0; axis < sizes->size(); ++axis) {
    if (isUnknown((*sizes)[axis]))
      return false;
    auto size = gridSize((*sizes)[axis], range, axis);
    if (!size)
      return std::nullopt;
    request.grid[axis] = *size;
    programs = programs && *size > 0;
  }
  if (!programs)
    m_diagnostics->warning("grid-empty", top().module->span(range), {std::string(launcher.kernel->name())});
  return programs;
}

/// An argument as the launch takes it: a descriptor may be changed for the next one.
static Value takenArgument(const Value &value) {
  auto *descriptor = value.as<DescriptorObject>();
  return descriptor ? makeObject<DescriptorObject>(static_cast<const DescriptorParts &>(*descriptor)) : value;
}

Maybe Evaluation::launch(const KernelLaunchObject &launcher, const CallSite &given) {
  CallSite site = given;
  LaunchRequest request;
  request.kernel = launcher.kernel;
  request.call = top().module->span(given.call);
  const FunctionObject &kernel = *launcher.kernel;
  Scope bound;
  if (!applyConfig(kernel, site) || !applyHeuristics(kernel, site) || !takeOptions(site, kernel, request) ||
      !bindArguments(kernel, site, bound))
    return std::nullopt;
  auto meta = std::make_shared<DictObject>();
  bool known = true;
  for (const Parameter &parameter : parametersOf(*kernel.definition->args)) {
    if (parameter.kind == Parameter::Kind::Rest || parameter.kind == Parameter::Kind::Keywords)
      return raise(site.callee,
                   {"kernel-star-parameter", {std::string(parameter.arg->name), std::string(kernel.name())}});
    const Value &value = *bound.findLocal(parameter.arg->name);
    request.arguments.push_back(takenArgument(value));
    request.ranges.push_back(rangeOf(kernel, site, parameter.arg->name));
    known = known && !isUnknown(value);
    if (auto *tensor = tensorOfArgument(value); tensor && !tensor->onGpu)
      m_diagnostics->warning("tensor-on-cpu", top().module->span(request.ranges.back()),
                             {std::string(parameter.arg->name), std::string(kernel.name())});
    (void)meta->table.set(Value(std::string(parameter.arg->name)), value); // a str can be a key
  }
  auto runs = resolveGrid(launcher, site, Value(std::shared_ptr<Object>(std::move(meta))), request);
  if (!runs)
    return std::nullopt;
  if (*runs && known)
    hand(std::move(request));
  return step() ? Maybe(Value()) : std::nullopt;
}

SourceRange Evaluation::rangeOf(const FunctionObject &kernel, const CallSite &site, std::string_view name) {
  auto parameters = parametersOf(*kernel.definition->args);
  size_t positional = site.arguments.positional.size();
  for (size_t i = 0; i < std::min(parameters.size(), positional); ++i)
    if (parameters[i].arg->name == name)
      return site.ranges[i];
  for (size_t i = 0; i < site.arguments.keywords.size(); ++i)
    if (site.arguments.keywords[i].first == name)
      return site.ranges[positional + i];
  return {};
}

/// While checking, the launcher compiles at once; otherwise the launch waits its turn.
void Evaluation::hand(LaunchRequest request) {
  auto notes = callChain();
  if (checking()) {
    runLaunch(request, notes);
    return;
  }
  defer([this, request = std::move(request), notes = std::move(notes)] { runLaunch(request, notes); });
}

} // namespace tilescope::host
