// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/TraceValues.h"

#include "compiler/Interpreter/Operations.h"
#include "compiler/Service/Convert.h"
#include "compiler/Service/TraceExpression.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tilescope::service {

namespace {

using interp::AccessState;
using interp::ElementKind;
using interp::Kernel;
using interp::NotedValue;
using interp::Tile;

constexpr int64_t MostElements = 16384;

uint64_t elementsOf(const std::vector<int64_t> &shape) {
  uint64_t count = 1;
  for (int64_t extent : shape)
    count *= static_cast<uint64_t>(extent);
  return count;
}

/// An element of a slot as a number, for comparison and to see whether it is one.
double realOf(ElementType type, const std::byte *element) {
  if (isFloat(type)) {
    double wide;
    float narrow;
    if (type == ElementType::Float64)
      return std::memcpy(&wide, element, sizeof(wide)), wide;
    return std::memcpy(&narrow, element, sizeof(narrow)), double(narrow);
  }
  uint64_t bits = 0;
  const unsigned bytes = byteSize(type);
  std::memcpy(&bits, element, bytes);
  return isSignedInt(type)
             ? static_cast<double>(static_cast<int64_t>(bits << (64 - 8 * bytes)) >> (64 - 8 * bytes))
             : static_cast<double>(bits);
}

bool isOn(const std::byte *element, unsigned bytes) {
  return std::any_of(element, element + bytes, [](std::byte byte) { return byte != std::byte(0); });
}

/// Counts the elements of each kind, and finds the least and the greatest of the defined.
void addSummary(protocol::TraceValue &summary, const NotedValue &value, const Tile &tile) {
  const unsigned bytes = interp::slotBytes(value.element);
  const size_t stored = tile.elements.size() / bytes;
  const auto weight = static_cast<int64_t>(stored == 0 ? 0 : elementsOf(value.shape) / stored);
  int64_t *const counts[] = {&summary.defined, &summary.undefined, &summary.padding, &summary.outOfBounds};
  const std::byte *least = nullptr, *most = nullptr;
  double low = 0, high = 0;
  for (size_t i = 0; i < stored; ++i) {
    const std::byte *element = tile.elements.data() + i * bytes;
    const ElementKind kind = tile.kinds.empty() ? ElementKind::Defined : tile.kinds[i];
    *counts[static_cast<int>(kind)] += weight;
    if (kind == ElementKind::Undefined)
      continue;
    const double real = realOf(value.element, element);
    summary.on += real != 0 ? weight : 0;
    if (kind != ElementKind::Defined)
      continue;
    if (std::isnan(real)) {
      summary.nan += weight;
      continue;
    }
    if (!least || real < low)
      low = real, least = element;
    if (!most || real > high)
      high = real, most = element;
  }
  if (!least || value.isPointer)
    return;
  summary.least = elementText(value.element, least);
  summary.most = elementText(value.element, most);
}

/// Which of the elements of a tile are not 0, `shape` broadcast to `whole`.
std::vector<bool> onElements(const Tile &tile, unsigned bytes, const std::vector<int64_t> &shape,
                             const std::vector<int64_t> &whole) {
  std::vector<bool> on(elementsOf(whole));
  const bool isOne = tile.elements.size() == bytes;
  for (size_t i = 0; i < on.size(); ++i) {
    size_t rest = i, at = 0, stride = 1;
    for (size_t d = whole.size(); d-- > 0;) {
      const size_t index = rest % static_cast<size_t>(whole[d]);
      rest /= static_cast<size_t>(whole[d]);
      at += shape[d] == 1 ? 0 : index * stride;
      stride *= static_cast<size_t>(shape[d]);
    }
    on[i] = isOn(tile.elements.data() + (isOne ? 0 : at * bytes), bytes);
  }
  return on;
}

void addConjuncts(protocol::TraceAccess &result, const interp::Stepper &stepper, const NotedValue &mask,
                  const TensorNames &names) {
  std::vector<std::vector<bool>> on;
  for (const interp::Conjunct &conjunct : mask.conjuncts) {
    const interp::TilePtr tile = stepper.latest(conjunct.value);
    if (!tile || conjunct.shape.size() != mask.shape.size())
      return;
    on.push_back(onElements(*tile, 1, conjunct.shape, mask.shape));
  }
  for (size_t k = 0; k < on.size(); ++k) {
    const interp::Conjunct &conjunct = mask.conjuncts[k];
    protocol::TraceConjunct &made = result.conjuncts.emplace_back();
    made.value = traceValue(stepper.kernel(), *stepper.latest(conjunct.value), names);
    made.shape = conjunct.shape;
    for (size_t i = 0; i < on[k].size(); ++i) {
      const auto off = std::ranges::count_if(on, [&](const std::vector<bool> &other) { return !other[i]; });
      made.on += on[k][i];
      made.offAlone += !on[k][i] && off == 1;
    }
  }
}

void addWords(protocol::TraceElements &page, ElementType type, const std::byte *element) {
  uint64_t bits = 0;
  std::memcpy(&bits, element, interp::slotBytes(type));
  const unsigned shift = 64 - 8 * interp::slotBytes(type);
  if (isSignedInt(type))
    bits = static_cast<uint64_t>(static_cast<int64_t>(bits << shift) >> shift);
  page.words.values.push_back(static_cast<int32_t>(bits));
  if (page.wordsPerElement == 2)
    page.words.values.push_back(static_cast<int32_t>(bits >> 32));
}

/// The tensors of the pointers `first` … `end`.
void addTensors(protocol::TraceElements &page, const std::vector<AllocationId> &tensors, size_t first,
                size_t end, const TensorNames &names) {
  std::vector<AllocationId> known;
  for (size_t i = first; i < end && !tensors.empty(); ++i) {
    const AllocationId id = tensors[tensors.size() == 1 ? 0 : i];
    const auto found = std::ranges::find(known, id);
    page.tensorOf.values.push_back(static_cast<int32_t>(found - known.begin()));
    if (found == known.end())
      known.push_back(id);
  }
  if (known.size() < 2)
    page.tensorOf.values.clear();
  for (AllocationId id : known) {
    page.tensors.push_back(names(id));
    page.bases.push_back(static_cast<int64_t>(names.addressOf(id)));
  }
}

/// The part of a page that there is.
std::pair<size_t, size_t> pageOf(int64_t first, int64_t count, size_t whole) {
  const auto begin = static_cast<size_t>(std::clamp<int64_t>(first, 0, static_cast<int64_t>(whole)));
  return {begin, std::min(whole, begin + static_cast<size_t>(std::clamp<int64_t>(count, 0, MostElements)))};
}

} // namespace

