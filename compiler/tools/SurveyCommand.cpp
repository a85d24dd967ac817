// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilec check --kernels DIR`: how far each kernel of a folder comes. Files are surveyed in child processes,
// two at a time, so that one that crashes or hangs the compiler is a finding like any other.
#include "compiler/Protocol/Json.h"
#include "compiler/Service/KernelSurvey.h"
#include "compiler/Service/Responder.h"
#include "compiler/tools/Commands.h"
#include "compiler/tools/Console.h"
#include "compiler/tools/SurveyReport.h"
#include "compiler/tools/Workers.h"

#include <cstring>
#include <fstream>

namespace tilescope::tools {
namespace {

using service::SurveyedFile;
using service::SurveyedKernel;
using service::SurveyReason;

constexpr unsigned Processes = 2;
/// Reading a file, and compiling one kernel with all its guesses.
constexpr std::chrono::seconds Limit{60};

class Survey {
public:
  Survey(Language language, service::KernelFolder folder, service::Signatures signatures)
      : m_language(language), m_folder(std::move(folder)), m_signatures(std::move(signatures)),
        m_files(m_folder.files().size()), m_kernels(m_folder.files().size()) {}

  bool run() {
    Workers workers({[this](auto... arguments) { work(arguments...); },
                     [this](size_t job, const std::string &line) { received(job, line); },
                     [this](size_t job, ssize_t part, bool tookTooLong) { lost(job, part, tookTooLong); }},
                    Processes, Limit);
    return workers.run(m_files.size());
  }

  SurveyReport report() {
    SurveyReport report;
    for (size_t i = 0; i < m_files.size(); ++i) {
      report.add(m_files[i]);
      for (SurveyedKernel &kernel : m_kernels[i])
        report.add(std::move(kernel));
    }
    return report;
  }

private:
  using Begin = std::function<void(size_t)>;

  void work(size_t job, size_t part, const Begin &begin, const Workers::Send &send) const {
    const service::FileSurvey survey(m_folder, m_signatures, m_folder.files()[job], m_language);
    if (part == 0)
      send(service::dump({{"file", protocol::toJson(survey.file())}}));
    for (size_t i = part; i < survey.file().kernels.size(); ++i) {
      begin(i);
      send(service::dump({{"kernel", protocol::toJson(survey.compile(i))}}));
    }
  }

  void received(size_t job, const std::string &line) {
    const nlohmann::json message = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    std::string error;
    if (auto file = message.find("file"); file != message.end())
      protocol::fromJson(*file, m_files[job], error);
    else if (auto kernel = message.find("kernel"); kernel != message.end())
      protocol::fromJson(*kernel, m_kernels[job].emplace_back(), error);
  }

  void lost(size_t job, ssize_t part, bool tookTooLong) {
    SurveyedFile &file = m_files[job];
    file.file = m_folder.files()[job];
    SurveyReason reason{tookTooLong ? "kernel-timed-out" : "kernel-crashed", file.file, 1, 1, {}};
    const bool isKernel = part >= 0 && static_cast<size_t>(part) < file.kernels.size();
    if (isKernel) {
      reason.line = file.kernels[part].line;
      reason.column = file.kernels[part].column;
    }
    reason.text =
        words(m_language, "diagnostic." + reason.id, {isKernel ? file.kernels[part].name : file.file});
    if (isKernel)
      m_kernels[job].push_back(file.kernels[part]);
    (isKernel ? m_kernels[job].back().reason : file.reason) = reason;
  }

  const Language m_language;
  const service::KernelFolder m_folder;
  const service::Signatures m_signatures;
  std::vector<SurveyedFile> m_files;
  std::vector<std::vector<SurveyedKernel>> m_kernels; ///< by file
};

bool write(const std::string &path, const std::string &text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  return static_cast<bool>(stream.flush());
}

} // namespace

int surveyCommand(Language language, const CheckArguments &arguments) {
  Result<service::KernelFolder> folder = service::KernelFolder::open(arguments.kernels);
  if (!folder) {
    complain(language, folder.error());
    return WrongUsage;
  }
  Result<service::Signatures> signatures = service::Signatures();
  if (!arguments.signatures.empty())
    signatures = service::Signatures::read(arguments.signatures);
  if (!signatures) {
    complain(language, signatures.error());
    return WrongUsage;
  }
  Survey survey(language, std::move(*folder), std::move(*signatures));
  if (!survey.run()) {
    complain(language, {"no-process", {std::strerror(errno)}});
    return WrongUsage;
  }
  const SurveyReport report = survey.report();
  std::fputs(report.summary(language).c_str(), stdout);
  if (!arguments.json.empty() && !write(arguments.json, report.json())) {
    complain(language, {"file-unwritable", {arguments.json, std::strerror(errno)}});
    return WrongUsage;
  }
  return report.isAllCompiled() ? Fine : ScriptIsWrong;
}

} // namespace tilescope::tools
