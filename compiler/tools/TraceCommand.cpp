// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tilec trace: runs a script up to one launch, and says what that launch asks of a GPU.
#include "compiler/Protocol/Json.h"
#include "compiler/Protocol/LaunchTrace.h"
#include "compiler/Service/LaunchTracer.h"
#include "compiler/Service/Responder.h"
#include "compiler/Service/Session.h"
#include "compiler/tools/Commands.h"
#include "compiler/tools/Console.h"

#include <numeric>

namespace tilescope::tools {
namespace {

using protocol::AccessTrace, protocol::LaunchTrace, protocol::SharedBufferTrace;

std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text.empty() ? "1" : text;
}

class Printer {
public:
  explicit Printer(Language language) : m_language(language) {}

  void print(const LaunchTrace &trace) const {
    const auto &[x, y, z] = trace.grid;
    line("trace-launch", {std::to_string(trace.launch), trace.kernel, shapeText({x, y, z}), std::to_string(trace.numWarps),
                          trace.schedule.gpu});
    for (const AccessTrace &access : trace.accesses)
      print(access);
    line("trace-shared", {std::to_string(trace.sharedBytes)});
    for (const SharedBufferTrace &buffer : trace.buffers)
      print(buffer);
    std::string limits;
    for (const protocol::OccupancyLimit &limit : trace.schedule.limits)
      if (limit.limiting)
        limits += (limits.empty() ? "" : ", ") + words(m_language, "tilec.trace-limit-" + limit.resource);
    char waves[32];
    std::snprintf(waves, sizeof waves, "%.2f", trace.schedule.waves);
    line("trace-schedule", {std::to_string(trace.schedule.slotsPerSm), std::to_string(trace.schedule.sms), limits, waves});
  }

private:
  void print(const AccessTrace &access) const {
    line("trace-access",
         {std::to_string(access.line), access.op, access.argument, shapeText(access.shape),
          std::to_string(access.elementBytes * access.vectorElements), std::to_string(access.requests),
          std::to_string(access.sectors), std::to_string(access.distinctSectors), std::to_string(access.bytesUsed)});
  }
  void print(const SharedBufferTrace &buffer) const {
    line("trace-buffer", {std::to_string(buffer.line), words(m_language, "tilec.trace-use-" + buffer.use), std::to_string(buffer.bytes),
                          std::to_string(buffer.stages), std::to_string(buffer.offset),
                          std::to_string(buffer.firstLine), std::to_string(buffer.lastLine)});
    for (const protocol::SharedAccessTrace &access : buffer.accesses)
      line("trace-shared-access", {std::to_string(access.line), access.op, std::to_string(access.vectorBytes),
                                   std::to_string(access.wavefronts), std::to_string(access.ideal)});
  }
  void line(const std::string &id, const std::vector<std::string> &arguments) const {
    std::printf("%s\n", words(m_language, "tilec." + id, arguments).c_str());
  }
  Language m_language;
};

} // namespace

int traceCommand(Language language, const TraceArguments &arguments) {
  SourceFilePtr script = readOrComplain(language, arguments.file);
  if (!script)
    return WrongUsage;
  std::optional<LaunchTrace> trace;
  bool isReached = false, isProgram = true;
  service::SessionOptions options;
  options.carriesOut = [&](int launch, const host::LaunchRequest &request, AddressSpace &memory,
                           Diagnostics &diagnostics) {
    if (launch != arguments.launch)
      return false;
    isReached = true;
    const int64_t programs = request.grid[0] * request.grid[1] * request.grid[2];
    isProgram = !arguments.program || *arguments.program < programs;
    if (isProgram)
      trace = service::traceLaunch(request, {model::findGpu(arguments.gpu), arguments.program, nullptr}, memory,
                                   diagnostics);
    if (trace)
      trace->launch = launch;
    return true;
  };
  service::Session session(script, service::Sources(arguments.file, {}), std::move(options));
  session.run();
  const bool hasErrors = print(stderr, language, session.diagnostics());
  if (!isReached && !hasErrors)
    complain(language, {"trace-no-launch", {std::to_string(arguments.launch), std::to_string(session.launches())}});
  else if (!isProgram)
    complain(language, {"trace-no-program", {std::to_string(*arguments.program)}});
  if (!trace)
    return hasErrors ? ScriptIsWrong : WrongUsage;
  if (arguments.json)
    std::printf("%s\n", service::dump(protocol::toJson(*trace)).c_str());
  else
    Printer(language).print(*trace);
  return hasErrors ? ScriptIsWrong : Fine;
}

} // namespace tilescope::tools
