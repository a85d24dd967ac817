// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What random kernels are made of: choices, values in scope, constants, addresses. RandomKernel.cpp chooses
// operations, RandomLoops.cpp loops and products.
#pragma once

#include "tests/Interpreter/RandomKernel.h"

#include <mlir/IR/Builders.h>

#include <random>

namespace tilescope::interp::test {

using Shape = llvm::SmallVector<int64_t, 3>;

class RandomBuilder {
public:
  RandomBuilder(mlir::MLIRContext &context, uint32_t seed, const RandomTarget &target);
  mlir::OwningOpRef<mlir::ModuleOp> run();

private:
  //===- Choices -----------------------------------------------------------------------------------===//
  uint32_t pick(uint32_t count) { return static_cast<uint32_t>(m_random() % count); }
  bool chance(uint32_t percent) { return pick(100) < percent; }
  template <typename T> T oneOf(std::initializer_list<T> values) {
    return values.begin()[pick(values.size())];
  }
  Shape shape();
  mlir::Type numberType() { return m_elements[pick(RandomElementTypes)]; }

  //===- Values ------------------------------------------------------------------------------------===//
  mlir::Value integer(int64_t value) { return constant(m_si32, value); }
  /// A number, or a tile of it.
  mlir::Value constant(mlir::Type type, int64_t value);
  mlir::Value splat(mlir::Value scalar, llvm::ArrayRef<int64_t> shape);
  mlir::Value cast(mlir::Value value, mlir::Type element);
  /// 0, 1 … along `dim` of a tile of `shape`, times `stride`.
  mlir::Value along(llvm::ArrayRef<int64_t> shape, unsigned dim, int64_t stride);
  /// Different numbers below the number of elements, in an order of dimensions at random.
  mlir::Value numbers(llvm::ArrayRef<int64_t> shape);
  mlir::Value pointers(mlir::Value base, mlir::Value offsets);
  mlir::Value mask(llvm::ArrayRef<int64_t> shape);
  mlir::Value load(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  mlir::Value blockLoad(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  mlir::Value index(llvm::ArrayRef<int64_t> shape);
  /// One that is in scope, or a new one.
  mlir::Value tile(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  mlir::Value anyTile();
  mlir::Value condition();
  mlir::Value input(mlir::Type element) { return m_function.getArgument(2 * number(element)); }
  unsigned number(mlir::Type element);
  void add(mlir::Value value) { m_scope.push_back(value); }

  //===- Operations --------------------------------------------------------------------------------===//
  void operation(unsigned depth);
  void elementwise();
  void moveElements();
  void combine();
  void joinOrSplit();
  void gather();
  void scalarLoad();
  void store(mlir::Value value);
  void atomic();
  void blockStore();
  mlir::Value combined(mlir::Type element, mlir::Value a, mlir::Value b, unsigned kind);

  //===- Loops and products ------------------------------------------------------------------------===//
  void forLoop(unsigned depth);
  void whileLoop(unsigned depth);
  void branch(unsigned depth);
  void body(unsigned depth, llvm::ArrayRef<mlir::Value> start, llvm::ArrayRef<mlir::Type> results,
            mlir::Value first = {});
  void product();
  void productLoop();
  struct Bounds {
    mlir::Value lower, upper, step;
  };
  Bounds bounds();
  struct Factors {
    mlir::Type element, sum;
    int64_t batch = 1, m = 16, n = 16, k = 16;
    Shape shape(int64_t rows, int64_t columns) const {
      return batch > 1 ? Shape{batch, rows, columns} : Shape{rows, columns};
    }
  };
  Factors factors();
  mlir::Value dot(const Factors &factors, mlir::Value a, mlir::Value b, mlir::Value sum);
  struct Fetched {
    Shape shape;
    bool transposed = false, isCast = false;
    mlir::Type element;
    mlir::Value offsets;
  };
  Fetched fetchPlan(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  mlir::Value fetch(const Fetched &plan, mlir::Value base, mlir::Value trip, unsigned kDim);

  mlir::OpBuilder m_builder;
  mlir::Location m_location;
  std::mt19937 m_random;
  mlir::OwningOpRef<mlir::ModuleOp> m_module;
  tile::FuncOp m_function;
  mlir::Type m_si32, m_i1;
  llvm::SmallVector<mlir::Type> m_elements;
  std::vector<mlir::Value> m_scope;
  mlir::Value m_program, m_outputBegin;
  int64_t m_stored = 0; ///< elements of each output that are used up
};

} // namespace tilescope::interp::test
