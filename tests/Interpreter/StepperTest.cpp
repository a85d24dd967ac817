// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program again, step by step: what its variables are, that going back and forth comes to the same, and
// that it stores what the first run stored.
#include "compiler/Interpreter/Stepper.h"
#include "compiler/Interpreter/Flatten.h"
#include "tests/Frontend/Script.h"
#include "tests/Interpreter/Harness.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

namespace tilescope::interp::test {
namespace {

/// A kernel from source, the tensors that it is given, and its launch.
struct Launched {
  std::shared_ptr<const Kernel> kernel;
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::vector<Argument> arguments;
  RunResult result;

  Launched(Machine &machine, const std::string &body, const std::map<std::string, std::string> &signature,
           std::array<uint32_t, 3> programs, std::vector<Argument> given)
      : grid(programs), arguments(std::move(given)) {
    Diagnostics diagnostics;
    // What compileKernel() compiles.
    const auto file = std::make_shared<SourceFile>(
        "kernel.py", "import triton\nimport triton.language as tl\nimport torch\n" + body);
    const auto compiled = frontend::test::compileKernel(body, signature, "k", [&](mlir::ModuleOp module) {
      kernel = flatten(module, [&](std::string_view) { return file; }, diagnostics);
    });
    EXPECT_TRUE(compiled.diagnostics.empty()) << (compiled.diagnostics.empty() ? "" : compiled.errors()[0]);
    EXPECT_TRUE(kernel && !diagnostics.hasErrors());
    if (kernel)
      result = machine.run(*kernel, grid, arguments);
  }

