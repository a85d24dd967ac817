// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels at random: stage one and stage two of each give the same.
#include "tests/Interpreter/RandomKernel.h"
#include "tests/Interpreter/StageRunner.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>

namespace tilescope::interp::test {
namespace {

/// Every element type's numbers are small, so that sums stay finite.
RepeatedLaunch randomLaunch() {
  RepeatedLaunch launch;
  launch.grid = {RandomPrograms, 1, 1};
  std::mt19937 random(1);
  const unsigned bytes[RandomElementTypes] = {4, 2, 2, 4, 1};
  for (unsigned type = 0; type < RandomElementTypes; ++type) {
    std::vector<std::byte> input(RandomInputElements * bytes[type]);
    for (int64_t i = 0; i < RandomInputElements; ++i) {
      const uint32_t number = random();
      // Of floats sign and low bits of the significand at random, the exponent near 1.
      const uint32_t real = (number & 0x80ff'e000) | 0x3f00'0000;
      const uint16_t half = uint16_t((number & 0x83ff) | 0x3800), brain = uint16_t(real >> 16);
      const int32_t whole = int32_t(number % 2001) - 1000;
      const auto small = int8_t(number);
      const void *from[RandomElementTypes] = {&real, &half, &brain, &whole, &small};
      std::memcpy(input.data() + i * bytes[type], from[type], bytes[type]);
    }
    launch.arguments.push_back({0, int(launch.tensors.size())});
    launch.tensors.push_back({std::move(input)});
    launch.arguments.push_back({0, int(launch.tensors.size())});
    launch.tensors.push_back({std::vector<std::byte>(size_t(RandomOutputElements) * bytes[type])});
  }
  launch.arguments.push_back({37});
  launch.arguments.push_back({3});
  return launch;
}

constexpr uint32_t Targets = 7;

RandomTarget targetOf(uint32_t seed) {
  static const char *const targets[Targets] = {"cuda:75", "cuda:80",  "cuda:86", "cuda:89",
                                               "cuda:90", "cuda:100", "cuda:120"};
  const uint32_t others = seed / Targets;
  return {targets[seed % Targets], 1 << others % 4, 1 + int(others / 4 % 4)};
}

/// One of each target and number of warps is chosen by the seed; SEED in the environment picks one kernel and
/// prints it, SEEDS says how many there are of each target.
class RandomKernels : public testing::TestWithParam<uint32_t> {};

int fromEnvironment(const char *name, int otherwise) {
  const char *text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

TEST_P(RandomKernels, GiveInStageTwoWhatTheyGiveInStageOne) {
  const RepeatedLaunch launch = randomLaunch();
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  const int only = fromEnvironment("SEED", -1);
  const auto count = static_cast<uint32_t>(fromEnvironment("SEEDS", 6));
  for (uint32_t seed = GetParam(); seed < count * Targets; seed += Targets) {
    if (only >= 0 && seed != static_cast<uint32_t>(only))
      continue;
    mlir::OwningOpRef<mlir::ModuleOp> module = randomKernel(context, seed, targetOf(seed));
    if (only >= 0)
      module->dump();
    const std::string wrong = compareStages(*module, launch, Compare::EveryStage);
    if (wrong.empty())
      continue;
    ADD_FAILURE() << "seed " << seed << ", " << wrong;
    return;
  }
}

INSTANTIATE_TEST_SUITE_P(StageTwo, RandomKernels, testing::Range(0u, Targets));

} // namespace
} // namespace tilescope::interp::test
