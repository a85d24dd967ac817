// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products by tensor cores: mma.sync (PTX ISA, "Matrix multiply-accumulate operation using mma instruction"). Layouts
// (layout::mmaAccumulator, mmaOperand) are its fragments, so all that is left is which registers make which instruction.
// fp32 comes as TF32, of which the tensor core does not read the low 13 bits, or as parts of few digits whose products are
// summed, the small ones first.
#include "compiler/Conversion/TileToLLVM/ByElement.h"
#include "compiler/Conversion/TileToLLVM/Operations.h"
#include "compiler/Conversion/TileToLLVM/SharedTile.h"

namespace tilescope::codegen {
namespace {

using Words = llvm::SmallVector<llvm::Value *, 4>; ///< i32 each
using Parts = llvm::SmallVector<Words, 1>;         ///< the greatest first

/// What the tensor core reads: its type in PTX, and how many parts an element comes in.
struct Operand {
  std::string name;
  unsigned bits = 0;
  unsigned parts = 1;
};

/// No name where tensor cores do not know the type.
Operand operandOf(mlir::Type element, tile::InputPrecision precision) {
  if (element.isF32()) {
    switch (precision) {
    case tile::InputPrecision::Tf32x3:
      return {"tf32", 32, 2};
    case tile::InputPrecision::Bf16x3:
      return {"bf16", 16, 2};
    case tile::InputPrecision::Bf16x6:
      return {"bf16", 16, 3};
    default:
      return {"tf32", 32};
    }
  }
  if (element.isF16())
    return {"f16", 16};
  if (element.isBF16())
    return {"bf16", 16};
  if (llvm::isa<mlir::Float8E4M3FNType>(element))
    return {"e4m3", 8};
  if (llvm::isa<mlir::Float8E5M2Type>(element))
    return {"e5m2", 8};
  if (tile::isInteger(element))
    return {tile::isSigned(element) ? "s8" : "u8", 8};
  return {"", 8};
}

/// The greatest part of a number of fp32 first; together they are the number, or near it.
llvm::SmallVector<llvm::Value *, 3> partsOf(Emitter &e, llvm::Value *number, const Operand &operand) {
  if (!number->getType()->isFloatTy())
    return {number};
  llvm::IRBuilder<> &b = e.b;
  llvm::SmallVector<llvm::Value *, 3> parts;
  for (unsigned i = 0; i < operand.parts; ++i) {
    const bool isLast = i + 1 == operand.parts;
    llvm::Value *part = number, *rounded = number;
    if (operand.bits == 16) {
      part = b.CreateFPTrunc(number, b.getBFloatTy());
      rounded = isLast ? nullptr : b.CreateFPExt(part, b.getFloatTy());
    } else if (!isLast) {
      part = rounded = b.CreateBitCast(b.CreateAnd(e.asInteger(number), b.getInt32(0xffff'e000u)), b.getFloatTy());
    }
    parts.push_back(part);
    number = isLast ? nullptr : b.CreateFSub(number, rounded);
  }
  return parts;
}

class TensorCoreDot {
public:
  TensorCoreDot(Emitter &e, tile::DotOp op)
      : m_e(e), m_op(op), m_typeA(operandOf(op.getA().getType().getElementType(), op.getInputPrecision())),
        m_typeB(operandOf(op.getB().getType().getElementType(), op.getInputPrecision())), m_a(e, op.getA()), m_b(e, op.getB()) {}

  void run() {
    if (m_typeA.name.empty() || m_typeB.name.empty())
      return m_e.unsupported(m_op, "this type of 8-bit floats");
    const llvm::ArrayRef<int64_t> shape = m_op.getA().getType().getShape();
    const layout::LinearLayout &map = Emitter::mapOf(m_op.getType());
    const llvm::ArrayRef<llvm::Value *> accumulator = m_e.of(m_op.getAccumulator());
    // Products of 8-bit floats are summed in fp32 always.
    const bool isWidened = m_op.getType().getElementType().isF16() && m_typeA.name != "f16";
    for (auto [reg, value] : llvm::enumerate(accumulator)) {
      m_result.push_back(isWidened ? m_e.b.CreateFPExt(value, m_e.b.getFloatTy()) : value);
      m_numbers[map.apply(reg)] = unsigned(reg);
    }
    for (int64_t k = 0; k < shape.back(); k += step())
      for (uint64_t reg = 0; reg < accumulator.size(); ++reg)
        if (const Place place = unpack(map.apply(reg), m_op.getType().getShape()); isCorner(place))
          multiply(place, k);
    if (isWidened)
      for (llvm::Value *&value : m_result)
        value = m_e.b.CreateFPTrunc(value, m_e.b.getHalfTy());
    m_e.define(m_op, std::move(m_result));
  }

private:
  int64_t step() const { return 256 / m_typeA.bits; }
  unsigned perWord() const { return 32 / m_typeA.bits; }
  static bool isCorner(const Place &place) { return place.end()[-2] % 16 == 0 && place.back() % 8 == 0; }
  /// Of the tile that `place` is of, in the same product of the batch.
  static Place at(Place place, int64_t row, int64_t column) {
    place.end()[-2] = row;
    place.back() = column;
    return place;
  }

  /// The element at `first` and its next ones along K (of the last dimension, or the one before) as one register a part.
  void addWords(Parts &parts, const ByElement &tile, Place first, bool isAlongRow, const Operand &operand) {
    parts.resize(operand.parts);
    llvm::SmallVector<llvm::SmallVector<llvm::Value *, 4>> elements(operand.parts);
    for (unsigned i = 0; i < perWord(); ++i) {
      for (auto [part, value] : llvm::enumerate(partsOf(m_e, tile.at(first), operand)))
        elements[part].push_back(value);
      ++(isAlongRow ? first.back() : first.end()[-2]);
    }
    for (auto [words, part] : llvm::zip_equal(parts, elements))
      words.push_back(packBits(m_e, part));
  }
  /// 16 rows of A from `row`, a step of K from `k`: eight rows, eight more, and both further along K.
  const Parts &fragmentA(const Place &place, int64_t k) {
    const Place corner = at(place, place.end()[-2], k);
    Parts &parts = m_fragmentsA[pack(corner, m_op.getA().getType().getShape())];
    if (parts.empty())
      for (int64_t further : {int64_t(0), step() / 2})
        for (int64_t row : {0, 8})
          addWords(parts, m_a, at(corner, corner.end()[-2] + row, k + further), true, m_typeA);
    return parts;
  }
  const Parts &fragmentB(const Place &place, int64_t k) {
    const Place corner = at(place, k, place.back());
    Parts &parts = m_fragmentsB[pack(corner, m_op.getB().getType().getShape())];
    if (parts.empty())
      for (int64_t further : {int64_t(0), step() / 2})
        addWords(parts, m_b, at(corner, k + further, corner.back()), false, m_typeB);
    return parts;
  }

  /// A step along K of the 16x8 elements of the product from `place` on.
  void multiply(const Place &place, int64_t k) {
    const Parts a = fragmentA(place, k), b = fragmentB(place, k);
    llvm::SmallVector<llvm::Value **, 4> sums;
    for (int64_t row : {0, 8})
      for (int64_t column : {0, 1})
        sums.push_back(&m_result[m_numbers.lookup(
            pack(at(place, place.end()[-2] + row, place.back() + column), m_op.getType().getShape()))]);
    llvm::SmallVector<llvm::Value *, 4> accumulator = load(sums);
    const int parts = int(m_typeA.parts);
    for (int level = parts - 1; level >= 0; --level)
      for (int i = level; i >= 0; --i)
        accumulate(accumulator, a[size_t(i)], b[size_t(level - i)]);
    store(sums, accumulator);
  }

  /// fp16 stands in pairs in the accumulator's registers.
  bool isPacked() { return m_result.front()->getType()->isHalfTy(); }

  llvm::SmallVector<llvm::Value *, 4> load(llvm::ArrayRef<llvm::Value **> sums) {
    llvm::SmallVector<llvm::Value *, 4> values;
    for (llvm::Value **sum : sums)
      values.push_back(*sum);
    if (isPacked())
      return {packBits(m_e, llvm::ArrayRef(values).take_front(2)), packBits(m_e, llvm::ArrayRef(values).drop_front(2))};
    return values;
  }
  void store(llvm::ArrayRef<llvm::Value **> sums, llvm::ArrayRef<llvm::Value *> accumulator) {
    if (isPacked())
      for (size_t i = 0; i < 2; ++i)
        for (auto [sum, value] : llvm::zip(sums.slice(2 * i, 2), unpackBits(m_e, accumulator[i], 2, m_e.b.getHalfTy())))
          *sum = value;
    else
      for (auto [sum, value] : llvm::zip_equal(sums, accumulator))
        *sum = value;
  }

  void accumulate(llvm::SmallVectorImpl<llvm::Value *> &accumulator, llvm::ArrayRef<llvm::Value *> a,
                  llvm::ArrayRef<llvm::Value *> b) {
    // Turing has half of that along K.
    if (m_typeA.name == "f16" && !m_e.target().atLeast(80)) {
      instruction(accumulator, 8, a.take_front(2), b.take_front(1));
      instruction(accumulator, 8, a.drop_front(2), b.drop_front(1));
    } else {
      instruction(accumulator, unsigned(step()), a, b);
    }
  }

  void instruction(llvm::SmallVectorImpl<llvm::Value *> &accumulator, unsigned k, llvm::ArrayRef<llvm::Value *> a,
                   llvm::ArrayRef<llvm::Value *> b) {
    const bool isInteger = tile::isInteger(m_op.getType().getElementType());
    const std::string sum = isInteger ? "s32" : isPacked() ? "f16" : "f32", reg = isInteger || isPacked() ? "r" : "f";
    unsigned next = 0;
    std::string constraints;
    const auto group = [&](size_t count, const std::string &constraint) {
      std::string text = "{";
      for (size_t i = 0; i < count; ++i) {
        text += (i ? ", $" : "$") + std::to_string(next++);
        constraints += (constraints.empty() ? "" : ",") + constraint;
      }
      return text + "}";
    };
    std::string text = "mma.sync.aligned.m16n8k" + std::to_string(k) + ".row.col." + sum + "." + m_typeA.name + "." +
                       m_typeB.name + "." + sum + " ";
    // One after the other: the groups count the operands.
    text += group(accumulator.size(), "=" + reg);
    text += ", " + group(a.size(), "r");
    text += ", " + group(b.size(), "r");
    text += ", " + group(accumulator.size(), reg) + ";";
    llvm::SmallVector<llvm::Value *, 16> operands(a);
    operands.append(b.begin(), b.end());
    operands.append(accumulator.begin(), accumulator.end());
    llvm::SmallVector<llvm::Type *, 4> types(accumulator.size(), accumulator.front()->getType());
    auto *call = llvm::cast<llvm::CallInst>(
        m_e.assembly(text, constraints, llvm::StructType::get(m_e.context(), types), operands, false));
    call->setConvergent(); // all lanes of the warp together
    for (unsigned i = 0; i < accumulator.size(); ++i)
      accumulator[i] = m_e.b.CreateExtractValue(call, i);
  }

  Emitter &m_e;
  tile::DotOp m_op;
  Operand m_typeA, m_typeB;
  ByElement m_a, m_b;
  llvm::DenseMap<uint64_t, Parts> m_fragmentsA, m_fragmentsB; ///< by the number of their first element
  llvm::DenseMap<uint64_t, unsigned> m_numbers;               ///< registers of the product by their element
  Registers m_result;
};

/// Lanes share the rows of A along K only where tensor cores read them.
bool isForTensorCores(tile::DotOp op) {
  const layout::LinearLayout &map = Emitter::mapOf(op.getA().getType());
  for (unsigned bit = 0; bit < map.inputBits(layout::Dim::Lane); ++bit)
    if (map.unpackOutput(map.basis(layout::Dim::Lane, bit)).back().value != 0)
      return true;
  return false;
}

} // namespace

void emit(Emitter &e, tile::DotOp op) {
  if (isForTensorCores(op))
    TensorCoreDot(e, op).run();
  else
    emitFmaDot(e, op);
}

} // namespace tilescope::codegen
