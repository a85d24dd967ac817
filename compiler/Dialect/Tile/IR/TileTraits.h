// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traits of tile operations. Each verifies and says which operand or result differs.
#pragma once

#include "mlir/IR/OpDefinition.h"

namespace tilescope::tile::trait {

mlir::LogicalResult verifyOneShape(mlir::Operation *op);
mlir::LogicalResult verifyOneType(mlir::Operation *op);

/// All operands and results have one shape; elements depend on the elements at the same place only.
template <typename ConcreteOp> struct Elementwise : mlir::OpTrait::TraitBase<ConcreteOp, Elementwise> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return verifyOneShape(op); }
};

/// All operands and results have one type.
template <typename ConcreteOp> struct OneType : mlir::OpTrait::TraitBase<ConcreteOp, OneType> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return verifyOneType(op); }
};

} // namespace tilescope::tile::trait
