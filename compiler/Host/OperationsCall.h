// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call of an operation: its arguments bound to the parameters of its schema, and asked for by name and
// type. The first one that is wrong is remembered (with its place, for the evaluator), and later questions
// give something harmless; so a body asks for all it needs and then checks failed() once.
#pragma once

#include "compiler/Host/TensorData.h"

namespace tilescope::host {

class Call {
public:
  /// Binds. A schema is a list as Python declares it: "input, dim=None, *, out=None"; "*size" takes the rest.
  Call(OperationContext &context, const Operation &operation, const CallArguments &arguments);

  OperationContext &context;

  bool failed() const { return m_error.has_value(); }
  const Error &error() const { return *m_error; }
  /// Says what is wrong with an argument, or with the call if `parameter` is empty, unless something else was
  /// wrong before. Gives the error that counts.
  Error fail(Error error, std::string_view parameter = {});
  /// A result that blames nobody in particular, unless the call has failed.
  Result<Value> finish(Result<TensorPtr> result) {
    return failed() ? m_error.value() : valueOf(std::move(result));
  }

  /// The name the operation goes by, without a trailing "_": "softmax".
  std::string_view name() const;
  /// Is it the form with "_", which changes its first operand?
  bool inPlace() const;
  /// Where the result is to go: the operand itself, or what was given for "out"; null for a new tensor.
  TensorPtr destination();

  bool has(std::string_view parameter) const;
  /// The argument, or the default of the schema.
  const Value &value(std::string_view parameter) const;
  TensorPtr tensor(std::string_view parameter);
  /// A tensor or a number.
  Operand operand(std::string_view parameter);
  Number number(std::string_view parameter);
  double real(std::string_view parameter) { return number(parameter).real; }
  int64_t integer(std::string_view parameter);
  bool boolean(std::string_view parameter);
  std::string text(std::string_view parameter);
  bool isNone(std::string_view parameter) const { return value(parameter).isNone(); }
  std::optional<int64_t> optionalInteger(std::string_view parameter);
  std::optional<Number> optionalNumber(std::string_view parameter);
  /// Nothing for None.
  std::optional<ElementType> elementType(std::string_view parameter = "dtype");
  /// The type, where the argument is one and nothing else; for *arguments too.
  std::optional<ElementType> soleElementType(std::string_view parameter) const;
  /// Ints: one int, a sequence of them, or the rest of the positional arguments (which may be one sequence).
  Dims integers(std::string_view parameter);
  /// A sequence of tensors.
  std::vector<TensorPtr> tensors(std::string_view parameter);
  /// Whether device= says a GPU; `otherwise` for None.
  bool onGpu(bool otherwise = false);
  /// A dimension of `tensor`, counted from the front.
  int64_t dim(std::string_view parameter, const TensorObject &tensor);

private:
  struct Bound {
    std::string_view name;
    Value value;
    std::optional<size_t> argument; ///< its place in CallArguments; nothing for a default
    bool required = true;
  };
  void declare(std::string_view schema);
  void bind(const CallArguments &arguments);
  const Bound *find(std::string_view parameter) const;
  void wrongType(std::string_view parameter, std::string_view expected);

  const Operation &m_operation;
  std::vector<Bound> m_bound;
  size_t m_positional = 0;                ///< how many may be given without their names
  std::optional<std::string_view> m_rest; ///< the parameter that takes the remaining positional arguments
  std::optional<Error> m_error;
};

} // namespace tilescope::host
