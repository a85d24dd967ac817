// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the Flattener notes for those who step through a program: which instructions an operation of the
// source became, in which order operations follow one another where a program jumps, and where the values of
// variables stand. Stepper.h reads it; who runs a launch never does.
#pragma once

#include "compiler/Value/ElementType.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace tilescope::interp {

/// Which tensor a pointer is meant to point into.
struct Provenance {
  enum class Kind : uint8_t {
    Argument, ///< that of kernel parameter `index`
    Slot,     ///< an AllocationId for each element (or one for all), in a slot
    Address,  ///< whatever is live at the address
  };
  Kind kind = Kind::Address;
  uint32_t index = 0;
  bool single = false; ///< Slot: one element for all
  friend bool operator==(const Provenance &, const Provenance &) = default;
};

/// One operand of the `&` that a mask is made with, before it was broadcast.
struct Conjunct {
  uint32_t value = 0;         ///< index into StepTable::values
  std::vector<int64_t> shape; ///< broadcast to that of the mask
};

/// A value of the source.
struct NotedValue {
  std::string name;                         ///< of the variable; empty for one without
  uint32_t place = 0;                       ///< index into Kernel::places()
  ElementType element = ElementType::Int32; ///< UInt64 for pointers
  bool isPointer = false;
  ElementType pointee = ElementType::Float32; ///< of pointers
  std::vector<int64_t> shape;                 ///< empty for a scalar
  uint32_t slot = 0;                          ///< while assembling: the number of a value
  uint32_t stored = 1;             ///< elements in the slot: one, or all of the shape; 0 if it was never made
  Provenance provenance;           ///< of pointers
  std::vector<Conjunct> conjuncts; ///< of a mask that is an `&`
  bool isKept = false;             ///< a variable's, or a conjunct: held on to until it is made again
};

/// An operation of the source; its instructions end where the next step's begin.
struct Step {
  std::string operation;         ///< of tile IR: "load"
  uint32_t place = 0;            ///< index into Kernel::places()
  uint32_t begin = 0;            ///< first instruction; none where the next step begins there too
  uint32_t made = 0;             ///< instruction before which the results stand in their slots
  std::vector<uint32_t> results; ///< indices into StepTable::values
  int32_t mask = -1;             ///< of an access: the value that is its mask
  bool isHidden = false; ///< moves values at the end of a branch or loop: goes with the step before it
};

struct StepTable {
  std::vector<Step> steps;
  std::vector<NotedValue> values;
  std::vector<uint32_t> parameters;                ///< the values that are the kernel's
  std::unordered_map<uint32_t, uint32_t> landings; ///< jump: the step that follows where it is taken
};

} // namespace tilescope::interp
