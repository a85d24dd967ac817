// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops, branches, calls, limits, waiting programs, assertions and printing.
#include "tests/Interpreter/Harness.h"

#include <gmock/gmock.h>

#include <chrono>
#include <thread>

namespace tilescope::interp::test {
namespace {

using testing::ElementsAre;

/// A kernel of one program that writes one si32.
struct Answer {
  std::vector<std::string> ids;
  RunResult result;
  int32_t value = 0;
};

Answer answer(const std::string &ir, std::vector<Argument> arguments = {}) {
  Machine machine;
  const auto kernel = kernelOf(ir, machine.diagnostics);
  if (!kernel)
    return {};
  const auto out = machine.tensor(std::vector<int32_t>(1, -1), "out");
  arguments.insert(arguments.begin(), machine.pointer(out));
  Answer result{.result = machine.run(*kernel, {1, 1, 1}, arguments)};
  result.value = machine.values<int32_t>(out)[0];
  for (const Diagnostic &diagnostic : machine.diagnostics.all())
    result.ids.push_back(diagnostic.id);
  return result;
}

/// Sums the induction variable of range(lower, upper, step) of `type`.
int32_t sumOfRange(const std::string &type, const std::string &lower, const std::string &upper,
                   const std::string &step) {
  return answer("tile.func @k(%out: !tile.ptr<si32>) {\n%z = tile.constant 0 : si32\n%lo = tile.constant " +
                lower + " : " + type + "\n%hi = tile.constant " + upper + " : " + type +
                "\n%st = tile.constant " + step + " : " + type + R"(
    %s = tile.for %i = %lo to %hi step %st iter_args(%a = %z) -> (si32) : )" +
                type + R"( {
      %w = tile.cast %i : )" +
                type + R"( -> si32
      %n = tile.add %a, %w : si32
      tile.yield %n : si32
    }
    tile.store %out, %s : !tile.ptr<si32>
    tile.return
  })")
      .value;
}

TEST(For, CountsAsPythonDoes) {
  EXPECT_EQ(sumOfRange("si64", "0", "10", "3"), 0 + 3 + 6 + 9);
  EXPECT_EQ(sumOfRange("si64", "5", "-5", "-4"), 5 + 1 - 3);
  EXPECT_EQ(sumOfRange("si64", "5", "5", "1"), 0);
  EXPECT_EQ(sumOfRange("si64", "5", "0", "1"), 0);
  // The bounds are the ends of the type: the count must not wrap.
  EXPECT_EQ(sumOfRange("si8", "-128", "127", "100"), -128 - 28 + 72);
  EXPECT_EQ(sumOfRange("ui8", "0", "255", "254"), 254);
}

TEST(For, AStepOfZeroIsSaid) {
  const Answer result = answer(R"(
tile.func @k(%out: !tile.ptr<si32>) {
  %z = tile.constant 0 : si32
  %n = tile.constant 3 : si32
  tile.for %i = %z to %n step %z : si32 {
    tile.yield
  }
  tile.return
})");
  EXPECT_THAT(result.ids, ElementsAre("zero-loop-step"));
  EXPECT_EQ(result.result.status, RunStatus::Failed);
}

/// Fibonacci: the carried values change places.
TEST(For, CarriedValuesAreAssignedAllAtOnce) {
  EXPECT_EQ(answer(R"(
tile.func @k(%out: !tile.ptr<si32>) {
  %z = tile.constant 0 : si32
  %o = tile.constant 1 : si32
  %n = tile.constant 20 : si32
  %r:2 = tile.for %i = %z to %n step %o iter_args(%a = %z, %b = %o) -> (si32, si32) : si32 {
    %s = tile.add %a, %b : si32
    tile.yield %b, %s : si32, si32
  }
  tile.store %out, %r#0 : !tile.ptr<si32>
  tile.return
})")
                .value,
            6765);
}

