// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel takes from outside of the language: functions of libdevice, and PTX of its own.
#ifndef TILESCOPE_TILE_FOREIGN_OPS
#define TILESCOPE_TILE_FOREIGN_OPS

include "compiler/Dialect/Tile/IR/TileTypes.td"

def Tile_ExternOp : Tile_Op<"extern", [Pure, Tile_Elementwise]> {
  let summary = "a function of libdevice, element by element";
  let description = [{
    `symbol` is its name in the library, which fixes the element types that it takes and gives. Operands and
    result have one shape; their element types may differ.

        %r = tile.extern "__nv_powif"(%x, %n) : (!tile.tile<64xf32>, !tile.tile<64xsi32>) -> !tile.tile<64xf32>
  }];
  let arguments = (ins StrAttr:$symbol, Variadic<Tile_Value>:$operands);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$symbol `(` $operands `)` attr-dict `:` functional-type($operands, $result)";
  let hasVerifier = 1;
}

def Tile_InlineAsmOp : Tile_Op<"inline_asm", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "PTX, element by element";
  let description = [{
    `assembly` runs for every `pack` elements, which lie side by side in registers of 32 bits where they are
    narrower; `constraints` are those of LLVM's inline assembly. Operands and results have one shape. Without `pure` it
    may do anything to memory.

        %r = tile.inline_asm "shf.l.wrap.b32 $0, $1, $2, $3;" "=r,r,r,r" pure (%a, %b, %c)
          : (!tile.tile<64xsi32>, !tile.tile<64xsi32>, !tile.tile<64xsi32>) -> !tile.tile<64xsi32>
  }];
  let arguments = (ins
    StrAttr:$assembly, StrAttr:$constraints, DefaultValuedAttr<I32Attr, "1">:$pack, UnitAttr:$isPure,
    Variadic<Tile_Value>:$operands
  );
  let results = (outs Variadic<Tile_Value>:$results);
  let assemblyFormat = [{
    $assembly $constraints oilist(`pack` `=` $pack | `pure` $isPure) `(` $operands `)` attr-dict
    `:` functional-type($operands, $results)
  }];
  let hasVerifier = 1;
}

#endif // TILESCOPE_TILE_FOREIGN_OPS
