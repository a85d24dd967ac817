// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type of `left op right` for every pair of element types and for Python's numbers, compared with what
// real Triton said (data/promotions.txt, recorded by AskPromotions.py).
#include "tests/Frontend/Script.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tilescope::frontend::test {
namespace {

struct Row {
  std::string op, left, right, type;
  bool isRefused() const { return type == "refused"; }
};

std::vector<Row> recordedRows() {
  std::ifstream file(TILESCOPE_SOURCE_DIR "/tests/Frontend/data/promotions.txt");
  std::vector<Row> rows;
  for (Row row; file >> row.op >> row.left >> row.right >> row.type;)
    rows.push_back(row);
  return rows;
}

bool isNumber(const std::string &operand) {
  return operand == "True" || operand.find_first_not_of("-0123456789.e") == std::string::npos;
}

/// "int32" as signatures spell it: "*i32".
std::string pointerTo(std::string type) {
  for (auto [name, spelling] : {std::pair("uint", "u"), std::pair("int", "i")})
    if (type.starts_with(name))
      return "*" + (spelling + type.substr(std::string(name).size()));
  return "*" + type;
}

/// The rows as statements of one kernel, a parameter for each operand that is a tile.
Compiled compileRows(std::span<const Row> rows) {
  std::string parameters, statements;
  std::map<std::string, std::string> signature;
  auto operand = [&](const std::string &text, std::string name) {
    if (isNumber(text))
      return text;
    signature[name] = pointerTo(text);
    parameters += (parameters.empty() ? "" : ", ") + name;
    return "tl.load(" + name + " + o)";
  };
  for (size_t i = 0; i < rows.size(); ++i) {
    std::string n = std::to_string(i);
    std::string left = operand(rows[i].left, "a" + n), right = operand(rows[i].right, "c" + n);
    statements += "    x" + n + " = " + left + " " + rows[i].op + " " + right + "\n";
  }
  return compileKernel("@triton.jit\ndef k(" + parameters + "):\n    o = tl.arange(0, 8)\n" + statements,
                       signature);
}

TEST(Promotions, GiveTritonsTypes) {
  std::vector<Row> taken = recordedRows();
  std::erase_if(taken, [](const Row &row) { return row.isRefused(); });
  ASSERT_GT(taken.size(), 1500u);
  constexpr size_t batch = 64;
  for (size_t first = 0; first < taken.size(); first += batch) {
    std::span<const Row> rows = std::span(taken).subspan(first, std::min(batch, taken.size() - first));
    Compiled compiled = compileRows(rows);
    for (const std::string &error : compiled.errors())
      ADD_FAILURE() << error << " near " << rows[0].op << " " << rows[0].left << " " << rows[0].right;
    for (size_t i = 0; i < rows.size(); ++i)
      EXPECT_EQ(compiled.typeOf("x" + std::to_string(i)), rows[i].type + "[8]")
          << rows[i].left << " " << rows[i].op << " " << rows[i].right;
  }
}

TEST(Promotions, RefuseWhatTritonRefuses) {
  size_t refused = 0;
  for (const Row &row : recordedRows()) {
    if (!row.isRefused())
      continue;
    ++refused;
    EXPECT_FALSE(compileRows({&row, 1}).diagnostics.empty()) << row.left << " " << row.op << " " << row.right;
  }
  EXPECT_GT(refused, 1000u);
}

} // namespace
} // namespace tilescope::frontend::test
