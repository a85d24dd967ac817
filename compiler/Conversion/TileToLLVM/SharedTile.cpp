// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Conversion/TileToLLVM/SharedTile.h"

#include "compiler/Layout/Conflicts.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/MathExtras.h"

namespace tilescope::codegen {
namespace {

using layout::Dim;
using layout::LinearLayout;

/// An element as it is put into a vector: an address is a number there.
llvm::Value *plain(Emitter &e, llvm::Value *element) {
  return element->getType()->isPointerTy() ? e.asInteger(element) : element;
}

llvm::Type *plainType(Emitter &e, llvm::Type *type) { return type->isPointerTy() ? e.b.getInt64Ty() : type; }

llvm::Value *toVector(Emitter &e, llvm::ArrayRef<llvm::Value *> elements) {
  auto *type = llvm::FixedVectorType::get(plainType(e, elements.front()->getType()), unsigned(elements.size()));
  llvm::Value *vector = llvm::PoisonValue::get(type);
  for (auto [index, element] : llvm::enumerate(elements))
    vector = e.b.CreateInsertElement(vector, plain(e, element), index);
  return vector;
}

Registers fromVector(Emitter &e, llvm::Value *vector, unsigned count, llvm::Type *type) {
  Registers elements;
  for (unsigned index = 0; index < count; ++index) {
    llvm::Value *element = e.b.CreateExtractElement(vector, uint64_t(index));
    elements.push_back(type->isPointerTy() ? e.fromInteger(element, type) : element);
  }
  return elements;
}

/// What one instruction moves: words, of 64 bits for elements of so many, or fewer bits than a word.
llvm::Type *instructionType(Emitter &e, unsigned elementBytes, unsigned elements) {
  const unsigned bytes = elementBytes * elements, word = elementBytes == 8 ? 8 : 4;
  if (bytes <= word)
    return e.b.getIntNTy(8 * bytes);
  return llvm::FixedVectorType::get(e.b.getIntNTy(8 * word), bytes / word);
}

/// The instructions between a tile's registers and shared memory.
class Instructions {
public:
  Instructions(Emitter &e, unsigned bytes, const LinearLayout &registers, const LinearLayout &shared, llvm::Value *base)
      : m_e(e), m_base(base), m_bytes(bytes), m_registers(unsigned(registers.inputSize(Dim::Register))),
        m_vector(layout::sharedVectorBits(registers.invertAndCompose(shared), 8 * bytes)),
        m_addresses(e.applyAll(byteOffsets(registers, shared, bytes))) {}

  unsigned elements() const { return 1u << m_vector.size(); }
  llvm::Type *type() const { return instructionType(m_e, m_bytes, elements()); }
  llvm::Align alignment() const { return llvm::Align(m_bytes * elements()); }

