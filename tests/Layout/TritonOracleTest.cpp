// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constructors against what real Triton's layouts stand for (data/layouts.json, recorded by
// AskLayouts.py).
#include "compiler/Layout/Conflicts.h"
#include "compiler/Layout/Constructors.h"
#include "compiler/Layout/Text.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <map>

namespace tilescope::layout {
namespace {

using nlohmann::json;

const json &recorded() {
  static const json entries = [] {
    std::ifstream file(TILESCOPE_SOURCE_DIR "/tests/Layout/data/layouts.json");
    return json::parse(file);
  }();
  return entries;
}

/// What Triton said: for each input dimension the coordinates that its bits add.
LinearLayout layoutOf(const json &bases, const std::vector<int64_t> &shape) {
  std::vector<Extent> inputs;
  std::vector<uint64_t> columns;
  for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp, Dim::Offset}) {
    if (!bases.contains(name(dim)))
      continue;
    const json &added = bases[std::string(name(dim))];
    inputs.push_back({dim, unsigned(added.size())});
    for (const json &coordinates : added) {
      uint64_t rowMajor = 0;
      for (std::size_t i = 0; i < shape.size(); ++i)
        rowMajor = rowMajor * uint64_t(shape[i]) + coordinates[i].get<uint64_t>();
      columns.push_back(rowMajor);
    }
  }
  return {inputs, tileExtents(shape), columns};
}

Blocked blockedOf(const json &entry) {
  return {entry["sizePerThread"], entry["threadsPerWarp"], entry["warps"], entry["order"]};
}

/// `warps` is along M and N, with a batch in front for rank 3.
TensorCore warpsOf(const json &entry) {
  const std::vector<unsigned> warps = entry["warps"];
  return {warps[warps.size() - 2], warps.back(), warps.size() == 3 ? warps[0] : 1};
}

LinearLayout constructed(const json &entry) {
  const std::string kind = entry["kind"];
  const std::vector<int64_t> shape = entry["shape"];
  if (kind == "blocked")
    return blocked(shape, blockedOf(entry));
  if (kind == "slice")
    return slice(blocked(std::vector<int64_t>(entry["parentShape"]), blockedOf(entry)), entry["dim"]);
  if (kind == "fmaOperand")
    return fmaOperand(shape, blockedOf(entry), entry["operand"]);
  if (kind == "mma")
    return mmaAccumulator(shape, warpsOf(entry));
  if (kind == "mmaOperand")
    return mmaOperand(shape, warpsOf(entry), entry["operand"], entry["bits"]);
  if (kind == "wgmma")
    return wgmmaAccumulator(shape, warpsOf(entry), entry["n"]);
  if (kind == "wgmmaOperand")
    return wgmmaOperand(shape, warpsOf(entry), entry["bits"]);
  if (kind == "swizzled")
    return sharedLayout(shape, std::vector<unsigned>(entry["order"]),
                        {entry["vector"], entry["perPhase"], entry["maxPhase"]});
  EXPECT_EQ(kind, "wgmmaShared");
  return nvmmaShared(shape, entry["bits"], entry["swizzle"], entry["transposed"]);
}

TEST(TritonOracle, ConstructorsMakeTheSameLayouts) {
  std::map<std::string, int> compared;
  for (json entry : recorded()) {
    if (entry["kind"] == "conflicts")
      continue;
    const json bases = entry["bases"];
    entry.erase("bases");
    const LinearLayout wanted = withoutCopies(layoutOf(bases, entry["shape"])); // ours are in normal form
    const LinearLayout made = constructed(entry);
    EXPECT_TRUE(made == wanted) << entry << "\nTriton  " << text(wanted) << "\nmade    " << text(made);
    ++compared[entry["kind"]];
  }
  EXPECT_EQ(compared.size(), 9u); // every kind that is made above
}

// Triton counts how many times more wavefronts than without conflicts an access takes.
TEST(TritonOracle, Conflicts) {
  int compared = 0;
  for (const json &entry : recorded()) {
    if (entry["kind"] != "conflicts")
      continue;
    const LinearLayout registers = layoutOf(entry["registers"], entry["shape"]),
                       shared = layoutOf(entry["shared"], entry["shape"]);
    for (Direction direction : {Direction::Load, Direction::Store}) {
      const SharedAccess access = sharedAccess(registers, shared, entry["bits"], direction);
      EXPECT_EQ(access.wavefronts, access.ideal * (1 + entry["conflicts"].get<unsigned>())) << entry;
    }
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

} // namespace
} // namespace tilescope::layout
