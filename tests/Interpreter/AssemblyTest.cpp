// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX against what a GPU gave for the same instructions, bit for bit (data/operations.json, made by
// the script beside it); approximate instructions, whose names end in "~", to within a few units in the last
// place.
#include "tests/Interpreter/Harness.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <fstream>

namespace tilescope::interp::test {
namespace {

using Bits = std::vector<uint64_t>;

nlohmann::json record() {
  std::ifstream file(TILESCOPE_SOURCE_DIR "/tests/Interpreter/data/operations.json");
  return nlohmann::json::parse(file);
}

unsigned bytesOf(const std::string &type) {
  return type.ends_with("8") ? 1 : type.ends_with("16") ? 2 : type.ends_with("32") ? 4 : 8;
}

std::vector<std::byte> packed(const Bits &values, unsigned bytes) {
  std::vector<std::byte> result(values.size() * bytes);
  for (size_t i = 0; i < values.size(); ++i)
    std::memcpy(result.data() + i * bytes, &values[i], bytes);
  return result;
}

Bits unpacked(const std::vector<std::byte> &data, unsigned bytes) {
  Bits result(data.size() / bytes);
  for (size_t i = 0; i < result.size(); ++i)
    std::memcpy(&result[i], data.data() + i * bytes, bytes);
  return result;
}

std::string tile(size_t count, const std::string &type) {
  return "!tile.tile<" + std::to_string(count) + "x" + type + ">";
}

/// Addresses of `count` elements of the argument %NAMEp as %NAMEt.
std::string addresses(const std::string &name, size_t count, const std::string &type) {
  const std::string pointer = "!tile.ptr<" + type + ">";
  return "%" + name + "s = tile.splat %" + name + "p : " + pointer + " -> " + tile(count, pointer) + "\n%" +
         name + "t = tile.addptr %" + name + "s, %i : " + tile(count, pointer) + ", " + tile(count, "si32") +
         "\n";
}

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : text)
    result += c == '\n' ? std::string("\\0A") : c == '"' ? std::string("\\22") : std::string(1, c);
  return result + "\"";
}

std::string kernelOfCase(const nlohmann::json &entry, size_t count) {
  const std::vector<std::string> types = entry["types"];
  const std::string result = entry["result"];
  std::string parameters, loads, operands, operandTypes;
  for (size_t i = 0; i < types.size(); ++i) {
    const std::string name(1, static_cast<char>('a' + i));
    parameters += "%" + name + "p: !tile.ptr<" + types[i] + ">, ";
    loads += addresses(name, count, types[i]) + "%" + name + " = tile.load %" + name +
             "t : " + tile(count, "!tile.ptr<" + types[i] + ">") + "\n";
    operands += (i ? ", %" : "%") + name;
    operandTypes += (i ? ", " : "") + tile(count, types[i]);
  }
  return "tile.func @k(" + parameters + "%op: !tile.ptr<" + result + ">) {\n%i = tile.make_range 0 to " +
         std::to_string(count) + " : " + tile(count, "si32") + "\n" + loads + addresses("o", count, result) +
         "%r = tile.inline_asm " + quoted(entry["asm"]) + " " + quoted(entry["constraints"]) +
         " pack = " + std::to_string(int(entry["pack"])) + " pure(" + operands + ") : (" + operandTypes +
         ") -> " + tile(count, result) +
         "\ntile.store %ot, %r : " + tile(count, "!tile.ptr<" + result + ">") + "\ntile.return\n}\n";
}

