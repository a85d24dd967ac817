// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// triton.tools.tensor_descriptor.TensorDescriptor: a tensor, and the shape of the blocks that a kernel reads
// and writes of it. A launch takes it as an argument.
#pragma once

#include "compiler/Host/Tensor.h"
#include "compiler/Support/Result.h"

namespace tilescope::host {

/// Shape and strides are in elements, and need not be the tensor's own.
struct DescriptorParts {
  Value base; ///< a TensorObject
  std::vector<int64_t> shape, strides, blockShape;
  bool padsNaN = false; ///< what lies outside reads as NaN, not 0
};

/// Scripts may change all of it.
struct DescriptorObject final : Object, DescriptorParts {
  static constexpr ObjectKind Kind = ObjectKind::Host;
  explicit DescriptorObject(DescriptorParts parts) : Object(Kind), DescriptorParts(std::move(parts)) {}
  std::string_view typeName() const override { return "TensorDescriptor"; }

  const TensorObject &tensor() const { return *base.as<TensorObject>(); }
  /// What Triton asks of a descriptor. Errors "tensor-descriptor-ranks", "-base", "-size" and "-last-stride",
  /// "descriptor-rank", "descriptor-stride-alignment", "shape-not-power-of-two", "padding-of-integers".
  Result<bool> check() const;
};

/// The tensor of an argument: itself, or the base of a descriptor; null for anything else.
const TensorObject *tensorOfArgument(const Value &value);

/// `.base`, `.shape`, `.strides`, `.block_shape`, `.padding`, read and written.
Result<Value> descriptorAttribute(const Value &descriptor, std::string_view name);
Result<Value> setDescriptorAttribute(const Value &descriptor, std::string_view name, const Value &value);

} // namespace tilescope::host
