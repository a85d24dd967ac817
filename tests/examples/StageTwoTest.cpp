// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each kernel of the examples, as it is launched there, gives the same after every stage of the compilation
// for a GPU, whatever the GPU, the warps and the stages of its pipelines.
#include "tests/Interpreter/StageRunner.h"

#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Host/Evaluator.h"
#include "compiler/Host/Tensor.h"
#include "compiler/Interpreter/Flatten.h"
#include "compiler/Interpreter/Kernel.h"
#include "compiler/Service/Specialise.h"
#include "compiler/Service/Summary.h"
#include "compiler/Syntax/Parser.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace tilescope {
namespace {

using interp::test::Compare;
using interp::test::RepeatedLaunch;

/// Programs of each kernel that are run, to be quick.
constexpr uint32_t MostPrograms = 2;

struct Variant {
  const char *target;
  int warps, stages;
};

/// Some of all targets, warps and stages; all with EVERY_VARIANT in the environment.
std::vector<Variant> variants() {
  std::vector<Variant> result;
  const char *const targets[] = {"cuda:75", "cuda:80",  "cuda:86", "cuda:89",
                                 "cuda:90", "cuda:100", "cuda:120"};
  const bool isFull = std::getenv("EVERY_VARIANT") != nullptr;
  for (int i = 0; const char *target : targets)
    for (int warps : {1, 2, 4, 8})
      for (int stages : {1, 2, 3, 4})
        if (isFull || i++ % 23 == 0)
          result.push_back({target, warps, stages});
  return result;
}

/// Carries launches out, and has each kernel go through the stages the first time.
class StagesLauncher final : public host::Launcher {
public:
  explicit StagesLauncher(AddressSpace &memory) : m_memory(memory) {
    m_context.loadDialect<tile::TileDialect>();
  }

  bool launch(const host::LaunchRequest &request, Diagnostics &diagnostics) override {
    const auto specialisation = service::specialise(request, diagnostics);
    if (!specialisation)
      return false;
    mlir::OwningOpRef<mlir::ModuleOp> module =
        frontend::compile(m_context, *request.kernel, *specialisation, diagnostics);
    const auto kernel = module ? interp::flatten(*module, {}, diagnostics) : nullptr;
    if (!kernel)
      return false;
    std::vector<interp::Argument> arguments;
    const RepeatedLaunch launch = repeated(request, *kernel, arguments);
    if (m_seen.insert(kernel->name() + specialisation->key()).second)
      check(*module, launch, kernel->name());
    const std::array<uint32_t, 3> grid{uint32_t(request.grid[0]), uint32_t(request.grid[1]),
                                       uint32_t(request.grid[2])};
    return interp::run(*kernel, grid, arguments, m_memory, {}, diagnostics).status ==
           interp::RunStatus::Finished;
  }
  size_t kernels() const { return m_seen.size(); }

private:
  RepeatedLaunch repeated(const host::LaunchRequest &request, const interp::Kernel &kernel,
                          std::vector<interp::Argument> &arguments) {
    RepeatedLaunch launch;
    launch.grid[0] = std::min(uint32_t(request.grid[0]), MostPrograms);
    std::map<AllocationId, int> tensors;
    for (size_t i = 0; i < kernel.parameters().size(); ++i) {
      const Value value = service::valueOf(request, kernel, i);
      auto *tensor = value.as<host::TensorObject>();
      if (!tensor) {
        arguments.push_back({bitsOf(value)});
        launch.arguments.push_back({arguments.back().bits});
        continue;
      }
      const Allocation &allocation = m_memory.allocation(tensor->storage->allocation);
      const auto [entry, isNew] = tensors.try_emplace(allocation.id, int(launch.tensors.size()));
      if (isNew)
        launch.tensors.push_back(contents(allocation));
      arguments.push_back({tensor->address(), allocation.id});
      launch.arguments.push_back({0, entry->second, tensor->address() - allocation.address});
    }
    return launch;
  }
  RepeatedLaunch::Tensor contents(const Allocation &allocation) const {
    const std::byte *bytes = m_memory.read(allocation.address);
    return {std::vector<std::byte>(bytes, bytes + allocation.bytes),
            m_memory.countUndefined(allocation.address, allocation.bytes) < allocation.bytes};
  }
  static uint64_t bitsOf(const Value &value) {
    if (const double *number = value.asFloat())
      return std::bit_cast<uint32_t>(static_cast<float>(*number));
    return value.asBool() ? uint64_t(*value.asBool()) : uint64_t(*value.asInt()->toInt64());
  }

  void check(mlir::ModuleOp module, const RepeatedLaunch &launch, const std::string &name) {
    EXPECT_EQ(compareStages(module, launch, Compare::EveryStage), "") << name;
    for (const Variant &variant : variants()) {
      tile::FuncOp kernel = *module.getOps<tile::FuncOp>().begin();
      kernel.setTarget(llvm::StringRef(variant.target));
      kernel.setNumWarps(variant.warps);
      kernel.setNumStages(variant.stages);
      const std::string wrong = compareStages(module, launch, Compare::LastStage);
      EXPECT_EQ(wrong, "") << name << " for " << variant.target << ", " << variant.warps << " warps, "
                           << variant.stages << " stages";
      if (!wrong.empty())
        return;
    }
  }

  AddressSpace &m_memory;
  mlir::MLIRContext m_context{mlir::MLIRContext::Threading::DISABLED};
  std::set<std::string> m_seen;
};

const std::filesystem::path Examples = TILESCOPE_SOURCE_DIR "/resources/examples";

std::vector<std::string> examples() {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(Examples))
    if (entry.path().extension() == ".py")
      names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

class StageTwo : public testing::TestWithParam<std::string> {};

TEST_P(StageTwo, ExamplesGiveTheSameAfterEveryStage) {
  std::ifstream file(Examples / (GetParam() + ".py"));
  std::stringstream text;
  text << file.rdbuf();
  Diagnostics diagnostics;
  const auto source = std::make_shared<SourceFile>(GetParam() + ".py", text.str());
  AddressSpace memory;
  StagesLauncher launcher(memory);
  host::Evaluator evaluator(memory, launcher, {});
  EXPECT_EQ(evaluator.run(syntax::parse(source, diagnostics), diagnostics), host::Outcome::Finished);
  EXPECT_FALSE(diagnostics.hasErrors());
  EXPECT_GT(launcher.kernels(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Examples, StageTwo, testing::ValuesIn(examples()),
                         [](const auto &info) { return info.param; });

} // namespace
} // namespace tilescope
