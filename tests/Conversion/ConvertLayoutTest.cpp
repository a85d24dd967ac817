// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between layouts of all kinds and at random: every element comes where the result's layout has it.
#include "tests/Conversion/Simt.h"
#include "tests/Conversion/Translated.h"

#include "compiler/Layout/Constructors.h"
#include "compiler/Layout/Conversion.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace tilescope::codegen::test {
namespace {

using layout::Dim;
using layout::LinearLayout;

constexpr unsigned kWarps = 4, kThreads = 32 * kWarps;

struct Element {
  const char *name;
  unsigned bytes;
};
constexpr Element kElements[] = {{"ui8", 1}, {"f8E5M2", 1}, {"i1", 1}, {"f16", 2}, {"bf16", 2}, {"si32", 4}, {"f32", 4}, {"f64", 8}};

std::vector<uint8_t> someBytes(size_t count, const Element &element, std::mt19937 &random) {
  std::vector<uint8_t> bytes(count);
  for (uint8_t &byte : bytes)
    byte = uint8_t(element.name == std::string("i1") ? random() % 2 : random());
  return bytes;
}

/// Reads row-major input, converts, writes row-major output behind it; then scratch space.
std::string conversionKernel(const LinearLayout &from, const LinearLayout &to, const Element &element) {
  const LinearLayout plain = rowMajor(from);
  const std::string buffer = "!tile.buffer<" + typeText(plain, element.name) + ">";
  const std::string a = "!tile.tile<" + typeText(from, element.name) + ">", b = "!tile.tile<" + typeText(to, element.name) + ">";
  const std::string bytes = std::to_string(std::max<uint64_t>(16, from.outputSize() * element.bytes));
  return "tile.func @k() attributes {num_warps = 4 : i32} {\n"
         "  %in = tile.shared_alloc : {shared_offset = 0 : i32} " + buffer + "\n"
         "  %out = tile.shared_alloc : {shared_offset = " + bytes + " : i32} " + buffer + "\n"
         "  %x = tile.shared_load %in : " + buffer + " -> " + a + "\n"
         "  %y = tile.convert_layout %x {shared_offset = " + std::to_string(2 * std::stoul(bytes)) + " : i32} : " + a + " -> " + b + "\n"
         "  tile.shared_store %y, %out : " + b + ", " + buffer + "\n"
         "  tile.return\n}\n";
}

void expectConverted(const LinearLayout &from, const LinearLayout &to, const Element &element, std::mt19937 &random) {
  const std::string text = conversionKernel(from, to, element);
  SCOPED_TRACE(text);
  Translated translated(text, {});
  ASSERT_TRUE(translated.isDone());
  const size_t used = from.outputSize() * element.bytes, bytes = std::max<size_t>(16, used);
  const std::vector<uint8_t> input = someBytes(bytes, element, random);
  std::vector<uint8_t> memory = input;
  memory.resize(3 * bytes, 0xee);
  Simt simt(translated.kernel(), kThreads, memory);
  simt.run();
  const std::vector<uint8_t> output(simt.shared().begin() + std::ptrdiff_t(bytes), simt.shared().begin() + std::ptrdiff_t(bytes + used));
  EXPECT_EQ(output, std::vector<uint8_t>(input.begin(), input.begin() + std::ptrdiff_t(used)));
  const layout::Conversion plan = layout::convert(from, to, 8 * element.bytes);
  if (plan.shuffles) {
    EXPECT_EQ(simt.count("llvm.nvvm.shfl.sync"), plan.shuffles->instructions);
  }
}

std::vector<LinearLayout> layoutsOf(const std::vector<int64_t> &shape) {
  using layout::blocked;
  return {blocked(shape, {{1, 4}, {4, 8}, {4, 1}, {1, 0}}),
          blocked(shape, {{1, 4}, {4, 8}, {1, 4}, {1, 0}}),
          blocked(shape, {{8, 1}, {4, 8}, {2, 2}, {0, 1}}),
          blocked(shape, {{2, 2}, {8, 4}, {4, 1}, {1, 0}}),
          layout::mmaAccumulator(shape, {2, 2}),
          layout::mmaAccumulator(shape, {4, 1}),
          layout::mmaOperand(shape, {4, 1}, 0, 16),
          layout::mmaOperand(shape, {4, 1}, 0, 8),
          layout::mmaOperand(shape, {2, 2}, 1, 32)};
}

TEST(ConvertLayout, BringsEveryElementToItsPlace) {
  std::mt19937 random(1);
  unsigned number = 0;
  for (const std::vector<int64_t> &shape : {std::vector<int64_t>{32, 16}, {16, 8}}) {
    const std::vector<LinearLayout> layouts = layoutsOf(shape);
    for (const LinearLayout &from : layouts)
      for (const LinearLayout &to : layouts)
        if (from != to)
          expectConverted(from, to, kElements[number++ % std::size(kElements)], random);
  }
}

/// As many registers, lanes and warps as wanted, each bit of them to a bit of the tile, to nothing, or (registers alone
/// excepted) to sums of several.
LinearLayout randomLayout(unsigned tileBits, std::mt19937 &random, bool isWithinWarp) {
  std::vector<uint64_t> basis;
  for (unsigned bit = 0; bit < tileBits; ++bit)
    basis.push_back(uint64_t(1) << bit);
  // Warps hold the highest bits, in every layout.
  const unsigned ofWarps = isWithinWarp ? 2 : 0;
  std::shuffle(basis.begin(), basis.end() - ofWarps, random);
  for (unsigned i = 0; i + 1 < tileBits - ofWarps; ++i)
    if (random() % 3 == 0)
      basis[i] ^= basis[i + 1];
  std::vector<uint64_t> registers, others(basis.end() - ofWarps, basis.end());
  basis.resize(basis.size() - ofWarps);
  for (unsigned i = 0; i < 7 - ofWarps; ++i) {
    const bool isCopy = basis.empty() || random() % 6 == 0;
    others.insert(others.begin(), isCopy ? 0 : basis.back());
    if (!isCopy)
      basis.pop_back();
  }
  registers = basis;
  std::vector<uint64_t> columns = registers;
  columns.insert(columns.end(), others.begin(), others.end());
  return {{{Dim::Register, unsigned(registers.size())}, {Dim::Lane, 5}, {Dim::Warp, 2}}, {{layout::tileDim(0), tileBits}}, columns};
}

TEST(ConvertLayout, DoesSoAtRandom) {
  std::mt19937 random(2);
  std::map<layout::Movement, unsigned> movements;
  unsigned inTurns = 0;
  for (unsigned i = 0; i < 120; ++i) {
    const unsigned tileBits = 5 + i % 6;
    const LinearLayout from = randomLayout(tileBits, random, i % 4 != 0), to = randomLayout(tileBits, random, i % 4 != 0);
    const Element &element = kElements[random() % std::size(kElements)];
    const layout::Conversion plan = layout::convert(from, to, 8 * element.bytes);
    ++movements[plan.movement];
    inTurns += plan.shuffles && plan.shuffles->turns != 0;
    expectConverted(from, to, element, random);
  }
  EXPECT_GT(movements[layout::Movement::WithinWarp], 45u);
  EXPECT_GT(movements[layout::Movement::AcrossWarps], 15u);
  EXPECT_GT(inTurns, 5u);
}

TEST(ConvertLayout, AssemblesForEveryTarget) {
  const std::vector<int64_t> shape = {32, 32};
  const std::vector<LinearLayout> layouts = layoutsOf(shape);
  for (unsigned capability : {75u, 80u, 90u}) {
    Translated across(conversionKernel(layouts[0], layouts[4], kElements[3]), {capability});
    EXPECT_EQ(across.assemble(), "");
    EXPECT_NE(across.ptx().find("bar.sync"), std::string::npos);
    const LinearLayout turned = layout::blocked(shape, {{1, 4}, {8, 4}, {4, 1}, {0, 1}});
    Translated within(conversionKernel(layout::blocked(shape, {{1, 4}, {8, 4}, {4, 1}, {1, 0}}), turned, kElements[3]), {capability});
    EXPECT_EQ(within.assemble(), "");
    EXPECT_NE(within.ptx().find("shfl.sync"), std::string::npos);
  }
}

} // namespace
} // namespace tilescope::codegen::test
