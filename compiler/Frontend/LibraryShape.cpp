// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making tiles and changing their shape and type.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Types.h"
#include "compiler/Value/Operators.h"

#include <bit>

namespace tilescope::frontend {

namespace {

//===- Making tiles -------------------------------------------------------------------------------===//

std::optional<int64_t> rangeBound(LibraryCall &call, const Operand &bound) {
  if (bound.term.value()) {
    call.emitter.error(bound.range, "run-time-shape", {describe(bound.term)});
    return std::nullopt;
  }
  return constantInt(call.emitter, bound);
}

Term arange(LibraryCall &call) {
  auto start = rangeBound(call, call[0]), end = rangeBound(call, call[1]);
  if (!start || !end)
    return {};
  int64_t length = *end - *start;
  if (length <= 0 || *start < 0 || *end > INT32_MAX) {
    call.emitter.error(call.range, "arange-empty", {std::to_string(*start), std::to_string(*end)});
    return {};
  }
  auto next = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(length)));
  if (next != length) {
    Diagnostic &error =
        call.emitter.error(call[1].range, "arange-length", {std::to_string(length), std::to_string(next)});
    std::string bound = std::to_string(*start + next);
    error.fix = DiagnosticFix{"next-power-of-two", {bound}, call[1].range, bound};
    return {};
  }
  if (length > (1 << 20)) {
    call.emitter.error(call.range, "tile-too-large", {shapeName({length}), std::to_string(1 << 20)});
    return {};
  }
  return mlir::Value(
      call.emitter.create<tile::MakeRangeOp>(static_cast<int32_t>(*start), static_cast<int32_t>(*end)));
}

Term full(LibraryCall &call) {
  if (call[0].term.isNumber()) {
    Diagnostic &error = call.emitter.error(call[0].range, "shape-not-a-tuple", {describe(call[0].term)});
    std::string tuple = "(" + str(*call[0].term.constant()) + ",)";
    if (!call.emitter.frame()->isPrelude)
      error.fix = DiagnosticFix{"replace-name", {tuple}, call[0].range, tuple};
    return {};
  }
  auto shape = tileShape(call.emitter, call[0]);
  mlir::Type element = constantType(call.emitter, call[2]);
  if (!shape || !element)
    return {};
  if (call[1].term.isNumber() && tile::isNumber(element))
    return constantOf(call.emitter, tile::tileOrScalar(*shape, element), *call[1].term.constant());
  mlir::Value value = toTensor(call.emitter, call[1]);
  if (!value)
    return {};
  if (llvm::isa<tile::TileType>(value.getType())) {
    call.emitter.error(call[1].range, "scalar-expected", {typeName(value.getType())});
    return {};
  }
  value = castTo(call.emitter, value, element, call[1].range);
  return value ? Term(broadcastTo(call.emitter, value, *shape, call[0].range)) : Term();
}

//===- Types --------------------------------------------------------------------------------------===//

/// A rounding is said for casts to a float of fewer bits only; that to the same type does nothing.
bool checkNarrowing(LibraryCall &call, mlir::Value value, mlir::Type to) {
  mlir::Type from = tile::elementTypeOf(value.getType());
  if (from == to ||
      (tile::isFloat(from) && tile::isFloat(to) && tile::bitWidthOf(to) < tile::bitWidthOf(from)))
    return true;
  call.emitter.error(call[2].range, "rounding-not-narrowing", {typeName(from), typeName(to)});
  return false;
}

Term convert(LibraryCall &call) {
  mlir::Value value = toTensor(call.emitter, call[0]);
  mlir::Type element = constantType(call.emitter, call[1]);
  auto isBitcast = constantBool(call.emitter, call[3]);
  static constexpr Option<tile::Rounding> modes[] = {{"rtne", tile::Rounding::NearestEven},
                                                     {"rtz", tile::Rounding::TowardZero}};
  std::optional<tile::Rounding> rounding = tile::Rounding::NearestEven;
  if (!call[2].term.isNone())
    rounding = choose(call.emitter, call[2], modes);
  if (!value || !element || !isBitcast || !rounding)
    return {};
  element = tile::elementTypeOf(element);
  if (!*isBitcast && !call[2].term.isNone() && !checkNarrowing(call, value, element))
    return {};
  mlir::Value result = *isBitcast ? bitcast(call.emitter, value, element, call[0].range)
                                  : castTo(call.emitter, value, element, call[0].range, *rounding);
  return result ? Term(result) : Term();
}

Term asTensor(LibraryCall &call) {
  mlir::Value value = toTensor(call.emitter, call[0]);
  return value ? Term(value) : Term();
}

//===- Shapes -------------------------------------------------------------------------------------===//

