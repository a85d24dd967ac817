// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guesses for kernels that nobody launches (the rules are in compiler/docs/frontend.md), keys, nearest names.
#include "compiler/Frontend/Names.h"
#include "tests/Frontend/Kernels.h"
#include "tests/Frontend/Script.h"

#include <gtest/gtest.h>

namespace tilescope::frontend::test {
namespace {

std::string guessed(const std::string &parameters, const std::string &statements = "pass") {
  Script script("import triton\nimport triton.language as tl\n@triton.jit\ndef k(" + parameters + "):\n    " +
                statements + "\n");
  std::string text;
  for (const ArgumentSpec &spec : inferSpecialisation(script.function()).arguments) {
    Specialisation one;
    one.arguments = {spec};
    text += (text.empty() ? "" : " ") + one.key().substr(one.key().find(';') + 1);
  }
  return text;
}

TEST(Specialise, NamesThatEndInPtrArePointers) { EXPECT_EQ(guessed("x_ptr, n"), "*fp32:16 int32"); }

TEST(Specialise, UseMakesAPointer) {
  EXPECT_EQ(guessed("X, O, n", "a = X + n\n    b = a + 1\n    tl.store(O + n, tl.load(b))"),
            "*fp32:16 *fp32:16 int32");
}

TEST(Specialise, DefaultsAndConstantsCount) {
  EXPECT_EQ(
      guessed("n=None, e=1e-5, B: tl.constexpr = 128, C: 'tl.constexpr' = 4, HAS_BIAS: tl.constexpr = True"),
      "=None fp32 =128 =4 =True");
}

TEST(Specialise, ConstantsWithoutADefault) {
  EXPECT_EQ(guessed("BLOCK: tl.constexpr, IS_CAUSAL: tl.constexpr, GROUP_M: tl.constexpr"), "=64 =False =8");
}

TEST(Specialise, IndicesAreIntegersAndTypesAreTypes) {
  EXPECT_EQ(guessed("row_indices_ptr, out_dtype: tl.constexpr, ACTIVATION: tl.constexpr"),
            "*int64:16 =fp32 =''");
}

TEST(Specialise, AGuessedFunctionMayBeAHelper) {
  Script script("import triton\nimport triton.language as tl\n@triton.jit\ndef k(x):\n    return x + 1\n");
  EXPECT_FALSE(inferSpecialisation(script.function()).isLaunched);
}

TEST(Specialise, KeysTellSpecialisationsApart) {
  Specialisation a, b;
  a.arguments = {{ArgumentSpec::Kind::Scalar, ElementType::Int32, false, {}}};
  b.arguments = {{ArgumentSpec::Kind::Scalar, ElementType::Int32, true, {}}};
  EXPECT_NE(a.key(), b.key());
  b = a;
  EXPECT_EQ(a.key(), b.key());
  b.numWarps = 8;
  EXPECT_NE(a.key(), b.key());
  b = a;
  for (Specialisation *s : {&a, &b})
    s->arguments[0] = {ArgumentSpec::Kind::Descriptor, ElementType::Float16, true, {}, {8, 16}, false};
  EXPECT_EQ(a.key(), b.key());
  b.arguments[0].padsNaN = true;
  EXPECT_NE(a.key(), b.key());
  b.arguments[0] = a.arguments[0];
  b.arguments[0].blockShape = {16, 8};
  EXPECT_NE(a.key(), b.key());
}

TEST(Names, NearestForgivesSlips) {
  constexpr std::string_view names[] = {"offsets", "mask", "BLOCK_SIZE", "x"};
  EXPECT_EQ(nearest("ofsets", names), "offsets");
  EXPECT_EQ(nearest("offsest", names), "offsets");
  EXPECT_EQ(nearest("block_size", names), "BLOCK_SIZE");
  EXPECT_EQ(nearest("msak", names), "mask");
  EXPECT_EQ(nearest("completely_different", names), "");
}

} // namespace
} // namespace tilescope::frontend::test
