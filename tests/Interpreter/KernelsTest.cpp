// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three kernels end to end, against loops in double precision.
#include "tests/Interpreter/Harness.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace tilescope::interp::test {
namespace {

std::vector<float> randomFloats(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> distribution(-2, 2);
  std::vector<float> result(count);
  for (float &value : result)
    value = distribution(random);
  return result;
}

std::vector<uint16_t> randomHalves(size_t count, unsigned seed) {
  std::vector<uint16_t> result;
  for (float value : randomFloats(count, seed))
    result.push_back(toHalf(value));
  return result;
}

std::shared_ptr<const Kernel> load(const std::string &name) {
  Diagnostics diagnostics;
  auto kernel = kernelOf(kernelText(name), diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  return kernel;
}

TEST(Kernels, VectorAddIsExactAndStaysInside) {
  const auto kernel = load("vector-add");
  ASSERT_TRUE(kernel);
  constexpr int32_t N = 5000;
  const auto x = randomFloats(N, 1), y = randomFloats(N, 2);
  Machine machine;
  const auto out = machine.tensor(std::vector<float>(N), "out");
  const RunResult result =
      machine.run(*kernel, {5, 1, 1},
                  {machine.pointer(machine.tensor(x, "x")), machine.pointer(machine.tensor(y, "y")),
                   machine.pointer(out), Machine::scalar(N)});
  EXPECT_EQ(result.status, RunStatus::Finished);
  EXPECT_EQ(result.programs, 5u);
  EXPECT_TRUE(machine.diagnostics.empty());
  const auto sum = machine.values<float>(out);
  for (int i = 0; i < N; ++i)
    ASSERT_EQ(sum[i], x[i] + y[i]) << i;
  ASSERT_EQ(result.counts.size(), 3u);
  for (const AccessCounts &counts : result.counts) {
    EXPECT_EQ(counts.active, 5000u);
    EXPECT_EQ(counts.masked, 120u);
    EXPECT_EQ(counts.outOfBounds, 0u);
    EXPECT_EQ(counts.bytes, 20000u);
  }
  EXPECT_EQ(kernel->accesses()[0].kind, AccessKind::Load);
  EXPECT_EQ(kernel->accesses()[1].pointerArgument, 1);
  EXPECT_EQ(kernel->accesses()[2].kind, AccessKind::Store);
  EXPECT_EQ(kernel->accesses()[2].shape, std::vector<int64_t>{1024});
}

TEST(Kernels, SoftmaxOfRows) {
  const auto kernel = load("softmax");
  ASSERT_TRUE(kernel);
  constexpr int32_t Rows = 37, Columns = 781;
  const auto x = randomFloats(Rows * Columns, 3);
  Machine machine;
  const auto out = machine.tensor(std::vector<float>(Rows * Columns), "out");
  machine.run(*kernel, {8, 1, 1},
              {machine.pointer(out), machine.pointer(machine.tensor(x, "x")), Machine::scalar(Columns),
               Machine::scalar(Columns), Machine::scalar(Rows), Machine::scalar(Columns)});
  EXPECT_TRUE(machine.diagnostics.empty());
  const auto result = machine.values<float>(out);
  for (int row = 0; row < Rows; ++row) {
    const float *line = x.data() + row * Columns;
    const double greatest = *std::max_element(line, line + Columns);
    double sum = 0;
    for (int i = 0; i < Columns; ++i)
      sum += std::exp(line[i] - greatest);
    for (int i = 0; i < Columns; ++i)
      ASSERT_NEAR(result[row * Columns + i], std::exp(line[i] - greatest) / sum, 1e-7) << row << " " << i;
  }
}

TEST(Kernels, MatrixProductOfHalvesWithRaggedEdges) {
  const auto kernel = load("matmul");
  ASSERT_TRUE(kernel);
  constexpr int32_t M = 128, N = 64, K = 81;
  const auto a = randomHalves(M * K, 4), b = randomHalves(K * N, 5);
  Machine machine;
  const auto c = machine.tensor(std::vector<uint16_t>(M * N), "c");
  machine.run(*kernel, {2, 1, 1},
              {machine.pointer(machine.tensor(a, "a")), machine.pointer(machine.tensor(b, "b")),
               machine.pointer(c), Machine::scalar(M), Machine::scalar(N), Machine::scalar(K)});
  EXPECT_TRUE(machine.diagnostics.empty());
  const auto result = machine.values<uint16_t>(c);
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      double sum = 0;
      for (int k = 0; k < K; ++k)
        sum += double(fromHalf(a[m * K + k])) * fromHalf(b[k * N + n]);
      ASSERT_NEAR(fromHalf(result[m * N + n]), sum, 1e-4 + std::fabs(sum) / 2000) << m << " " << n;
    }
}

TEST(Kernels, OneThreadAndTwoGiveTheSameBits) {
  const auto kernel = load("matmul");
  ASSERT_TRUE(kernel);
  const auto a = randomHalves(256 * 96, 6), b = randomHalves(96 * 256, 7);
  std::vector<std::vector<uint16_t>> results;
  for (unsigned threads : {1u, 2u}) {
    Machine machine;
    machine.options.threads = threads;
    const auto c = machine.tensor(std::vector<uint16_t>(256 * 256), "c");
    machine.run(*kernel, {4, 4, 1},
                {machine.pointer(machine.tensor(a, "a")), machine.pointer(machine.tensor(b, "b")),
                 machine.pointer(c), Machine::scalar(256), Machine::scalar(256), Machine::scalar(96)});
    results.push_back(machine.values<uint16_t>(c));
  }
  EXPECT_EQ(results[0], results[1]);
}

} // namespace
} // namespace tilescope::interp::test