  std::unique_ptr<Stepper> open(Machine &machine, uint64_t program, Stepper::Options options = {}) const {
    auto opened = Stepper::open(machine.memory(), {kernel, grid, arguments, result.version, result.log},
                                program, options);
    EXPECT_TRUE(opened);
    return opened ? std::move(*opened) : nullptr;
  }
};

template <typename T> std::vector<T> elements(const TilePtr &tile) {
  std::vector<T> values(tile ? tile->elements.size() / sizeof(T) : 0);
  if (tile)
    std::memcpy(values.data(), tile->elements.data(), values.size() * sizeof(T));
  return values;
}

/// The values that a variable has, each time that it is made.
template <typename T> std::vector<T> history(Stepper &stepper, const std::string &name) {
  std::vector<T> values;
  for (uint64_t at = 1; at <= stepper.count(); ++at) {
    EXPECT_TRUE(stepper.seek(at));
    const TilePtr tile = stepper.variable(name);
    if (tile && tile->step == at)
      values.push_back(elements<T>(tile).at(0));
  }
  return values;
}

/// All that can be seen at a position, as text.
std::string picture(Stepper &stepper) {
  std::ostringstream text;
  const auto add = [&](const TilePtr &tile) {
    text << tile->value << "@" << tile->step << ":";
    for (std::byte byte : tile->elements)
      text << int(byte) << ",";
    for (ElementKind kind : tile->kinds)
      text << int(kind);
    text << "\n";
  };
  for (const TilePtr &tile : stepper.variables())
    add(tile);
  text << "made\n";
  for (const TilePtr &tile : stepper.results())
    add(tile);
  if (stepper.access())
    for (Address address : stepper.access()->addresses)
      text << address << " ";
  return text.str();
}

/// Going anywhere from anywhere shows what stepping straight shows.
void expectSameEverywhere(Stepper &stepper, unsigned seed) {
  std::vector<std::string> straight;
  for (uint64_t at = 0; at <= stepper.count(); ++at) {
    ASSERT_TRUE(stepper.seek(at));
    straight.push_back(picture(stepper));
  }
  std::mt19937 random(seed);
  for (int i = 0; i < 60; ++i) {
    const uint64_t at = random() % (stepper.count() + 1);
    ASSERT_TRUE(stepper.seek(at));
    ASSERT_EQ(picture(stepper), straight[at]) << "at " << at;
  }
}

/// What the program stores when it is stepped to its end stands in memory.
void expectStoresInMemory(Stepper &stepper, AddressSpace &memory, size_t least) {
  size_t bytes = 0;
  stepper.observeStores([&](Address at, const std::byte *data, uint64_t count) {
    bytes += count;
    EXPECT_EQ(std::memcmp(memory.read(at), data, count), 0);
  });
  for (uint64_t at = 0; at <= stepper.count(); ++at)
    EXPECT_TRUE(stepper.seek(at));
  EXPECT_GE(bytes, least);
  stepper.observeStores({});
}

/// The masks of the last program of the mock-up "stepping": a tile of 8 x 16 over the corner of 13 x 27.
const std::string RowSum = R"(
@triton.jit
def k(out_ptr, x_ptr, M, N, stride, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    in_rows = rows[:, None] < M
    in_cols = cols[None, :] < N
    mask = in_rows & in_cols
    ptrs = x_ptr + rows[:, None] * stride + cols[None, :]
    x = tl.load(ptrs, mask=mask)
    part = tl.sum(x, axis=1)
    tl.atomic_add(out_ptr + rows, part, mask=rows < M)
)";

struct RowSumLaunch {
  Machine machine;
  AllocationId out, x;
  std::optional<Launched> launched;
  RowSumLaunch() {
    std::vector<float> values(13 * 27);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(i) / 8;
    out = machine.tensor(std::vector<float>(13), "out");
    x = machine.tensor(values, "x");
    launched.emplace(machine, RowSum,
                     std::map<std::string, std::string>{{"out_ptr", "*fp32"},
                                                        {"x_ptr", "*fp32"},
                                                        {"M", "i32"},
                                                        {"N", "i32"},
                                                        {"stride", "i32"},
                                                        {"BM", "=8"},
                                                        {"BN", "=16"}},
                     std::array<uint32_t, 3>{2, 2, 1},
                     std::vector<Argument>{machine.pointer(out), machine.pointer(x), Machine::scalar(13),
                                           Machine::scalar(27), Machine::scalar(27)});
  }
};

TEST(Stepper, ShowsWhatTheMockUpShows) {
  RowSumLaunch run;
  auto stepper = run.launched->open(run.machine, 3);
  ASSERT_TRUE(stepper);
  EXPECT_TRUE(stepper->isComplete());
  EXPECT_EQ(stepper->lineEnds().size(), 9u) << "nine lines, none twice";
  ASSERT_TRUE(stepper->seek(stepper->lineEnds()[6]));
  const Step &load = run.launched->kernel->steps().steps[stepper->stepTo(stepper->position())];
  EXPECT_EQ(load.operation, "load");
  const TilePtr x = stepper->variable("x");
  ASSERT_TRUE(x);
  ASSERT_EQ(x->kinds.size(), 128u);
  EXPECT_EQ(std::count(x->kinds.begin(), x->kinds.end(), ElementKind::Undefined), 73);
  const std::vector<float> values = elements<float>(x);
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 16; ++c) {
      const bool inside = 8 + r < 13 && 16 + c < 27;
      EXPECT_EQ(x->kinds[16 * r + c] == ElementKind::Defined, inside);
      EXPECT_EQ(values[16 * r + c], inside ? static_cast<float>((8 + r) * 27 + 16 + c) / 8 : 0);
    }
  EXPECT_EQ(elements<int32_t>(stepper->variable("rows")),
            (std::vector<int32_t>{8, 9, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(elements<int32_t>(stepper->variable("N")), std::vector<int32_t>{27});
  ASSERT_TRUE(stepper->access());
  EXPECT_EQ(stepper->access()->addresses[0], run.machine.pointer(run.x).bits + 4 * (8 * 27 + 16));
  EXPECT_EQ(stepper->access()->tensors, std::vector<AllocationId>{run.x});
}

TEST(Stepper, AMaskIsMadeOfItsConjuncts) {
  RowSumLaunch run;
  auto stepper = run.launched->open(run.machine, 3);
  ASSERT_TRUE(stepper);
  ASSERT_TRUE(stepper->seek(stepper->lineEnds()[6]));
  const StepTable &table = run.launched->kernel->steps();
  const int32_t mask = table.steps[stepper->stepTo(stepper->position())].mask;
  ASSERT_GE(mask, 0);
  const auto &conjuncts = table.values[static_cast<size_t>(mask)].conjuncts;
  ASSERT_EQ(conjuncts.size(), 2u);
  EXPECT_EQ(conjuncts[0].shape, (std::vector<int64_t>{8, 1}));
  EXPECT_EQ(conjuncts[1].shape, (std::vector<int64_t>{1, 16}));
  const auto on = [&](const Conjunct &conjunct) {
    const auto bits = elements<uint8_t>(stepper->latest(conjunct.value));
    return std::count(bits.begin(), bits.end(), 1);
  };
  EXPECT_EQ(on(conjuncts[0]), 5);
  EXPECT_EQ(on(conjuncts[1]), 11);
}

TEST(Stepper, BackAndForthIsTheSame) {
  RowSumLaunch run;
  for (uint64_t program : {0, 3}) {
    auto stepper = run.launched->open(run.machine, program);
    ASSERT_TRUE(stepper);
    expectSameEverywhere(*stepper, 1);
  }
}

constexpr const char *Loops = R"(
@triton.jit
def twice(a):
    b = a + a
    return b

@triton.jit
def k(p, n):
    total = 0
    last = total
    for i in range(0, n):
        if i % 2 == 0:
            total = total + i
        else:
            down = i
            while down > 0:
                down = down - 2
                total += 1
        last = total
        y = twice(total)
        tl.store(p + i, y)
    tl.store(p + n, last)
)";

TEST(Stepper, FollowsVariablesThroughLoopsBranchesAndCalls) {
  Machine machine;
  const auto p = machine.tensor(std::vector<int32_t>(6), "p");
  const Launched launched(machine, Loops, {{"p", "*i32"}, {"n", "i32"}}, {1, 1, 1},
                          {machine.pointer(p), Machine::scalar(5)});
  auto stepper = launched.open(machine, 0);
  ASSERT_TRUE(stepper);
  EXPECT_TRUE(stepper->isComplete());
  // Python: total over i = 0 … 4 is 0, then 1 (one trip), 3, 5 (two trips), 9.
  EXPECT_EQ(history<int32_t>(*stepper, "total"), (std::vector<int32_t>{0, 0, 1, 3, 4, 5, 9}));
  EXPECT_EQ(history<int32_t>(*stepper, "last"), (std::vector<int32_t>{0, 0, 1, 3, 5, 9}));
  EXPECT_EQ(history<int32_t>(*stepper, "y"), (std::vector<int32_t>{0, 2, 6, 10, 18}));
  EXPECT_EQ(history<int32_t>(*stepper, "b"), (std::vector<int32_t>{0, 2, 6, 10, 18})) << "in the helper";
  EXPECT_EQ(history<int32_t>(*stepper, "down"), (std::vector<int32_t>{1, -1, 3, 1, -1}));
  EXPECT_EQ(history<int32_t>(*stepper, "i"), (std::vector<int32_t>{0, 1, 2, 3, 4, 4}));
  EXPECT_EQ(machine.values<int32_t>(p), (std::vector<int32_t>{0, 2, 6, 10, 18, 9}));
  expectStoresInMemory(*stepper, machine.memory(), 6 * 4);
  expectSameEverywhere(*stepper, 2);
}

TEST(Stepper, AFewCheckpointsAreAsGoodAsMany) {
  Machine machine;
  const auto p = machine.tensor(std::vector<int32_t>(101), "p");
  const Launched launched(machine, Loops, {{"p", "*i32"}, {"n", "i32"}}, {1, 1, 1},
                          {machine.pointer(p), Machine::scalar(100)});
  Stepper::Options tight;
  tight.checkpointBudget = 40'000;
  auto stepper = launched.open(machine, 0, tight), other = launched.open(machine, 0);
  ASSERT_TRUE(stepper && other);
  std::mt19937 random(3);
  for (int i = 0; i < 60; ++i) {
    const uint64_t at = random() % (stepper->count() + 1);
    ASSERT_TRUE(stepper->seek(at) && other->seek(at));
    ASSERT_EQ(picture(*stepper), picture(*other)) << at;
  }
}

TEST(Stepper, ReadsItsOwnStoresOnTheWayBackToo) {
  Machine machine;
  const auto p = machine.tensor(std::vector<int32_t>{1, 0, 0, 0}, "p");
  const Launched launched(machine, R"(
@triton.jit
def k(p):
    for i in range(3):
        x = tl.load(p + i)
        tl.store(p + i + 1, x * 10)
        tl.store(p + i, x + 1)
)",
                          {{"p", "*i32"}}, {1, 1, 1}, {machine.pointer(p)});
  EXPECT_EQ(machine.values<int32_t>(p), (std::vector<int32_t>{2, 11, 101, 1000}));
  auto stepper = launched.open(machine, 0);
  ASSERT_TRUE(stepper);
  EXPECT_EQ(history<int32_t>(*stepper, "x"), (std::vector<int32_t>{1, 10, 100}));
  ASSERT_TRUE(stepper->seek(0));
  EXPECT_EQ(history<int32_t>(*stepper, "x"), (std::vector<int32_t>{1, 10, 100})) << "once more";
}

/// Each takes a ticket, waits for its turn, and adds to what the program before it left.
constexpr const char *Turns = R"(
@triton.jit
def k(counter, turn, total, out):
    ticket = tl.atomic_add(counter, 1)
    seen = tl.atomic_add(turn, 0)
    while seen != 3 - tl.program_id(0):
        seen = tl.atomic_add(turn, 0)
    before = tl.load(total, volatile=True)
    tl.store(total, before + ticket + 1)
    tl.store(out + tl.program_id(0), before)
    tl.atomic_add(turn, 1)
)";

TEST(Stepper, ReplaysAtomicsAndWaits) {
  Machine machine;
  const auto counter = machine.tensor(std::vector<int32_t>(1), "counter");
  const auto turn = machine.tensor(std::vector<int32_t>(1), "turn");
  const auto total = machine.tensor(std::vector<int32_t>(1), "total");
  const auto out = machine.tensor(std::vector<int32_t>(4), "out");
  const Launched launched(
      machine, Turns, {{"counter", "*i32"}, {"turn", "*i32"}, {"total", "*i32"}, {"out", "*i32"}}, {4, 1, 1},
      {machine.pointer(counter), machine.pointer(turn), machine.pointer(total), machine.pointer(out)});
  ASSERT_EQ(launched.result.status, RunStatus::Finished);
  // Tickets in program order, turns in the other: 3 finds 0 and leaves 4, 2 finds 4 and leaves 7, …
  EXPECT_EQ(machine.values<int32_t>(out), (std::vector<int32_t>{9, 7, 4, 0}));
  const std::vector<int32_t> before{9, 7, 4, 0};
  for (int program = 0; program < 4; ++program) {
    auto stepper = launched.open(machine, static_cast<uint64_t>(program));
    ASSERT_TRUE(stepper);
    EXPECT_TRUE(stepper->isComplete());
    ASSERT_TRUE(stepper->seek(stepper->count()));
    EXPECT_EQ(elements<int32_t>(stepper->variable("ticket")), std::vector<int32_t>{program});
    EXPECT_EQ(elements<int32_t>(stepper->variable("before")), std::vector<int32_t>{before[program]});
    EXPECT_EQ(elements<int32_t>(stepper->variable("seen")), std::vector<int32_t>{3 - program});
  }
  EXPECT_GT(launched.open(machine, 0)->count(), 3000u) << "it waited for three others";
  EXPECT_EQ(machine.values<int32_t>(out), before) << "nothing that is stored again is kept";
}

TEST(Stepper, SaysWhatAnElementIs) {
  Machine machine;
  const auto x = machine.tensor(std::vector<float>{1, 2, 3, 4, 5}, "x");
  const auto y = machine.tensor(std::vector<float>(8), "y");
  const Launched launched(machine, R"(
@triton.jit
def k(x, y):
    i = tl.arange(0, 8)
    padded = tl.load(x + i, mask=i < 4, other=-1.0)
    moved = tl.reshape(padded, (2, 4))
    scaled = padded * 2.0
    changed = padded + 2.0
    outside = tl.load(x + i, mask=i < 7)
    hidden = outside + 1.0
    tl.store(y + i, padded)
)",
                          {{"x", "*fp32"}, {"y", "*fp32"}}, {1, 1, 1},
                          {machine.pointer(x), machine.pointer(y)});
  auto stepper = launched.open(machine, 0);
  ASSERT_TRUE(stepper);
  ASSERT_TRUE(stepper->seek(stepper->count()));
  constexpr auto D = ElementKind::Defined, U = ElementKind::Undefined, P = ElementKind::Padding,
                 O = ElementKind::OutOfBounds;
  using Kinds = std::vector<ElementKind>;
  EXPECT_EQ(stepper->variable("padded")->kinds, (Kinds{D, D, D, D, P, P, P, P}));
  EXPECT_EQ(stepper->variable("moved")->kinds, (Kinds{D, D, D, D, P, P, P, P}));
  EXPECT_EQ(stepper->variable("scaled")->kinds, (Kinds{D, D, D, D, P, P, P, P}));
  EXPECT_EQ(stepper->variable("changed")->kinds, Kinds());
  EXPECT_EQ(stepper->variable("outside")->kinds, (Kinds{D, D, D, D, D, O, O, U}));
  EXPECT_EQ(stepper->variable("hidden")->kinds, (Kinds{D, D, D, D, D, D, D, U}));
}

