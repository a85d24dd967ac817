// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Interpreter/Harness.h"

#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"
#include "compiler/Interpreter/Flatten.h"

#include <mlir/IR/MLIRContext.h>
#include <mlir/Parser/Parser.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace tilescope::interp::test {

std::shared_ptr<const Kernel> kernelOf(const std::string &ir, Diagnostics &diagnostics, bool contracts) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  const auto file = std::make_shared<SourceFile>("kernel.mlir", ir);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(ir, &context, "kernel.mlir");
  if (!module)
    return nullptr;
  if (contracts)
    for (tile::FuncOp function : module->getOps<tile::FuncOp>())
      tile::contract(function);
  return flatten(*module, [&](std::string_view) { return file; }, diagnostics);
}

std::string kernelText(const std::string &name) {
  std::ifstream file(std::string(TILESCOPE_SOURCE_DIR "/tests/Interpreter/kernels/") + name + ".mlir");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

float fromHalf(uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31)
    return mantissa ? std::nanf("") : static_cast<float>(sign * INFINITY);
  return static_cast<float>(
      sign * (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25)));
}

/// The nearest of all patterns, ties to the even one.
uint16_t toHalf(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (magnitude >= 65520)
    return sign | 0x7c00;
  uint16_t low = 0, high = 0x7bff;
  while (low < high) {
    const auto middle = static_cast<uint16_t>((low + high + 1) / 2);
    if (fromHalf(middle) <= magnitude)
      low = middle;
    else
      high = static_cast<uint16_t>(middle - 1);
  }
  const double below = magnitude - fromHalf(low),
               above = (low == 0x7bff ? 65536.0 : fromHalf(low + 1)) - magnitude;
  return sign | static_cast<uint16_t>(above < below || (above == below && low % 2) ? low + 1 : low);
}

} // namespace tilescope::interp::test
