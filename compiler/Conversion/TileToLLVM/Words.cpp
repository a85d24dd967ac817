// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Conversion/TileToLLVM/Words.h"

#include "compiler/Conversion/TileToLLVM/SharedTile.h"

namespace tilescope::codegen {
namespace {

/// The register class for a word: PTX has none of 8 bits.
llvm::Type *carrier(Emitter &e, WordShape shape) { return e.b.getIntNTy(std::max(16u, 8 * shape.bytes)); }

/// "{$0, $1}", or "$0" for one word.
std::string braces(unsigned first, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", $" : "$") + std::to_string(first + i);
  return count == 1 ? text : "{" + text + "}";
}

/// Elements by address as words.
llvm::SmallVector<llvm::Value *> toWords(Emitter &e, WordShape shape, llvm::ArrayRef<llvm::Value *> elements) {
  const size_t each = elements.size() / shape.count;
  llvm::SmallVector<llvm::Value *> words;
  for (unsigned word = 0; word < shape.count; ++word)
    words.push_back(e.b.CreateZExt(packBits(e, elements.slice(word * each, each)), carrier(e, shape)));
  return words;
}

} // namespace

std::string WordShape::suffix() const {
  return (count == 1 ? std::string() : ".v" + std::to_string(count)) + ".b" + std::to_string(8 * bytes);
}

WordShape wordsOf(unsigned widthBytes, unsigned elementBytes) {
  const unsigned word = std::min(widthBytes, elementBytes == 8 ? 8u : 4u);
  return {word, widthBytes / word};
}

Registers loadWords(Emitter &e, const std::string &operation, WordShape shape, llvm::Value *address, llvm::Value *predicate,
                    llvm::ArrayRef<llvm::Value *> initial, llvm::Type *type) {
  llvm::IRBuilder<> &b = e.b;
  llvm::Type *word = carrier(e, shape);
  llvm::Type *result = word;
  if (shape.count > 1)
    result = llvm::StructType::get(e.context(), llvm::SmallVector<llvm::Type *>(shape.count, word));
  std::string constraints;
  for (unsigned i = 0; i < shape.count; ++i)
    constraints += std::string("=") + shape.constraint() + ",";
  constraints += "l";
  const std::string from = " " + braces(0, shape.count) + ", [$" + std::to_string(shape.count) + "];";
  llvm::SmallVector<llvm::Value *> operands{address};
  std::string text = operation + from;
  if (predicate) {
    text = "@$" + std::to_string(shape.count + 1) + " " + text;
    constraints += ",b";
    operands.push_back(predicate);
    for (unsigned i = 0; i < shape.count; ++i)
      constraints += "," + std::to_string(i);
    llvm::append_range(operands, toWords(e, shape, initial));
  }
  llvm::Value *loaded = e.assembly(text, constraints, result, operands);
  const unsigned each = unsigned(initial.size()) / shape.count;
  Registers elements;
  for (unsigned i = 0; i < shape.count; ++i) {
    llvm::Value *bits = shape.count == 1 ? loaded : b.CreateExtractValue(loaded, i);
    bits = b.CreateTrunc(bits, b.getIntNTy(8 * shape.bytes));
    llvm::append_range(elements, unpackBits(e, bits, each, type));
  }
  return elements;
}

void storeWords(Emitter &e, const std::string &operation, WordShape shape, llvm::Value *address, llvm::Value *predicate,
                llvm::ArrayRef<llvm::Value *> elements) {
  std::string constraints = "l";
  for (unsigned i = 0; i < shape.count; ++i)
    constraints += std::string(",") + shape.constraint();
  llvm::SmallVector<llvm::Value *> operands{address};
  llvm::append_range(operands, toWords(e, shape, elements));
  std::string text = operation + " [$0], " + braces(1, shape.count) + ";";
  if (predicate) {
    text = "@$" + std::to_string(shape.count + 1) + " " + text;
    constraints += ",b";
    operands.push_back(predicate);
  }
  e.assembly(text, constraints, e.b.getVoidTy(), operands);
}

} // namespace tilescope::codegen
