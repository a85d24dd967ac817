// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts what the programs of a launch ask of global memory, access by access, as they run: what LaunchTracer.h says of
// a whole launch, and LaunchAccesses.h of one access at a time.
#pragma once

#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Interpreter/Kernel.h"
#include "compiler/Memory/AddressSpace.h"
#include "compiler/Model/DistinctSectors.h"
#include "compiler/Model/TileTraffic.h"
#include "compiler/Model/UsedBytes.h"
#include "compiler/Protocol/LaunchTrace.h"

#include <map>

namespace tilescope::service {

/// An access of the source. Its copies in the compiled kernel (in front of a pipelined loop, and in it) are one.
struct AccessPlace {
  protocol::AccessTrace trace; ///< without the distinct sectors
  int column = 0;              ///< from 1, in bytes
  model::DistinctSectors sectors;
  model::UsedBytes bytes;
  AllocationId tensor = 0; ///< 0 until an element was on
};

class AccessCounter {
public:
  /// Of a kernel of stage two, whose accesses it numbers (Flatten.h, accessNumberAttr). `keepsBytes`: which bytes were
  /// used too.
  AccessCounter(tile::FuncOp kernel, const AddressSpace &memory, bool keepsBytes = false);

  /// What the launch was given, to know its tensors by; they may have been freed since.
  void setArguments(std::vector<interp::Argument> arguments) { m_arguments = std::move(arguments); }

  void count(const interp::ObservedAccess &observed);

  const std::vector<AccessPlace> &places() const { return m_places; }
  /// The place of an access of the compiled kernel, an index into places(); its plan and shape (of rank 1 at least).
  size_t placeOf(int32_t number) const { return m_accesses[size_t(number)].place; }
  const model::AccessPlan &planOf(int32_t number) const { return m_accesses[size_t(number)].traffic.plan(); }
  std::span<const int64_t> shapeOf(int32_t number) const { return m_accesses[size_t(number)].shape; }

  /// With the distinct sectors, and the parameter that the tensor was given as.
  protocol::AccessTrace trace(const AccessPlace &place, const interp::Kernel &code) const;
  /// Of all places, in the order of their lines.
  std::vector<protocol::AccessTrace> traces(const interp::Kernel &code) const;

private:
  /// An access of the compiled kernel.
  struct Access {
    model::TileTraffic traffic;
    std::vector<int64_t> shape;
    size_t place = 0;
  };

  size_t placeFor(mlir::Operation *op, const model::AccessPlan &plan);
  AllocationId tensorAt(uint64_t address) const;
  void findTensor(AccessPlace &place, const interp::ObservedAccess &observed);

  const AddressSpace &m_memory;
  const bool m_keepsBytes;
  std::vector<interp::Argument> m_arguments;
  std::vector<Access> m_accesses;
  std::vector<AccessPlace> m_places;
  std::map<std::tuple<std::string, uint32_t, uint32_t, std::string>, size_t> m_placeNumbers;
};

} // namespace tilescope::service
