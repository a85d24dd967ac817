// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync of one warp, by the tables of the PTX ISA ("Matrix Fragments for mma.m16n8k8" … "k32"): which row and column
// each lane's registers are.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <vector>

namespace tilescope::codegen::test {

/// Registers of 32 bits by lane: of A, then of B, then of the accumulator.
using LaneWords = std::vector<std::vector<uint32_t>>;

/// `text` begins as the instruction does, such as "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32". Products are summed
/// in double precision; registers of the result by lane.
LaneWords multiplyAccumulate(llvm::StringRef text, const LaneWords &words);

/// Numbers in the bits of a type: f16, bf16, tf32 (its low bits are not read), f32, s8, u8, s32, e4m3, e5m2; and back.
double decode(llvm::StringRef type, uint32_t bits);
uint32_t encode(llvm::StringRef type, double number);
unsigned bitsOf(llvm::StringRef type);

} // namespace tilescope::codegen::test
