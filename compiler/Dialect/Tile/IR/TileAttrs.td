// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerations that operations carry. They print as one bare word with a space before it, so that formats put
// `` in front.
#ifndef TILESCOPE_TILE_ATTRS
#define TILESCOPE_TILE_ATTRS

include "compiler/Dialect/Tile/IR/TileBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tilescope::tile";
  let genSpecializedAttr = 0;
}
class Tile_EnumAttr<EnumInfo enum, string mnemonic> : EnumAttr<Tile_Dialect, enum, mnemonic> {
  let assemblyFormat = "$value";
}

/// Where an address lies. Stage one knows global memory only.
def Tile_AddressSpace : Tile_Enum<"AddressSpace", "address space", [
  I32EnumAttrCase<"Global", 0, "global">, I32EnumAttrCase<"Shared", 1, "shared">
]>;

/// An axis of the grid of programs.
def Tile_Axis : Tile_Enum<"Axis", "axis of the grid", [
  I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">, I32EnumAttrCase<"Z", 2, "z">
]>;
def Tile_AxisAttr : Tile_EnumAttr<Tile_Axis, "axis">;

def Tile_Predicate : Tile_Enum<"Predicate", "comparison", [
  I32EnumAttrCase<"Eq", 0, "eq">, I32EnumAttrCase<"Ne", 1, "ne">, I32EnumAttrCase<"Lt", 2, "lt">,
  I32EnumAttrCase<"Le", 3, "le">, I32EnumAttrCase<"Gt", 4, "gt">, I32EnumAttrCase<"Ge", 5, "ge">
]>;
def Tile_PredicateAttr : Tile_EnumAttr<Tile_Predicate, "predicate">;

/// How a cast to a narrower float rounds: to nearest, ties to even; or towards zero.
def Tile_Rounding : Tile_Enum<"Rounding", "rounding mode", [
  I32EnumAttrCase<"NearestEven", 0, "rtne">, I32EnumAttrCase<"TowardZero", 1, "rtz">
]>;
def Tile_RoundingAttr : Tile_EnumAttr<Tile_Rounding, "rounding">;

/// PTX ISA, "Cache operators": a hint, never a change of meaning.
def Tile_Cache : Tile_Enum<"Cache", "cache modifier", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Ca", 1, "ca">, I32EnumAttrCase<"Cg", 2, "cg">,
  I32EnumAttrCase<"Wb", 3, "wb">, I32EnumAttrCase<"Cs", 4, "cs">, I32EnumAttrCase<"Wt", 5, "wt">,
  I32EnumAttrCase<"Cv", 6, "cv">
]>;
def Tile_CacheAttr : Tile_EnumAttr<Tile_Cache, "cache">;

def Tile_Eviction : Tile_Enum<"Eviction", "eviction policy", [
  I32EnumAttrCase<"Normal", 0, "evict_normal">, I32EnumAttrCase<"First", 1, "evict_first">,
  I32EnumAttrCase<"Last", 2, "evict_last">
]>;
def Tile_EvictionAttr : Tile_EnumAttr<Tile_Eviction, "eviction">;

def Tile_AtomicKind : Tile_Enum<"AtomicKind", "atomic operation", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">, I32EnumAttrCase<"Min", 2, "min">,
  I32EnumAttrCase<"And", 3, "and">, I32EnumAttrCase<"Or", 4, "or">, I32EnumAttrCase<"Xor", 5, "xor">,
  I32EnumAttrCase<"Exchange", 6, "xchg">
]>;
def Tile_AtomicKindAttr : Tile_EnumAttr<Tile_AtomicKind, "atomic">;

def Tile_MemoryOrder : Tile_Enum<"MemoryOrder", "order of memory", [
  I32EnumAttrCase<"Relaxed", 0, "relaxed">, I32EnumAttrCase<"Acquire", 1, "acquire">,
  I32EnumAttrCase<"Release", 2, "release">, I32EnumAttrCase<"AcquireRelease", 3, "acq_rel">
]>;
def Tile_MemoryOrderAttr : Tile_EnumAttr<Tile_MemoryOrder, "order">;

def Tile_MemoryScope : Tile_Enum<"MemoryScope", "who sees an atomic as such", [
  I32EnumAttrCase<"Block", 0, "cta">, I32EnumAttrCase<"Gpu", 1, "gpu">, I32EnumAttrCase<"System", 2, "sys">
]>;
def Tile_MemoryScopeAttr : Tile_EnumAttr<Tile_MemoryScope, "scope">;

/// What an element outside of its tensor reads as, where the access checks it.
def Tile_Padding : Tile_Enum<"Padding", "padding", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Zero", 1, "zero">, I32EnumAttrCase<"NaN", 2, "nan">
]>;
def Tile_PaddingAttr : Tile_EnumAttr<Tile_Padding, "padding">;

/// Formats of the operands of a scaled product (OCP Microscaling Formats): with e2m1 two elements share a byte.
def Tile_ScaleFormat : Tile_Enum<"ScaleFormat", "format of an operand of a scaled product", [
  I32EnumAttrCase<"E2M1", 0, "e2m1">, I32EnumAttrCase<"E4M3", 1, "e4m3">, I32EnumAttrCase<"E5M2", 2, "e5m2">,
  I32EnumAttrCase<"BF16", 3, "bf16">, I32EnumAttrCase<"FP16", 4, "fp16">
]>;
def Tile_ScaleFormatAttr : Tile_EnumAttr<Tile_ScaleFormat, "scale_format">;

/// How a product of f32 operands may be computed on tensor cores: rounded to TF32, three products of
/// TF32 or of bf16 parts, or as IEEE fp32. Operands of other types ignore it.
def Tile_InputPrecision : Tile_Enum<"InputPrecision", "precision of the operands of a product", [
  I32EnumAttrCase<"Tf32", 0, "tf32">, I32EnumAttrCase<"Tf32x3", 1, "tf32x3">,
  I32EnumAttrCase<"Ieee", 2, "ieee">, I32EnumAttrCase<"Bf16x3", 3, "bf16x3">,
  I32EnumAttrCase<"Bf16x6", 4, "bf16x6">
]>;
def Tile_InputPrecisionAttr : Tile_EnumAttr<Tile_InputPrecision, "input_precision">;

/// Where the elements of a tile or of a buffer live.
def Tile_LinearMap : AttrParameter<"::tilescope::layout::LinearLayout", "a linear map over F2",
                                   "const ::tilescope::layout::LinearLayout &">;
def Tile_LayoutAttr : AttrDef<Tile_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "which thread holds which element, or which offset";
  let description = [{
    One linear map (compiler/Layout/LinearLayout.h) from register, lane and warp, or from an offset in elements, to the
    dimensions of a tile. For each bit of an input it says what that bit adds to the coordinates. Printed with an alias
    by what it is recognised as (`#blocked`, `#mma`, `#shared` …), which is no part of it.

        #tile.layout<64x32, {register = [[0, 1]], lane = [[0, 2], [0, 4]], warp = []}>
  }];
  let parameters = (ins Tile_LinearMap:$map);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // TILESCOPE_TILE_ATTRS
