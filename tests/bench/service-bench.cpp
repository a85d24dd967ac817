// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long after a keystroke the diagnostics of the new text are there: didChange to publishDiagnostics,
// with a real `tilec serve`. And how long the service takes to be ready.
//
//   service-bench [ROUNDS]
#include "tests/Service/Client.h"

#include <algorithm>
#include <cstdio>

using namespace tilescope::testing;
using Clock = std::chrono::steady_clock;

namespace {

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void report(const char *what, std::vector<double> times) {
  std::ranges::sort(times);
  std::printf("%-44s median %6.1f ms   95%% %6.1f ms   worst %6.1f ms\n", what, times[times.size() / 2],
              times[times.size() * 95 / 100], times.back());
}

/// Something typed at one place, something else each time, so that nothing has been seen before.
void typing(const char *what, const std::string &text, uint32_t line, uint32_t character,
            const std::string &prefix, const std::string &suffix, int rounds) {
  const std::string uri = "file:///tmp/none/main.py";
  Client client;
  client.initialize();
  client.open(uri, text);
  client.diagnostics(uri, 1);
  std::vector<double> times;
  size_t typed = 0;
  for (int version = 2; version < rounds + 2; ++version) {
    const std::string next = prefix + std::to_string(version) + suffix;
    const json range = {{"start", {{"line", line}, {"character", character}}},
                        {"end", {{"line", line}, {"character", character + typed}}}};
    const Clock::time_point begin = Clock::now();
    client.notify("textDocument/didChange", {{"textDocument", {{"uri", uri}, {"version", version}}},
                                             {"contentChanges", {{{"range", range}, {"text", next}}}}});
    if (!client.diagnostics(uri, version).is_array())
      return void(std::printf("%-44s no answer\n", what));
    times.push_back(millisecondsSince(begin));
    typed = next.size();
  }
  report(what, std::move(times));
}

void starting(int rounds) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    const Clock::time_point begin = Clock::now();
    Client client;
    client.initialize();
    times.push_back(millisecondsSince(begin));
  }
  report("start to initialize answered", std::move(times));
}

/// 10,000 lines: kernels with their callers, over and over under other names.
std::string longScript(const std::string &example) {
  const size_t kernel = example.find("@triton.jit"), seed = example.find("torch.manual_seed");
  std::string text = example.substr(0, kernel);
  for (int copy = 0; std::count(text.begin(), text.end(), '\n') < 10'000; ++copy) {
    std::string part = example.substr(kernel, seed - kernel);
    for (size_t at = 0; (at = part.find("softmax", at)) != std::string::npos; at += 16)
      part.replace(at, 7, "softmax_" + std::to_string(copy) + "_");
    text += part;
  }
  return text;
}

} // namespace

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 60;
  const std::string example = readFile(projectFile("resources/examples/main.py"));
  starting(std::max(5, rounds / 6));
  typing("main.py, a number in the kernel", example, 13, 18, "+", "", rounds);
  typing("main.py, a statement of the host's", example, 36, 0, "", ";", rounds);
  typing("main.py, a mistake of syntax", example, 12, 26, "(", "", rounds);
  const std::string script = longScript(example);
  std::printf("the long script: %zu lines, %zu KB\n",
              static_cast<size_t>(std::count(script.begin(), script.end(), '\n')), script.size() / 1000);
  typing("10,000 lines, a number in the first kernel", script, 13, 18, "+", "", rounds);
  typing("10,000 lines, a comment above all", script, 0, 0, "#", "#", rounds);
  std::string plain = "import torch\n";
  while (std::count(plain.begin(), plain.end(), '\n') < 10'000)
    plain += "value = [1, 2.5, 'text'] + [value for value in range(3)]  # 注释\n";
  typing("10,000 lines of host code, a statement", plain, 5000, 0, "", ";", rounds);
}
