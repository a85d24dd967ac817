// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements by index, histograms, functions of single elements, scaled products.
#include "compiler/Interpreter/Flattener.h"
#include "compiler/Interpreter/Machine.h"

#include <llvm/ADT/TypeSwitch.h>

namespace tilescope::interp {

namespace {

std::vector<int64_t> vectorOf(llvm::ArrayRef<int64_t> values) { return {values.begin(), values.end()}; }

} // namespace

void Flattener::gather(tile::GatherOp op) {
  const llvm::ArrayRef<int64_t> source = op.getSource().getType().getShape(), shape = op.getType().getShape();
  GatherDetail detail{.shape = vectorOf(shape)};
  const size_t axis = op.getAxis();
  for (size_t i = 0; i < shape.size(); ++i)
    (i < axis ? detail.outer : i == axis ? detail.indices : detail.inner) *= static_cast<uint32_t>(shape[i]);
  detail.length = static_cast<uint32_t>(source[axis]);
  const Operand from = full(op.getSource());
  const Operand indices =
      m_code.full(m_code.cast(get(op.getIndices()), ElementType::Int64), elementsOf(op.getType()));
  const Operand result = m_code.fresh(from.type, indices.stored);
  m_code.emit(interp::gather(from.slotBytes()), result, {from, indices}, result.stored,
              m_code.detail(std::move(detail)));
  set(op, result);
}

void Flattener::histogram(tile::HistogramOp op) {
  const Operand values = full(op.getOperand());
  const Operand result = m_code.fresh(ElementType::Int32, elementsOf(op.getType()));
  if (op.getMask())
    m_code.emit(interp::histogram(), result, {values, full(op.getMask())}, values.stored, result.stored);
  else
    m_code.emit(interp::histogram(), result, {values}, values.stored, result.stored);
  m_code.flow(Flow::Histogram, vectorOf(op.getOperand().getType().getShape()));
  set(op, result);
}

//===- Functions of elements -----------------------------------------------------------------------===//

/// Only what computes each element from those at its place, without a branch, can run on whole tiles.
static bool isPlain(tile::MapOp map) {
  return llvm::all_of(map.functionBlock()->without_terminator(), [](mlir::Operation &op) {
    const auto isScalar = [](mlir::Type type) { return !llvm::isa<tile::TileType>(type); };
    return op.getNumRegions() == 0 && mlir::isMemoryEffectFree(&op) &&
           !llvm::isa<tile::CallOp, tile::InlineAsmOp, tile::SplatOp>(op) &&
           llvm::all_of(op.getResultTypes(), isScalar) && llvm::all_of(op.getOperandTypes(), isScalar);
  });
}

bool Flattener::map(tile::MapOp op) { return isPlain(op) ? mapAtOnce(op) : mapOneByOne(op); }

/// Every `pack`-th element of an operand is an argument of its own.
bool Flattener::mapAtOnce(tile::MapOp op) {
  const int64_t pack = op.getPack(), groups = elementsOf(op.getOperand(0).getType()) / pack;
  const auto place = m_code.place();
  mlir::Block &function = *op.functionBlock();
  for (auto [index, operand] : llvm::enumerate(op.getOperands()))
    for (int64_t i = 0; i < pack; ++i) {
      const bool isWhole = pack == 1 || get(operand).stored == 1;
      set(function.getArgument(index * pack + i),
          isWhole ? get(operand)
                  : m_code.moved(get(operand), static_cast<uint32_t>(groups), {{groups}, {pack}, {1}, i, 0}));
    }
  if (!block(function))
    return false;
  m_code.returnTo(place);
  mlir::ValueRange yielded = op.terminator().getOperands();
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    if (pack == 1) {
      set(result, get(yielded[index]));
      continue;
    }
    const Operand whole =
        m_code.fresh(interp::elementTypeOf(result.getType()), static_cast<uint32_t>(groups * pack));
    for (int64_t i = 0; i < pack; ++i)
      m_code.moveInto(whole, m_code.full(get(yielded[index * pack + i]), static_cast<uint32_t>(groups)),
                      {{groups}, {1}, {pack}, 0, i});
    set(result, whole);
  }
  return true;
}

/// A loop over the groups, so that a branch is one of each group.
bool Flattener::mapOneByOne(tile::MapOp op) {
  const int32_t pack = static_cast<int32_t>(op.getPack());
  const uint32_t count = elementsOf(op.getOperand(0).getType()), place = m_code.place();
  mlir::Block &function = *op.functionBlock();
  std::vector<Operand> operands, results;
  for (mlir::Value operand : op.getOperands())
    operands.push_back(get(operand));
  for (mlir::Value result : op.getResults())
    results.push_back(m_code.fresh(interp::elementTypeOf(result.getType()), count));
  const auto number = [&](int32_t value) {
    return m_code.constant(ElementType::Int32, static_cast<uint32_t>(value));
  };
  // Elements are put one at a time: the slots are theirs from here on.
  for (const Operand &result : results)
    m_code.copyInto(result, m_code.constant(result.type, 0));
  const auto loop = m_code.beginFor(number(0), number(static_cast<int32_t>(count)), number(pack));
  m_code.emit(&control::nothing, {}, 1).cost = 0;
  m_code.flow(Flow::MapBegin);
  const uint32_t begin = m_code.position();
  for (auto [index, operand] : llvm::enumerate(operands))
    for (int32_t i = 0; i < pack; ++i) {
      Operand element = operand;
      if (operand.stored != 1) {
        element = m_code.fresh(operand.type, 1);
        m_code.emit(pickElement(operand.slotBytes()), element, {operand, loop.induction}, 1,
                    static_cast<uint32_t>(i));
      }
      set(function.getArgument(index * pack + i), element);
    }
  if (!block(function))
    return false;
  m_code.branchesDecideElements(begin);
  m_code.returnTo(place);
  for (auto [index, value] : llvm::enumerate(op.terminator().getOperands()))
    m_code.emit(putElement(results[index / pack].slotBytes()), results[index / pack],
                {get(value), loop.induction}, 1, static_cast<uint32_t>(index % pack));
  m_code.endFor(loop);
  for (auto [result, value] : llvm::zip_equal(op.getResults(), results))
    set(result, value);
  return true;
}

