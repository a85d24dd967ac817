// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile.map: each thread calls the function for the groups of elements that it holds. The layout has the elements of a
// group in registers of one thread (tile::holdsPacks).
#include "compiler/Conversion/TileToLLVM/ByElement.h"
#include "compiler/Conversion/TileToLLVM/Operations.h"
#include "compiler/Dialect/Tile/IR/TileLayout.h"

namespace tilescope::codegen {

void emit(Emitter &e, tile::MapOp op) {
  const layout::LinearLayout &map = Emitter::mapOf(op.getResult(0).getType());
  if (!tile::holdsPacks(map, op.getPack()))
    return e.unsupported(op, "elements of one call in several threads");
  const uint64_t pack = op.getPack();
  std::vector<ByElement> operands;
  for (mlir::Value operand : op.getOperands())
    operands.emplace_back(e, operand);
  const uint64_t registers = map.inputSize(layout::Dim::Register);
  std::vector<Registers> results(op->getNumResults(), Registers(registers));
  llvm::DenseMap<uint64_t, unsigned> registerOf;
  for (unsigned reg = 0; reg < registers; ++reg)
    registerOf[map.apply(reg)] = reg;
  for (unsigned reg = 0; reg < registers; ++reg) {
    const uint64_t first = map.apply(reg);
    if (first % pack != 0)
      continue;
    llvm::SmallVector<llvm::Value *> arguments;
    for (const ByElement &operand : operands)
      for (uint64_t i = 0; i < pack; ++i)
        arguments.push_back(operand.at(first + i));
    for (auto [index, value] : llvm::enumerate(e.inlined(*op.functionBlock(), arguments)))
      results[index / pack][registerOf.lookup(first + index % pack)] = value;
  }
  for (auto [result, values] : llvm::zip_equal(op.getResults(), results))
    e.define(result, std::move(values));
}

} // namespace tilescope::codegen
