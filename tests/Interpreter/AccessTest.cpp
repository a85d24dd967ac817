// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores and atomics: what they read, what they leave alone, what is counted, and what is said about
// accesses outside of their tensor.
#include "tests/Interpreter/Harness.h"

#include <gmock/gmock.h>

#include <regex>

namespace tilescope::interp::test {
namespace {

using testing::ElementsAre;

/// Copies tile by tile of 8 without a mask: past the end when the length is not a multiple.
constexpr const char *UnmaskedCopy = R"(
tile.func @copy(%x: !tile.ptr<f32> {tile.name = "x_ptr"}, %out: !tile.ptr<f32> {tile.name = "out_ptr"}) {
  %pid = tile.program_id x
  %block = tile.constant 8 : si32
  %start = tile.mul %pid, %block : si32
  %range = tile.make_range 0 to 8 : !tile.tile<8xsi32>
  %base = tile.splat %start : si32 -> !tile.tile<8xsi32>
  %offsets = tile.add %base, %range : !tile.tile<8xsi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> !tile.tile<8x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %offsets : !tile.tile<8x!tile.ptr<f32>>, !tile.tile<8xsi32>
  %v = tile.load %xp : !tile.tile<8x!tile.ptr<f32>>
  %os = tile.splat %out : !tile.ptr<f32> -> !tile.tile<8x!tile.ptr<f32>>
  %op = tile.addptr %os, %offsets : !tile.tile<8x!tile.ptr<f32>>, !tile.tile<8xsi32>
  tile.store %op, %v : !tile.tile<8x!tile.ptr<f32>>
  tile.return
})";

std::vector<float> counting(size_t count) {
  std::vector<float> result(count);
  for (size_t i = 0; i < count; ++i)
    result[i] = static_cast<float>(i + 1);
  return result;
}

std::shared_ptr<const Kernel> flattened(const std::string &ir) {
  Diagnostics diagnostics;
  auto kernel = kernelOf(ir, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  return kernel;
}

const Diagnostic *find(const Diagnostics &diagnostics, const std::string &id) {
  for (const Diagnostic &diagnostic : diagnostics.all())
    if (diagnostic.id == id)
      return &diagnostic;
  return nullptr;
}

TEST(OutOfBounds, ALoadPastTheEndIsNamedAndReadsZero) {
  const auto kernel = flattened(UnmaskedCopy);
  Machine machine;
  const auto x = machine.tensor(counting(21), "x"), out = machine.tensor(std::vector<float>(40, -1), "out");
  const RunResult result = machine.run(*kernel, {5, 1, 1}, {machine.pointer(x), machine.pointer(out)});
  EXPECT_EQ(result.status, RunStatus::Finished);
  ASSERT_EQ(machine.diagnostics.all().size(), 1u);
  const Diagnostic &found = machine.diagnostics.all()[0];
  EXPECT_EQ(found.id, "out-of-bounds-load");
  // Programs 2, 3 and 4; the first element is 5 (21 = 2 * 8 + 5); 4 bytes, that is one element, past the end.
  EXPECT_THAT(found.arguments, ElementsAre("copy", "(2, 0, 0)", "3", "5", "x", "4"));
  EXPECT_EQ(found.span.file->line(found.span.range.begin), 11u);
  ASSERT_EQ(found.notes.size(), 3u);
  EXPECT_EQ(found.notes[0].id, "past-end");
  EXPECT_EQ(found.notes[1].id, "lands-in-no-tensor"); // 84 bytes round up to 512
  EXPECT_EQ(found.notes[2].id, "affected-programs");
  EXPECT_THAT(found.notes[2].arguments, ElementsAre("3", "(2, 0, 0)", "(4, 0, 0)"));
  EXPECT_EQ(result.counts[0].active, 21u);
  EXPECT_EQ(result.counts[0].outOfBounds, 19u);
  EXPECT_EQ(result.counts[0].bytes, 84u);
  const auto values = machine.values<float>(out);
  EXPECT_EQ(values[20], 21);
  EXPECT_EQ(std::vector<float>(values.begin() + 21, values.end()), std::vector<float>(19, 0));
}

TEST(OutOfBounds, ARunPastTheGapBetweenTensorsNamesTheNeighbour) {
  const auto wide = std::regex_replace(std::string(UnmaskedCopy), std::regex(R"(\b8(?=x| :))"), "256");
  const auto kernel = flattened(wide);
  Machine machine;
  const auto x = machine.tensor(counting(21), "x"), out = machine.tensor(std::vector<float>(256), "out");
  machine.run(*kernel, {1, 1, 1}, {machine.pointer(x), machine.pointer(out)});
  const Diagnostic *found = find(machine.diagnostics, "out-of-bounds-load");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->notes.size(), 2u);
  EXPECT_EQ(found->notes[1].id, "lands-in-tensor"); // x has 84 bytes of a block of 512; out begins behind it
  EXPECT_THAT(found->notes[1].arguments, ElementsAre("out", "0"));
}

TEST(OutOfBounds, AStoreLeavesTheNeighbourAlone) {
  const auto kernel = flattened(UnmaskedCopy);
  Machine machine;
  const auto x = machine.tensor(counting(256), "x");
  const auto out = machine.tensor(std::vector<float>(128, -1), "out");
  const auto next = machine.tensor(std::vector<float>(128, -2), "next");
  ASSERT_EQ(machine.memory().allocation(next).address, machine.memory().allocation(out).end());
  machine.run(*kernel, {32, 1, 1}, {machine.pointer(x), machine.pointer(out)});
  const Diagnostic *found = find(machine.diagnostics, "out-of-bounds-store");
  ASSERT_TRUE(found);
  EXPECT_THAT(found->arguments, ElementsAre("copy", "(16, 0, 0)", "16", "0", "out", "4"));
  ASSERT_EQ(found->notes.size(), 3u);
  EXPECT_EQ(found->notes[1].id, "lands-in-tensor");
  EXPECT_THAT(found->notes[1].arguments, ElementsAre("next", "0"));
  EXPECT_EQ(machine.values<float>(next), std::vector<float>(128, -2));
  EXPECT_EQ(machine.values<float>(out)[127], 128);
}

TEST(OutOfBounds, TheFirstProgramIsNamedWhateverTheThreads) {
  const auto kernel = flattened(UnmaskedCopy);
  for (unsigned threads : {1u, 2u}) {
    Machine machine;
    machine.options.threads = threads;
    const auto x = machine.tensor(counting(8000), "x"),
               out = machine.tensor(std::vector<float>(16000), "out");
    machine.run(*kernel, {2000, 1, 1}, {machine.pointer(x), machine.pointer(out)});
    ASSERT_EQ(machine.diagnostics.all().size(), 1u);
    EXPECT_THAT(machine.diagnostics.all()[0].arguments,
                ElementsAre("copy", "(1000, 0, 0)", "1000", "0", "x", "4"));
  }
}

TEST(OutOfBounds, ANullPointerIsSaidToBeOne) {
  const auto kernel = flattened(UnmaskedCopy);
  Machine machine;
  const auto out = machine.tensor(std::vector<float>(8), "out");
  machine.run(*kernel, {1, 1, 1}, {Argument{}, machine.pointer(out)});
  ASSERT_EQ(machine.diagnostics.all().size(), 1u);
  EXPECT_EQ(machine.diagnostics.all()[0].id, "null-pointer");
}

/// One element at `%p + %offset` of `type`, moved there as given.
std::string oneElement(const std::string &body) {
  return "tile.func @one(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %c: si32, %out: !tile.ptr<f32>) {\n"
         "%zero = tile.constant 0 : si32\n" +
         body + "\ntile.return\n}\n";
}

TEST(OutOfBounds, BeforeTheStart) {
  const auto kernel = flattened(oneElement(R"(
    %m = tile.constant -3 : si32
    %p = tile.addptr %y, %m : !tile.ptr<f32>, si32
    %v = tile.load %p : !tile.ptr<f32>
    tile.store %out, %v : !tile.ptr<f32>)"));
  Machine machine;
  const auto x = machine.tensor(counting(128), "x"), y = machine.tensor(counting(128), "y");
  const auto out = machine.tensor(counting(1), "out");
  machine.run(*kernel, {1, 1, 1},
              {machine.pointer(x), machine.pointer(y), Machine::scalar(0), machine.pointer(out)});
  ASSERT_EQ(machine.diagnostics.all().size(), 1u);
  const Diagnostic &found = machine.diagnostics.all()[0];
  EXPECT_THAT(found.arguments, ElementsAre("one", "(0, 0, 0)", "1", "0", "y", "12"));
  EXPECT_EQ(found.notes[0].id, "before-start");
  EXPECT_THAT(found.notes[1].arguments, ElementsAre("x", "500"));
  EXPECT_EQ(machine.values<float>(out)[0], 0);
}

/// A pointer chosen at run time between two tensors keeps the tensor that it came from.
TEST(Provenance, FollowsSelectionAndLoops) {
  const std::string selected = oneElement(R"(
    %b = tile.cmp ne, %c, %zero : si32
    %p = tile.select %b, %x, %y : !tile.ptr<f32>
    %far = tile.constant 128 : si32
    %q = tile.addptr %p, %far : !tile.ptr<f32>, si32
    %v = tile.load %q : !tile.ptr<f32>
    tile.store %out, %v : !tile.ptr<f32>)");
  const std::string branched = oneElement(R"(
    %b = tile.cmp ne, %c, %zero : si32
    %p = tile.if %b -> (!tile.ptr<f32>) {
      tile.yield %x : !tile.ptr<f32>
    } else {
      tile.yield %y : !tile.ptr<f32>
    }
    %one = tile.constant 1 : si32
    %far = tile.constant 128 : si32
    %q = tile.for %i = %zero to %far step %one iter_args(%r = %p) -> (!tile.ptr<f32>) : si32 {
      %s = tile.addptr %r, %one : !tile.ptr<f32>, si32
      tile.yield %s : !tile.ptr<f32>
    }
    %v = tile.load %q : !tile.ptr<f32>
    tile.store %out, %v : !tile.ptr<f32>)");
  for (const std::string &ir : {selected, branched}) {
    const auto kernel = flattened(ir);
    ASSERT_TRUE(kernel);
    for (int32_t choice : {0, 1}) {
      Machine machine;
      const auto x = machine.tensor(counting(128), "x"), y = machine.tensor(counting(128), "y");
      const auto out = machine.tensor(counting(1), "out");
      machine.run(*kernel, {1, 1, 1},
                  {machine.pointer(x), machine.pointer(y), Machine::scalar(choice), machine.pointer(out)});
      ASSERT_EQ(machine.diagnostics.all().size(), 1u);
      EXPECT_EQ(machine.diagnostics.all()[0].arguments[4], choice ? "x" : "y");
    }
  }
}

TEST(Provenance, IsFoundAgainByAddress) {
  const auto kernel = flattened(oneElement(R"(
    %i = tile.ptr_to_int %x : !tile.ptr<f32> -> si64
    %four = tile.constant 4 : si64
    %j = tile.add %i, %four : si64
    %p = tile.int_to_ptr %j : si64 -> !tile.ptr<f32>
    %v = tile.load %p : !tile.ptr<f32>
    tile.store %out, %v : !tile.ptr<f32>)"));
  ASSERT_TRUE(kernel);
  Machine machine;
  const auto x = machine.tensor(counting(8), "x"), out = machine.tensor(counting(1), "out");
  machine.run(*kernel, {1, 1, 1},
              {machine.pointer(x), machine.pointer(x), Machine::scalar(0), machine.pointer(out)});
  EXPECT_TRUE(machine.diagnostics.empty());
  EXPECT_EQ(machine.values<float>(out)[0], 2);
}

/// A 4x8 tile with row stride 10, columns masked from `n` on, `other` 7; stored transposed.
TEST(Access, MasksStridesAndOther) {
  const auto kernel = flattened(R"(
tile.func @k(%x: !tile.ptr<f16>, %out: !tile.ptr<f16>, %n: si32) {
  %r4 = tile.make_range 0 to 4 : !tile.tile<4xsi32>
  %r8 = tile.make_range 0 to 8 : !tile.tile<8xsi32>
  %rows = tile.expand_dims %r4 axis 1 : !tile.tile<4xsi32> -> !tile.tile<4x1xsi32>
  %cols = tile.expand_dims %r8 axis 0 : !tile.tile<8xsi32> -> !tile.tile<1x8xsi32>
  %ten = tile.constant 10 : si32 -> !tile.tile<4x1xsi32>
  %scaled = tile.mul %rows, %ten : !tile.tile<4x1xsi32>
  %a = tile.broadcast %scaled : !tile.tile<4x1xsi32> -> !tile.tile<4x8xsi32>
  %b = tile.broadcast %cols : !tile.tile<1x8xsi32> -> !tile.tile<4x8xsi32>
  %offsets = tile.add %a, %b : !tile.tile<4x8xsi32>
  %ns = tile.splat %n : si32 -> !tile.tile<4x8xsi32>
  %mask = tile.cmp lt, %b, %ns : !tile.tile<4x8xsi32>
  %seven = tile.constant 7.0 : f16 -> !tile.tile<4x8xf16>
  %xs = tile.splat %x : !tile.ptr<f16> -> !tile.tile<4x8x!tile.ptr<f16>>
  %p = tile.addptr %xs, %offsets : !tile.tile<4x8x!tile.ptr<f16>>, !tile.tile<4x8xsi32>
  %v = tile.load %p, %mask, %seven : !tile.tile<4x8x!tile.ptr<f16>>
  %four = tile.constant 4 : si32 -> !tile.tile<4x8xsi32>
  %t = tile.mul %b, %four : !tile.tile<4x8xsi32>
  %r = tile.broadcast %rows : !tile.tile<4x1xsi32> -> !tile.tile<4x8xsi32>
  %to = tile.add %t, %r : !tile.tile<4x8xsi32>
  %os = tile.splat %out : !tile.ptr<f16> -> !tile.tile<4x8x!tile.ptr<f16>>
  %q = tile.addptr %os, %to : !tile.tile<4x8x!tile.ptr<f16>>, !tile.tile<4x8xsi32>
  tile.store %q, %v : !tile.tile<4x8x!tile.ptr<f16>>
  tile.return
})");
  ASSERT_TRUE(kernel);
  std::vector<uint16_t> x(40);
  for (int i = 0; i < 40; ++i)
    x[i] = toHalf(i);
  Machine machine;
  const auto out = machine.tensor(std::vector<uint16_t>(32), "out");
  const RunResult result =
      machine.run(*kernel, {1, 1, 1},
                  {machine.pointer(machine.tensor(x, "x")), machine.pointer(out), Machine::scalar(5)});
  EXPECT_TRUE(machine.diagnostics.empty());
  EXPECT_EQ(result.counts[0].active, 20u);
  EXPECT_EQ(result.counts[0].masked, 12u);
  EXPECT_EQ(result.counts[0].bytes, 40u);
  const auto values = machine.values<uint16_t>(out);
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 8; ++column)
      EXPECT_EQ(fromHalf(values[column * 4 + row]), column < 5 ? float(row * 10 + column) : 7.0f);
}

TEST(Footprints, OneProgramAgainOnTheMemoryThatItSaw) {
  const auto kernel = flattened(UnmaskedCopy);
  Machine machine;
  const auto x = machine.tensor(counting(32), "x"), out = machine.tensor(std::vector<float>(32), "out");
  const std::vector<Argument> arguments{machine.pointer(x), machine.pointer(out)};
  const RunResult first = machine.run(*kernel, {4, 1, 1}, arguments);
  machine.run(*kernel, {4, 1, 1}, {machine.pointer(out), machine.pointer(x)});
  const auto before = machine.values<float>(out);
  const auto prints =
      footprints(*kernel, {4, 1, 1}, arguments, machine.memory(), first.version, first.log.get(), 2);
  ASSERT_EQ(prints.size(), 2u);
  EXPECT_EQ(prints[0].first, machine.memory().allocation(x).address + 64);
  EXPECT_EQ(prints[0].last, machine.memory().allocation(x).address + 92);
  EXPECT_EQ(prints[1].first, machine.memory().allocation(out).address + 64);
  EXPECT_EQ(prints[1].counts.active, 8u);
  EXPECT_EQ(machine.values<float>(out), before);
}

std::string histogram(const std::string &type, const std::string &one) {
  return "tile.func @count(%x: !tile.ptr<si32>, %out: !tile.ptr<" + type + R"(>) {
  %pid = tile.program_id x
  %p = tile.addptr %x, %pid : !tile.ptr<si32>, si32
  %bin = tile.load %p : !tile.ptr<si32>
  %one = tile.constant )" +
         one + " : " + type + "\n%q = tile.addptr %out, %bin : !tile.ptr<" + type + ">, si32\n" +
         "%old = tile.atomic_rmw add acq_rel gpu, %q, %one : !tile.ptr<" + type + ">\ntile.return\n}\n";
}

TEST(Atomics, IntegersFromAllThreadsAddUp) {
  const auto kernel = flattened(histogram("si32", "1"));
  ASSERT_TRUE(kernel);
  EXPECT_FALSE(kernel->inProgramOrder());
  std::vector<int32_t> bins(10000), expected(7);
  for (size_t i = 0; i < bins.size(); ++i)
    ++expected[bins[i] = static_cast<int32_t>(i * i % 7)];
  Machine machine;
  machine.options.threads = 2;
  const auto out = machine.tensor(std::vector<int32_t>(7), "out");
  const RunResult result =
      machine.run(*kernel, {10000, 1, 1}, {machine.pointer(machine.tensor(bins, "x")), machine.pointer(out)});
  EXPECT_EQ(machine.values<int32_t>(out), expected);
  EXPECT_EQ(result.counts[1].active, 10000u);
}

TEST(Atomics, FloatsAreAddedInProgramOrder) {
  const auto kernel = flattened(histogram("f32", "0.1"));
  ASSERT_TRUE(kernel);
  EXPECT_TRUE(kernel->inProgramOrder());
  Machine machine;
  machine.options.threads = 2;
  const auto out = machine.tensor(std::vector<float>(1), "out");
  machine.run(*kernel, {1000, 1, 1},
              {machine.pointer(machine.tensor(std::vector<int32_t>(1000), "x")), machine.pointer(out)});
  float expected = 0;
  for (int i = 0; i < 1000; ++i)
    expected += 0.1f;
  EXPECT_EQ(machine.values<float>(out)[0], expected);
}

} // namespace
} // namespace tilescope::interp::test
