// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control flow, and reductions and scans with the region that combines two elements. Every
// region is one block. Values from outside are used freely inside. The builders make the blocks and
// no terminator.
#ifndef TILESCOPE_TILE_CONTROL_OPS
#define TILESCOPE_TILE_CONTROL_OPS

include "compiler/Dialect/Tile/IR/TileTypes.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"

def Tile_YieldOp : Tile_Op<"yield", [
    Pure, Terminator, ReturnLike,
    ParentOneOf<["ForOp", "IfOp", "WhileOp", "ReduceOp", "ScanOp", "MapOp"]>]> {
  let summary = "ends a region and gives its values to the operation around it";
  let arguments = (ins Variadic<Tile_Carried>:$operands);
  let builders = [OpBuilder<(ins), [{ /* no operands */ }]>];
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
}

def Tile_ForOp : Tile_Op<"for", [
    DeclareOpInterfaceMethods<LoopLikeOpInterface, ["getInitsMutable", "getRegionIterArgs",
      "getYieldedValuesMutable", "getLoopResults"]>,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands"]>,
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "counts from `lower` up to, or down to, but without `upper`";
  let description = [{
    Python's `range(lower, upper, step)`: bounds and step are scalars of one integer type, the step may be
    negative, and a step of 0 is an error that the interpreter reports. The trips are counted without overflow,
    so that the induction variable never wraps. Values are carried from trip to trip; with no trip the results are
    the initial values.

    `num_stages`, `loop_unroll_factor`, `flatten`, `warp_specialize`, `disallow_acc_multi_buffer` and
    `disable_licm` are what `tl.range` was given; they never change the values.

        %sum = tile.for %i = %lo to %hi step %st iter_args(%acc = %zero) -> (f32) : si32 {
          %next = tile.add %acc, %x : f32
          tile.yield %next : f32
        } {num_stages = 3 : i32}
  }];
  let arguments = (ins
    Tile_ScalarInteger:$lower, Tile_ScalarInteger:$upper, Tile_ScalarInteger:$step,
    Variadic<Tile_Carried>:$initial,
    OptionalAttr<I32Attr>:$num_stages, OptionalAttr<I32Attr>:$loop_unroll_factor,
    UnitAttr:$flatten, UnitAttr:$warp_specialize, UnitAttr:$disallow_acc_multi_buffer, UnitAttr:$disable_licm
  );
  let results = (outs Variadic<Tile_Carried>:$results);
  let regions = (region SizedRegion<1>:$region);
  let builders = [
    /// Makes the block with the induction variable and the carried values as its arguments.
    OpBuilder<(ins "::mlir::Value":$lower, "::mlir::Value":$upper, "::mlir::Value":$step,
                   CArg<"::mlir::ValueRange", "{}">:$initial)>
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    ::mlir::BlockArgument inductionVariable() { return getBody()->getArgument(0); }
    ::mlir::Block::BlockArgListType carriedArguments() { return getBody()->getArguments().drop_front(); }
    YieldOp terminator();
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_IfOp : Tile_Op<"if", [
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorRegions"]>,
    RecursiveMemoryEffects, NoRegionArguments, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "one of two regions";
  let description = [{
    The condition is a scalar i1. With results both regions are there and yield them; without, the second
    may be empty.

        %r = tile.if %c -> (f32) {
          tile.yield %a : f32
        } else {
          tile.yield %b : f32
        }
  }];
  let arguments = (ins I1:$condition);
  let results = (outs Variadic<Tile_Carried>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, MaxSizedRegion<1>:$elseRegion);
  let builders = [
    /// Makes an empty block in the first region, and in the second with `withElse`.
    OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::Value":$condition, "bool":$withElse)>
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *thenBlock() { return &getThenRegion().front(); }
    /// Null without a second region.
    ::mlir::Block *elseBlock() { return getElseRegion().empty() ? nullptr : &getElseRegion().front(); }
  }];
  let assemblyFormat = "$condition (`->` `(` type($results)^ `)`)? custom<Branches>($thenRegion, $elseRegion) "
                       "attr-dict";
  let hasVerifier = 1;
}

def Tile_WhileOp : Tile_Op<"while", [
    DeclareOpInterfaceMethods<LoopLikeOpInterface, ["getRegionIterArgs", "getInitsMutable"]>,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands"]>,
    RecursiveMemoryEffects, SingleBlock]> {
  let summary = "a loop whose condition is computed before each trip";
  let description = [{
    The first region gets the initial values, or what the second yielded, and ends with `tile.condition`: true
    gives its operands to the second region, false makes them the results.

        %r = tile.while (%a = %x) : (si32) -> (si32) {
          %c = tile.cmp lt, %a, %n : si32
          tile.condition %c, %a : si32
        } do {
        ^bb0(%b: si32):
          %next = tile.add %b, %one : si32
          tile.yield %next : si32
        }
  }];
  let arguments = (ins Variadic<Tile_Carried>:$initial);
  let results = (outs Variadic<Tile_Carried>:$results);
  let regions = (region SizedRegion<1>:$before, SizedRegion<1>:$after);
  let builders = [
    /// Makes both blocks: the first with arguments of the types of `initial`, the second of `results`.
    OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::ValueRange":$initial)>
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *beforeBlock() { return &getBefore().front(); }
    ::mlir::Block *afterBlock() { return &getAfter().front(); }
    ConditionOp condition();
    YieldOp terminator();
  }];
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Tile_ConditionOp : Tile_Op<"condition", [
    Pure, Terminator, HasParent<"WhileOp">,
    DeclareOpInterfaceMethods<RegionBranchTerminatorOpInterface, ["getSuccessorRegions"]>]> {
  let summary = "ends the first region of a while: go on or leave";
  let arguments = (ins I1:$condition, Variadic<Tile_Carried>:$values);
  let assemblyFormat = "$condition (`,` $values^ `:` type($values))? attr-dict";
}

//===- Reductions and scans -----------------------------------------------------------------------===//

class Tile_CombiningOp<string mnemonic> : Tile_Op<mnemonic, [
    InferTypeOpAdaptor, RecursiveMemoryEffects, SingleBlock]> {
  let results = (outs Variadic<Tile_Value>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let extraClassDeclaration = [{
    ::mlir::Block *combinerBlock() { return &getCombiner().front(); }
    YieldOp terminator();
    /// The one operation of a combiner that is just `op(%accumulated, %element)`, such as tile.add or
    /// tile.max; null for any other combiner.
    ::mlir::Operation *singleCombiner() { return ::tilescope::tile::singleCombiner(getCombiner()); }
    TileType operandType(unsigned index) {
      return ::llvm::cast<TileType>(getOperands()[index].getType());
    }
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_ReduceOp : Tile_CombiningOp<"reduce"> {
  let summary = "combines all elements along an axis";
  let description = [{
    One or more tiles of one shape, reduced together: the region takes an accumulated element of each, then
    an element of each, and yields the new ones. It must be associative: the order is
    the same in every run, but no part of the meaning. Results have the operands' shape without the axis; of
    rank 1 they are scalars.

        %sum = tile.reduce %x axis 0 : !tile.tile<64xf32> -> f32 {
        ^bb0(%a: f32, %b: f32):
          %c = tile.add %a, %b : f32
          tile.yield %c : f32
        }
  }];
  let arguments = (ins Variadic<Tile_AnyTile>:$operands, I32Attr:$axis);
  let builders = [
    /// Infers the results and makes the combiner's block with its arguments.
    OpBuilder<(ins "::mlir::ValueRange":$operands, "uint32_t":$axis)>
  ];
  let skipDefaultBuilders = 1;
  let assemblyFormat = "$operands `axis` $axis attr-dict `:` type($operands) `->` type($results) $combiner";
}

def Tile_ScanOp : Tile_CombiningOp<"scan"> {
  let summary = "combines, at each element, those up to it along an axis";
  let description = [{
    As `reduce`, but the results have the operands' types: element i along the axis combines elements 0 to
    i, or i to the last with `reverse`.

        %1 = tile.scan %0 axis 0 : !tile.tile<64xf32> -> !tile.tile<64xf32> {
        ^bb0(%a: f32, %b: f32):
          %c = tile.add %a, %b : f32
          tile.yield %c : f32
        }
  }];
  let arguments = (ins Variadic<Tile_AnyTile>:$operands, I32Attr:$axis, UnitAttr:$reverse);
  let builders = [
    OpBuilder<(ins "::mlir::ValueRange":$operands, "uint32_t":$axis, CArg<"bool", "false">:$reverse)>
  ];
  let skipDefaultBuilders = 1;
  let assemblyFormat = "$operands `axis` $axis (`reverse` $reverse^)? attr-dict "
                       "`:` type($operands) `->` type($results) $combiner";
}

//===- Functions of elements ----------------------------------------------------------------------===//

def Tile_MapOp : Tile_Op<"map", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "a function of scalars, for each element (`tl.map_elementwise`)";
  let description = [{
    The region takes `pack` elements of each operand that follow each other in row-major order, all of the first
    operand first, and yields `pack` elements of each result in the same way. It may branch.

        %r = tile.map %a, %b pack 1 : !tile.tile<64xf32>, !tile.tile<64xf32> -> !tile.tile<64xf32> {
        ^bb0(%x: f32, %y: f32):
          %c = tile.add %x, %y : f32
          tile.yield %c : f32
        }
  }];
  let arguments = (ins Variadic<Tile_AnyTile>:$operands, I32Attr:$pack);
  let results = (outs Variadic<Tile_AnyTile>:$results);
  let regions = (region SizedRegion<1>:$function);
  let builders = [
    /// Makes the block with its arguments.
    OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::ValueRange":$operands, "uint32_t":$pack)>
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *functionBlock() { return &getFunction().front(); }
    YieldOp terminator();
  }];
  let assemblyFormat = "$operands `pack` $pack attr-dict `:` type($operands) `->` type($results) $function";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_HistogramOp : Tile_Op<"histogram", [
    Pure, OptionalTypesMatchWith<"mask follows from operand", "operand", "mask",
                                 "::tilescope::tile::booleanLike($_self)", "::tilescope::tile::saidByVerifier">]> {
  let summary = "how often each of the numbers 0, 1, 2 … stands in a tile (`tl.histogram`)";
  let description = [{
    The result counts as many numbers as it has elements. Elements outside of them, or masked off, are not counted.

        %h = tile.histogram %x, %m : !tile.tile<256xsi32> -> !tile.tile<16xsi32>
  }];
  let arguments = (ins Tile_AnyTile:$operand, Optional<Tile_Boolean>:$mask);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$operand (`,` $mask^)? attr-dict `:` qualified(type($operand)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

#endif // TILESCOPE_TILE_CONTROL_OPS
