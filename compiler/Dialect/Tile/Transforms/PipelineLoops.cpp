// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that fetches `stages - 1` trips ahead. Each trip waits for its own copies, then begins those of a trip to come
// in the buffer that the trip before has done with: with as many buffers as stages, one barrier a trip holds both
// (`tile-insert-barriers` finds its place). Addresses and masks of the trips to come are computed from carried values of
// their own, which run ahead; a copy for a trip that will not be is masked off.
#include "compiler/Analysis/AxisInfo.h"
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/Transforms/LoadsAhead.h"
#include "compiler/Dialect/Tile/Transforms/Loops.h"
#include "compiler/Dialect/Tile/Transforms/Relayout.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilescope::tile {
namespace {

constexpr int64_t defaultStages = 3;

/// What addresses and masks of loads are computed from within a trip: operations, and values carried from trip to trip.
struct Slice {
  llvm::SetVector<Operation *> operations;
  llvm::SetVector<unsigned> carried; ///< indices

  /// False if something in it has an effect or a region. Then it is as it was.
  bool add(ForOp loop, ValueRange roots);
};

bool Slice::add(ForOp loop, ValueRange roots) {
  Slice grown = *this;
  SmallVector<Value> open(roots);
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      const unsigned number = argument.getArgNumber();
      if (argument.getOwner() == loop.getBody() && number > 0 && grown.carried.insert(number - 1))
        open.push_back(loop.terminator().getOperand(number - 1));
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!loop->isProperAncestor(op) || !grown.operations.insert(op))
      continue;
    if (!isMemoryEffectFree(op) || op->getNumRegions() > 0 || op->getBlock() != loop.getBody())
      return false;
    llvm::append_range(open, op->getOperands());
  }
  *this = std::move(grown);
  return true;
}

/// A load whose elements go to a buffer and nowhere else.
struct StagedLoad {
  LoadOp load;
  SharedAllocOp buffer;
};

class Pipeline {
public:
  Pipeline(ForOp loop, int64_t stages, int64_t step) : m_loop(loop), m_stages(stages), m_step(step) {}

  bool findLoads(const analysis::AxisInfoAnalysis &facts);
  void run();

private:
  using Tokens = SmallVector<Value>;
  /// Computes addresses for the trip at `induction`, and begins its copies into slot `slot`; `carried` goes one trip on.
  void fetch(OpBuilder &builder, Value induction, Value isTrip, Value slot, SmallVectorImpl<Value> &carried);
  void fetchFirst(OpBuilder &builder, SmallVectorImpl<Value> &carried);
  void fetchInLoop(ArrayRef<Value> carried);
  /// Whether the loop gets at least `trips` trips further than `induction`.
  Value hasTrip(OpBuilder &builder, Value induction, int64_t trips);
  Value constant(OpBuilder &builder, Type type, int64_t value) {
    return ConstantOp::create(builder, m_loop.getLoc(), IntegerAttr::get(type, value));
  }
  Value nextSlot(OpBuilder &builder, Value slot);
  Type slotType() { return IntegerType::get(m_loop.getContext(), 32, IntegerType::Signed); }

  ForOp m_loop;
  int64_t m_stages, m_step;
  SmallVector<StagedLoad> m_loads;
  SmallVector<Value> m_buffers;
  Slice m_slice;
};

Value slotOf(OpBuilder &builder, Location location, Value buffers, Value index) {
  return SharedSlotOp::create(builder, location, cast<BufferType>(buffers.getType()).slot(), buffers, index);
}

/// Zero, or nothing: what `cp.async` puts where it does not copy.
bool isZeroOrNone(Value other) {
  if (!other)
    return true;
  auto constant = other.getDefiningOp<ConstantOp>();
  if (!constant)
    return false;
  if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
    return number.getValue().isPosZero();
  return cast<IntegerAttr>(constant.getValue()).getValue().isZero();
}