TEST(Stepper, SaysWhyItCannot) {
  Machine machine;
  machine.options.logBudget = 4;
  const auto counter = machine.tensor(std::vector<int32_t>(1), "counter");
  const Launched launched(machine, R"(
@triton.jit
def k(counter):
    tl.store(counter, tl.atomic_add(counter, 1))
)",
                          {{"counter", "*i32"}}, {4, 1, 1}, {machine.pointer(counter)});
  const auto open = [&](uint64_t program) {
    return Stepper::open(
        machine.memory(),
        {launched.kernel, launched.grid, launched.arguments, launched.result.version, launched.result.log},
        program);
  };
  const auto dropped = open(0), beyond = open(4);
  ASSERT_FALSE(dropped || beyond);
  EXPECT_EQ(dropped.error().id, "log-dropped");
  EXPECT_EQ(beyond.error().id, "unknown-program");
  EXPECT_EQ(beyond.error().arguments, (std::vector<std::string>{"4", "4"}));
}

TEST(Stepper, EndsAtALimit) {
  Machine machine;
  const auto p = machine.tensor(std::vector<int32_t>(101), "p");
  const Launched launched(machine, Loops, {{"p", "*i32"}, {"n", "i32"}}, {1, 1, 1},
                          {machine.pointer(p), Machine::scalar(100)});
  Stepper::Options options;
  options.steps = 50;
  auto stepper = launched.open(machine, 0, options);
  ASSERT_TRUE(stepper);
  EXPECT_EQ(stepper->count(), 50u);
  EXPECT_FALSE(stepper->isComplete());
}

} // namespace
} // namespace tilescope::interp::test
