// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the dialect; inlining; attributes on function arguments.
#include "compiler/Dialect/Tile/IR/Tile.h"

#include "compiler/Layout/Kind.h"

#include "mlir/Transforms/InliningUtils.h"

#include "llvm/Support/MathExtras.h"

#include "compiler/Dialect/Tile/IR/TileDialect.cpp.inc"

using namespace mlir;

namespace tilescope::tile {
namespace {

/// Every operation of the dialect may be inlined: none depends on the function around it.
struct TileInliner final : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *callable, bool wouldBeCloned) const override {
    return true;
  }
  bool isLegalToInline(Region *into, Region *from, bool wouldBeCloned, IRMapping &) const override {
    return true;
  }
  bool isLegalToInline(Operation *op, Region *into, bool wouldBeCloned, IRMapping &) const override {
    return true;
  }

  void handleTerminator(Operation *terminator, ValueRange results) const override {
    for (auto [result, operand] : llvm::zip_equal(results, terminator->getOperands()))
      result.replaceAllUsesWith(operand);
  }
};

/// A layout is printed once, above the module, under a name that says what it is.
struct LayoutAliases final : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &stream) const override {
    auto layout = dyn_cast<LayoutAttr>(attribute);
    if (!layout)
      return AliasResult::NoAlias;
    stream << layout::kind(layout.getMap());
    return AliasResult::FinalAlias;
  }
};

} // namespace

void TileDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "compiler/Dialect/Tile/IR/TileFunctionOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "compiler/Dialect/Tile/IR/TileShapeOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "compiler/Dialect/Tile/IR/TileArithmeticOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "compiler/Dialect/Tile/IR/TileMemoryOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "compiler/Dialect/Tile/IR/TileBlockOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "compiler/Dialect/Tile/IR/TileControlOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "compiler/Dialect/Tile/IR/TileForeignOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "compiler/Dialect/Tile/IR/TileSharedOps.cpp.inc"
      >();
  addInterfaces<TileInliner, LayoutAliases>();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location location) {
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed || typed.getType() != elementTypeOf(type))
    return nullptr;
  return ConstantOp::create(builder, location, type, typed);
}

LogicalResult TileDialect::verifyRegionArgAttribute(Operation *op, unsigned region, unsigned argument,
                                                    NamedAttribute attribute) {
  StringAttr name = attribute.getName();
  if (name == argumentNameAttr && !isa<StringAttr>(attribute.getValue()))
    return op->emitOpError() << "argument " << argument << ": " << name << " is not a string";
  if (name == argumentDivisibilityAttr) {
    auto value = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!value || value.getInt() < 1 || !llvm::isPowerOf2_64(value.getInt()))
      return op->emitOpError() << "argument " << argument << ": " << name << " is " << attribute.getValue()
                               << ", not a power of two";
  }
  return success();
}

} // namespace tilescope::tile
