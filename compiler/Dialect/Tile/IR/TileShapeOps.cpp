// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that move elements: inference, verifiers, folders.
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/IR/TileLayout.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

LogicalResult verifySameElements(Operation *op, Type operand, TileType result) {
  if (elementTypeOf(operand) == result.getElementType())
    return success();
  return op->emitOpError() << "operand has elements of " << elementTypeOf(operand) << ", result of "
                           << result.getElementType();
}

/// An axis from 0 to `rank` - 1.
LogicalResult verifyAxis(Operation *op, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return op->emitOpError() << "axis " << axis << " is not between 0 and " << rank - 1;
}

/// A tile that is not moved has the layout that follows from the result's.
LogicalResult verifyOperandLayout(Operation *op, LayoutAttr layout, LayoutAttr wanted) {
  if (layout == wanted)
    return success();
  return op->emitOpError() << "the operand's layout is " << layout << ", the result's asks for " << wanted;
}

/// A splat's scalar attribute is the splat of any shape.
bool isSplatConstant(Attribute value) { return isa_and_nonnull<IntegerAttr, FloatAttr>(value); }

} // namespace

//===- Splat and broadcast ------------------------------------------------------------------------===//

LogicalResult SplatOp::verify() { return verifySameElements(*this, getOperand().getType(), getType()); }

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  return isSplatConstant(adaptor.getOperand()) ? adaptor.getOperand() : Attribute();
}

LogicalResult BroadcastOp::verify() {
  if (failed(verifySameElements(*this, getOperand().getType(), getType())))
    return failure();
  ArrayRef<int64_t> from = getOperand().getType().getShape(), to = getType().getShape();
  if (from.size() != to.size())
    return emitOpError() << "operand has rank " << from.size() << ", result " << to.size();
  for (auto [axis, size, wanted] : llvm::enumerate(from, to))
    if (size != wanted && size != 1)
      return emitOpError() << "axis " << axis << " goes from " << size << " to " << wanted
                           << ", only 1 is stretched";
  return verifyOperandLayout(*this, getOperand().getType().getLayout(),
                             broadcastOperandLayout(getType().getLayout(), from));
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  return isSplatConstant(adaptor.getOperand()) ? adaptor.getOperand() : Attribute();
}

namespace {

/// broadcast(splat x) is a splat of x.
struct BroadcastOfSplat final : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    auto splat = op.getOperand().getDefiningOp<SplatOp>();
    if (!splat)
      return failure();
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getOperand());
    return success();
  }
};

/// broadcast(broadcast x) is one broadcast of x.
struct BroadcastOfBroadcast final : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<BroadcastOp>();
    if (!inner)
      return failure();
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getOperand());
    return success();
  }
};

} // namespace

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<BroadcastOfSplat, BroadcastOfBroadcast>(context);
}

//===- Dimensions ---------------------------------------------------------------------------------===//

LogicalResult ExpandDimsOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  auto type = cast<TileType>(adaptor.getOperand().getType());
  SmallVector<int64_t> shape(type.getShape());
  if (adaptor.getAxis() > shape.size())
    return failure();
  shape.insert(shape.begin() + adaptor.getAxis(), 1);
  LayoutAttr layout = expandDimsLayout(type.getLayout(), adaptor.getAxis());
  types.push_back(TileType::get(shape, type.getElementType(), layout));
  return success();
}

LogicalResult ExpandDimsOp::verify() { return verifyAxis(*this, getAxis(), getType().getRank()); }

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return isSplatConstant(adaptor.getOperand()) ? adaptor.getOperand() : Attribute();
}

LogicalResult ReshapeOp::verify() {
  if (failed(verifySameElements(*this, getOperand().getType(), getType())))
    return failure();
  int64_t before = getOperand().getType().elementCount(), after = getType().elementCount();
  if (before != after)
    return emitOpError() << "operand has " << before << " elements, result " << after;
  return getAllowReorder()
             ? success()
             : verifyOperandLayout(*this, getOperand().getType().getLayout(),
                                   reshapeLayout(getType().getLayout(), getOperand().getType().getShape()));
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType() && !getAllowReorder())
    return getOperand();
  return isSplatConstant(adaptor.getOperand()) ? adaptor.getOperand() : Attribute();
}

