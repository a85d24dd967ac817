// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Interpreter/StageRunner.h"

#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/Transforms/Passes.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"
#include "compiler/Interpreter/Flatten.h"
#include "compiler/Interpreter/Kernel.h"

#include <mlir/IR/Builders.h>
#include <mlir/IR/OwningOpRef.h>
#include <mlir/IR/Verifier.h>
#include <mlir/Pass/PassManager.h>

#include <cstring>

namespace tilescope::interp::test {

namespace {

constexpr uint64_t MemoryBytes = uint64_t(512) << 20;

std::vector<AllocationId> place(AddressSpace &memory, const RepeatedLaunch &launch) {
  std::vector<AllocationId> ids;
  for (const RepeatedLaunch::Tensor &tensor : launch.tensors) {
    ids.push_back(*memory.allocate(tensor.bytes.size()));
    const Allocation &allocation = memory.allocation(ids.back());
    if (tensor.isDefined && !tensor.bytes.empty())
      std::memcpy(memory.write(allocation.address, tensor.bytes.size()), tensor.bytes.data(),
                  tensor.bytes.size());
  }
  return ids;
}

std::string differenceOf(const LaunchOutcome &expected, const LaunchOutcome &found) {
  for (size_t i = 0; i < expected.tensors.size(); ++i) {
    const std::vector<std::byte> &a = expected.tensors[i], &b = found.tensors[i];
    if (a.size() != b.size())
      return "it does not run";
    if (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0)
      continue;
    const auto at = std::mismatch(a.begin(), a.end(), b.begin()).first;
    return "tensor " + std::to_string(i) + " differs from byte " + std::to_string(at - a.begin()) + " on";
  }
  const auto text = [](const std::vector<std::string> &ids) {
    std::string all;
    for (const std::string &id : ids)
      all += " " + id;
    return all;
  };
  if (expected.findings != found.findings)
    return "findings are" + text(found.findings) + ", not" + text(expected.findings);
  if (found.loaded > expected.loaded)
    return std::to_string(found.loaded) + " elements are loaded, not " + std::to_string(expected.loaded);
  if (found.written != expected.written)
    return std::to_string(found.written) + " elements are written, not " + std::to_string(expected.written);
  return "";
}

std::string irOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

/// A barrier more, so that hazards count even where no barrier was found to be needed.
LaunchOutcome interpretWithHazards(mlir::ModuleOp module, const RepeatedLaunch &launch) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  tile::FuncOp kernel = *copy->getOps<tile::FuncOp>().begin();
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(&kernel.getBody().front());
  tile::SharedBarrierOp::create(builder, kernel.getLoc());
  return interpret(*copy, launch);
}

bool prepare(mlir::ModuleOp module) {
  mlir::PassManager manager(module.getContext());
  tile::buildStageTwoPrepare(manager);
  return mlir::succeeded(manager.run(module));
}

} // namespace

LaunchOutcome interpret(mlir::ModuleOp module, const RepeatedLaunch &launch) {
  Diagnostics diagnostics;
  LaunchOutcome outcome;
  const auto kernel = flatten(module, {}, diagnostics);
  if (kernel) {
    AddressSpace memory(MemoryBytes, /*snapshotBudget=*/0);
    const std::vector<AllocationId> ids = place(memory, launch);
    std::vector<interp::Argument> arguments;
    for (const RepeatedLaunch::Argument &argument : launch.arguments) {
      const bool isTensor = argument.tensor >= 0;
      const AllocationId id = isTensor ? ids[argument.tensor] : 0;
      arguments.push_back({isTensor ? memory.allocation(id).address + argument.offset : argument.bits, id});
    }
    RunOptions options;
    options.threads = 1;
    options.logBudget = 0;
    const RunResult result = run(*kernel, launch.grid, arguments, memory, options, diagnostics);
    for (size_t i = 0; i < result.counts.size(); ++i)
      (kernel->accesses()[i].kind == AccessKind::Load ? outcome.loaded : outcome.written) +=
          result.counts[i].active;
    for (AllocationId id : ids) {
      const Allocation &allocation = memory.allocation(id);
      const std::byte *bytes = memory.read(allocation.address);
      outcome.tensors.emplace_back(bytes, bytes + allocation.bytes);
    }
  }
  for (const Diagnostic &diagnostic : diagnostics.all())
    outcome.findings.push_back(std::string(diagnostic.id));
  outcome.tensors.resize(launch.tensors.size());
  return outcome;
}

std::string compareStages(mlir::ModuleOp original, const RepeatedLaunch &launch, Compare compare) {
  mlir::OwningOpRef<mlir::ModuleOp> module = original.clone();
  LaunchOutcome expected = interpret(*module, launch);
  const auto wrong = [&](llvm::StringRef stage, const std::string &what) {
    return "after " + stage.str() + ": " + what + "\n" + irOf(*module);
  };
  if (mlir::failed(mlir::verify(*module)))
    return wrong("nothing", "the IR does not verify");
  if (!prepare(*module))
    return wrong("prepare", "the IR does not verify");
  if (compare == Compare::EveryStage)
    if (const std::string what = differenceOf(expected, interpret(*module, launch)); !what.empty())
      return wrong("prepare", what);
  for (const tile::Stage &stage : tile::stages()) {
    stage.run(*module->getOps<tile::FuncOp>().begin());
    if (mlir::failed(mlir::verify(*module)))
      return wrong(stage.name, "the IR does not verify");
    if (stage.name == "contract")
      expected = interpret(*module, launch);
    else if (compare == Compare::EveryStage || &stage == &tile::stages().back())
      if (const std::string what = differenceOf(expected, interpret(*module, launch)); !what.empty())
        return wrong(stage.name, what);
  }
  if (const std::string what = differenceOf(expected, interpretWithHazards(*module, launch)); !what.empty())
    return wrong("all, with hazards", what);
  return "";
}

} // namespace tilescope::interp::test