/// The old value is read after the new one is there: it must not be computed in the old one's place.
TEST(For, ACarriedValueMayBeReadAfterItsSuccessor) {
  EXPECT_EQ(answer(R"(
tile.func @k(%out: !tile.ptr<si32>) {
  %z = tile.constant 0 : si32
  %o = tile.constant 1 : si32
  %n = tile.constant 5 : si32
  %r:2 = tile.for %i = %z to %n step %o iter_args(%a = %o, %d = %z) -> (si32, si32) : si32 {
    %next = tile.add %a, %a : si32
    %difference = tile.sub %next, %a : si32
    %sum = tile.add %d, %difference : si32
    tile.yield %next, %sum : si32, si32
  }
  tile.store %out, %r#1 : !tile.ptr<si32>
  tile.return
})")
                .value,
            1 + 2 + 4 + 8 + 16);
}

/// Collatz steps of 27, by while and if.
TEST(While, WithBranchesInside) {
  EXPECT_EQ(answer(R"(
tile.func @k(%out: !tile.ptr<si32>, %x: si32) {
  %z = tile.constant 0 : si32
  %one = tile.constant 1 : si32
  %two = tile.constant 2 : si32
  %three = tile.constant 3 : si32
  %r:2 = tile.while (%a = %x, %n = %z) : (si32, si32) -> (si32, si32) {
    %c = tile.cmp ne, %a, %one : si32
    tile.condition %c, %a, %n : si32, si32
  } do {
  ^bb0(%b: si32, %m: si32):
    %odd = tile.and %b, %one : si32
    %isOdd = tile.cmp ne, %odd, %z : si32
    %next = tile.if %isOdd -> (si32) {
      %t = tile.mul %b, %three : si32
      %u = tile.add %t, %one : si32
      tile.yield %u : si32
    } else {
      %h = tile.div %b, %two : si32
      tile.yield %h : si32
    }
    %k = tile.add %m, %one : si32
    tile.yield %next, %k : si32, si32
  }
  tile.store %out, %r#1 : !tile.ptr<si32>
  tile.return
})",
                   {Machine::scalar(27)})
                .value,
            111);
}

TEST(Call, RunsHelpersInPlaceEachTime) {
  EXPECT_EQ(answer(R"(
tile.func private @square(%x: si32) -> si32 {
  %r = tile.mul %x, %x : si32
  tile.return %r : si32
}
tile.func private @quartic(%x: si32) -> si32 {
  %a = tile.call @square(%x) : (si32) -> si32
  %b = tile.call @square(%a) : (si32) -> si32
  tile.return %b : si32
}
tile.func @k(%out: !tile.ptr<si32>, %x: si32) {
  %a = tile.call @quartic(%x) : (si32) -> si32
  %b = tile.call @square(%x) : (si32) -> si32
  %c = tile.sub %a, %b : si32
  tile.store %out, %c : !tile.ptr<si32>
  tile.return
})",
                   {Machine::scalar(3)})
                .value,
            81 - 9);
}

constexpr const char *Endless = R"(
tile.func @spin(%flag: !tile.ptr<si32>) {
  %z = tile.constant 0 : si32
  tile.while () : () -> () {
    %v = tile.load %flag volatile : !tile.ptr<si32>
    %c = tile.cmp eq, %v, %z : si32
    tile.condition %c
  } do {
    tile.yield
  }
  tile.return
})";

TEST(Limit, CountsAScalarInstructionAsSixteen) {
  Machine machine;
  machine.options.operationLimit = 1;
  const auto kernel = kernelOf(Endless, machine.diagnostics);
  ASSERT_TRUE(kernel);
  for (const Instruction &instruction : kernel->code())
    EXPECT_GE(instruction.cost, 16u);
}

TEST(Limit, EndsAnEndlessLoopAndNamesIt) {
  Machine machine;
  machine.options.operationLimit = 100'000;
  const auto kernel = kernelOf(Endless, machine.diagnostics);
  ASSERT_TRUE(kernel);
  const auto flag = machine.tensor(std::vector<int32_t>(1), "flag");
  const RunResult result = machine.run(*kernel, {3, 1, 1}, {machine.pointer(flag)});
  EXPECT_EQ(result.status, RunStatus::Failed);
  ASSERT_EQ(machine.diagnostics.all().size(), 1u);
  const Diagnostic &found = machine.diagnostics.all()[0];
  EXPECT_EQ(found.id, "instruction-limit");
  EXPECT_EQ(found.arguments[0], "spin");
  EXPECT_EQ(found.arguments[3], "100000");
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_EQ(found.notes[0].id, "waits-for-element");
  EXPECT_THAT(found.notes[0].arguments, ElementsAre("flag", "0", "0"));
}