double realOf(const std::string &type, uint64_t bits) {
  if (type == "f32")
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return type == "f16" ? fromHalf(static_cast<uint16_t>(bits))
                       : std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

bool agrees(const std::string &type, uint64_t expected, uint64_t actual, bool isApproximate) {
  if (expected == actual)
    return true;
  if (type[0] != 'f' && type[0] != 'b')
    return false;
  if (type == "f64")
    return std::isnan(std::bit_cast<double>(expected)) && std::isnan(std::bit_cast<double>(actual));
  const double a = realOf(type, expected), b = realOf(type, actual);
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  const double unit = type == "f32" ? 0x1p-10 : // tanh has 11 digits, sin and cos lose some far from 0
                          type == "f16" ? 0x1p-9
                                        : 0x1p-6;
  return isApproximate && std::fabs(a - b) <= unit * std::max(1.0, std::fabs(a));
}

TEST(Assembly, AgreesWithAGpu) {
  const nlohmann::json cases = record()["assembly"];
  ASSERT_GT(cases.size(), 90u);
  for (const nlohmann::json &entry : cases) {
    const std::string name = entry["name"], result = entry["result"];
    const std::vector<Bits> operands = entry["operands"];
    const Bits expected = entry["values"];
    Machine machine;
    const auto kernel = kernelOf(kernelOfCase(entry, expected.size()), machine.diagnostics);
    ASSERT_TRUE(kernel) << name;
    std::vector<Argument> arguments;
    for (size_t i = 0; i < operands.size(); ++i)
      arguments.push_back(
          machine.pointer(machine.tensor(packed(operands[i], bytesOf(entry["types"][i])), "operand")));
    const auto out = machine.tensor(std::vector<std::byte>(expected.size() * bytesOf(result)), "out");
    arguments.push_back(machine.pointer(out));
    machine.run(*kernel, {1, 1, 1}, arguments);
    for (const Diagnostic &diagnostic : machine.diagnostics.all())
      ADD_FAILURE() << name << ": " << diagnostic.id << " " << diagnostic.arguments.back();
    const Bits actual = unpacked(machine.values<std::byte>(out), bytesOf(result));
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(agrees(result, expected[i], actual[i], name.ends_with('~')))
          << name << " element " << i << ": " << std::hex << expected[i] << ", not " << actual[i];
  }
}

/// One scalar, of two results, stored to %q; `assembly` with its constraints.
RunResult runScalar(Machine &machine, AllocationId out, const std::string &assembly) {
  const auto kernel = kernelOf("tile.func @k(%q: !tile.ptr<si64>) {\n%r = tile.inline_asm " + assembly +
                                   "\ntile.store %q, %r : !tile.ptr<si64>\ntile.return\n}\n",
                               machine.diagnostics);
  return machine.run(*kernel, {1, 1, 1}, {machine.pointer(out)});
}

TEST(Assembly, SaysWhichInstructionItDoesNotRun) {
  Machine machine;
  const auto out = machine.tensor(std::vector<int64_t>(1), "out");
  runScalar(machine, out, "\"mov.u64 $0, 3; wgmma.fence.sync.aligned;\" \"=l\" () : () -> si64");
  ASSERT_EQ(machine.diagnostics.all().size(), 1u);
  EXPECT_EQ(machine.diagnostics.all()[0].id, "assembly-not-interpreted");
  EXPECT_EQ(machine.diagnostics.all()[0].arguments,
            (std::vector<std::string>{"k", "wgmma.fence.sync.aligned"}));
}

TEST(Assembly, CountsOperandsAgainstConstraints) {
  Machine machine;
  const auto out = machine.tensor(std::vector<int64_t>(1), "out");
  runScalar(machine, out, "\"mov.u64 $0, 3;\" \"=l,=l\" () : () -> si64");
  ASSERT_EQ(machine.diagnostics.all().size(), 1u);
  EXPECT_EQ(machine.diagnostics.all()[0].arguments[1], "=l,=l");
}

TEST(Assembly, SpecialRegistersOfAMachineOfOneThread) {
  for (const auto &[assembly, value] : {std::pair("mov.u64 $0, 5;", 5),
                                        {"cvt.u64.u32 $0, %laneid;", 0},
                                        {"cvt.u64.u32 $0, %smid;", 0},
                                        {"cvt.u64.u32 $0, %nctaid.x;", 1},
                                        {"griddepcontrol.wait; mov.u64 $0, 7;", 7}}) {
    Machine machine;
    const auto out = machine.tensor(std::vector<int64_t>{-1}, "out");
    runScalar(machine, out, "\"" + std::string(assembly) + "\" \"=l\" () : () -> si64");
    EXPECT_TRUE(machine.diagnostics.empty()) << assembly;
    EXPECT_EQ(machine.values<int64_t>(out)[0], value) << assembly;
  }
}

TEST(Assembly, LoadsAndStoresInsideTensorsOnly) {
  const std::string ir =
      "tile.func @k(%p: !tile.ptr<si32>, %n: si64) {\n"
      "%a = tile.ptr_to_int %p : !tile.ptr<si32> -> si64\n%b = tile.add %a, %n : si64\n"
      "%r = tile.inline_asm \"ld.global.s32 $0, [$1+4]; st.global.s32 [$1], $0;\" \"=r,l\" "
      "(%b) : (si64) -> si32\ntile.return\n}\n";
  Machine machine;
  const auto kernel = kernelOf(ir, machine.diagnostics);
  ASSERT_TRUE(kernel);
  const auto tensor = machine.tensor(std::vector<int32_t>{1, 2, 3, 4}, "x");
  const RunResult inside =
      machine.run(*kernel, {1, 1, 1}, {machine.pointer(tensor), Machine::scalar<int64_t>(4)});
  EXPECT_TRUE(machine.diagnostics.empty());
  ASSERT_EQ(kernel->accesses().size(), 2u); // both are accesses, of one element of 4 bytes
  EXPECT_EQ(kernel->accesses()[0].kind, AccessKind::Load);
  EXPECT_EQ(kernel->accesses()[1].kind, AccessKind::Store);
  for (const AccessCounts &counts : inside.counts) {
    EXPECT_EQ(counts.active, 1u);
    EXPECT_EQ(counts.bytes, 4u);
  }
  EXPECT_EQ(machine.values<int32_t>(tensor), (std::vector<int32_t>{1, 3, 3, 4}));
  machine.run(*kernel, {1, 1, 1}, {machine.pointer(tensor), Machine::scalar<int64_t>(12)});
  ASSERT_EQ(machine.diagnostics.all().size(), 1u);
  EXPECT_EQ(machine.diagnostics.all()[0].id, "assembly-outside");
  EXPECT_EQ(machine.diagnostics.all()[0].arguments[3], "ld.global.s32 $0, [$1+4]");
}

} // namespace
} // namespace tilescope::interp::test
