// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of handlers, by operation and element type. Each group of operations has a source file of its
// own, so that templates stay in small translation units.
#pragma once

#include "compiler/Interpreter/Kernel.h"

namespace tilescope::interp {

/// Operations on elements at the same place of their operands. Comparisons give i1; in floats NaN is unequal
/// to all. Min and Max pass over NaN, MinNan and MaxNan give it.
enum class Op : uint8_t {
  Add,
  Sub,
  Mul,
  MulHi,
  Div,
  Rem,
  And,
  Or,
  Xor,
  Shl,
  Shr,
  Min,
  Max,
  MinNan,
  MaxNan,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Neg,
  Not,
  Abs,
  Floor,
  Ceil,
  Trunc,
  Round,
  Sqrt,
  Rsqrt,
  Exp,
  Exp2,
  Log,
  Log2,
  Sin,
  Cos,
  Tanh,
  Erf,
  Fma,
  Clamp,
  ClampNan,
};

/// Is it a float that slots keep as fp32 and round after each operation?
bool isNarrowFloat(ElementType type);
/// The type in which a slot keeps elements: fp32 for narrow floats, else the type itself.
ElementType slotType(ElementType type);
/// Bytes of one element in a slot.
unsigned slotBytes(ElementType type);

/// The handler of an operation on operands of slot type `type`; null if there is none.
Handler elementwise(Op op, ElementType type);
Handler integerArithmetic(Op op, ElementType type);
Handler integerDivision(Op op, ElementType type);
Handler integerBits(Op op, ElementType type);
Handler floatArithmetic(Op op, ElementType type);
Handler floatFunction(Op op, ElementType type);
Handler comparison(Op op, ElementType type);

/// operands: condition, on true, on false; of elements of that many bytes.
Handler select(unsigned bytes);
/// Address + offset · 2^detail; `offset` is the type of the offsets.
Handler addPointer(ElementType offset);

/// Number to number between slot types, as tile.cast has it. `odd`: to fp32 with the inexact results made
/// odd, so that one more rounding to a narrower float is as good as one.
Handler cast(ElementType from, ElementType to);
Handler castOdd(ElementType from);
/// To an integer type, to the nearest end of its range (`saturate`).
Handler castSaturated(ElementType from, ElementType to);
/// fp64 to fp32 towards zero.
Handler castTowardZero();

/// How a narrow float is rounded; packed in an instruction's `detail`.
struct RoundMode {
  ElementType format = ElementType::Float16;
  bool towardZero = false;
  bool saturate = false;

  uint32_t pack() const { return uint32_t(format) | uint32_t(towardZero) << 8 | uint32_t(saturate) << 9; }
  static RoundMode unpack(uint32_t bits) {
    return {ElementType(bits & 0xff), (bits >> 8 & 1) != 0, (bits >> 9 & 1) != 0};
  }
};
/// Rounds fp32 to a narrow float's values; `detail` is a RoundMode.
Handler roundNarrow();
/// From fp32 in a slot to the bits of a narrow float (`detail` is its ElementType), and back.
Handler toBits();
Handler fromBits();

/// Moves: the same elements (`single` fills), and CopyDetail.
Handler copyElements(unsigned bytes);
Handler copyStrided(unsigned bytes);

/// Fast reductions and scans (AxisDetail) for plain combiners; null where there is none.
Handler reduction(Op op, ElementType type);
Handler scan(Op op, ElementType type);

/// accumulator + a · b (DotDetail); operands a, b, accumulator. Null for types without a product.
Handler dot(ElementType operand, ElementType accumulator);

/// Elements by index (GatherDetail); an index outside is a finding, and its element 0.
Handler gather(unsigned bytes);
/// Counts into the result's `detail` bins; operands: 32-bit integers and, if used, a mask.
Handler histogram();
/// An operand of a scaled product in fp32 (ScaledDetail), from bytes of e2m1 or from fp32.
Handler unpackScaled(bool isPacked);
/// One element: result = operand 0 [operand 1 + detail], and result [operand 1 + detail] = operand 0. The
/// index is an Int32.
Handler pickElement(unsigned bytes);
Handler putElement(unsigned bytes);

/// Inline PTX: an operand's elements to the ports (PortDetail), the program for each of `count` groups
/// (PtxProgram), and a result's elements from the ports. What is not interpreted ends the launch
/// (MessageDetail).
Handler toPorts();
Handler assembly();
Handler fromPorts();
Handler refuseAssembly();

/// Buffers in shared memory (SharedDetail). The first leaves `count` bytes undefined; a wait's `detail` is
/// how many groups it leaves.
Handler sharedAllocate();
Handler sharedStore();
Handler sharedLoad();
Handler asyncCopy();
Handler asyncCommit();
Handler asyncWait();

/// The allocations live at addresses, 0 where none is.
Handler findTensors();

Handler load();
Handler store();
Handler atomic();

} // namespace tilescope::interp
