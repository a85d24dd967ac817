// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stage two has beyond stage one: changes of layout, buffers in shared memory, asynchronous copies into them.
// Room is left for products that read their operands from buffers (`wgmma`), copies by tensor map, and roles of warps.
#ifndef TILESCOPE_TILE_SHARED_OPS
#define TILESCOPE_TILE_SHARED_OPS

include "compiler/Dialect/Tile/IR/TileTypes.td"

def Tile_ConvertLayoutOp : Tile_Op<"convert_layout", [Pure]> {
  let summary = "the same tile, held by other threads";
  let description = [{
    Values do not change. What it costs follows from the two maps: nothing, registers within a thread, shuffles within a
    warp, or a way through shared memory (then `shared_offset` says where, in bytes).

        %1 = tile.convert_layout %0 : !tile.tile<64xf32, #blocked> -> !tile.tile<64xf32, #slice>
  }];
  let arguments = (ins Tile_AnyTile:$operand, OptionalAttr<I32Attr>:$shared_offset);
  let results = (outs Tile_AnyTile:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$operand, "LayoutAttr":$layout)>
  ];
  let assemblyFormat = "$operand attr-dict `:` qualified(type($operand)) `->` qualified(type($result))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_SharedAllocOp : Tile_Op<"shared_alloc"> {
  let summary = "a buffer in shared memory, for as long as it is used";
  let description = [{
    Holds `initial`, or undefined elements. `shared_offset` is where it begins, in bytes, once that is decided.

        %b = tile.shared_alloc : !tile.buffer<64x32xf16, #shared, 3>
        %c = tile.shared_alloc %x : !tile.tile<64x32xf16, #blocked> -> !tile.buffer<64x32xf16, #shared>
  }];
  let arguments = (ins
    Arg<Optional<Tile_AnyTile>, "", []>:$initial, OptionalAttr<I32Attr>:$shared_offset
  );
  let results = (outs Res<Tile_AnyBuffer, "", [MemAlloc<Tile_SharedMemory>]>:$result);
  let assemblyFormat = "($initial^ `:` qualified(type($initial)) `->`):(`:`)? attr-dict qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_SharedSlotOp : Tile_Op<"shared_slot", [
    Pure, TypesMatchWith<"the result is one of the buffers", "buffer", "result",
                         "::llvm::cast<::tilescope::tile::BufferType>($_self).slot()">]> {
  let summary = "one of the buffers that were allocated together";
  let description = [{
    `index` counts from 0 and is less than their number.

        %s = tile.shared_slot %b[%i] : !tile.buffer<64x32xf16, #shared, 3>
  }];
  let arguments = (ins Tile_AnyBuffer:$buffer, SI32:$index);
  let results = (outs Tile_AnyBuffer:$result);
  let assemblyFormat = "$buffer `[` $index `]` attr-dict `:` qualified(type($buffer))";
}

def Tile_SharedPermuteOp : Tile_Op<"shared_permute", [Pure]> {
  let summary = "the same buffer with its dimensions in another order, as `tile.permute`";
  let arguments = (ins Tile_AnyBuffer:$buffer, DenseI32ArrayAttr:$order);
  let results = (outs Tile_AnyBuffer:$result);
  let assemblyFormat = "$buffer $order attr-dict `:` qualified(type($buffer)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_SharedLoadOp : Tile_Op<"shared_load", [MemoryEffects<[MemRead<Tile_SharedMemory>]>]> {
  let summary = "a buffer's elements to registers";
  let description = [{
        %v = tile.shared_load %s : !tile.buffer<64x32xf16, #shared> -> !tile.tile<64x32xf16, #operand>
  }];
  let arguments = (ins Tile_AnyBuffer:$buffer);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_SharedStoreOp : Tile_Op<"shared_store", [MemoryEffects<[MemWrite<Tile_SharedMemory>]>]> {
  let summary = "a tile's elements to a buffer";
  let arguments = (ins Tile_AnyTile:$value, Tile_AnyBuffer:$buffer);
  let assemblyFormat = "$value `,` $buffer attr-dict `:` qualified(type($value)) `,` qualified(type($buffer))";
  let hasVerifier = 1;
}

def Tile_AsyncCopyOp : Tile_Op<"async_copy", [
    AttrSizedOperandSegments,
    MemoryEffects<[MemRead<Tile_GlobalMemory>, MemWrite<Tile_SharedMemory>]>,
    Tile_MayFollow<"pointer", "mask", "::tilescope::tile::booleanLike($_self)">,
    Tile_MayFollow<"pointer", "other", "::tilescope::tile::pointeeLike($_self)">]> {
  let summary = "begins to copy elements from global memory into a buffer (`cp.async`)";
  let description = [{
    As `tile.load`, but the elements go to the buffer, whose own are undefined until a wait. `other` is 0 or not there (then
    those masked off are undefined).

        %t = tile.async_copy %p, %m into %s : !tile.tile<64x32x!tile.ptr<f16>, #blocked>, !tile.buffer<64x32xf16, #shared>
  }];
  let arguments = (ins
    Tile_Address:$pointer, Optional<Tile_Boolean>:$mask, Optional<Tile_Value>:$other, Tile_AnyBuffer:$buffer,
    DefaultValuedAttr<Tile_CacheAttr, "::tilescope::tile::Cache::None">:$cache,
    DefaultValuedAttr<Tile_EvictionAttr, "::tilescope::tile::Eviction::Normal">:$eviction
  );
  let results = (outs Tile_Token:$token);
  let assemblyFormat = [{
    $pointer (`,` $mask^)? (`,` $other^)? `into` $buffer
    oilist(`cache` `=` `` $cache | `eviction` `=` `` $eviction)
    attr-dict `:` type($pointer) `,` qualified(type($buffer))
  }];
  let builders = [
    OpBuilder<(ins "LoadOp":$load, "::mlir::Value":$buffer)>
  ];
  let hasVerifier = 1;
}

def Tile_AsyncCommitOp : Tile_Op<"async_commit", [
    MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]> {
  let summary = "closes a group of the copies begun since the last one (`cp.async.commit_group`)";
  let description = [{The operands are what belongs to it; `none` for a group without any.}];
  let arguments = (ins Variadic<Tile_Token>:$tokens);
  let results = (outs Tile_Token:$result);
  let assemblyFormat = "custom<Tokens>($tokens) attr-dict";
}

def Tile_AsyncWaitOp : Tile_Op<"async_wait", [
    MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]> {
  let summary = "until at most `pending` of the latest groups are still being copied (`cp.async.wait_group`)";
  let description = [{
    Each thread waits for its own copies; what others copied is there after a barrier.

        tile.async_wait pending 2
  }];
  let arguments = (ins I32Attr:$pending);
  let assemblyFormat = "`pending` $pending attr-dict";
}

def Tile_SharedBarrierOp : Tile_Op<"shared_barrier", [
    MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]> {
  let summary = "every thread of the program waits for the others, and sees what they wrote to shared memory";
  let assemblyFormat = "attr-dict";
}

#endif // TILESCOPE_TILE_SHARED_OPS
