// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ldmatrix loads, lane by lane as the PTX ISA has it, is what the layout wants; its wavefronts are counted word by word.
#include "compiler/Layout/MatrixLoad.h"

#include "compiler/Layout/Constructors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace tilescope::layout {
namespace {

using Sizes = std::vector<int64_t>;

struct Load {
  unsigned bits, operand;
  bool isAlongK;
  Swizzle swizzle;
};

LinearLayout sharedOf(const Sizes &shape, const Load &load) {
  const unsigned k = load.operand == 0 ? 1 : 0, order[] = {load.isAlongK ? k : 1 - k, load.isAlongK ? 1 - k : k};
  return sharedLayout(shape, order, load.swizzle);
}

/// The byte that `lane` gets as byte `byte` of matrix `matrix`, by the rows that the lanes name.
uint64_t loadedFrom(const MatrixLoad &plan, uint64_t others, unsigned warp, unsigned lane, unsigned matrix, unsigned byte) {
  const unsigned row = plan.isTransposed ? 2 * (lane % 4) + byte / 2 : lane / 4;
  const unsigned inRow = plan.isTransposed ? 2 * (lane / 4) + byte % 2 : 4 * (lane % 4) + byte;
  const Coordinate inputs[] = {{Dim::Register, others}, {Dim::Lane, 8 * matrix + row}, {Dim::Warp, warp}};
  return plan.rows.apply(inputs)[0].value + inRow;
}

unsigned spread(unsigned number, const std::vector<unsigned> &bits) {
  unsigned result = 0;
  for (size_t i = 0; i < bits.size(); ++i)
    result |= (number >> i & 1) << bits[i];
  return result;
}

void expectLoaded(const LinearLayout &registers, const LinearLayout &shared, unsigned bits, const MatrixLoad &plan) {
  std::vector<unsigned> others;
  for (unsigned bit = 0; bit < registers.inputBits(Dim::Register); ++bit)
    if (!std::ranges::count(plan.inWord, bit) && !std::ranges::count(plan.matrices, bit))
      others.push_back(bit);
  const LinearLayout offsets = registers.invertAndCompose(shared);
  const unsigned bytes = bits / 8;
  for (unsigned warp = 0; warp < registers.inputSize(Dim::Warp); ++warp)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned other = 0; other < 1u << others.size(); ++other)
        for (unsigned matrix = 0; matrix < 1u << plan.matrices.size(); ++matrix)
          for (unsigned element = 0; element < 1u << plan.inWord.size(); ++element) {
            const unsigned reg = spread(other, others) | spread(matrix, plan.matrices) | spread(element, plan.inWord);
            const Coordinate inputs[] = {{Dim::Register, reg}, {Dim::Lane, lane}, {Dim::Warp, warp}};
            for (unsigned byte = 0; byte < bytes; ++byte)
              ASSERT_EQ(loadedFrom(plan, other, warp, lane, matrix, element * bytes + byte), offsets.apply(inputs)[0].value * bytes + byte);
          }
  EXPECT_EQ(plan.access.instructions, 1u << others.size());
}

/// The most words in a bank that one matrix of eight rows reads, over all matrices of one instruction.
unsigned wavefrontsOf(const MatrixLoad &plan) {
  unsigned wavefronts = 0;
  for (unsigned matrix = 0; matrix < 1u << plan.matrices.size(); ++matrix) {
    std::map<uint64_t, std::set<uint64_t>> words; // by bank
    for (unsigned row = 0; row < 8; ++row)
      for (unsigned word = 0; word < 4; ++word) {
        const Coordinate inputs[] = {{Dim::Lane, 8 * matrix + row}};
        const uint64_t number = plan.rows.apply(inputs)[0].value / 4 + word;
        words[number % 32].insert(number);
      }
    size_t most = 0;
    for (const auto &[bank, numbers] : words)
      most = std::max(most, numbers.size());
    wavefronts += unsigned(most);
  }
  return wavefronts;
}

TEST(MatrixLoad, GivesEachLaneItsElements) {
  unsigned transposed = 0, conflicts = 0, none = 0;
  for (const Sizes &shape : {Sizes{64, 64}, {32, 32}, {128, 16}, {16, 128}})
    for (const TensorCore &warps : {TensorCore{2, 2}, TensorCore{1, 1}, TensorCore{8, 1}})
      for (unsigned bits : {8u, 16u, 32u})
        for (unsigned operand : {0u, 1u})
          for (bool isAlongK : {false, true})
            for (const Swizzle &swizzle : {Swizzle{1, 1, 1}, {128 / bits, 1, 8}, {128 / bits, 2, 4}, {2, 1, 8}}) {
              const unsigned k = operand == 0 ? 1 : 0;
              const int64_t row = isAlongK ? shape[k] : shape[1 - k];
              if (int64_t(swizzle.vector) * swizzle.maxPhase > row || shape[k] < 256 / bits || shape[1 - k] < 16)
                continue;
              const Load load{bits, operand, isAlongK, swizzle};
              const LinearLayout registers = mmaOperand(shape, warps, operand, bits), shared = sharedOf(shape, load);
              const auto plan = matrixLoad(registers, shared, bits);
              const bool isSwizzledInRows = swizzle.maxPhase > 1 && swizzle.vector * bits < 128;
              EXPECT_EQ(plan.has_value(), (isAlongK || bits == 16) && !isSwizzledInRows && row * bits >= 128) << bits << operand << isAlongK;
              none += !plan;
              if (!plan)
                continue;
              expectLoaded(registers, shared, bits, *plan);
              ASSERT_EQ(plan->access.wavefronts, wavefrontsOf(*plan));
              transposed += plan->isTransposed;
              conflicts += plan->access.conflicts() > 0;
            }
  EXPECT_GT(transposed, 10u);
  EXPECT_GT(conflicts, 10u);
  EXPECT_GT(none, 10u);
}

} // namespace
} // namespace tilescope::layout
