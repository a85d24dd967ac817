// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of GPUs. Each row names its source.
#include "compiler/Model/GpuTable.h"

#include <algorithm>
#include <array>

namespace tilescope::model {
namespace {

constexpr int KiB = 1024;

// CUDA C++ Programming Guide 13.0, "Technical specifications per compute capability": warps and blocks
// an SM, registers, shared memory an SM and a block. Allocation unit and the reserved KiB: cuda_occupancy.h,
// cudaDeviceProp::reservedSharedMemPerBlock.
constexpr std::array<SmLimits, 7> kLimits{{
    {7, 5, 32, 16, 64 * KiB, 64 * KiB, 64 * KiB, 256, 0},
    {8, 0, 64, 32, 64 * KiB, 164 * KiB, 163 * KiB, 128, KiB},
    {8, 6, 48, 16, 64 * KiB, 100 * KiB, 99 * KiB, 128, KiB},
    {8, 9, 48, 24, 64 * KiB, 100 * KiB, 99 * KiB, 128, KiB},
    {9, 0, 64, 32, 64 * KiB, 228 * KiB, 227 * KiB, 128, KiB},
    {10, 0, 64, 32, 64 * KiB, 228 * KiB, 227 * KiB, 128, KiB},
    {12, 0, 48, 24, 64 * KiB, 100 * KiB, 99 * KiB, 128, KiB},
}};

constexpr std::array<Gpu, 10> kGpus{{
    // GeForce RTX 3060 (12 GB): NVIDIA Ampere GA102 architecture whitepaper; product page. L2: GA106, 192
    // bits.
    {"rtx-3060", "RTX 3060", kLimits[2], 28, 3, 360, 1.78},
    // GeForce RTX 4070: NVIDIA Ada GPU architecture whitepaper, appendix; product page.
    {"rtx-4070", "RTX 4070", kLimits[3], 46, 36, 504, 2.48},
    // GeForce RTX 4090: NVIDIA Ada GPU architecture whitepaper, table 2.
    {"rtx-4090", "RTX 4090", kLimits[3], 128, 72, 1008, 2.52},
    // GeForce RTX 5090: NVIDIA RTX Blackwell GPU architecture whitepaper, table 3.
    {"rtx-5090", "RTX 5090", kLimits[6], 170, 96, 1792, 2.41},
    // T4: NVIDIA T4 datasheet (320 GB/s nominal); Turing architecture whitepaper, appendix.
    {"t4", "T4", kLimits[0], 40, 4, 320, 1.59},
    // L4: NVIDIA L4 product brief; AD104 in the Ada whitepaper.
    {"l4", "L4", kLimits[3], 58, 48, 300, 2.04},
    // A100 SXM4 80 GB: NVIDIA A100 architecture whitepaper, table 4; datasheet of the 80 GB module.
    {"a100", "A100", kLimits[1], 108, 40, 2039, 1.41},
    // H100 SXM5: NVIDIA H100 architecture whitepaper, table 3; datasheet. Clock: what the driver reports.
    {"h100", "H100", kLimits[4], 132, 50, 3350, 1.98},
    // H200 SXM: datasheet. SMs, cache and clock as the driver reports them (60 MiB, where an H100 has 50).
    {"h200", "H200", kLimits[4], 132, 60, 4800, 1.98},
    // B200 SXM: NVIDIA Blackwell datasheet (8 TB/s). SMs, cache and clock as the driver reports them.
    {"b200", "B200", kLimits[5], 148, 126, 8000, 1.97},
}};

} // namespace

std::span<const Gpu> gpus() { return kGpus; }

const Gpu *findGpu(std::string_view id) {
  auto found = std::ranges::find(kGpus, id, &Gpu::id);
  return found == kGpus.end() ? nullptr : &*found;
}

const SmLimits *smLimits(int major, int minor) {
  auto found = std::ranges::find_if(
      kLimits, [=](const SmLimits &limits) { return limits.major == major && limits.minor == minor; });
  return found == kLimits.end() ? nullptr : &*found;
}

} // namespace tilescope::model
