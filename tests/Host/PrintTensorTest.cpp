// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printed tensors against what PyTorch printed: data/record_tensor_printing.py.
#include "compiler/Host/PrintTensor.h"
#include "tests/Host/TensorTesting.h"

#include <gtest/gtest.h>

namespace tilescope::host {
namespace {

using nlohmann::json;

TensorPtr recordedTensor(TestContext &context, const json &one) {
  const auto type = *elementTypeOfSymbol(one["dtype"].get<std::string>());
  auto tensor = *newTensor(context, one["shape"].get<Dims>(), type, false);
  std::byte *data = contents(*tensor, true);
  for (int64_t i = 0; i < tensor->elements(); ++i) {
    const double value = one.contains("scale") ? double((i * 37) % 1001 - 500) * one["scale"].get<double>()
                                               : number(one["numbers"][size_t(i)]);
    chunkStorer<double>(type)(&value, 1, data + i * byteSize(type), 1);
  }
  return tensor;
}

TEST(PrintTensor, HasPyTorchsLayout) {
  const json data = recorded("tensor-printing.json");
  ASSERT_GT(data["cases"].size(), 150u);
  TestContext context;
  for (const json &one : data["cases"])
    EXPECT_EQ(one["text"].get<std::string>(), printTensor(*recordedTensor(context, one)))
        << one["dtype"] << one["shape"].dump();
}

TEST(PrintTensor, SaysWhenATensorIsOnTheGpu) {
  TestContext context;
  auto text = [&](const json &numbers, const char *type) {
    auto tensor =
        recordedTensor(context, {{"dtype", type}, {"shape", {numbers.size()}}, {"numbers", numbers}});
    tensor->onGpu = true;
    return printTensor(*tensor);
  };
  EXPECT_EQ(text({1.5}, "torch.float32"), "tensor([1.5000], device='cuda:0')");
  EXPECT_EQ(text({1.5}, "torch.float16"), "tensor([1.5000], device='cuda:0', dtype=torch.float16)");
  // The suffix goes on a line of its own where it would pass column 80.
  EXPECT_EQ(text({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, "torch.int64"),
            "tensor([ 1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16],\n"
            "       device='cuda:0')");
}

TEST(PrintTensor, ShowsAViewInItsOwnOrder) {
  TestContext context;
  auto tensor = context.tensor("torch.arange", {Value(6)});
  auto turned = context.tensor(".t", {*context.call(".reshape", {valueOf(tensor), Value(2), Value(3)})});
  EXPECT_EQ(printTensor(*turned), "tensor([[0, 3],\n        [1, 4],\n        [2, 5]])");
}

} // namespace
} // namespace tilescope::host
