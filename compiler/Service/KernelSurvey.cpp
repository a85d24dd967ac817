// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/KernelSurvey.h"

#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Service/KnownArguments.h"
#include "compiler/Service/Sources.h"
#include "compiler/Syntax/Parser.h"
#include "compiler/Syntax/Visitor.h"

#include <algorithm>
#include <chrono>
#include <unordered_set>

namespace tilescope::service {
namespace {

using namespace syntax;

/// Nothing is launched in a survey.
class NoLauncher final : public host::Launcher {
public:
  bool launch(const host::LaunchRequest &, Diagnostics &) override { return true; }
};

/// "a/b/c.py" as Python names it: "a.b.c".
std::string moduleName(const std::string &file) {
  std::string name = file.substr(0, file.rfind('.'));
  constexpr std::string_view Package = "/__init__";
  if (name.ends_with(Package))
    name.resize(name.size() - Package.size());
  std::ranges::replace(name, '/', '.');
  return name;
}

/// Names the functions of a module with what stands around them.
class QualifiedNames {
public:
  explicit QualifiedNames(const Module &module) {
    for (const Stmt *statement : module.body)
      visit(statement, "");
  }
  std::string of(const FunctionDef *function) const { return m_names.at(function); }

private:
  void visit(const Stmt *statement, const std::string &around) {
    std::string inside = around;
    if (const auto *function = dynCast<FunctionDef>(statement)) {
      m_names[function] = around + std::string(function->name);
      inside = m_names[function] + ".";
    } else if (const auto *type = dynCast<ClassDef>(statement)) {
      inside += std::string(type->name) + ".";
    }
    forEachChild(*statement, [&](const auto *child) {
      if constexpr (std::is_same_v<decltype(child), const Stmt *>)
        visit(child, inside);
    });
  }
  std::unordered_map<const FunctionDef *, std::string> m_names;
};

/// Calls `found` with every jit function that a function's text names.
void forEachUse(const FunctionObject &function, const auto &node, const auto &found) {
  forEachChild(node, [&](const auto *child) {
    if constexpr (std::is_same_v<decltype(child), const Expr *>)
      if (const auto *name = dynCast<Name>(child); name && function.scope)
        if (const Value *value = function.scope->find(name->id))
          if (auto *used = value->template as<FunctionObject>(); used && used->isJit())
            found(*used);
    forEachUse(function, *child, found);
  });
}

} // namespace

FileSurvey::FileSurvey(const KernelFolder &folder, const Signatures &signatures, const std::string &file,
                       Language language)
    : m_folder(folder), m_signatures(signatures), m_language(language),
      m_launcher(std::make_unique<NoLauncher>()) {
  m_file.file = file;
  read(file);
}

FileSurvey::~FileSurvey() = default;

void FileSurvey::read(const std::string &file) {
  Result<SourceFilePtr> text = readScript(m_folder.path() + file);
  if (!text) {
    m_file.reason = SurveyReason{text.error().id, file, 0, 0,
                                 words(m_language, "tilec." + text.error().id, text.error().arguments)};
    return;
  }
  Diagnostics mistakes;
  std::shared_ptr<const Module> module = parse(*text, mistakes);
  if (mistakes.hasErrors()) {
    m_file.reason = reason(mistakes.all().front());
    return;
  }
  host::EvaluatorOptions options;
  options.mode = host::Mode::Check;
  options.source = [this](const std::string &path) { return m_folder.find(path); };
  m_evaluator = std::make_unique<host::Evaluator>(m_memory, *m_launcher, std::move(options));
  m_evaluator->declare(module, m_folder.path(), moduleName(file));

  std::unordered_set<const FunctionDef *> seen;
  for (const std::shared_ptr<FunctionObject> &function : m_evaluator->jitFunctions())
    if (function->module == module && seen.insert(function->definition).second)
      m_functions.push_back(function);
  std::ranges::sort(m_functions, {}, [](const auto &f) { return f->definition->range.begin; });
  const QualifiedNames names(*module);
  for (const std::shared_ptr<FunctionObject> &function : m_functions) {
    m_file.kernels.push_back(found(*function));
    m_file.kernels.back().name = names.of(function->definition);
  }
  for (const host::NotedLaunch &launch : m_evaluator->notedLaunches())
    m_file.launched.push_back(placeOf(*launch.kernel));
}

std::string FileSurvey::below(const std::string &path) const {
  return path.starts_with(m_folder.path()) ? path.substr(m_folder.path().size()) : path;
}

std::string FileSurvey::placeOf(const FunctionObject &function) const {
  const SourceFile &file = *function.module->file;
  return below(file.path()) + ":" + std::to_string(file.line(function.definition->nameRange.begin));
}

SurveyedKernel FileSurvey::found(const FunctionObject &function) const {
  SurveyedKernel kernel;
  const SourceFile &file = *function.module->file;
  const LineColumn place = file.lineColumn(function.definition->nameRange.begin);
  kernel.file = m_file.file;
  kernel.line = place.line;
  kernel.column = place.column;
  kernel.stage = "parsed";
  auto use = [&](const FunctionObject &used) {
    const std::string at = placeOf(used);
    if (used.definition != function.definition && std::ranges::find(kernel.uses, at) == kernel.uses.end())
      kernel.uses.push_back(at);
  };
  for (const Stmt *statement : function.definition->body)
    forEachUse(function, *statement, use);
  return kernel;
}

SurveyReason FileSurvey::reason(const Diagnostic &diagnostic) const {
  SurveyReason reason{diagnostic.id, {}, 0, 0, words(m_language, diagnostic)};
  if (const SourceFilePtr &file = diagnostic.span.file) {
    const LineColumn place = file->lineColumn(diagnostic.span.range.begin);
    reason.file = below(file->path());
    reason.line = place.line;
    reason.column = place.column;
  }
  return reason;
}

frontend::Specialisation FileSurvey::specialisation(size_t i) const {
  const std::shared_ptr<FunctionObject> &function = m_functions[i];
  const frontend::KnownArguments &certain = m_signatures.of(m_file.file, m_file.kernels[i].name);
  const KnownLaunch known = knownLaunch(function, *m_evaluator, certain);
  frontend::Guess guess = frontend::guessSpecialisation(*function, certain, known.arguments);
  guess.specialisation.numWarps = known.numWarps;
  guess.specialisation.numStages = known.numStages;
  return frontend::refine(*function, guess);
}

SurveyedKernel FileSurvey::compile(size_t i) const {
  const auto start = std::chrono::steady_clock::now();
  const FunctionObject &function = *m_functions[i];
  SurveyedKernel kernel = m_file.kernels[i];
  const frontend::Specialisation guess = specialisation(i);
  const std::vector<const Arg *> declared = frontend::parameters(*function.definition);
  for (size_t p = 0; p < declared.size(); ++p)
    kernel.arguments.push_back(std::string(declared[p]->name) + ": " + textOf(guess.arguments[p]));
  Diagnostics diagnostics;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  const bool isCompiled = static_cast<bool>(frontend::compile(context, function, guess, diagnostics));
  kernel.stage = isCompiled ? "compiled" : "parsed";
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    if (isCompiled || diagnostic.severity != Severity::Error)
      continue;
    kernel.reason = reason(diagnostic);
    kernel.stage = diagnostic.id == "internal-error" ? "typed" : "parsed";
    break;
  }
  std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  kernel.milliseconds = spent.count();
  return kernel;
}

} // namespace tilescope::service
