// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect itself, its memory resource, and the base classes of its operations. Read
// compiler/docs/dialect-tile.md first.
#ifndef TILESCOPE_TILE_BASE
#define TILESCOPE_TILE_BASE

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tilescope::tile";
  let summary = "Kernels over tiles, as their source says them";
  let description = [{
    One program of a kernel: scalars, tiles (values of many elements) and pointers, with structured
    control flow. The first stage has no layouts and keeps names and spans; the second has a layout on
    every tile type. No operation has poison or undefined behaviour that a pass may exploit.

    Attributes on function arguments: `tile.name` (string, the parameter's name in the source) and
    `tile.divisibility` (i32, a power of two that the pointer's address or the integer is known to be a
    multiple of).
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

/// Memory that every program of a launch sees.
def Tile_GlobalMemory : Resource<"::tilescope::tile::GlobalMemory">;
/// What a person sees: printed lines and failed assertions.
def Tile_Console : Resource<"::tilescope::tile::Console">;

/// Memory that the threads of one program share.
def Tile_SharedMemory : Resource<"::tilescope::tile::SharedMemory">;

/// All operands and results have one shape, and each element of the result depends on the elements at
/// the same place only. Scalars count as the shape without dimensions.
def Tile_Elementwise : NativeOpTrait<"Elementwise"> {
  let cppNamespace = "::tilescope::tile::trait";
}
/// Says which operand differs in type and how; goes before SameOperandsAndResultType, which only says
/// that something does.
def Tile_OneType : NativeOpTrait<"OneType"> {
  let cppNamespace = "::tilescope::tile::trait";
}

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

/// An operand's type follows from another's when the text is parsed; the verifier of the operation says
/// in words what differs.
class Tile_Follows<string from, string to, string transform>
    : TypesMatchWith<to # " follows from " # from, from, to, transform,
                     "::tilescope::tile::saidByVerifier">;
/// The same for an operand that may be missing.
class Tile_MayFollow<string from, string to, string transform>
    : OptionalTypesMatchWith<to # " follows from " # from, from, to, transform,
                             "::tilescope::tile::saidByVerifier">;
/// The result's type follows from an operand's (and the builder infers it).
class Tile_Gives<string from, string transform>
    : TypesMatchWith<"the result follows from " # from, from, "result", transform>;

#endif // TILESCOPE_TILE_BASE
