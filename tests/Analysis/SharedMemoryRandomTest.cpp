// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random kernels on buffers in shared memory, loops that turn them over, copies on their way: run step by
// step, no two uses of the same bytes meet without a barrier.
#include "compiler/Dialect/Tile/Transforms/Stages.h"
#include "tests/Analysis/SharedTrace.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;

namespace tilescope::analysis::test {
namespace {

constexpr const char *head = R"(
#rows = #tile.layout<64, {register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]}>
#turned = #tile.layout<64, {register = [], lane = [[32], [2], [4], [8], [16]], warp = [[1]]}>
#shared = #tile.layout<64, {offset = [[1], [2], [4], [8], [16], [32]]}>
!t = !tile.tile<64xf32, #rows>
!p = !tile.tile<64x!tile.ptr<f32>, #rows>
!b = !tile.buffer<64xf32, #shared>
tile.func @k(%v: !t, %p: !p, %n: si32, %m: si32, %any: si32, %c: i1, %d: i1) attributes {num_warps = 2 : i32} {
  %k0 = tile.constant 0 : si32
  %k1 = tile.constant 1 : si32
  %k2 = tile.constant 2 : si32
  %k3 = tile.constant 3 : si32
)";

/// Text of a kernel.
class RandomBuffers {
public:
  explicit RandomBuffers(unsigned seed) : m_random(seed * 2654435761u + 1) {
    addBuffer();
    addBuffer();
    addStatements(10);
    m_text += "tile.async_wait pending 0\ntile.return\n}\n";
  }
  std::string text() const { return head + m_text; }

private:
  struct Named {
    std::string name;
    unsigned count; ///< of buffers; of numbers that an index runs through
  };

  void addStatements(unsigned count) {
    for (unsigned index = 0; index < count; ++index)
      addStatement();
  }
  void addStatement() {
    const unsigned kind = below(m_depth < 2 ? 20 : 16);
    if (kind < 9)
      addUse();
    else if (kind == 9)
      addBuffer();
    else if (kind < 12)
      line("tile.async_wait pending " + std::to_string(below(3)));
    else if (kind < 14)
      line(name() + " = tile.async_commit none");
    else if (kind == 14)
      line(name() + " = tile.convert_layout %v : !t -> !tile.tile<64xf32, #turned>");
    else if (kind == 15)
      line(below(4) ? "" : "tile.shared_barrier");
    else if (kind < 19)
      addLoop();
    else
      addBranch();
  }
  void addBuffer() {
    const unsigned count = 1 + below(3);
    const std::string buffer = name();
    if (count == 1 && below(2))
      line(buffer + " = tile.shared_alloc %v : !t -> !b");
    else
      line(buffer + " = tile.shared_alloc : " + bufferType(count));
    m_buffers.push_back({buffer, count});
  }
  void addUse() {
    switch (below(3)) {
    case 0:
      return line("tile.shared_store %v, " + used() + " : !t, !b");
    case 1:
      return line(name() + " = tile.shared_load " + used() + " : !b -> !t");
    default:
      for (unsigned copies = 1 + below(2); copies > 0; --copies)
        addCopy();
      line(name() + " = tile.async_commit none");
    }
  }
  void addCopy() {
    const std::string buffer = used(); // before the line that it is used in
    line(name() + " = tile.async_copy %p into " + buffer + " : !p, !b");
  }
  /// A buffer, or one of several.
  std::string used() {
    const Named buffer = m_buffers[below(unsigned(m_buffers.size()))];
    if (buffer.count == 1)
      return buffer.name;
    const std::string slot = name();
    line(slot + " = tile.shared_slot " + buffer.name + "[" + index(buffer.count) +
         "] : " + bufferType(buffer.count));
    return slot;
  }
  std::string index(unsigned count) {
    std::vector<std::string> choices = {"%k" + std::to_string(below(count)), "%any"};
    for (const Named &turning : m_indices)
      if (turning.count == count)
        choices.insert(choices.end(), 3, turning.name);
    return choices[below(unsigned(choices.size()))];
  }
  void addLoop() {
    const unsigned count = 2 + below(2);
    const std::string one = name(), other = name(), all = "%k" + std::to_string(count);
    auto first = [&] { return "%k" + std::to_string(below(count)); };
    line(name() + ":2 = tile.for " + name() + " = %k0 to " + (below(2) ? "%n" : "%m") +
         " step %k1 iter_args(" + one + " = " + first() + ", " + other + " = " + first() +
         ") -> (si32, si32) : si32 {");
    const std::vector<Named> buffers = m_buffers, indices = m_indices;
    m_indices.insert(m_indices.end(), {{one, count}, {other, count}});
    ++m_depth;
    addStatements(2 + below(6));
    --m_depth;
    std::string next;
    for (const std::string &turning : {one, other}) {
      const std::string sum = name(), isLast = name(), after = name();
      line(sum + " = tile.add " + turning + ", %k1 : si32");
      line(isLast + " = tile.cmp eq, " + sum + ", " + all + " : si32");
      line(after + " = tile.select " + isLast + ", %k0, " + sum + " : si32");
      next += (next.empty() ? "" : ", ") + after;
    }
    line("tile.yield " + next + " : si32, si32\n}");
    m_buffers = buffers;
    m_indices = indices;
  }
  void addBranch() {
    const std::vector<Named> buffers = m_buffers;
    ++m_depth;
    line(std::string("tile.if ") + (below(2) ? "%c" : "%d") + " {");
    addStatements(1 + below(4));
    m_buffers = buffers;
    line("tile.yield\n} else {");
    addStatements(below(4));
    line("tile.yield\n}");
    m_buffers = buffers;
    --m_depth;
  }

