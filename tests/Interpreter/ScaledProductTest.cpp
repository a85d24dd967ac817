// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scaled products of every format: what stage two makes of them gives what the interpreter gives for tile.dot_scaled.
#include "tests/Interpreter/StageRunner.h"

#include "compiler/Dialect/Tile/IR/Tile.h"

#include <mlir/IR/MLIRContext.h>
#include <mlir/Parser/Parser.h>

#include <gtest/gtest.h>

#include <random>

namespace tilescope::interp::test {
namespace {

struct Format {
  const char *name, *element;
  unsigned bytes;
  uint32_t finite; ///< bits of an element at random that keep it a small number
};
constexpr Format E2M1{"e2m1", "ui8", 1, 0xff}, E4M3{"e4m3", "f8E4M3FN", 1, 0xb7}, E5M2{"e5m2", "f8E5M2", 1, 0xbb},
    BF16{"bf16", "bf16", 2, 0xbf7f}, FP16{"fp16", "f16", 2, 0xb3ff};

struct Side {
  Format format;
  unsigned group = 32;         ///< elements of a scale; 0: none
  const char *scale = "ui8";
  bool kPack = true;
};

struct Product {
  Side a, b;
  bool fastMath = false;
  int64_t m = 32, n = 16, k = 64;
};

/// A tile of `rows` x `columns` out of parameter `name`, read as a line.
std::string loaded(const std::string &name, const std::string &element, int64_t rows, int64_t columns) {
  const std::string size = std::to_string(rows * columns), line = "!tile.tile<" + size + "x", pointers = line + "!tile.ptr<" + element + ">>";
  const std::string type = "!tile.tile<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + element + ">";
  return "  %" + name + "i = tile.make_range 0 to " + size + " : " + line + "si32>\n"
         "  %" + name + "s = tile.splat %" + name + "p : !tile.ptr<" + element + "> -> " + pointers + "\n"
         "  %" + name + "a = tile.addptr %" + name + "s, %" + name + "i : " + pointers + ", " + line + "si32>\n"
         "  %" + name + "l = tile.load %" + name + "a : " + pointers + "\n"
         "  %" + name + " = tile.reshape %" + name + "l : " + line + element + "> -> " + type + "\n";
}

std::vector<std::byte> randomBytes(std::mt19937 &random, int64_t elements, unsigned bytes, uint32_t finite) {
  std::vector<std::byte> result;
  for (int64_t i = 0; i < elements; ++i)
    for (uint32_t bits = random() & finite, byte = 0; byte < bytes; ++byte)
      result.push_back(std::byte(bits >> 8 * byte));
  return result;
}

class Builder {
public:
  explicit Builder(const Product &product) : m_product(product) {}

