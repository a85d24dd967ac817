// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tilec with a GPU: where there is none, and with the fake driver of tests/Runtime, which knows two kernels by name.
#include "tests/Service/Client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <sys/wait.h>
#include <unistd.h>

using namespace tilescope::testing;
using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace fs = std::filesystem;

namespace {

const std::string Imports = "import torch\nimport triton\nimport triton.language as tl\n";
/// The fake GPU runs this kernel whatever it says: what it prints shows where it ran.
const std::string Double = Imports + R"(
@triton.jit
def double_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) * 3, mask=mask)


x = torch.arange(100, device="cuda", dtype=torch.float32)
y = torch.empty_like(x)
double_kernel[(1,)](x, y, 100, BLOCK=128)
print(y[1].item(), y[99].item())
x += 1
double_kernel[(1,)](x, y, 100, BLOCK=128)
print(y[1].item(), y[99].item())
)";

class Gpu : public ::testing::Test {
protected:
  Gpu() : folder(fs::temp_directory_path() / ("tilec gpu " + std::to_string(getpid()))) {
    fs::create_directories(folder);
  }
  ~Gpu() override { fs::remove_all(folder); }

  /// Runs tilec on a script, with that driver.
  void tilec(const std::string &driver, const std::string &arguments, const std::string &script) {
    const std::string path = (folder / "script.py").string(), out = (folder / "out").string(),
                      err = (folder / "err").string();
    std::ofstream(path, std::ios::binary) << script;
    const std::string command = "TILESCOPE_CUDA_DRIVER='" + driver + "' '" + tilecPath() + "' --lang en " + arguments + " '" +
                                path + "' > '" + out + "' 2> '" + err + "'";
    const int found = std::system(command.c_str());
    status = WIFEXITED(found) ? WEXITSTATUS(found) : -1;
    output = readFile(out);
    errors = readFile(err);
  }

  const fs::path folder;
  int status = -1;
  std::string output, errors;
};

TEST_F(Gpu, SaysThatThereIsNoDriver) {
  tilec("/nowhere/libcuda.so.1", "run --device cuda", Double);
  EXPECT_EQ(status, 2);
  EXPECT_EQ(output, "");
  EXPECT_THAT(errors, StartsWith("error: No CUDA driver found (/nowhere/libcuda.so.1)"));
  tilec("/nowhere/libcuda.so.1", "bench", Double);
  EXPECT_EQ(status, 2);
}

TEST_F(Gpu, SaysWhatADriverLacks) {
  tilec("libm.so.6", "run --device cuda", Double);
  EXPECT_EQ(status, 2);
  EXPECT_THAT(errors, HasSubstr("lacks cuInit"));
}

TEST_F(Gpu, SaysThatThereIsNoSuchGpu) {
  tilec(FAKE_CUDA, "run --device cuda:1", Double);
  EXPECT_EQ(status, 2);
  EXPECT_THAT(errors, HasSubstr("[no-gpu]"));
  tilec(FAKE_CUDA, "run --device gpu", Double);
  EXPECT_EQ(status, 2);
  EXPECT_THAT(errors, HasSubstr("--device"));
}

TEST_F(Gpu, RunsLaunchesAndBringsTensorsThereAndBack) {
  tilec(FAKE_CUDA, "run --device cuda", Double);
  EXPECT_EQ(status, 0) << errors;
  EXPECT_EQ(output, "2.0 198.0\n4.0 200.0\n");
  tilec(FAKE_CUDA, "run", Double);
  EXPECT_EQ(output, "3.0 297.0\n6.0 300.0\n");
}

TEST_F(Gpu, ComparesWithTheInterpreter) {
  tilec(FAKE_CUDA, "run --device cuda --compare", Double);
  EXPECT_EQ(status, 0) << errors;
  EXPECT_EQ(output, "3.0 297.0\n6.0 300.0\n"); // the interpreter's: the fake GPU doubles
  EXPECT_THAT(errors, HasSubstr("launch 0, double_kernel: y (fp32, 100 elements): 99 differ, by at most 99; the first is "
                                "element 1: 2 on the GPU, 3 in the interpreter"));
  EXPECT_THAT(errors, HasSubstr("launch 1, double_kernel: y (fp32, 100 elements): 100 differ, by at most 100;"));
}

TEST_F(Gpu, SaysAtWhichLaunchTheKernelFailed) {
  tilec(FAKE_CUDA, "run --device cuda",
        Imports + "@triton.jit\ndef fault_kernel(x_ptr):\n    tl.store(x_ptr, 1.0)\n"
                  "x = torch.zeros(4, device='cuda')\n"
                  "fault_kernel[(2,)](x)\n"
                  "print('unreachable')\n");
  EXPECT_EQ(status, 1);
  EXPECT_EQ(output, "");
  EXPECT_THAT(errors, HasSubstr("script.py:8:1: error: On the GPU the kernel accesses memory that no tensor has"));
  EXPECT_THAT(errors, HasSubstr("fault_kernel with grid (2, 1, 1)"));
}

TEST_F(Gpu, TimesEachLaunch) {
  tilec(FAKE_CUDA, "bench --json --schedule", Double);
  ASSERT_EQ(status, 0) << errors;
  const json report = json::parse(output, nullptr, false);
  EXPECT_EQ(report["device"]["name"], "Fake GPU");
  EXPECT_EQ(report["device"]["sms"], 4);
  ASSERT_EQ(report["launches"].size(), 2u);
  const json &first = report["launches"][0], &second = report["launches"][1];
  EXPECT_EQ(first["kernel"], "double_kernel");
  EXPECT_EQ(first["target"], "sm_80");
  EXPECT_EQ(first["line"], 14);
  EXPECT_GT(first["time_ms"]["runs"], 1);
  EXPECT_LE(first["time_ms"]["p20"], first["time_ms"]["median"]);
  EXPECT_LE(first["time_ms"]["median"], first["time_ms"]["p80"]);
  EXPECT_GT(first["compile_ms"], 0);
  EXPECT_EQ(second["compile_ms"], 0); // the same code
  EXPECT_EQ(first["schedule"]["sm"].size(), 1u);
}

} // namespace
