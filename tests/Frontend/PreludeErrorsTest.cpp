// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes in calls of what is written in the language itself: one error each, at the call.
#include "tests/Frontend/Script.h"

#include <gmock/gmock.h>

namespace tilescope::frontend::test {
namespace {

using ::testing::ElementsAre;

struct Mistake {
  const char *call;
  const char *error; ///< id and arguments
};
class PreludeError : public ::testing::TestWithParam<Mistake> {};

TEST_P(PreludeError, IsToldOnceAtTheCall) {
  const std::string call = GetParam().call, error = GetParam().error;
  Compiled c = compileKernel("@triton.jit\ndef k(p):\n    o = tl.arange(0, 16)\n"
                             "    x = tl.load(p + o[:, None] * 16 + o[None, :])\n    y = " +
                             call + "\n");
  const size_t bar = error.find('|');
  EXPECT_THAT(c.errors(), ElementsAre(error.substr(0, bar) + "|" + call + error.substr(bar)));
}

INSTANTIATE_TEST_SUITE_P(
    All, PreludeError,
    ::testing::Values(
        Mistake{"tl.xor_sum(x, 1)", "dtype-not-supported|xor_sum, int, fp32[16, 16]"},
        Mistake{"tl.reduce_or(x, 0)", "dtype-not-supported|reduce_or, int, fp32[16, 16]"},
        Mistake{"tl.topk(x, 3)", "topk-size|3, 16"}, Mistake{"tl.topk(x, 1024)", "topk-size|1024, 16"},
        Mistake{"tl.sort(x, 0)", "last-axis-only|sort, 1"},
        Mistake{"tl.squeeze(x, 5)", "axis-out-of-range|5, 2"},
        Mistake{"tl.squeeze(x, 1)", "squeeze-size|1, 16"},
        Mistake{"tl.unsqueeze(x, 9)", "axis-out-of-range|9, 3"},
        Mistake{"tl.argmax(x, None)", "axis-needed|"}, Mistake{"tl.flip(x, 7)", "axis-out-of-range|7, 2"},
        Mistake{"tl.rand(1.5, o)", "dtype-not-supported|philox, int, fp32"},
        Mistake{"tl.philox_impl(o, o, o, o, o, o)",
                "dtype-not-supported|philox_impl, uint32, uint64, int32[16]"},
        Mistake{"tl.uint_to_uniform_float(x)",
                "dtype-not-supported|uint_to_uniform_float, int32, int64, uint32, uint64, fp32[16, 16]"},
        Mistake{"tl.interleave(x, o)", "operand-types|join, fp32[16, 16], int32[16]"},
        Mistake{"tl.zeros(16, tl.float32)", "shape-not-a-tuple|constexpr[16]"},

        Mistake{"tl.sort(4)", "unknown-attribute|constexpr[4], shape"}));

} // namespace
} // namespace tilescope::frontend::test
