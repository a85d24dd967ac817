// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library of a kernel: a row for each name, with its signature and what a call of it becomes. What can be
// said in the language itself is in the prelude (Prelude.cpp). A new function is a row and a small handler.
#pragma once

#include "compiler/Frontend/Semantics.h"
#include "compiler/Frontend/Signature.h"

#include <span>

namespace tilescope::frontend {

class Lowering;
struct LibraryFunction;

/// A call of a library function, its arguments bound: one a parameter.
struct LibraryCall {
  Lowering &lowering;
  Emitter &emitter;
  const LibraryFunction &function;
  std::vector<Operand> arguments;
  SourceRange range;

  const Operand &operator[](size_t i) const { return arguments[i]; }
};

struct LibraryFunction {
  std::string_view name; ///< full: "triton.language.load"
  std::string_view signature;
  Term (*handler)(LibraryCall &call);
  bool isMethod = false; ///< also `x.name(…)`, with x as the first argument
};

/// The groups of rows, each in a file of its own.
std::span<const LibraryFunction> programRows();   ///< LibraryProgram.cpp: grid, hints, messages
std::span<const LibraryFunction> pythonRows();    ///< LibraryPython.cpp: Python's own, types, compile time
std::span<const LibraryFunction> memoryRows();    ///< LibraryMemory.cpp
std::span<const LibraryFunction> mathRows();      ///< LibraryMath.cpp
std::span<const LibraryFunction> shapeRows();     ///< LibraryShape.cpp
std::span<const LibraryFunction> reductionRows(); ///< LibraryReduction.cpp
std::span<const LibraryFunction> constantRows();  ///< LibraryConstant.cpp: answers at compile time
std::span<const LibraryFunction> libdeviceRows(); ///< LibraryLibdevice.cpp
std::span<const LibraryFunction> productRows();   ///< LibraryProduct.cpp: dot and dot_scaled
std::span<const LibraryFunction> elementRows();   ///< LibraryElements.cpp: gather, histogram, map_elementwise
std::span<const LibraryFunction> foreignRows();   ///< LibraryForeign.cpp: inline assembly, the GPU itself

std::span<const LibraryFunction> atomicRows();     ///< LibraryAtomics.cpp
std::span<const LibraryFunction> blockRows();      ///< LibraryBlocks.cpp: block pointers
std::span<const LibraryFunction> descriptorRows(); ///< LibraryDescriptors.cpp

/// The row of a symbol under any of its names ("triton.language.math.exp" is "triton.language.exp"), or null.
const LibraryFunction *findLibraryFunction(std::string_view symbol);
/// The row of a method of tiles and scalars, or null.
const LibraryFunction *findMethod(std::string_view name);
/// The row of a method of this term, which may be a tensor descriptor, or null.
const LibraryFunction *findMethodOf(const Term &self, std::string_view name);
/// Is there a method of that name, a row or a prelude function?
bool isMethod(std::string_view name);
/// Is this a name in libdevice, by any of its import paths, whether or not there is such a function? So is
/// one in tl.math.
bool isLibdevice(std::string_view symbol);
/// The names of libdevice's functions.
const std::vector<std::string_view> &libdeviceNames();
/// The names (last part) of everything in the library that starts with "triton.language.".
const std::vector<std::string_view> &languageNames();
std::string_view lastPart(std::string_view dotted);
/// Kernels are compiled for this compute capability, ten times major and minor (sm_90, the one that can do
/// all that the language has).
inline constexpr int64_t computeCapability = 90;
/// A function of the script marked @tl.core.extern or @tl.core.builtin: it is compiled like a jit function,
/// and may have a table of foreign functions. LibraryForeign.cpp.
bool isForeignFunction(const FunctionObject &function);

struct PreludeFunction {
  std::shared_ptr<FunctionObject> function;
  bool isMethod = false; ///< marked `@method` in the prelude's text
};
const std::vector<PreludeFunction> &preludeFunctions();
/// A function of the prelude by its name in triton.language or of a helper there, or null.
const FunctionObject *findPreludeFunction(std::string_view name);

//===- Reading arguments --------------------------------------------------------------------------===//

/// An int known at compile time. Error "constant-expected" otherwise.
std::optional<int64_t> constantInt(Emitter &emitter, const Operand &operand);
std::optional<bool> constantBool(Emitter &emitter, const Operand &operand);
std::optional<std::string> constantString(Emitter &emitter, const Operand &operand);
/// A data type. Error "type-expected".
mlir::Type constantType(Emitter &emitter, const Operand &operand);
/// A shape or a list of dimensions: a tuple of constant ints, or one int. Error "run-time-shape" for a
/// run-time value.
std::optional<llvm::SmallVector<int64_t>> constantShape(Emitter &emitter, const Operand &operand);
/// The same, for the shape of a tile: sizes must be powers of two. Error "shape-not-power-of-two".
std::optional<llvm::SmallVector<int64_t>> tileShape(Emitter &emitter, const Operand &operand);
/// An axis of a tile of this rank, negative ones counted from the end. Error "axis-out-of-range".
std::optional<int64_t> constantAxis(Emitter &emitter, const Operand &operand, int64_t rank);

/// The items of a tuple, or the term alone, as tensors of one shape. Errors "tensor-expected",
/// "tile-shapes-differ".
std::optional<llvm::SmallVector<mlir::Value>> tensorsInOneShape(Emitter &emitter, const Operand &operand);

/// One of a few spellings. Error "unknown-option" with the nearest right one.
template <typename T> struct Option {
  std::string_view text;
  T value;
};
std::optional<size_t> chooseOption(Emitter &emitter, const Operand &operand,
                                   std::span<const std::string_view> texts);
template <typename T, size_t N>
std::optional<T> choose(Emitter &emitter, const Operand &operand, const Option<T> (&options)[N]) {
  std::string_view texts[N];
  for (size_t i = 0; i < N; ++i)
    texts[i] = options[i].text;
  auto index = chooseOption(emitter, operand, texts);
  return index ? std::optional<T>(options[*index].value) : std::nullopt;
}

} // namespace tilescope::frontend
