// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms of the language: whether a kernel is taken, and the types of its variables, compared with what real
// Triton said for the same script (data/forms.txt, recorded by AskForms.py). The scripts are evaluated as
// host code, so that imports, classes, decorators and globals are what they are in a session. A case whose
// name starts with "beyond" is refused by Triton and taken here on purpose.
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Host/Evaluator.h"
#include "compiler/Syntax/Parser.h"
#include "tests/Frontend/Script.h"

#include <gtest/gtest.h>
#include <mlir/IR/MLIRContext.h>

#include <fstream>
#include <map>
#include <sstream>

namespace tilescope::frontend::test {
namespace {

struct Case {
  std::string name, script;
  std::vector<std::string> said; ///< "variable: type", or one "refused"
};

std::vector<Case> recordedCases(const std::string &file) {
  std::ifstream stream(std::string(TILESCOPE_SOURCE_DIR) + "/tests/Frontend/data/" + file);
  std::vector<Case> cases;
  bool inScript = true;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("==== ")) {
      cases.push_back({line.substr(5), {}, {}});
      inScript = true;
    } else if (line == "----") {
      inScript = false;
    } else if (inScript) {
      cases.back().script += line + "\n";
    } else if (!line.empty()) {
      cases.back().said.push_back(line);
    }
  }
  return cases;
}

struct NoLauncher final : host::Launcher {
  bool launch(const host::LaunchRequest &, Diagnostics &) override { return true; }
};

std::map<std::string, std::string> typesOf(const Case &c) {
  std::map<std::string, std::string> types{
      {"p", "*fp32"}, {"q", "*i32"}, {"h", "*fp16"}, {"b", "*i8"},   {"u", "*u8"},
      {"n", "i32"},   {"m", "i64"},  {"f", "fp32"},  {"u32", "u32"}, {"B", "constexpr:64"}};
  std::istringstream lines(c.script);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("# types: "))
      continue;
    std::istringstream words(line.substr(9));
    for (std::string word; words >> word;)
      types[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  return types;
}

/// What compiling k gave: types by variable, or the first error.
struct Answer {
  std::map<std::string, std::string> types;
  std::string error;
};

Answer answer(const Case &c) {
  const std::string prefix = "import triton\nimport triton.language as tl\nimport torch\n";
  std::string text = prefix + c.script;
  std::map<std::string, std::string> types = typesOf(c);
  for (const auto &[name, type] : types)
    if (type.starts_with("constexpr:"))
      text += "constant_" + name + " = " + type.substr(10) + "\n";
  Diagnostics diagnostics;
  auto file = std::make_shared<SourceFile>("kernel.py", text);
  auto module = syntax::parse(file, diagnostics);
  AddressSpace memory;
  NoLauncher launcher;
  host::Evaluator evaluator(memory, launcher, {.mode = host::Mode::Check});
  if (!diagnostics.hasErrors())
    evaluator.run(module, diagnostics);
  Answer result;
  auto firstError = [&] {
    for (const Diagnostic &d : diagnostics.all())
      if (d.severity == Severity::Error) {
        result.error = d.id + " at " + std::string(file->text(d.span.range));
        for (const std::string &argument : d.arguments)
          result.error += ", " + argument;
        break;
      }
    return result;
  };
  if (diagnostics.hasErrors())
    return firstError();
  const Value *kernel = evaluator.globals()->find("k");
  const auto *function = kernel ? kernel->as<FunctionObject>() : nullptr;
  if (!function || !function->isJit()) {
    result.error = "k is no jit function";
    return result;
  }
  Specialisation specialisation;
  for (const syntax::Arg *arg : parameters(*function->definition)) {
    auto known = types.find(std::string(arg->name));
    if (known != types.end() && known->second.starts_with("constexpr:"))
      specialisation.arguments.push_back(
          {ArgumentSpec::Kind::Constant, {}, false, *evaluator.globals()->find("constant_" + known->first)});
    else
      specialisation.arguments.push_back(specOf(known == types.end() ? "i32" : known->second));
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  std::vector<TypedExpression> typed;
  if (!compile(context, *function, specialisation, diagnostics, typed))
    return firstError();
  SourceRange inKernel = function->definition->range;
  for (const TypedExpression &expression : typed)
    if (!expression.name.empty() && expression.span.range.begin >= inKernel.begin &&
        expression.span.range.end <= inKernel.end)
      result.types[expression.name] = expression.type;
  return result;
}

void compare(const Case &c) {
  Answer ours = answer(c);
  bool isBeyond = c.name.starts_with("beyond");
  bool isRefused = c.said == std::vector<std::string>{"refused"};
  ASSERT_TRUE(!isBeyond || isRefused) << "Triton takes this too: " << c.name;
  if (isRefused && !isBeyond) {
    EXPECT_FALSE(ours.error.empty()) << "Triton refuses this";
    return;
  }
  EXPECT_EQ(ours.error, "");
  if (isBeyond || !ours.error.empty())
    return;
  for (const std::string &line : c.said) {
    size_t colon = line.find(": ");
    EXPECT_EQ(ours.types[line.substr(0, colon)], line.substr(colon + 2)) << line.substr(0, colon);
  }
}

class Forms : public ::testing::TestWithParam<const char *> {};

TEST_P(Forms, AgreeWithTriton) {
  std::vector<Case> cases = recordedCases(GetParam());
  ASSERT_GE(cases.size(), 50u);
  for (const Case &c : cases) {
    SCOPED_TRACE(c.name);
    compare(c);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Forms, ::testing::Values("forms.txt"));

} // namespace
} // namespace tilescope::frontend::test
