// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel asks at compile time: about numbers, types and the GPU.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Types.h"
#include "compiler/Value/Operators.h"

#include <bit>

namespace tilescope::frontend {

namespace {

Term integerType(LibraryCall &call) {
  auto width = constantInt(call.emitter, call[0]);
  auto isSigned = constantBool(call.emitter, call[1]);
  if (!width || !isSigned)
    return {};
  mlir::MLIRContext *context = call.emitter.context();
  switch (*width) {
  case 1:
    return boolean(context);
  case 8:
    return mlirType(context, *isSigned ? ElementType::Int8 : ElementType::UInt8);
  case 16:
    return mlirType(context, *isSigned ? ElementType::Int16 : ElementType::UInt16);
  case 32:
    return mlirType(context, *isSigned ? ElementType::Int32 : ElementType::UInt32);
  case 64:
    return mlirType(context, *isSigned ? ElementType::Int64 : ElementType::UInt64);
  default:
    call.emitter.error(call[0].range, "integer-width", {std::to_string(*width)});
    return {};
  }
}

/// The position of the highest bit of a number.
Term log2OfInteger(LibraryCall &call) {
  auto number = constantInt(call.emitter, call[0]);
  if (!number)
    return {};
  return Value(int64_t(std::bit_width(static_cast<uint64_t>(std::max<int64_t>(*number, 1)))) - 1);
}

Term isPowerOfTwo(LibraryCall &call) {
  auto number = constantInt(call.emitter, call[0]);
  return number ? Term(Value(*number > 0 && std::has_single_bit(static_cast<uint64_t>(*number)))) : Term();
}

/// For the prelude: a diagnostic of that id, unless the condition holds.
Term require(LibraryCall &call) {
  auto holds = constantBool(call.emitter, call[0]);
  auto id = constantString(call.emitter, call[1]);
  if (!holds || !id || *holds)
    return Value();
  std::vector<std::string> arguments;
  for (const Term &term : itemsOf(call[2].term))
    arguments.push_back(term.constant() ? str(*term.constant()) : describe(term));
  call.emitter.error(call.range, *id, std::move(arguments));
  return Value();
}

template <bool Answer> Term answer(LibraryCall &) { return Value(Answer); }

Term capabilityAtLeast(LibraryCall &call) {
  auto major = constantInt(call.emitter, call[0]), minor = constantInt(call.emitter, call[1]);
  return major && minor ? Term(Value(computeCapability >= *major * 10 + *minor)) : Term();
}

constexpr LibraryFunction rows[] = {
    {"triton.language.core.get_int_dtype", "bitwidth, signed", integerType},
    {"triton.language.standard._log2", "i", log2OfInteger},
    {"triton.language.standard._is_power_of_two", "i", isPowerOfTwo},
    {"triton.language._require", "condition, id, *args", require},
    {"triton.language.target_info.is_cuda", "", answer<true>},
    {"triton.language.target_info.is_hip", "", answer<false>},
    {"triton.language.target_info.is_hip_cdna3", "", answer<false>},
    {"triton.language.target_info.is_hip_cdna4", "", answer<false>},
    {"triton.language.target_info.is_hip_gfx1250", "", answer<false>},
    {"triton.language.target_info.cuda_capability_geq", "major, minor=0", capabilityAtLeast},
};

} // namespace

std::span<const LibraryFunction> constantRows() { return rows; }

} // namespace tilescope::frontend
