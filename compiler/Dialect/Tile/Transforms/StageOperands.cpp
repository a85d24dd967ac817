// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What products read and other threads hold: through a buffer in shared memory whose rows are swizzled, so that neither the
// writes of rows nor the reads of operands meet in a bank.
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/IR/TileLayout.h"
#include "compiler/Dialect/Tile/Transforms/Relayout.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"
#include "compiler/Layout/Constructors.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

constexpr int64_t bankBytes = 128; ///< that the banks give at once
constexpr int64_t groupBytes = 16; ///< the widest access of a thread

/// Whether a conversion only renames registers of a thread.
bool staysInThreads(ConvertLayoutOp convert) {
  using layout::Dim;
  const layout::LinearLayout &to = convert.getType().getLayout().getMap();
  const layout::LinearLayout &from = layoutOf(convert.getOperand().getType()).getMap();
  const layout::LinearLayout way = to.invertAndCompose(from);
  for (Dim dim : {Dim::Lane, Dim::Warp})
    for (unsigned bit = 0; bit < way.inputBits(dim); ++bit)
      for (const layout::Coordinate &place : way.unpackOutput(way.basis(dim, bit)))
        if (place.value != (place.dim == dim ? uint64_t(1) << bit : 0))
          return false;
  for (unsigned bit = 0; bit < way.inputBits(Dim::Register); ++bit)
    for (const layout::Coordinate &place : way.unpackOutput(way.basis(Dim::Register, bit)))
      if (place.dim != Dim::Register && place.value != 0)
        return false;
  return true;
}

/// Dimensions by where threads have the next element along them: in a register, in the next lane, further off. What is
/// contiguous in memory comes first.
SmallVector<unsigned> orderOf(const layout::LinearLayout &map) {
  const unsigned rank = unsigned(map.outputs().size());
  SmallVector<std::size_t> distance(rank);
  for (unsigned dim = 0; dim < rank; ++dim) {
    const uint64_t next = uint64_t(1) << map.outputShift(layout::tileDim(dim));
    distance[dim] = std::size_t(llvm::find(map.columns(), next) - map.columns().begin());
  }
  SmallVector<unsigned> order(llvm::reverse(llvm::seq<unsigned>(0, rank)));
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return distance[a] < distance[b]; });
  return order;
}

layout::Swizzle swizzleFor(int64_t rowElements, int64_t elementBytes) {
  const int64_t vector = std::min(rowElements, groupBytes / elementBytes);
  const int64_t perPhase = std::max<int64_t>(1, bankBytes / (rowElements * elementBytes));
  const int64_t phases = std::clamp<int64_t>(rowElements / vector, 1, std::max<int64_t>(1, bankBytes / groupBytes / perPhase));
  return {unsigned(vector), unsigned(perPhase), unsigned(phases)};
}

BufferType bufferFor(TileType type) {
  const SmallVector<unsigned> order = orderOf(type.getLayout().getMap());
  const layout::Swizzle swizzle = swizzleFor(type.getShape()[order[0]], byteSizeOf(type.getElementType()));
  layout::LinearLayout map = layout::sharedLayout(type.getShape(), std::span(order.data(), order.size()), swizzle);
  return BufferType::get(type.getShape(), type.getElementType(), LayoutAttr::get(type.getContext(), std::move(map)));
}

void stage(ConvertLayoutOp convert) {
  OpBuilder builder(convert);
  const Location location = convert.getLoc();
  Value source = convert.getOperand();
  // A transpose is read out of the buffer: the loaded tile itself goes in.
  auto permute = source.getDefiningOp<PermuteOp>();
  if (permute)
    source = permute.getOperand();
  Value buffer = SharedAllocOp::create(builder, location, bufferFor(cast<TileType>(source.getType())), source,
                                       IntegerAttr());
  if (permute) {
    const BufferType from = cast<BufferType>(buffer.getType());
    const BufferType to = BufferType::get(convert.getType().getShape(), from.getElementType(),
                                          permuteLayout(from.getLayout(), permute.getOrder()));
    buffer = SharedPermuteOp::create(builder, location, to, buffer, permute.getOrder());
  }
  Value loaded = SharedLoadOp::create(builder, location, convert.getType(), buffer);
  convert.replaceAllUsesWith(loaded);
  convert.erase();
  if (permute && permute->use_empty())
    permute.erase();
}

} // namespace

void stageOperands(FuncOp kernel) {
  SmallVector<ConvertLayoutOp> operands;
  kernel.walk([&](DotOp dot) {
    for (Value operand : {Value(dot.getA()), Value(dot.getB())})
      if (auto convert = operand.getDefiningOp<ConvertLayoutOp>())
        if (!staysInThreads(convert) && !llvm::is_contained(operands, convert))
          operands.push_back(convert);
  });
  llvm::for_each(operands, stage);
}

} // namespace tilescope::tile
