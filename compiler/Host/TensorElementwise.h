// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that work element by element on broadcast operands: type of the result, loop, cost.
#pragma once

#include "compiler/Host/TensorData.h"

namespace tilescope::host {

template <typename C> using ElementLoop = void (*)(const C *const *inputs, C *output, int64_t count);

/// One loop for each arithmetic type.
struct ElementFunction {
  ElementLoop<float> single;
  ElementLoop<double> real;
  ElementLoop<int64_t> whole;

  template <typename C> ElementLoop<C> loop() const {
    if constexpr (std::is_same_v<C, float>)
      return single;
    else if constexpr (std::is_same_v<C, double>)
      return real;
    else
      return whole;
  }
};

namespace detail {
template <auto F, size_t N, typename C>
void elementLoop(const C *const *inputs, C *__restrict output, int64_t count) {
  const C *a = inputs[0];
  if constexpr (N == 1) {
    for (int64_t i = 0; i < count; ++i)
      output[i] = static_cast<C>(F(a[i]));
  } else if constexpr (N == 2) {
    const C *b = inputs[1];
    for (int64_t i = 0; i < count; ++i)
      output[i] = static_cast<C>(F(a[i], b[i]));
  } else {
    const C *b = inputs[1], *c = inputs[2];
    for (int64_t i = 0; i < count; ++i)
      output[i] = static_cast<C>(F(a[i], b[i], c[i]));
  }
}
} // namespace detail

/// The loops of a function of N numbers of one arithmetic type: a lambda without captures.
template <auto F, size_t N>
constexpr ElementFunction elementFunction{detail::elementLoop<F, N, float>, detail::elementLoop<F, N, double>,
                                          detail::elementLoop<F, N, int64_t>};

enum class ResultRule : uint8_t {
  Promoted, ///< torch.result_type of the operands
  Floating, ///< the same, but float32 for integers
  Boolean,  ///< bool; worked out in the promoted type
};

struct Elementwise {
  std::string_view name;
  ElementFunction function;
  ResultRule rule = ResultRule::Promoted;
};

/// Carries it out. `destination` takes the result if it is not null. Errors "shape-mismatch",
/// "device-mismatch", "result-type" (does not fit the destination), "out-of-memory".
Result<TensorPtr> elementwise(OperationContext &context, const Elementwise &operation,
                              const std::vector<Operand> &operands, const TensorPtr &destination = nullptr);

/// The same with the types already decided: the loop runs in the arithmetic type of `common`.
Result<TensorPtr> elementwiseAs(OperationContext &context, const Elementwise &operation,
                                const std::vector<Operand> &operands, ElementType common, ElementType result,
                                const TensorPtr &destination = nullptr);

/// Whether the result of these operands is on the GPU. Error "device-mismatch" (the operation).
Result<bool> commonDevice(std::string_view operation, std::span<const Operand> operands);

} // namespace tilescope::host
