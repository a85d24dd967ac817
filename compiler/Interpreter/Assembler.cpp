// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/Assembler.h"

#include "compiler/Interpreter/Machine.h"
#include "compiler/Interpreter/SlotAllocation.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace tilescope::interp {

namespace {

/// What a scalar instruction costs: carrying it out takes about as long as 16 elements do.
constexpr uint32_t LeastCost = 16;

constexpr uint64_t TileAlignment = 64;

uint64_t key(const SourceSpan &span) { return uint64_t(span.range.begin) << 32 | span.range.end; }
uint64_t fileKey(const SourceSpan &span) { return reinterpret_cast<uintptr_t>(span.file.get()); }

std::vector<uint64_t> keyOf(const Place &place) {
  std::vector<uint64_t> result{fileKey(place.span), key(place.span)};
  for (const SourceSpan &call : place.calls)
    result.insert(result.end(), {fileKey(call), key(call)});
  return result;
}

/// Do these operations give values of the format when their operands have it?
bool staysInFormat(Op op) {
  switch (op) {
  case Op::Min:
  case Op::Max:
  case Op::MinNan:
  case Op::MaxNan:
  case Op::Neg:
  case Op::Abs:
  case Op::Floor:
  case Op::Ceil:
  case Op::Trunc:
  case Op::Round:
  case Op::Clamp:
  case Op::ClampNan:
    return true;
  default:
    return false;
  }
}

bool isComparison(Op op) { return op >= Op::Eq && op <= Op::Ge; }

ElementType integerOfWidth(unsigned bytes) {
  return bytes == 1   ? ElementType::UInt8
         : bytes == 2 ? ElementType::UInt16
         : bytes == 4 ? ElementType::UInt32
                      : ElementType::UInt64;
}

} // namespace

Assembler::Assembler(std::string name) : m_kernel(std::make_shared<Kernel>()) {
  m_kernel->m_name = std::move(name);
  setPlace({});
}

void Assembler::setPlace(const Place &place) {
  const auto [entry, isNew] = m_placeNumbers.try_emplace(keyOf(place), m_kernel->m_places.size());
  if (isNew)
    m_kernel->m_places.push_back(place);
  m_place = entry->second;
}

//===- Values --------------------------------------------------------------------------------------===//

size_t Assembler::reserve(uint64_t bytes, uint64_t alignment) {
  const size_t offset = (m_kernel->m_image.size() + alignment - 1) / alignment * alignment;
  m_kernel->m_image.resize(offset + bytes);
  return offset;
}

Operand Assembler::fixed(ElementType type, uint32_t stored, size_t offset) {
  const Operand result = fresh(type, stored);
  m_values[result.value].fixed = static_cast<int64_t>(offset);
  return result;
}

Operand Assembler::fresh(ElementType type, uint32_t stored) {
  m_values.push_back({.bytes = uint64_t(interp::slotBytes(type)) * stored});
  return {.value = static_cast<uint32_t>(m_values.size() - 1), .type = type, .stored = stored};
}

/// Its 64 bits, then its allocation. Narrow floats come as their own bits: see parameterValue in Flatten.cpp.
Operand Assembler::parameter(std::string name, ElementType type, bool pointer) {
  const size_t offset = reserve(16, 8);
  const auto index = static_cast<uint32_t>(m_kernel->m_parameters.size());
  m_kernel->m_parameters.push_back({std::move(name), type, pointer, static_cast<Slot>(offset)});
  m_allocations.push_back(fixed(ElementType::UInt32, 1, offset + 8));
  if (isNarrowFloat(type) && !pointer)
    return bitcast(fixed(integerOfWidth(byteSize(type)), 1, offset), type);
  Operand result = fixed(pointer ? ElementType::UInt64 : type, 1, offset);
  if (pointer)
    result.provenance = {Provenance::Kind::Argument, index, true};
  return result;
}

Operand Assembler::constant(ElementType type, uint64_t slotBits) {
  auto [entry, isNew] = m_constants.try_emplace({type, slotBits});
  if (isNew) {
    const size_t offset = reserve(8, 8);
    std::memcpy(m_kernel->m_image.data() + offset, &slotBits, sizeof(slotBits));
    entry->second = fixed(type, 1, offset);
  }
  return entry->second;
}

