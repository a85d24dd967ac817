// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every form of the grammar against the trees of Python 3.12, ranges inside f-strings too. They were
// recorded, from tests/Syntax/data, by:
//
//   ls *.py > list; python3.12 ../dump_ast.py --fstring-ranges list trees.txt
//
// And what a dump does not show.
#include "compiler/Syntax/Dump.h"
#include "compiler/Syntax/Parser.h"
#include "compiler/Syntax/Visitor.h"
#include "tests/Syntax/Trees.h"

#include <gtest/gtest.h>

#include <map>

namespace tilescope::syntax {
namespace {

struct Parsed {
  explicit Parsed(std::string text) {
    module = parse(std::make_shared<SourceFile>("test.py", std::move(text)), diagnostics);
  }
  template <typename T> const T &expr() const { return cast<T>(cast<ExprStmt>(module->body[0]).value); }
  std::string_view text(SourceRange range) const { return module->file->text(range); }

  Diagnostics diagnostics;
  std::shared_ptr<const Module> module;
};

TEST(Grammar, AgreesWithPython312) {
  std::string folder = std::string(TILESCOPE_SOURCE_DIR) + "/tests/Syntax/data/";
  TreeReader reader(folder + "trees.txt");
  size_t count = 0;
  for (PythonTree tree; reader.next(tree); ++count) {
    Parsed ours(readFile(folder + tree.path));
    EXPECT_FALSE(tree.isError) << tree.path;
    EXPECT_FALSE(ours.diagnostics.hasErrors()) << tree.path << ": " << ours.diagnostics.all()[0].id;
    EXPECT_EQ(firstDifference(dump(*ours.module), tree.text), "") << tree.path;
  }
  EXPECT_EQ(count, 8u);
}

/// How often a kind of node stands in a dump.
size_t countIn(const std::string &dump, const std::string &kind) {
  size_t count = 0;
  for (size_t at = 0; (at = dump.find(" " + kind + " ", at)) != std::string::npos; ++at)
    ++count;
  return count;
}

struct Counter {
  void operator()(const auto *node) {
    count(node);
    forEachChild(*node, *this);
  }
  void count(const Expr *expr) { ++exprs[expr->kind]; }
  void count(const Stmt *stmt) { ++stmts[stmt->kind]; }
  void count(const Pattern *pattern) { ++patterns[pattern->kind]; }
  std::map<ExprKind, size_t> exprs;
  std::map<StmtKind, size_t> stmts;
  std::map<PatternKind, size_t> patterns;
};

TEST(Visitor, ReachesEveryNode) {
  std::string folder = std::string(TILESCOPE_SOURCE_DIR) + "/tests/Syntax/data/";
  TreeReader reader(folder + "trees.txt");
  for (PythonTree tree; reader.next(tree);) {
    Parsed ours(readFile(folder + tree.path));
    Counter counter;
    for (const Stmt *stmt : ours.module->body)
      counter(stmt);
    EXPECT_EQ(counter.exprs[ExprKind::Name], countIn(tree.text, "Name")) << tree.path;
    EXPECT_EQ(counter.exprs[ExprKind::Call], countIn(tree.text, "Call")) << tree.path;
    EXPECT_EQ(counter.exprs[ExprKind::Constant],
              countIn(tree.text, "Constant") + countIn(tree.text, "MatchSingleton"))
        << tree.path;
    EXPECT_EQ(counter.stmts[StmtKind::Assign], countIn(tree.text, "Assign")) << tree.path;
    EXPECT_EQ(counter.stmts[StmtKind::FunctionDef], countIn(tree.text, "FunctionDef")) << tree.path;
    EXPECT_EQ(counter.patterns[PatternKind::As], countIn(tree.text, "MatchAs")) << tree.path;
  }
}

TEST(Grammar, RangesOfOperatorsAndNames) {
  Parsed sum("a + (b) ** 2");
  EXPECT_EQ(sum.text(sum.expr<BinOp>().opRange), "+");
  EXPECT_EQ(sum.text(cast<BinOp>(sum.expr<BinOp>().right).opRange), "**");
  Parsed attribute("a . b");
  EXPECT_EQ(attribute.text(attribute.expr<Attribute>().attrRange), "b");
  Parsed call("f(a, key = 1, **rest)");
  EXPECT_EQ(call.text(call.expr<Call>().keywords[0].nameRange), "key");
  EXPECT_EQ(call.expr<Call>().keywords[1].name, "");
  Parsed function("async def name(arg: int = 1): pass");
  auto &def = cast<FunctionDef>(function.module->body[0]);
  EXPECT_EQ(function.text(def.nameRange), "name");
  EXPECT_EQ(function.text(def.args->args[0].nameRange), "arg");
  EXPECT_EQ(function.text(def.args->args[0].range), "arg: int");
  Parsed augmented("x //= 2");
  EXPECT_EQ(augmented.text(cast<AugAssign>(augmented.module->body[0]).opRange), "//=");
}

TEST(Grammar, NumbersAreWrittenWithoutUnderscores) {
  auto number = [](const char *text) {
    Parsed parsed(text);
    auto &constant = parsed.expr<Constant>();
    return std::make_pair(constant.constant, std::string(constant.text));
  };
  EXPECT_EQ(number("0xFF_FF"), std::make_pair(ConstantKind::Int, std::string("0xFFFF")));
  EXPECT_EQ(number("0x1e5"), std::make_pair(ConstantKind::Int, std::string("0x1e5")));
  EXPECT_EQ(number("1_0.5e-1_0"), std::make_pair(ConstantKind::Float, std::string("10.5e-10")));
  EXPECT_EQ(number("1e5J"), std::make_pair(ConstantKind::Imaginary, std::string("1e5J")));
  EXPECT_EQ(number("00"), std::make_pair(ConstantKind::Int, std::string("00")));
}

/// The names of Unicode's characters are not known to the parser: the text says so by keeping the escape.
TEST(Grammar, NamedEscapesStayAsWritten) {
  EXPECT_EQ(Parsed("'a\\N{DIGIT ONE}b'").expr<Constant>().text, "a\\N{DIGIT ONE}b");
  Parsed format("f'a\\N{DIGIT ONE}b'");
  EXPECT_TRUE(format.diagnostics.empty());
  EXPECT_EQ(cast<Constant>(format.expr<JoinedStr>().values[0]).text, "a\\N{DIGIT ONE}b");
}

TEST(Grammar, LoneSurrogatesHaveTheirThreeByteForm) {
  EXPECT_EQ(Parsed("'\\ud83d'").expr<Constant>().text, "\xED\xA0\xBD");
}

TEST(Grammar, SelfDocumentingFieldsKeepTheirText) {
  Parsed parsed("f'a{ x = }b'");
  auto &values = parsed.expr<JoinedStr>().values;
  EXPECT_EQ(cast<Constant>(values[0]).text, "a x = ");
  auto &field = cast<FormattedValue>(values[1]);
  EXPECT_EQ(field.selfDocumenting, " x = ");
  EXPECT_EQ(field.conversion, 'r');
  EXPECT_EQ(cast<FormattedValue>(Parsed("f'{x=:3}'").expr<JoinedStr>().values[1]).conversion, 0);
}

TEST(Grammar, UnknownEscapesAreWarnings) {
  Parsed parsed("'\\d'");
  EXPECT_FALSE(parsed.diagnostics.hasErrors());
  ASSERT_EQ(parsed.diagnostics.all().size(), 1u);
  EXPECT_EQ(parsed.diagnostics.all()[0].id, "unknown-escape");
  EXPECT_EQ(parsed.expr<Constant>().text, "\\d");
}

TEST(Grammar, OperatorsAreSpelt) {
  EXPECT_EQ(spelling(BinaryOperator::FloorDiv), "//");
  EXPECT_EQ(spelling(BinaryOperator::BitAnd), "&");
  EXPECT_EQ(spelling(UnaryOperator::Not), "not");
  EXPECT_EQ(spelling(CompareOperator::NotIn), "not in");
}

} // namespace
} // namespace tilescope::syntax