Term broadcastToShape(LibraryCall &call) {
  auto shape = tileShape(call.emitter, call[1]);
  mlir::Value value =
      call[0].term.isNumber() ? toTile(call.emitter, call[0]) : toTensor(call.emitter, call[0]);
  if (!value || !shape)
    return {};
  size_t rank = tile::shapeOf(value.getType()).size();
  if (rank != 0 && rank != shape->size()) {
    call.emitter.error(call[0].range, "broadcast-rank",
                       {shapeName(tile::shapeOf(value.getType())), shapeName(*shape)});
    return {};
  }
  mlir::Value result = broadcastTo(call.emitter, value, *shape, call[0].range);
  return result ? Term(result) : Term();
}

Term broadcastBoth(LibraryCall &call) {
  mlir::Value a = toTensor(call.emitter, call[0]), b = toTensor(call.emitter, call[1]);
  if (!a || !b || !broadcast(call.emitter, a, b, call[0].range, call[1].range))
    return {};
  return makeTuple({a, b});
}

Term expand(LibraryCall &call) {
  mlir::Value value = toTensor(call.emitter, call[0]);
  auto axes = constantShape(call.emitter, call[1]);
  if (!value || !axes)
    return {};
  auto rank = static_cast<int64_t>(tile::shapeOf(value.getType()).size() + axes->size());
  for (int64_t &axis : *axes) {
    auto checked = constantAxis(call.emitter, {Value(axis), call[1].range}, rank);
    if (!checked)
      return {};
    axis = *checked;
  }
  llvm::sort(*axes);
  if (auto twice = std::adjacent_find(axes->begin(), axes->end()); twice != axes->end()) {
    call.emitter.error(call[1].range, "repeated-axis", {std::to_string(*twice)});
    return {};
  }
  for (int64_t axis : *axes)
    value = expandDims(call.emitter, value, axis);
  return value;
}

/// The one element of a tile as a scalar: a reduction that has nothing to combine. Error "item-count".
Term onlyElement(LibraryCall &call, mlir::Value value) {
  if (!llvm::isa<tile::TileType>(value.getType()))
    return value;
  if (tile::elementCountOf(value.getType()) != 1) {
    call.emitter.error(call[0].range, "item-count", {typeName(value.getType())});
    return {};
  }
  mlir::Type element = tile::elementTypeOf(value.getType());
  if (tile::shapeOf(value.getType()).size() > 1)
    value = call.emitter.create<tile::ReshapeOp>(tile::tileOrScalar({1}, element), value,
                                                 /*allow_reorder=*/false);
  auto op = call.emitter.create<tile::ReduceOp>(mlir::ValueRange(value), /*axis=*/0u);
  mlir::OpBuilder::InsertionGuard guard(call.emitter.builder);
  call.emitter.builder.setInsertionPointToEnd(op.combinerBlock());
  call.emitter.create<tile::YieldOp>(mlir::ValueRange(op.combinerBlock()->getArgument(0)));
  return mlir::Value(op.getResult(0));
}

Term item(LibraryCall &call) {
  mlir::Value value = toTensor(call.emitter, call[0]);
  return value ? onlyElement(call, value) : Term();
}

Term reshapeTo(LibraryCall &call, bool mayReorder) {
  mlir::Value value = toTensor(call.emitter, call[0]);
  auto shape = tileShape(call.emitter, call[1]);
  if (!value || !shape)
    return {};
  if (shape->empty())
    return onlyElement(call, value);
  int64_t count = 1;
  for (int64_t size : *shape)
    count *= size;
  if (count != tile::elementCountOf(value.getType())) {
    call.emitter.error(call.range, "reshape-count",
                       {shapeName(tile::shapeOf(value.getType())),
                        std::to_string(tile::elementCountOf(value.getType())), shapeName(*shape),
                        std::to_string(count)});
    return {};
  }
  if (!llvm::isa<tile::TileType>(value.getType()))
    return broadcastTo(call.emitter, value, *shape, call[0].range);
  mlir::Type result = tile::tileOrScalar(*shape, tile::elementTypeOf(value.getType()));
  return mlir::Value(call.emitter.create<tile::ReshapeOp>(result, value, mayReorder));
}

Term reshape(LibraryCall &call) {
  auto mayReorder = constantBool(call.emitter, call[2]);
  return mayReorder ? reshapeTo(call, *mayReorder) : Term();
}

Term view(LibraryCall &call) { return reshapeTo(call, true); }

