// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times the three kernels in the interpreter: least of several runs, in milliseconds, against what Triton's
// own interpreter takes (seconds measured on the GPU machine, compiler/docs/interpreter.md). Usage:
// interp-bench [THREADS [check]]; one thread unless told otherwise, "check" for checking mode.
#include "tests/Interpreter/Harness.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace tilescope;
using namespace tilescope::interp;

namespace {

constexpr int Repetitions = 7;

struct Launch {
  const char *name;
  std::array<uint32_t, 3> grid;
  std::vector<Argument> arguments;
  double tritonSeconds;
};

void measure(test::Machine &machine, const Launch &launch) {
  Diagnostics diagnostics;
  const auto kernel = test::kernelOf(test::kernelText(launch.name), diagnostics);
  if (!kernel)
    return;
  double least = 1e9;
  for (int i = 0; i < Repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    machine.run(*kernel, launch.grid, launch.arguments);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count());
  }
  std::printf("%-12s %8.2f ms  %6.1f times Triton's interpreter  (frame %zu KiB, %zu instructions)\n",
              launch.name, least, launch.tritonSeconds * 1000 / least, kernel->frameBytes() / 1024,
              kernel->code().size());
}

} // namespace

int main(int argc, char **argv) {
  test::Machine machine;
  machine.options.threads = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1;
  machine.options.checking = argc > 2 && std::strcmp(argv[2], "check") == 0;
  constexpr int32_t Million = 1 << 20, Rows = 1024, Size = 512;
  const auto floats = [&](const char *name) {
    return machine.pointer(machine.tensor(std::vector<float>(Million, 0.5f), name));
  };
  const auto halves = [&](const char *name) {
    return machine.pointer(machine.tensor(std::vector<uint16_t>(Size * Size, 0x3800), name));
  };
  const auto scalar = [](int32_t value) { return test::Machine::scalar(value); };
  measure(machine, {"vector-add",
                    {Million / 1024, 1, 1},
                    {floats("x"), floats("y"), floats("out"), scalar(Million)},
                    0.905});
  measure(machine, {"softmax",
                    {Rows, 1, 1},
                    {floats("out"), floats("x"), scalar(1024), scalar(1024), scalar(Rows), scalar(1024)},
                    1.82});
  measure(machine, {"matmul",
                    {Size / 64, Size / 64, 1},
                    {halves("a"), halves("b"), halves("c"), scalar(Size), scalar(Size), scalar(Size)},
                    1.57});
  return machine.diagnostics.empty() ? 0 : 1;
}
