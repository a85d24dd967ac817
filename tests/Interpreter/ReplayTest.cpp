// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that is run again stores what it stored the first time, bit for bit.
#include "compiler/Interpreter/ReplayLog.h"
#include "tests/Interpreter/Harness.h"

#include <gtest/gtest.h>

#include <map>

namespace tilescope::interp::test {
namespace {

/// Takes a ticket, reads what the program before it wrote, and writes both on; in place.
constexpr const char *Chain = R"(
tile.func @chain(%counter: !tile.ptr<si32>, %chain: !tile.ptr<f32>, %out: !tile.ptr<si32>) {
  %pid = tile.program_id x
  %one = tile.constant 1 : si32
  %half = tile.constant 0.3 : f32
  %ticket = tile.atomic_rmw add acq_rel gpu, %counter, %one : !tile.ptr<si32>
  %p = tile.addptr %chain, %pid : !tile.ptr<f32>, si32
  %v = tile.load %p : !tile.ptr<f32>
  %w = tile.mul %v, %half : f32
  %x = tile.add %w, %half : f32
  %q = tile.addptr %p, %one : !tile.ptr<f32>, si32
  tile.store %q, %x : !tile.ptr<f32>
  %o = tile.addptr %out, %pid : !tile.ptr<si32>, si32
  tile.store %o, %ticket : !tile.ptr<si32>
  tile.return
}
)";

using Stores = std::map<Address, std::vector<std::byte>>;

Stores storesOf(const Kernel &kernel, std::array<uint32_t, 3> grid, const std::vector<Argument> &arguments,
                Machine &machine, const RunResult &run, uint64_t program) {
  Stores stores;
  const auto prints = footprints(
      kernel, grid, arguments, machine.memory(), run.version, run.log.get(), program,
      [&](Address at, const std::byte *data, uint64_t bytes) { stores[at].assign(data, data + bytes); });
  EXPECT_FALSE(prints.empty());
  return stores;
}

void expectInMemory(const Stores &stores, size_t count, const Machine &, AddressSpace &memory) {
  EXPECT_EQ(stores.size(), count);
  for (const auto &[at, bytes] : stores)
    EXPECT_EQ(std::memcmp(memory.read(at), bytes.data(), bytes.size()), 0);
}

TEST(Replay, EqualsTheFirstRun) {
  Diagnostics diagnostics;
  const auto kernel = kernelOf(Chain, diagnostics);
  ASSERT_TRUE(kernel);
  Machine machine;
  const auto counter = machine.tensor(std::vector<int32_t>{100}, "counter");
  const auto chain = machine.tensor(std::vector<float>(65, 1.0f), "chain");
  const auto out = machine.tensor(std::vector<int32_t>(64), "out");
  const std::vector<Argument> arguments{machine.pointer(counter), machine.pointer(chain),
                                        machine.pointer(out)};
  const RunResult run = machine.run(*kernel, {64, 1, 1}, arguments);
  const auto tickets = machine.values<int32_t>(out);
  EXPECT_EQ(tickets[63], 163) << "in program order";
  for (uint64_t program : {0, 1, 31, 63})
    expectInMemory(storesOf(*kernel, {64, 1, 1}, arguments, machine, run, program), 2, machine,
                   machine.memory());
  EXPECT_EQ(machine.values<int32_t>(out), tickets) << "nothing that a program stores again is kept";
}

TEST(Replay, KeepsWhatAnOverwrittenInputWas) {
  Diagnostics diagnostics;
  const auto kernel = kernelOf(R"(
tile.func @double(%x: !tile.ptr<f32>) {
  %pid = tile.program_id x
  %p = tile.addptr %x, %pid : !tile.ptr<f32>, si32
  %v = tile.load %p : !tile.ptr<f32>
  %w = tile.add %v, %v : f32
  tile.store %p, %w : !tile.ptr<f32>
  tile.return
}
)",
                               diagnostics);
  ASSERT_TRUE(kernel);
  Machine machine;
  std::vector<float> values(1000);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i);
  const auto x = machine.tensor(values, "x");
  const std::vector<Argument> arguments{machine.pointer(x)};
  const RunResult run = machine.run(*kernel, {1000, 1, 1}, arguments);
  EXPECT_EQ(run.log->bytes(), 0u) << "each program reads only what it overwrites itself";
  for (uint64_t program : {0, 500, 999})
    expectInMemory(storesOf(*kernel, {1000, 1, 1}, arguments, machine, run, program), 1, machine,
                   machine.memory());
}

TEST(Replay, PastTheBudgetThereIsNone) {
  Diagnostics diagnostics;
  const auto kernel = kernelOf(Chain, diagnostics);
  ASSERT_TRUE(kernel);
  Machine machine;
  machine.options.logBudget = 100;
  const std::vector<Argument> arguments{machine.pointer(machine.tensor(std::vector<int32_t>(1), "counter")),
                                        machine.pointer(machine.tensor(std::vector<float>(65), "chain")),
                                        machine.pointer(machine.tensor(std::vector<int32_t>(64), "out"))};
  const RunResult run = machine.run(*kernel, {64, 1, 1}, arguments);
  EXPECT_FALSE(run.log->complete());
  EXPECT_TRUE(
      footprints(*kernel, {64, 1, 1}, arguments, machine.memory(), run.version, run.log.get(), 3).empty());
}

TEST(WorkLimit, OfAllProgramsTogether) {
  Diagnostics diagnostics;
  const auto kernel = kernelOf(Chain, diagnostics);
  ASSERT_TRUE(kernel);
  Machine machine;
  machine.options.workLimit = 1000;
  const std::vector<Argument> arguments{machine.pointer(machine.tensor(std::vector<int32_t>(1), "counter")),
                                        machine.pointer(machine.tensor(std::vector<float>(65), "chain")),
                                        machine.pointer(machine.tensor(std::vector<int32_t>(64), "out"))};
  EXPECT_EQ(machine.run(*kernel, {64, 1, 1}, arguments).status, RunStatus::Failed);
  ASSERT_EQ(machine.diagnostics.all().size(), 1u);
  EXPECT_EQ(machine.diagnostics.all()[0].id, "work-limit");
  EXPECT_EQ(machine.diagnostics.all()[0].arguments, (std::vector<std::string>{"chain", "64", "1000"}));
}

} // namespace
} // namespace tilescope::interp::test
