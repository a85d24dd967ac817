// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the tensor library share: a context without an evaluator, and reading recorded cases.
#pragma once

#include "compiler/Host/Operations.h"
#include "compiler/Host/TensorData.h"

#include <nlohmann/json.hpp>

namespace tilescope::host {

/// Carries out what is deferred when it is settled, and keeps the account.
class TestContext final : public OperationContext {
public:
  explicit TestContext(Mode mode = Mode::Run, uint64_t capacity = uint64_t(1) << 30)
      : TestContext(std::make_unique<AddressSpace>(capacity), mode) {}
  void defer(std::function<void()> action) override { m_queue.push_back(std::move(action)); }
  bool settle() override;
  bool stopRequested() const override { return stop; }
  void charge(std::string_view operation, const OperationCost &cost) override;

  /// Evaluates torch.name(…), or the member `name` of the first argument if it begins with ".".
  Result<Value> call(std::string_view name, std::vector<Value> positional,
                     std::vector<std::pair<std::string, Value>> keywords = {});
  /// The same; null, with a failed expectation, where it gives an error or no tensor.
  TensorPtr tensor(std::string_view name, std::vector<Value> positional,
                   std::vector<std::pair<std::string, Value>> keywords = {});

  bool stop = false;
  size_t settled = 0; ///< how often something was waiting and was carried out
  std::vector<std::pair<std::string, OperationCost>> costs;

private:
  TestContext(std::unique_ptr<AddressSpace> space, Mode mode);

  std::unique_ptr<AddressSpace> m_space;
  std::vector<std::function<void()>> m_queue;
};

/// A file below tests/Host/data.
nlohmann::json recorded(const std::string &name);
/// An argument as the recording scripts write it.
Value argument(TestContext &context, const nlohmann::json &encoded);
/// Every element of a tensor in row-major order, as doubles.
std::vector<double> values(const TensorObject &tensor);
/// A recorded number, which may be "inf", "-inf" or "nan".
double number(const nlohmann::json &encoded);
/// The distance between two neighbouring numbers of a type near `value`.
double ulp(ElementType type, double value);

} // namespace tilescope::host
