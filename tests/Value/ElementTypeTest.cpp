// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of element types, as torch and Triton print them.
#include "compiler/Value/ElementType.h"
#include "compiler/Value/Function.h"
#include "compiler/Value/Operators.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

TEST(ElementType, FromSymbols) {
  EXPECT_EQ(elementTypeOfSymbol("torch.half"), ElementType::Float16);
  EXPECT_EQ(elementTypeOfSymbol("torch.float"), ElementType::Float32);
  EXPECT_EQ(elementTypeOfSymbol("torch.long"), ElementType::Int64);
  EXPECT_EQ(elementTypeOfSymbol("torch.float8_e5m2"), ElementType::Float8E5M2);
  EXPECT_EQ(elementTypeOfSymbol("triton.language.float8e4nv"), ElementType::Float8E4M3FN);
  EXPECT_EQ(elementTypeOfSymbol("triton.language.int1"), ElementType::Bool);
  EXPECT_EQ(elementTypeOfSymbol("triton.language.half"), std::nullopt);
  EXPECT_EQ(elementTypeOfSymbol("torch."), std::nullopt);
  EXPECT_EQ(elementTypeOfSymbol("numpy.float32"), std::nullopt);
}

TEST(ElementType, Names) {
  EXPECT_EQ(tritonName(ElementType::BFloat16), "bf16");
  EXPECT_EQ(torchName(ElementType::UInt8), "torch.uint8");
  EXPECT_EQ(byteSize(ElementType::Float64), 8u);
  EXPECT_TRUE(isFloat(ElementType::Float8E5M2) && !isSignedInt(ElementType::Bool) &&
              isUnsignedInt(ElementType::UInt16));
}

TEST(Symbols, PrintAsTheirLibrariesPrint) {
  EXPECT_EQ(repr(makeSymbol("torch.half")), "torch.float16");
  EXPECT_EQ(repr(makeSymbol("triton.language.float32")), "fp32");
  EXPECT_EQ(repr(makeSymbol("builtins.int")), "<class 'int'>");
}

TEST(Symbols, OneMeaningIsOneObject) {
  EXPECT_TRUE(makeSymbol("torch.half").identical(makeSymbol("torch.float16")));
  EXPECT_FALSE(makeSymbol("torch.half").identical(makeSymbol("triton.language.float16")));
  EXPECT_TRUE(makeSymbol("numpy.array").identical(makeSymbol("numpy.array")));
}

TEST(Scope, FindsNamesOutwardsAndKeepsTheirOrder) {
  auto outer = std::make_shared<Scope>();
  outer->set("x", Value(1));
  Scope inner(outer);
  inner.set("b", Value(2));
  inner.set("a", Value(3));
  inner.set("b", Value(4));
  EXPECT_EQ(repr(*inner.find("x")), "1");
  EXPECT_EQ(inner.findLocal("x"), nullptr);
  EXPECT_EQ(inner.names(), (std::vector<std::string>{"b", "a"}));
  EXPECT_TRUE(inner.erase("b"));
  EXPECT_EQ(inner.find("b"), nullptr);
  EXPECT_FALSE(inner.erase("b"));
}

} // namespace
} // namespace tilescope
