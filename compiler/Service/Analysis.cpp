// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Analysis.h"

#include "compiler/Service/Specialise.h"
#include "compiler/Syntax/Parser.h"

#include <algorithm>

namespace tilescope::service {
namespace {

/// Host code gets so far while somebody types; a loop that takes longer is not wrong for that.
constexpr uint64_t CheckStepLimit = 1'000'000;
constexpr std::string_view StepLimitId = "step-limit";

/// Collects what one analysis finds out about kernels.
class KernelFindings final : public host::Launcher {
public:
  KernelFindings(KernelChecker &checker, Analysis &analysis, const AnalysisControl &control)
      : m_checker(checker), m_analysis(analysis), m_control(control) {}

  /// A launch goes through even if its kernel is wrong: so the next one is looked at too.
  bool launch(const host::LaunchRequest &request, Diagnostics &) override {
    if (m_control.isOver())
      return false;
    if (std::optional<frontend::Specialisation> specialisation = specialise(request, m_analysis.diagnostics))
      check(*request.kernel, *specialisation);
    return true;
  }

  void checkUnlaunched() {
    std::vector<const FunctionObject *> left = unlaunched();
    std::set<const syntax::FunctionDef *> called;
    for (const FunctionObject *kernel : left) {
      const SourceClosure closure(*kernel);
      for (const FunctionObject *callee : closure.functions())
        if (callee->definition != kernel->definition)
          called.insert(callee->definition);
    }
    for (const FunctionObject *kernel : left)
      if (!m_control.isOver() && !called.contains(kernel->definition))
        check(*kernel, frontend::inferSpecialisation(*kernel));
  }

private:
  void check(const FunctionObject &kernel, const frontend::Specialisation &specialisation) {
    const SourceClosure closure(kernel);
    for (const FunctionObject *function : closure.functions())
      m_seen.insert(function->definition);
    KernelChecker::Findings findings = m_checker.check(closure, specialisation);
    for (Diagnostic &diagnostic : findings.diagnostics)
      m_analysis.diagnostics.add(std::move(diagnostic));
    for (TypedName &type : findings.types)
      if (type.span.file == m_analysis.file)
        m_analysis.types.push_back(std::move(type));
  }

  /// Kernels of this file that no launch has led to.
  std::vector<const FunctionObject *> unlaunched() const {
    std::vector<const FunctionObject *> found;
    for (const std::string &name : m_analysis.globals->names()) {
      Value *value = m_analysis.globals->findLocal(name);
      auto *function = value ? value->as<FunctionObject>() : nullptr;
      if (function && function->isJit() && function->definition && function->module == m_analysis.module &&
          !m_seen.contains(function->definition))
        found.push_back(function);
    }
    return found;
  }

  KernelChecker &m_checker;
  Analysis &m_analysis;
  const AnalysisControl &m_control;
  std::set<const syntax::FunctionDef *> m_seen;
};

void sortTypes(std::vector<TypedName> &types) {
  std::ranges::stable_sort(
      types, {}, [](const TypedName &type) { return std::pair(type.span.range.begin, type.span.range.end); });
}

} // namespace

const TypedName *Analysis::typeOf(SourceRange range) const {
  auto found =
      std::ranges::lower_bound(types, std::pair(range.begin, range.end), {}, [](const TypedName &type) {
        return std::pair(type.span.range.begin, type.span.range.end);
      });
  return found != types.end() && found->span.range == range ? &*found : nullptr;
}

AnalysisPtr Analyser::analyse(SourceFilePtr file, int64_t version, const Sources &sources,
                              const AnalysisControl &control) {
  auto analysis = std::make_shared<Analysis>();
  analysis->file = file;
  analysis->version = version;
  analysis->module = syntax::parse(file, analysis->diagnostics);
  if (analysis->diagnostics.hasErrors() || control.superseded)
    return control.superseded ? nullptr : analysis;

  analysis->memory = std::make_unique<AddressSpace>();
  KernelFindings findings(m_kernels, *analysis, control);
  host::EvaluatorOptions options;
  options.mode = host::Mode::Check;
  options.source = [&](const std::string &path) {
    SourceFilePtr imported = sources.find(path);
    if (imported)
      analysis->imports.insert(imported->path());
    return imported;
  };
  options.stop = &control.superseded;
  options.stepLimit = CheckStepLimit;
  Diagnostics evaluated;
  analysis->evaluator = std::make_unique<host::Evaluator>(*analysis->memory, findings, std::move(options));
  analysis->evaluator->run(analysis->module, evaluated);
  analysis->globals = analysis->evaluator->globals();
  for (const Diagnostic &diagnostic : evaluated.all())
    if (diagnostic.id != StepLimitId)
      analysis->diagnostics.add(diagnostic);
  findings.checkUnlaunched();
  if (control.superseded)
    return nullptr;
  m_kernels.endAnalysis();
  sortTypes(analysis->types);
  analysis->isEvaluated = true;
  return analysis;
}

} // namespace tilescope::service
