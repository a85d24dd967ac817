// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch space: how many bytes an operation needs to bring elements from warp to warp.
#include "compiler/Analysis/HistogramPlan.h"
#include "compiler/Analysis/SharedAllocation.h"
#include "compiler/Layout/Axis.h"
#include "compiler/Layout/Conversion.h"
#include "compiler/Layout/Gather.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilescope::analysis {
namespace {

using layout::Dim;

const layout::LinearLayout &mapOf(Type tile) { return cast<tile::TileType>(tile).getLayout().getMap(); }

/// Whether warps hold different elements along `axis`.
unsigned warpsAlong(const layout::LinearLayout &map, unsigned axis) {
  unsigned warps = 1;
  for (unsigned bit = 0; bit < map.inputBits(Dim::Warp); ++bit)
    if (map.unpackOutput(map.basis(Dim::Warp, bit))[axis].value != 0)
      warps *= 2;
  return warps;
}

/// Each warp leaves what it has made of its part, for each line along the axis.
int64_t reductionBytes(tile::ReduceOp reduce) {
  int64_t bytes = 0;
  for (Value operand : reduce.getOperands()) {
    const auto type = cast<tile::TileType>(operand.getType());
    const unsigned warps = warpsAlong(mapOf(type), reduce.getAxis());
    if (warps > 1)
      bytes += scratchPart(type.elementCount() / type.getShape()[reduce.getAxis()] * warps, type.getElementType());
  }
  return bytes;
}

/// The total of each block that is in one warp, wherever blocks of several follow each other.
int64_t scanBytes(tile::ScanOp scan) {
  int64_t bytes = 0;
  const tile::TileType type = scan.operandType(0);
  for (const layout::AxisRun &run : layout::axisRuns(mapOf(type), scan.getAxis()).value_or(std::vector<layout::AxisRun>()))
    if (run.dim == Dim::Warp)
      for (Value operand : scan.getOperands())
        bytes += scratchPart(type.elementCount() >> run.first, tile::elementTypeOf(operand.getType()));
  return bytes;
}

int64_t conversionBytes(tile::ConvertLayoutOp convert) {
  const auto type = cast<tile::TileType>(convert.getType());
  const unsigned bits = std::max(8u, tile::bitWidthOf(type.getElementType()));
  const layout::Conversion conversion =
      layout::convert(mapOf(convert.getOperand().getType()), mapOf(type), bits);
  return conversion.exchange ? int64_t(conversion.exchange->bytes) : 0;
}

/// The result of an atomic whose element several threads hold comes from the one that carries it out.
int64_t atomicBytes(Operation *atomic, Type pointers) {
  if (atomic->use_empty())
    return 0;
  const int64_t element =
      tile::byteSizeOf(cast<tile::PointerType>(tile::elementTypeOf(pointers)).getPointee());
  auto tile = dyn_cast<tile::TileType>(pointers);
  if (!tile)
    return element;
  const layout::LinearLayout &map = mapOf(tile);
  const bool hasCopies = map.freeVariableMask(Dim::Lane) != 0 || map.freeVariableMask(Dim::Warp) != 0;
  return hasCopies ? tile.elementCount() * element : 0;
}

} // namespace

int64_t scratchPart(int64_t count, Type element) {
  return int64_t(llvm::alignTo<8>(uint64_t(count) * tile::byteSizeOf(element)));
}

int64_t scratchBytes(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](tile::ConvertLayoutOp convert) { return conversionBytes(convert); })
      .Case([](tile::ReduceOp reduce) { return reductionBytes(reduce); })
      .Case([](tile::ScanOp scan) { return scanBytes(scan); })
      .Case<tile::AtomicRmwOp, tile::AtomicCasOp, tile::AtomicLoadOp>(
          [](auto atomic) { return atomicBytes(atomic, atomic.getPointer().getType()); })
      .Case([](tile::HistogramOp histogram) {
        return planOf(histogram).needsScratch() ? scratchPart(histogram.getType().elementCount(), histogram.getType().getElementType())
                                                : 0;
      })
      .Case([](tile::GatherOp gather) {
        const tile::TileType source = gather.getSource().getType();
        const bool isInWarp = layout::warpGather(mapOf(source), mapOf(gather.getType()), gather.getAxis()).has_value();
        return isInWarp ? 0 : scratchPart(source.elementCount(), source.getElementType());
      })
      .Default([](Operation *) { return int64_t(0); });
}

} // namespace tilescope::analysis
