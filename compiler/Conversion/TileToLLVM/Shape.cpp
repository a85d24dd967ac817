// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that get another place in the tile. The result's layout follows from the operand's, so each stays in its
// thread: what is left is which register becomes which, and that is the same in all threads.
#include "compiler/Conversion/TileToLLVM/ByElement.h"
#include "compiler/Conversion/TileToLLVM/Operations.h"

namespace tilescope::codegen {
namespace {

using layout::Dim;

/// Defines a tile by the value of each element, given its place.
template <typename ValueAt> void defineByPlace(Emitter &e, mlir::Value tile, ValueAt valueAt) {
  const layout::LinearLayout &map = Emitter::mapOf(tile.getType());
  Registers registers;
  for (uint64_t reg = 0; reg < map.inputSize(Dim::Register); ++reg)
    registers.push_back(valueAt(unpack(map.apply(reg), tile::shapeOf(tile.getType()))));
  e.define(tile, std::move(registers));
}

} // namespace

void emit(Emitter &e, tile::SplatOp op) {
  e.define(op, Registers(Emitter::registerCount(op.getType()), e.scalar(op.getOperand())));
}

void emit(Emitter &e, tile::BroadcastOp op) {
  const ByElement operand(e, op.getOperand());
  const llvm::ArrayRef<int64_t> shape = tile::shapeOf(op.getOperand().getType());
  defineByPlace(e, op, [&](Place place) {
    for (size_t dim = 0; dim < shape.size(); ++dim)
      if (shape[dim] == 1)
        place[dim] = 0;
    return operand.at(place);
  });
}

void emit(Emitter &e, tile::ExpandDimsOp op) {
  const ByElement operand(e, op.getOperand());
  defineByPlace(e, op, [&](Place place) {
    place.erase(place.begin() + op.getAxis());
    return operand.at(place);
  });
}

void emit(Emitter &e, tile::ReshapeOp op) {
  const ByElement operand(e, op.getOperand());
  const llvm::ArrayRef<int64_t> shape = tile::shapeOf(op.getType());
  defineByPlace(e, op, [&](Place place) { return operand.at(pack(place, shape)); });
}

void emit(Emitter &e, tile::PermuteOp op) {
  const ByElement operand(e, op.getOperand());
  defineByPlace(e, op, [&](const Place &place) {
    Place from(place.size());
    for (auto [dim, source] : llvm::enumerate(op.getOrder()))
      from[source] = place[dim];
    return operand.at(from);
  });
}

void emit(Emitter &e, tile::JoinOp op) {
  if (!llvm::isa<tile::TileType>(op.getLhs().getType())) {
    defineByPlace(e, op, [&](const Place &place) { return e.scalar(place[0] == 0 ? op.getLhs() : op.getRhs()); });
    return;
  }
  const ByElement lhs(e, op.getLhs()), rhs(e, op.getRhs());
  defineByPlace(e, op, [&](Place place) {
    const int64_t side = place.pop_back_val();
    return (side == 0 ? lhs : rhs).at(place);
  });
}

void emit(Emitter &e, tile::SplitOp op) {
  const ByElement operand(e, op.getOperand());
  for (auto [side, result] : llvm::enumerate(op->getResults())) {
    if (!llvm::isa<tile::TileType>(result.getType())) {
      e.define(result, {operand.at(uint64_t(side))});
      continue;
    }
    defineByPlace(e, result, [&](Place place) {
      place.push_back(int64_t(side));
      return operand.at(place);
    });
  }
}

void emit(Emitter &e, tile::CatOp op) {
  const ByElement lhs(e, op.getLhs()), rhs(e, op.getRhs());
  const int64_t size = tile::shapeOf(op.getLhs().getType())[op.getAxis()];
  defineByPlace(e, op, [&](Place place) {
    const bool isSecond = place[op.getAxis()] >= size;
    place[op.getAxis()] %= size;
    return (isSecond ? rhs : lhs).at(place);
  });
}

} // namespace tilescope::codegen
