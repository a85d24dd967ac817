// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Building operations from C++: results are inferred, blocks are made, nothing is folded.
#include "compiler/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;

namespace tilescope::tile {
namespace {

class Builders : public testing::Test {
protected:
  Builders() : module(ModuleOp::create(location)) {
    FunctionType type = builder.getFunctionType({pointer, si32}, {});
    builder.setInsertionPointToStart(module->getBody());
    function = FuncOp::create(builder, location, "kernel", type);
    builder.setInsertionPointToEnd(&function.getBody().front());
  }

  Value integer(int64_t value) {
    return ConstantOp::create(builder, location, TypedAttr(IntegerAttr::get(si32, value)));
  }
  /// Ends the kernel and verifies the module.
  bool isValid() {
    ReturnOp::create(builder, location);
    return succeeded(verify(*module));
  }

  MLIRContext context = MLIRContext(MLIRContext::Threading::DISABLED);
  TileDialect *dialect = context.getOrLoadDialect<TileDialect>();
  OpBuilder builder{&context};
  Location location = builder.getUnknownLoc();
  Type f32 = builder.getF32Type();
  Type si32 = builder.getIntegerType(32, /*isSigned=*/true);
  Type pointer = PointerType::get(f32);
  OwningOpRef<ModuleOp> module;
  FuncOp function;
};

TEST_F(Builders, NothingIsFoldedUnlessAsked) {
  Value sum = AddOp::create(builder, location, integer(2), integer(0));
  EXPECT_TRUE(isa_and_nonnull<AddOp>(sum.getDefiningOp()));
  EXPECT_TRUE(isValid());
}

TEST_F(Builders, ALoadGivesThePointeeInTheShapeOfThePointers) {
  Value range = MakeRangeOp::create(builder, location, 0, 64);
  EXPECT_EQ(range.getType(), TileType::get({64}, si32));
  Value pointers = SplatOp::create(builder, location, TileType::get({64}, pointer), function.getArgument(0));
  Value moved = AddPtrOp::create(builder, location, pointers, range);
  Value mask = CmpOp::create(builder, location, Predicate::Lt, range, range);
  EXPECT_EQ(mask.getType(), TileType::get({64}, builder.getI1Type()));
  Value loaded = LoadOp::create(builder, location, moved, mask, Value());
  EXPECT_EQ(loaded.getType(), TileType::get({64}, f32));
  StoreOp::create(builder, location, moved, loaded, mask);
  EXPECT_TRUE(isValid());
}

TEST_F(Builders, AForLoopHasItsBlock) {
  Value zero = integer(0), one = integer(1);
  ForOp loop = ForOp::create(builder, location, zero, function.getArgument(1), one, ValueRange{zero});
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(loop.getBody());
    Value next = AddOp::create(builder, location, loop.carriedArguments()[0], loop.inductionVariable());
    YieldOp::create(builder, location, ValueRange{next});
  }
  EXPECT_EQ(loop.getResult(0).getType(), si32);
  EXPECT_TRUE(isValid());
}

TEST_F(Builders, AReductionInfersItsResultsAndKnowsItsCombiner) {
  Value range = MakeRangeOp::create(builder, location, 0, 8);
  ReduceOp reduce = ReduceOp::create(builder, location, ValueRange{range}, 0);
  EXPECT_EQ(reduce.getResult(0).getType(), si32);
  Block *block = reduce.combinerBlock();
  ASSERT_EQ(block->getNumArguments(), 2u);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    Value sum = AddOp::create(builder, location, block->getArgument(1), block->getArgument(0));
    YieldOp::create(builder, location, ValueRange{sum});
  }
  EXPECT_TRUE(isa_and_nonnull<AddOp>(reduce.singleCombiner()));
  EXPECT_TRUE(isValid());
}

