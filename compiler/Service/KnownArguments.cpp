// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/KnownArguments.h"

#include "compiler/Host/EvaluatorObjects.h"
#include "compiler/Host/Tensor.h"

#include <algorithm>

namespace tilescope::service {
namespace {

using frontend::ArgumentSpec;
using Kind = ArgumentSpec::Kind;

constexpr int64_t MostWarps = 64;

/// What Triton makes of a value given for a parameter; whole numbers are not looked at more closely.
ArgumentSpec specOf(const Value &value, bool isConstexpr) {
  if (!isConstexpr) {
    if (value.asBool())
      return {Kind::Scalar, ElementType::Bool, false, {}};
    if (value.asInt())
      return {Kind::Scalar, ElementType::Int32, false, {}};
    if (value.asFloat())
      return {Kind::Scalar, ElementType::Float32, false, {}};
    if (auto *tensor = value.as<host::TensorObject>())
      return {Kind::Pointer, tensor->type, true, {}};
  }
  return {Kind::Constant, {}, false, value};
}

const Value *argumentOf(const Decorator &decorator, size_t position, std::string_view name) {
  if (position < decorator.args.size())
    return &decorator.args[position];
  for (const auto &[key, value] : decorator.keywords)
    if (key == name)
      return &value;
  return nullptr;
}

class Reader {
public:
  Reader(const std::shared_ptr<FunctionObject> &kernel, host::Evaluator &evaluator,
         const frontend::KnownArguments &certain)
      : m_kernel(kernel), m_evaluator(evaluator), m_certain(certain),
        m_parameters(frontend::parameters(*kernel->definition)) {}

  KnownLaunch read() {
    readLaunch();
    for (const Decorator &decorator : m_kernel->decorators)
      if (symbolName(decorator.callee) == "triton.autotune")
        readConfig(argumentOf(decorator, 0, "configs"));
    for (const Decorator &decorator : m_kernel->decorators)
      if (symbolName(decorator.callee) == "triton.heuristics")
        readHeuristics(argumentOf(decorator, 0, "values"));
    return std::move(m_known);
  }

private:
  /// False if no parameter has that name.
  bool set(std::string_view name, const Value &value) {
    for (size_t i = 0; i < m_parameters.size(); ++i)
      if (m_parameters[i]->name == name) {
        m_known.arguments.try_emplace(std::string(name),
                                      specOf(value, frontend::isConstexprParameter(*m_kernel, i)));
        return true;
      }
    return false;
  }

  void setOption(std::string_view name, const Value &value) {
    const std::optional<int64_t> number = value.index();
    if (!number || *number < 1 || *number > MostWarps)
      return;
    if (name == "num_warps")
      m_known.numWarps = static_cast<int>(*number);
    else if (name == "num_stages")
      m_known.numStages = static_cast<int>(*number);
  }

  void readLaunch() {
    for (const host::NotedLaunch &launch : m_evaluator.notedLaunches()) {
      if (launch.kernel->definition != m_kernel->definition)
        continue;
      for (const auto &[name, value] : launch.arguments)
        if (!set(name, value))
          setOption(name, value);
      return;
    }
  }

  void readConfig(const Value *configs) {
    const auto *list = configs ? configs->as<ListObject>() : nullptr;
    const auto *config = list && !list->items.empty() ? list->items[0].as<host::ConfigObject>() : nullptr;
    if (!config)
      return;
    for (const auto &[name, value] : config->constants)
      set(name, value);
    for (const auto &[name, value] : config->options)
      setOption(name, value);
  }

  /// One that cannot be worked out from the guessed arguments gives False.
  void readHeuristics(const Value *values) {
    const auto *table = values ? values->as<DictObject>() : nullptr;
    if (!table)
      return;
    const Value arguments = guessedArguments();
    for (const auto &entry : table->table.entries())
      if (const std::string *name = entry.key.asString())
        set(*name, m_evaluator.call(*m_kernel, entry.value, {arguments}).value_or(Value(false)));
  }

  Value guessedArguments() {
    const frontend::Guess guess = frontend::guessSpecialisation(*m_kernel, m_certain, m_known.arguments);
    auto dict = std::make_shared<DictObject>();
    for (size_t i = 0; i < m_parameters.size(); ++i)
      (void)dict->table.set(Value(std::string(m_parameters[i]->name)), // a str can be a key
                            stand(guess.specialisation.arguments[i]));
    return Value(std::static_pointer_cast<Object>(dict));
  }

  /// Something that a heuristic may look at in place of an argument.
  static Value stand(const ArgumentSpec &spec) {
    if (spec.kind == Kind::Constant)
      return spec.constant;
    if (spec.kind == Kind::Pointer)
      return makeSymbol("torch.Tensor");
    return isFloat(spec.element) ? Value(1.0) : Value(64);
  }

  const std::shared_ptr<FunctionObject> &m_kernel;
  host::Evaluator &m_evaluator;
  const frontend::KnownArguments &m_certain;
  const std::vector<const syntax::Arg *> m_parameters;
  KnownLaunch m_known;
};

} // namespace

KnownLaunch knownLaunch(const std::shared_ptr<FunctionObject> &kernel, host::Evaluator &evaluator,
                        const frontend::KnownArguments &certain) {
  return Reader(kernel, evaluator, certain).read();
}

} // namespace tilescope::service
