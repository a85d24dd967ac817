// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stands in for tilec in the window's tests. It behaves as the words in a script tell it to:
//   BAD       a diagnostic at the word, with a fix that makes it GOOD
//   HANG      the run never ends, whatever it is told
//   CRASH     the process ends in the middle of the run
//   FLOOD     prints very much
//   FAIL      the run ends with a problem in line 1
// Every other script prints "hello" and launches one kernel of 4 programs.
#include "compiler/Protocol/BuildId.h"
#include "compiler/Protocol/Json.h"

#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

using namespace tilescope::protocol;
using nlohmann::json;

namespace {

void send(const json &message) {
  std::string text = message.dump();
  std::cout << "Content-Length: " << text.size() << "\r\n\r\n" << text << std::flush;
}

void notify(const char *method, const json &params) {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
}

void publish(const std::string &uri, int64_t version, const std::string &text) {
  PublishDiagnostics message{uri, version, {}};
  size_t at = text.find("BAD");
  if (at != std::string::npos) {
    uint32_t line = 0, start = 0;
    for (size_t i = 0; i < at; ++i)
      if (text[i] == '\n')
        ++line, start = static_cast<uint32_t>(i + 1);
    // The tests put only characters of one UTF-16 unit and three bytes before the word.
    uint32_t column = static_cast<uint32_t>(at) - start;
    for (size_t i = start; i < at; ++i)
      column -= (text[i] & 0xC0) == 0x80;
    Range range{{line, column}, {line, column + 3}};
    Diagnostic diagnostic{range, 1, "undefined-name", "tilescope", "BAD is not defined", {}};
    diagnostic.data.arguments = {"BAD"};
    diagnostic.data.fix = Fix{"replace-with", {"GOOD"}, range, "GOOD"};
    message.diagnostics.push_back(diagnostic);
  }
  notify("textDocument/publishDiagnostics", toJson(message));
}

LaunchSummary cannedLaunch(int64_t run, const std::string &path) {
  LaunchSummary launch;
  launch.run = run;
  launch.kernel = "add_kernel";
  launch.path = launch.kernelPath = path;
  launch.line = 2;
  launch.kernelLine = launch.kernelEndLine = 1;
  launch.grid = {4, 1, 1};
  launch.programs = 4;
  launch.accesses.push_back({1, {{0, 0}, {0, 1}}, "store", {4000, 96, 0}, 16000, "y", "fp32", {1024}});
  launch.arguments.push_back({"y_ptr", "pointer<fp32>", "y", {4000}, {1}});
  launch.outputs.push_back({"y", "fp32", {4000}, 1, 4000, 0});
  return launch;
}

json runScript(const RunRequest &request) {
  auto says = [&](const char *word) { return request.text.find(word) != std::string::npos; };
  if (says("CRASH"))
    std::_Exit(3);
  while (says("HANG"))
    std::this_thread::sleep_for(std::chrono::seconds(1));
  for (int i = 0; says("FLOOD") && i < 200; ++i)
    notify("tilescope/output", toJson(Output{request.run, std::string(20000, 'x') + "\n"}));
  if (says("FAIL")) {
    Diagnostic problem{{{0, 0}, {0, 4}},  1, "undefined-name", "tilescope", "FAIL is not defined",
                       {{"FAIL"}, {}, {}}};
    return toJson(RunReport{request.run, "failed", 1.5, 0, 0, {{request.path, {problem}}}});
  }
  notify("tilescope/output", toJson(Output{request.run, "hello\n"}));
  notify("tilescope/launch", toJson(cannedLaunch(request.run, request.path)));
  return toJson(RunReport{request.run, "finished", 1.5, 1, 4, {}});
}

json answer(const std::string &method, const json &params) {
  std::string error;
  if (method == "initialize")
    return {{"capabilities", json::object()}, {"tilescope", toJson(Identity{Version, buildId()})}};
  if (method == "tilescope/run") {
    RunRequest request;
    fromJson(params, request, error);
    return runScript(request);
  }
  if (method == "tilescope/gpus")
    return toJson(GpuList{{{"H200", "9.0", 132, 64, 32}, {"T4", "7.5", 40, 32, 16}}});
  if (method == "tilescope/schedule") {
    Schedule schedule{params.value("gpu", ""), 132, 16, 4, 2112, 4.0 / 2112, 1, 4, {}, {}};
    schedule.lastWaveCounts.values.assign(132, 0);
    for (int i = 0; i < 4; ++i)
      schedule.lastWaveCounts.values[static_cast<size_t>(i)] = 1;
    schedule.limits.push_back({"warps", 16, 4, 64, true});
    return toJson(schedule);
  }
  if (method == "tilescope/tiles")
    return toJson(TilePage{0, {{0, 1, 0, 1024, 0, 1, 1024, 2048, 0, 1, 2048, 3072, 0, 1, 3072, 4000}}});
  if (method == "textDocument/completion") {
    CompletionList list;
    list.items = {{"load", 3, "(pointer, mask=None, other=None)", ""},
                  {"store", 3, "", ""},
                  {"atomic_load", 3, "", ""},
                  {"maximum", 3, "", ""},
                  {"max", 3, "", ""}};
    return toJson(list);
  }
  if (method == "textDocument/hover") {
    Hover hover;
    hover.data = {"x", "fp32[1024]", "", "", "7"};
    return toJson(hover);
  }
  if (method == "textDocument/inlayHint")
    return json::array({toJson(InlayHint{{0, 1}, "fp32[1024]"})});
  return nullptr;
}

void handle(const json &message) {
  std::string method = message.value("method", "");
  json params = message.value("params", json::object());
  if (message.contains("id"))
    return send({{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", answer(method, params)}});
  if (method == "textDocument/didOpen")
    publish(params["textDocument"]["uri"], params["textDocument"]["version"], params["textDocument"]["text"]);
  if (method == "textDocument/didChange")
    publish(params["textDocument"]["uri"], params["textDocument"]["version"],
            params["contentChanges"][0]["text"]);
}

} // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    size_t length = std::stoul(line.substr(line.find(':') + 1));
    std::getline(std::cin, line);
    std::string text(length, '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(length));
    handle(json::parse(text));
  }
}
