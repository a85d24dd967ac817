// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's libdevice as Triton gives it to kernels: for each function, which element types it takes and the
// symbol that then computes it. What real Triton says is recorded in tests/Frontend/data/libdevice.txt.
#pragma once

#include "compiler/Value/ElementType.h"

#include <span>
#include <string>
#include <string_view>

namespace tilescope::frontend {

inline constexpr std::string_view libdevicePrefix = "triton.language.extra.libdevice.";

struct LibdeviceSignature {
  std::string_view name;   ///< "clz"
  std::string_view symbol; ///< "__nv_clzll"
  /// Arguments, ">", result, a letter each: i int32, l int64, u uint32, v uint64, f fp32, d fp64. As a
  /// result, b: int1, which the symbol gives as an int32 other than 0.
  std::string_view types;

  std::string_view argumentLetters() const { return types.substr(0, types.size() - 2); }
  size_t arity() const { return types.size() - 2; }
  ElementType argument(size_t i) const;
  /// What the symbol gives.
  ElementType result() const;
  bool givesTruth() const { return types.back() == 'b'; }
  /// "(fp32, int32)".
  std::string argumentsText() const;
};

/// Those of one name side by side, names in alphabetical order.
std::span<const LibdeviceSignature> libdeviceSignatures();
/// The signatures of a function; empty if there is no such one.
std::span<const LibdeviceSignature> libdeviceSignatures(std::string_view name);

} // namespace tilescope::frontend
