// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of every type by mma.sync and by multiply-adds, against sums in double precision.
#include "tests/Conversion/Simt.h"
#include "tests/Conversion/SimtMatrix.h"
#include "tests/Conversion/Translated.h"

#include "compiler/Layout/Constructors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tilescope::codegen::test {
namespace {

using layout::LinearLayout;
using Shape = std::vector<int64_t>;

struct Product {
  Shape a, b;            ///< MxK, KxN, or with a batch in front
  const char *operand;   ///< as the dialect names it, and as PTX does
  const char *encoding;
  const char *sum, *sumEncoding;
  const char *precision;
  unsigned coreBits; ///< of an operand in a tensor core; 0: without
  unsigned capability;
  double tolerance; ///< relative to the sum of magnitudes; 0: exact
  const char *operandB = nullptr, *encodingB = nullptr;
};

std::ostream &operator<<(std::ostream &stream, const Product &product) {
  return stream << product.operand << " " << product.sum << " " << product.precision << " core " << product.coreBits << " sm_"
                << product.capability << " " << testing::PrintToString(product.a) << " " << testing::PrintToString(product.b);
}

struct Layouts {
  LinearLayout a, b, sum;
};

Layouts layoutsOf(const Product &product) {
  Shape sum = product.a;
  sum.back() = product.b.back();
  if (product.coreBits) {
    const layout::TensorCore warps{2, 2};
    return {layout::mmaOperand(product.a, warps, 0, product.coreBits), layout::mmaOperand(product.b, warps, 1, product.coreBits),
            layout::mmaAccumulator(sum, warps)};
  }
  layout::Blocked blocked{{2, 2}, {4, 8}, {4, 1}, {1, 0}};
  if (sum.size() == 3)
    blocked = {{1, 2, 2}, {1, 4, 8}, {2, 2, 1}, {2, 1, 0}};
  return {layout::fmaOperand(product.a, blocked, 0), layout::fmaOperand(product.b, blocked, 1), layout::blocked(sum, blocked)};
}

/// One of the tiles that the kernel reads or writes, row-major in shared memory.
struct Tile {
  LinearLayout map;
  std::string element, encoding;
  size_t offset = 0;

