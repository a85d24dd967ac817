// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tilec bench: runs a script on a GPU and times each of its launches there.
#include "compiler/Service/GpuLauncher.h"
#include "compiler/Service/Responder.h"
#include "compiler/Service/Session.h"
#include "compiler/tools/Commands.h"
#include "compiler/tools/Console.h"

#include <limits>

namespace tilescope::tools {
namespace {

using nlohmann::json;

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string cudaVersion(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

void say(Language language, const std::string &id, const std::vector<std::string> &arguments) {
  std::printf("%s\n", words(language, "tilec." + id, arguments).c_str());
}

void printDevice(Language language, const cuda::DeviceInfo &device, double copyBytesPerSecond) {
  say(language, "bench-device",
      {device.name, std::to_string(device.major * 10 + device.minor), std::to_string(device.sms),
       cudaVersion(device.driverVersion), fixed(copyBytesPerSecond / 1e9, 0)});
}

void printLaunch(Language language, const protocol::LaunchSummary &summary, const service::GpuLaunch &launch) {
  const auto &[x, y, z] = summary.grid;
  const bool isNew = launch.ptxMs > 0;
  std::vector<std::string> code{std::to_string(launch.registers), std::to_string(launch.localBytes),
                                std::to_string(launch.staticSharedBytes + launch.dynamicSharedBytes)};
  if (isNew)
    code.insert(code.end(), {fixed(launch.ptxMs, 1), fixed(launch.loadMs, 1)});
  const cuda::Times times = launch.times.value_or(cuda::Times());
  say(language, "bench-launch",
      {std::to_string(summary.launch), summary.kernel,
       std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z), std::to_string(summary.numWarps),
       fixed(times.medianMs * 1000, 2), fixed(times.p20Ms * 1000, 2), fixed(times.p80Ms * 1000, 2),
       std::to_string(times.runs), words(language, isNew ? "tilec.bench-compiled" : "tilec.bench-code", code)});
}

json deviceReport(const cuda::DeviceInfo &device, double copyBytesPerSecond) {
  return {{"name", device.name},
          {"capability", device.major * 10 + device.minor},
          {"sms", device.sms},
          {"l2_bytes", device.l2Bytes},
          {"memory_bytes", device.memoryBytes},
          {"cuda", cudaVersion(device.driverVersion)},
          {"copy_bytes_per_second", copyBytesPerSecond}};
}

json launchReport(const protocol::LaunchSummary &summary, const service::GpuLaunch &launch) {
  json report{{"launch", summary.launch},
              {"kernel", summary.kernel},
              {"path", summary.path},
              {"line", summary.line},
              {"grid", summary.grid},
              {"num_warps", summary.numWarps},
              {"num_stages", summary.numStages},
              {"target", launch.target.cpu()},
              {"registers", launch.registers},
              {"local_bytes", launch.localBytes},
              {"static_shared_bytes", launch.staticSharedBytes},
              {"dynamic_shared_bytes", launch.dynamicSharedBytes},
              {"compile_ms", launch.ptxMs},
              {"load_ms", launch.loadMs}};
  if (launch.times)
    report["time_ms"] = {{"median", launch.times->medianMs},
                         {"p20", launch.times->p20Ms},
                         {"p80", launch.times->p80Ms},
                         {"runs", launch.times->runs}};
  if (!launch.programs.empty()) {
    json sm = json::array(), begin = json::array(), end = json::array();
    uint64_t first = std::numeric_limits<uint64_t>::max();
    for (const service::ProgramRun &program : launch.programs)
      first = std::min(first, program.begin);
    for (const service::ProgramRun &program : launch.programs) {
      sm.push_back(program.sm);
      begin.push_back(program.begin - first);
      end.push_back(program.end - first);
    }
    report["schedule"] = {{"sm", sm}, {"begin_ns", begin}, {"end_ns", end}};
  }
  return report;
}

int fail(Language language, const Error &error) {
  Diagnostics diagnostics;
  diagnostics.error(error.id, {}, error.arguments);
  print(stderr, language, diagnostics);
  return WrongUsage;
}

} // namespace

int benchCommand(Language language, const BenchArguments &arguments) {
  SourceFilePtr script = readOrComplain(language, arguments.file);
  if (!script)
    return WrongUsage;
  service::GpuOptions gpuOptions;
  gpuOptions.ordinal = gpuNumber(arguments.device).value_or(0);
  gpuOptions.timing = true;
  gpuOptions.schedule = arguments.schedule;
  Result<std::unique_ptr<service::GpuLauncher>> opened = service::GpuLauncher::open(gpuOptions);
  if (!opened)
    return fail(language, opened.error());
  std::shared_ptr<service::GpuLauncher> gpu = std::move(*opened);
  const Result<double> copy = gpu->copyBytesPerSecond();
  if (!copy)
    return fail(language, copy.error());
  if (!arguments.json)
    printDevice(language, gpu->device(), *copy);

  json launches = json::array();
  service::SessionOptions options;
  options.gpu = gpu;
  options.measured = [&](const protocol::LaunchSummary &summary, const service::GpuLaunch &launch) {
    if (arguments.json)
      launches.push_back(launchReport(summary, launch));
    else
      printLaunch(language, summary, launch);
    std::fflush(stdout);
  };
  service::Session session(script, service::Sources(arguments.file, {}), std::move(options));
  const host::Outcome outcome = session.run();
  if (arguments.json)
    std::printf("%s\n", service::dump({{"device", deviceReport(gpu->device(), *copy)}, {"launches", launches}}).c_str());
  const bool hasErrors = print(stderr, language, session.diagnostics());
  return outcome == host::Outcome::Failed || hasErrors ? ScriptIsWrong : Fine;
}

} // namespace tilescope::tools
