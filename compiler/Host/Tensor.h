// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// torch.Tensor, as host code sees it: a strided view of a storage that lives in the AddressSpace.
#pragma once

#include "compiler/Memory/AddressSpace.h"
#include "compiler/Value/ElementType.h"
#include "compiler/Value/Objects.h"

#include <memory>
#include <vector>

namespace tilescope::host {

/// One allocation, shared by the views on it and freed with the last of them.
struct Storage {
  Storage(AddressSpace &memory, AllocationId allocation) : memory(memory), allocation(allocation) {}
  ~Storage() { memory.free(allocation); }
  Storage(const Storage &) = delete;
  Storage &operator=(const Storage &) = delete;
  AddressSpace &memory;
  const AllocationId allocation;
};

/// Shape, strides and offset are in elements.
struct TensorObject final : Object {
  static constexpr ObjectKind Kind = ObjectKind::Host;
  TensorObject() : Object(Kind) {}
  std::string_view typeName() const override { return "Tensor"; }

  std::shared_ptr<Storage> storage;
  ElementType type = ElementType::Float32;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  int64_t offset = 0;
  bool onGpu = false; ///< made with device="cuda"; only what is printed depends on it

  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  int64_t elements() const;
  bool isContiguous() const;
  /// Device address of element 0.
  Address address() const;
};

} // namespace tilescope::host
