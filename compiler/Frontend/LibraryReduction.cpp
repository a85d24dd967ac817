// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and scans. Those that need indices or a combine function of their own are in the prelude.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Lowering.h"
#include "compiler/Frontend/Types.h"

namespace tilescope::frontend {

namespace {

using Tiles = llvm::SmallVector<mlir::Value, 2>;

/// What combines two elements (of each of the tiles reduced together) into one.
using Combine = llvm::function_ref<std::vector<Term>(mlir::ValueRange left, mlir::ValueRange right)>;

/// Fills the combiner's block of a reduce or scan. False if the combine function failed or gave other types.
template <typename Op> bool fillCombiner(LibraryCall &call, Op op, Combine combine) {
  mlir::OpBuilder::InsertionGuard guard(call.emitter.builder);
  mlir::Block *block = op.combinerBlock();
  call.emitter.builder.setInsertionPointToEnd(block);
  mlir::ValueRange arguments = block->getArguments();
  size_t count = arguments.size() / 2;
  std::vector<Term> results = combine(arguments.take_front(count), arguments.drop_front(count));
  Tiles yielded;
  bool ok = results.size() == count;
  for (size_t i = 0; i < count; ++i) {
    mlir::Value value =
        ok && !results[i].isError() ? toTensor(call.emitter, {results[i], call.range}) : mlir::Value();
    if (value && value.getType() != arguments[i].getType())
      call.emitter.error(call.range, "combine-types",
                         {typeName(value.getType()), typeName(arguments[i].getType())});
    ok = ok && value && value.getType() == arguments[i].getType();
    yielded.push_back(ok ? value : mlir::Value(arguments[i]));
  }
  call.emitter.create<tile::YieldOp>(yielded);
  return ok;
}

Term termOf(const Tiles &values, bool isTuple) {
  std::vector<Term> items(values.begin(), values.end());
  return isTuple ? makeTuple(std::move(items)) : items[0];
}

/// Reduces along `axis` (None: over everything).
Term reduceTiles(LibraryCall &call, Tiles tiles, const Operand &axisOperand, bool keepDims, bool isTuple,
                 Combine combine) {
  llvm::SmallVector<int64_t> shape(tile::shapeOf(tiles[0].getType()));
  auto rank = static_cast<int64_t>(shape.size());
  bool everything = axisOperand.term.isNone();
  int64_t axis = 0;
  if (!everything) {
    auto checked = constantAxis(call.emitter, axisOperand, rank);
    if (!checked)
      return {};
    axis = *checked;
  } else if (rank > 1) {
    for (mlir::Value &value : tiles) {
      auto type = llvm::cast<tile::TileType>(value.getType());
      value = call.emitter.create<tile::ReshapeOp>(
          tile::tileOrScalar({type.elementCount()}, type.getElementType()), value, /*allow_reorder=*/true);
    }
  }
  auto op = call.emitter.create<tile::ReduceOp>(mlir::ValueRange(tiles), static_cast<uint32_t>(axis));
  if (!fillCombiner(call, op, combine))
    return {};
  Tiles results(op.getResults());
  for (mlir::Value &value : results)
    for (int64_t i = 0; keepDims && i < (everything ? rank : 1); ++i)
      value = expandDims(call.emitter, value, axis);
  return termOf(results, isTuple);
}

Term scanTiles(LibraryCall &call, const Tiles &tiles, const Operand &axisOperand, bool reverse, bool isTuple,
               Combine combine) {
  auto axis =
      constantAxis(call.emitter, axisOperand, static_cast<int64_t>(tile::shapeOf(tiles[0].getType()).size()));
  if (!axis)
    return {};
  auto op = call.emitter.create<tile::ScanOp>(mlir::ValueRange(tiles), static_cast<uint32_t>(*axis), reverse);
  if (!fillCombiner(call, op, combine))
    return {};
  return termOf(Tiles(op.getResults()), isTuple);
}

//===- With a known combination -------------------------------------------------------------------===//

template <typename Op> std::vector<Term> combineWith(Emitter &emitter, mlir::Value a, mlir::Value b) {
  if constexpr (std::is_same_v<Op, tile::MaxOp> || std::is_same_v<Op, tile::MinOp>)
    return {mlir::Value(emitter.create<Op>(a.getType(), a, b, /*propagate_nan=*/false))};
  else
    return {mlir::Value(emitter.create<Op>(a.getType(), a, b))};
}

/// What sums are computed in: small integers in 32 bits, by their sign; everything else as it is.
mlir::Type sumType(mlir::Type element) {
  if (!tile::isInteger(element) || tile::bitWidthOf(element) >= 32)
    return element;
  return mlirType(element.getContext(), tile::isSigned(element) ? ElementType::Int32 : ElementType::UInt32);
}

/// What extrema are computed in: everything below 32 bits in int32 or fp32.
mlir::Type extremumType(mlir::Type element) {
  if (tile::bitWidthOf(element) >= 32)
    return element;
  return mlirType(element.getContext(), tile::isFloat(element) ? ElementType::Float32 : ElementType::Int32);
}

/// A tile of numbers in the type that `pick` says, or that the operand `type` asks for.
mlir::Value promoted(LibraryCall &call, mlir::Type (*pick)(mlir::Type), const Operand *type) {
  mlir::Value value = toTile(call.emitter, call[0]);
  if (!value)
    return {};
  mlir::Type element = tile::elementTypeOf(value.getType());
  if (!tile::isNumber(element)) {
    call.emitter.error(call[0].range, "dtype-not-supported",
                       {std::string(lastPart(call.function.name)), "int, float", typeName(value.getType())});
    return {};
  }
  mlir::Type wanted = type && !type->term.isNone() ? constantType(call.emitter, *type) : pick(element);
  return wanted ? castTo(call.emitter, value, wanted, call[0].range) : mlir::Value();
}

Term sum(LibraryCall &call) {
  auto keepDims = constantBool(call.emitter, call[2]);
  mlir::Value value = promoted(call, sumType, &call[3]);
  if (!value || !keepDims)
    return {};
  return reduceTiles(call, {value}, call[1], *keepDims, false, [&](mlir::ValueRange a, mlir::ValueRange b) {
    return combineWith<tile::AddOp>(call.emitter, a[0], b[0]);
  });
}

template <typename Op> Term scanWith(LibraryCall &call) {
  auto reverse = constantBool(call.emitter, call[2]);
  mlir::Value value = promoted(call, sumType, &call[3]);
  if (!value || !reverse)
    return {};
  return scanTiles(call, {value}, call[1], *reverse, false, [&](mlir::ValueRange a, mlir::ValueRange b) {
    return combineWith<Op>(call.emitter, a[0], b[0]);
  });
}

template <typename Op> Term extremum(LibraryCall &call) {
  auto withIndices = constantBool(call.emitter, call[2]), keepDims = constantBool(call.emitter, call[4]);
  if (!withIndices || !keepDims)
    return {};
  if (*withIndices) {
    constexpr bool isMax = std::is_same_v<Op, tile::MaxOp>;
    CallArguments arguments;
    arguments.positional = {call[0], call[1], call[3], call[4]};
    arguments.call = arguments.callee = call.range;
    return call.lowering.callFunction(*findPreludeFunction(isMax ? "_max_indexed" : "_min_indexed"),
                                      arguments);
  }
  mlir::Value value = promoted(call, extremumType, nullptr);
  if (!value)
    return {};
  return reduceTiles(call, {value}, call[1], *keepDims, false, [&](mlir::ValueRange a, mlir::ValueRange b) {
    return combineWith<Op>(call.emitter, a[0], b[0]);
  });
}

//===- With a function of the kernel's ------------------------------------------------------------===//

/// The tiles of an operand that is one tile or a tuple of them, of one shape; empty after an error.
Tiles tilesOf(LibraryCall &call, const Operand &operand) {
  Tiles tiles;
  for (const Term &item : itemsOf(operand.term)) {
    mlir::Value value = toTile(call.emitter, {item, operand.range});
    if (!value)
      return {};
    if (!tiles.empty() && tile::shapeOf(value.getType()) != tile::shapeOf(tiles[0].getType())) {
      call.emitter.error(
          operand.range, "tile-shapes-differ",
          {shapeName(tile::shapeOf(tiles[0].getType())), shapeName(tile::shapeOf(value.getType())), "0"});
      return {};
    }
    tiles.push_back(value);
  }
  return tiles;
}

std::vector<Term> callCombine(LibraryCall &call, const Operand &function, mlir::ValueRange left,
                              mlir::ValueRange right) {
  CallArguments arguments;
  arguments.call = call.range;
  arguments.callee = function.range;
  for (mlir::ValueRange side : {left, right})
    for (mlir::Value value : side)
      arguments.positional.push_back({value, function.range});
  return itemsOf(call.lowering.call(function, arguments));
}

Term reduce(LibraryCall &call) {
  Tiles tiles = tilesOf(call, call[0]);
  auto keepDims = constantBool(call.emitter, call[3]);
  if (tiles.empty() || !keepDims)
    return {};
  return reduceTiles(
      call, tiles, call[1], *keepDims, call[0].term.tuple() != nullptr,
      [&](mlir::ValueRange a, mlir::ValueRange b) { return callCombine(call, call[2], a, b); });
}

Term associativeScan(LibraryCall &call) {
  Tiles tiles = tilesOf(call, call[0]);
  auto reverse = constantBool(call.emitter, call[3]);
  if (tiles.empty() || !reverse)
    return {};
  return scanTiles(call, tiles, call[1], *reverse, call[0].term.tuple() != nullptr,
                   [&](mlir::ValueRange a, mlir::ValueRange b) { return callCombine(call, call[2], a, b); });
}

constexpr std::string_view extremumSignature =
    "input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False";
constexpr LibraryFunction rows[] = {
    {"triton.language.sum", "input, axis=None, keep_dims=False, dtype=None", sum, true},
    {"triton.language.max", extremumSignature, extremum<tile::MaxOp>, true},
    {"triton.language.min", extremumSignature, extremum<tile::MinOp>, true},
    {"triton.language.cumsum", "input, axis=0, reverse=False, dtype=None", scanWith<tile::AddOp>, true},
    {"triton.language.cumprod", "input, axis=0, reverse=False, dtype=None", scanWith<tile::MulOp>, true},
    {"triton.language.reduce", "input, axis, combine_fn, keep_dims=False", reduce, true},
    {"triton.language.associative_scan", "input, axis, combine_fn, reverse=False", associativeScan, true},
};

} // namespace

std::span<const LibraryFunction> reductionRows() { return rows; }

} // namespace tilescope::frontend
