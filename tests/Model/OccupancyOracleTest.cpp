// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Occupancy against NVIDIA's calculator (cuda_occupancy.h of a CUDA toolkit), over every GPU of the table.
#include "compiler/Model/Occupancy.h"

#include <cuda_occupancy.h>

#include <gtest/gtest.h>

#include <climits>
#include <random>
#include <string>

namespace tilescope::model {

void PrintTo(const Gpu &gpu, std::ostream *out) { *out << gpu.id; }

namespace {

cudaOccDeviceProp propertiesOf(const Gpu &gpu) {
  cudaOccDeviceProp properties;
  properties.computeMajor = gpu.sm.major;
  properties.computeMinor = gpu.sm.minor;
  properties.maxThreadsPerBlock = 1024;
  properties.maxThreadsPerMultiprocessor = gpu.sm.warps * 32;
  properties.regsPerBlock = 64 * 1024;
  properties.regsPerMultiprocessor = gpu.sm.registers;
  properties.warpSize = 32;
  properties.sharedMemPerBlock = 48 * 1024;
  properties.sharedMemPerMultiprocessor = gpu.sm.sharedBytes;
  properties.numSms = gpu.sms;
  // The calculator compares it with a size that has the reserved part in it.
  properties.sharedMemPerBlockOptin = gpu.sm.sharedBytesPerProgram + gpu.sm.sharedBytesReserved;
  properties.reservedSharedMemPerBlock = gpu.sm.sharedBytesReserved;
  return properties;
}

/// Nothing where the calculator calls the sizes invalid: more shared memory than an SM has.
std::optional<cudaOccResult> ask(const cudaOccDeviceProp &properties, const ProgramResources &program) {
  const int sharedBytes = *program.sharedBytes;
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = 1024;
  attributes.numRegs = *program.registersPerThread;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = sharedBytes;
  cudaOccDeviceState state;
  state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
  cudaOccResult result;
  const cudaOccError status = cudaOccMaxActiveBlocksPerMultiprocessor(
      &result, &properties, &attributes, &state, program.warps * 32, sharedBytes);
  return status == CUDA_OCC_SUCCESS ? std::optional(result) : std::nullopt;
}

/// The calculator's bits for what binds.
unsigned bitsOf(const std::vector<Limit> &binding) {
  unsigned bits = 0;
  for (Limit limit : binding)
    switch (limit) {
    case Limit::Warps:
      bits |= OCC_LIMIT_WARPS;
      break;
    case Limit::Programs:
      bits |= OCC_LIMIT_BLOCKS;
      break;
    case Limit::Registers:
      bits |= OCC_LIMIT_REGISTERS;
      break;
    case Limit::SharedMemory:
      bits |= OCC_LIMIT_SHARED_MEMORY;
      break;
    }
  return bits;
}

/// Every limit, the least of them, and which they are. What isn't limited is INT_MAX there.
void compare(const Gpu &gpu, const cudaOccDeviceProp &properties, const ProgramResources &program) {
  const std::optional<cudaOccResult> answer = ask(properties, program);
  const Occupancy got = occupancy(gpu.sm, program);
  if (!answer) {
    ASSERT_GT(*program.sharedBytes, gpu.sm.sharedBytesPerProgram);
    ASSERT_EQ(got.programsPerSm, 0);
    return;
  }
  const cudaOccResult &wanted = *answer;
  const bool agrees = got.byWarps == wanted.blockLimitWarps && got.byPrograms == wanted.blockLimitBlocks &&
                      got.byRegisters.value_or(INT_MAX) == wanted.blockLimitRegs &&
                      got.bySharedMemory.value_or(INT_MAX) == wanted.blockLimitSharedMem &&
                      got.programsPerSm == wanted.activeBlocksPerMultiprocessor &&
                      bitsOf(got.binding) == wanted.limitingFactors;
  ASSERT_TRUE(agrees) << gpu.id << ", " << program.warps << " warps, " << *program.registersPerThread
                      << " registers, " << *program.sharedBytes << " bytes: " << got.programsPerSm
                      << " instead of " << wanted.activeBlocksPerMultiprocessor << ", bound by "
                      << bitsOf(got.binding) << " instead of " << wanted.limitingFactors;
}

TEST(OccupancyOracle, LimitsOfAnSm) {
  for (const Gpu &gpu : gpus()) {
    cudaOccDeviceProp properties = propertiesOf(gpu);
    int programs = 0, granularity = 0;
    cudaOccMaxBlocksPerMultiprocessor(&programs, &properties);
    cudaOccSMemAllocationGranularity(&granularity, &properties);
    EXPECT_EQ(gpu.sm.programs, programs) << gpu.id;
    EXPECT_EQ(gpu.sm.sharedGranularity, granularity) << gpu.id;
    // The largest carve-out is a size that the hardware has.
    size_t shared = gpu.sm.sharedBytes;
    cudaOccAlignUpShmemSizeVoltaPlus(&shared, &properties);
    EXPECT_EQ(shared, size_t(gpu.sm.sharedBytes)) << gpu.id;
  }
}

class OccupancyOracleOf : public testing::TestWithParam<Gpu> {
protected:
  const Gpu &gpu = GetParam();
  const cudaOccDeviceProp properties = propertiesOf(gpu);
  /// More than a block may have.
  const int tooMuchShared = gpu.sm.sharedBytesPerProgram + 1024;
};

TEST_P(OccupancyOracleOf, EveryNumberOfWarpsAndRegisters) {
  for (int warps = 1; warps <= 32; ++warps)
    for (int registers = 0; registers <= 260; ++registers) // 256 are the most
      ASSERT_NO_FATAL_FAILURE(compare(gpu, properties, {warps, registers, 0}));
}

// Around every size that can be allocated.
TEST_P(OccupancyOracleOf, EverySizeOfSharedMemory) {
  for (int size = 0; size <= tooMuchShared; size += gpu.sm.sharedGranularity)
    for (int bytes : {size, size + 1, size + gpu.sm.sharedGranularity - 1})
      ASSERT_NO_FATAL_FAILURE(compare(gpu, properties, {4, 32, bytes}));
}

TEST_P(OccupancyOracleOf, AllThreeTogether) {
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    // Small sizes of shared memory are as likely as large ones: there the other limits bind.
    const int shared = int(random() % unsigned(tooMuchShared)) >> random() % 8;
    const ProgramResources program = {1 + int(random() % 32), int(random() % 256), shared};
    ASSERT_NO_FATAL_FAILURE(compare(gpu, properties, program));
  }
}

INSTANTIATE_TEST_SUITE_P(Gpus, OccupancyOracleOf, testing::ValuesIn(gpus().begin(), gpus().end()),
                         [](const auto &info) {
                           std::string name(info.param.id);
                           std::erase(name, '-');
                           return name;
                         });

} // namespace
} // namespace tilescope::model
