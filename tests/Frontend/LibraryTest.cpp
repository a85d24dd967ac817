// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list for completion: every entry has a signature and help in three languages, and the prelude compiles.
#include "compiler/Support/Words.h"
#include "tests/Frontend/Script.h"

#include <gtest/gtest.h>

namespace tilescope::frontend::test {
namespace {

const LibraryEntry *entry(std::string_view name) {
  for (const LibraryEntry &e : libraryEntries())
    if (e.name == name)
      return &e;
  return nullptr;
}

TEST(Library, EveryEntryHasHelpInEachLanguage) {
  ASSERT_GT(libraryEntries().size(), 100u);
  for (const LibraryEntry &e : libraryEntries())
    for (Language language : {Language::English, Language::French, Language::Chinese})
      EXPECT_NE(words(language, e.helpKey), e.helpKey) << e.name;
}

TEST(Library, SignaturesAreThoseOfTriton) {
  ASSERT_TRUE(entry("triton.language.load"));
  EXPECT_EQ(entry("triton.language.load")->signature.substr(0, 32), "(pointer, mask=None, other=None,");
  ASSERT_TRUE(entry("triton.language.softmax"));
  EXPECT_EQ(entry("triton.language.softmax")->signature,
            "(x, dim=None, *, keep_dims=None, ieee_rounding=False)");
  EXPECT_FALSE(entry("triton.language._indices"));
}

struct CallCase {
  const char *expression, *type;
};
class PreludeCall : public ::testing::TestWithParam<CallCase> {};

TEST_P(PreludeCall, Compiles) {
  Compiled c = compileKernel("@triton.jit\ndef k(p, q, n, B: tl.constexpr):\n    o = tl.arange(0, B)\n"
                             "    x = tl.load(p + o[:, None] * B + o[None, :])\n    y = " +
                             std::string(GetParam().expression) + "\n");
  ASSERT_FALSE(c.ir.empty()) << (c.diagnostics.empty() ? "" : c.errors()[0]);
  EXPECT_EQ(c.typeOf("y"), GetParam().type);
}

INSTANTIATE_TEST_SUITE_P(
    All, PreludeCall,
    ::testing::Values(
        CallCase{"tl.zeros_like(x)", "fp32[64, 64]"}, CallCase{"x.sigmoid()", "fp32[64, 64]"},
        CallCase{"tl.softmax(x, 1)", "fp32[64, 64]"}, CallCase{"x.ravel()", "fp32[4096]"},
        CallCase{"tl.squeeze(x[None], 0)", "fp32[64, 64]"}, CallCase{"tl.unsqueeze(x, 0)", "fp32[1, 64, 64]"},
        CallCase{"tl.interleave(x, x)", "fp32[64, 128]"}, CallCase{"tl.xor_sum(o)", "int32"},
        CallCase{"tl.reduce_or(o, 0)", "int32"}, CallCase{"tl.argmax(x, -1)", "int32[64]"},
        CallCase{"tl.argmin(x, 1)", "int32[64]"},
        CallCase{"tl.argmin(x, 0, tie_break_left=False, keep_dims=True)", "int32[1, 64]"},
        CallCase{"tl.max(x, 0, return_indices=True, keep_dims=True)", "(fp32[1, 64], int32[1, 64])"},
        CallCase{"tl.swizzle2d(n, n, 4, 4, 2)", "(int32, int32)"}, CallCase{"triton.cdiv(n, 4)", "int32"},
        CallCase{"triton.next_power_of_2(B + 1)", "int32"}));

} // namespace
} // namespace tilescope::frontend::test
