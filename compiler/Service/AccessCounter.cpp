// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/AccessCounter.h"

#include "compiler/Analysis/AccessPlans.h"
#include "compiler/Dialect/Tile/IR/Locations.h"
#include "compiler/Interpreter/Flatten.h"

namespace tilescope::service {
namespace {

using protocol::AccessTrace;

const char *opName(model::AccessKind kind) {
  constexpr const char *Names[] = {"load", "store", "atomic", "load"};
  return Names[size_t(kind)];
}

} // namespace

AccessCounter::AccessCounter(tile::FuncOp kernel, const AddressSpace &memory, bool keepsBytes)
    : m_memory(memory), m_keepsBytes(keepsBytes) {
  const analysis::AxisInfoAnalysis facts(kernel);
  mlir::Builder builder(kernel.getContext());
  kernel.walk([&](mlir::Operation *op) {
    if (!analysis::isGlobalAccess(op))
      return;
    op->setAttr(interp::accessNumberAttr, builder.getI32IntegerAttr(int32_t(m_accesses.size())));
    model::AccessPlan plan = analysis::planOf(op, facts);
    const llvm::ArrayRef<int64_t> shape = tile::shapeOf(analysis::pointersOf(op).getType());
    const size_t place = placeFor(op, plan);
    m_accesses.push_back({model::TileTraffic(std::move(plan)), {shape.begin(), shape.end()}, place});
    if (shape.empty())
      m_accesses.back().shape = {1};
  });
}

size_t AccessCounter::placeFor(mlir::Operation *op, const model::AccessPlan &plan) {
  const tile::ValueOrigin origin = tile::readLocation(op->getLoc()).value_or(tile::ValueOrigin());
  const std::string name = opName(plan.kind);
  auto [entry, isNew] = m_placeNumbers.try_emplace(
      {origin.place.path, origin.place.beginLine, origin.place.beginColumn, name}, m_places.size());
  if (!isNew)
    return entry->second;
  AccessPlace &place = m_places.emplace_back();
  place.column = int(origin.place.beginColumn);
  AccessTrace &trace = place.trace;
  trace.path = origin.place.path;
  trace.line = int(origin.place.beginLine);
  trace.op = name;
  const llvm::ArrayRef<int64_t> shape = tile::shapeOf(analysis::pointersOf(op).getType());
  trace.shape = {shape.begin(), shape.end()};
  trace.elementBytes = int(plan.elementBytes);
  trace.vectorElements = int(plan.vectorElements());
  trace.isAsync = llvm::isa<tile::AsyncCopyOp>(op);
  return entry->second;
}

AllocationId AccessCounter::tensorAt(uint64_t address) const {
  for (const interp::Argument &argument : m_arguments)
    if (argument.allocation != 0) {
      const Allocation &tensor = m_memory.allocation(argument.allocation);
      if (address - tensor.address < tensor.bytes)
        return tensor.id;
    }
  const Allocation *found = m_memory.find(address);
  return found ? found->id : 0;
}

void AccessCounter::findTensor(AccessPlace &place, const interp::ObservedAccess &observed) {
  for (size_t i = 0; i < observed.addresses.size() && place.tensor == 0; ++i)
    if (observed.mask.empty() || observed.mask[i])
      place.tensor = tensorAt(observed.addresses[i]);
}

void AccessCounter::count(const interp::ObservedAccess &observed) {
  Access &access = m_accesses[size_t(observed.number)];
  AccessPlace &place = m_places[access.place];
  const unsigned bytes = access.traffic.plan().elementBytes;
  std::vector<uint8_t> off;
  std::span<const uint8_t> mask = observed.mask;
  if (observed.isOff) {
    off.assign(observed.addresses.size(), 0);
    mask = off;
  } else if (place.tensor == 0) {
    findTensor(place, observed);
  }
  model::TileCounts counts;
  if (const std::optional<model::RegularTile> tile = model::regular(observed.addresses, mask, access.shape)) {
    counts = access.traffic.count(*tile);
    place.sectors.add(*tile, bytes);
  } else {
    counts = access.traffic.count(observed.addresses, mask);
    place.sectors.add(observed.addresses, mask, bytes);
    ++place.trace.irregular;
  }
  if (m_keepsBytes)
    place.bytes.add(observed.addresses, mask, bytes);
  place.trace.instructions += counts.instructions;
  place.trace.requests += counts.global.requests;
  place.trace.sectors += counts.global.sectors;
  place.trace.bytesRequested += counts.global.bytesRequested();
  place.trace.bytesUsed += counts.global.bytesUsed;
}

AccessTrace AccessCounter::trace(const AccessPlace &place, const interp::Kernel &code) const {
  AccessTrace trace = place.trace;
  trace.distinctSectors = place.sectors.count();
  for (size_t i = 0; i < m_arguments.size() && place.tensor != 0; ++i)
    if (m_arguments[i].allocation == place.tensor)
      trace.argument = code.parameters()[i].name;
  return trace;
}

std::vector<AccessTrace> AccessCounter::traces(const interp::Kernel &code) const {
  std::vector<AccessTrace> result;
  for (const AccessPlace &place : m_places)
    result.push_back(trace(place, code));
  std::ranges::stable_sort(result, {}, &AccessTrace::line);
  return result;
}

} // namespace tilescope::service
