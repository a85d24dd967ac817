// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, element by element. Whether it is signed stands in the element type; i1 counts as an
// unsigned integer of one bit. Integer results wrap. Operands have one type: the frontend has promoted,
// splat and broadcast before. Every result is defined for defined operands, but for what is said below
// of a division by zero, which the interpreter reports.
#ifndef TILESCOPE_TILE_ARITHMETIC_OPS
#define TILESCOPE_TILE_ARITHMETIC_OPS

include "compiler/Dialect/Tile/IR/TileTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class Tile_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, [Pure, Tile_Elementwise] # traits>;

//===- One operand --------------------------------------------------------------------------------===//

class Tile_UnaryOp<string mnemonic, Type type, string what>
    : Tile_ElementwiseOp<mnemonic, [Tile_OneType, SameOperandsAndResultType]> {
  let summary = what;
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def Tile_NegOp : Tile_UnaryOp<"neg", Tile_Number, "-x; of an integer 0 - x, of a float its sign turned"> {
  let hasFolder = 1;
}
def Tile_NotOp : Tile_UnaryOp<"not", Tile_Integer, "every bit turned; of i1 logical not"> {
  let hasFolder = 1;
}
def Tile_AbsOp : Tile_UnaryOp<"abs", Tile_Number, "|x|; the least signed integer stays as it is">;
def Tile_FloorOp : Tile_UnaryOp<"floor", Tile_Float, "the nearest whole number that is not greater">;
def Tile_CeilOp : Tile_UnaryOp<"ceil", Tile_Float, "the nearest whole number that is not less">;
def Tile_TruncOp : Tile_UnaryOp<"trunc", Tile_Float, "the nearest whole number towards zero">;
def Tile_RoundOp : Tile_UnaryOp<"round", Tile_Float, "the nearest whole number, halves to even">;
def Tile_SqrtOp : Tile_UnaryOp<"sqrt", Tile_Float, "square root; NaN below zero"> {
  let description = [{`precise` asks for IEEE rounding (`tl.sqrt_rn`); without it a GPU may approximate.}];
  let arguments = (ins Tile_Float:$operand, UnitAttr:$precise);
  let assemblyFormat = "$operand (`precise` $precise^)? attr-dict `:` type($result)";
}
def Tile_RsqrtOp : Tile_UnaryOp<"rsqrt", Tile_Float, "1 / square root">;
def Tile_ExpOp : Tile_UnaryOp<"exp", Tile_Float, "e to the power of x">;
def Tile_Exp2Op : Tile_UnaryOp<"exp2", Tile_Float, "2 to the power of x">;
def Tile_LogOp : Tile_UnaryOp<"log", Tile_Float, "natural logarithm; NaN below zero, -inf at zero">;
def Tile_Log2Op : Tile_UnaryOp<"log2", Tile_Float, "logarithm to base 2">;
def Tile_SinOp : Tile_UnaryOp<"sin", Tile_Float, "sine of radians">;
def Tile_CosOp : Tile_UnaryOp<"cos", Tile_Float, "cosine of radians">;
def Tile_TanhOp : Tile_UnaryOp<"tanh", Tile_Float, "hyperbolic tangent">;
def Tile_ErfOp : Tile_UnaryOp<"erf", Tile_Float, "error function">;

//===- Two operands -------------------------------------------------------------------------------===//

class Tile_BinaryOp<string mnemonic, Type type, string what, list<Trait> traits = []>
    : Tile_ElementwiseOp<mnemonic, [Tile_OneType, SameOperandsAndResultType] # traits> {
  let summary = what;
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Tile_AddOp : Tile_BinaryOp<"add", Tile_Number, "x + y", [Commutative]>;
def Tile_SubOp : Tile_BinaryOp<"sub", Tile_Number, "x - y">;
def Tile_MulOp : Tile_BinaryOp<"mul", Tile_Number, "x * y", [Commutative]> {
  let description = [{
    Whether a product and a sum of floats contract into one rounding is decided by a later pass, in this
    IR; `mul` and `add` by themselves round twice.
  }];
}
def Tile_MulHiOp : Tile_BinaryOp<"mulhi", Tile_Integer, "the upper half of the full product", [Commutative]>;
def Tile_DivOp : Tile_BinaryOp<"div", Tile_Number, "x / y, of integers towards zero"> {
  let description = [{
    Integers: as in C, towards zero (Triton's `//` on tensors); the least signed integer by -1 is itself.
    By zero it is an error that the interpreter reports, and all bits set is what it goes on with, as on
    the GPU. Floats: `precise` asks for IEEE rounding (`tl.div_rn`); without it a GPU may be off by two
    units in the last place.
  }];
  let arguments = (ins Tile_Number:$lhs, Tile_Number:$rhs, UnitAttr:$precise);
  let assemblyFormat = "$lhs `,` $rhs (`precise` $precise^)? attr-dict `:` type($result)";
}
def Tile_RemOp : Tile_BinaryOp<"rem", Tile_Number, "what a division towards zero leaves over"> {
  let description = [{
    x - y * trunc(x / y): of integers with the sign of x, and the least signed one by -1 leaves 0; an integer by zero is
    an error that the interpreter reports, and all bits set is what it goes on with. Of floats the quotient is rounded to the
    type, the rest is rounded once, and x by an infinity leaves x: so LLVM has it for GPUs, and C's `fmod` differs where
    x / y is too large to be exact.
  }];
}
def Tile_AndOp : Tile_BinaryOp<"and", Tile_Integer, "bitwise and", [Commutative, Idempotent]>;
def Tile_OrOp : Tile_BinaryOp<"or", Tile_Integer, "bitwise or", [Commutative, Idempotent]>;
def Tile_XorOp : Tile_BinaryOp<"xor", Tile_Integer, "bitwise exclusive or", [Commutative]>;
def Tile_ShlOp : Tile_BinaryOp<"shl", Tile_Integer, "x shifted left by y bits, zeros in"> {
  let description = [{
    y counts as unsigned; from the width of the type on the result is 0, as PTX `shl` has it.
  }];
}
def Tile_ShrOp : Tile_BinaryOp<"shr", Tile_Integer, "x shifted right by y bits"> {
  let description = [{
    Copies of the sign come in for a signed type, zeros for an unsigned one. y counts as unsigned; a y of
    the width of the type or more shifts every bit out (the result is 0 or -1), as PTX `shr` has it.
  }];
}

class Tile_ExtremumOp<string mnemonic, string what>
    : Tile_BinaryOp<mnemonic, Tile_Number, what, [Commutative]> {
  let description = [{
    Of a float and NaN: the float; with `propagate_nan`: NaN. -0 is less than +0 (IEEE 754-2019 minimumNumber,
    maximumNumber and minimum, maximum; PTX `min`, `max` and their `.NaN`).
  }];
  let arguments = (ins Tile_Number:$lhs, Tile_Number:$rhs, UnitAttr:$propagate_nan);
  let assemblyFormat = "$lhs `,` $rhs (`propagate_nan` $propagate_nan^)? attr-dict `:` type($result)";
}
def Tile_MinOp : Tile_ExtremumOp<"min", "the lesser">;
def Tile_MaxOp : Tile_ExtremumOp<"max", "the greater">;

def Tile_CmpOp : Tile_ElementwiseOp<"cmp", [
    Tile_Gives<"lhs", "::tilescope::tile::booleanLike($_self)">, Tile_Follows<"lhs", "rhs", "$_self">]> {
  let summary = "compares, to i1";
  let description = [{
    `eq ne lt le gt ge`, signed or unsigned as the type says; pointers compare as unsigned addresses. A
    comparison with NaN is false, but for `ne`, which is true.

        %m = tile.cmp lt, %offsets, %n : !tile.tile<128xsi32>
  }];
  let arguments = (ins Tile_PredicateAttr:$predicate, Tile_Value:$lhs, Tile_Value:$rhs);
  let results = (outs Tile_Boolean:$result);
  let assemblyFormat = "`` $predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===- Three operands -----------------------------------------------------------------------------===//

def Tile_SelectOp : Tile_ElementwiseOp<"select", [
    Tile_Gives<"onTrue", "$_self">, Tile_Follows<"onTrue", "onFalse", "$_self">,
    Tile_Follows<"onTrue", "condition", "::tilescope::tile::booleanLike($_self)">]> {
  let summary = "one of two values, element by element (`tl.where`)";
  let description = [{
    Both values are computed. The condition has the shape of the result.

        %r = tile.select %c, %a, %b : !tile.tile<64xf32>
  }];
  let arguments = (ins Tile_Boolean:$condition, Tile_Value:$onTrue, Tile_Value:$onFalse);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$condition `,` $onTrue `,` $onFalse attr-dict `:` type($onTrue)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_FmaOp : Tile_ElementwiseOp<"fma", [Tile_OneType, SameOperandsAndResultType]> {
  let summary = "x * y + z, rounded once";
  let arguments = (ins Tile_Float:$x, Tile_Float:$y, Tile_Float:$z);
  let results = (outs Tile_Float:$result);
  let assemblyFormat = "$x `,` $y `,` $z attr-dict `:` type($result)";
}

def Tile_ClampOp : Tile_ElementwiseOp<"clamp", [Tile_OneType, SameOperandsAndResultType]> {
  let summary = "min(max(x, low), high)";
  let description = [{
    With x NaN: `low`; with `propagate_nan`: NaN. What comes out when low > high is `high`.
  }];
  let arguments = (ins Tile_Float:$operand, Tile_Float:$low, Tile_Float:$high, UnitAttr:$propagate_nan);
  let results = (outs Tile_Float:$result);
  let assemblyFormat = "$operand `,` $low `,` $high (`propagate_nan` $propagate_nan^)? attr-dict "
                       "`:` type($result)";
}

//===- Casts --------------------------------------------------------------------------------------===//

class Tile_CastLikeOp<string mnemonic, Type from, Type to, list<Trait> traits = []>
    : Tile_ElementwiseOp<mnemonic, traits> {
  let arguments = (ins from:$operand);
  let results = (outs to:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_CastOp : Tile_CastLikeOp<"cast", Tile_Number, Tile_Number> {
  let summary = "the same value in another element type";
  let description = [{
    - integer to integer: the low bits, or extended by the sign of the operand's type;
    - i1 from any number: whether it is not zero (NaN is); i1 to any number: 0 or 1;
    - integer to float: to nearest, ties to even;
    - float to integer: towards zero and, outside of the range, to its nearest end, in 32 bits (64 for a
      64-bit result), of which the low bits are taken; NaN is 0 (PTX `cvt.rzi`);
    - float to float: widening is exact; narrowing rounds as `rounding` says, past the range to infinity. To
      an 8-bit float, and with `saturate` to any, past the range to the greatest finite value.

    With `saturate` integers, too, go to the nearest end of the result's range.

        %1 = tile.cast %0 : !tile.tile<64xf32> -> !tile.tile<64xf16>
        %3 = tile.cast %2 rounding = rtz : f32 -> bf16
  }];
  let arguments = (ins Tile_Number:$operand,
                       DefaultValuedAttr<Tile_RoundingAttr,
                                         "::tilescope::tile::Rounding::NearestEven">:$rounding,
                       UnitAttr:$saturate);
  let assemblyFormat = "$operand oilist(`rounding` `=` `` $rounding | `saturate` $saturate) attr-dict "
                       "`:` type($operand) `->` type($result)";
}

def Tile_BitcastOp : Tile_CastLikeOp<"bitcast", Tile_Value, Tile_Value> {
  let summary = "the same bits as another type";
  let description = [{Element types of one width, or two pointers (the pointee changes, the address stays).}];
}

def Tile_IntToPtrOp : Tile_CastLikeOp<"int_to_ptr", Tile_Integer, Tile_Address> {
  let summary = "an integer of 64 bits as an address";
  let description = [{Where it points is found again by its address, or it points to no tensor.}];
}

def Tile_PtrToIntOp : Tile_CastLikeOp<"ptr_to_int", Tile_Address, Tile_Integer> {
  let summary = "an address as an integer of 64 bits";
}

def Tile_AddPtrOp : Tile_ElementwiseOp<"addptr", [AllTypesMatch<["pointer", "result"]>]> {
  let summary = "a pointer moved by elements";
  let description = [{
    The address plus `offset` times the size of the pointee (one byte for i1, 8 for a pointer), modulo 2^64;
    the offset is extended to 64 bits by its sign first.

        %1 = tile.addptr %0, %offsets : !tile.tile<64x!tile.ptr<f32>>, !tile.tile<64xsi32>
  }];
  let arguments = (ins Tile_Address:$pointer, Tile_Integer:$offset);
  let results = (outs Tile_Address:$result);
  let assemblyFormat = "$pointer `,` $offset attr-dict `:` type($pointer) `,` type($offset)";
  let hasFolder = 1;
}

#endif // TILESCOPE_TILE_ARITHMETIC_OPS
