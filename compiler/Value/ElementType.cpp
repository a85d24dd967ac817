// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table of element types.
#include "compiler/Value/ElementType.h"

#include <algorithm>
#include <array>

namespace tilescope {
namespace {

enum class Class : uint8_t { Bool, Signed, Unsigned, Float };

struct Row {
  ElementType type;
  unsigned bytes;
  Class kind;
  std::string_view triton;     ///< as Triton prints it
  std::string_view tritonName; ///< below triton.language
  std::string_view torch;      ///< as torch prints it
  std::string_view alias;      ///< below torch, or empty
};

constexpr std::array Rows{
    Row{ElementType::Bool, 1, Class::Bool, "int1", "int1", "torch.bool", ""},
    Row{ElementType::Int8, 1, Class::Signed, "int8", "int8", "torch.int8", ""},
    Row{ElementType::Int16, 2, Class::Signed, "int16", "int16", "torch.int16", "short"},
    Row{ElementType::Int32, 4, Class::Signed, "int32", "int32", "torch.int32", "int"},
    Row{ElementType::Int64, 8, Class::Signed, "int64", "int64", "torch.int64", "long"},
    Row{ElementType::UInt8, 1, Class::Unsigned, "uint8", "uint8", "torch.uint8", ""},
    Row{ElementType::UInt16, 2, Class::Unsigned, "uint16", "uint16", "torch.uint16", ""},
    Row{ElementType::UInt32, 4, Class::Unsigned, "uint32", "uint32", "torch.uint32", ""},
    Row{ElementType::UInt64, 8, Class::Unsigned, "uint64", "uint64", "torch.uint64", ""},
    Row{ElementType::Float8E4M3FN, 1, Class::Float, "fp8e4nv", "float8e4nv", "torch.float8_e4m3fn", ""},
    Row{ElementType::Float8E5M2, 1, Class::Float, "fp8e5", "float8e5", "torch.float8_e5m2", ""},
    Row{ElementType::Float8E4M3FNUZ, 1, Class::Float, "fp8e4b8", "float8e4b8", "torch.float8_e4m3fnuz", ""},
    Row{ElementType::Float8E5M2FNUZ, 1, Class::Float, "fp8e5b16", "float8e5b16", "torch.float8_e5m2fnuz", ""},
    Row{ElementType::BFloat16, 2, Class::Float, "bf16", "bfloat16", "torch.bfloat16", ""},
    Row{ElementType::Float16, 2, Class::Float, "fp16", "float16", "torch.float16", "half"},
    Row{ElementType::Float32, 4, Class::Float, "fp32", "float32", "torch.float32", "float"},
    Row{ElementType::Float64, 8, Class::Float, "fp64", "float64", "torch.float64", "double"},
};

const Row &row(ElementType type) { return Rows[static_cast<size_t>(type)]; }

constexpr std::string_view TorchPrefix = "torch.";
constexpr std::string_view TritonPrefix = "triton.language.";

} // namespace

unsigned byteSize(ElementType type) { return row(type).bytes; }
bool isFloat(ElementType type) { return row(type).kind == Class::Float; }
bool isSignedInt(ElementType type) { return row(type).kind == Class::Signed; }
bool isUnsignedInt(ElementType type) { return row(type).kind == Class::Unsigned; }
std::string_view tritonName(ElementType type) { return row(type).triton; }
std::string_view languageName(ElementType type) { return row(type).tritonName; }
std::string_view torchName(ElementType type) { return row(type).torch; }

std::optional<ElementType> elementTypeOfSymbol(std::string_view symbol) {
  auto named = [symbol](const Row &row) {
    if (symbol.starts_with(TritonPrefix))
      return symbol.substr(TritonPrefix.size()) == row.tritonName;
    if (!symbol.starts_with(TorchPrefix))
      return false;
    return symbol == row.torch || (!row.alias.empty() && symbol.substr(TorchPrefix.size()) == row.alias);
  };
  auto found = std::find_if(Rows.begin(), Rows.end(), named);
  return found == Rows.end() ? std::nullopt : std::optional(found->type);
}

} // namespace tilescope
