// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements by their index, how often they occur, and functions of single elements.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Lowering.h"
#include "compiler/Frontend/Types.h"

namespace tilescope::frontend {

namespace {

//===- gather and histogram -----------------------------------------------------------------------===//

Term gather(LibraryCall &call) {
  mlir::Value source = toTile(call.emitter, call[0]), indices = toTile(call.emitter, call[1]);
  if (!source || !indices)
    return {};
  if (!tile::isWideInteger(tile::elementTypeOf(indices.getType()))) {
    call.emitter.error(call[1].range, "dtype-not-supported",
                       {"gather", "int8, int16, int32, int64", typeName(indices.getType())});
    return {};
  }
  auto from = tile::shapeOf(source.getType()), at = tile::shapeOf(indices.getType());
  auto axis = constantAxis(call.emitter, call[2], static_cast<int64_t>(from.size()));
  if (!axis)
    return {};
  bool fits = from.size() == at.size();
  for (size_t i = 0; fits && i < from.size(); ++i)
    fits = static_cast<int64_t>(i) == *axis || from[i] == at[i];
  if (!fits) {
    call.emitter.error(call[1].range, "gather-shapes",
                       {shapeName(from), shapeName(at), std::to_string(*axis)});
    return {};
  }
  mlir::Type result = tile::tileOrScalar(at, tile::elementTypeOf(source.getType()));
  return mlir::Value(
      call.emitter.create<tile::GatherOp>(result, source, indices, static_cast<uint32_t>(*axis)));
}

Term histogram(LibraryCall &call) {
  mlir::Value value = toTile(call.emitter, call[0]), mask;
  auto bins = tileShape(call.emitter, call[1]);
  if (!value || !bins)
    return {};
  mlir::Type element = tile::elementTypeOf(value.getType());
  if (tile::shapeOf(value.getType()).size() != 1 || !tile::isInteger(element) ||
      tile::bitWidthOf(element) != 32) {
    call.emitter.error(call[0].range, "histogram-type", {typeName(value.getType())});
    return {};
  }
  if (!call[2].term.isNone()) {
    mask = toTensor(call.emitter, call[2]);
    if (!mask)
      return {};
    if (!tile::isBoolean(tile::elementTypeOf(mask.getType()))) {
      call.emitter.error(call[2].range, "mask-type", {typeName(mask.getType())});
      return {};
    }
    mask = broadcastTo(call.emitter, mask, tile::shapeOf(value.getType()), call[2].range);
    if (!mask)
      return {};
  }
  mlir::Type result = tile::tileOrScalar(*bins, int32(call.emitter.context()));
  return mlir::Value(call.emitter.create<tile::HistogramOp>(result, value, mask));
}

//===- map_elementwise ----------------------------------------------------------------------------===//

/// Calls the function on the block's arguments and ends the block with its results, which it returns: a tuple
/// or one. An error term if the call failed.
Term fillFunction(LibraryCall &call, mlir::Block &block, llvm::SmallVectorImpl<mlir::Value> &results) {
  mlir::OpBuilder::InsertionGuard guard(call.emitter.builder);
  call.emitter.builder.setInsertionPointToStart(&block);
  CallArguments arguments;
  arguments.call = call.range;
  arguments.callee = call[0].range;
  for (mlir::Value argument : block.getArguments())
    arguments.positional.push_back({argument, call[1].range});
  Term returned = call.lowering.call(call[0], arguments);
  if (returned.isError())
    return {};
  for (const Term &item : itemsOf(returned)) {
    mlir::Value value = toTensor(call.emitter, {item, call[0].range});
    if (!value)
      return {};
    if (llvm::isa<tile::TileType>(value.getType())) {
      call.emitter.error(call[0].range, "map-result", {typeName(value.getType())});
      return {};
    }
    results.push_back(value);
  }
  call.emitter.create<tile::YieldOp>(results);
  return returned;
}

/// The type of each result for `pack` elements at a time; nothing after an error.
std::optional<llvm::SmallVector<mlir::Type>> mappedTypes(LibraryCall &call, mlir::Type like,
                                                         llvm::ArrayRef<mlir::Value> results, size_t pack) {
  llvm::SmallVector<mlir::Type> types;
  bool ok = !results.empty() && results.size() % pack == 0;
  for (size_t i = 0; ok && i < results.size(); ++i) {
    ok = results[i].getType() == results[i / pack * pack].getType();
    if (i % pack == 0)
      types.push_back(tile::withElementType(like, results[i].getType()));
  }
  if (ok)
    return types;
  call.emitter.error(call[0].range, "map-pack", {std::to_string(results.size()), std::to_string(pack)});
  return std::nullopt;
}

Term mapElements(LibraryCall &call) {
  auto pack = constantInt(call.emitter, call[2]);
  if (!pack)
    return {};
  auto operands = tensorsInOneShape(call.emitter, call[1]);
  if (!operands)
    return {};
  llvm::ArrayRef<mlir::Value> values = *operands;
  if (values.empty() || !llvm::isa<tile::TileType>(values[0].getType())) {
    call.emitter.error(call.range, "tile-expected", {describe(call[1].term)});
    return {};
  }
  int64_t count = tile::elementCountOf(values[0].getType());
  if (*pack < 1 || count % *pack != 0) {
    call.emitter.error(call[2].range, "pack-does-not-divide", {std::to_string(*pack), std::to_string(count)});
    return {};
  }
  mlir::Region function;
  mlir::Block &block = function.emplaceBlock();
  for (mlir::Value value : values)
    for (int64_t i = 0; i < *pack; ++i)
      block.addArgument(tile::elementTypeOf(value.getType()), call.emitter.location());
  llvm::SmallVector<mlir::Value> results;
  Term returned = fillFunction(call, block, results);
  if (returned.isError())
    return {};
  auto types = mappedTypes(call, values[0].getType(), results, static_cast<size_t>(*pack));
  if (!types)
    return {};
  auto op = call.emitter.create<tile::MapOp>(mlir::TypeRange(*types), mlir::ValueRange(values),
                                             static_cast<uint32_t>(*pack));
  op.getFunction().takeBody(function);
  std::vector<Term> tiles;
  for (mlir::Value result : op.getResults())
    tiles.push_back(result);
  return returned.tuple() ? makeTuple(std::move(tiles)) : tiles[0];
}

constexpr LibraryFunction rows[] = {
    {"triton.language.gather", "src, index, axis", gather, true},
    {"triton.language.histogram", "input, num_bins, mask=None", histogram, true},
    {"triton.language.map_elementwise", "scalar_fn, *args, pack=1", mapElements},
};

} // namespace

std::span<const LibraryFunction> elementRows() { return rows; }

} // namespace tilescope::frontend
