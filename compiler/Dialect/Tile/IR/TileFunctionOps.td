// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions, calls, and the values that a program starts from: constants, its place in the grid, ranges.
#ifndef TILESCOPE_TILE_FUNCTION_OPS
#define TILESCOPE_TILE_FUNCTION_OPS

include "compiler/Dialect/Tile/IR/TileTypes.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Tile_FuncOp : Tile_Op<"func", [IsolatedFromAbove, FunctionOpInterface]> {
  let summary = "a kernel or a helper of one";
  let description = [{
    A public function is a kernel: it is launched, and returns nothing. A private one is a helper that
    `tile.call` calls. The body is one block that ends with `tile.return`. `target` is the GPU that the
    function is compiled for ("cuda:90" for compute capability 9.0), `num_warps` a power of two from 1 to
    32, `num_stages` how deep loops are pipelined unless they say so themselves.

        tile.func @add(%x: !tile.ptr<f32> {tile.name = "x_ptr", tile.divisibility = 16 : i32},
                       %n: si32 {tile.name = "n"}) attributes {num_warps = 4 : i32} {
          tile.return
        }
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs,
    OptionalAttr<StrAttr>:$target,
    OptionalAttr<I32Attr>:$num_warps,
    OptionalAttr<I32Attr>:$num_stages
  );
  let regions = (region AnyRegion:$body);
  let builders = [
    /// With an entry block that has the function's arguments, and no terminator.
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
                   CArg<"bool", "true">:$isPublic)>
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    bool isKernel() { return isPublic(); }
    /// The parameter's name in the source, or empty.
    ::llvm::StringRef argumentName(unsigned index);
    /// What the argument is known to be a multiple of; 1 when nothing is known.
    int64_t argumentDivisibility(unsigned index);
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_ReturnOp : Tile_Op<"return", [Pure, Terminator, ReturnLike, HasParent<"FuncOp">]> {
  let summary = "ends a function";
  let description = [{Its operands are the results of the function, in number and type.}];
  let arguments = (ins Variadic<Tile_Value>:$operands);
  let builders = [OpBuilder<(ins), [{ /* no operands */ }]>];
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
  let hasVerifier = 1;
}

def Tile_CallOp : Tile_Op<"call", [CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "calls a private function";
  let description = [{
    The operands and results are those of the function named. Recursion is an error of the frontend; the
    inliner leaves a recursive call alone.

        %y = tile.call @gelu(%x) : (!tile.tile<64xf32>) -> !tile.tile<64xf32>
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<Tile_Value>:$operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let results = (outs Variadic<Tile_Value>:$results);
  let builders = [
    OpBuilder<(ins "FuncOp":$callee, CArg<"::mlir::ValueRange", "{}">:$operands)>
  ];
  let extraClassDeclaration = [{
    operand_range getArgOperands() { return getOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getOperandsMutable(); }
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
  }];
  let assemblyFormat = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, $results)";
}

def Tile_ConstantOp : Tile_Op<"constant", [
    Pure, ConstantLike, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a number, or a tile that holds it everywhere";
  let description = [{
    `value` is an integer or float attribute of the element type; the result is that scalar, or a tile
    of it. i1 is `true` or `false`.

        %0 = tile.constant 5 : si32
        %1 = tile.constant 0.0 : f32 -> !tile.tile<64x64xf32>
  }];
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs Tile_Number:$result);
  let builders = [
    OpBuilder<(ins "::mlir::TypedAttr":$value), [{ build($_builder, $_state, value.getType(), value); }]>
  ];
  let assemblyFormat = "$value `` custom<SplatType>(ref($value), type($result)) attr-dict";
  let hasFolder = 1;
  let hasVerifier = 1;
}

class Tile_GridOp<string mnemonic> : Tile_Op<mnemonic, [Pure]> {
  let arguments = (ins Tile_AxisAttr:$axis);
  let results = (outs SI32:$result);
  let assemblyFormat = "`` $axis attr-dict";
}
def Tile_ProgramIdOp : Tile_GridOp<"program_id"> {
  let summary = "the program's place on an axis of the grid, from 0";
}
def Tile_NumProgramsOp : Tile_GridOp<"num_programs"> {
  let summary = "how many programs an axis of the grid has";
}

def Tile_MakeRangeOp : Tile_Op<"make_range", [Pure]> {
  let summary = "start, start + 1, … end - 1";
  let description = [{
    The result is a tile of one dimension with `end - start` elements of si32; that difference is a power
    of two (`tl.arange`).

        %0 = tile.make_range 0 to 128 : !tile.tile<128xsi32>
  }];
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs Tile_AnyTile:$result);
  let builders = [OpBuilder<(ins "int32_t":$start, "int32_t":$end)>];
  let assemblyFormat = "$start `to` $end attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

#endif // TILESCOPE_TILE_FUNCTION_OPS
