// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Target/NVPTX/RegisterEstimate.h"
#include "tests/Target/Kernels.h"

using namespace tilescope;

namespace {

int estimate(const std::string &body) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const std::string ir = "declare double @make()\ndeclare float @small()\ndeclare void @take(double)\n"
                         "define void @k(i1 %flag) {\n" +
                         body + "}\n";
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(ir, problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str();
  return nvptx::estimateRegisters(*module->getFunction("k"));
}

/// Six numbers of two words are alive together, counted by hand.
TEST(RegisterEstimate, IsTheMostThatIsAliveAtOnce) {
  std::string body, sum = "%a0";
  for (int i = 0; i < 6; ++i)
    body += "%a" + std::to_string(i) + " = call double @make()\n";
  for (int i = 1; i < 6; ++i) {
    body += "%s" + std::to_string(i) + " = fadd double " + sum + ", %a" + std::to_string(i) + "\n";
    sum = "%s" + std::to_string(i);
  }
  EXPECT_EQ(estimate(body + "call void @take(double " + sum + ")\nret void\n"), 12);
}

/// What a loop reads stays alive in all of it: five numbers, and the one that is carried.
TEST(RegisterEstimate, FollowsLoops) {
  std::string body;
  for (int i = 0; i < 5; ++i)
    body += "%a" + std::to_string(i) + " = call double @make()\n";
  body += "br label %loop\nloop:\n%c = phi double [0.0, %0], [%n4, %loop]\n";
  std::string sum = "%c";
  for (int i = 0; i < 5; ++i) {
    body += "%n" + std::to_string(i) + " = fadd double " + sum + ", %a" + std::to_string(i) + "\n";
    sum = "%n" + std::to_string(i);
  }
  EXPECT_EQ(estimate(body + "br i1 %flag, label %loop, label %end\nend:\ncall void @take(double %n4)\nret void\n"), 12);
}

TEST(RegisterEstimate, HasALeast) { EXPECT_EQ(estimate("ret void\n"), 8); }

} // namespace
