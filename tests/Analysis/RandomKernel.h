// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of random integer operations, for tests that hold an analysis to what comes out.
#pragma once

#include "compiler/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <random>

namespace tilescope::analysis::test {

/// One kernel with four arguments: a pointer and an integer that are multiples of 16, an integer and a
/// pointer that are anything. Powers of two, ranges and splats are frequent in it, since about other numbers
/// nothing is known.
class RandomKernel {
public:
  RandomKernel(mlir::MLIRContext &context, unsigned seed);

  tile::FuncOp function() { return m_function; }
  mlir::ModuleOp module() { return *m_module; }
  /// Arguments that keep their promises.
  llvm::SmallVector<int64_t> arguments();

private:
  void addOperations(unsigned count);
  void addOne();
  void addRange();
  void addConstant();
  void addBinary();
  void addUnary();
  void addChoice();
  void addShape();
  void addCast();
  void addPointer();
  void addControl();
  void addIf(mlir::Value condition, mlir::Value value);
  void addFor(mlir::Value value);

  unsigned below(unsigned bound) { return unsigned(m_random() % bound); }
  mlir::Type integerType();
  mlir::Value constant(mlir::Type type, int64_t number);
  /// Any value of which `accept` holds; null if there is none.
  mlir::Value pick(llvm::function_ref<bool(mlir::Value)> accept);
  mlir::Value pickInteger();
  mlir::Value pickOf(mlir::Type type);
  template <typename Op, typename... Operands> mlir::Value add(Operands &&...operands) {
    mlir::Value result =
        Op::create(m_builder, m_builder.getUnknownLoc(), std::forward<Operands>(operands)...);
    m_pool.push_back(result);
    return result;
  }

  std::minstd_rand m_random;
  mlir::OpBuilder m_builder;
  mlir::OwningOpRef<mlir::ModuleOp> m_module;
  tile::FuncOp m_function;
  std::vector<mlir::Value> m_pool; ///< what may be used here
  unsigned m_depth = 0;
};

} // namespace tilescope::analysis::test