/// `cp.async` copies 4, 8 or 16 bytes.
bool isWideEnough(LoadOp load, const analysis::AxisInfoAnalysis &facts) {
  constexpr int64_t leastBytes = 4;
  const auto type = dyn_cast<TileType>(load.getType());
  if (!type)
    return false;
  const layout::LinearLayout &map = type.getLayout().getMap();
  // The dimension along which a thread's first two elements lie.
  if (map.inputBits(layout::Dim::Register) == 0)
    return byteSizeOf(type.getElementType()) >= leastBytes;
  const uint64_t first = map.basis(layout::Dim::Register, 0);
  for (unsigned axis = 0; axis < type.getRank(); ++axis)
    if (first == uint64_t(1) << map.outputShift(layout::tileDim(axis)))
      return facts.vectorElements(load.getPointer(), load.getMask(), axis) * byteSizeOf(type.getElementType()) >=
             leastBytes;
  return byteSizeOf(type.getElementType()) >= leastBytes;
}

bool Pipeline::findLoads(const analysis::AxisInfoAnalysis &facts) {
  const LoadsAhead ahead(m_loop);
  for (LoadOp load : m_loop.getBody()->getOps<LoadOp>()) {
    if (!load->hasOneUse() || load.getIsVolatile() || !isZeroOrNone(load.getOther()) ||
        !isWideEnough(load, facts) || !ahead.isAllowed(load))
      continue;
    auto buffer = dyn_cast<SharedAllocOp>(*load->user_begin());
    if (!buffer || buffer->getBlock() != load->getBlock())
      continue;
    if (m_slice.add(m_loop, load->getOperands()))
      m_loads.push_back({load, buffer});
  }
  return !m_loads.empty();
}

Value Pipeline::hasTrip(OpBuilder &builder, Value induction, int64_t trips) {
  // The distance to the end is positive, and fits the type taken as unsigned.
  const Location location = m_loop.getLoc();
  const Type type = IntegerType::get(builder.getContext(), bitWidthOf(induction.getType()), IntegerType::Unsigned);
  Value distance = SubOp::create(builder, location, m_loop.getUpper(), induction);
  if (distance.getType() != type)
    distance = BitcastOp::create(builder, location, type, distance);
  Value ahead = ConstantOp::create(builder, location, IntegerAttr::get(type, APInt(bitWidthOf(type), uint64_t(trips * m_step))));
  return CmpOp::create(builder, location, Predicate::Gt, distance, ahead);
}

void Pipeline::fetch(OpBuilder &builder, Value induction, Value isTrip, Value slot, SmallVectorImpl<Value> &carried) {
  IRMapping map;
  map.map(m_loop.inductionVariable(), induction);
  for (auto [index, value] : llvm::zip(m_slice.carried, carried))
    map.map(m_loop.carriedArguments()[index], value);
  for (Operation &op : *m_loop.getBody())
    if (m_slice.operations.contains(&op))
      builder.clone(op, map);
  Tokens tokens;
  for (auto [staged, buffer] : llvm::zip(m_loads, m_buffers)) {
    LoadOp load = staged.load;
    const Location location = load.getLoc();
    Value place = slotOf(builder, location, buffer, slot);
    Value mask = SplatOp::create(builder, location, booleanLike(load.getType()), isTrip);
    if (load.getMask())
      mask = AndOp::create(builder, location, map.lookupOrDefault(load.getMask()), mask);
    Value other = load.getOther() ? map.lookupOrDefault(load.getOther()) : Value();
    tokens.push_back(AsyncCopyOp::create(builder, location, TokenType::get(builder.getContext()),
                                         map.lookupOrDefault(load.getPointer()), mask, other, place, load.getCache(),
                                         load.getEviction()));
  }
  AsyncCommitOp::create(builder, m_loop.getLoc(), TokenType::get(builder.getContext()), tokens);
  for (auto [index, value] : llvm::zip(m_slice.carried, carried))
    value = map.lookupOrDefault(m_loop.terminator().getOperand(index));
}

void Pipeline::fetchFirst(OpBuilder &builder, SmallVectorImpl<Value> &carried) {
  const Location location = m_loop.getLoc();
  Value lower = m_loop.getLower();
  Value any = CmpOp::create(builder, location, Predicate::Lt, lower, m_loop.getUpper());
  for (int64_t trip = 0; trip + 1 < m_stages; ++trip) {
    Value induction = lower, isTrip = any;
    if (trip > 0) {
      induction = AddOp::create(builder, location, lower, constant(builder, lower.getType(), trip * m_step));
      isTrip = AndOp::create(builder, location, any, hasTrip(builder, lower, trip));
    }
    fetch(builder, induction, isTrip, constant(builder, slotType(), trip), carried);
  }
}

