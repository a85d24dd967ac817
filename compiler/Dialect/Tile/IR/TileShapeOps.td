// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that move elements and compute none. All row-major: the last dimension is the fastest.
#ifndef TILESCOPE_TILE_SHAPE_OPS
#define TILESCOPE_TILE_SHAPE_OPS

include "compiler/Dialect/Tile/IR/TileTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class Tile_ShapeOp<string mnemonic, list<Trait> traits = []> : Tile_Op<mnemonic, [Pure] # traits> {
  let hasVerifier = 1;
}

def Tile_SplatOp : Tile_ShapeOp<"splat"> {
  let summary = "a tile that holds one scalar everywhere";
  let arguments = (ins Tile_ScalarValue:$operand);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$operand attr-dict `:` qualified(type($operand)) `->` qualified(type($result))";
  let hasFolder = 1;
}

def Tile_BroadcastOp : Tile_ShapeOp<"broadcast"> {
  let summary = "stretches dimensions of size 1";
  let description = [{
    Rank and element type stay; each dimension of the operand is that of the result, or 1 (then its
    element is repeated). Tiles of lower rank are given dimensions by `expand_dims` first.
  }];
  let arguments = (ins Tile_AnyTile:$operand);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$operand attr-dict `:` qualified(type($operand)) `->` qualified(type($result))";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_ExpandDimsOp : Tile_ShapeOp<"expand_dims", [InferTypeOpAdaptor]> {
  let summary = "puts in a dimension of size 1";
  let description = [{
    `axis`, from 0 to the rank of the operand, is the new dimension's place in the result
    (`x[:, None]` has axis 1).

        %1 = tile.expand_dims %0 axis 1 : !tile.tile<64xf32> -> !tile.tile<64x1xf32>
  }];
  let arguments = (ins Tile_AnyTile:$operand, I32Attr:$axis);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$operand `axis` $axis attr-dict "
                       "`:` qualified(type($operand)) `->` qualified(type($result))";
  let hasFolder = 1;
}

def Tile_ReshapeOp : Tile_ShapeOp<"reshape"> {
  let summary = "the same elements in another shape";
  let description = [{
    As many elements before as after, in row-major order; with `allow_reorder` (`tl.reshape` with
    `can_reorder`) the GPU may place them otherwise, and stage one keeps the order.
  }];
  let arguments = (ins Tile_AnyTile:$operand, UnitAttr:$allow_reorder);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$operand (`allow_reorder` $allow_reorder^)? attr-dict "
                       "`:` qualified(type($operand)) `->` qualified(type($result))";
  let hasFolder = 1;
}

def Tile_PermuteOp : Tile_ShapeOp<"permute", [InferTypeOpAdaptor]> {
  let summary = "puts dimensions in another order";
  let description = [{
    Dimension i of the result is dimension `order[i]` of the operand; a transpose has order [1, 0].

        %1 = tile.permute %0 [1, 0] : !tile.tile<64x32xf32> -> !tile.tile<32x64xf32>
  }];
  let arguments = (ins Tile_AnyTile:$operand, DenseI32ArrayAttr:$order);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$operand $order attr-dict `:` qualified(type($operand)) `->` qualified(type($result))";
  let hasFolder = 1;
}

def Tile_JoinOp : Tile_Op<"join", [Pure, SameTypeOperands, InferTypeOpAdaptor]> {
  let summary = "two values side by side in a new last dimension of size 2";
  let description = [{`result[…, 0]` is `lhs`, `result[…, 1]` is `rhs`. Two scalars give a tile of two.}];
  let arguments = (ins Tile_Value:$lhs, Tile_Value:$rhs);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` qualified(type($lhs)) `->` qualified(type($result))";
}

def Tile_SplitOp : Tile_Op<"split", [Pure, AllTypesMatch<["lhs", "rhs"]>, InferTypeOpAdaptor]> {
  let summary = "takes apart what join put together";
  let description = [{The operand's last dimension is 2; a tile of two gives two scalars.}];
  let arguments = (ins Tile_AnyTile:$operand);
  let results = (outs Tile_Value:$lhs, Tile_Value:$rhs);
  let assemblyFormat = "$operand attr-dict `:` qualified(type($operand)) `->` qualified(type($lhs))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_CatOp : Tile_Op<"cat", [Pure, SameTypeOperands, InferTypeOpAdaptor]> {
  let summary = "one tile after another";
  let description = [{
    Two tiles of one type; the result has twice their size along `axis`.

        %2 = tile.cat %0, %1 axis 0 : !tile.tile<64xf32> -> !tile.tile<128xf32>
  }];
  let arguments = (ins Tile_AnyTile:$lhs, Tile_AnyTile:$rhs, DefaultValuedAttr<I32Attr, "0">:$axis);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$lhs `,` $rhs `axis` $axis attr-dict "
                       "`:` qualified(type($lhs)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_GatherOp : Tile_ShapeOp<"gather"> {
  let summary = "elements of a tile by their index along an axis (`tl.gather`)";
  let description = [{
    result[…, i, …] is source[…, indices[…, i, …], …]; the indices have the operand's rank, and its size in every
    other dimension. An index outside of the axis is reported by the interpreter.

        %1 = tile.gather %0[%i] axis 0 : !tile.tile<64xf32>, !tile.tile<32xsi32> -> !tile.tile<32xf32>
  }];
  let arguments = (ins Tile_AnyTile:$source, Tile_AnyTile:$indices, I32Attr:$axis);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source `[` $indices `]` `axis` $axis attr-dict "
                       "`:` qualified(type($source)) `,` qualified(type($indices)) `->` qualified(type($result))";
}

#endif // TILESCOPE_TILE_SHAPE_OPS
