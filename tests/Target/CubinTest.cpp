// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Target/NVPTX/Cubin.h"
#include "tests/Target/Kernels.h"

#include <gmock/gmock.h>

using namespace tilescope;
using namespace tilescope::testing;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

/// As ptxas 13.0 writes it.
TEST(Cubin, ReadsTheAssemblersWords) {
  const auto found = nvptx::parseResources("ptxas info    : 0 bytes gmem\n"
                                           "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
                                           "ptxas info    : Function properties for k\n"
                                           "    24 bytes stack frame, 20 bytes spill stores, 16 bytes spill loads\n"
                                           "ptxas info    : Used 255 registers, used 1 barriers, 4096 bytes smem\n");
  EXPECT_EQ(found, (nvptx::Resources{255, 24, 20, 16, 4096}));
  EXPECT_FALSE(nvptx::parseResources("nothing of the kind"));
}

TEST(Cubin, IsMadeForEachGpu) {
  if (!nvptx::hasAssembler())
    GTEST_SKIP() << "no nvJitLink on this machine";
  for (const char *gpu : {"sm_80", "sm_90a", "sm_120"}) {
    const codegen::Target target = *nvptx::parseTarget(gpu);
    const Result<std::string> ptx = ptxOf(elementKernel("%r = fadd float %a, %a"), target);
    ASSERT_TRUE(ptx);
    const Result<nvptx::Cubin> cubin = nvptx::assemble(*ptx, target);
    ASSERT_TRUE(cubin) << gpu << cubin.error().id << cubin.error().arguments.front();
    EXPECT_THAT(cubin->image, StartsWith("\x7f" "ELF"));
    // Two addresses, a number and an index need at least six registers; nobody spills them.
    EXPECT_GE(cubin->resources.registers, 6);
    EXPECT_LE(cubin->resources.registers, 32);
    EXPECT_EQ(cubin->resources.spillStores, 0);
    EXPECT_EQ(cubin->resources.stackBytes, 0);
  }
}

TEST(Cubin, GivesTheAssemblersWordsForWrongPtx) {
  if (!nvptx::hasAssembler())
    GTEST_SKIP() << "no nvJitLink on this machine";
  const Result<nvptx::Cubin> cubin =
      nvptx::assemble(".version 8.0\n.target sm_90a\n.address_size 64\nnonsense\n", *nvptx::parseTarget("sm_90a"));
  ASSERT_FALSE(cubin);
  EXPECT_EQ(cubin.error().id, "assembler-failed");
  EXPECT_THAT(cubin.error().arguments.front(), HasSubstr("line 4"));
}

} // namespace
