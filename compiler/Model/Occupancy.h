// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many programs an SM can hold at a time. Follows NVIDIA's cuda_occupancy.h, which is the oracle of
// its test. A program of Triton is one block of 32 * num_warps threads.
#pragma once

#include "compiler/Model/GpuTable.h"

#include <optional>
#include <vector>

namespace tilescope::model {

/// What one program takes of an SM. Registers and shared memory are known after compiling for a GPU only.
struct ProgramResources {
  int warps = 4;                         ///< num_warps, from 1 to 32
  std::optional<int> registersPerThread; ///< as the assembler says, before rounding
  std::optional<int> sharedBytes;        ///< static and dynamic, without what the system reserves
};

enum class Limit { Warps, Programs, Registers, SharedMemory };

/// Programs that fit on one SM by each limit. What is unknown limits nothing, and is empty here; a program
/// without registers or shared memory is not limited by them either.
struct Occupancy {
  int byWarps = 0;
  int byPrograms = 0;
  std::optional<int> byRegisters;
  std::optional<int> bySharedMemory;
  /// The least of them: programs an SM holds at a time. 0 when one program does not fit.
  int programsPerSm = 0;
  /// Those that equal it.
  std::vector<Limit> binding;
  /// Without them, only warps and the number of programs limit (and the view says so).
  bool registersKnown = false;
  bool sharedMemoryKnown = false;
};

Occupancy occupancy(const SmLimits &sm, const ProgramResources &program);

} // namespace tilescope::model