TEST_F(Builders, ACombinerThatIsMoreThanOneOperationIsNone) {
  Value range = MakeRangeOp::create(builder, location, 0, 8);
  ScanOp scan = ScanOp::create(builder, location, ValueRange{range}, 0, /*reverse=*/true);
  EXPECT_TRUE(scan.getReverse());
  Block *block = scan.combinerBlock();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    Value doubled = AddOp::create(builder, location, block->getArgument(0), block->getArgument(0));
    YieldOp::create(builder, location, ValueRange{doubled});
  }
  EXPECT_EQ(scan.singleCombiner(), nullptr);
  EXPECT_TRUE(isValid());
}

TEST_F(Builders, ConditionalAndWhileHaveTheirBlocks) {
  Value yes = ConstantOp::create(builder, location, TypedAttr(builder.getBoolAttr(true)));
  IfOp branch = IfOp::create(builder, location, TypeRange{}, yes, /*withElse=*/false);
  EXPECT_NE(branch.thenBlock(), nullptr);
  EXPECT_EQ(branch.elseBlock(), nullptr);
  WhileOp loop = WhileOp::create(builder, location, TypeRange{si32}, ValueRange{integer(1)});
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(branch.thenBlock());
    YieldOp::create(builder, location);
    builder.setInsertionPointToEnd(loop.beforeBlock());
    ConditionOp::create(builder, location, yes, loop.beforeBlock()->getArguments());
    builder.setInsertionPointToEnd(loop.afterBlock());
    YieldOp::create(builder, location, loop.afterBlock()->getArguments());
  }
  EXPECT_TRUE(isValid());
}

TEST_F(Builders, ArgumentsSayWhatIsKnownOfThem) {
  function.setArgAttr(0, argumentNameAttr, builder.getStringAttr("x_ptr"));
  function.setArgAttr(0, argumentDivisibilityAttr, builder.getI32IntegerAttr(16));
  EXPECT_EQ(function.argumentName(0), "x_ptr");
  EXPECT_EQ(function.argumentDivisibility(0), 16);
  EXPECT_EQ(function.argumentName(1), "");
  EXPECT_EQ(function.argumentDivisibility(1), 1);
  EXPECT_TRUE(isValid());
}

TEST(TileTypes, AnswersForTilesAndScalars) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.getOrLoadDialect<TileDialect>();
  Builder builder(&context);
  Type f16 = builder.getF16Type(), tile = TileType::get({4, 8}, f16);
  EXPECT_EQ(elementTypeOf(tile), f16);
  EXPECT_EQ(elementTypeOf(f16), f16);
  EXPECT_EQ(elementCountOf(tile), 32);
  EXPECT_EQ(elementCountOf(f16), 1);
  EXPECT_EQ(shapeText(shapeOf(tile)), "4x8");
  EXPECT_EQ(shapeText(shapeOf(f16)), "scalar");
  EXPECT_EQ(booleanLike(tile), TileType::get({4, 8}, builder.getI1Type()));
  EXPECT_EQ(pointeeLike(TileType::get({2}, PointerType::get(f16))), TileType::get({2}, f16));
  EXPECT_EQ(pointeeLike(tile), Type());
  EXPECT_EQ(tileOrScalar({}, f16), f16);
  EXPECT_EQ(byteSizeOf(builder.getI1Type()), 1u);
  EXPECT_EQ(byteSizeOf(PointerType::get(f16)), 8u);
}

TEST(TileTypes, SignlessIntegersAreNoElements) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  Builder builder(&context);
  EXPECT_FALSE(isElement(builder.getI32Type()));
  EXPECT_FALSE(isElement(builder.getIndexType()));
  EXPECT_TRUE(isElement(builder.getI1Type()));
  EXPECT_TRUE(isElement(builder.getIntegerType(16, /*isSigned=*/false)));
  EXPECT_FALSE(isElement(builder.getIntegerType(24, /*isSigned=*/true)));
}

} // namespace
} // namespace tilescope::tile
