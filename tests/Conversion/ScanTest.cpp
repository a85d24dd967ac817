// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans along each axis of tiles in layouts of all kinds, both ways, against going through each line in order.
#include "tests/Conversion/TileKernel.h"

#include "compiler/Layout/Axis.h"
#include "compiler/Layout/Constructors.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace tilescope::codegen::test {
namespace {

using layout::LinearLayout;
using Shape = std::vector<int64_t>;
using Element = std::vector<int64_t>; ///< one number of each operand

struct Combiner {
  const char *name;
  std::vector<std::string> elements; ///< of the operands
  std::string region;
  std::function<Element(const Element &, const Element &)> function;
};

std::string region(const std::vector<std::string> &elements, const std::string &body, const std::vector<std::string> &yielded) {
  std::string arguments, results, types;
  for (const char *side : {"a", "e"})
    for (size_t i = 0; i < elements.size(); ++i)
      arguments += (arguments.empty() ? "%" : ", %") + (side + std::to_string(i)) + ": " + elements[i];
  for (size_t i = 0; i < elements.size(); ++i) {
    results += (i ? ", %" : "%") + yielded[i];
    types += (i ? ", " : "") + elements[i];
  }
  return " {\n^bb0(" + arguments + "):\n" + body + "  tile.yield " + results + " : " + types + "\n}\n";
}

Combiner sumOf(const std::string &element) {
  return {"sum", {element}, region({element}, "  %r = tile.add %a0, %e0 : " + element + "\n", {"r"}),
          [=](const Element &a, const Element &e) { return Element{wrapped(element, a[0] + e[0])}; }};
}
Combiner maxOf(const std::string &element) {
  return {"max", {element}, region({element}, "  %r = tile.max %a0, %e0 : " + element + "\n", {"r"}),
          [](const Element &a, const Element &e) { return Element{std::max(a[0], e[0])}; }};
}
/// x -> p·x + q, one after the other: the order matters.
Combiner affine() {
  const std::vector<std::string> elements = {"ui32", "ui32"};
  return {"affine", elements,
          region(elements, "  %p = tile.mul %a0, %e0 : ui32\n  %s = tile.mul %a1, %e0 : ui32\n  %q = tile.add %s, %e1 : ui32\n", {"p", "q"}),
          [](const Element &a, const Element &e) {
            return Element{wrapped("ui32", a[0] * e[0]), wrapped("ui32", a[1] * e[0] + e[1])};
          }};
}
/// The greatest so far, and which came with it first; operands of different size.
Combiner greatest() {
  const std::vector<std::string> elements = {"ui8", "si64"};
  return {"greatest", elements,
          region(elements, "  %c = tile.cmp gt, %e0, %a0 : ui8\n  %v = tile.select %c, %e0, %a0 : ui8\n  %i = tile.select %c, %e1, %a1 : si64\n", {"v", "i"}),
          [](const Element &a, const Element &e) { return e[0] > a[0] ? e : a; }};
}
Combiner whether() {
  return {"whether", {"i1"}, region({"i1"}, "  %r = tile.or %a0, %e0 : i1\n", {"r"}),
          [](const Element &a, const Element &e) { return Element{a[0] | e[0]}; }};
}

std::vector<Combiner> combiners() {
  return {affine(), sumOf("f32"), greatest(), sumOf("si8"), sumOf("f16"), affine(), whether(), maxOf("si64"), sumOf("f64"), maxOf("bf16"), sumOf("ui16")};
}

struct Scanned {
  Shape shape;
  LinearLayout map;
  unsigned warps, axis;
  bool isReverse;
};

TileKernel kernelOf(const Scanned &scan, const Combiner &combiner, const std::vector<std::vector<int64_t>> &inputs) {
  TileKernel kernel(scan.warps);
  std::string operands, types, results;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string number = std::to_string(i), comma = i ? ", " : "";
    kernel.addInput("x" + number, scan.map, combiner.elements[i], inputs[i]);
    kernel.addOutput("y" + number, scan.map, combiner.elements[i]);
    operands += comma + "%x" + number;
    types += comma + "$x" + number;
    results += comma + "%y" + number;
  }
  kernel.setBody("  " + results + " = tile.scan " + operands + " axis " + std::to_string(scan.axis) + (scan.isReverse ? " reverse" : "") +
                 " $scratch : " + types + " -> " + types + combiner.region);
  return kernel;
}

std::vector<std::vector<int64_t>> numbersFor(const Scanned &scan, const Combiner &combiner, std::mt19937 &random) {
  std::vector<std::vector<int64_t>> inputs;
  for (const std::string &element : combiner.elements) {
    inputs.emplace_back();
    for (uint64_t i = 0; i < scan.map.outputSize(); ++i) // sums stay exact in every type
      inputs.back().push_back(wrapped(element, element == "i1" ? random() % 16 == 0 : element == "bf16" ? random() % 128 : random() % 4));
  }
  return inputs;
}

