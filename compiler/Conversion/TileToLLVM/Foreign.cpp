// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of libdevice, and inline PTX.
#include "compiler/Conversion/TileToLLVM/Operations.h"
#include "compiler/Conversion/TileToLLVM/SharedTile.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope::codegen {

void emit(Emitter &e, tile::ExternOp op) {
  llvm::Type *type = e.type(tile::elementTypeOf(op.getType()));
  Registers results;
  for (unsigned reg = 0; reg < Emitter::registerCount(op.getType()); ++reg) {
    llvm::SmallVector<llvm::Value *, 4> arguments;
    for (mlir::Value operand : op.getOperands())
      arguments.push_back(e.of(operand)[reg]);
    results.push_back(e.callLibdevice(op.getSymbol(), type, arguments));
  }
  e.define(op, std::move(results));
}

namespace {

/// Inline PTX for every `pack` elements: those narrower than 32 bits share registers.
class Assembly {
public:
  Assembly(Emitter &e, tile::InlineAsmOp op) : e(e), b(e.b), m_op(op), m_pack(unsigned(op.getPack())) {
    llvm::SmallVector<llvm::StringRef> parts;
    op.getConstraints().split(parts, ',', -1, false);
    for (llvm::StringRef part : parts) {
      part = part.trim();
      if (part.consume_front("="))
        m_outputs.push_back(part.ltrim('&').front());
      else if (!part.starts_with("~"))
        m_inputs.push_back(part.front());
    }
  }

  void emitAll() {
    const unsigned count = Emitter::registerCount(m_op->getResult(0).getType());
    std::vector<Registers> results(m_op->getNumResults());
    for (unsigned first = 0; first < count; first += m_pack)
      if (!emitGroup(first, results))
        return e.unsupported(m_op, "its constraints ask for another number of registers");
    for (auto [result, registers] : llvm::zip_equal(m_op->getResults(), results)) {
      registers.truncate(count);
      e.define(result, std::move(registers));
    }
  }

private:
  /// How many elements of a value share a register.
  unsigned perRegister(mlir::Value value) const {
    const unsigned bits = 8 * tile::byteSizeOf(tile::elementTypeOf(value.getType()));
    return std::min(m_pack, std::max(1u, 32 / bits));
  }
  /// The type that a constraint takes.
  llvm::Type *typeFor(char constraint, llvm::Type *otherwise) {
    switch (constraint) {
    case 'h':
      return b.getInt16Ty();
    case 'r':
      return b.getInt32Ty();
    case 'l':
      return b.getInt64Ty();
    case 'f':
      return b.getFloatTy();
    case 'd':
      return b.getDoubleTy();
    default:
      return otherwise;
    }
  }

  bool emitGroup(unsigned first, std::vector<Registers> &results) {
    llvm::SmallVector<llvm::Value *> operands;
    for (mlir::Value operand : m_op.getOperands()) {
      const unsigned each = perRegister(operand);
      for (unsigned element = 0; element < m_pack; element += each) {
        if (operands.size() >= m_inputs.size())
          return false;
        llvm::SmallVector<llvm::Value *> together;
        for (unsigned i = element; i < element + each; ++i) // past the last one: the last one again
          together.push_back(e.toMemory(e.of(operand)[std::min<size_t>(first + i, e.of(operand).size() - 1)]));
        llvm::Value *bits = packBits(e, together);
        llvm::Type *type = typeFor(m_inputs[operands.size()], bits->getType());
        bits = b.CreateZExtOrTrunc(bits, b.getIntNTy(unsigned(type->getPrimitiveSizeInBits())));
        operands.push_back(e.fromInteger(bits, type));
      }
    }
    llvm::SmallVector<llvm::Type *> types;
    for (mlir::Value result : m_op->getResults())
      for (unsigned element = 0; element < m_pack; element += perRegister(result)) {
        if (types.size() >= m_outputs.size())
          return false;
        types.push_back(typeFor(m_outputs[types.size()], b.getInt32Ty()));
      }
    llvm::Type *type = types.size() == 1 ? types.front() : llvm::StructType::get(e.context(), types);
    std::string text = m_op.getAssembly().str();
    llvm::Value *all = e.assembly(text, m_op.getConstraints(), type, operands, !m_op.getIsPure());
    takeApart(all, types, results);
    return true;
  }

  void takeApart(llvm::Value *all, llvm::ArrayRef<llvm::Type *> types, std::vector<Registers> &results) {
    unsigned output = 0;
    for (auto [result, registers] : llvm::zip_equal(m_op->getResults(), results)) {
      const mlir::Type element = tile::elementTypeOf(result.getType());
      const unsigned each = perRegister(result), bits = 8 * tile::byteSizeOf(element) * each;
      for (unsigned done = 0; done < m_pack; done += each, ++output) {
        llvm::Value *value = types.size() == 1 ? all : b.CreateExtractValue(all, output);
        value = b.CreateZExtOrTrunc(e.asInteger(value), b.getIntNTy(bits));
        for (llvm::Value *one : unpackBits(e, value, each, e.memoryType(element)))
          registers.push_back(e.fromMemory(one, element));
      }
    }
  }

  Emitter &e;
  llvm::IRBuilder<> &b;
  tile::InlineAsmOp m_op;
  unsigned m_pack;
  llvm::SmallVector<char> m_outputs, m_inputs; ///< letters of the constraints
};

} // namespace

void emit(Emitter &e, tile::InlineAsmOp op) {
  if (op->getNumResults() == 0)
    return e.unsupported(op, "without results");
  Assembly(e, op).emitAll();
}

} // namespace tilescope::codegen
