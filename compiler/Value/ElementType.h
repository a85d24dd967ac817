// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element types of tensors and tiles, with their names in torch and in triton.language.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilescope {

enum class ElementType : uint8_t {
  Bool,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Float8E4M3FN,
  Float8E5M2,
  Float8E4M3FNUZ,
  Float8E5M2FNUZ,
  BFloat16,
  Float16,
  Float32,
  Float64,
};

/// Bytes of one element in memory (Bool: 1).
unsigned byteSize(ElementType type);
bool isFloat(ElementType type);
bool isSignedInt(ElementType type);
bool isUnsignedInt(ElementType type);
/// "fp32", "int64", "uint8", "bf16", "int1": as Triton prints a type.
std::string_view tritonName(ElementType type);
/// The name below triton.language: "float32", "float8e5".
std::string_view languageName(ElementType type);
/// "torch.float32" and the like.
std::string_view torchName(ElementType type);
/// From a full symbol name: "torch.half", "torch.float16", "triton.language.float16" …; nothing if it names
/// no type.
std::optional<ElementType> elementTypeOfSymbol(std::string_view symbol);

} // namespace tilescope
