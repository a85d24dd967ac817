// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel that is being compiled asks of plain Python: constexpr functions and other calls with
// constant arguments, attributes of modules, classes and constants. Errors come back to the compiler, which
// knows the place in the kernel.
#include "compiler/Host/EvaluatorRun.h"

#include <utility>

namespace tilescope::host {

namespace {

class KernelCalls final : public HostCalls {
public:
  explicit KernelCalls(Evaluation &evaluation) : m_evaluation(evaluation) {}

  Result<Value> call(const Value &callee, std::vector<Value> positional,
                     std::vector<std::pair<std::string, Value>> named) override {
    return m_evaluation.callForKernel(callee, {std::move(positional), std::move(named)});
  }
  Result<Value> attribute(const Value &value, std::string_view name) override {
    return m_evaluation.attributeForKernel(value, name);
  }
  std::optional<Record> record(const Value &type) override { return m_evaluation.recordOf(type); }

private:
  Evaluation &m_evaluation;
};

} // namespace

std::shared_ptr<HostCalls> forKernels(Evaluation &evaluation) {
  return std::make_shared<KernelCalls>(evaluation);
}

/// Kernels are compiled in the middle of a launch, or after the script has ended.
Result<Value> Evaluation::forKernel(const std::function<Maybe(const CallSite &)> &action) {
  Frame ended;
  ended.module = m_script;
  ended.globals = ended.scope = ended.functionScope = m_globals;
  const bool hasEnded = m_frames.empty();
  if (hasEnded)
    m_frames.push_back(&ended);
  std::optional<Raised> before = std::exchange(m_raised, std::nullopt);
  CallSite site;
  site.call = site.callee = m_at;
  Maybe value = action(site);
  std::optional<Raised> raised = std::exchange(m_raised, std::move(before));
  if (hasEnded)
    m_frames.pop_back();
  if (value && !isUnknown(*value))
    return std::move(*value);
  return raised ? Error{raised->diagnostic.id, raised->diagnostic.arguments} : Error{"value-unknown", {}};
}

Result<Value> Evaluation::callForKernel(const Value &callee, CallArguments arguments) {
  return forKernel([&](const CallSite &at) {
    CallSite site = at;
    site.ranges.assign(arguments.positional.size() + arguments.keywords.size(), at.call);
    site.names.assign(arguments.keywords.size(), at.call);
    site.arguments = std::move(arguments);
    return call(callee, std::move(site));
  });
}

Result<Value> Evaluation::attributeForKernel(const Value &value, std::string_view name) {
  return forKernel([&](const CallSite &at) { return placed(at.call, attributeOf(value, name)); });
}

std::optional<HostCalls::Record> Evaluation::recordOf(const Value &type) {
  auto *named = type.as<ClassObject>();
  if (!named || (!named->isNamedTuple && !named->isAggregate))
    return std::nullopt;
  HostCalls::Record record{named->name, named->fields, {}, named->isAggregate};
  for (const std::string &field : named->fields)
    if (Result<Value> fallback = classAttribute(type, field))
      record.defaults[field] = *fallback;
  return record;
}

} // namespace tilescope::host
