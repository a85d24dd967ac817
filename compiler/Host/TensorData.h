// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making tensors and views, shapes, types of results, and access to contents: what every operation is built
// of.
#pragma once

#include "compiler/Host/Operations.h"
#include "compiler/Host/TensorChunks.h"

#include <span>

namespace tilescope::host {

using TensorPtr = std::shared_ptr<TensorObject>;

inline Value valueOf(TensorPtr tensor) { return Value(std::static_pointer_cast<Object>(std::move(tensor))); }
Result<Value> valueOf(Result<TensorPtr> tensor);
/// The tensor that a value is, or null.
TensorPtr tensorOf(const Value &value);

/// "(1823, 781)", "(3,)": as Python writes a tuple.
std::string shapeText(const Dims &shape);
/// "float32" and the like: without "torch.".
std::string typeText(ElementType type);
int64_t elementCount(const Dims &shape);
Dims contiguousStrides(const Dims &shape);

/// A fresh tensor, with row-major strides unless others without gaps are given. Errors "negative-dimension"
/// (size), "out-of-memory".
Result<TensorPtr> newTensor(OperationContext &context, const Dims &shape, ElementType type, bool onGpu,
                            const Dims *strides = nullptr);
/// A fresh tensor of another type or on another device, with the shape and order in memory of `tensor`.
Result<TensorPtr> newTensorLike(OperationContext &context, const TensorObject &tensor, ElementType type,
                                bool onGpu);
/// Another view on the same storage.
TensorPtr viewOf(const TensorObject &tensor, Dims shape, Dims strides, int64_t offset);

/// The shape that all are broadcast to. Error "shape-mismatch" (both shapes, and the dimension from the
/// right).
Result<Dims> broadcastShape(const Dims &left, const Dims &right);
/// Strides of `tensor` seen with a `shape` that it broadcasts to.
Dims broadcastStrides(const TensorObject &tensor, const Dims &shape);
/// Strides of a result without gaps whose dimensions lie in memory in the order of the operands': after a
/// transpose the result is transposed too. torch's TensorIterator::reorder_dimensions.
Dims stridesLike(const Dims &shape, const std::vector<Dims> &operandStrides);
/// `dim` counted from the front. Error "dimension-out-of-range" (dim, rank).
Result<int64_t> wrapDim(int64_t dim, int64_t rank);

/// One element of a tensor, or a number of the script: its value in each arithmetic type.
struct Number {
  enum class Kind : uint8_t { Bool, Int, Float };
  Kind kind = Kind::Int;
  int64_t integer = 0;
  double real = 0;

  static Number of(bool value) { return {Kind::Bool, value, double(value)}; }
  static Number of(int64_t value) { return {Kind::Int, value, double(value)}; }
  static Number of(double value) { return {Kind::Float, loadAs<int64_t>(value), value}; }
  template <typename C> C as() const {
    return std::is_same_v<C, int64_t> ? static_cast<C>(integer) : static_cast<C>(real);
  }
};
/// Nothing if the value is no number, or an int that fits no int64.
std::optional<Number> numberOf(const Value &value);

/// What takes part in an elementwise operation: a tensor, or a number.
struct Operand {
  TensorPtr tensor; ///< null: `number` counts
  Number number;
};

/// torch.promote_types.
ElementType promoteTypes(ElementType a, ElementType b);
/// torch.result_type: tensors of at least one dimension count before those of none, these before numbers, as
/// long as the kind (bool, int, float) is no lower.
ElementType resultType(std::span<const Operand> operands);

/// Where element 0 of a tensor is. `forWriting` keeps what earlier versions need.
std::byte *contents(const TensorObject &tensor, bool forWriting = false);
/// A tensor as an operand of a loop over `shape`.
LoopOperand loopOperand(const TensorObject &tensor, const Dims &shape, bool forWriting = false);

/// Calls f with an object of the arithmetic type for elements of `type`.
template <typename F> decltype(auto) withArithmetic(ElementType type, F f) {
  if (type == ElementType::Float64)
    return f(double{});
  if (isFloat(type))
    return f(float{});
  return f(int64_t{});
}

/// One element, contents being settled.
Number elementAt(const TensorObject &tensor, int64_t offset);
/// An element as Python sees it: bool, int or float.
Value pythonValue(ElementType type, Number number);

/// to[...] = from[...], converted; `from` broadcasts to `to`. False: stopped.
bool copyElements(OperationContext &context, const TensorObject &from, const TensorObject &to);
/// Every element becomes `value`. False: stopped.
bool fillElements(OperationContext &context, const TensorObject &to, Number value);

/// A row-major tensor with the same contents: itself, if it is contiguous already. Contents must be settled.
Result<TensorPtr> contiguous(OperationContext &context, const TensorPtr &tensor);
/// Converted to `type`: itself, if it has it already. Settles.
Result<TensorPtr> converted(OperationContext &context, const TensorPtr &tensor, ElementType type);

/// Adds one kernel, or `kernels`, that reads and writes these tensors to the account.
void charge(OperationContext &context, std::string_view operation, std::span<const Operand> reads,
            std::span<const TensorPtr> writes, int64_t passes = 1, int64_t kernels = 1);

} // namespace tilescope::host
