// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers: what goes into a swizzled one comes out of it, by instructions as wide as the model says.
#include "tests/Conversion/Simt.h"
#include "tests/Conversion/Translated.h"

#include "compiler/Layout/Conflicts.h"
#include "compiler/Layout/Constructors.h"

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