  /// Calls visit(address, registers of the elements that lie there).
  template <typename Visit> void forEach(Visit visit) const {
    unsigned inVector = 0;
    for (unsigned bit : m_vector)
      inVector |= 1u << bit;
    for (unsigned first = 0; first < m_registers; ++first) {
      if (first & inVector)
        continue;
      llvm::SmallVector<unsigned, 16> numbers{first};
      for (unsigned bit : m_vector)
        for (size_t i = 0, known = numbers.size(); i < known; ++i)
          numbers.push_back(numbers[i] | 1u << bit);
      visit(m_e.b.CreateGEP(m_e.b.getInt8Ty(), m_base, {m_addresses[first]}), numbers);
    }
  }

private:
  Emitter &m_e;
  llvm::Value *m_base;
  unsigned m_bytes, m_registers;
  std::vector<unsigned> m_vector;
  llvm::SmallVector<llvm::Value *> m_addresses;
};

} // namespace

LinearLayout byteOffsets(const LinearLayout &registers, const LinearLayout &shared, unsigned bytes) {
  const LinearLayout offsets = registers.invertAndCompose(shared);
  std::vector<uint64_t> columns(offsets.columns().begin(), offsets.columns().end());
  for (uint64_t &column : columns)
    column *= bytes;
  return {{offsets.inputs().begin(), offsets.inputs().end()},
          {{Dim::Offset, offsets.outputBits() + llvm::Log2_32(bytes)}},
          std::move(columns)};
}

llvm::Value *packBits(Emitter &e, llvm::ArrayRef<llvm::Value *> elements) {
  if (elements.size() == 1)
    return e.asInteger(elements.front());
  llvm::Value *vector = toVector(e, elements);
  return e.b.CreateBitCast(vector, e.b.getIntNTy(unsigned(vector->getType()->getPrimitiveSizeInBits())));
}

Registers unpackBits(Emitter &e, llvm::Value *bits, unsigned count, llvm::Type *type) {
  if (count == 1)
    return {e.fromInteger(bits, type)};
  return fromVector(e, e.b.CreateBitCast(bits, llvm::FixedVectorType::get(plainType(e, type), count)), count, type);
}

void storeShared(Emitter &e, llvm::ArrayRef<llvm::Value *> values, const LinearLayout &registers,
                 const LinearLayout &shared, llvm::Value *base) {
  llvm::SmallVector<llvm::Value *> inMemory;
  for (llvm::Value *value : values)
    inMemory.push_back(plain(e, e.toMemory(value)));
  const unsigned bytes = unsigned(inMemory.front()->getType()->getPrimitiveSizeInBits()) / 8;
  const Instructions instructions(e, bytes, registers, shared, base);
  instructions.forEach([&](llvm::Value *address, llvm::ArrayRef<unsigned> numbers) {
    llvm::SmallVector<llvm::Value *> elements;
    for (unsigned number : numbers)
      elements.push_back(inMemory[number]);
    e.b.CreateAlignedStore(e.b.CreateBitCast(toVector(e, elements), instructions.type()), address,
                           instructions.alignment());
  });
}

Registers loadShared(Emitter &e, mlir::Type element, const LinearLayout &registers, const LinearLayout &shared,
                     llvm::Value *base) {
  llvm::Type *type = e.memoryType(element), *inVector = plainType(e, type);
  const unsigned bytes = tile::byteSizeOf(element);
  const Instructions instructions(e, bytes, registers, shared, base);
  Registers result(registers.inputSize(Dim::Register));
  instructions.forEach([&](llvm::Value *address, llvm::ArrayRef<unsigned> numbers) {
    llvm::Value *loaded = e.b.CreateAlignedLoad(instructions.type(), address, instructions.alignment());
    const auto count = unsigned(numbers.size());
    llvm::Value *vector = e.b.CreateBitCast(loaded, llvm::FixedVectorType::get(inVector, count));
    for (auto [number, value] : llvm::zip_equal(numbers, fromVector(e, vector, count, type)))
      result[number] = e.fromMemory(value, element);
  });
  return result;
}

namespace {

/// Registers `first`, and those that differ from it in `bits`, in the order of their numbers' bits.
llvm::SmallVector<unsigned, 4> withBits(unsigned first, llvm::ArrayRef<unsigned> bits) {
  llvm::SmallVector<unsigned, 4> numbers{first};
  for (unsigned bit : bits)
    for (size_t i = 0, known = numbers.size(); i < known; ++i)
      numbers.push_back(numbers[i] | 1u << bit);
  return numbers;
}

llvm::Intrinsic::ID matrixIntrinsic(size_t matrixBits, bool isTransposed) {
  using namespace llvm::Intrinsic;
  static constexpr ID plain[] = {nvvm_ldmatrix_sync_aligned_m8n8_x1_b16, nvvm_ldmatrix_sync_aligned_m8n8_x2_b16,
                                 nvvm_ldmatrix_sync_aligned_m8n8_x4_b16};
  static constexpr ID transposed[] = {nvvm_ldmatrix_sync_aligned_m8n8_x1_trans_b16, nvvm_ldmatrix_sync_aligned_m8n8_x2_trans_b16,
                                      nvvm_ldmatrix_sync_aligned_m8n8_x4_trans_b16};
  return (isTransposed ? transposed : plain)[matrixBits];
}

} // namespace

Registers loadMatrices(Emitter &e, mlir::Type element, unsigned registers, const layout::MatrixLoad &plan, llvm::Value *base) {
  const llvm::SmallVector<llvm::Value *> rows = e.applyAll(plan.rows);
  llvm::Type *type = e.memoryType(element);
  unsigned together = 0;
  for (unsigned bit : plan.inWord)
    together |= 1u << bit;
  for (unsigned bit : plan.matrices)
    together |= 1u << bit;
  Registers result(registers);
  for (unsigned first = 0, instruction = 0; first < registers; ++first) {
    if (first & together)
      continue;
    llvm::Value *row = e.b.CreateGEP(e.b.getInt8Ty(), base, {rows[instruction++]});
    llvm::Value *loaded =
        e.b.CreateIntrinsic(matrixIntrinsic(plan.matrices.size(), plan.isTransposed), {row->getType()}, {row});
    for (auto [matrix, number] : llvm::enumerate(withBits(first, plan.matrices))) {
      llvm::Value *word = plan.matrices.empty() ? loaded : e.b.CreateExtractValue(loaded, unsigned(matrix));
      const llvm::SmallVector<unsigned, 4> numbers = withBits(number, plan.inWord);
      for (auto [place, value] : llvm::zip_equal(numbers, unpackBits(e, word, unsigned(numbers.size()), type)))
        result[place] = e.fromMemory(value, element);
    }
  }
  return result;
}

} // namespace tilescope::codegen
