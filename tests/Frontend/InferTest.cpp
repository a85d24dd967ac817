// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Argument types out of names and use, and the second guess (the rules are in compiler/docs/frontend.md).
#include "compiler/Frontend/Infer.h"
#include "tests/Frontend/Script.h"

#include <gtest/gtest.h>

namespace tilescope::frontend::test {
namespace {

constexpr const char *Imports = "import triton\nimport triton.language as tl\n";

std::string text(const Specialisation &specialisation) {
  std::string result;
  for (const ArgumentSpec &spec : specialisation.arguments)
    result += (result.empty() ? "" : " ") + textOf(spec);
  return result;
}

std::string guessed(const std::string &parameters, const std::string &body, const std::string &helpers = "") {
  const Script script(Imports + helpers + "@triton.jit\ndef k(" + parameters + "):\n    " + body + "\n");
  return text(inferSpecialisation(script.function()));
}

std::string refined(const std::string &parameters, const std::string &body) {
  const Script script(std::string(Imports) + "@triton.jit\ndef k(" + parameters + "):\n    " + body + "\n");
  return text(refine(script.function(), guessSpecialisation(script.function(), {}, {})));
}

TEST(Infer, AddressesAreFoundThroughHelpers) {
  EXPECT_EQ(guessed("X, n", "tl.store(X, inner(X, n))",
                    "@triton.jit\ndef leaf(a, i):\n    return tl.load(a + i)\n"
                    "@triton.jit\ndef inner(base, i):\n    return leaf(base + 1, i)\n"),
            "*fp32:16 int32");
}

TEST(Infer, AddressesMayStandOnTheRight) {
  EXPECT_EQ(guessed("X, Y", "i = tl.arange(0, 16)\n    tl.store(i + X, tl.load(tl.program_id(0) + Y))"),
            "*fp32:16 *fp32:16");
}

TEST(Infer, SteppedAddressesStayOnTheLeft) {
  EXPECT_EQ(guessed("X, s", "for i in range(4):\n        tl.store(X + s, 1)\n        X += s"),
            "*fp32:16 int32");
}

TEST(Infer, AdvancedAndBlockPointersAreAddresses) {
  EXPECT_EQ(guessed("X, Y, s", "X += s\n    tl.store(X, 1)\n"
                               "    b = tl.make_block_ptr(Y, (s, s), (s, 1), (0, 0), (16, 16), (1, 0))\n"
                               "    tl.load(tl.advance(b, (16, 0)))"),
            "*fp32:16 *fp32:16 int32");
}

TEST(Infer, LoadedIndicesPointToIntegers) {
  EXPECT_EQ(guessed("X, T, M", "t = tl.load(T)\n    tl.store(X + t * 4, 1.0, mask=tl.load(M) & 1)"),
            "*fp32:16 *int32:16 *int32:16");
}

TEST(Infer, LoopBoundsFromMemoryAreIntegers) {
  EXPECT_EQ(guessed("X, Starts",
                    "for i in range(tl.load(Starts), tl.load(Starts + 1)):\n        tl.store(X + i, 1.0)"),
            "*fp32:16 *int32:16");
}

TEST(Infer, AddressesOfAddressesAreWholeNumbers) {
  EXPECT_EQ(guessed("P", "a = tl.load(P).to(tl.pointer_type(tl.float32))\n    tl.store(a, 1.0)"),
            "*int64:16");
}

TEST(Infer, ElementTypesBetrayPointers) {
  EXPECT_EQ(guessed("out", "x = tl.zeros([16], out.dtype.element_ty)"), "*fp32:16");
}

TEST(Infer, AnnotationsSayTypes) {
  EXPECT_EQ(guessed("a: tl.pointer_type(tl.float16), b: '*i8', c: tl.int64, d: float, e: bool, f: 'tl.uint8'",
                    "pass"),
            "*fp16:16 *int8:16 int64 fp32 int1 int32");
}

TEST(Infer, ConstantsAreWhatTheyAreUsedAs) {
  EXPECT_EQ(guessed("A: tl.constexpr, T: tl.constexpr, F: tl.constexpr, N: tl.constexpr, C: tl.constexpr",
                    "x = tl.zeros([N], dtype=T)\n    if A == 'gelu':\n        pass\n    if F:\n        pass\n"
                    "    for i in tl.static_range(C):\n        x += i"),
            "='gelu' =fp32 =False =64 =4");
}

TEST(Infer, KnownArgumentsGoFirst) {
  const Script script(std::string(Imports) +
                      "@triton.jit\ndef k(x_ptr, N: tl.constexpr, M: tl.constexpr):\n    pass\n");
  ArgumentSpec eight;
  eight.constant = Value(8);
  const Guess guess =
      guessSpecialisation(script.function(), {{"x_ptr", *parseType("*bf16")}}, {{"N", eight}});
  EXPECT_EQ(text(guess.specialisation), "*bf16:16 =8 =64");
  EXPECT_TRUE(guess.alternatives[0].empty());
  EXPECT_FALSE(guess.alternatives[1].empty());
}

TEST(Infer, TypesAreReadAsTritonWritesThem) {
  EXPECT_EQ(textOf(*parseType("*fp16:16")), "*fp16:16");
  EXPECT_EQ(textOf(*parseType("i32:16")), "int32:16");
  EXPECT_EQ(textOf(*parseType("u8")), "uint8");
  EXPECT_EQ(textOf(*parseType("fp8e5")), "fp8e5");
  EXPECT_FALSE(parseType("**fp32"));
  EXPECT_FALSE(parseType("fp17"));
}

TEST(Infer, DescriptorsAreFoundByTheirMethods) {
  const Script script(std::string(Imports) + "@triton.jit\ndef inner(e):\n    return e.load([0, 0])\n"
                                             "@triton.jit\ndef k(d):\n    inner(d)\n");
  const ArgumentSpec spec = inferSpecialisation(script.function()).arguments[0];
  EXPECT_EQ(spec.kind, ArgumentSpec::Kind::Descriptor);
  EXPECT_EQ(spec.blockShape, (std::vector<int64_t>{64, 64}));
  const auto read = parseType("tensordesc<fp16[64, 32]>");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->element, ElementType::Float16);
  EXPECT_EQ(read->blockShape, (std::vector<int64_t>{64, 32}));
  EXPECT_FALSE(parseType("tensordesc<fp16[0]>"));
  EXPECT_FALSE(parseType("tensordesc<*fp16[16]>"));
}

TEST(Refine, ConstantsAreTriedInOrder) {
  EXPECT_EQ(refined("p, N: tl.constexpr, M: tl.constexpr",
                    "tl.static_assert(N * M == 32 * 64)\n    tl.store(p + tl.arange(0, N), M)"),
            "*fp32:16 =32 =64");
}

TEST(Refine, TypesAreTriedToo) {
  EXPECT_EQ(refined("p, m", "tl.store(p + tl.arange(0, 16), 1.0, mask=m)"), "*fp32:16 int1");
}

TEST(Refine, WhatNoGuessMendsStaysTheFirstGuess) {
  EXPECT_EQ(refined("p, N: tl.constexpr", "tl.store(p, missing)"), "*fp32:16 =64");
}

} // namespace
} // namespace tilescope::frontend::test
