// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy of a value's elements as they stood at a step of a program, and of an access's addresses, with what
// each element is.
#pragma once

#include "compiler/Interpreter/Machine.h"

#include <memory>

namespace tilescope::interp {

/// What an element of a tile means.
enum class ElementKind : uint8_t {
  Defined,
  Undefined,   ///< masked off by a load without `other`, or computed with such an element
  Padding,     ///< masked off by a load with `other`, and no more than moved or multiplied since
  OutOfBounds, ///< of a load: outside of its tensor, read as 0
};

/// Immutable: steps that do not change a value share it.
struct Tile {
  uint32_t value = 0;                ///< index into StepTable::values
  uint64_t step = 0;                 ///< the position (Stepper.h) at which it was made
  std::vector<std::byte> elements;   ///< as in a slot (Kernel.h): one that stands for all, or all, row-major
  std::vector<ElementKind> kinds;    ///< one each; empty where all are defined
  std::vector<AllocationId> tensors; ///< of pointers: those meant; one for all, or one each
};
using TilePtr = std::shared_ptr<const Tile>;

enum class AccessState : uint8_t { Active, MaskedOff, OutOfBounds };

/// What one execution of an access touched.
struct AccessView {
  uint32_t site = 0; ///< index into Kernel::accesses()
  uint32_t count = 0;
  unsigned bytes = 0;                ///< of an element in memory
  std::vector<Address> addresses;    ///< one an element
  std::vector<AllocationId> tensors; ///< those meant; one for all, or one each
  std::vector<AccessState> states;   ///< one an element
  TilePtr stored;                    ///< what a store or atomic was given; null for loads
};

/// The value's elements as they stand in the frame now; `access` is what has just loaded them, if that is so.
TilePtr copyTile(Frame &frame, uint32_t value, uint64_t step, const AccessView *access = nullptr);
/// The access that `instruction` has just carried out; its operands still stand in their slots.
AccessView viewAccess(Frame &frame, const Instruction &instruction);
/// Is it a load, store or atomic?
bool isAccess(const FlowDetail &flow);

} // namespace tilescope::interp
