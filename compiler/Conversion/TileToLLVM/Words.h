// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX instructions of global memory that move one, two or four words, by a predicate.
#pragma once

#include "compiler/Conversion/TileToLLVM/Emitter.h"

namespace tilescope::codegen {

/// How an instruction of so many bytes names its words: `.v4.b32`.
struct WordShape {
  unsigned bytes = 4; ///< of a word: 1, 2, 4 or 8
  unsigned count = 1; ///< 1, 2 or 4
  std::string suffix() const;
  /// "h", "r" or "l"
  char constraint() const { return bytes == 8 ? 'l' : bytes == 4 ? 'r' : 'h'; }
};

/// Words of 32 bits, of 64 for elements of so many, or one narrower word.
WordShape wordsOf(unsigned widthBytes, unsigned elementBytes);

/// `operation` with its words' suffix ("ld.global.v4.b32"). Where the predicate (null: always) is false the result is
/// `initial`, elements of `type` by address.
Registers loadWords(Emitter &e, const std::string &operation, WordShape shape, llvm::Value *address, llvm::Value *predicate,
                    llvm::ArrayRef<llvm::Value *> initial, llvm::Type *type);
void storeWords(Emitter &e, const std::string &operation, WordShape shape, llvm::Value *address, llvm::Value *predicate,
                llvm::ArrayRef<llvm::Value *> elements);

} // namespace tilescope::codegen
