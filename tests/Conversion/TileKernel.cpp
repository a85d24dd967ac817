// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Conversion/TileKernel.h"

#include "compiler/Analysis/SharedAllocation.h"
#include "tests/Conversion/Simt.h"
#include "tests/Conversion/SimtMatrix.h"

#include <llvm/Support/MathExtras.h>
#include <mlir/IR/MLIRContext.h>
#include <mlir/Parser/Parser.h>

#include <gtest/gtest.h>

#include <cstring>

namespace tilescope::codegen::test {
namespace {

bool isFloat(const std::string &element) { return element.find('f') != std::string::npos; }

std::vector<uint8_t> bytesFrom(const std::string &element, int64_t number) {
  std::vector<uint8_t> bytes(bytesOf(element));
  const double real = double(number);
  const uint32_t narrow = isFloat(element) && element != "f64" ? encode(element, real) : 0;
  const void *from = element == "f64" ? static_cast<const void *>(&real) : isFloat(element) ? &narrow : static_cast<const void *>(&number);
  std::memcpy(bytes.data(), from, bytes.size());
  return bytes;
}

int64_t numberFrom(const std::string &element, const uint8_t *bytes) {
  int64_t number = 0;
  double real = 0;
  std::memcpy(element == "f64" ? static_cast<void *>(&real) : &number, bytes, bytesOf(element));
  if (isFloat(element))
    return int64_t(element == "f64" ? real : decode(element, uint32_t(number)));
  return wrapped(element, number);
}

std::string replaced(std::string text, const std::string &what, const std::string &by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

} // namespace

unsigned bytesOf(const std::string &element) {
  return element == "i1" ? 1 : unsigned(std::stoul(element.substr(element.find_first_of("0123456789")))) / 8;
}

int64_t wrapped(const std::string &element, int64_t number) {
  if (isFloat(element))
    return number;
  if (element == "i1")
    return number & 1;
  const unsigned bits = 8 * bytesOf(element);
  if (element[0] == 's')
    return llvm::SignExtend64(uint64_t(number), bits);
  return bits == 64 ? number : int64_t(uint64_t(number) & ((uint64_t(1) << bits) - 1));
}

void TileKernel::add(Tile tile) {
  tile.offset = m_bytes;
  m_bytes += int64_t(llvm::alignTo<16>(tile.map.outputSize() * bytesOf(tile.element)));
  m_tiles.push_back(std::move(tile));
}

void TileKernel::addInput(const std::string &name, const layout::LinearLayout &map, const std::string &element,
                          const std::vector<int64_t> &numbers) {
  ASSERT_EQ(numbers.size(), map.outputSize());
  add({name, map, element, numbers, 0});
}

void TileKernel::addOutput(const std::string &name, const layout::LinearLayout &map, const std::string &element) {
  add({name, map, element, {}, 0});
}

std::string TileKernel::text() const {
  std::string text = "tile.func @k() attributes {num_warps = " + std::to_string(m_warps) + " : i32} {\n", stores;
  std::string body = replaced(m_body, "$scratch", "{shared_offset = " + std::to_string(m_bytes) + " : i32}");
  for (const Tile &tile : m_tiles) {
    const std::string buffer = "%buffer_" + tile.name;
    text += "  " + buffer + " = tile.shared_alloc : {shared_offset = " + std::to_string(tile.offset) + " : i32} " + tile.buffer() + "\n";
    if (tile.numbers.empty())
      stores += "  tile.shared_store %" + tile.name + ", " + buffer + " : " + tile.type() + ", " + tile.buffer() + "\n";
    else
      text += "  %" + tile.name + " = tile.shared_load " + buffer + " : " + tile.buffer() + " -> " + tile.type() + "\n";
    body = replaced(body, "$" + tile.name, tile.type());
  }
  return text + body + stores + "  tile.return\n}\n";
}

std::vector<std::vector<int64_t>> TileKernel::run(const Target &target) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text(), &context);
  EXPECT_TRUE(module) << text();
  if (!module)
    return {};
  int64_t bytes = m_bytes;
  module->walk([&](mlir::Operation *op) { bytes += analysis::scratchBytes(op); });
  Translated translated(*module, target);
  EXPECT_TRUE(translated.isDone()) << text() << testing::PrintToString(translated.unsupported());
  if (!translated.isDone())
    return {};
  std::vector<uint8_t> memory(size_t(bytes), 0xee);
  for (const Tile &tile : m_tiles)
    for (size_t i = 0; i < tile.numbers.size(); ++i) {
      const std::vector<uint8_t> element = bytesFrom(tile.element, tile.numbers[i]);
      std::copy(element.begin(), element.end(), memory.begin() + tile.offset + int64_t(i * element.size()));
    }
  Simt simt(translated.kernel(), 32 * m_warps, memory);
  simt.run();
  m_done = simt.done();
  std::vector<std::vector<int64_t>> outputs;
  for (const Tile &tile : m_tiles)
    if (tile.numbers.empty()) {
      outputs.emplace_back();
      for (size_t i = 0; i < tile.map.outputSize(); ++i)
        outputs.back().push_back(numberFrom(tile.element, &simt.shared()[size_t(tile.offset) + i * bytesOf(tile.element)]));
    }
  return outputs;
}

unsigned TileKernel::count(llvm::StringRef text) const {
  return unsigned(llvm::count_if(m_done, [&](llvm::StringRef done) { return done.starts_with(text); }));
}

void TileKernel::expectAssembles() const {
  for (unsigned capability : {75u, 80u, 90u, 120u}) {
    Translated translated(text(), {capability, capability == 90});
    ASSERT_TRUE(translated.isDone());
    EXPECT_NE(translated.ptx().find(".entry k("), std::string::npos) << translated.ptx();
    EXPECT_EQ(translated.assemble(), "") << "sm_" << capability;
  }
}

} // namespace tilescope::codegen::test