  unsigned bytes() const { return encoding == "f64" ? 8 : bitsOf(encoding) / 8; }
  size_t size() const { return map.outputSize() * bytes(); }
  std::string tile() const { return "!tile.tile<" + typeText(map, element) + ">"; }
  std::string buffer() const { return "!tile.buffer<" + typeText(rowMajor(map), element) + ">"; }
  std::string alloc(const std::string &name) const {
    return "  %b" + name + " = tile.shared_alloc : {shared_offset = " + std::to_string(offset) + " : i32} " + buffer() + "\n";
  }
  std::string load(const std::string &name) const {
    return alloc(name) + "  %" + name + " = tile.shared_load %b" + name + " : " + buffer() + " -> " + tile() + "\n";
  }
  double at(const std::vector<uint8_t> &memory, size_t number) const {
    if (encoding == "f64") {
      double value;
      std::memcpy(&value, &memory[offset + 8 * number], 8);
      return value;
    }
    uint32_t bits = 0;
    std::memcpy(&bits, &memory[offset + bytes() * number], bytes());
    return decode(encoding, bits);
  }
  void set(std::vector<uint8_t> &memory, size_t number, double value) const {
    if (encoding == "f64")
      return void(std::memcpy(&memory[offset + 8 * number], &value, 8));
    const uint32_t bits = encode(encoding, value);
    std::memcpy(&memory[offset + bytes() * number], &bits, bytes());
  }
};

class Products : public testing::TestWithParam<Product> {};

TEST_P(Products, AreTheSumsOfTheirElements) {
  const Product &product = GetParam();
  const Layouts layouts = layoutsOf(product);
  Tile a{layouts.a, product.operand, product.encoding};
  Tile b{layouts.b, product.operandB ? product.operandB : product.operand, product.encodingB ? product.encodingB : product.encoding};
  Tile sum{layouts.sum, product.sum, product.sumEncoding}, result = sum;
  b.offset = a.size();
  sum.offset = b.offset + b.size();
  result.offset = sum.offset + sum.size();
  Translated translated("tile.func @k() attributes {num_warps = 4 : i32} {\n" + a.load("a") + b.load("b") + sum.load("c") + result.alloc("d") +
                            "  %d = tile.dot %a, %b, %c " + product.precision + " : " + a.tile() + ", " + b.tile() + " -> " + sum.tile() +
                            "\n  tile.shared_store %d, %bd : " + sum.tile() + ", " + result.buffer() + "\n  tile.return\n}\n",
                        {product.capability});
  ASSERT_TRUE(translated.isDone());

  std::mt19937 random(3);
  std::vector<uint8_t> memory(result.offset + result.size());
  const auto number = [&]() -> double {
    if (product.tolerance == 0) // exact in every type, and so are the sums
      return double(random() % 5) - (std::string(product.encoding) == "u8" ? 0 : 2);
    return float(random() % (1 << 24)) / (1 << 23) - 1;
  };
  for (const Tile *tile : {&a, &b, &sum})
    for (size_t i = 0; i < tile->map.outputSize(); ++i)
      tile->set(memory, i, number());
  Simt simt(translated.kernel(), 128, memory);
  simt.run();

  const size_t m = size_t(product.a.end()[-2]), k = size_t(product.a.back()), n = size_t(product.b.back());
  for (size_t i = 0; i < sum.map.outputSize(); ++i) {
    const size_t batch = i / (m * n), row = i / n % m, column = i % n;
    double expected = sum.at(memory, i), magnitude = std::abs(expected);
    for (size_t step = 0; step < k; ++step) {
      const double term = a.at(memory, (batch * m + row) * k + step) * b.at(memory, (batch * k + step) * n + column);
      expected += term;
      magnitude += std::abs(term);
    }
    ASSERT_LE(std::abs(result.at(simt.shared(), i) - expected), product.tolerance * magnitude) << batch << ", " << row << ", " << column;
  }
  EXPECT_EQ(simt.count("mma.sync") > 0, product.coreBits > 0);
  EXPECT_EQ(translated.assemble(), "");
}

INSTANTIATE_TEST_SUITE_P(
    ByTensorCores, Products,
    testing::Values(Product{{32, 16}, {16, 16}, "f16", "f16", "f32", "f32", "tf32", 16, 80, 0},
                    Product{{64, 32}, {32, 32}, "f16", "f16", "f16", "f16", "tf32", 16, 80, 0},
                    Product{{32, 32}, {32, 64}, "f16", "f16", "f32", "f32", "tf32", 16, 75, 0},
                    Product{{16, 16}, {16, 8}, "f16", "f16", "f16", "f16", "tf32", 16, 75, 0},
                    Product{{16, 64}, {64, 32}, "bf16", "bf16", "f32", "f32", "tf32", 16, 90, 0},
                    Product{{2, 32, 16}, {2, 16, 32}, "bf16", "bf16", "f32", "f32", "tf32", 16, 80, 0},
                    Product{{32, 32}, {32, 16}, "f32", "f32", "f32", "f32", "tf32", 32, 80, 0x1p-9},
                    Product{{32, 16}, {16, 16}, "f32", "f32", "f32", "f32", "tf32x3", 32, 80, 0x1p-19},
                    Product{{32, 16}, {16, 16}, "f32", "f32", "f32", "f32", "bf16x3", 16, 80, 0x1p-15},
                    Product{{32, 16}, {16, 16}, "f32", "f32", "f32", "f32", "bf16x6", 16, 90, 0x1p-21},
                    Product{{32, 64}, {64, 16}, "si8", "s8", "si32", "s32", "tf32", 8, 80, 0},
                    Product{{32, 32}, {32, 32}, "ui8", "u8", "si32", "s32", "tf32", 8, 80, 0},
                    Product{{32, 32}, {32, 32}, "f8E4M3FN", "e4m3", "f32", "f32", "tf32", 8, 89, 0},
                    Product{{32, 64}, {64, 16}, "f8E5M2", "e5m2", "f16", "f16", "tf32", 8, 90, 0},
                    Product{{32, 32}, {32, 32}, "f8E4M3FN", "e4m3", "f32", "f32", "tf32", 8, 90, 0, "f8E5M2", "e5m2"}));

INSTANTIATE_TEST_SUITE_P(
    ByMultiplyAdds, Products,
    testing::Values(Product{{16, 16}, {16, 16}, "f32", "f32", "f32", "f32", "ieee", 0, 75, 0x1p-21},
                    Product{{8, 4}, {4, 32}, "f16", "f16", "f32", "f32", "tf32", 0, 80, 0},
                    Product{{32, 8}, {8, 4}, "f16", "f16", "f16", "f16", "tf32", 0, 75, 0},
                    Product{{16, 16}, {16, 32}, "bf16", "bf16", "f32", "f32", "tf32", 0, 80, 0},
                    Product{{4, 8, 8}, {4, 8, 16}, "f32", "f32", "f32", "f32", "ieee", 0, 90, 0x1p-21},
                    Product{{16, 8}, {8, 16}, "f64", "f64", "f64", "f64", "ieee", 0, 80, 0x1p-50},
                    Product{{16, 32}, {32, 8}, "si8", "s8", "si32", "s32", "tf32", 0, 75, 0},
                    Product{{16, 32}, {32, 8}, "ui8", "u8", "si32", "s32", "tf32", 0, 75, 0}));

} // namespace
} // namespace tilescope::codegen::test