/// Whether `order` has each of 0 to its size - 1 once.
static bool isPermutation(ArrayRef<int32_t> order) {
  SmallVector<int32_t> sorted(order);
  llvm::sort(sorted);
  return llvm::equal(sorted, llvm::seq<int32_t>(0, order.size()));
}

LogicalResult PermuteOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  auto type = cast<TileType>(adaptor.getOperand().getType());
  ArrayRef<int32_t> order = adaptor.getOrder();
  if (int64_t(order.size()) != type.getRank() || !isPermutation(order))
    return failure();
  SmallVector<int64_t> shape;
  for (int32_t axis : order)
    shape.push_back(type.getDimSize(axis));
  types.push_back(TileType::get(shape, type.getElementType(), permuteLayout(type.getLayout(), order)));
  return success();
}

LogicalResult PermuteOp::verify() {
  if (int64_t(getOrder().size()) != getType().getRank() || !isPermutation(getOrder()))
    return emitOpError() << "order [" << getOrder() << "] does not have each axis of "
                         << shapeText(getOperand().getType().getShape()) << " once";
  return success();
}

OpFoldResult PermuteOp::fold(FoldAdaptor adaptor) {
  if (llvm::is_sorted(getOrder()))
    return getOperand();
  return isSplatConstant(adaptor.getOperand()) ? adaptor.getOperand() : Attribute();
}

//===- Two tiles and one --------------------------------------------------------------------------===//

LogicalResult JoinOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  Type operand = adaptor.getLhs().getType();
  SmallVector<int64_t> shape(shapeOf(operand));
  shape.push_back(2);
  types.push_back(TileType::get(shape, elementTypeOf(operand), joinLayout(layoutOf(operand))));
  return success();
}

LogicalResult SplitOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  auto type = cast<TileType>(adaptor.getOperand().getType());
  LayoutAttr layout = splitLayout(type.getLayout());
  types.assign(2, tileOrScalar(type.getShape().drop_back(), type.getElementType(), layout));
  return success();
}

LogicalResult SplitOp::verify() {
  int64_t last = getOperand().getType().getShape().back();
  if (last != 2)
    return emitOpError() << "last dimension is " << last << ", not 2";
  return success();
}

LogicalResult SplitOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &results) {
  auto join = getOperand().getDefiningOp<JoinOp>();
  if (!join)
    return failure();
  results.append({join.getLhs(), join.getRhs()});
  return success();
}

LogicalResult CatOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  auto type = cast<TileType>(adaptor.getLhs().getType());
  SmallVector<int64_t> shape(type.getShape());
  if (adaptor.getAxis() >= shape.size())
    return failure();
  shape[adaptor.getAxis()] *= 2;
  LayoutAttr layout = catLayout(type.getLayout(), adaptor.getAxis());
  types.push_back(TileType::get(shape, type.getElementType(), layout));
  return success();
}

LogicalResult CatOp::verify() { return verifyAxis(*this, getAxis(), getType().getRank()); }

//===- Elements by index --------------------------------------------------------------------------===//

LogicalResult GatherOp::verify() {
  TileType source = getSource().getType(), indices = getIndices().getType();
  if (!isWideInteger(indices.getElementType()))
    return emitOpError() << "indices are of " << indices.getElementType() << ", not of integers";
  if (getType() != TileType::get(indices.getShape(), source.getElementType(), indices.getLayout()))
    return emitOpError() << "elements of " << source << " at indices of " << shapeText(indices.getShape())
                         << " are no " << getType();
  if (failed(verifyAxis(*this, getAxis(), source.getRank())))
    return failure();
  bool fits = source.getRank() == indices.getRank();
  for (int64_t i = 0; fits && i < source.getRank(); ++i)
    fits = i == getAxis() || source.getDimSize(i) == indices.getDimSize(i);
  if (fits)
    return success();
  return emitOpError() << "source has shape " << shapeText(source.getShape()) << ", the indices "
                       << shapeText(indices.getShape()) << ": they may differ along axis " << getAxis()
                       << " only";
}

} // namespace tilescope::tile

#define GET_OP_CLASSES
#include "compiler/Dialect/Tile/IR/TileShapeOps.cpp.inc"
