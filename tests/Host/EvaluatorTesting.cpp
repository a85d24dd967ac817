// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Host/EvaluatorTesting.h"

#include "compiler/Host/Operations.h"
#include "compiler/Syntax/Parser.h"
#include "compiler/Value/Operators.h"

#include <gtest/gtest.h>

namespace tilescope::host {

bool FakeLauncher::launch(const LaunchRequest &request, Diagnostics &diagnostics) {
  Seen launch{std::string(request.kernel->name()),
              request.grid,
              {},
              request.numWarps,
              request.numStages,
              request.call.file->line(request.call.range.begin),
              output ? output->size() : 0};
  for (const Value &argument : request.arguments)
    launch.arguments.push_back(argument.as<TensorObject>() ? "Tensor" : repr(argument));
  seen.push_back(std::move(launch));
  if (request.kernel->name() != failKernel)
    return true;
  diagnostics.error("test-failure", request.call);
  return false;
}

std::string ScriptRun::error() const {
  if (diagnostics.empty())
    return {};
  const Diagnostic &first = diagnostics.front();
  std::string arguments;
  for (size_t i = 0; i < first.arguments.size(); ++i)
    arguments += (i ? ", " : "") + first.arguments[i];
  return first.id + "(" + arguments + ")";
}

std::string ScriptRun::marked() const {
  if (diagnostics.empty())
    return {};
  const SourceSpan &span = diagnostics.front().span;
  return std::string(span.file->text(span.range));
}

ScriptRun runScript(const std::string &text, const ScriptOptions &options) {
  auto file = std::make_shared<SourceFile>("/scripts/main.py", text);
  Diagnostics diagnostics;
  auto module = syntax::parse(file, diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << "the script itself does not parse: " << diagnostics.all()[0].id;
  ScriptRun run;
  AddressSpace memory;
  FakeLauncher launcher;
  launcher.failKernel = options.failKernel;
  launcher.output = &run.output;
  EvaluatorOptions settings;
  settings.mode = options.mode;
  settings.stop = options.stop;
  settings.stepLimit = options.stepLimit;
  settings.print = [&run](std::string_view piece) { run.output += piece; };
  settings.charge = [&run](std::string_view operation, const OperationCost &cost, const SourceSpan &place) {
    run.charges.push_back(std::to_string(place.file->line(place.range.begin)) + " " + std::string(operation) +
                          " " + std::to_string(cost.kernels));
  };
  settings.source = [&options](const std::string &path) -> SourceFilePtr {
    auto found = options.files.find(path);
    return found == options.files.end() ? nullptr : std::make_shared<SourceFile>(path, found->second);
  };
  auto before = std::chrono::steady_clock::now();
  {
    Evaluator evaluator(memory, launcher, settings);
    run.outcome = evaluator.run(module, diagnostics);
    run.exitStatus = evaluator.exitStatus();
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  EXPECT_EQ(memory.bytesInUse(), 0u) << "tensors outlived their script";
  run.diagnostics = diagnostics.all();
  run.launches = std::move(launcher.seen);
  return run;
}

} // namespace tilescope::host
