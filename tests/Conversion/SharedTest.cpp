// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers: what goes into a swizzled one comes out of it, by instructions as wide as the model says.
#include "tests/Conversion/Simt.h"
#include "tests/Conversion/Translated.h"

#include "compiler/Layout/Conflicts.h"
#include "compiler/Layout/Constructors.h"
#include "compiler/Layout/MatrixLoad.h"

#include <gtest/gtest.h>

namespace tilescope::codegen::test {
namespace {

using layout::LinearLayout;

constexpr unsigned kThreads = 128;
const std::vector<int64_t> kShape = {64, 32};
const unsigned kRows[] = {1, 0};

std::string bufferOf(const LinearLayout &map, const std::string &element, const char *count = "") {
  return "!tile.buffer<" + typeText(map, element) + count + ">";
}
std::string tileOf(const LinearLayout &map, const std::string &element) { return "!tile.tile<" + typeText(map, element) + ">"; }

std::vector<uint8_t> counting(size_t bytes) {
  std::vector<uint8_t> result(bytes);
  for (size_t i = 0; i < bytes; ++i)
    result[i] = uint8_t(i * 7 + i / 256);
  return result;
}

/// Row-major input -> registers -> slot 2 of 3 of a swizzled buffer -> its transpose -> registers -> row-major output.
TEST(Shared, ABufferGivesBackWhatItGot) {
  const LinearLayout stored = layout::blocked(kShape, {{1, 8}, {8, 4}, {4, 1}, {1, 0}});
  const LinearLayout swizzled = layout::sharedLayout(kShape, kRows, {8, 2, 4});
  const layout::Dim turned[] = {layout::tileDim(1), layout::tileDim(0)};
  const LinearLayout permuted = swizzled.transposeOutputs(turned)
                                    .renameOutput(turned[0], layout::Dim::Block)
                                    .renameOutput(turned[1], turned[0])
                                    .renameOutput(layout::Dim::Block, turned[1]);
  const std::vector<int64_t> outShape = {32, 64};
  const LinearLayout loaded = layout::mmaOperand(outShape, {2, 2}, 1, 16);
  for (const std::string element : {"f16", "ui16"}) {
    const std::string text =
        "tile.func @k() attributes {num_warps = 4 : i32} {\n"
        "  %in = tile.shared_alloc : {shared_offset = 0 : i32} " + bufferOf(rowMajor(stored), element) + "\n"
        "  %out = tile.shared_alloc : {shared_offset = 4096 : i32} " + bufferOf(rowMajor(loaded), element) + "\n"
        "  %three = tile.shared_alloc : {shared_offset = 8192 : i32} " + bufferOf(swizzled, element, ", 3") + "\n"
        "  %two = tile.constant 2 : si32\n"
        "  %slot = tile.shared_slot %three[%two] : " + bufferOf(swizzled, element, ", 3") + "\n"
        "  %x = tile.shared_load %in : " + bufferOf(rowMajor(stored), element) + " -> " + tileOf(stored, element) + "\n"
        "  tile.shared_store %x, %slot : " + tileOf(stored, element) + ", " + bufferOf(swizzled, element) + "\n"
        "  tile.shared_barrier\n"
        "  %turned = tile.shared_permute %slot [1, 0] : " + bufferOf(swizzled, element) + " -> " + bufferOf(permuted, element) + "\n"
        "  %y = tile.shared_load %turned : " + bufferOf(permuted, element) + " -> " + tileOf(loaded, element) + "\n"
        "  tile.shared_store %y, %out : " + tileOf(loaded, element) + ", " + bufferOf(rowMajor(loaded), element) + "\n"
        "  tile.return\n}\n";
    Translated translated(text, {});
    ASSERT_TRUE(translated.isDone());
    std::vector<uint8_t> memory = counting(4096);
    memory.resize(5 * 4096);
    Simt simt(translated.kernel(), kThreads, memory);
    simt.run();
    for (unsigned row = 0; row < 64; ++row)
      for (unsigned column = 0; column < 32; ++column)
        for (unsigned byte = 0; byte < 2; ++byte)
          ASSERT_EQ(simt.shared()[4096 + 2 * (column * 64 + row) + byte], memory[2 * (row * 32 + column) + byte])
              << row << ", " << column;
    EXPECT_EQ(translated.assemble(), "");
  }
}

TEST(Shared, InstructionsAreAsWideAsTheModelSays) {
  struct Case {
    const char *element;
    unsigned bits;
    layout::Swizzle swizzle;
  };
  for (const Case &test : {Case{"f16", 16, {8, 2, 4}}, {"f16", 16, {2, 2, 4}}, {"f32", 32, {4, 1, 8}}, {"ui8", 8, {8, 4, 4}},
                           {"f64", 64, {2, 1, 8}}, {"f32", 32, {1, 1, 8}}}) {
    const LinearLayout registers = layout::blocked(kShape, {{1, 8}, {8, 4}, {4, 1}, {1, 0}});
    const LinearLayout shared = layout::sharedLayout(kShape, kRows, test.swizzle);
    const layout::SharedAccess model = layout::sharedAccess(registers, shared, test.bits, layout::Direction::Load);
    const std::string buffer = bufferOf(shared, test.element), tile = tileOf(registers, test.element);
    Translated translated("tile.func @k() attributes {num_warps = 4 : i32} {\n"
                          "  %b = tile.shared_alloc : {shared_offset = 0 : i32} " + buffer + "\n"
                          "  %x = tile.shared_load %b : " + buffer + " -> " + tile + "\n"
                          "  %c = tile.shared_alloc %x : " + tile + " -> {shared_offset = 32768 : i32} " + buffer + "\n"
                          "  tile.return\n}\n", {});
    ASSERT_TRUE(translated.isDone());
    unsigned loads = 0, stores = 0;
    for (const llvm::Instruction &instruction : translated.kernel().front()) {
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      loads += load != nullptr;
      stores += store != nullptr;
      if (load || store) {
        const llvm::Type *type = load ? load->getType() : store->getValueOperand()->getType();
        EXPECT_EQ(type->getPrimitiveSizeInBits(), model.vector * test.bits) << test.element;
      }
    }
    EXPECT_EQ(loads, model.instructions) << test.element;
    EXPECT_EQ(stores, model.instructions) << test.element;
    const std::string ptx = translated.ptx();
    if (model.vector * test.bits == 128) {
      EXPECT_TRUE(ptx.find("ld.shared.v4") != std::string::npos || ptx.find("ld.shared.v2.b64") != std::string::npos) << ptx;
      EXPECT_TRUE(ptx.find("st.shared.v4") != std::string::npos || ptx.find("st.shared.v2.b64") != std::string::npos) << ptx;
    }
  }
}

/// An operand of a product, out of a buffer whose rows lie along K or across it.
struct Operand {
  const char *element;
  unsigned bits, operand;
  bool isAlongK;
  const char *instruction; ///< none: plain loads
};

std::ostream &operator<<(std::ostream &stream, const Operand &test) {
  return stream << test.element << " operand " << test.operand << (test.isAlongK ? " along K" : " across K");
}

class Operands : public testing::TestWithParam<Operand> {};

/// Row-major input -> registers -> swizzled buffer -> operand -> row-major output.
TEST_P(Operands, ComeByMatricesWhereTheInstructionHasThem) {
  const Operand &test = GetParam();
  const unsigned bytes = test.bits / 8, vector = 16 / bytes;
  for (const std::vector<int64_t> &shape : {std::vector<int64_t>{64, 64}, {32, 32}})
    for (const layout::TensorCore &warps : {layout::TensorCore{2, 2}, layout::TensorCore{4, 1}}) {
      const LinearLayout stored = layout::blocked(shape, {{1, vector}, {8, 4}, {4, 1}, {1, 0}});
      const LinearLayout loaded = layout::mmaOperand(shape, warps, test.operand, test.bits);
      const unsigned k = test.operand == 0 ? 1 : 0, rows[] = {test.isAlongK ? k : 1 - k, test.isAlongK ? 1 - k : k};
      // Rows that fill the banks several together have one phase.
      const unsigned rowBytes = unsigned(shape[0]) * bytes, perPhase = std::max(1u, 128 / rowBytes);
      const LinearLayout shared = layout::sharedLayout(shape, rows, {vector, perPhase, std::min(rowBytes / 16, 8 / perPhase)});
      const std::string element = test.element, size = std::to_string(loaded.outputSize() * bytes);
      Translated translated(
          "tile.func @k() attributes {num_warps = 4 : i32} {\n"
          "  %in = tile.shared_alloc : {shared_offset = 0 : i32} " + bufferOf(rowMajor(stored), element) + "\n"
          "  %x = tile.shared_load %in : " + bufferOf(rowMajor(stored), element) + " -> " + tileOf(stored, element) + "\n"
          "  %b = tile.shared_alloc %x : " + tileOf(stored, element) + " -> {shared_offset = " + size + " : i32} " + bufferOf(shared, element) + "\n"
          "  tile.shared_barrier\n"
          "  %y = tile.shared_load %b : " + bufferOf(shared, element) + " -> " + tileOf(loaded, element) + "\n"
          "  %out = tile.shared_alloc %y : " + tileOf(loaded, element) + " -> {shared_offset = 0 : i32} " + bufferOf(rowMajor(loaded), element) + "\n"
          "  tile.return\n}\n", {75});
      ASSERT_TRUE(translated.isDone());
      const std::vector<uint8_t> input = counting(loaded.outputSize() * bytes);
      std::vector<uint8_t> memory = input;
      memory.resize(2 * input.size());
      Simt simt(translated.kernel(), kThreads, memory);
      simt.run();
      EXPECT_EQ(std::vector<uint8_t>(simt.shared().begin(), simt.shared().begin() + std::ptrdiff_t(input.size())), input);

      const auto plan = layout::matrixLoad(loaded, shared, test.bits);
      ASSERT_EQ(plan.has_value(), test.instruction != nullptr);
      EXPECT_EQ(simt.count("llvm.nvvm.ldmatrix"), plan ? plan->access.instructions : 0);
      if (!plan)
        continue;
      EXPECT_EQ(simt.count(std::string("llvm.nvvm.ldmatrix.sync.aligned.m8n8.") + test.instruction), plan->access.instructions);
      EXPECT_EQ(plan->access.conflicts(), 0u) << "rows of a matrix are in different banks";
      EXPECT_NE(translated.ptx().find(plan->isTransposed ? "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16" : "ldmatrix.sync.aligned.m8n8.x4.shared.b16"),
                std::string::npos);
      EXPECT_EQ(translated.assemble(), "");
    }
}

INSTANTIATE_TEST_SUITE_P(Shared, Operands,
                         testing::Values(Operand{"f16", 16, 0, true, "x4.b16"}, Operand{"f16", 16, 1, true, "x4.b16"},
                                         Operand{"bf16", 16, 0, false, "x4.trans.b16"}, Operand{"f16", 16, 1, false, "x4.trans.b16"},
                                         Operand{"f32", 32, 0, true, "x4.b16"}, Operand{"f32", 32, 1, true, "x4.b16"},
                                         Operand{"f32", 32, 1, false, nullptr}, Operand{"ui8", 8, 0, true, "x4.b16"},
                                         Operand{"f8E5M2", 8, 1, true, "x4.b16"}, Operand{"si8", 8, 1, false, nullptr}));

/// Addresses and masks come out of shared memory, so nothing is known of them: one element an instruction.
TEST(AsyncCopy, CopiesOrClearsEachElementOnce) {
  const std::vector<int64_t> shape = {64};
  const LinearLayout registers = layout::blocked(shape, {{1}, {32}, {4}, {0}}); // two warps hold copies
  const unsigned order[] = {0};
  const LinearLayout shared = layout::sharedLayout(shape, order);
  const std::string pointers = "!tile.ptr<f32>";
  const auto loaded = [&](const std::string &name, const std::string &offset, const std::string &element) {
    return "  %b" + name + " = tile.shared_alloc : {shared_offset = " + offset + " : i32} " + bufferOf(shared, element) + "\n  %" + name +
           " = tile.shared_load %b" + name + " : " + bufferOf(shared, element) + " -> " + tileOf(registers, element) + "\n";
  };
  Translated translated("tile.func @k() attributes {num_warps = 4 : i32} {\n" + loaded("p", "0", pointers) + loaded("m", "512", "i1") +
                        "  %to = tile.shared_alloc : {shared_offset = 1024 : i32} " + bufferOf(shared, "f32") + "\n"
                        "  %t = tile.async_copy %p, %m into %to : " + tileOf(registers, pointers) + ", " + bufferOf(shared, "f32") + "\n"
                        "  %g = tile.async_commit %t\n  tile.async_wait pending 0\n  tile.return\n}\n", {});
  ASSERT_TRUE(translated.isDone());
  std::vector<uint8_t> memory(1024 + 256, 0xee);
  const std::vector<uint8_t> global = counting(64 * 4);
  for (uint64_t i = 0; i < 64; ++i) {
    const uint64_t address = 4 * (63 - i);
    std::memcpy(&memory[8 * i], &address, 8);
    memory[512 + i] = i % 3 != 0;
  }
  Simt simt(translated.kernel(), kThreads, memory, global);
  simt.run();
  for (unsigned i = 0; i < 64; ++i)
    for (unsigned byte = 0; byte < 4; ++byte)
      ASSERT_EQ(simt.shared()[1024 + 4 * i + byte], i % 3 != 0 ? global[4 * (63 - i) + byte] : 0) << i;
  EXPECT_EQ(translated.assemble(), "");
  EXPECT_NE(translated.ptx().find("@%p"), std::string::npos) << "warps with copies do not copy";
}

} // namespace
} // namespace tilescope::codegen::test
