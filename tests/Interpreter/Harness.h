// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs tile IR given as text on tensors given as vectors. This header includes no MLIR.
#pragma once

#include "compiler/Interpreter/Interpreter.h"
#include "compiler/Interpreter/Kernel.h"

#include <cstring>
#include <span>
#include <string>

namespace tilescope::interp::test {

/// Parses, verifies and flattens; places are those of the text itself. Null after an error, which is in
/// `diagnostics` or on standard error. `contracts`: products and sums become one rounding first, as for a GPU.
std::shared_ptr<const Kernel> kernelOf(const std::string &ir, Diagnostics &diagnostics, bool contracts = false);
/// The text of tests/Interpreter/kernels/NAME.mlir.
std::string kernelText(const std::string &name);

/// Tensors and a launch of one kernel.
class Machine {
public:
  /// `snapshotBudget` is for the pages as they were before a launch: AddressSpace.
  explicit Machine(uint64_t snapshotBudget = AddressSpace::DefaultSnapshotBudget)
      : m_memory(AddressSpace::DefaultCapacity, snapshotBudget) {}

  template <typename T> AllocationId tensor(const std::vector<T> &values, const std::string &name) {
    const AllocationId id = *m_memory.allocate(values.size() * sizeof(T), name);
    if (!values.empty())
      std::memcpy(m_memory.write(m_memory.allocation(id).address, values.size() * sizeof(T)), values.data(),
                  values.size() * sizeof(T));
    return id;
  }
  Argument pointer(AllocationId id) const { return {m_memory.allocation(id).address, id}; }
  template <typename T> static Argument scalar(T value) {
    Argument argument;
    std::memcpy(&argument.bits, &value, sizeof(T));
    return argument;
  }
  template <typename T> std::vector<T> values(AllocationId id) const {
    const Allocation &allocation = m_memory.allocation(id);
    std::vector<T> result(allocation.bytes / sizeof(T));
    std::memcpy(result.data(), m_memory.read(allocation.address), allocation.bytes);
    return result;
  }

  RunResult run(const Kernel &kernel, std::array<uint32_t, 3> grid, const std::vector<Argument> &arguments) {
    return interp::run(kernel, grid, arguments, m_memory, options, diagnostics);
  }
  AddressSpace &memory() { return m_memory; }

  RunOptions options;
  Diagnostics diagnostics;

private:
  AddressSpace m_memory;
};

/// fp16 by its bits, as IEEE 754 has it; the tests' own.
float fromHalf(uint16_t bits);
uint16_t toHalf(double value);

} // namespace tilescope::interp::test
