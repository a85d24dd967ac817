// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long the tensor work of the three examples takes: milliseconds, the best of five.
#include "tests/Host/TensorTesting.h"

#include <chrono>
#include <cstdio>
#include <functional>

using namespace tilescope;
using namespace tilescope::host;

namespace {

void measure(const char *what, const std::function<void(TestContext &)> &work) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    TestContext context;
    const auto start = std::chrono::steady_clock::now();
    work(context);
    context.settle();
    best = std::min(
        best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::printf("%-52s %8.1f ms\n", what, best);
}

Value random(TestContext &context, const char *name, std::vector<Value> size, const char *type) {
  return *context.call(name, std::move(size), {{"device", Value("cuda")}, {"dtype", makeSymbol(type)}});
}

Value binary(TestContext &context, syntax::BinaryOperator op, const Value &a, const Value &b) {
  return *tensorBinary(context, op, a, b);
}

void softmax(TestContext &context) {
  using enum syntax::BinaryOperator;
  const std::vector<std::pair<std::string, Value>> rows{{"dim", Value(1)}, {"keepdim", Value(true)}};
  const Value x = random(context, "torch.randn", {Value(1823), Value(781)}, "torch.float32");
  const Value z = binary(context, Sub, x, *context.call("torch.amax", {x}, rows));
  const Value e = *context.call("torch.exp", {z});
  const Value y = binary(context, Div, e, *context.call("torch.sum", {e}, rows));
  if (!*context.call("torch.allclose", {y, *context.call("torch.softmax", {x, Value(1)})})->asBool())
    std::printf("softmax differs\n");
}

void vectorAdd(TestContext &context) {
  const Value x = random(context, "torch.rand", {Value(98432)}, "torch.float32");
  const Value y = random(context, "torch.rand", {Value(98432)}, "torch.float32");
  const Value sum = binary(context, syntax::BinaryOperator::Add, x, y);
  const Value difference = binary(context, syntax::BinaryOperator::Sub, sum, sum);
  (void)context.call("torch.max", {*context.call("torch.abs", {difference})});
}

void product(TestContext &context) {
  const Value a = random(context, "torch.randn", {Value(512), Value(512)}, "torch.float16");
  const Value b = random(context, "torch.randn", {Value(512), Value(512)}, "torch.float16");
  (void)context.call("torch.matmul", {a, b});
}

void columnSum(TestContext &context) {
  (void)context.call("torch.sum", {*context.call("torch.ones", {Value(2048), Value(2048)}), Value(0)});
}

void cpuNormals(TestContext &context) { (void)context.call("torch.randn", {Value(1823), Value(781)}); }

} // namespace

int main() {
  measure("randn, softmax written out, softmax, allclose: 1823x781", softmax);
  measure("rand, add, largest difference: 98,432", vectorAdd);
  measure("randn and matmul, fp16: 512x512x512", product);
  measure("sum over rows of 2048x2048", columnSum);
  measure("randn on the CPU: 1823x781", cpuNormals);
}
