// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long it takes from a syntax tree to verified IR. Prints the median and the worst of many compiles of
// each kernel, each with a context of its own as a session has it, and exits with 1 if attention needs more
// than 10 ms or sorting 1,024 elements more than 30.
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "tests/Frontend/Kernels.h"
#include "tests/Frontend/Script.h"

#include <mlir/IR/MLIRContext.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace tilescope;
using namespace tilescope::frontend;

namespace {

ArgumentSpec argument(ArgumentSpec::Kind kind, ElementType element) { return {kind, element, true, {}}; }

Specialisation attentionArguments(const FunctionObject &kernel) {
  Specialisation result = inferSpecialisation(kernel);
  auto declared = parameters(*kernel.definition);
  for (size_t i = 0; i < declared.size(); ++i) {
    ArgumentSpec &spec = result.arguments[i];
    if (spec.kind == ArgumentSpec::Kind::Pointer && declared[i]->name != "m_ptr")
      spec = argument(ArgumentSpec::Kind::Pointer, ElementType::Float16);
    if (declared[i]->name == "STAGE")
      spec.constant = Value(3);
  }
  return result;
}

struct Timing {
  double median = 0, worst = 0;
  bool compiled = true;
};

Timing measure(const FunctionObject &kernel, const Specialisation &specialisation) {
  constexpr int runs = 200;
  std::vector<double> times;
  Timing timing;
  for (int i = 0; i < runs; ++i) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    context.loadDialect<tile::TileDialect>();
    Diagnostics diagnostics;
    auto begin = std::chrono::steady_clock::now();
    auto module = compile(context, kernel, specialisation, diagnostics);
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    timing.compiled &= static_cast<bool>(module);
  }
  std::sort(times.begin(), times.end());
  timing.median = times[times.size() / 2];
  timing.worst = times.back();
  return timing;
}

bool report(const char *name, const char *text, Specialisation (*arguments)(const FunctionObject &),
            double limit) {
  test::Script script(std::string("import triton\nimport triton.language as tl\n") + text);
  Timing timing = measure(script.function(), arguments(script.function()));
  std::printf("%-16s %s  median %.2f ms  worst %.2f ms\n", name, timing.compiled ? "compiled" : "FAILED",
              timing.median, timing.worst);
  return timing.compiled && timing.median <= limit;
}

} // namespace

int main() {
  bool ok = report("vector add", test::vectorAdd, inferSpecialisation, 10);
  ok &= report("fused softmax", test::fusedSoftmax, inferSpecialisation, 10);
  ok &= report("attention", test::attention, attentionArguments, 10);
  ok &= report("sort of 1024", test::sorting, inferSpecialisation, 30);
  ok &= report("dropout", test::dropout, inferSpecialisation, 10);
  return ok ? 0 : 1;
}