Term permute(LibraryCall &call) {
  mlir::Value value = toTile(call.emitter, call[0]);
  if (!value)
    return {};
  auto rank = static_cast<int64_t>(tile::shapeOf(value.getType()).size());
  auto dims = constantShape(call.emitter, call[1]);
  if (!dims)
    return {};
  if (dims->empty() && lastPart(call.function.name) == "trans") {
    if (rank < 2) {
      call.emitter.error(call[0].range, "transpose-rank", {typeName(value.getType())});
      return {};
    }
    for (int64_t i = 0; i < rank; ++i)
      dims->push_back(i);
    std::swap((*dims)[static_cast<size_t>(rank - 1)], (*dims)[static_cast<size_t>(rank - 2)]);
  }
  llvm::SmallVector<int32_t> order;
  llvm::SmallVector<bool> seen(static_cast<size_t>(rank));
  for (int64_t axis : *dims) {
    if (axis < 0 || axis >= rank || seen[static_cast<size_t>(axis)])
      break;
    seen[static_cast<size_t>(axis)] = true;
    order.push_back(static_cast<int32_t>(axis));
  }
  if (order.size() != static_cast<size_t>(rank) || dims->size() != order.size()) {
    call.emitter.error(call[1].range, "permute-order", {shapeName(*dims), std::to_string(rank)});
    return {};
  }
  return mlir::Value(call.emitter.create<tile::PermuteOp>(value, order));
}

/// Two tiles or scalars, of one element type, in one shape, for join and cat. Numbers are neither.
bool sameTypes(LibraryCall &call, mlir::Value &a, mlir::Value &b) {
  for (size_t i : {0, 1})
    if (call[i].term.isNumber()) {
      call.emitter.error(call[i].range, "tensor-expected", {describe(call[i].term)});
      return false;
    }
  a = toTensor(call.emitter, call[0]);
  b = toTensor(call.emitter, call[1]);
  if (!a || !b)
    return false;
  if (tile::elementTypeOf(a.getType()) != tile::elementTypeOf(b.getType())) {
    call.emitter.error(
        call.range, "operand-types",
        {std::string(lastPart(call.function.name)), typeName(a.getType()), typeName(b.getType())});
    return false;
  }
  return broadcast(call.emitter, a, b, call[0].range, call[1].range);
}

Term join(LibraryCall &call) {
  mlir::Value a, b;
  if (!sameTypes(call, a, b))
    return {};
  return mlir::Value(call.emitter.create<tile::JoinOp>(a, b));
}

Term split(LibraryCall &call) {
  mlir::Value value = toTile(call.emitter, call[0]);
  if (!value)
    return {};
  if (tile::shapeOf(value.getType()).back() != 2) {
    call.emitter.error(call[0].range, "split-shape", {typeName(value.getType())});
    return {};
  }
  auto op = call.emitter.create<tile::SplitOp>(value);
  return makeTuple({mlir::Value(op.getResult(0)), mlir::Value(op.getResult(1))});
}

Term concatenate(LibraryCall &call) {
  mlir::Value a = toTile(call.emitter, call[0]), b = toTile(call.emitter, call[1]);
  auto axis = constantInt(call.emitter, call[3]);
  if (!a || !b || !axis)
    return {};
  if (tile::shapeOf(a.getType()) != tile::shapeOf(b.getType())) {
    call.emitter.error(call.range, "operand-types", {"cat", typeName(a.getType()), typeName(b.getType())});
    return {};
  }
  if (!sameTypes(call, a, b))
    return {};
  auto rank = static_cast<int64_t>(tile::shapeOf(a.getType()).size());
  auto checked = constantAxis(call.emitter, call[3], rank);
  if (!checked)
    return {};
  return mlir::Value(call.emitter.create<tile::CatOp>(a, b, static_cast<uint32_t>(*checked)));
}

constexpr LibraryFunction rows[] = {
    {"triton.language.arange", "start, end", arange},
    {"triton.language.full", "shape, value, dtype", full},
    {"triton.language.to", "input, dtype, fp_downcast_rounding=None, bitcast=False", convert, true},
    {"triton.language.cast", "input, dtype, fp_downcast_rounding=None, bitcast=False", convert, true},
    {"triton.language.to_tensor", "x", asTensor},
    {"triton.language.broadcast_to", "input, *shape", broadcastToShape, true},
    {"triton.language.broadcast", "input, other", broadcastBoth},
    {"triton.language.expand_dims", "input, axis", expand, true},
    {"triton.language.reshape", "input, *shape, can_reorder=False", reshape, true},
    {"triton.language.view", "input, *shape", view, true},
    {"triton.language.permute", "input, *dims", permute, true},
    {"triton.language.trans", "input, *dims", permute, true},
    {"triton.language.join", "a, b", join},
    {"triton.language.split", "a", split, true},
    {"triton.language.cat", "input, other, can_reorder=False, dim=0", concatenate},
    {"triton.language.core.item", "input", item, true},
};

} // namespace

std::span<const LibraryFunction> shapeRows() { return rows; }

} // namespace tilescope::frontend