/// The element that a lock's `while` turns on, through what is computed from it.
TEST(Limit, NamesTheElementThatALockWaitsFor) {
  Machine machine;
  machine.options.operationLimit = 100'000;
  const auto kernel = kernelOf(R"(
tile.func @locked(%locks: !tile.ptr<si32>) {
  %z = tile.constant 0 : si32
  %one = tile.constant 1 : si32
  %two = tile.constant 2 : si32
  %lock = tile.addptr %locks, %two : !tile.ptr<si32>, si32
  tile.while () : () -> () {
    %old = tile.atomic_cas acquire gpu, %lock, %z, %one : !tile.ptr<si32>
    %taken = tile.sub %old, %one : si32
    %c = tile.cmp ge, %taken, %z : si32
    tile.condition %c
  } do {
    tile.yield
  }
  tile.return
})",
                               machine.diagnostics);
  ASSERT_TRUE(kernel);
  const auto locks = machine.tensor(std::vector<int32_t>{0, 0, 7, 0}, "locks");
  machine.run(*kernel, {2, 1, 1}, {machine.pointer(locks)});
  ASSERT_EQ(machine.diagnostics.all().size(), 1u);
  const Diagnostic &found = machine.diagnostics.all()[0];
  EXPECT_EQ(found.id, "instruction-limit");
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_THAT(found.notes[0].arguments, ElementsAre("locks", "2", "7"));
}

TEST(Stop, EndsAnEndlessLoopSoon) {
  Machine machine;
  std::atomic<bool> stop = false;
  machine.options.stop = &stop;
  machine.options.threads = 2;
  const auto kernel = kernelOf(Endless, machine.diagnostics);
  ASSERT_TRUE(kernel);
  const auto flag = machine.tensor(std::vector<int32_t>(1), "flag");
  std::chrono::steady_clock::time_point asked;
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    asked = std::chrono::steady_clock::now();
    stop = true;
  });
  const RunResult result = machine.run(*kernel, {8, 1, 1}, {machine.pointer(flag)});
  const auto after = std::chrono::steady_clock::now() - asked;
  stopper.join();
  EXPECT_EQ(result.status, RunStatus::Stopped);
  EXPECT_LT(after, std::chrono::milliseconds(100)); // 20 ms asked for; the machine may be busy
  EXPECT_TRUE(machine.diagnostics.empty());
}

/// Each program takes a lock by spinning, adds to a counter without an atomic, and frees the lock.
TEST(Waiting, SpinLocksMakeProgress) {
  Machine machine;
  machine.options.threads = 2;
  const auto kernel = kernelOf(R"(
tile.func @locked(%lock: !tile.ptr<si32>, %counter: !tile.ptr<si32>) {
  %z = tile.constant 0 : si32
  %one = tile.constant 1 : si32
  tile.while () : () -> () {
    %old = tile.atomic_cas acquire gpu, %lock, %z, %one : !tile.ptr<si32>
    %c = tile.cmp eq, %old, %one : si32
    tile.condition %c
  } do {
    tile.yield
  }
  %v = tile.load %counter : !tile.ptr<si32>
  %n = tile.add %v, %one : si32
  tile.store %counter, %n : !tile.ptr<si32>
  %f = tile.atomic_rmw xchg release gpu, %lock, %z : !tile.ptr<si32>
  tile.return
})",
                               machine.diagnostics);
  ASSERT_TRUE(kernel);
  const auto lock = machine.tensor(std::vector<int32_t>(1), "lock"),
             counter = machine.tensor(std::vector<int32_t>(1), "n");
  const RunResult result =
      machine.run(*kernel, {500, 1, 1}, {machine.pointer(lock), machine.pointer(counter)});
  EXPECT_EQ(result.status, RunStatus::Finished);
  EXPECT_EQ(result.programs, 500u);
  EXPECT_EQ(machine.values<int32_t>(counter)[0], 500);
}

