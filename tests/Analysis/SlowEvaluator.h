// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers and addresses of a small kernel, computed one element after another as the dialect defines the
// operations: what tests hold analyses to.
#pragma once

#include "compiler/Dialect/Tile/IR/Tile.h"

#include <functional>
#include <optional>

namespace tilescope::analysis::test {

/// Of a scalar (no dimensions, one element) or a tile, row-major. Truth is 0 or 1, a pointer its address.
struct Numbers {
  llvm::SmallVector<int64_t> shape;
  std::vector<int64_t> elements;
};

/// Nothing for what has no numbers: floats, what was loaded, what has overflowed or was divided by zero.
using Known = std::optional<Numbers>;

class SlowEvaluator {
public:
  using Visit = std::function<void(mlir::Value, const Numbers &)>;
  using Step = std::function<void(mlir::Operation *)>;

  /// One program of the kernel. `visit` sees every number that comes up, in a loop once for each trip.
  SlowEvaluator(int64_t program, Visit visit) : m_program(program), m_visit(std::move(visit)) {}
  /// `step` sees every operation before it is run.
  void onEachOperation(Step step) { m_step = std::move(step); }
  void run(tile::FuncOp kernel, llvm::ArrayRef<int64_t> arguments);
  /// The latest numbers of a value.
  const Known &of(mlir::Value value) const { return m_numbers.find(value)->second; }

private:
  void run(mlir::Block &block);
  void run(mlir::Operation *op);
  void runFor(tile::ForOp loop);
  void runWhile(tile::WhileOp loop);
  void runIf(tile::IfOp branch);
  Known compute(mlir::Operation *op);
  Known elementwise(mlir::Operation *op);
  void set(mlir::Value value, Known numbers);
  void setAll(mlir::ValueRange values, llvm::ArrayRef<Known> numbers);
  std::vector<Known> all(mlir::ValueRange values) const;

  int64_t m_program;
  Visit m_visit;
  Step m_step = [](mlir::Operation *) {};
  llvm::DenseMap<mlir::Value, Known> m_numbers;
};

/// Calls visit(coordinates, row-major number) for each element of a shape.
void forEachElement(llvm::ArrayRef<int64_t> shape,
                    llvm::function_ref<void(llvm::ArrayRef<int64_t>, int64_t)> visit);

} // namespace tilescope::analysis::test