Operand Assembler::real(ElementType type, double value) {
  if (type == ElementType::Float64)
    return constant(type, std::bit_cast<uint64_t>(value));
  return constant(type, std::bit_cast<uint32_t>(static_cast<float>(value)));
}

Operand Assembler::range(int32_t start, int32_t end) {
  auto [entry, isNew] = m_ranges.try_emplace({start, end});
  if (isNew) {
    const auto count = static_cast<uint32_t>(end - start);
    const size_t offset = reserve(uint64_t(count) * 4, TileAlignment);
    for (uint32_t i = 0; i < count; ++i) {
      const int32_t value = start + static_cast<int32_t>(i);
      std::memcpy(m_kernel->m_image.data() + offset + size_t(i) * 4, &value, sizeof(value));
    }
    entry->second = fixed(ElementType::Int32, count, offset);
  }
  return entry->second;
}

Operand Assembler::provenanceValue(const Operand &pointer) {
  if (pointer.provenance.kind == Provenance::Kind::Address) {
    const Operand tensors = fresh(ElementType::UInt32, pointer.stored);
    emit(findTensors(), tensors, {pointer}, pointer.stored);
    return tensors;
  }
  if (pointer.provenance.kind == Provenance::Kind::Argument)
    return m_allocations[pointer.provenance.index];
  return {.value = pointer.provenance.index,
          .type = ElementType::UInt32,
          .stored = pointer.provenance.single ? 1 : pointer.stored};
}

//===- Operations ----------------------------------------------------------------------------------===//

void Assembler::touch(uint32_t value) {
  Value &entry = m_values[owner(value)];
  entry.first = std::min(entry.first, position());
  entry.last = std::max(entry.last, position());
}

void Assembler::keep(const Operand &operand) {
  Value &entry = m_values[owner(operand.value)];
  entry.last = std::max(entry.last, position() - 1);
}

Instruction &Assembler::emit(Handler handler, std::initializer_list<Operand> operands, uint32_t count,
                             uint32_t detail) {
  assert(handler && "no such operation");
  Instruction instruction{
      .handler = handler, .count = count, .detail = detail, .cost = std::max(count, LeastCost)};
  uint8_t bit = 1;
  Slot *slot = instruction.operands;
  for (const Operand &operand : operands) {
    touch(operand.value);
    if (operand.provenance.kind == Provenance::Kind::Slot)
      touch(operand.provenance.index);
    *slot++ = operand.value;
    instruction.used |= bit;
    if (operand.stored == 1 && count > 1)
      instruction.single |= bit;
    bit = static_cast<uint8_t>(bit << 1);
  }
  m_kernel->m_code.push_back(instruction);
  m_kernel->m_placeOf.push_back(m_place);
  noteFlow(handler, operands);
  return m_kernel->m_code.back();
}

Instruction &Assembler::emit(Handler handler, const Operand &result, std::initializer_list<Operand> operands,
                             uint32_t count, uint32_t detail) {
  const bool isFirst = m_values[owner(result.value)].first == Unseen;
  touch(result.value);
  Instruction &instruction = emit(handler, operands, count, detail);
  instruction.result = result.value;
  instruction.used |= ResultUsed;
  FlowDetail &flow = m_kernel->m_flows.back();
  flow.result = result.stored;
  flow.resultType = result.type;
  flow.isFirst = isFirst;
  return instruction;
}

/// What handlers that several callers use do.
static Flow flowOf(Handler handler) {
  static const std::map<Handler, Flow> flows = [] {
    std::map<Handler, Flow> known{{interp::load(), Flow::Load},        {interp::store(), Flow::Store},
                                  {interp::atomic(), Flow::Atomic},    {&control::jumpUnless, Flow::Branch},
                                  {&control::loopBegin, Flow::Branch}, {&control::check, Flow::Assert},
                                  {&control::print, Flow::Print}};
    for (unsigned bytes : {1u, 2u, 4u, 8u}) {
      known[interp::select(bytes)] = Flow::Select;
      known[copyElements(bytes)] = Flow::Keep;
      known[copyStrided(bytes)] = Flow::Move;
      known[gather(bytes)] = Flow::Gather;
      known[pickElement(bytes)] = Flow::Pick;
      known[putElement(bytes)] = Flow::Put;
    }
    known[histogram()] = Flow::Histogram;
    known[unpackScaled(true)] = known[unpackScaled(false)] = Flow::Unpack;
    known[toPorts()] = Flow::ToPorts;
    known[assembly()] = Flow::Assembly;
    known[fromPorts()] = Flow::FromPorts;
    known[refuseAssembly()] = Flow::None;
    known[roundNarrow()] = Flow::Keep;
    return known;
  }();
  const auto found = flows.find(handler);
  return found == flows.end() ? Flow::Elementwise : found->second;
}

