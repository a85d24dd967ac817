// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run as a whole: its beginning and end, the queue of what is lazy, limits.
#include "compiler/Host/EvaluatorRun.h"

#include <algorithm>

namespace tilescope::host {

namespace {
/// So many launches may wait before they are carried out, whether or not something reads their results.
constexpr size_t MostWaiting = 256;
} // namespace

struct Evaluator::Impl : Evaluation {
  using Evaluation::Evaluation;
};

Evaluator::Evaluator(AddressSpace &memory, Launcher &launcher, EvaluatorOptions options)
    : m_impl(std::make_unique<Impl>(memory, launcher, std::move(options))) {}
Evaluator::~Evaluator() = default;

Outcome Evaluator::run(std::shared_ptr<const syntax::Module> script, Diagnostics &diagnostics) {
  return m_impl->run(std::move(script), diagnostics);
}

void Evaluator::declare(std::shared_ptr<const syntax::Module> script, const std::string &folder,
                        const std::string &name) {
  m_impl->declare(std::move(script), folder, name);
}

const std::vector<std::shared_ptr<FunctionObject>> &Evaluator::jitFunctions() const {
  return m_impl->jitFunctions();
}

const std::vector<NotedLaunch> &Evaluator::notedLaunches() const { return m_impl->notedLaunches(); }

std::optional<Value> Evaluator::call(const FunctionObject &around, const Value &callee,
                                     std::vector<Value> arguments) {
  return m_impl->callAside(around, callee, std::move(arguments));
}

int Evaluator::exitStatus() const { return m_impl->exitStatus(); }

const std::shared_ptr<Scope> &Evaluator::globals() const { return m_impl->globals(); }

Evaluation::Evaluation(AddressSpace &memory, Launcher &launcher, EvaluatorOptions options)
    : OperationContext(memory, makeRandom(), options.mode), m_launcher(launcher),
      m_forKernels(forKernels(*this)), m_options(std::move(options)), m_globals(std::make_shared<Scope>()) {}

Evaluation::~Evaluation() {
  m_queue.clear();
  m_raised.reset();
  for (auto &weak : m_scopes)
    if (auto scope = weak.lock())
      scope->clear();
  m_globals->clear();
}

Outcome Evaluation::run(std::shared_ptr<const syntax::Module> script, Diagnostics &diagnostics) {
  m_diagnostics = &diagnostics;
  m_script = script;
  m_stackTop = static_cast<const char *>(__builtin_frame_address(0));
  const std::string &path = script->file->path();
  m_folder = path.substr(0, path.rfind('/') + 1); // nothing without a "/"
  m_globals->set("__name__", Value("__main__"));
  m_globals->set("__file__", Value(path));
  m_scopes.push_back(m_globals);
  Flow flow = runModule(std::move(script), m_globals, {});
  Outcome outcome = finish(flow, diagnostics);
  m_diagnostics = nullptr;
  return outcome;
}

/// Is it a SystemExit with a status? One with a text is an error that says so.
bool Evaluation::exits(const Raised &raised) {
  auto *exception = raised.exception.as<ExceptionObject>();
  if (!exception || exception->className != "SystemExit")
    return false;
  if (exception->args.empty() || exception->args[0].isNone())
    return true;
  const auto status = exception->args[0].index();
  m_exitStatus = static_cast<int>(status.value_or(0) & 0xff); // what a process can give
  return status.has_value();
}

/// What still waits is carried out, also before an error: launches that came before it did happen.
Outcome Evaluation::finish(Flow flow, Diagnostics &diagnostics) {
  std::optional<Raised> raised = std::move(m_raised);
  m_raised.reset();
  bool settled = settle();
  if (stopRequested())
    return Outcome::Stopped;
  if (!settled || m_checkFailed || (raised && raised->failed))
    return Outcome::Failed;
  if (flow != Flow::Raised || !raised || raised->quiet || exits(*raised))
    return Outcome::Finished;
  diagnostics.add(std::move(raised->diagnostic));
  return Outcome::Failed;
}

void Evaluation::defer(std::function<void()> action) {
  if (checking())
    return;
  m_queue.push_back(std::move(action));
  if (m_queue.size() > MostWaiting)
    settle();
}

bool Evaluation::settle() {
  while (!m_queue.empty() && !m_launchFailed && !stopRequested()) {
    auto action = std::move(m_queue.front());
    m_queue.pop_front();
    action();
  }
  return !m_launchFailed && !stopRequested();
}

bool Evaluation::runLaunch(const LaunchRequest &request, const std::vector<DiagnosticNote> &notes) {
  Diagnostics found;
  bool launched = m_launcher.launch(request, found);
  for (Diagnostic diagnostic : found.all()) {
    diagnostic.notes.insert(diagnostic.notes.end(), notes.begin(), notes.end());
    m_diagnostics->add(std::move(diagnostic));
  }
  bool &failed = checking() ? m_checkFailed : m_launchFailed;
  failed = failed || !launched;
  return launched;
}

bool Evaluation::stopRequested() const {
  return m_options.stop && m_options.stop->load(std::memory_order_relaxed);
}

void Evaluation::charge(std::string_view operation, const OperationCost &cost) {
  if (m_options.charge)
    m_options.charge(operation, cost, top().module->span(m_at));
}

bool Evaluation::step() { return steps(1); }

bool Evaluation::steps(uint64_t count) {
  m_steps += count;
  if (stopRequested() || m_launchFailed) {
    raiseQuietly(m_launchFailed);
    return false;
  }
  if (m_steps <= m_options.stepLimit)
    return true;
  raise(m_at, {"step-limit", {std::to_string(m_options.stepLimit)}});
  return false;
}

void Evaluation::print(std::string_view text) {
  if (!checking() && settle() && m_options.print)
    m_options.print(text);
}

const FunctionNames &Evaluation::namesOfFunction(const syntax::FunctionDef &definition) {
  auto found = m_names.find(&definition);
  if (found == m_names.end())
    found = m_names.emplace(&definition, namesOf(definition)).first;
  return found->second;
}

std::shared_ptr<FunctionObject> Evaluation::makeFunction() {
  auto function = std::make_shared<FunctionObject>();
  function->module = top().module;
  function->host = m_forKernels;
  function->scope = top().inClass ? top().functionScope : top().scope; // methods do not see the class body
  // Scopes of calls that have ended are forgotten from time to time, so that the list stays short.
  if (m_scopes.size() > 1024 && m_scopes.size() == m_scopes.capacity())
    std::erase_if(m_scopes, [](const std::weak_ptr<Scope> &scope) { return scope.expired(); });
  m_scopes.push_back(function->scope);
  return function;
}

} // namespace tilescope::host
