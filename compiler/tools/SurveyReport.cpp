// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tools/SurveyReport.h"

#include "compiler/Protocol/Json.h"
#include "compiler/Service/Responder.h"

#include <algorithm>

namespace tilescope::tools {

using service::SurveyedFile;
using service::SurveyedKernel;
using service::SurveyReason;

void SurveyReport::add(SurveyedFile file) {
  m_launched.insert(file.launched.begin(), file.launched.end());
  for (const SurveyedKernel &kernel : file.kernels)
    m_used.insert(kernel.uses.begin(), kernel.uses.end());
  file.kernels.clear();
  m_files.push_back(std::move(file));
}

void SurveyReport::add(SurveyedKernel kernel) { m_kernels.push_back(std::move(kernel)); }

bool SurveyReport::isKernel(const SurveyedKernel &kernel) const {
  return m_launched.contains(kernel.place()) || !m_used.contains(kernel.place());
}

size_t SurveyReport::kernelCount() const {
  return static_cast<size_t>(std::ranges::count_if(m_kernels, [this](const auto &k) { return isKernel(k); }));
}

size_t SurveyReport::compiledCount() const {
  return static_cast<size_t>(
      std::ranges::count_if(m_kernels, [this](const auto &k) { return isKernel(k) && !k.reason; }));
}

bool SurveyReport::isAllCompiled() const { return compiledCount() == kernelCount() && reasons().empty(); }

std::vector<std::pair<std::string, SurveyReport::Group>> SurveyReport::reasons() const {
  std::vector<std::pair<std::string, Group>> groups;
  auto count = [&](const SurveyReason &reason) {
    auto group = std::ranges::find(groups, reason.id, &std::pair<std::string, Group>::first);
    if (group == groups.end())
      group = groups.insert(groups.end(), {reason.id, {0, &reason}});
    ++group->second.count;
  };
  for (const SurveyedFile &file : m_files)
    if (file.reason)
      count(*file.reason);
  for (const SurveyedKernel &kernel : m_kernels)
    if (kernel.reason && isKernel(kernel))
      count(*kernel.reason);
  std::ranges::stable_sort(groups, std::greater(), [](const auto &group) { return group.second.count; });
  return groups;
}

std::string SurveyReport::summary(Language language) const {
  const size_t kernels = kernelCount(), compiled = compiledCount();
  const size_t hundredths = kernels == 0 ? 0 : compiled * 1000 / kernels;
  auto plural = [&](std::string_view key, size_t count, std::vector<std::string> arguments = {}) {
    return words(language, key, arguments, static_cast<int64_t>(count));
  };
  std::string text =
      words(language, "tilec.survey-counts",
            {plural("tilec.survey-files", m_files.size()), plural("tilec.survey-kernels", kernels),
             plural("tilec.survey-helpers", m_kernels.size() - kernels)}) +
      "\n";
  text += words(language, "tilec.survey-compiled",
                {std::to_string(compiled), std::to_string(kernels),
                 std::to_string(hundredths / 10) + "." + std::to_string(hundredths % 10)}) +
          "\n";
  for (const auto &[id, group] : reasons()) {
    const SurveyReason &example = *group.example;
    std::string count = std::to_string(group.count);
    text += std::string(6 - std::min<size_t>(count.size(), 6), ' ') + count + "  " + id + "  " +
            example.file + ":" + std::to_string(example.line) + ":" + std::to_string(example.column) + "  " +
            example.text + "\n";
  }
  return text;
}

std::string SurveyReport::json() const {
  using nlohmann::json;
  json kernels = json::array(), helpers = json::array(), files = json::array(), reasonList = json::array();
  for (const SurveyedKernel &kernel : m_kernels)
    (isKernel(kernel) ? kernels : helpers).push_back(protocol::toJson(kernel));
  for (const SurveyedFile &file : m_files) {
    json entry = {{"file", file.file}};
    if (file.reason)
      entry["reason"] = protocol::toJson(*file.reason);
    files.push_back(std::move(entry));
  }
  for (const auto &[id, group] : reasons())
    reasonList.push_back({{"id", id}, {"count", group.count}, {"example", protocol::toJson(*group.example)}});
  json report = {{"summary",
                  {{"files", m_files.size()},
                   {"kernels", kernelCount()},
                   {"compiled", compiledCount()},
                   {"helpers", m_kernels.size() - kernelCount()}}},
                 {"reasons", reasonList},
                 {"kernels", kernels},
                 {"helpers", helpers},
                 {"files", files}};
  return service::dump(report) + "\n";
}

} // namespace tilescope::tools