std::string TensorNames::operator()(AllocationId id) const {
  if (id == 0)
    return {};
  const auto &parameters = m_source.launch.kernel->parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].pointer || m_source.launch.arguments[i].allocation != id)
      continue;
    for (const protocol::ArgumentSummary &argument : m_source.arguments)
      if (argument.name == parameters[i].name && !argument.value.empty())
        return argument.value;
    return m_memory.allocation(id).name.empty() ? parameters[i].name : m_memory.allocation(id).name;
  }
  return m_memory.allocation(id).name;
}

protocol::TracePlace tracePlace(const SourceSpan &span) {
  if (!span.file)
    return {};
  return {span.file->path(), rangeOf(span), static_cast<int>(span.file->line(span.range.begin))};
}

protocol::TraceValue traceValue(const Kernel &kernel, const Tile &tile, const TensorNames &names) {
  const NotedValue &value = kernel.steps().values[tile.value];
  const SourceSpan &span = kernel.places()[value.place].span;
  protocol::TraceValue summary;
  summary.value = static_cast<int>(tile.value);
  summary.name = value.name;
  summary.text = span.file ? std::string(span.file->text(span.range)) : std::string();
  summary.type = tritonName(value.isPointer ? value.pointee : value.element);
  if (value.isPointer)
    summary.type = "pointer<" + summary.type + ">";
  summary.shape = value.shape;
  summary.made = static_cast<int64_t>(tile.step);
  summary.uniform = value.stored == 1 && elementsOf(value.shape) > 1;
  addSummary(summary, value, tile);
  for (AllocationId id : tile.tensors)
    if (const std::string name = names(id); std::ranges::find(summary.tensors, name) == summary.tensors.end())
      summary.tensors.push_back(name);
  return summary;
}

protocol::TraceAccess traceAccess(const interp::Stepper &stepper, const TensorNames &names) {
  const interp::AccessView &view = *stepper.access();
  protocol::TraceAccess result;
  result.access = static_cast<int>(view.site);
  uint64_t *const counts[] = {&result.elements.active, &result.elements.masked, &result.elements.outOfBounds};
  for (AccessState state : view.states)
    ++*counts[static_cast<int>(state)];
  for (AllocationId id : view.tensors)
    if (const std::string name = names(id); std::ranges::find(result.tensors, name) == result.tensors.end())
      result.tensors.push_back(name);
  const interp::StepTable &table = stepper.kernel().steps();
  const int32_t mask = table.steps[stepper.stepTo(stepper.position())].mask;
  if (mask < 0 || !stepper.latest(static_cast<uint32_t>(mask)))
    return result;
  result.mask = traceValue(stepper.kernel(), *stepper.latest(static_cast<uint32_t>(mask)), names);
  addConjuncts(result, stepper, table.values[static_cast<size_t>(mask)], names);
  return result;
}

protocol::TraceElements traceElements(const Kernel &kernel, const Tile &tile, int64_t first, int64_t count,
                                      const TensorNames &names) {
  const NotedValue &value = kernel.steps().values[tile.value];
  const unsigned bytes = interp::slotBytes(value.element);
  const bool isOne = value.stored == 1;
  const auto [begin, end] = pageOf(first, count, elementsOf(value.shape));
  protocol::TraceElements page;
  page.first = static_cast<int64_t>(begin);
  page.wordsPerElement = bytes == 8 ? 2 : 1;
  for (size_t i = begin; i < end; ++i) {
    const size_t at = isOne ? 0 : i;
    addWords(page, value.element, tile.elements.data() + at * bytes);
    if (!tile.kinds.empty())
      page.kinds.values.push_back(static_cast<int32_t>(tile.kinds[at]));
  }
  addTensors(page, tile.tensors, isOne ? 0 : begin, isOne ? std::min<size_t>(end - begin, 1) : end, names);
  return page;
}

protocol::TraceElements traceElements(const interp::AccessView &access, int64_t first, int64_t count,
                                      const TensorNames &names) {
  const auto [begin, end] = pageOf(first, count, access.count);
  protocol::TraceElements page;
  page.first = static_cast<int64_t>(begin);
  page.wordsPerElement = 2;
  for (size_t i = begin; i < end; ++i) {
    addWords(page, ElementType::UInt64, reinterpret_cast<const std::byte *>(&access.addresses[i]));
    page.kinds.values.push_back(static_cast<int32_t>(access.states[i]));
  }
  addTensors(page, access.tensors, begin, end, names);
  return page;
}

} // namespace tilescope::service