  std::string text() {
    const std::string a = side("a", m_product.a, m_product.m, true), b = side("b", m_product.b, m_product.n, false);
    const std::string sum = std::to_string(m_product.m) + "x" + std::to_string(m_product.n) + "xf32>";
    const std::string dot = "  %d = tile.dot_scaled " + a + ", " + b + ", %zero " + (m_product.fastMath ? "fast_math " : "") + "{a_k_pack = " +
                            (m_product.a.kPack ? "true" : "false") + ", b_k_pack = " + (m_product.b.kPack ? "true" : "false") + "} : " +
                            m_types[0] + ", " + m_types[1] + " -> !tile.tile<" + sum + "\n";
    const std::string size = std::to_string(m_product.m * m_product.n), line = "!tile.tile<" + size + "x";
    m_launch.arguments.push_back({0, int(m_launch.tensors.size())});
    m_launch.tensors.push_back({std::vector<std::byte>(size_t(4 * m_product.m * m_product.n))});
    return "tile.func @k(" + m_parameters + "%op: !tile.ptr<f32>) attributes {num_warps = 4 : i32, target = \"cuda:90\"} {\n" + m_loads +
           "  %zero = tile.constant 0.0 : f32 -> !tile.tile<" + sum + "\n" + dot +
           "  %oi = tile.make_range 0 to " + size + " : " + line + "si32>\n"
           "  %os = tile.splat %op : !tile.ptr<f32> -> " + line + "!tile.ptr<f32>>\n"
           "  %oa = tile.addptr %os, %oi : " + line + "!tile.ptr<f32>>, " + line + "si32>\n"
           "  %r = tile.reshape %d : !tile.tile<" + sum + " -> " + line + "f32>\n"
           "  tile.store %oa, %r : " + line + "!tile.ptr<f32>>\n  tile.return\n}\n";
  }
  const RepeatedLaunch &launch() const { return m_launch; }

private:
  void tensor(const std::string &name, const std::string &element, int64_t rows, int64_t columns, std::vector<std::byte> bytes) {
    m_parameters += "%" + name + "p: !tile.ptr<" + element + ">, ";
    m_loads += loaded(name, element, rows, columns);
    m_launch.arguments.push_back({0, int(m_launch.tensors.size())});
    m_launch.tensors.push_back({std::move(bytes)});
  }
  /// Loads the side and its scales; how it stands in the product.
  std::string side(const std::string &name, const Side &side, int64_t others, bool isLeft) {
    int64_t k = m_product.k, other = others;
    if (side.format.name == std::string("e2m1"))
      (side.kPack ? k : other) /= 2;
    const int64_t rows = isLeft ? other : k, columns = isLeft ? k : other;
    tensor(name, side.format.element, rows, columns, randomBytes(m_random, rows * columns, side.format.bytes, side.format.finite));
    m_types.push_back("!tile.tile<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + side.format.element + ">");
    std::string text = "%" + name + " " + side.format.name;
    if (side.group == 0)
      return text;
    const int64_t groups = m_product.k / side.group;
    std::vector<std::byte> scales = randomBytes(m_random, others * groups, 1, side.scale == std::string("ui8") ? 0x0f : 0x37);
    if (side.scale == std::string("ui8"))
      for (std::byte &scale : scales)
        scale = std::byte(unsigned(scale) + 120);
    if (side.scale == std::string("ui8") && side.format.name == std::string("e2m1"))
      scales.front() = std::byte(0); // the least power of two
    tensor(name + "c", side.scale, others, groups, std::move(scales));
    return text + " scale %" + name + "c : !tile.tile<" + std::to_string(others) + "x" + std::to_string(groups) + "x" + side.scale + ">";
  }

  Product m_product;
  std::mt19937 m_random{5};
  RepeatedLaunch m_launch;
  std::string m_parameters, m_loads;
  std::vector<std::string> m_types;
};

class ScaledProducts : public testing::TestWithParam<Product> {};

TEST_P(ScaledProducts, AreTheirProductsInStageTwo) {
  Builder builder(GetParam());
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  const std::string text = builder.text();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(module) << text;
  const LaunchOutcome outcome = interpret(*module, builder.launch());
  EXPECT_NE(outcome.tensors.back(), builder.launch().tensors.back().bytes) << "a product that is not zero";
  EXPECT_EQ(compareStages(*module, builder.launch(), Compare::EveryStage), "");
}

INSTANTIATE_TEST_SUITE_P(
    Formats, ScaledProducts,
    testing::Values(Product{{E2M1}, {E2M1}}, Product{{E2M1, 32, "ui8", false}, {E2M1, 32, "ui8", false}},
                    Product{{E4M3}, {E2M1}}, Product{{E5M2}, {E4M3, 0}}, Product{{E4M3, 0}, {E4M3, 0}}, Product{{BF16, 0}, {E2M1}},
                    Product{{FP16}, {E5M2}}, Product{{BF16}, {BF16}}, Product{{E2M1, 16, "f8E4M3FN"}, {E2M1, 16, "f8E4M3FN"}},
                    Product{{E2M1, 16, "f8E4M3FN"}, {FP16, 16, "f8E4M3FN"}}, Product{{E2M1}, {E2M1}, true}));

} // namespace
} // namespace tilescope::interp::test