void Assembler::noteFlow(Handler handler, std::initializer_list<Operand> operands) {
  FlowDetail detail{.flow = flowOf(handler)};
  for (size_t i = 0; const Operand &operand : operands) {
    detail.operandTypes[i] = operand.type;
    detail.spread |= static_cast<uint8_t>(operand.spread << i);
    detail.operands[i++] = operand.stored;
  }
  m_kernel->m_flows.push_back(detail);
}

void Assembler::flow(Flow flow, std::vector<int64_t> shape) {
  FlowDetail &detail = m_kernel->m_flows.back();
  detail.flow = flow;
  if (!shape.empty())
    detail.shape = add(m_kernel->m_shapes, std::move(shape));
}

void Assembler::flow(Flow flow, Op op, ElementType type, std::vector<int64_t> shape) {
  this->flow(flow, std::move(shape));
  FlowDetail &detail = m_kernel->m_flows.back();
  detail.hasOp = true;
  detail.op = op;
  detail.type = type;
}

void Assembler::branchesDecideElements(uint32_t begin) {
  for (uint32_t i = begin; i < position(); ++i)
    if (m_kernel->m_flows[i].flow == Flow::Branch)
      m_kernel->m_flows[i].flow = Flow::MapBranch;
}

uint64_t Assembler::leastCost() const {
  uint64_t cost = 0;
  for (size_t i = 0; i < m_kernel->m_code.size() && m_kernel->m_flows[i].flow != Flow::Branch; ++i)
    cost += m_kernel->m_code[i].cost;
  return cost;
}

/// Marks the sums, differences and products whose results become offsets of pointers, through whatever.
void Assembler::findOffsets() {
  std::vector<bool> feeds(m_values.size());
  const auto &code = m_kernel->m_code;
  std::map<Handler, bool> adds;
  for (ElementType type : {ElementType::Int32, ElementType::Int64, ElementType::UInt32, ElementType::UInt64})
    adds[interp::addPointer(type)] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = code.size(); i-- > 0;) {
      const bool addsOffset = adds.contains(code[i].handler);
      if (!addsOffset && !((code[i].used & ResultUsed) && feeds[owner(code[i].result)]))
        continue;
      for (unsigned k = addsOffset ? 1 : 0; k < 3; ++k)
        if ((code[i].used >> k & 1) && !feeds[owner(code[i].operands[k])])
          changed = feeds[owner(code[i].operands[k])] = true;
    }
  }
  for (size_t i = 0; i < code.size(); ++i) {
    FlowDetail &flow = m_kernel->m_flows[i];
    flow.feedsAddress = flow.hasOp && flow.flow <= Flow::Keep && flow.type == ElementType::Int32 &&
                        (flow.op == Op::Add || flow.op == Op::Sub || flow.op == Op::Mul) &&
                        feeds[owner(code[i].result)];
  }
}

/// Of the last instruction, a loop over elements at the same place.
void Assembler::markInPlace(const Operand &result, std::initializer_list<Operand> operands) {
  uint8_t bit = 1;
  for (const Operand &operand : operands) {
    if (operand.slotBytes() == result.slotBytes() && operand.stored == result.stored)
      m_kernel->m_code.back().inPlace |= bit;
    bit = static_cast<uint8_t>(bit << 1);
  }
}

Handler Assembler::elementwiseHandler(Op op, ElementType type) { return interp::elementwise(op, type); }

