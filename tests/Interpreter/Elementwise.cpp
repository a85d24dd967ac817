// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Interpreter/Elementwise.h"

#include <gtest/gtest.h>

namespace tilescope::interp::test {

namespace {

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

} // namespace

unsigned bytesOf(const std::string &type) {
  if (type == "i1" || type.ends_with("8") || type.starts_with("f8"))
    return 1;
  return type.ends_with("16") ? 2 : type.ends_with("32") ? 4 : 8;
}

std::string tile(size_t count, const std::string &type) {
  return "!tile.tile<" + std::to_string(count) + "x" + type + ">";
}

std::string kernelAround(const std::vector<std::string> &types, const std::string &resultType, size_t count,
                         const std::string &body) {
  std::string arguments, loads;
  const std::string n = std::to_string(count);
  for (size_t i = 0; i <= types.size(); ++i) {
    const std::string name(1, i == types.size() ? 'o' : static_cast<char>('a' + i));
    const std::string pointer = "!tile.ptr<" + (i == types.size() ? resultType : types[i]) + ">";
    arguments += (i ? ", %" : "%") + name + "p: " + pointer;
    loads += "%" + name + "s = tile.splat %" + name + "p : " + pointer + " -> " + tile(count, pointer) +
             "\n%" + name + "t = tile.addptr %" + name + "s, %i : " + tile(count, pointer) + ", " +
             tile(count, "si32") + "\n";
    if (i < types.size())
      loads += "%" + name + " = tile.load %" + name + "t : " + tile(count, pointer) + "\n";
  }
  return "tile.func @k(" + arguments + ") {\n%i = tile.make_range 0 to " + n + " : " + tile(count, "si32") +
         "\n" + loads + body + "\ntile.store %ot, %r : " + tile(count, "!tile.ptr<" + resultType + ">") +
         "\ntile.return\n}\n";
}

Bits run(const std::string &ir, const std::vector<Bits> &operands, const std::vector<std::string> &types,
         const std::string &resultType) {
  Machine machine;
  const auto kernel = kernelOf(ir, machine.diagnostics);
  if (!kernel) {
    ADD_FAILURE() << ir;
    return {};
  }
  std::vector<Argument> arguments;
  for (size_t i = 0; i < operands.size(); ++i)
    arguments.push_back(machine.pointer(machine.tensor(packed(operands[i], bytesOf(types[i])), types[i])));
  const unsigned bytes = bytesOf(resultType);
  const auto out = machine.tensor(std::vector<std::byte>(operands[0].size() * bytes), "out");
  arguments.push_back(machine.pointer(out));
  machine.run(*kernel, {1, 1, 1}, arguments);
  EXPECT_TRUE(machine.diagnostics.empty());
  return unpacked(machine.values<std::byte>(out), bytes);
}

bool isNan(const std::string &type, uint64_t bits) {
  const uint64_t magnitude = bits & ((uint64_t(1) << (8 * bytesOf(type) - 1)) - 1);
  return type == "f16"        ? magnitude > 0x7c00
         : type == "bf16"     ? magnitude > 0x7f80
         : type == "f32"      ? magnitude > 0x7f800000
         : type == "f64"      ? magnitude > 0x7ff0000000000000
         : type == "f8E4M3FN" ? magnitude == 0x7f
         : type == "f8E5M2"   ? magnitude > 0x7c
                              : false;
}

} // namespace tilescope::interp::test
