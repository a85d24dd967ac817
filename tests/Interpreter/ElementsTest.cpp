// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements by index, histograms and functions of elements against loops written out here; scaled products
// against what Triton gave on a GPU (data/operations.json, made by the script beside it).
#include "tests/Interpreter/Harness.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <fstream>

namespace tilescope::interp::test {
namespace {

std::string tile(const std::string &shape, const std::string &element) {
  return "!tile.tile<" + shape + "x" + element + ">";
}

/// `count` elements of %NAMEp in one dimension: %NAMEt their addresses.
std::string addresses(const std::string &name, size_t count, const std::string &type) {
  const std::string n = std::to_string(count), pointer = "!tile.ptr<" + type + ">";
  return "%" + name + "i = tile.make_range 0 to " + n + " : " + tile(n, "si32") + "\n%" + name +
         "s = tile.splat %" + name + "p : " + pointer + " -> " + tile(n, pointer) + "\n%" + name +
         "t = tile.addptr %" + name + "s, %" + name + "i : " + tile(n, pointer) + ", " + tile(n, "si32") +
         "\n";
}
std::string load(const std::string &name, size_t count, const std::string &type) {
  return addresses(name, count, type) + "%" + name + " = tile.load %" + name +
         "t : " + tile(std::to_string(count), "!tile.ptr<" + type + ">") + "\n";
}
std::string store(const std::string &value, size_t count, const std::string &type) {
  return addresses("o", count, type) + "tile.store %ot, " + value + " : " +
         tile(std::to_string(count), "!tile.ptr<" + type + ">") + "\n";
}

/// A kernel on integers %x and %k of `count` elements each, whose %r of `outCount` integers is stored.
std::vector<int32_t> run(Machine &machine, const std::vector<int32_t> &x, const std::vector<int32_t> &k,
                         size_t outCount, const std::string &body) {
  const std::string ir =
      "tile.func @k(%xp: !tile.ptr<si32>, %kp: !tile.ptr<si32>, %op: !tile.ptr<si32>) {\n" +
      load("x", x.size(), "si32") + load("k", k.size(), "si32") + body + "\n" +
      store("%r", outCount, "si32") + "tile.return\n}\n";
  const auto kernel = kernelOf(ir, machine.diagnostics);
  if (!kernel) {
    ADD_FAILURE() << ir;
    return {};
  }
  const auto out = machine.tensor(std::vector<int32_t>(outCount), "out");
  machine.run(*kernel, {1, 1, 1},
              {machine.pointer(machine.tensor(x, "x")), machine.pointer(machine.tensor(k, "k")),
               machine.pointer(out)});
  return machine.values<int32_t>(out);
}

TEST(Elements, GatherAlongEachAxis) {
  std::vector<int32_t> x(32), k(32);
  for (int i = 0; i < 32; ++i) {
    x[i] = 100 + i;
    k[i] = i * 7 % 4;
  }
  const std::string shape = "%a = tile.reshape %x : " + tile("32", "si32") + " -> " + tile("4x8", "si32") +
                            "\n%b = tile.reshape %k : " + tile("32", "si32") + " -> " + tile("4x8", "si32");
  for (int axis : {0, 1}) {
    Machine machine;
    const auto result =
        run(machine, x, k, 32,
            shape + "\n%g = tile.gather %a[%b] axis " + std::to_string(axis) + " : " + tile("4x8", "si32") +
                ", " + tile("4x8", "si32") + " -> " + tile("4x8", "si32") +
                "\n%r = tile.reshape %g : " + tile("4x8", "si32") + " -> " + tile("32", "si32"));
    EXPECT_TRUE(machine.diagnostics.empty());
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 8; ++j)
        EXPECT_EQ(result[i * 8 + j], axis == 0 ? 100 + k[i * 8 + j] * 8 + j : 100 + i * 8 + k[i * 8 + j]);
  }
}

TEST(Elements, GatherOutsideIsReportedWithItsIndex) {
  Machine machine;
  const auto result = run(machine, {10, 11, 12, 13}, {3, 4, -1, 0}, 4,
                          "%r = tile.gather %x[%k] axis 0 : " + tile("4", "si32") + ", " + tile("4", "si32") +
                              " -> " + tile("4", "si32"));
  EXPECT_EQ(result, (std::vector<int32_t>{13, 0, 0, 10}));
  ASSERT_EQ(machine.diagnostics.all().size(), 1u);
  EXPECT_EQ(machine.diagnostics.all()[0].id, "gather-index-outside");
  EXPECT_EQ(machine.diagnostics.all()[0].arguments,
            (std::vector<std::string>{"k", "(0, 0, 0)", "1", "1", "4", "4"}));
}

TEST(Elements, HistogramLeavesOutWhatIsOutsideOrMasked) {
  Machine machine;
  const auto result =
      run(machine, {0, 1, 1, 3, 9, -1, 3, 3}, {1, 1, 0, 1, 1, 1, 1, 0}, 4,
          "%z = tile.constant 0 : si32 -> " + tile("8", "si32") +
              "\n%m = tile.cmp ne, %k, %z : " + tile("8", "si32") +
              "\n%r = tile.histogram %x, %m : " + tile("8", "si32") + " -> " + tile("4", "si32"));
  EXPECT_TRUE(machine.diagnostics.empty());
  EXPECT_EQ(result, (std::vector<int32_t>{1, 1, 0, 2}));
}

const std::string eight = tile("8", "si32");

TEST(Elements, MapWithoutBranches) {
  Machine machine;
  const auto result = run(machine, {1, 2, 3, 4, 5, 6, 7, 8}, {10, 20, 30, 40, 50, 60, 70, 80}, 8,
                          "%r = tile.map %x, %k pack 2 : " + eight + ", " + eight + " -> " + eight +
                              " {\n^bb0(%a: si32, %b: si32, %c: si32, %d: si32):\n"
                              "%e = tile.add %a, %d : si32\n%f = tile.sub %c, %b : si32\n"
                              "tile.yield %e, %f : si32, si32\n}");
  EXPECT_EQ(result, (std::vector<int32_t>{21, 8, 43, 26, 65, 44, 87, 62}));
}

TEST(Elements, MapBranchesForEachElement) {
  Machine machine;
  const auto result =
      run(machine, {1, -2, 3, -4, 5, 6, -7, 8}, {10, 20, 30, 40, 50, 60, 70, 80}, 8,
          "%r = tile.map %x, %k pack 1 : " + eight + ", " + eight + " -> " + eight +
              " {\n^bb0(%a: si32, %b: si32):\n%z = tile.constant 0 : si32\n%p = tile.cmp gt, %a, %z : si32\n"
              "%e = tile.if %p -> (si32) {\n%s = tile.add %a, %b : si32\ntile.yield %s : si32\n} else {\n"
              "%w = tile.while (%v = %a) : (si32) -> (si32) {\n%c = tile.cmp lt, %v, %z : si32\n"
              "tile.condition %c, %v : si32\n} do {\n^bb0(%u: si32):\n%q = tile.add %u, %b : si32\n"
              "tile.yield %q : si32\n}\ntile.yield %w : si32\n}\ntile.yield %e : si32\n}");
  EXPECT_TRUE(machine.diagnostics.empty());
  EXPECT_EQ(result, (std::vector<int32_t>{11, 18, 33, 36, 55, 66, 63, 88}));
}

//===- Scaled products -----------------------------------------------------------------------------===//

using Bits = std::vector<uint64_t>;

struct Format {
  std::string name, element;
  unsigned bytes, perByte;
};
Format formatOf(const std::string &name) {
  if (name == "e2m1")
    return {name, "ui8", 1, 2};
  if (name == "e4m3" || name == "e5m2")
    return {name, name == "e4m3" ? "f8E4M3FN" : "f8E5M2", 1, 1};
  return {name, name == "bf16" ? "bf16" : "f16", 2, 1};
}

AllocationId tensorOf(Machine &machine, const Bits &bits, unsigned bytes) {
  std::vector<std::byte> data(std::max<size_t>(bits.size(), 1) * bytes);
  for (size_t i = 0; i < bits.size(); ++i)
    std::memcpy(data.data() + i * bytes, &bits[i], bytes);
  return machine.tensor(data, "operand");
}

std::string reshaped(const std::string &from, const std::string &to, size_t count, const std::string &shape,
                     const std::string &type) {
  return "%" + to + " = tile.reshape %" + from + " : " + tile(std::to_string(count), type) + " -> " +
         tile(shape, type) + "\n";
}

std::string scaledKernel(const Format &a, const Format &b, const nlohmann::json &entry) {
  const std::string ashape = "16x" + std::to_string(64 / a.perByte),
                    bshape = std::to_string(64 / b.perByte) + "x16";
  const size_t acount = 1024 / a.perByte, bcount = 1024 / b.perByte;
  std::string text = "tile.func @k(%ap: !tile.ptr<" + a.element + ">, %bp: !tile.ptr<" + b.element +
                     ">, %cp: !tile.ptr<ui8>, %dp: !tile.ptr<ui8>, %op: !tile.ptr<f32>) {\n";
  text += load("a", acount, a.element) + reshaped("a", "am", acount, ashape, a.element);
  text += load("b", bcount, b.element) + reshaped("b", "bm", bcount, bshape, b.element);
  std::string left = "%am " + a.name, right = "%bm " + b.name;
  if (!entry["sa"].empty()) {
    text += load("c", 32, "ui8") + reshaped("c", "cm", 32, "16x2", "ui8");
    left += " scale %cm : " + tile("16x2", "ui8");
  }
  if (!entry["sb"].empty()) {
    text += load("d", 32, "ui8") + reshaped("d", "dm", 32, "16x2", "ui8");
    right += " scale %dm : " + tile("16x2", "ui8");
  }
  return text + "%z = tile.constant 0.0 : f32 -> " + tile("16x16", "f32") + "\n%r = tile.dot_scaled " + left +
         ", " + right + ", %z : " + tile(ashape, a.element) + ", " + tile(bshape, b.element) + " -> " +
         tile("16x16", "f32") + "\n%rv = tile.reshape %r : " + tile("16x16", "f32") + " -> " +
         tile("256", "f32") + "\n" + store("%rv", 256, "f32") + "tile.return\n}\n";
}

TEST(Elements, ScaledProductsAgreeWithAGpu) {
  std::ifstream file(TILESCOPE_SOURCE_DIR "/tests/Interpreter/data/operations.json");
  const nlohmann::json cases = nlohmann::json::parse(file)["scaled"];
  ASSERT_GE(cases.size(), 6u);
  for (const nlohmann::json &entry : cases) {
    const Format a = formatOf(entry["formats"][0]), b = formatOf(entry["formats"][1]);
    Machine machine;
    const auto kernel = kernelOf(scaledKernel(a, b, entry), machine.diagnostics);
    ASSERT_TRUE(kernel) << scaledKernel(a, b, entry);
    const auto out = machine.tensor(std::vector<uint32_t>(256), "out");
    machine.run(*kernel, {1, 1, 1},
                {machine.pointer(tensorOf(machine, entry["a"], a.bytes)),
                 machine.pointer(tensorOf(machine, entry["b"], b.bytes)),
                 machine.pointer(tensorOf(machine, entry["sa"], 1)),
                 machine.pointer(tensorOf(machine, entry["sb"], 1)), machine.pointer(out)});
    EXPECT_TRUE(machine.diagnostics.empty());
    const std::vector<uint32_t> expected = entry["values"], actual = machine.values<uint32_t>(out);
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(std::bit_cast<float>(expected[i]), std::bit_cast<float>(actual[i]))
          << a.name << " by " << b.name << ", element " << i;
  }
}

} // namespace
} // namespace tilescope::interp::test