/// Each program waits for the one behind it: the last must run before the first can go on.
TEST(Waiting, AProgramGivesWayToTheOneThatItWaitsFor) {
  for (unsigned threads : {1u, 2u}) {
    Machine machine;
    machine.options.threads = threads;
    const auto kernel = kernelOf(R"(
tile.func @chain(%flags: !tile.ptr<si32>) {
  %z = tile.constant 0 : si32
  %one = tile.constant 1 : si32
  %pid = tile.program_id x
  %mine = tile.addptr %flags, %pid : !tile.ptr<si32>, si32
  %next = tile.addptr %mine, %one : !tile.ptr<si32>, si32
  tile.while () : () -> () {
    %v = tile.load %next volatile : !tile.ptr<si32>
    %c = tile.cmp eq, %v, %z : si32
    tile.condition %c
  } do {
    tile.yield
  }
  tile.store %mine, %one : !tile.ptr<si32>
  tile.return
})",
                                 machine.diagnostics);
    ASSERT_TRUE(kernel);
    std::vector<int32_t> flags(51);
    flags[50] = 1;
    const auto memory = machine.tensor(flags, "flags");
    const RunResult result = machine.run(*kernel, {50, 1, 1}, {machine.pointer(memory)});
    EXPECT_EQ(result.status, RunStatus::Finished);
    EXPECT_EQ(machine.values<int32_t>(memory), std::vector<int32_t>(51, 1));
  }
}

TEST(Assert, NamesTheFirstProgramAndElement) {
  Machine machine;
  const auto kernel = kernelOf(R"(
tile.func @k(%n: si32) {
  %pid = tile.program_id x
  %range = tile.make_range 0 to 8 : !tile.tile<8xsi32>
  %p = tile.splat %pid : si32 -> !tile.tile<8xsi32>
  %s = tile.add %range, %p : !tile.tile<8xsi32>
  %ns = tile.splat %n : si32 -> !tile.tile<8xsi32>
  %c = tile.cmp lt, %s, %ns : !tile.tile<8xsi32>
  tile.assert %c, "too large" : !tile.tile<8xi1>
  tile.return
})",
                               machine.diagnostics);
  ASSERT_TRUE(kernel);
  const RunResult result = machine.run(*kernel, {100, 1, 1}, {Machine::scalar(12)});
  EXPECT_EQ(result.status, RunStatus::Failed);
  ASSERT_EQ(machine.diagnostics.all().size(), 1u);
  EXPECT_THAT(machine.diagnostics.all()[0].arguments, ElementsAre("k", "(5, 0, 0)", "1", "too large", "7"));
}

TEST(Division, ByAScalarZeroIsReported) {
  const Answer result = answer(R"(
tile.func @k(%out: !tile.ptr<si32>, %x: si32) {
  %one = tile.constant 1 : si32
  %q = tile.div %one, %x : si32
  tile.store %out, %q : !tile.ptr<si32>
  tile.return
})",
                               {Machine::scalar(0)});
  EXPECT_THAT(result.ids, ElementsAre("integer-division-by-zero"));
  EXPECT_EQ(result.value, -1);
}

constexpr const char *Printing = R"(
tile.func @k() {
  %range = tile.make_range 8 to 12 : !tile.tile<4xsi32>
  %rows = tile.reshape %range : !tile.tile<4xsi32> -> !tile.tile<2x2xsi32>
  %half = tile.constant 0.5 : f16
  %pid = tile.program_id y
  tile.print "x", %rows : !tile.tile<2x2xsi32>
  tile.print "both: ", %half, %pid : f16, si32
  tile.print "bits" hex, %pid : si32
  tile.return
})";