/// A fused multiply-add of a narrow float: exact in fp64 but for one rounding that is made odd.
static Operand narrowFma(Assembler &assembler, const Operand *operands, uint32_t count) {
  const ElementType type = operands[0].type;
  const auto wide = [&](const Operand &operand) { return assembler.cast(operand, ElementType::Float64); };
  const Operand sum = assembler.fresh(ElementType::Float64, count);
  assembler.emit(elementwise(Op::Fma, ElementType::Float64), sum,
                 {wide(operands[0]), wide(operands[1]), wide(operands[2])}, count);
  return assembler.cast(sum, type);
}

Operand Assembler::elementwise(Op op, std::initializer_list<Operand> operands) {
  const ElementType type = operands.begin()->type;
  uint32_t count = 1;
  for (const Operand &operand : operands)
    count = std::max(count, operand.stored);
  if (op == Op::Fma && isNarrowFloat(type))
    return narrowFma(*this, operands.begin(), count);
  const Operand result = fresh(isComparison(op) ? ElementType::Bool : type, count);
  emit(elementwiseHandler(op, type), result, operands, count);
  flow(op == Op::Mul ? Flow::Keep : Flow::Elementwise, op, type);
  markInPlace(result, operands);
  return staysInFormat(op) || isComparison(op) ? result : rounded(result, false, byteSize(type) == 1);
}

/// In place; does nothing to types that need no rounding.
Operand Assembler::rounded(Operand value, bool towardZero, bool saturate) {
  if (isNarrowFloat(value.type))
    emit(roundNarrow(), value, {value}, value.stored, RoundMode{value.type, towardZero, saturate}.pack());
  return value;
}

Operand Assembler::select(const Operand &condition, const Operand &onTrue, const Operand &onFalse) {
  const uint32_t count = std::max({condition.stored, onTrue.stored, onFalse.stored});
  Operand result = fresh(onTrue.type, count);
  if (onTrue.provenance == onFalse.provenance) {
    result.provenance = onTrue.provenance;
  } else {
    const Operand tensors = select(condition, provenanceValue(onTrue), provenanceValue(onFalse));
    result.provenance = {Provenance::Kind::Slot, tensors.value, tensors.stored == 1};
  }
  emit(interp::select(result.slotBytes()), result, {condition, onTrue, onFalse}, count);
  markInPlace(result, {condition, onTrue, onFalse});
  return result;
}

Operand Assembler::addPointer(const Operand &pointer, const Operand &offset, unsigned scale) {
  const uint32_t count = std::max(pointer.stored, offset.stored);
  Operand result = fresh(ElementType::UInt64, count);
  result.provenance = pointer.provenance;
  if (pointer.stored == 1 && count > 1 && pointer.provenance.kind == Provenance::Kind::Slot)
    result.provenance.single = true;
  emit(interp::addPointer(offset.type), result, {pointer, offset}, count, uint32_t(std::countr_zero(scale)));
  markInPlace(result, {pointer, offset});
  return result;
}

Operand Assembler::cast(const Operand &from, ElementType to, bool towardZero, bool saturate) {
  const ElementType source = slotType(from.type), target = slotType(to);
  Operand result = from;
  result.type = to;
  if (isNarrowFloat(to)) {
    result = fresh(to, from.stored);
    const bool alreadyFp32 = source == ElementType::Float32;
    emit(alreadyFp32 ? copyElements(4) : castOdd(source), result, {from}, from.stored);
    flow(Flow::Keep);
    return rounded(result, towardZero, saturate || byteSize(to) == 1);
  }
  if (source == target)
    return result;
  result = fresh(to, from.stored);
  if (to == ElementType::Float32 && from.type == ElementType::Float64 && towardZero)
    emit(castTowardZero(), result, {from}, from.stored);
  else
    emit(saturate && !isFloat(to) ? castSaturated(source, target) : interp::cast(source, target), result,
         {from}, from.stored);
  flow(Flow::Keep);
  if (to == ElementType::Float32 && saturate)
    return elementwise(Op::ClampNan, {result, real(to, -0x1.fffffep127), real(to, 0x1.fffffep127)});
  return result;
}