//===- Scaled products -----------------------------------------------------------------------------===//

namespace {

/// What is known of one side before its product.
struct ScaledSide {
  Operand elements;
  std::optional<Operand> scales;
  mlir::Type scaleType;
  tile::ScaleFormat format;
  bool kPack, isLeft;
};

/// In fp32, with its scales multiplied in. `k` and `other` are its sizes in elements.
Operand unpacked(Assembler &code, const ScaledSide &side, uint32_t batch, uint32_t k, uint32_t other,
                 bool fastMath) {
  const bool isPacked = side.format == tile::ScaleFormat::E2M1;
  ScaledDetail detail{.batch = batch, .rows = side.isLeft ? other : k, .columns = side.isLeft ? k : other};
  detail.packedColumns = isPacked && side.kPack == side.isLeft;
  detail.packedRows = isPacked && !detail.packedColumns;
  detail.scalesRows = side.isLeft;
  detail.ignoreNaN = fastMath;
  const Operand result = code.fresh(ElementType::Float32, batch * k * other);
  if (!side.scales) {
    code.emit(unpackScaled(isPacked), result, {side.elements}, result.stored, code.detail(std::move(detail)));
    return result;
  }
  detail.group = k / static_cast<uint32_t>(tile::shapeOf(side.scaleType).back());
  detail.realScales = isFloat(side.scales->type);
  code.emit(unpackScaled(isPacked), result, {side.elements, *side.scales}, result.stored,
            code.detail(std::move(detail)));
  return result;
}

} // namespace

void Flattener::dotScaled(tile::DotScaledOp op) {
  const llvm::ArrayRef<int64_t> shape = op.getType().getShape();
  const bool packedK = op.getAFormat() == tile::ScaleFormat::E2M1 && op.getAKPack();
  DotDetail detail;
  detail.batch = shape.size() == 3 ? uint32_t(shape[0]) : 1;
  detail.m = uint32_t(shape[shape.size() - 2]);
  detail.n = uint32_t(shape.back());
  detail.k = uint32_t(op.getA().getType().getShape().back()) * (packedK ? 2 : 1);
  const auto side = [&](mlir::Value elements, mlir::Value scale, tile::ScaleFormat format, bool kPack,
                        bool isLeft) {
    ScaledSide result{full(elements), std::nullopt, {}, format, kPack, isLeft};
    if (scale) {
      result.scales = full(scale);
      result.scaleType = scale.getType();
    }
    return result;
  };
  const Operand a = unpacked(m_code, side(op.getA(), op.getAScale(), op.getAFormat(), op.getAKPack(), true),
                             detail.batch, detail.k, detail.m, op.getFastMath());
  const Operand b = unpacked(m_code, side(op.getB(), op.getBScale(), op.getBFormat(), op.getBKPack(), false),
                             detail.batch, detail.k, detail.n, op.getFastMath());
  const Operand result = m_code.fresh(ElementType::Float32, elementsOf(op.getType()));
  const uint64_t cost = uint64_t(result.stored) * detail.k;
  m_code
      .emit(interp::dot(ElementType::Float32, ElementType::Float32), result, {a, b, get(op.getAccumulator())},
            result.stored, m_code.detail(detail))
      .cost = static_cast<uint32_t>(std::clamp<uint64_t>(cost / 8, 16, ~uint32_t(0)));
  m_code.flow(Flow::Dot, Op::Mul, ElementType::Float32);
  set(op, result);
}

Flattener::Outcome Flattener::elements(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, Outcome>(op)
      .Case([&](tile::GatherOp op) {
        gather(op);
        return Outcome::Done;
      })
      .Case([&](tile::HistogramOp op) {
        histogram(op);
        return Outcome::Done;
      })
      .Case([&](tile::MapOp op) { return map(op) ? Outcome::Done : Outcome::Failed; })
      .Case([&](tile::DotScaledOp op) {
        dotScaled(op);
        return Outcome::Done;
      })
      .Case([&](tile::InlineAsmOp op) {
        inlineAssembly(op);
        return Outcome::Done;
      })
      // Here a program is one thread: there is nobody to wait for.
      .Case([&](tile::BarrierOp) { return Outcome::Done; })
      .Default([](mlir::Operation *) { return Outcome::NotMine; });
}

} // namespace tilescope::interp
