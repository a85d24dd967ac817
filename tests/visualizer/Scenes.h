// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches for the tests and benchmarks of the views, as the run process would describe them. The schedules
// are those of an H200 (132 SMs, 64 warps and 32 programs an SM).
#pragma once

#include "visualizer/model/SmScene.h"

#include <string>
#include <vector>

namespace tilescope::viz::scenes {

/// 4096 x 4096 fp16 in tiles of 128 x 256: 512 programs of 8 warps, one on an SM, 3.88 waves.
SmScene matmul();
/// 1823 x 781 fp32, a row a program: 1,823 programs of 4 warps, 16 on an SM, one wave.
SmScene softmax();
/// 98,432 elements, 1,024 a program.
SmScene vectorAdd();
/// 10,000 rows: 16 programs on an SM, 4.73 waves.
SmScene severalWavesAndSlots();
/// A million programs, each with its own 4 x 4 tile.
SmScene million(bool oneSlot);
/// One program.
SmScene single();
/// 2 x 4 x 6 programs over a 3-D output, some of which write nothing.
SmScene batched();
/// 64 rows of 65,536: too wide to be drawn in proportion.
SmScene wideRows();
/// Nothing is stored.
SmScene withoutOutput();

/// The SMs of an H200 holding `programs` programs, `slotsPerSm` on each.
protocol::Schedule schedule(int64_t programs, int slotsPerSm, int warps);
struct Case {
  const char *name;
  SmScene (*make)();
};
const std::vector<Case> &all();

} // namespace tilescope::viz::scenes
