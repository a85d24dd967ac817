// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/SharedTrace.h"

#include "compiler/Analysis/AccessPlans.h"
#include "compiler/Analysis/BufferTurns.h"
#include "compiler/Analysis/SharedAllocation.h"
#include "compiler/Dialect/Tile/IR/Locations.h"
#include "compiler/Layout/MatrixLoad.h"

#include <llvm/ADT/TypeSwitch.h>

#include <algorithm>

namespace tilescope::service {
namespace {

using protocol::SharedAccessTrace, protocol::SharedBufferTrace;

int lineOf(mlir::Operation *op) {
  const std::optional<tile::ValueOrigin> origin = tile::readLocation(op->getLoc());
  return origin ? int(origin->place.beginLine) : 0;
}

std::string useOf(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, std::string>(op)
      .Case([](tile::SharedAllocOp) { return "operand"; })
      .Case([](tile::ConvertLayoutOp) { return "conversion"; })
      .Case([](tile::ReduceOp) { return "reduction"; })
      .Case([](tile::ScanOp) { return "scan"; })
      .Case([](tile::GatherOp) { return "gather"; })
      .Case<tile::AtomicRmwOp, tile::AtomicCasOp, tile::AtomicLoadOp>([](auto) { return "atomic"; })
      .Default([](mlir::Operation *) { return "histogram"; });
}

/// Between a tile and the buffer, by the layouts of both; a copy's instructions are those of its plan.
SharedAccessTrace accessOf(mlir::Operation *op, tile::TileType tile, tile::BufferType buffer, layout::Direction direction,
                           const analysis::AxisInfoAnalysis &facts) {
  const unsigned bits = 8 * tile::byteSizeOf(buffer.getElementType());
  const unsigned most = llvm::isa<tile::AsyncCopyOp>(op) ? analysis::planOf(op, facts).vectorElements() : 16;
  const layout::LinearLayout &registers = tile.getLayout().getMap(), &shared = buffer.getLayout().getMap();
  const auto matrices = llvm::isa<tile::SharedLoadOp>(op) ? layout::matrixLoad(registers, shared, bits) : std::nullopt;
  const layout::SharedAccess access = matrices ? matrices->access : layout::sharedAccess(registers, shared, bits, direction, most);
  SharedAccessTrace trace;
  trace.line = lineOf(op);
  trace.vectorBytes = int(access.vector * bits / 8);
  trace.wavefronts = int(access.wavefronts);
  trace.ideal = int(access.ideal);
  trace.op = direction == layout::Direction::Load ? "load" : llvm::isa<tile::AsyncCopyOp>(op) ? "copy" : "store";
  return trace;
}

/// What `op` does to a buffer, if anything, and to which.
std::optional<std::pair<mlir::Value, SharedAccessTrace>> bufferAccess(mlir::Operation *op,
                                                                      const analysis::AxisInfoAnalysis &facts) {
  const auto made = [&](mlir::Value buffer, mlir::Type tile, layout::Direction direction) {
    auto type = llvm::cast<tile::BufferType>(buffer.getType());
    return std::pair(buffer, accessOf(op, llvm::cast<tile::TileType>(tile), type.slot(), direction, facts));
  };
  if (auto allocation = llvm::dyn_cast<tile::SharedAllocOp>(op); allocation && allocation.getInitial())
    return made(allocation.getResult(), allocation.getInitial().getType(), layout::Direction::Store);
  if (auto store = llvm::dyn_cast<tile::SharedStoreOp>(op))
    return made(store.getBuffer(), store.getValue().getType(), layout::Direction::Store);
  if (auto copy = llvm::dyn_cast<tile::AsyncCopyOp>(op))
    return made(copy.getBuffer(), copy.getPointer().getType(), layout::Direction::Store);
  if (auto load = llvm::dyn_cast<tile::SharedLoadOp>(op))
    return made(load.getBuffer(), load.getType(), layout::Direction::Load);
  return std::nullopt;
}

bool isSame(const SharedAccessTrace &a, const SharedAccessTrace &b) {
  return a.line == b.line && a.op == b.op && a.vectorBytes == b.vectorBytes && a.wavefronts == b.wavefronts;
}

/// The first and the last line of what it is alive through.
std::pair<int, int> linesOf(const std::vector<mlir::Operation *> &order, const analysis::SharedRegion &region) {
  const size_t end = std::min<size_t>(size_t(region.end) + 1, order.size());
  std::pair lines(lineOf(region.op), lineOf(region.op));
  for (size_t place = size_t(region.begin); place < end; ++place)
    if (const int line = lineOf(order[place]))
      lines = {std::min(lines.first, line), std::max(lines.second, line)};
  return lines;
}

} // namespace

std::vector<SharedBufferTrace> sharedBuffers(tile::FuncOp kernel) {
  std::vector<mlir::Operation *> order;
  kernel->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) { order.push_back(op); });
  std::vector<SharedBufferTrace> result;
  llvm::DenseMap<mlir::Operation *, size_t> indices;
  for (const analysis::SharedRegion &region : analysis::allocateShared(kernel).regions) {
    SharedBufferTrace buffer;
    if (const std::optional<tile::ValueOrigin> origin = tile::readLocation(region.op->getLoc()))
      buffer.path = origin->place.path;
    buffer.line = lineOf(region.op);
    buffer.use = useOf(region.op);
    buffer.offset = region.offset;
    buffer.bytes = region.bytes;
    std::tie(buffer.firstLine, buffer.lastLine) = linesOf(order, region);
    if (auto allocation = llvm::dyn_cast<tile::SharedAllocOp>(region.op)) {
      const auto type = llvm::cast<tile::BufferType>(allocation.getType());
      buffer.shape = {type.getShape().begin(), type.getShape().end()};
      buffer.elementBytes = int(tile::byteSizeOf(type.getElementType()));
      buffer.stages = int(type.getCount());
    }
    indices[region.op] = result.size();
    result.push_back(std::move(buffer));
  }
  const analysis::AxisInfoAnalysis facts(kernel);
  for (mlir::Operation *op : order)
    if (auto access = bufferAccess(op, facts))
      if (mlir::Operation *allocation = analysis::partOf(access->first).allocation) {
        std::vector<SharedAccessTrace> &accesses = result[indices.lookup(allocation)].accesses;
        if (std::ranges::none_of(accesses, [&](const auto &known) { return isSame(known, access->second); }))
          accesses.push_back(access->second);
      }
  return result;
}

} // namespace tilescope::service