TEST(Print, WritesTritonsLinesInProgramOrder) {
  Machine machine;
  std::vector<std::string> lines;
  machine.options.threads = 2;
  machine.options.print = [&](std::string_view line) { lines.emplace_back(line); };
  const auto kernel = kernelOf(Printing, machine.diagnostics);
  ASSERT_TRUE(kernel);
  machine.run(*kernel, {1, 2, 1}, {});
  ASSERT_EQ(lines.size(), 14u);
  EXPECT_EQ(lines[0], "pid (0, 0, 0) idx (0, 0) x: 8");
  EXPECT_EQ(lines[3], "pid (0, 0, 0) idx (1, 1) x: 11");
  EXPECT_EQ(lines[4], "pid (0, 0, 0) idx () both: (operand 0) 0.500000");
  EXPECT_EQ(lines[12], "pid (0, 1, 0) idx () both: (operand 1) 1");
  EXPECT_EQ(lines[13], "pid (0, 1, 0) idx () bits: 0x00000001");
}

TEST(Print, SaysWhatItLeftOut) {
  Machine machine;
  size_t lines = 0;
  machine.options.print = [&](std::string_view) { ++lines; };
  machine.options.printLimit = 100;
  const auto kernel = kernelOf(Printing, machine.diagnostics);
  machine.run(*kernel, {1, 1000, 1}, {});
  EXPECT_EQ(lines, 100u);
  ASSERT_EQ(machine.diagnostics.all().size(), 1u);
  EXPECT_EQ(machine.diagnostics.all()[0].severity, Severity::Information);
  EXPECT_THAT(machine.diagnostics.all()[0].arguments, ElementsAre("k", "100", "7000"));
}

TEST(Budget, AProgramWithHugeTilesIsRefusedByName) {
  std::string body;
  for (int i = 1; i <= 140; ++i) // each must live until the end
    body += "%s" + std::to_string(i) + " = tile.add %x, %s" + std::to_string(i - 1) +
            " : !tile.tile<1048576xf64>\n";
  std::string sum;
  for (int i = 1; i < 140; ++i)
    sum += "%t" + std::to_string(i) + " = tile.mul %s" + std::to_string(i) + ", %s" + std::to_string(i + 1) +
           " : !tile.tile<1048576xf64>\n";
  Diagnostics diagnostics;
  const auto kernel =
      kernelOf("tile.func @k(%p: !tile.ptr<f64>) {\n%x = tile.constant 1.0 : f64 -> !tile.tile<1048576xf64>\n"
               "%i = tile.make_range 0 to 1048576 : !tile.tile<1048576xsi32>\n"
               "%s0 = tile.cast %i : !tile.tile<1048576xsi32> -> !tile.tile<1048576xf64>\n" +
                   body + sum + "tile.return\n}",
               diagnostics);
  EXPECT_FALSE(kernel);
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].id, "program-too-large");
  EXPECT_EQ(diagnostics.all()[0].arguments[0], "k");
}

/// Only the last of a million programs has work.
TEST(Grid, AMillionProgramsAndAnEmptyOne) {
  Machine machine;
  const auto kernel = kernelOf(R"(
tile.func @k(%out: !tile.ptr<si32>, %first: si32) {
  %pid = tile.program_id x
  %c = tile.cmp ge, %pid, %first : si32
  tile.store %out, %pid, %c : !tile.ptr<si32>
  tile.return
})",
                               machine.diagnostics);
  ASSERT_TRUE(kernel);
  const auto out = machine.tensor(std::vector<int32_t>(1), "out");
  const std::vector<Argument> arguments{machine.pointer(out), Machine::scalar(999'999)};
  const RunResult result = machine.run(*kernel, {1000, 100, 10}, arguments);
  EXPECT_EQ(result.programs, 1'000'000u);
  EXPECT_EQ(machine.values<int32_t>(out)[0], 0); // program_id x stays below 1000
  EXPECT_EQ(result.counts[0].masked, 1'000'000u);
  machine.run(*kernel, {1'000'000, 1, 1}, arguments);
  EXPECT_EQ(machine.values<int32_t>(out)[0], 999'999);
  EXPECT_EQ(machine.run(*kernel, {0, 1, 1}, arguments).programs, 0u);
}

} // namespace
} // namespace tilescope::interp::test
