// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spans, call stacks and names go into a location and come out the same; also through MLIR's text.
#include "compiler/Dialect/Tile/IR/Locations.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using mlir::Location;

namespace tilescope::tile {
namespace {

class Locations : public testing::Test {
protected:
  /// The span of `part` in the text; it has to be there.
  SourceSpan span(std::string_view part) const {
    size_t begin = file->text().find(part);
    EXPECT_NE(begin, std::string_view::npos);
    return {file, {uint32_t(begin), uint32_t(begin + part.size())}};
  }

  mlir::MLIRContext context;
  SourceFilePtr file = std::make_shared<SourceFile>(
      "dir with space/内核.py", "x = 1\r\ns = 'é😀' + y\ndef f():\n  return g(x,\n    s)\n");
};

TEST_F(Locations, ASpanComesBackInBytes) {
  auto origin = readLocation(makeLocation(&context, span("+ y")));
  ASSERT_TRUE(origin.has_value());
  // "s = '" is 5 bytes, é is 2 and the emoji 4, "' " 2: the plus is byte 14 of its line.
  EXPECT_EQ(origin->place, (SourcePlace{"dir with space/内核.py", 2, 14, 2, 17}));
  EXPECT_EQ(origin->variable, "");
  EXPECT_TRUE(origin->callStack.empty());
}

TEST_F(Locations, ASpanOverLinesKeepsBothEnds) {
  SourceSpan call = span("g(x,\n    s)");
  auto origin = readLocation(makeLocation(&context, call));
  ASSERT_TRUE(origin.has_value());
  EXPECT_EQ(origin->place, (SourcePlace{file->path(), 4, 10, 5, 7}));
  EXPECT_EQ(rangeOf(origin->place, *file), call.range);
}

TEST_F(Locations, NameAndCallStackComeBack) {
  std::vector<SourceSpan> calls{span("g(x,"), span("def f()")};
  Location location = makeLocation(&context, span("x = 1"), calls, "größe");
  auto origin = readLocation(location);
  ASSERT_TRUE(origin.has_value());
  EXPECT_EQ(origin->variable, "größe");
  EXPECT_EQ(rangeOf(origin->place, *file), span("x = 1").range);
  ASSERT_EQ(origin->callStack.size(), 2u);
  EXPECT_EQ(rangeOf(origin->callStack[0], *file), calls[0].range);
  EXPECT_EQ(rangeOf(origin->callStack[1], *file), calls[1].range);
}

TEST_F(Locations, TextOfALocationReadsBack) {
  Location location = makeLocation(&context, span("return"), {span("g(x,")}, "acc");
  std::string text;
  llvm::raw_string_ostream(text) << location;
  auto attribute = mlir::parseAttribute(text, &context);
  ASSERT_TRUE(attribute);
  auto parsed = llvm::dyn_cast<mlir::LocationAttr>(attribute);
  ASSERT_TRUE(parsed);
  std::string again;
  llvm::raw_string_ostream(again) << parsed;
  EXPECT_EQ(again, text);
  EXPECT_EQ(readLocation(Location(parsed)), readLocation(location));
}

TEST_F(Locations, ANewNameTakesTheOldOnesPlace) {
  Location location = withVariable(makeLocation(&context, span("x = 1"), {}, "a"), "b");
  EXPECT_EQ(location, makeLocation(&context, span("x = 1"), {}, "b"));
}

// MLIR's inliner makes call sites of its own around what the helper had.
TEST_F(Locations, CallSitesOfTheInlinerNest) {
  Location callee = makeLocation(&context, span("x = 1"), {span("def f()")}, "t");
  Location caller = makeLocation(&context, span("g(x,"), {}, "u");
  auto origin = readLocation(mlir::CallSiteLoc::get(callee, caller));
  ASSERT_TRUE(origin.has_value());
  EXPECT_EQ(origin->variable, "t");
  ASSERT_EQ(origin->callStack.size(), 2u);
  EXPECT_EQ(rangeOf(origin->callStack[0], *file), span("def f()").range);
  EXPECT_EQ(rangeOf(origin->callStack[1], *file), span("g(x,").range);
}

TEST_F(Locations, AFusedLocationGivesItsFirstPlace) {
  Location nowhere = mlir::UnknownLoc::get(&context);
  Location first = makeLocation(&context, span("x = 1")), second = makeLocation(&context, span("s = "));
  auto origin = readLocation(mlir::FusedLoc::get(&context, {nowhere, first, second}));
  ASSERT_TRUE(origin.has_value());
  EXPECT_EQ(origin, readLocation(first));
}

TEST_F(Locations, NoPlaceIsNothing) {
  EXPECT_FALSE(readLocation(mlir::UnknownLoc::get(&context)).has_value());
  EXPECT_FALSE(readLocation(makeLocation(&context, SourceSpan{})).has_value());
}

TEST_F(Locations, APlaceStaysWithinATextThatHasChanged) {
  SourceFile shorter("k.py", "ab\n");
  EXPECT_EQ(rangeOf({"k.py", 1, 2, 7, 9}, shorter), (SourceRange{1, 3}));
  EXPECT_EQ(rangeOf({"k.py", 1, 50, 1, 60}, shorter), (SourceRange{2, 2}));
}

} // namespace
} // namespace tilescope::tile
