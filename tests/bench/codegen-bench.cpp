// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long kernels take from source to PTX, and from there to a cubin, in a warm process:
//
//     codegen-bench sm_90a resources/examples/*.py
//
// Prints for each kernel that a script launches the median of both; exits with 1 if the way to PTX takes more than 40 ms
// for one of them.
#include "compiler/Service/Codegen.h"
#include "compiler/Service/GpuTarget.h"
#include "compiler/Service/RecordedScript.h"
#include "compiler/Service/Sources.h"
#include "compiler/Service/Specialise.h"
#include "compiler/Syntax/Parser.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>

using namespace tilescope;

namespace {

using Clock = std::chrono::steady_clock;
constexpr double WantedMs = 40;

/// Of `runs` runs, in ms; the first does not count.
template <typename Action> double medianOf(int runs, Action action) {
  std::vector<double> times;
  for (int run = 0; run <= runs; ++run) {
    const Clock::time_point begin = Clock::now();
    action();
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  }
  times.erase(times.begin());
  std::ranges::sort(times);
  return times[times.size() / 2];
}

/// False if it took too long.
bool measure(const host::LaunchRequest &request, const service::CodegenOptions &options) {
  Diagnostics diagnostics;
  const auto specialisation = service::specialise(request, diagnostics);
  const service::SourceClosure closure(*request.kernel);
  const std::string name(request.kernel->name());
  std::optional<service::KernelCode> code;
  if (specialisation)
    code = service::generateCode(closure, *specialisation, options, diagnostics);
  if (!code) {
    std::printf("%-24s no code: %s\n", name.c_str(),
                diagnostics.empty() ? "" : diagnostics.all().front().arguments.front().c_str());
    return true;
  }
  const double ptx = medianOf(20, [&] { service::generateCode(closure, *specialisation, options, diagnostics); });
  std::printf("%-24s %7.2f ms to PTX (%zu lines)", name.c_str(), ptx, size_t(std::ranges::count(code->ptx, '\n')));
  if (nvptx::hasAssembler())
    std::printf(", %7.2f ms from there to a cubin", medianOf(5, [&] { (void)service::assemble(*code); }));
  std::printf("\n");
  return ptx <= WantedMs;
}

} // namespace

int main(int argc, char **argv) {
  const auto target = argc > 1 ? service::targetNamed(argv[1]) : std::nullopt;
  if (!target || argc < 3) {
    std::fprintf(stderr, "codegen-bench GPU FILE.py …\n");
    return 2;
  }
  bool isQuick = true;
  for (int i = 2; i < argc; ++i) {
    Diagnostics diagnostics;
    const Result<SourceFilePtr> file = service::readScript(argv[i]);
    if (!file)
      return 2;
    const service::RecordedScript script(syntax::parse(*file, diagnostics), argv[i]);
    std::set<std::string_view> seen;
    for (const host::LaunchRequest &request : script.launches())
      if (seen.insert(request.kernel->name()).second)
        isQuick &= measure(request, {*target});
  }
  return isQuick ? 0 : 1;
}
