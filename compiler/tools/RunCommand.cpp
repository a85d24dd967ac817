// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Protocol/Json.h"
#include "compiler/Service/GpuComparison.h"
#include "compiler/Service/GpuLauncher.h"
#include "compiler/Service/Responder.h"
#include "compiler/Service/Session.h"
#include "compiler/tools/Commands.h"
#include "compiler/tools/Console.h"

#include <csignal>
#include <cstring>
#include <limits>

namespace tilescope::tools {
namespace {

using nlohmann::json;

std::atomic<service::Session *> interruptible = nullptr;

/// The first Ctrl+C stops the script, the next one ends the process.
void stopOnInterrupt() {
  struct sigaction action = {};
  action.sa_handler = [](int) {
    if (service::Session *session = interruptible)
      session->stop();
  };
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
}

json launchReport(const protocol::LaunchSummary &launch) {
  json report = protocol::toJson(launch);
  report.erase("run");
  return report;
}

/// Lines and columns from 1, the end exclusive; all 0 where a diagnostic has no place.
json placeReport(const SourceFilePtr &file, SourceRange range) {
  const LineColumn begin = file ? file->lineColumn(range.begin) : LineColumn{0, 0};
  const LineColumn end = file ? file->lineColumn(range.end) : LineColumn{0, 0};
  return {{"path", file ? file->path() : std::string()},
          {"line", begin.line},
          {"column", begin.column},
          {"end_line", end.line},
          {"end_column", end.column}};
}

json noteReport(Language language, const DiagnosticNote &note) {
  json report = placeReport(note.span.file, note.span.range);
  report["id"] = note.id;
  report["values"] = note.arguments;
  report["message"] = words(language, "note." + note.id, note.arguments);
  return report;
}

json fixReport(Language language, const SourceFilePtr &file, const DiagnosticFix &fix) {
  json report = placeReport(file, fix.range);
  report["id"] = fix.id;
  report["replacement"] = fix.replacement;
  report["message"] = words(language, "fix." + fix.id, fix.arguments);
  return report;
}

json diagnosticReport(Language language, const Diagnostic &diagnostic) {
  constexpr const char *Severities[] = {"error", "warning", "information"};
  json report = placeReport(diagnostic.span.file, diagnostic.span.range);
  report["id"] = diagnostic.id;
  report["severity"] = Severities[static_cast<int>(diagnostic.severity)];
  report["values"] = diagnostic.arguments;
  report["message"] = words(language, diagnostic);
  report["notes"] = json::array();
  for (const DiagnosticNote &note : diagnostic.notes)
    report["notes"].push_back(noteReport(language, note));
  if (diagnostic.fix)
    report["fix"] = fixReport(language, diagnostic.span.file, *diagnostic.fix);
  return report;
}

json comparisonReport(const service::TensorComparison &tensor) {
  json report{{"tensor", tensor.name},
              {"type", tritonName(tensor.type)},
              {"elements", tensor.elements},
              {"different", tensor.different}};
  if (tensor.different > 0)
    report.update({{"first", tensor.first},
                   {"gpu", tensor.gpu},
                   {"interpreter", tensor.interpreter},
                   {"ulps", tensor.ulps},
                   {"absolute", tensor.absolute},
                   {"relative", tensor.relative}});
  return report;
}

/// What --json writes.
class Report {
public:
  void print(std::string_view text) { m_stdout += text; }
  void add(const protocol::LaunchSummary &launch) { m_launches.push_back(launchReport(launch)); }
  void add(const protocol::LaunchSummary &launch, const std::vector<service::TensorComparison> &tensors) {
    json report{{"launch", launch.launch}, {"kernel", launch.kernel}, {"tensors", json::array()}};
    for (const service::TensorComparison &tensor : tensors)
      report["tensors"].push_back(comparisonReport(tensor));
    m_compared.push_back(report);
  }
  std::string text(Language language, const Diagnostics &found) const {
    json diagnostics = json::array();
    for (const Diagnostic &diagnostic : found.all())
      diagnostics.push_back(diagnosticReport(language, diagnostic));
    json report{{"stdout", m_stdout}, {"launches", m_launches}, {"diagnostics", diagnostics}};
    if (!m_compared.is_null())
      report["compared"] = m_compared;
    return service::dump(report) + "\n";
  }

private:
  std::string m_stdout;
  json m_launches = json::array();
  json m_compared; ///< null where nothing was
};

struct Close {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using FilePtr = std::unique_ptr<std::FILE, Close>;

bool write(std::FILE *file, const std::string &text) {
  return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

std::string shortest(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

void printComparison(Language language, const protocol::LaunchSummary &launch,
                     const std::vector<service::TensorComparison> &tensors) {
  for (const service::TensorComparison &tensor : tensors) {
    std::vector<std::string> values{std::to_string(launch.launch) + ", " + launch.kernel, tensor.name,
                                    std::string(tritonName(tensor.type)), std::to_string(tensor.elements)};
    if (tensor.different > 0)
      values.insert(values.end(), {std::to_string(tensor.different), shortest(tensor.absolute),
                                   std::to_string(tensor.first), shortest(tensor.gpu), shortest(tensor.interpreter)});
    std::fprintf(stderr, "%s\n",
                 words(language, tensor.different > 0 ? "tilec.compare-different" : "tilec.compare-equal", values).c_str());
  }
}

/// Opens the GPU that a run is for; false, with words, if it cannot be had.
bool openGpu(Language language, const RunArguments &arguments, service::SessionOptions &options) {
  const std::optional<int> ordinal = gpuNumber(arguments.device);
  if (!ordinal)
    return true;
  Result<std::unique_ptr<service::GpuLauncher>> gpu = service::GpuLauncher::open({*ordinal, arguments.poison});
  if (gpu) {
    options.gpu = std::move(*gpu);
    return true;
  }
  Diagnostics diagnostics;
  diagnostics.error(gpu.error().id, {}, gpu.error().arguments);
  print(stderr, language, diagnostics);
  return false;
}

} // namespace

int runCommand(Language language, const RunArguments &arguments) {
  SourceFilePtr script = readOrComplain(language, arguments.file);
  if (!script)
    return WrongUsage;
  auto cannotWrite = [&] {
    complain(language, {"file-unwritable", {arguments.json, std::strerror(errno)}});
    return WrongUsage;
  };
  FilePtr output(arguments.json.empty() ? nullptr : std::fopen(arguments.json.c_str(), "wb"));
  if (!arguments.json.empty() && !output)
    return cannotWrite();

  Report report;
  service::SessionOptions options;
  options.threads = arguments.threads;
  options.checking = arguments.check;
  options.print = [&](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (output)
      report.print(text);
  };
  if (output) {
    options.keptLaunches = std::numeric_limits<int>::max();
    options.launched = [&](const protocol::LaunchSummary &launch) { report.add(launch); };
  }
  if (arguments.compare)
    options.compared = [&](const protocol::LaunchSummary &launch, const std::vector<service::TensorComparison> &tensors) {
      printComparison(language, launch, tensors);
      if (output)
        report.add(launch, tensors);
    };
  if (!openGpu(language, arguments, options))
    return WrongUsage;
  service::Session session(script, service::Sources(arguments.file, {}), std::move(options));
  interruptible = &session;
  stopOnInterrupt();
  const host::Outcome outcome = session.run();
  interruptible = nullptr;
  std::fflush(stdout);
  const bool hasErrors = print(stderr, language, session.diagnostics());
  if (output && !write(output.get(), report.text(language, session.diagnostics())))
    return cannotWrite();
  if (outcome == host::Outcome::Stopped)
    return Interrupted;
  return outcome == host::Outcome::Failed || hasErrors ? ScriptIsWrong : session.exitStatus();
}

} // namespace tilescope::tools
