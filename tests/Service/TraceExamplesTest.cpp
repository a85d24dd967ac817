// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every launch of resources/examples: one of its programs in the middle and the last, at the boundary, are
// stepped through. What they store then is what stands in memory after the launch, bit for bit.
#include "compiler/Host/Evaluator.h"
#include "compiler/Interpreter/Stepper.h"
#include "compiler/Service/Compile.h"
#include "compiler/Service/LaunchArguments.h"
#include "compiler/Service/Specialise.h"
#include "compiler/Syntax/Parser.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

using namespace tilescope;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> examples() {
  std::vector<fs::path> found;
  for (const auto &entry : fs::directory_iterator(TILESCOPE_SOURCE_DIR "/resources/examples"))
    if (entry.path().extension() == ".py")
      found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

/// The bytes that a program stored, by address.
using Stored = std::map<Address, std::byte>;

/// Steps to the end. Atomics, whose sums other programs go on with, are left out.
Stored storesOf(interp::Stepper &stepper) {
  Stored stored;
  stepper.observeStores([&](Address at, const std::byte *data, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; ++i)
      stored[at + i] = data[i];
  });
  for (uint64_t at = 0; at <= stepper.count(); ++at)
    EXPECT_TRUE(stepper.seek(at));
  stepper.observeStores({});
  return stored;
}

/// Interprets each launch, and looks at two of its programs at once.
class SteppingLauncher final : public host::Launcher {
public:
  explicit SteppingLauncher(AddressSpace &memory) : m_memory(memory) {}

  bool launch(const host::LaunchRequest &request, Diagnostics &diagnostics) override {
    const auto specialisation = service::specialise(request, diagnostics);
    const auto kernel = specialisation ? service::compileKernel(service::SourceClosure(*request.kernel),
                                                                *specialisation, diagnostics)
                                       : nullptr;
    if (!kernel)
      return false;
    interp::LaunchAgain again{
        kernel, service::gridOf(request), service::argumentsFor(request, *kernel), 0, {}};
    const interp::RunResult run =
        interp::run(*kernel, again.grid, again.arguments, m_memory, {}, diagnostics);
    again.version = run.version;
    again.log = run.log;
    const auto isStore = [](const interp::AccessSite &site) {
      return site.kind == interp::AccessKind::Store;
    };
    stores |= std::ranges::any_of(kernel->accesses(), isStore);
    const uint64_t programs = uint64_t(again.grid[0]) * again.grid[1] * again.grid[2];
    for (uint64_t program : std::set<uint64_t>{programs / 2, programs - 1})
      look(again, program);
    return run.status == interp::RunStatus::Finished;
  }

  uint64_t programs = 0, bytes = 0;
  bool stores = false; ///< one kernel does more than atomics

private:
  void look(const interp::LaunchAgain &again, uint64_t program) {
    auto opened = interp::Stepper::open(m_memory, again, program);
    ASSERT_TRUE(opened) << opened.error().id;
    interp::Stepper &stepper = **opened;
    EXPECT_TRUE(stepper.isComplete());
    const Stored stored = storesOf(stepper);
    for (const auto &[at, byte] : stored)
      ASSERT_EQ(*m_memory.read(at), byte) << again.kernel->name() << ", program " << program;
    ++programs;
    bytes += stored.size();
    goAbout(stepper);
    EXPECT_EQ(storesOf(stepper), stored) << "after going back and forth";
  }

  /// Variables are the same from wherever one comes.
  void goAbout(interp::Stepper &stepper) {
    std::mt19937 random(7);
    for (int i = 0; i < 4; ++i) {
      const uint64_t at = random() % (stepper.count() + 1), other = random() % (stepper.count() + 1);
      ASSERT_TRUE(stepper.seek(at));
      const auto before = stepper.variables();
      ASSERT_TRUE(stepper.seek(other) && stepper.seek(at));
      const auto after = stepper.variables();
      ASSERT_EQ(before.size(), after.size());
      for (size_t v = 0; v < before.size(); ++v) {
        EXPECT_EQ(before[v]->elements, after[v]->elements);
        EXPECT_EQ(before[v]->kinds, after[v]->kinds);
      }
    }
  }

  AddressSpace &m_memory;
};

class Example : public ::testing::TestWithParam<fs::path> {};

TEST_P(Example, StoresTheSameAgain) {
  std::stringstream text;
  text << std::ifstream(GetParam()).rdbuf();
  Diagnostics diagnostics;
  const auto script = std::make_shared<SourceFile>(GetParam().string(), text.str());
  const auto module = syntax::parse(script, diagnostics);
  AddressSpace memory;
  SteppingLauncher launcher(memory);
  host::Evaluator evaluator(memory, launcher, {});
  EXPECT_EQ(evaluator.run(module, diagnostics), host::Outcome::Finished);
  EXPECT_FALSE(diagnostics.hasErrors());
  EXPECT_GT(launcher.programs, 0u);
  EXPECT_EQ(launcher.bytes > 0, launcher.stores);
}

INSTANTIATE_TEST_SUITE_P(All, Example, ::testing::ValuesIn(examples()),
                         [](const auto &info) { return info.param.stem().string(); });

} // namespace
