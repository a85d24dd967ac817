// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Occupancy against NVIDIA's calculator (cuda_occupancy.h of a CUDA toolkit), over every GPU of the table.
#include "compiler/Model/Occupancy.h"

#include <cuda_occupancy.h>

#include <gtest/gtest.h>

#include <climits>

namespace tilescope::model {
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

cudaOccResult ask(const Gpu &gpu, int warps, int registers, int sharedBytes) {
  cudaOccDeviceProp properties = propertiesOf(gpu);
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = 1024;
  attributes.numRegs = registers;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = sharedBytes;
  cudaOccDeviceState state;
  state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
  cudaOccResult result;
  EXPECT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state, warps * 32,
                                                    sharedBytes),
            CUDA_OCC_SUCCESS);
  return result;
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

TEST(OccupancyOracle, EveryLimitAgrees) {
  for (const Gpu &gpu : gpus())
    for (int warps : {1, 2, 3, 4, 8, 16, 32})
      for (int registers : {16, 29, 32, 33, 64, 65, 96, 128, 168, 255})
        for (int shared : {0, 32, 1024, 12288, 33000, 49152, 60000}) {
          SCOPED_TRACE(testing::Message() << gpu.id << ", " << warps << " warps, " << registers
                                          << " registers, " << shared << " bytes");
          cudaOccResult wanted = ask(gpu, warps, registers, shared);
          Occupancy got = occupancy(gpu.sm, {warps, registers, shared});
          EXPECT_EQ(got.byWarps, wanted.blockLimitWarps);
          EXPECT_EQ(got.byPrograms, wanted.blockLimitBlocks);
          EXPECT_EQ(got.byRegisters.value_or(INT_MAX), wanted.blockLimitRegs);
          EXPECT_EQ(got.bySharedMemory.value_or(INT_MAX), wanted.blockLimitSharedMem);
          EXPECT_EQ(got.programsPerSm, wanted.activeBlocksPerMultiprocessor);
        }
}

} // namespace
} // namespace tilescope::model