Operand Assembler::bitcast(const Operand &from, ElementType to) {
  if (from.type == to)
    return from;
  Operand result = from;
  if (isNarrowFloat(from.type)) {
    result = fresh(integerOfWidth(byteSize(from.type)), from.stored);
    emit(toBits(), result, {from}, from.stored, uint32_t(from.type));
    flow(Flow::Keep);
  }
  if (isNarrowFloat(to)) {
    const Operand bits = result;
    result = fresh(to, from.stored);
    emit(fromBits(), result, {bits}, from.stored, uint32_t(to));
    flow(Flow::Keep);
  }
  result.type = to;
  return result;
}

Operand Assembler::full(const Operand &operand, uint32_t count) {
  if (operand.stored == count)
    return operand;
  Operand result = fresh(operand.type, count);
  result.provenance = operand.provenance;
  result.spread = true;
  copyInto(result, operand);
  return result;
}

Operand Assembler::moved(const Operand &from, uint32_t stored, CopyDetail copy) {
  Operand result = fresh(from.type, stored);
  result.spread = from.spread || std::ranges::count(copy.fromStrides, 0) > 0;
  moveInto(result, from, std::move(copy));
  return result;
}

void Assembler::moveInto(const Operand &to, const Operand &from, CopyDetail copy) {
  uint32_t count = 1;
  for (int64_t extent : copy.shape)
    count *= static_cast<uint32_t>(extent);
  emit(copyStrided(to.slotBytes()), to, {from}, count, detail(std::move(copy)));
}

void Assembler::copyInto(const Operand &to, const Operand &from) {
  emit(copyElements(to.slotBytes()), to, {from}, to.stored);
  markInPlace(to, {from});
}

uint32_t Assembler::owner(uint32_t value) const {
  while (m_values[value].shares != Unseen)
    value = m_values[value].shares;
  return value;
}

/// It works if the source is computed in the loop after the last use of the target, or by an instruction that
/// may use the target's slot for its result.
bool Assembler::computeInPlace(const Operand &target, const Operand &source, uint32_t begin) {
  const uint32_t from = owner(source.value), to = owner(target.value);
  Value &computed = m_values[from], &carried = m_values[to];
  const bool inLoop = computed.fixed < 0 && computed.first != Unseen && computed.first > begin;
  if (from == to || !inLoop || carried.fixed >= 0 || computed.bytes != carried.bytes ||
      carried.last > computed.first)
    return false;
  const Instruction &instruction = m_kernel->m_code[computed.first];
  for (unsigned i = 0; i < 3 && carried.last == computed.first; ++i)
    if (instruction.used >> i & 1 && owner(instruction.operands[i]) == to && !(instruction.inPlace >> i & 1))
      return false;
  if (carried.last == computed.first && owner(instruction.result) != from)
    return false;
  computed.shares = to;
  carried.last = std::max(carried.last, computed.last);
  return true;
}

uint32_t Assembler::site(AccessSite site) {
  std::vector<uint64_t> signature{uint64_t(site.kind), fileKey(site.span), key(site.span),
                                  uint64_t(site.element), uint64_t(site.pointerArgument)};
  signature.insert(signature.end(), site.shape.begin(), site.shape.end());
  const auto [entry, isNew] = m_siteNumbers.try_emplace(std::move(signature), m_kernel->m_sites.size());
  if (isNew)
    m_kernel->m_sites.push_back(std::move(site));
  return entry->second;
}

//===- Control flow --------------------------------------------------------------------------------===//

uint32_t Assembler::jump(uint32_t target) {
  emit(&control::jump, {}, 1, target);
  return position() - 1;
}

uint32_t Assembler::jumpUnless(const Operand &condition) {
  emit(&control::jumpUnless, {condition}, 1);
  return position() - 1;
}

void Assembler::landHere(uint32_t jump) {
  m_kernel->m_code[jump].detail = position();
  m_kernel->m_steps.landings[jump] = nextStep();
}

Assembler::CountedLoop Assembler::beginFor(const Operand &lower, const Operand &upper, const Operand &step) {
  const Operand induction = fresh(lower.type, 1), trips = fresh(ElementType::UInt64, 1);
  LoopDetail loop{.type = lower.type, .induction = induction.value, .step = step.value, .trips = trips.value};
  const uint32_t begin = position();
  touch(induction.value);
  touch(trips.value);
  emit(&control::loopBegin, {lower, upper, step}, 1, add(m_kernel->m_loops, loop));
  return {begin, static_cast<uint32_t>(m_kernel->m_loops.size() - 1), induction, nextStep()};
}

