// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/RecordedScript.h"

namespace tilescope::service {

RecordedScript::RecordedScript(std::shared_ptr<const syntax::Module> module, const std::string &path)
    : m_sources(path, {}) {
  host::EvaluatorOptions options;
  options.mode = host::Mode::Check;
  options.source = [this](const std::string &imported) { return m_sources.find(imported); };
  m_evaluator.emplace(m_memory, static_cast<host::Launcher &>(*this), std::move(options));
  m_evaluator->run(std::move(module), m_diagnostics);
}

bool RecordedScript::launch(const host::LaunchRequest &request, Diagnostics &) {
  m_launches.push_back(request);
  return true;
}

const host::LaunchRequest *RecordedScript::find(std::string_view kernel, int index) const {
  for (const host::LaunchRequest &request : m_launches)
    if (request.kernel->name() == kernel && index-- == 0)
      return &request;
  return nullptr;
}

const FunctionObject *RecordedScript::kernel(const std::string &name) const {
  const Value *value = m_evaluator->globals() ? m_evaluator->globals()->findLocal(name) : nullptr;
  auto *function = value ? value->as<FunctionObject>() : nullptr;
  return function && function->isJit() ? function : nullptr;
}

} // namespace tilescope::service
