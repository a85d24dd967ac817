// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a kernel takes from stage one to the end of stage two, verified after each stage:
//
//     tilec compile resources/examples/flash_attention.py --kernel attention_kernel --emit tile > attention.mlir
//     stages-bench attention.mlir [GPU]
//
// Prints the median of each stage, and the median and the worst of all together; exits with 1 if that median is more
// than 30 ms.
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Model/GpuTable.h"
#include "compiler/Service/Stages.h"

#include <mlir/IR/MLIRContext.h>
#include <mlir/Parser/Parser.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace tilescope;

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double median(std::vector<double> times) {
  std::ranges::sort(times);
  return times[times.size() / 2];
}

struct StageTimes {
  std::string name;
  std::vector<double> times; ///< ms
};

} // namespace

int main(int argc, char **argv) {
  const model::Gpu *gpu = model::findGpu(argc > 2 ? argv[2] : "h200");
  if (argc < 2 || !gpu) {
    std::fprintf(stderr, "stages-bench FILE.mlir [GPU]\n");
    return 2;
  }
  constexpr int runs = 50;
  std::vector<StageTimes> stages;
  std::vector<double> totals;
  for (int run = 0; run < runs; ++run) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    context.loadDialect<tile::TileDialect>();
    auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
    if (!module)
      return 2;
    Diagnostics diagnostics;
    size_t stage = 0;
    const Clock::time_point begin = Clock::now();
    Clock::time_point last = begin;
    const bool isFine = service::lowerToStageTwo(*module, *gpu, diagnostics, [&](llvm::StringRef name, llvm::StringRef,
                                                                               mlir::ModuleOp) {
      if (stage == stages.size())
        stages.push_back({name.str(), {}});
      stages[stage++].times.push_back(millisecondsSince(last));
      last = Clock::now();
    });
    if (!isFine)
      return 1;
    totals.push_back(millisecondsSince(begin));
  }
  for (const StageTimes &stage : stages)
    std::printf("%-20s %7.2f ms\n", stage.name.c_str(), median(stage.times));
  std::printf("%-20s %7.2f ms (worst %.2f)\n", "all", median(totals), *std::ranges::max_element(totals));
  return median(totals) > 30;
}
