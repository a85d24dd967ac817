// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/Tile.h"

#include "compiler/Interpreter/Operations.h"

#include <algorithm>

namespace tilescope::interp {

namespace {

std::vector<ElementKind> kindsOf(const Shadow &shadow, Slot slot, size_t count) {
  std::vector<ElementKind> kinds;
  for (size_t i = 0; i < count && shadow.active(); ++i) {
    const std::optional<OriginKind> kind = shadow.kindOf(slot, i);
    if (!kind)
      continue;
    kinds.resize(count, ElementKind::Defined);
    kinds[i] = *kind == OriginKind::Padding ? ElementKind::Padding : ElementKind::Undefined;
  }
  return kinds;
}

/// The tensors that `count` pointers at `addresses` are meant for.
std::vector<AllocationId> tensorsOf(Frame &frame, const Provenance &provenance, const uint64_t *addresses,
                                    size_t count) {
  if (provenance.kind == Provenance::Kind::Argument)
    return {frame.worker->launch.extents[provenance.index].id};
  if (provenance.kind == Provenance::Kind::Slot) {
    const AllocationId *tensors = frame.at<AllocationId>(provenance.index);
    return {tensors, tensors + (provenance.single ? 1 : count)};
  }
  std::vector<AllocationId> tensors(count);
  std::transform(addresses, addresses + count, tensors.begin(),
                 [&](Address address) { return frame.worker->memory.find(address).id; });
  return tensors;
}

/// The operand of an access that is its mask, if it has one.
int maskOperand(const FlowDetail &flow, const AccessDetail &detail) {
  if (flow.flow == Flow::Load)
    return 1;
  return flow.flow == Flow::Atomic && detail.atomic == AtomicKind::CompareExchange ? -1 : 2;
}

} // namespace

bool isAccess(const FlowDetail &flow) {
  return flow.flow == Flow::Load || flow.flow == Flow::Store || flow.flow == Flow::Atomic;
}

TilePtr copyTile(Frame &frame, uint32_t value, uint64_t step, const AccessView *access) {
  const NotedValue &noted = frame.kernel.steps().values[value];
  const auto tile = std::make_shared<Tile>();
  tile->value = value;
  tile->step = step;
  const std::byte *elements = frame.at<std::byte>(noted.slot);
  tile->elements.assign(elements, elements + size_t(noted.stored) * slotBytes(noted.element));
  tile->kinds = kindsOf(frame.shadow, noted.slot, noted.stored);
  for (size_t i = 0; access && access->count == noted.stored && i < access->count; ++i)
    if (access->states[i] == AccessState::OutOfBounds) {
      tile->kinds.resize(access->count, ElementKind::Defined);
      tile->kinds[i] = ElementKind::OutOfBounds;
    }
  if (noted.isPointer)
    tile->tensors = tensorsOf(frame, noted.provenance, frame.at<uint64_t>(noted.slot), noted.stored);
  return tile;
}

AccessView viewAccess(Frame &frame, const Instruction &instruction) {
  const FlowDetail &flow = frame.kernel.flow(static_cast<size_t>(&instruction - frame.kernel.code().data()));
  const AccessDetail &detail = frame.kernel.access(instruction.detail);
  AccessView view{.site = detail.site, .count = instruction.count, .bytes = byteSize(detail.element)};
  const uint64_t *addresses = frame.at<uint64_t>(instruction.operands[0]);
  for (size_t i = 0; i < view.count; ++i)
    view.addresses.push_back(addresses[instruction.single & 1 ? 0 : i]);
  view.tensors = tensorsOf(frame, detail.provenance, view.addresses.data(), view.count);
  const int masked = maskOperand(flow, detail);
  const bool hasMask = masked >= 0 && (instruction.used >> masked & 1);
  const uint8_t *mask = hasMask ? frame.at<uint8_t>(instruction.operands[masked]) : nullptr;
  const bool oneMask = hasMask && (instruction.single >> masked & 1);
  for (size_t i = 0; i < view.count; ++i) {
    const Extent extent = frame.worker->memory.extent(view.tensors[view.tensors.size() == 1 ? 0 : i]);
    view.states.push_back(mask && !mask[oneMask ? 0 : i]                ? AccessState::MaskedOff
                          : extent.holds(view.addresses[i], view.bytes) ? AccessState::Active
                                                                        : AccessState::OutOfBounds);
  }
  if (flow.flow != Flow::Load) {
    const auto stored = std::make_shared<Tile>();
    const size_t count = std::max<uint32_t>(flow.operands[1], 1);
    const std::byte *elements = frame.at<std::byte>(instruction.operands[1]);
    stored->elements.assign(elements, elements + count * slotBytes(flow.operandTypes[1]));
    stored->kinds = kindsOf(frame.shadow, instruction.operands[1], count);
    view.stored = stored;
  }
  return view;
}

} // namespace tilescope::interp
