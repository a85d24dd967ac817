// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the Assembler notes of each instruction for those who follow elements through a program: which
// elements of the result come from which of the operands, and where it matters what they are. Shadow.h
// reads it.
#pragma once

#include "compiler/Value/ElementType.h"

#include <cstdint>

namespace tilescope::interp {

enum class Op : uint8_t; ///< Operations.h

enum class Flow : uint8_t {
  Elementwise, ///< an element comes from those at the same place
  Keep,        ///< likewise, and 0 stays 0: copies, casts, products
  Select,      ///< the condition, and what it chooses
  Move,        ///< CopyDetail
  Reduce,      ///< AxisDetail
  Scan,        ///< AxisDetail
  Dot,         ///< DotDetail
  Gather,      ///< GatherDetail
  Histogram,   ///< values and mask
  Unpack,      ///< ScaledDetail
  Pick,        ///< one element of the operand, `detail` behind the index in operand 1
  Put,         ///< … and of the result
  MapBegin,    ///< the function of a map begins with other elements
  MapBranch,   ///< … and its operand decides which way it goes for these
  Exchange,    ///< the operand is what a sort may put in the place of each element
  ToPorts,     ///< PortDetail: into the ports of inline PTX,
  Assembly,    ///< PtxProgram: from those to others,
  FromPorts,   ///< PortDetail: and out of them
  Load,
  Store,
  Atomic,
  Branch, ///< the operands decide which way the program goes
  Assert,
  Print,
  None, ///< the result is defined
};

/// Of one instruction.
struct FlowDetail {
  Flow flow = Flow::Elementwise;
  bool hasOp = false; ///< is one of the operations of Operations.h: `op` on operands of `type`
  Op op{};
  ElementType type = ElementType::Int32;
  ElementType resultType = ElementType::Int32;
  ElementType operandTypes[3] = {};
  bool feedsAddress = false; ///< the result becomes an offset of a pointer
  uint32_t result = 0;       ///< elements in its slot
  uint32_t operands[3] = {}; ///< elements in their slots
  uint8_t spread = 0;        ///< bit k: operand k repeats elements along an axis
  bool isFirst = false;      ///< no instruction before wrote the result
  uint32_t shape = 0;        ///< of the tile that is looked at, where no detail says it: into shapes()
};

} // namespace tilescope::interp