  static std::string bufferType(unsigned count) {
    return count == 1 ? "!b" : "!tile.buffer<64xf32, #shared, " + std::to_string(count) + ">";
  }
  unsigned below(unsigned bound) { return unsigned(m_random() >> 8) % bound; }
  std::string name() { return "%x" + std::to_string(m_names++); }
  void line(const std::string &text) { m_text += text + "\n"; }

  std::minstd_rand m_random;
  std::string m_text;
  std::vector<Named> m_buffers, m_indices;
  unsigned m_depth = 0, m_names = 0;
};

class SharedMemory : public testing::Test {
protected:
  /// With buffers placed and barriers set.
  OwningOpRef<ModuleOp> compiled(const std::string &text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (module)
      for (auto kernel : module->getOps<tile::FuncOp>()) {
        tile::allocateShared(kernel);
        tile::insertBarriers(kernel);
      }
    return module;
  }
  MLIRContext context = MLIRContext(MLIRContext::Threading::DISABLED);
  tile::TileDialect *dialect = context.getOrLoadDialect<tile::TileDialect>();
};

class RandomSharedMemory : public SharedMemory, public testing::WithParamInterface<unsigned> {};

/// The first hazard of a kernel for several arguments: trips of the two kinds of loops, a slot, both
/// conditions.
std::string firstHazardOfAny(tile::FuncOp kernel) {
  constexpr int64_t cases[][5] = {
      {3, 2, 0, 1, 0}, {1, 4, 1, 0, 1}, {0, 5, 1, 1, 1}, {7, 0, 0, 0, 0}, {2, 1, 1, 0, 0}};
  std::string hazard;
  for (const auto &[n, m, any, c, d] : cases)
    if (hazard.empty())
      hazard = firstHazard(kernel, {0, 0, n, m, any, c, d});
  return hazard;
}

TEST_P(RandomSharedMemory, NoTwoUsesMeetWithoutABarrier) {
  for (unsigned seed = GetParam() * 20; seed < (GetParam() + 1) * 20; ++seed) {
    const std::string text = RandomBuffers(seed).text();
    OwningOpRef<ModuleOp> module = compiled(text);
    ASSERT_TRUE(module) << text;
    ASSERT_EQ(firstHazardOfAny(*module->getOps<tile::FuncOp>().begin()), "") << "seed " << seed << "\n"
                                                                             << text;
  }
}

// Without it, something would go wrong. Not of all: which way branches go and how often loops turn is not
// known when barriers are set.
TEST_F(SharedMemory, MostBarriersAreNeeded) {
  unsigned needed = 0, all = 0;
  for (unsigned seed = 1000; seed < 1015; ++seed) {
    OwningOpRef<ModuleOp> module = compiled(RandomBuffers(seed).text());
    tile::FuncOp kernel = *module->getOps<tile::FuncOp>().begin();
    SmallVector<tile::SharedBarrierOp> barriers;
    kernel.walk([&](tile::SharedBarrierOp barrier) { barriers.push_back(barrier); });
    for (tile::SharedBarrierOp barrier : barriers) {
      Operation *next = barrier->getNextNode();
      barrier->remove();
      needed += !firstHazardOfAny(kernel).empty();
      ++all;
      next->getBlock()->getOperations().insert(next->getIterator(), barrier);
    }
  }
  EXPECT_GT(all, 80u);
  EXPECT_GT(needed, all * 8 / 10) << needed << " of " << all;
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSharedMemory, testing::Range(0u, 5u));

} // namespace
} // namespace tilescope::analysis::test
