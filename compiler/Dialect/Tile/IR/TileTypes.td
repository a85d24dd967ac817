// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types. Scalars are MLIR's own: i1, si8 to si64, ui8 to ui64 (the sign stands in the type), f16, bf16,
// f32, f64 and the 8-bit floats. Here are tiles and pointers, and the constraints on operands.
//
// Of stage two: layouts on tile types, buffers in shared memory, tokens of asynchronous copies. Tensor
// descriptors are no type: see TileBlockOps.td.
#ifndef TILESCOPE_TILE_TYPES
#define TILESCOPE_TILE_TYPES

include "compiler/Dialect/Tile/IR/TileBase.td"
include "compiler/Dialect/Tile/IR/TileAttrs.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

class Tile_TypeDef<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Tile_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Tile_TileType : Tile_TypeDef<"Tile", "tile", [ShapedTypeInterface]> {
  let summary = "values of many elements, held by one program";
  let description = [{
    A shape of powers of two, at least one dimension, and an element type: an integer, a float, i1 or a
    pointer. `layout` says which thread holds which element; it is null in stage one.

        !tile.tile<128x64xf32>
        !tile.tile<256x!tile.ptr<f16>>
        !tile.tile<128x64xf32, #layout>
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
      OptionalParameter<"::tilescope::tile::LayoutAttr">:$layout);
  let builders = [TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                                     "::mlir::Type":$elementType,
                                                     CArg<"::tilescope::tile::LayoutAttr", "{}">:$layout),
                                                 [{
      return $_get(elementType.getContext(), shape, elementType, layout);
    }]>];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// A tile has a rank always.
    bool hasRank() const { return true; }
    /// The same type with another shape or element type, as ShapedType asks. The layout stays where the shape does.
    TileType cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape, ::mlir::Type elementType) const;
    TileType withLayout(LayoutAttr layout) const;
    /// How many elements: the product of the dimensions.
    int64_t elementCount() const { return ::mlir::ShapedType::getNumElements(getShape()); }
  }];
}

def Tile_PointerType : Tile_TypeDef<"Pointer", "ptr"> {
  let summary = "the address of an element";
  let description = [{
    An address of 64 bits. Arithmetic on it counts in elements of the pointee, which is an integer, a
    float, i1 (one byte in memory: zero is false, anything else true) or a pointer.

        !tile.ptr<f32>
        !tile.ptr<f32, shared>
  }];
  let parameters = (ins "::mlir::Type":$pointee,
      DefaultValuedParameter<EnumParameter<Tile_AddressSpace>.cppType,
                             "::tilescope::tile::AddressSpace::Global">:$addressSpace);
  let builders = [TypeBuilderWithInferredContext<
      (ins "::mlir::Type":$pointee,
          CArg<"::tilescope::tile::AddressSpace", "::tilescope::tile::AddressSpace::Global">:$addressSpace),
      [{
      return $_get(pointee.getContext(), pointee, addressSpace);
    }]>];
  let skipDefaultBuilders = 1;
  let assemblyFormat = "`<` $pointee (`,` $addressSpace^)? `>`";
  let genVerifyDecl = 1;
}

def Tile_BufferType : Tile_TypeDef<"Buffer", "buffer", [ShapedTypeInterface]> {
  let summary = "a tile in shared memory, which may be written";
  let description = [{
    `layout` maps an offset in elements to the tile. With `count` above 1 that many of them stand one behind the other,
    for a pipeline to turn over; `tile.shared_slot` picks one.

        !tile.buffer<64x32xf16, #shared>
        !tile.buffer<64x32xf16, #shared, 3>
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
      "::tilescope::tile::LayoutAttr":$layout, DefaultValuedParameter<"int64_t", "1">:$count);
  let builders = [TypeBuilderWithInferredContext<
      (ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
          "::tilescope::tile::LayoutAttr":$layout, CArg<"int64_t", "1">:$count),
      [{
      return $_get(elementType.getContext(), shape, elementType, layout, count);
    }]>];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool hasRank() const { return true; }
    BufferType cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape, ::mlir::Type elementType) const;
    /// One of them alone.
    BufferType slot() const { return get(getShape(), getElementType(), getLayout()); }
    int64_t elementCount() const { return ::mlir::ShapedType::getNumElements(getShape()); }
    /// Of one, and of all.
    int64_t slotBytes() const;
    int64_t bytes() const { return slotBytes() * getCount(); }
  }];
}

def Tile_TokenType : Tile_TypeDef<"Token", "token"> {
  let summary = "stands for asynchronous copies that may not have ended";
}

//===- Constraints: each admits a scalar and a tile of such elements ------------------------------===//

class Tile_Of<string predicate, string what>
    : Type<CPred<"::tilescope::tile::"#predicate#"(::tilescope::tile::elementTypeOf($_self))">,
           what#" or a tile of them", "::mlir::Type">;
class Tile_Scalar<string predicate, string what>
    : Type<CPred<"::tilescope::tile::"#predicate#"($_self)">, what, "::mlir::Type">;

def Tile_Value : Tile_Of<"isElement", "integer, float, i1 or pointer">;
def Tile_Number : Tile_Of<"isNumber", "integer, float or i1">;
def Tile_Integer : Tile_Of<"isInteger", "integer or i1">;
def Tile_Float : Tile_Of<"isFloat", "float">;
def Tile_Boolean : Tile_Of<"isBoolean", "i1">;
def Tile_Address : Tile_Of<"isPointer", "pointer">;

def Tile_ScalarValue : Tile_Scalar<"isElement", "integer, float, i1 or pointer">;
def Tile_ScalarAddress : Tile_Scalar<"isPointer", "pointer">;
def Tile_ScalarInteger : Tile_Scalar<"isWideInteger", "integer of 8 to 64 bits">;
def Tile_AnyTile
    : Type<CPred<"::llvm::isa<::tilescope::tile::TileType>($_self)">, "tile", "::tilescope::tile::TileType">;

/// What loops and branches carry.
def Tile_Carried
    : Type<CPred<"::tilescope::tile::isElement(::tilescope::tile::elementTypeOf($_self)) || "
                 "::llvm::isa<::tilescope::tile::TokenType, ::tilescope::tile::BufferType>($_self)">,
           "value, buffer or token", "::mlir::Type">;
def Tile_AnyBuffer : Type<CPred<"::llvm::isa<::tilescope::tile::BufferType>($_self)">, "buffer",
                          "::tilescope::tile::BufferType">;
def Tile_Token : Type<CPred<"::llvm::isa<::tilescope::tile::TokenType>($_self)">, "token",
                      "::tilescope::tile::TokenType">,
                 BuildableType<"::tilescope::tile::TokenType::get($_builder.getContext())">;

#endif // TILESCOPE_TILE_TYPES
