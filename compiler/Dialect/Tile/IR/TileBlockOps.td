// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to a block of a tensor that is described by its base, shape and strides: what block pointers and
// tensor descriptors of the language become. The description is no value of its own but the operands of each
// access, so that loops carry offsets and nothing else, and whoever makes a TMA descriptor of it has all its parts.
#ifndef TILESCOPE_TILE_BLOCK_OPS
#define TILESCOPE_TILE_BLOCK_OPS

include "compiler/Dialect/Tile/IR/TileTypes.td"

/// All take a scalar pointer `base` to the first element, the tensor's `shape` and `strides` in elements, one of each
/// for every dimension, and where the block begins, `offsets`. An element is inside when its index is at least 0 and
/// less than the shape in each dimension that is listed in `checked`, in ascending order.
class Tile_BlockOp<string mnemonic, list<Trait> traits> : Tile_Op<mnemonic, [AttrSizedOperandSegments] # traits> {
  let hasVerifier = 1;
}

def Tile_BlockLoadOp : Tile_BlockOp<"block_load", [MemoryEffects<[MemRead<Tile_GlobalMemory>]>]> {
  let summary = "reads a block of a tensor";
  let description = [{
    Outside, an element is 0 or NaN as `padding` says, and *undefined* without. The result has the tensor's
    rank.

        %v = tile.block_load %base[%i, %j] shape %m, %n strides %sm, %sn checked [0, 1] padding = zero
          : !tile.ptr<f16> -> !tile.tile<64x32xf16>
  }];
  let arguments = (ins
    Tile_ScalarAddress:$base, Variadic<SI64>:$offsets, Variadic<SI64>:$shape,
    Variadic<SI64>:$strides, DenseI32ArrayAttr:$checked,
    DefaultValuedAttr<Tile_PaddingAttr, "::tilescope::tile::Padding::None">:$padding,
    DefaultValuedAttr<Tile_CacheAttr, "::tilescope::tile::Cache::None">:$cache,
    DefaultValuedAttr<Tile_EvictionAttr, "::tilescope::tile::Eviction::Normal">:$eviction
  );
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $base `[` $offsets `]` `shape` $shape `strides` $strides `checked` $checked
    oilist(`padding` `=` `` $padding | `cache` `=` `` $cache | `eviction` `=` `` $eviction)
    attr-dict `:` type($base) `->` qualified(type($result))
  }];
}

def Tile_BlockStoreOp : Tile_BlockOp<"block_store", [MemoryEffects<[MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "writes a block of a tensor";
  let description = [{
    Elements outside are not written.

        tile.block_store %base[%i, %j], %v shape %m, %n strides %sm, %sn checked [0, 1]
          : !tile.ptr<f16>, !tile.tile<64x32xf16>
  }];
  let arguments = (ins
    Tile_ScalarAddress:$base, Variadic<SI64>:$offsets, Tile_AnyTile:$value, Variadic<SI64>:$shape,
    Variadic<SI64>:$strides, DenseI32ArrayAttr:$checked,
    DefaultValuedAttr<Tile_CacheAttr, "::tilescope::tile::Cache::None">:$cache,
    DefaultValuedAttr<Tile_EvictionAttr, "::tilescope::tile::Eviction::Normal">:$eviction
  );
  let assemblyFormat = [{
    $base `[` $offsets `]` `,` $value `shape` $shape `strides` $strides `checked` $checked
    oilist(`cache` `=` `` $cache | `eviction` `=` `` $eviction)
    attr-dict `:` type($base) `,` qualified(type($value))
  }];
}

def Tile_BlockReduceOp : Tile_BlockOp<"block_reduce", [
    MemoryEffects<[MemRead<Tile_GlobalMemory>, MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "combines a block with the elements of a tensor atomically (`desc.atomic_add`)";
  let description = [{
    Each element at one stroke, relaxed, for the whole GPU. Elements outside are left alone. Every kind but
    `xchg`.

        tile.block_reduce add, %base[%i], %v shape %m strides %sm checked [0] : !tile.ptr<f32>, !tile.tile<64xf32>
  }];
  let arguments = (ins
    Tile_AtomicKindAttr:$kind, Tile_ScalarAddress:$base, Variadic<SI64>:$offsets, Tile_AnyTile:$value,
    Variadic<SI64>:$shape, Variadic<SI64>:$strides, DenseI32ArrayAttr:$checked
  );
  let assemblyFormat = [{
    `` $kind `,` $base `[` $offsets `]` `,` $value `shape` $shape `strides` $strides `checked` $checked
    attr-dict `:` type($base) `,` qualified(type($value))
  }];
}

def Tile_BlockGatherOp : Tile_BlockOp<"block_gather", [MemoryEffects<[MemRead<Tile_GlobalMemory>]>]> {
  let summary = "reads parts of chosen rows of a matrix (`desc.gather`)";
  let description = [{
    Row i of the result is row `rows[i]` of the matrix from `column` on. Both dimensions are checked; outside, an
    element is as `padding` says.

        %v = tile.block_gather %base[%rows, %j] shape %m, %n strides %sm, %sn padding = zero
          : !tile.ptr<f16>, !tile.tile<32xsi32> -> !tile.tile<32x64xf16>
  }];
  let arguments = (ins
    Tile_ScalarAddress:$base, Tile_AnyTile:$rows, SI64:$column, Variadic<SI64>:$shape,
    Variadic<SI64>:$strides, DefaultValuedAttr<Tile_PaddingAttr, "::tilescope::tile::Padding::Zero">:$padding
  );
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $base `[` $rows `,` $column `]` `shape` $shape `strides` $strides oilist(`padding` `=` `` $padding)
    attr-dict `:` type($base) `,` qualified(type($rows)) `->` qualified(type($result))
  }];
}

def Tile_BlockScatterOp : Tile_BlockOp<"block_scatter", [MemoryEffects<[MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "writes parts of chosen rows of a matrix (`desc.scatter`)";
  let description = [{
    As `block_gather`; elements outside are not written.

        tile.block_scatter %base[%rows, %j], %v shape %m, %n strides %sm, %sn
          : !tile.ptr<f16>, !tile.tile<32xsi32>, !tile.tile<32x64xf16>
  }];
  let arguments = (ins
    Tile_ScalarAddress:$base, Tile_AnyTile:$rows, SI64:$column, Tile_AnyTile:$value,
    Variadic<SI64>:$shape, Variadic<SI64>:$strides
  );
  let assemblyFormat = [{
    $base `[` $rows `,` $column `]` `,` $value `shape` $shape `strides` $strides
    attr-dict `:` type($base) `,` qualified(type($rows)) `,` qualified(type($value))
  }];
}

#endif // TILESCOPE_TILE_BLOCK_OPS
