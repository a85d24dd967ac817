// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory, products, and what a person is told while a program runs.
#ifndef TILESCOPE_TILE_MEMORY_OPS
#define TILESCOPE_TILE_MEMORY_OPS

include "compiler/Dialect/Tile/IR/TileTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

//===- Memory -------------------------------------------------------------------------------------===//
// An operand `pointer` is a pointer or a tile of pointers; values and masks have its shape. Where a mask
// is false nothing is read or written, and an address may be anything. An active access outside of every
// tensor is an error that the interpreter reports, and it touches no memory.

def Tile_LoadOp : Tile_Op<"load", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    Tile_Gives<"pointer", "::tilescope::tile::pointeeLike($_self)">,
    Tile_MayFollow<"pointer", "mask", "::tilescope::tile::booleanLike($_self)">,
    Tile_MayFollow<"pointer", "other", "::tilescope::tile::pointeeLike($_self)">]> {
  let summary = "reads elements";
  let description = [{
    Masked off, an element is that of `other`, or *undefined* without one: it may be computed with, but
    what depends on it may not be stored, branched on or used as an address without a report. `other`
    needs a mask.

        %v = tile.load %p, %m, %zero : !tile.tile<128x!tile.ptr<f32>>
        %w = tile.load %p cache = cg eviction = evict_first : !tile.tile<128x!tile.ptr<f32>>
  }];
  let arguments = (ins
    Tile_Address:$pointer, Optional<Tile_Boolean>:$mask, Optional<Tile_Value>:$other,
    DefaultValuedAttr<Tile_CacheAttr, "::tilescope::tile::Cache::None">:$cache,
    DefaultValuedAttr<Tile_EvictionAttr, "::tilescope::tile::Eviction::Normal">:$eviction,
    UnitAttr:$isVolatile
  );
  let results = (outs Tile_Value:$result);
  let assemblyFormat = [{
    $pointer (`,` $mask^)? (`,` $other^)?
    oilist(`cache` `=` `` $cache | `eviction` `=` `` $eviction | `volatile` $isVolatile)
    attr-dict `:` type($pointer)
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store", [
    MemoryEffects<[MemWrite<Tile_GlobalMemory>]>,
    Tile_Follows<"pointer", "value", "::tilescope::tile::pointeeLike($_self)">,
    Tile_MayFollow<"pointer", "mask", "::tilescope::tile::booleanLike($_self)">]> {
  let summary = "writes elements";
  let description = [{
    Where two active elements of one store have the same address, either may win on the GPU; the
    interpreter writes in row-major order and can report it.

        tile.store %p, %v, %m : !tile.tile<128x!tile.ptr<f32>>
  }];
  let arguments = (ins
    Tile_Address:$pointer, Tile_Value:$value, Optional<Tile_Boolean>:$mask,
    DefaultValuedAttr<Tile_CacheAttr, "::tilescope::tile::Cache::None">:$cache,
    DefaultValuedAttr<Tile_EvictionAttr, "::tilescope::tile::Eviction::Normal">:$eviction
  );
  let assemblyFormat = [{
    $pointer `,` $value (`,` $mask^)? oilist(`cache` `=` `` $cache | `eviction` `=` `` $eviction)
    attr-dict `:` type($pointer)
  }];
  let hasVerifier = 1;
}

class Tile_AtomicOp<string mnemonic, list<Trait> traits> : Tile_Op<mnemonic, [
    MemoryEffects<[MemRead<Tile_GlobalMemory>, MemWrite<Tile_GlobalMemory>]>,
    Tile_Gives<"pointer", "::tilescope::tile::pointeeLike($_self)">,
    Tile_Follows<"pointer", "value", "::tilescope::tile::pointeeLike($_self)">] # traits> {
  let results = (outs Tile_Value:$result);
  let hasVerifier = 1;
}

def Tile_AtomicRmwOp : Tile_AtomicOp<"atomic_rmw", [
    Tile_MayFollow<"pointer", "mask", "::tilescope::tile::booleanLike($_self)">]> {
  let summary = "reads, computes and writes each element at one stroke";
  let description = [{
    The result is what stood there before; undefined where masked off. `add max min xchg` take integers
    and floats, `and or xor` integers only; of 16, 32 or 64 bits.

        %old = tile.atomic_rmw add acq_rel gpu, %p, %v, %m : !tile.tile<64x!tile.ptr<f32>>
  }];
  let arguments = (ins
    Tile_AtomicKindAttr:$kind,
    DefaultValuedAttr<Tile_MemoryOrderAttr, "::tilescope::tile::MemoryOrder::AcquireRelease">:$order,
    DefaultValuedAttr<Tile_MemoryScopeAttr, "::tilescope::tile::MemoryScope::Gpu">:$scope,
    Tile_Address:$pointer, Tile_Value:$value, Optional<Tile_Boolean>:$mask
  );
  let assemblyFormat = "`` $kind `` $order `` $scope `,` $pointer `,` $value (`,` $mask^)? attr-dict "
                       "`:` type($pointer)";
}

def Tile_AtomicCasOp : Tile_AtomicOp<"atomic_cas", [
    Tile_Follows<"pointer", "compare", "::tilescope::tile::pointeeLike($_self)">]> {
  let summary = "writes `value` where `compare` stands, at one stroke";
  let description = [{
    Bits are compared, of elements of 16, 32 or 64 bits. The result is what stood there before.

        %old = tile.atomic_cas acquire gpu, %lock, %zero, %one : !tile.ptr<si32>
  }];
  let arguments = (ins
    DefaultValuedAttr<Tile_MemoryOrderAttr, "::tilescope::tile::MemoryOrder::AcquireRelease">:$order,
    DefaultValuedAttr<Tile_MemoryScopeAttr, "::tilescope::tile::MemoryScope::Gpu">:$scope,
    Tile_Address:$pointer, Tile_Value:$compare, Tile_Value:$value
  );
  let assemblyFormat = "`` $order `` $scope `,` $pointer `,` $compare `,` $value attr-dict `:` type($pointer)";
}

def Tile_AtomicLoadOp : Tile_Op<"atomic_load", [
    MemoryEffects<[MemRead<Tile_GlobalMemory>, MemWrite<Tile_GlobalMemory>]>,
    Tile_Gives<"pointer", "::tilescope::tile::pointeeLike($_self)">,
    Tile_MayFollow<"pointer", "mask", "::tilescope::tile::booleanLike($_self)">]> {
  let summary = "reads each element at one stroke, in the order that memory asks for";
  let description = [{
    Undefined where masked off. `relaxed` or `acquire`.

        %v = tile.atomic_load acquire gpu, %p, %m : !tile.tile<64x!tile.ptr<f32>>
  }];
  let arguments = (ins Tile_MemoryOrderAttr:$order, Tile_MemoryScopeAttr:$scope, Tile_Address:$pointer,
                       Optional<Tile_Boolean>:$mask);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "`` $order `` $scope `,` $pointer (`,` $mask^)? attr-dict `:` type($pointer)";
  let hasVerifier = 1;
}

def Tile_AtomicStoreOp : Tile_Op<"atomic_store", [
    MemoryEffects<[MemRead<Tile_GlobalMemory>, MemWrite<Tile_GlobalMemory>]>,
    Tile_Follows<"pointer", "value", "::tilescope::tile::pointeeLike($_self)">,
    Tile_MayFollow<"pointer", "mask", "::tilescope::tile::booleanLike($_self)">]> {
  let summary = "writes each element at one stroke, in the order that memory asks for";
  let description = [{
    `relaxed` or `release`.

        tile.atomic_store release gpu, %p, %v : !tile.ptr<si32>
  }];
  let arguments = (ins Tile_MemoryOrderAttr:$order, Tile_MemoryScopeAttr:$scope, Tile_Address:$pointer,
                       Tile_Value:$value, Optional<Tile_Boolean>:$mask);
  let assemblyFormat = "`` $order `` $scope `,` $pointer `,` $value (`,` $mask^)? attr-dict `:` type($pointer)";
  let hasVerifier = 1;
}

def Tile_BarrierOp : Tile_Op<"barrier", [
    MemoryEffects<[MemRead<Tile_GlobalMemory>, MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "every thread of the program waits for the others (`tl.debug_barrier`)";
  let assemblyFormat = "attr-dict";
}

//===- Products -----------------------------------------------------------------------------------===//

def Tile_DotOp : Tile_Op<"dot", [Pure, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "accumulator + a · b";
  let description = [{
    a is MxK, b is KxN, the accumulator and the result MxN; all may have one more dimension in front, of
    one size (a product for each). a and b have one element type (two 8-bit floats may differ).
    The accumulator is si32 for 8-bit integers; f16 (for f16) or f32 for floats of at most 32 bits; f64
    for f64. `max_num_imprecise_acc` is how many products of 8-bit floats may be summed before
    they go to the accumulator in fp32 (0: every one).

        %d = tile.dot %a, %b, %c tf32 : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
  }];
  let arguments = (ins
    Tile_AnyTile:$a, Tile_AnyTile:$b, Tile_AnyTile:$accumulator,
    DefaultValuedAttr<Tile_InputPrecisionAttr, "::tilescope::tile::InputPrecision::Tf32">:$input_precision,
    DefaultValuedAttr<I32Attr, "0">:$max_num_imprecise_acc
  );
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$a `,` $b `,` $accumulator `` $input_precision attr-dict "
                       "`:` qualified(type($a)) `,` qualified(type($b)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_DotScaledOp : Tile_Op<"dot_scaled", [
    Pure, AttrSizedOperandSegments,
    TypesMatchWith<"the accumulator has the result's type", "result", "accumulator", "$_self">]> {
  let summary = "accumulator + (a · scales of a) · (b · scales of b), for formats of few bits";
  let description = [{
    a is MxK, b is KxN, the accumulator and the result MxN in f32, all with one more dimension in front or none.
    Elements of e2m1 are two in a byte of ui8, the lower half first: along K with `k_pack`, else along M or N. A scale is
    ui8, the exponent of a power of two (E8M0: 2^(s - 127), 255 is NaN), one for every 32 elements along K: MxK/32
    for a, NxK/32 for b. Without a scale the elements count as they are. `fast_math` lets NaN scales be
    ignored.

        %d = tile.dot_scaled %a e2m1 scale %sa : !tile.tile<128x2xui8>, %b e4m3 scale %sb : !tile.tile<64x2xui8>, %c
          : !tile.tile<128x32xui8>, !tile.tile<64x64xf8E4M3FN> -> !tile.tile<128x64xf32>
  }];
  let arguments = (ins
    Tile_AnyTile:$a, Optional<Tile_AnyTile>:$a_scale, Tile_AnyTile:$b, Optional<Tile_AnyTile>:$b_scale,
    Tile_AnyTile:$accumulator, Tile_ScaleFormatAttr:$a_format, Tile_ScaleFormatAttr:$b_format,
    DefaultValuedAttr<BoolAttr, "true">:$a_k_pack, DefaultValuedAttr<BoolAttr, "true">:$b_k_pack,
    UnitAttr:$fast_math
  );
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $a `` $a_format (`scale` $a_scale^ `:` qualified(type($a_scale)))? `,`
    $b `` $b_format (`scale` $b_scale^ `:` qualified(type($b_scale)))? `,` $accumulator
    (`fast_math` $fast_math^)? attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

//===- What a person is told ----------------------------------------------------------------------===//

def Tile_AssertOp : Tile_Op<"assert", [
    MemoryEffects<[MemWrite<Tile_Console>]>,
    Tile_MayFollow<"condition", "mask", "::tilescope::tile::booleanLike($_self)">]> {
  let summary = "stops the launch, with a message, where the condition is false (`tl.device_assert`)";
  let description = [{
    Elements that the mask has off are not looked at.

        tile.assert %c mask %m, "x < n" : !tile.tile<64xi1>
  }];
  let arguments = (ins Tile_Boolean:$condition, Optional<Tile_Boolean>:$mask, StrAttr:$message);
  let assemblyFormat = "$condition (`mask` $mask^)? `,` $message attr-dict `:` type($condition)";
  let hasVerifier = 1;
}

def Tile_PrintOp : Tile_Op<"print", [MemoryEffects<[MemWrite<Tile_Console>]>]> {
  let summary = "prints the prefix and, element by element, the operands (`tl.device_print`)";
  let description = [{`hex` prints bits in place of values.

        tile.print "x:" hex, %x, %y : !tile.tile<64xf32>, si32
  }];
  let arguments = (ins StrAttr:$prefix, UnitAttr:$hex, Variadic<Tile_Value>:$values);
  let assemblyFormat = "$prefix (`hex` $hex^)? (`,` $values^ `:` type($values))? attr-dict";
}

def Tile_AssumeOp : Tile_Op<"assume", [MemoryEffects<[MemWrite<Tile_Console>]>]> {
  let summary = "a promise that the condition holds (`tl.assume`)";
  let description = [{
    Analyses may rely on it; the interpreter checks it and reports where it does not hold.
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}

#endif // TILESCOPE_TILE_MEMORY_OPS
