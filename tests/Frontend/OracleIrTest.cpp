// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of triton.language with its keywords, types and ranks: the type of its result, and the
// operations that it becomes, compared with what real Triton said for the same call (data/ir-*.txt, recorded
// by AskIr.py). What Triton refuses must be refused here. Where the two differ on purpose,
// data/ir-differences.txt names the call and the reason.
#include "tests/Frontend/Script.h"
#include "tests/Frontend/TritonNames.h"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace tilescope::frontend::test {
namespace {

std::vector<std::string> linesOf(const std::string &name) {
  std::ifstream file(std::string(TILESCOPE_SOURCE_DIR "/tests/Frontend/data/") + name);
  std::vector<std::string> result;
  for (std::string line; std::getline(file, line);)
    result.push_back(line);
  return result;
}

std::vector<std::string> split(const std::string &line, char separator) {
  std::vector<std::string> result;
  std::istringstream text(line);
  for (std::string part; std::getline(text, part, separator);)
    result.push_back(part);
  return result;
}

/// What the names in the calls stand for (data/ir-names.txt).
struct Vocabulary {
  std::map<std::string, std::string> parameters, made;
  std::string helpers;

  Vocabulary() {
    for (const std::string &line : linesOf("ir-names.txt")) {
      if (line.starts_with("| ")) {
        helpers += line.substr(2) + "\n";
        continue;
      }
      const size_t first = line.find(' '), second = line.find(' ', first + 1);
      auto &names = line.starts_with("param") ? parameters : made;
      names[line.substr(first + 1, second - first - 1)] = line.substr(second + 1);
    }
  }

  /// The names that an expression needs, each after those that it needs itself.
  void addNeeded(const std::string &expression, std::vector<std::string> &result) const {
    static const std::regex word("\\w+");
    for (std::sregex_iterator it(expression.begin(), expression.end(), word), end; it != end; ++it) {
      const std::string name = it->str();
      if (std::find(result.begin(), result.end(), name) != result.end())
        continue;
      if (auto definition = made.find(name); definition != made.end())
        addNeeded(definition->second, result);
      else if (!parameters.contains(name))
        continue;
      result.push_back(name);
    }
  }
};

const Vocabulary &vocabulary() {
  static const Vocabulary result;
  return result;
}

struct Outcome {
  bool compiled = false;
  std::string type, error;
  std::map<std::string, int> operations;
};

/// Compiles a kernel that makes the names and then, if it is not empty, runs the statement.
Outcome compileWith(const std::vector<std::string> &names, const std::string &statement) {
  std::string parameters, body;
  for (const std::string &name : names)
    if (vocabulary().parameters.contains(name))
      parameters += (parameters.empty() ? "" : ", ") + name;
    else
      body += "    " + name + " = " + vocabulary().made.at(name) + "\n";
  body += "    " + (statement.empty() ? "pass" : statement) + "\n";
  Outcome outcome;
  const Compiled compiled = compileKernel(
      vocabulary().helpers + "@triton.jit\ndef k(" + parameters + "):\n" + body, vocabulary().parameters, "k",
      [&](mlir::ModuleOp module) { outcome.operations = tritonOperations(module); });
  outcome.compiled = !compiled.ir.empty();
  outcome.type = compiled.typeOf("y");
  for (const std::string &error : compiled.errors())
    outcome.error += (outcome.error.empty() ? "" : "; ") + error;
  return outcome;
}

/// "2 arith.addi; tt.reduce 1": what the call adds to the operations that make its arguments.
std::string operationsOf(const Outcome &outcome, const std::vector<std::string> &names) {
  static std::map<std::string, std::map<std::string, int>> bases;
  std::string key;
  for (const std::string &name : names)
    key += name + " ";
  auto base = bases.find(key);
  if (base == bases.end())
    base = bases.emplace(key, compileWith(names, "").operations).first;
  std::string result;
  for (auto [name, count] : outcome.operations) {
    if (auto before = base->second.find(name); before != base->second.end())
      count -= before->second;
    if (count)
      result += (result.empty() ? "" : "; ") + (count > 1 ? std::to_string(count) + " " : "") + name;
  }
  return result;
}

/// Of a list of operations those named in `only`, without their attributes; the whole list if it is empty.
std::string filtered(const std::string &operations, const std::set<std::string> &only) {
  if (only.empty())
    return operations;
  std::map<std::string, int> counts;
  for (const std::string &operation : split(operations, ';')) {
    std::istringstream words(operation);
    int count = 1;
    std::string name;
    if (!(words >> count)) {
      words.clear();
      count = 1;
    }
    if (words >> name && only.contains(name))
      counts[name] += count;
  }
  std::string result;
  for (const auto &[name, count] : counts)
    result += std::to_string(count) + " " + name + " ";
  return result;
}

/// Calls on whose difference from Triton we decided, each with its reason.
const std::map<std::string, std::string> &differences() {
  static const std::map<std::string, std::string> result = [] {
    std::map<std::string, std::string> rows;
    std::string reason;
    for (const std::string &line : linesOf("ir-differences.txt"))
      if (line.starts_with("# "))
        reason = line.substr(2);
      else if (!line.empty())
        rows[line] = reason;
    return rows;
  }();
  return result;
}

/// How ours differs from what was recorded; empty if it does not.
std::string difference(const std::vector<std::string> &recorded, const std::set<std::string> &only) {
  const std::string &call = recorded[0];
  const bool isStatement = call.starts_with("do ");
  std::vector<std::string> names;
  vocabulary().addNeeded(call, names);
  const Outcome ours = compileWith(names, isStatement ? call.substr(3) : "y = " + call);
  if (recorded[1] == "error")
    return ours.compiled ? "Triton refuses it, ours gives " + ours.type : "";
  if (!ours.compiled)
    return "refused: " + ours.error;
  if (!isStatement && ours.type != recorded[1])
    return "type " + ours.type + ", Triton has " + recorded[1];
  const std::string operations = filtered(operationsOf(ours, names), only),
                    wanted = filtered(recorded.size() > 2 ? recorded[2] : "", only);
  return operations == wanted ? "" : "operations " + operations + ", Triton has " + wanted;
}

struct Theme {
  const char *name;
  size_t calls;               ///< at least so many
  std::set<std::string> only; ///< the operations to compare, where the way to the same values is another
};
class OracleIr : public ::testing::TestWithParam<Theme> {};

TEST_P(OracleIr, AgreesWithTriton) {
  const auto lines = linesOf(std::string("ir-") + GetParam().name + ".txt");
  ASSERT_GE(lines.size(), GetParam().calls);
  for (const std::string &line : lines) {
    const std::vector<std::string> recorded = split(line, '\t');
    const std::string found = difference(recorded, GetParam().only);
    if (differences().contains(recorded[0]))
      EXPECT_NE(found, "") << recorded[0] << " agrees by now: take it from data/ir-differences.txt";
    else
      EXPECT_EQ(found, "") << recorded[0];
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, OracleIr,
    ::testing::Values(
        Theme{"operators", 650, {}}, Theme{"math", 600, {}}, Theme{"cast", 300, {}}, Theme{"shape", 150, {}},
        Theme{"reduce", 500, {}},
        // The network stands in three dimensions here and in two to the power of many there.
        Theme{"sort", 60, {"tt.reduce", "arith.select", "arith.cmpf", "arith.maxnumf", "arith.maxsi"}},
        Theme{"random", 100, {}}, Theme{"memory", 300, {}}, Theme{"dot", 90, {}}, Theme{"program", 90, {}}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace tilescope::frontend::test
