// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the evaluator of host code meets the tensor library. The evaluator looks an operation up by name and
// calls its row; Python's operators on tensors go through the functions at the end. Everything here is
// implemented by the tensor library (Tensor*, Operations*, Print*, Random*), but for what says "evaluator".
#pragma once

#include "compiler/Host/Evaluator.h"
#include "compiler/Host/Tensor.h"
#include "compiler/Support/Result.h"
#include "compiler/Syntax/Ast.h"

namespace tilescope::host {

class Random; ///< torch's generators; Random.h
class Call;   ///< arguments bound to an operation's schema; OperationsCall.h

/// The arguments of a call, evaluated; a method's tensor is positional[0].
struct CallArguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keywords;
};

/// What one eager operation moves of one operand.
struct OperandTraffic {
  int64_t elements = 0; ///< of the operand itself: a broadcast one is read once
  int64_t bytes = 0;
  bool written = false;
};

/// What one eager operation costs on a GPU (decision 9). Elements and bytes are those of the operands.
struct OperationCost {
  int64_t kernels = 0;
  int64_t passes = 0; ///< logical passes over memory; a fused kernel may make several
  int64_t elementsRead = 0;
  int64_t elementsWritten = 0;
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
  std::vector<OperandTraffic> operands; ///< in the order of the operation's operands, results last
};

/// What an operation may use. Made by the evaluator, one for a run.
class OperationContext {
public:
  OperationContext(AddressSpace &memory, std::shared_ptr<Random> random, Mode mode)
      : memory(memory), random(std::move(random)), mode(mode) {}
  virtual ~OperationContext() = default;

  /// In Mode::Check shapes, types and errors are worked out, but contents are never computed nor read: a
  /// tensor that comes out has whatever contents, a value that depends on contents (item(), allclose …) is
  /// unknown().
  bool checking() const { return mode == Mode::Check; }

  /// Queues `action` to run later, in program order with the launches. Not carried out in Mode::Check.
  virtual void defer(std::function<void()> action) = 0;
  /// Runs all that is queued, launches included. Every operation that reads or overwrites contents calls it
  /// first. False: a launch failed or the run is to stop; return stopped() then.
  virtual bool settle() = 0;
  /// To be asked at least every few milliseconds in long loops; then return stopped().
  virtual bool stopRequested() const = 0;
  /// Records what an operation cost.
  virtual void charge(std::string_view operation, const OperationCost &cost) = 0;

  /// Set before an error is returned to put it under one argument of the call (counted as in CallArguments,
  /// positional ones first, then keywords) and not under the whole call.
  std::optional<size_t> blamed;

  AddressSpace &memory;
  const std::shared_ptr<Random> random;
  const Mode mode;
};

/// The error that ends a run quietly: nothing is reported for it.
inline Error stopped() { return {"stopped", {}}; }

/// A value that is not known because nothing is carried out in Mode::Check. Whatever is done with it is
/// unknown again; the evaluator sees to that before it calls an operation.
struct UnknownObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Host;
  UnknownObject() : Object(Kind) {}
  std::string_view typeName() const override { return "unknown"; }
};
inline Value unknown() { return Value(std::static_pointer_cast<Object>(std::make_shared<UnknownObject>())); }
inline bool isUnknown(const Value &value) { return value.as<UnknownObject>() != nullptr; }

/// torch.device("cuda:0"). `device=` takes one, a str, or an int.
struct DeviceObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Host;
  DeviceObject(std::string t, std::optional<int64_t> i) : Object(Kind), type(std::move(t)), index(i) {}
  std::string_view typeName() const override { return "torch.device"; }
  const std::string type; ///< "cuda" or "cpu"
  const std::optional<int64_t> index;
};
/// The one object of each device, so that `x.device == y.device`, `in` and keys of dicts hold.
Value deviceValue(std::string_view type, std::optional<int64_t> index);
/// Evaluator. "cuda", "cuda:1", 0, a DeviceObject; None is the CPU. Errors "unknown-device",
/// "wrong-argument-type".
Result<Value> deviceOf(const Value &value);

struct Operation {
  enum class Kind : uint8_t { Function, Method, Attribute };
  /// Function: the full name, "torch.softmax", "torch.nn.functional.gelu". Method and Attribute: the bare
  /// name, "softmax", "shape"; an Attribute is evaluated as soon as it is named.
  std::string_view name;
  Kind kind;
  /// Parameters as Python would declare them: "input, dim=None, *, dtype=None". For binding, hover and help.
  std::string_view schema;
  /// Carries it out with arguments that have been bound to the schema; for evaluate().
  Result<Value> (*body)(Call &call);

  /// Binds the arguments and carries it out. Errors of binding: "operation-missing-argument",
  /// "operation-too-many-arguments", "operation-unknown-keyword", "operation-argument-twice".
  Result<Value> evaluate(OperationContext &context, const CallArguments &arguments) const;
};

/// "torch.softmax" and the like; null if there is none.
const Operation *findFunction(std::string_view name);
/// A method or attribute of tensors; null if there is none.
const Operation *findMember(std::string_view name);
/// The full names of all functions, and the names of all members of tensors, sorted: for completion.
std::vector<std::string_view> functionNames();
std::vector<std::string_view> memberNames();
/// The name nearest to a mistyped one among functions or members, for "did you mean"; empty if none is near.
std::string_view nearestFunction(std::string_view name);
std::string_view nearestMember(std::string_view name);

std::shared_ptr<Random> makeRandom();

// Python's operators where at least one side is a tensor. Comparisons give a tensor of bool.
Result<Value> tensorBinary(OperationContext &, syntax::BinaryOperator, const Value &left, const Value &right);
/// `left += right` and so on: in place, `left` is a tensor and is what comes out.
Result<Value> tensorInPlace(OperationContext &, syntax::BinaryOperator, const Value &left,
                            const Value &right);
Result<Value> tensorUnary(OperationContext &, syntax::UnaryOperator, const Value &operand);
Result<Value> tensorCompare(OperationContext &, syntax::CompareOperator, const Value &left,
                            const Value &right);
Result<Value> tensorSubscript(OperationContext &, const Value &tensor, const Value &index);
/// Error or None.
Result<Value> tensorSetItem(OperationContext &, const Value &tensor, const Value &index, const Value &value);
/// `tensor.name = value` (requires_grad, data, grad …). Error "no-attribute" or None.
Result<Value> tensorSetAttribute(OperationContext &, const Value &tensor, std::string_view name,
                                 const Value &value);
/// bool(tensor), int(tensor), float(tensor): a bool, int or float, or unknown.
Result<Value> tensorTruth(OperationContext &, const Value &tensor);
Result<Value> tensorToInt(OperationContext &, const Value &tensor);
Result<Value> tensorToFloat(OperationContext &, const Value &tensor);
/// len(tensor), and what a `for` over it sees (views of its rows, or tensors of no dimension).
Result<Value> tensorLength(OperationContext &, const Value &tensor);
Result<std::vector<Value>> tensorElements(OperationContext &, const Value &tensor);
/// str(tensor) and repr(tensor) in PyTorch's layout; format(tensor, spec). A str, or unknown.
Result<Value> tensorText(OperationContext &, const Value &tensor);
Result<Value> tensorFormat(OperationContext &, const Value &tensor, std::string_view spec);

} // namespace tilescope::host