/// The begin and the end have a detail each, which differ in their target.
void Assembler::endFor(const CountedLoop &loop) {
  LoopDetail end = m_kernel->m_loops[loop.detail];
  end.target = loop.begin + 1;
  for (Slot value : {end.induction, end.trips, end.step})
    touch(value);
  emit(&control::loopEnd, {}, 1, add(m_kernel->m_loops, end));
  m_kernel->m_loops[loop.detail].target = position();
  m_kernel->m_steps.landings[position() - 1] = loop.firstStep;
  m_kernel->m_steps.landings[loop.begin] = nextStep();
  addLoop(loop.begin, /*waits=*/false);
}

void Assembler::endWhile(uint32_t begin, uint32_t firstStep) {
  m_kernel->m_steps.landings[position()] = firstStep;
  emit(&control::waitingJump, {}, 1, begin);
  addLoop(begin, /*waits=*/true);
}

void Assembler::addLoop(uint32_t begin, bool waits) {
  m_kernel->m_loopRanges.push_back({begin, position(), m_kernel->m_placeOf[begin], waits});
}

//===- Slots ---------------------------------------------------------------------------------------===//

/// What is defined before a loop and used in it must last until it ends. Inner loops come first.
void Assembler::stretchLivesOverLoops() {
  for (const LoopRange &loop : m_kernel->m_loopRanges)
    for (Value &value : m_values)
      if (value.first < loop.begin && value.last >= loop.begin && value.last < loop.end)
        value.last = loop.end - 1;
}

void Assembler::resolve(const std::vector<uint64_t> &offsets) {
  const auto slot = [&](Slot &value) { value = static_cast<Slot>(offsets[value]); };
  for (Instruction &instruction : m_kernel->m_code) {
    for (unsigned i = 0; i < 3; ++i)
      if (instruction.used >> i & 1)
        slot(instruction.operands[i]);
    if (instruction.used & ResultUsed)
      slot(instruction.result);
  }
  for (LoopDetail &loop : m_kernel->m_loops)
    for (Slot *value : {&loop.induction, &loop.step, &loop.trips})
      slot(*value);
  for (NotedValue &value : m_kernel->m_steps.values) {
    const Value &owned = m_values[owner(value.slot)];
    if (owned.fixed < 0 && owned.first == Unseen)
      value.stored = 0;
    slot(value.slot);
    if (value.provenance.kind == Provenance::Kind::Slot)
      slot(value.provenance.index);
  }
  for (BlockDetail &block : m_kernel->m_blocks)
    for (BlockDetail::Dimension &dimension : block.dimensions) {
      slot(dimension.indices);
      slot(dimension.size);
    }
  for (AccessDetail &access : m_kernel->m_access)
    if (access.provenance.kind == Provenance::Kind::Slot)
      slot(access.provenance.index);
}

Result<std::shared_ptr<const Kernel>> Assembler::finish() {
  emit(&control::finish, {}, 1);
  findOffsets();
  m_kernel->m_leastCost = leastCost();
  stretchLivesOverLoops();
  std::vector<Life> lives;
  for (const Value &value : m_values)
    if (value.fixed < 0 && value.first != Unseen && value.shares == Unseen)
      lives.push_back({value.bytes, value.first, value.last});
  const SlotPlan plan = assignSlots(lives, m_kernel->m_image.size(), TileAlignment);
  if (plan.end > FrameLimit)
    return Error{"program-too-large",
                 {m_kernel->m_name, std::to_string(plan.end), std::to_string(FrameLimit)}};
  std::vector<uint64_t> offsets;
  for (size_t next = 0; const Value &value : m_values) {
    const bool ownSlot = value.first != Unseen && value.shares == Unseen;
    offsets.push_back(value.fixed >= 0 ? uint64_t(value.fixed) : ownSlot ? plan.offsets[next++] : 0);
  }
  for (uint32_t value = 0; value < offsets.size(); ++value)
    offsets[value] = offsets[owner(value)];
  resolve(offsets);
  m_kernel->m_frameBytes = plan.end;
  return std::shared_ptr<const Kernel>(m_kernel);
}

} // namespace tilescope::interp
