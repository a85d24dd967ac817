// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Summary.h"

#include "compiler/Frontend/Frontend.h"
#include "compiler/Host/Descriptor.h"
#include "compiler/Service/Convert.h"
#include "compiler/Value/Operators.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace tilescope::service {

using host::LaunchRequest;
using host::TensorObject;

namespace {

constexpr size_t LongestName = 32;
constexpr const char *AccessNames[] = {"load", "store", "atomic"};

std::string descriptorType(const host::DescriptorObject &descriptor) {
  std::string text = "tensordesc<" + std::string(tritonName(descriptor.tensor().type));
  for (const char *before = "["; int64_t size : descriptor.blockShape) {
    text += before + std::to_string(size);
    before = ", ";
  }
  return text + "]>";
}

/// The text of an argument in the call, if it is short enough to name what it means.
std::string written(const LaunchRequest &request, size_t i) {
  if (i >= request.ranges.size() || request.ranges[i].size() == 0 || request.ranges[i].size() > LongestName)
    return {};
  std::string_view text = request.call.file->text(request.ranges[i]);
  return text.find('\n') == std::string_view::npos ? std::string(text) : std::string();
}

protocol::ArgumentSummary argumentSummary(const LaunchRequest &request, size_t i,
                                          const std::string &tensorName) {
  const Value &value = request.arguments[i];
  protocol::ArgumentSummary summary;
  summary.name = frontend::parameters(*request.kernel->definition)[i]->name;
  if (auto *descriptor = value.as<host::DescriptorObject>()) {
    summary.type = descriptorType(*descriptor);
    summary.value = tensorName;
    summary.shape = descriptor->shape;
    summary.strides = descriptor->strides;
  } else if (auto *tensor = value.as<TensorObject>()) {
    summary.type = "pointer<" + std::string(tritonName(tensor->type)) + ">";
    summary.value = tensorName;
    summary.shape = tensor->shape;
    summary.strides = tensor->strides;
  } else {
    const bool isConstant = frontend::isConstexprParameter(*request.kernel, i);
    summary.type = isConstant ? "constexpr" : std::string(value.typeName());
    summary.value = repr(value);
  }
  return summary;
}

protocol::AccessSummary accessSummary(const LaunchRequest &request, const interp::Kernel &kernel,
                                      size_t index, const std::vector<std::string> &names) {
  const interp::AccessSite &site = kernel.accesses()[index];
  protocol::AccessSummary summary;
  summary.line = site.span.file ? static_cast<int>(site.span.file->line(site.span.range.begin)) : 0;
  summary.range = rangeOf(site.span);
  summary.op = AccessNames[static_cast<int>(site.kind)];
  if (site.pointerArgument >= 0)
    if (std::optional<size_t> argument = argumentOf(request, kernel, site.pointerArgument))
      summary.tensor = names[*argument];
  summary.type = tritonName(site.element);
  summary.shape = site.shape;
  return summary;
}

/// The tensor that a store or atomic means; null for a load, or where it is not known.
const TensorObject *writtenTensor(const LaunchRequest &request, const interp::Kernel &kernel, size_t access) {
  const interp::AccessSite &site = kernel.accesses()[access];
  if (site.kind == interp::AccessKind::Load || site.pointerArgument < 0)
    return nullptr;
  const size_t parameter = static_cast<size_t>(site.pointerArgument);
  return argumentOf(request, kernel, parameter) ? host::tensorOfArgument(valueOf(request, kernel, parameter))
                                                : nullptr;
}

protocol::OutputTensor outputTensor(const TensorObject &tensor, const std::string &name, size_t access) {
  const int64_t columns = tensor.shape.empty() ? 1 : tensor.shape.back();
  const int64_t rows = columns == 0 ? 0 : tensor.elements() / columns;
  return {name, std::string(tritonName(tensor.type)), tensor.shape, rows, columns, static_cast<int>(access)};
}

/// One output for each tensor written, by its first store.
std::vector<protocol::OutputTensor> outputs(const LaunchRequest &request, const interp::Kernel &kernel,
                                            const std::vector<protocol::AccessSummary> &accesses) {
  std::vector<protocol::OutputTensor> found;
  std::set<const TensorObject *> seen;
  for (size_t i = 0; i < kernel.accesses().size(); ++i)
    if (const TensorObject *tensor = writtenTensor(request, kernel, i); tensor && seen.insert(tensor).second)
      found.push_back(outputTensor(*tensor, accesses[i].tensor, i));
  return found;
}

/// The index of an element, by its distance from the first in elements: dimensions of large strides first.
std::vector<int64_t> indexOf(int64_t distance, const TensorView &view) {
  std::vector<size_t> order(view.shape.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return view.strides[i]; });
  std::vector<int64_t> index(view.shape.size(), 0);
  for (size_t i : order)
    if (view.strides[i] > 0 && view.shape[i] > 1) {
      index[i] = std::min(distance / view.strides[i], view.shape[i] - 1);
      distance -= index[i] * view.strides[i];
    }
  return index;
}

std::pair<int64_t, int64_t> rowAndColumn(int64_t distance, const TensorView &view) {
  const std::vector<int64_t> index = indexOf(distance, view);
  int64_t row = 0;
  for (size_t i = 0; i + 1 < index.size(); ++i)
    row = row * view.shape[i] + index[i];
  return {row, index.empty() ? 0 : index.back()};
}

} // namespace

