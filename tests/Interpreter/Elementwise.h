// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that apply one operation to tensors element by element, and numbers as patterns of bits. Types are
// those of tile IR: "f32", "si8", "ui64", "i1".
#pragma once

#include "tests/Interpreter/Harness.h"

namespace tilescope::interp::test {

using Bits = std::vector<uint64_t>;

unsigned bytesOf(const std::string &type);
bool isNan(const std::string &type, uint64_t bits);
/// "!tile.tile<64xf32>".
std::string tile(size_t count, const std::string &type);

/// A kernel that loads its operands %a, %b …, computes %r by `body` and stores it.
std::string kernelAround(const std::vector<std::string> &types, const std::string &resultType, size_t count,
                         const std::string &body);
/// What such a kernel gives; the test fails if there are findings.
Bits run(const std::string &ir, const std::vector<Bits> &operands, const std::vector<std::string> &types,
         const std::string &resultType);

} // namespace tilescope::interp::test