void expectScanned(const Scanned &scan, const Combiner &combiner, std::mt19937 &random) {
  const std::vector<std::vector<int64_t>> inputs = numbersFor(scan, combiner, random);
  TileKernel kernel = kernelOf(scan, combiner, inputs);
  SCOPED_TRACE(kernel.text());
  const std::vector<std::vector<int64_t>> outputs = kernel.run();
  ASSERT_EQ(outputs.size(), inputs.size());
  const int64_t length = scan.shape[scan.axis];
  int64_t inner = 1;
  for (size_t dim = scan.axis + 1; dim < scan.shape.size(); ++dim)
    inner *= scan.shape[dim];
  for (int64_t line = 0; line < int64_t(scan.map.outputSize()) / length; ++line) {
    Element running;
    for (int64_t number = 0; number < length; ++number) {
      const int64_t place = scan.isReverse ? length - 1 - number : number;
      const auto index = size_t((line / inner * length + place) * inner + line % inner);
      Element element, found;
      for (size_t operand = 0; operand < inputs.size(); ++operand) {
        element.push_back(inputs[operand][index]);
        found.push_back(outputs[operand][index]);
      }
      running = number == 0 ? element : combiner.function(running, element);
      ASSERT_EQ(found, running) << combiner.name << " at " << index;
    }
  }
  const auto runs = layout::axisRuns(scan.map, scan.axis);
  const auto isAcrossWarps = llvm::count_if(*runs, [](const layout::AxisRun &run) { return run.dim == layout::Dim::Warp; });
  EXPECT_EQ(kernel.count("llvm.nvvm.barrier"), unsigned(isAcrossWarps));
}

/// Layouts of that many warps: rows and columns, whole and with copies, tensor cores'.
std::vector<std::pair<Shape, LinearLayout>> layoutsFor(int64_t warps) {
  std::vector<std::pair<Shape, LinearLayout>> result;
  const auto add = [&](const Shape &shape, const layout::Blocked &parameters) { result.emplace_back(shape, layout::blocked(shape, parameters)); };
  add({256}, {{4}, {32}, {warps}, {0}});
  add({512}, {{1}, {32}, {warps}, {0}});
  add({16}, {{1}, {32}, {warps}, {0}});
  add({16, 32}, {{1, 4}, {4, 8}, {warps, 1}, {1, 0}});
  add({16, 64}, {{1, 2}, {8, 4}, {1, warps}, {1, 0}});
  add({32, 16}, {{2, 1}, {8, 4}, {warps, 1}, {0, 1}});
  add({4, 8, 8}, {{1, 2, 1}, {2, 4, 4}, {1, 1, warps}, {1, 2, 0}});
  for (const layout::TensorCore &core : {layout::TensorCore{unsigned(warps), 1}, layout::TensorCore{1, unsigned(warps)}})
    result.emplace_back(Shape{32, 32}, layout::mmaAccumulator(Shape{32, 32}, core));
  return result;
}

class Scans : public testing::TestWithParam<unsigned> {};

TEST_P(Scans, CombineEachElementWithThoseBeforeIt) {
  std::mt19937 random(GetParam());
  const std::vector<Combiner> known = combiners();
  unsigned number = 0;
  for (const auto &[shape, map] : layoutsFor(GetParam()))
    for (unsigned axis = 0; axis < shape.size(); ++axis)
      for (bool isReverse : {false, true}) {
        expectScanned({shape, map, GetParam(), axis, isReverse}, known[number++ % known.size()], random);
        if (testing::Test::HasFatalFailure())
          return;
      }
}

INSTANTIATE_TEST_SUITE_P(ByWarps, Scans, testing::Values(1u, 2u, 4u, 8u));

TEST(Scan, NeedsNoSharedMemoryWithinAWarp) {
  const Shape shape = {8, 128};
  const LinearLayout map = layout::blocked(shape, {{1, 4}, {1, 32}, {4, 1}, {1, 0}});
  std::mt19937 random(1);
  const Scanned scan{shape, map, 4, 1, false};
  TileKernel kernel = kernelOf(scan, sumOf("f32"), numbersFor(scan, sumOf("f32"), random));
  kernel.run();
  EXPECT_EQ(kernel.count("llvm.nvvm.barrier"), 0u);
  EXPECT_EQ(kernel.count("llvm.nvvm.shfl"), 2u * 5) << "two rows a thread, five distances each";
}

TEST(Scan, AssemblesForEveryTarget) {
  std::mt19937 random(2);
  for (const Combiner &combiner : {affine(), greatest(), sumOf("f16"), maxOf("bf16"), whether()}) {
    const Shape shape = {512};
    const Scanned scan{shape, layout::blocked(shape, {{2}, {32}, {4}, {0}}), 4, 0, true};
    kernelOf(scan, combiner, numbersFor(scan, combiner, random)).expectAssembles();
  }
}

} // namespace
} // namespace tilescope::codegen::test