Value valueOf(const LaunchRequest &request, const interp::Kernel &kernel, size_t index) {
  Value value = request.arguments[*argumentOf(request, kernel, index)];
  const std::string &name = kernel.parameters()[index].name;
  size_t at = name.find_first_of(".[");
  while (auto *tuple = value.as<TupleObject>()) { // "x[0][1]"
    value = Value(tuple->items[std::strtoul(name.c_str() + at + 1, nullptr, 10)]);
    at = name.find(']', at) + 1;
  }
  return value;
}

std::optional<size_t> argumentOf(const LaunchRequest &request, const interp::Kernel &kernel, size_t index) {
  if (index >= kernel.parameters().size())
    return std::nullopt;
  const std::vector<const syntax::Arg *> parameters = frontend::parameters(*request.kernel->definition);
  const std::string &name = kernel.parameters()[index].name; // "x.shape[0]" and "x[0]" are parts of x
  auto found = std::ranges::find(parameters, std::string_view(name).substr(0, name.find_first_of(".[")),
                                 &syntax::Arg::name);
  if (found == parameters.end())
    return std::nullopt;
  return static_cast<size_t>(found - parameters.begin());
}

std::vector<std::string> tensorNames(const LaunchRequest &request, const AddressSpace &memory) {
  std::vector<std::string> names(request.arguments.size());
  for (size_t i = 0; i < names.size(); ++i)
    if (auto *tensor = host::tensorOfArgument(request.arguments[i])) {
      names[i] = written(request, i);
      if (names[i].empty())
        names[i] = memory.allocation(tensor->storage->allocation).name;
      if (names[i].empty())
        names[i] = frontend::parameters(*request.kernel->definition)[i]->name;
    }
  return names;
}

protocol::LaunchSummary summarise(const LaunchRequest &request, const interp::Kernel &kernel,
                                  const AddressSpace &memory) {
  const FunctionObject &function = *request.kernel;
  const SourceFile &file = *function.module->file;
  const std::vector<std::string> names = tensorNames(request, memory);
  protocol::LaunchSummary summary;
  summary.kernel = function.name();
  summary.path = request.call.file->path();
  summary.line = static_cast<int>(request.call.file->line(request.call.range.begin));
  summary.kernelPath = file.path();
  summary.kernelLine = static_cast<int>(file.line(function.definition->nameRange.begin));
  summary.kernelEndLine = static_cast<int>(file.line(function.definition->range.end));
  summary.grid = request.grid;
  summary.programs = static_cast<uint64_t>(request.grid[0]) * request.grid[1] * request.grid[2];
  summary.numWarps = static_cast<int>(request.numWarps);
  summary.numStages = static_cast<int>(request.numStages);
  for (size_t i = 0; i < request.arguments.size(); ++i)
    summary.arguments.push_back(argumentSummary(request, i, names[i]));
  for (size_t i = 0; i < kernel.accesses().size(); ++i)
    summary.accesses.push_back(accessSummary(request, kernel, i, names));
  summary.outputs = outputs(request, kernel, summary.accesses);
  return summary;
}

void addCounts(protocol::LaunchSummary &summary, const interp::Kernel &kernel,
               const std::vector<interp::AccessCounts> &counts) {
  for (size_t i = 0; i < std::min(counts.size(), summary.accesses.size()); ++i) {
    summary.accesses[i].elements = {counts[i].active, counts[i].masked, counts[i].outOfBounds};
    summary.accesses[i].bytes = counts[i].bytes;
  }
}

std::vector<OutputView> outputViews(const LaunchRequest &request, const interp::Kernel &kernel,
                                    const protocol::LaunchSummary &summary) {
  std::vector<OutputView> views;
  for (const protocol::OutputTensor &output : summary.outputs) {
    const TensorObject *tensor = writtenTensor(request, kernel, output.access);
    OutputView view{{tensor->address(), byteSize(tensor->type), tensor->shape, tensor->strides}, {}};
    for (size_t i = 0; i < kernel.accesses().size(); ++i)
      if (writtenTensor(request, kernel, i) == tensor)
        view.accesses.push_back(static_cast<uint32_t>(i));
    views.push_back(std::move(view));
  }
  return views;
}

std::array<int32_t, 4> tileOf(const std::vector<interp::Footprint> &footprints, const OutputView &output) {
  const TensorView &view = output.tensor;
  Address firstAddress = std::numeric_limits<Address>::max(), lastAddress = 0;
  uint64_t active = 0;
  for (const interp::Footprint &footprint : footprints)
    if (footprint.counts.active > 0 && std::ranges::count(output.accesses, footprint.access)) {
      firstAddress = std::min(firstAddress, footprint.first);
      lastAddress = std::max(lastAddress, footprint.last);
      active += footprint.counts.active;
    }
  if (active == 0 || firstAddress < view.address)
    return {-1, -1, -1, -1};
  const int64_t first = static_cast<int64_t>((firstAddress - view.address) / view.elementBytes);
  const int64_t last = static_cast<int64_t>((lastAddress - view.address) / view.elementBytes);
  auto [rowBegin, columnBegin] = rowAndColumn(first, view);
  auto [rowEnd, columnEnd] = rowAndColumn(last, view);
  // A run of neighbours that goes on in the next row covers the rows whole.
  const bool isRun = active == static_cast<uint64_t>(last - first + 1);
  if (rowEnd > rowBegin && (isRun || columnEnd < columnBegin)) {
    columnBegin = 0;
    columnEnd = view.shape.back() - 1;
  }
  return {static_cast<int32_t>(rowBegin), static_cast<int32_t>(rowEnd + 1), static_cast<int32_t>(columnBegin),
          static_cast<int32_t>(columnEnd + 1)};
}

} // namespace tilescope::service