Value Pipeline::nextSlot(OpBuilder &builder, Value slot) {
  const Location location = m_loop.getLoc();
  Value next = AddOp::create(builder, location, slot, constant(builder, slotType(), 1));
  Value isLast = CmpOp::create(builder, location, Predicate::Eq, next, constant(builder, slotType(), m_stages));
  return SelectOp::create(builder, location, isLast, constant(builder, slotType(), 0), next);
}

void Pipeline::fetchInLoop(ArrayRef<Value> carried) {
  const Location location = m_loop.getLoc();
  OpBuilder builder(m_loop);
  SmallVector<Value> initial(carried);
  initial.push_back(constant(builder, slotType(), m_stages - 1)); // the slot to fill
  initial.push_back(constant(builder, slotType(), 0));            // the slot to use
  const unsigned before = m_loop->getNumResults();
  m_loop = appendCarried(m_loop, initial);
  SmallVector<Value> ahead(m_loop.carriedArguments().drop_front(before));
  Value use = ahead.pop_back_val(), fill = ahead.pop_back_val();

  builder.setInsertionPointToStart(m_loop.getBody());
  AsyncWaitOp::create(builder, location, uint32_t(m_stages - 2));
  Value induction = m_loop.inductionVariable();
  Value isTrip = hasTrip(builder, induction, m_stages - 1);
  induction = AddOp::create(builder, location, induction,
                            constant(builder, induction.getType(), (m_stages - 1) * m_step));
  fetch(builder, induction, isTrip, fill, ahead);
  for (auto [staged, buffer] : llvm::zip(m_loads, m_buffers)) {
    builder.setInsertionPoint(staged.buffer);
    Value slot = slotOf(builder, staged.buffer.getLoc(), buffer, use);
    staged.buffer.replaceAllUsesWith(slot);
    staged.buffer.erase();
    staged.load.erase();
  }
  builder.setInsertionPoint(m_loop.terminator());
  ahead.push_back(nextSlot(builder, fill));
  ahead.push_back(nextSlot(builder, use));
  m_loop.terminator()->insertOperands(m_loop.terminator()->getNumOperands(), ahead);
}

void Pipeline::run() {
  OpBuilder builder(m_loop);
  for (StagedLoad &staged : m_loads) {
    const BufferType type = cast<BufferType>(staged.buffer.getType());
    const BufferType all = BufferType::get(type.getShape(), type.getElementType(), type.getLayout(), m_stages);
    m_buffers.push_back(SharedAllocOp::create(builder, staged.buffer.getLoc(), all, Value(), IntegerAttr()));
  }
  SmallVector<Value> carried;
  for (unsigned index : m_slice.carried)
    carried.push_back(m_loop.getInitial()[index]);
  fetchFirst(builder, carried);
  fetchInLoop(carried);
  builder.setInsertionPointAfter(m_loop);
  AsyncWaitOp::create(builder, m_loop.getLoc(), uint32_t(0)); // copies for trips that were not
}

/// The step of a loop, if it is known and positive.
std::optional<int64_t> stepOf(ForOp loop) {
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) || step.getSExtValue() <= 0)
    return std::nullopt;
  return step.getSExtValue();
}

} // namespace

void pipelineLoops(FuncOp kernel) {
  if (capabilityOf(kernel) < 80)
    return; // no asynchronous copies
  const analysis::AxisInfoAnalysis facts(kernel);
  SmallVector<ForOp> loops;
  kernel.walk([&](ForOp loop) { loops.push_back(loop); });
  for (ForOp loop : loops) {
    const int64_t stages = loop.getNumStages().value_or(kernel.getNumStages().value_or(defaultStages));
    const std::optional<int64_t> step = stepOf(loop);
    if (stages < 2 || !step)
      continue;
    Pipeline pipeline(loop, stages, *step);
    if (pipeline.findLoads(facts))
      pipeline.run();
  }
}

} // namespace tilescope::tile
