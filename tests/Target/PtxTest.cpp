// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Target/NVPTX/Libdevice.h"
#include "tests/Target/Kernels.h"

#include <gmock/gmock.h>

using namespace tilescope;
using namespace tilescope::testing;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

const std::string Doubled = "%r = fadd float %a, %a";

struct Versioned {
  const char *gpu, *version;
};

class EachGpu : public ::testing::TestWithParam<Versioned> {};

/// The versions are those in which NVIDIA's release notes of PTX ("PTX ISA Release History") name the GPU first.
TEST_P(EachGpu, GetsTheLowestVersion) {
  const Result<std::string> ptx = ptxOf(elementKernel(Doubled), *nvptx::parseTarget(GetParam().gpu));
  ASSERT_TRUE(ptx) << ptx.error().id << ptx.error().arguments.front();
  EXPECT_THAT(*ptx, HasSubstr(std::string(".version ") + GetParam().version + "\n"));
  EXPECT_THAT(*ptx, HasSubstr(std::string(".target ") + GetParam().gpu + "\n"));
  EXPECT_THAT(*ptx, HasSubstr(".entry k("));
}

INSTANTIATE_TEST_SUITE_P(Ptx, EachGpu,
                         ::testing::Values(Versioned{"sm_75", "6.3"}, Versioned{"sm_80", "7.0"}, Versioned{"sm_86", "7.1"},
                                           Versioned{"sm_89", "7.8"}, Versioned{"sm_90", "7.8"}, Versioned{"sm_90a", "8.0"},
                                           Versioned{"sm_100", "8.6"}, Versioned{"sm_120", "8.7"}),
                         [](const auto &info) { return std::string(info.param.gpu); });

TEST(Ptx, TakesTheVersionThatAnInstructionNeeds) {
  const std::string tanh = R"(%r = call float asm "tanh.approx.f32 $0, $1;", "=f,f"(float %a))";
  const Result<std::string> ptx = ptxOf(elementKernel(tanh), *nvptx::parseTarget("sm_75"));
  ASSERT_TRUE(ptx);
  EXPECT_THAT(*ptx, HasSubstr(".version 7.0\n"));
}

TEST(Ptx, KeepsSumsAndProductsApartUnlessToldOtherwise) {
  const codegen::Target target = *nvptx::parseTarget("sm_80");
  const Result<std::string> apart = ptxOf(elementKernel("%p = fmul float %a, %a\n %r = fadd float %p, %a"), target);
  const Result<std::string> fused =
      ptxOf(elementKernel("%p = fmul contract float %a, %a\n %r = fadd contract float %p, %a"), target);
  ASSERT_TRUE(apart && fused);
  EXPECT_THAT(*apart, HasSubstr("mul.rn.f32"));
  EXPECT_THAT(*apart, Not(HasSubstr("fma")));
  EXPECT_THAT(*fused, HasSubstr("fma.rn.f32"));
}

TEST(Ptx, DoesNotJoinAccesses) {
  const std::string pair = R"(
  %next = getelementptr inbounds float, ptr addrspace(1) %x, i32 1
  %b0 = load float, ptr addrspace(1) %x, align 16
  %b1 = load float, ptr addrspace(1) %next, align 4
  %s = fadd float %b0, %b1
  %r = fadd float %s, %a)";
  const Result<std::string> ptx = ptxOf(elementKernel(pair), *nvptx::parseTarget("sm_90a"));
  ASSERT_TRUE(ptx);
  EXPECT_THAT(*ptx, Not(HasSubstr(".v2")));
}

TEST(Ptx, LinksWhatItNeedsOfLibdevice) {
  if (!nvptx::findLibdevice())
    GTEST_SKIP() << "no libdevice on this machine";
  const Result<std::string> ptx = ptxOf(
      elementKernel("%r = call float @__nv_rsqrtf(float %a)", "declare float @__nv_rsqrtf(float)"),
      *nvptx::parseTarget("sm_80"));
  ASSERT_TRUE(ptx);
  EXPECT_THAT(*ptx, HasSubstr("rsqrt.approx.ftz.f32")); // subnormal numbers are zero in libdevice, as Triton links it
  EXPECT_THAT(*ptx, Not(HasSubstr("__nv_")));
  EXPECT_THAT(*ptx, Not(HasSubstr(".func")));
}

TEST(Ptx, NamesTheFunctionForWhichLibdeviceIsMissing) {
  setenv("TILESCOPE_LIBDEVICE", "/nowhere/libdevice.10.bc", 1);
  const Result<std::string> ptx = ptxOf(
      elementKernel("%r = call float @__nv_sinf(float %a)", "declare float @__nv_sinf(float)"),
      *nvptx::parseTarget("sm_80"));
  unsetenv("TILESCOPE_LIBDEVICE");
  ASSERT_FALSE(ptx);
  EXPECT_EQ(ptx.error().id, "libdevice-missing");
  EXPECT_EQ(ptx.error().arguments.front(), "__nv_sinf");
}

TEST(Ptx, RefusesAModuleThatIsWrong) {
  llvm::LLVMContext context;
  llvm::Module module("wrong", context);
  module.setTargetTriple(llvm::Triple("nvptx64-nvidia-cuda"));
  auto *function = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                                          llvm::GlobalValue::ExternalLinkage, "k", module);
  llvm::BasicBlock::Create(context, "entry", function); // which nothing ends
  const Result<std::string> ptx = nvptx::toPtx(module, *nvptx::parseTarget("sm_80"));
  ASSERT_FALSE(ptx);
  EXPECT_EQ(ptx.error().id, "ptx-failed");
}

TEST(Ptx, KnowsWhichGpusThereAre) {
  EXPECT_TRUE(nvptx::parseTarget("sm_90a")->isArchSpecific);
  EXPECT_EQ(nvptx::parseTarget("sm_120")->capability, 120u);
  for (const char *wrong : {"sm_70", "sm_80a", "sm_", "90", "sm_95", "sm_90b"})
    EXPECT_FALSE(nvptx::parseTarget(wrong)) << wrong;
}

} // namespace
