// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grid, hints and messages.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Lowering.h"
#include "compiler/Frontend/Types.h"
#include "compiler/Value/Operators.h"

#include <bit>

namespace tilescope::frontend {

namespace {

//===- The grid -----------------------------------------------------------------------------------===//

std::optional<tile::Axis> gridAxis(LibraryCall &call) {
  auto axis = constantInt(call.emitter, call[0]);
  if (axis && *axis >= 0 && *axis < 3)
    return static_cast<tile::Axis>(*axis);
  if (axis)
    call.emitter.error(call[0].range, "grid-axis", {std::to_string(*axis)});
  return std::nullopt;
}

template <typename Op> Term gridOp(LibraryCall &call) {
  auto axis = gridAxis(call);
  if (!axis)
    return {};
  return mlir::Value(call.emitter.create<Op>(int32(call.emitter.context()), *axis));
}

//===- Hints --------------------------------------------------------------------------------------===//

/// tl.multiple_of and its like say something about values that are known: an attribute on what computes them.
Term hint(LibraryCall &call) {
  mlir::Value value = toTensor(call.emitter, call[0]);
  auto known = constantShape(call.emitter, call[1]);
  if (!value || !known)
    return {};
  std::string_view function = lastPart(call.function.name);
  size_t rank = tile::shapeOf(value.getType()).size(),
         wanted = function == "multiple_of" && rank == 0 ? 1 : rank;
  if (known->size() != wanted) {
    call.emitter.error(call[1].range, "hint-count",
                       {std::string(function), std::to_string(wanted), std::to_string(known->size())});
    return {};
  }
  llvm::SmallVector<int32_t> numbers(known->begin(), known->end());
  std::string name = "tile." + std::string(function);
  if (mlir::Operation *op = value.getDefiningOp())
    op->setAttr(name, call.emitter.builder.getDenseI32ArrayAttr(numbers));
  return value;
}

Term assume(LibraryCall &call) {
  if (call[0].term.constant())
    return Value();
  if (mlir::Value condition = toCondition(call.emitter, call[0]))
    call.emitter.create<tile::AssumeOp>(condition);
  return Value();
}

Term debugBarrier(LibraryCall &call) {
  call.emitter.create<tile::BarrierOp>();
  return Value();
}

//===- Messages -----------------------------------------------------------------------------------===//

Term staticAssert(LibraryCall &call) {
  const bool *passed = call[0].term.constant() ? call[0].term.constant()->asBool() : nullptr;
  if (!passed) {
    call.emitter.error(call[0].range, "static-assert-run-time", {describe(call[0].term)});
    return {};
  }
  if (!*passed) {
    const Value *message = call[1].term.constant();
    call.emitter.error(call.range, "static-assert-failed", {message ? str(*message) : ""});
  }
  return Value();
}

Term staticPrint(LibraryCall &call) {
  std::string text;
  for (const Term &term : itemsOf(call[0].term)) {
    const Value *constant = term.constant();
    text += (text.empty() ? "" : " ") + (constant && !term.symbol() ? str(*constant) : describe(term));
  }
  call.emitter.information(call.range, "static-print", {text});
  return Value();
}

Term deviceAssert(LibraryCall &call) {
  auto message = constantString(call.emitter, call[1]);
  mlir::Value condition = toTensor(call.emitter, call[0]);
  if (!condition || !message)
    return {};
  if (call[0].term.constant() && truth(*call[0].term.constant()))
    return Value();
  condition = castTo(call.emitter, condition, boolean(call.emitter.context()), call[0].range);
  mlir::Value mask;
  if (!call[2].term.isNone() && !(mask = toTensor(call.emitter, call[2])))
    return {};
  if (mask && !tile::isBoolean(tile::elementTypeOf(mask.getType()))) {
    call.emitter.error(call[2].range, "mask-type", {typeName(mask.getType())});
    return {};
  }
  if (mask && !(mask = broadcastTo(call.emitter, mask, tile::shapeOf(condition.getType()), call[2].range)))
    return {};
  call.emitter.create<tile::AssertOp>(condition, mask, call.emitter.builder.getStringAttr(*message));
  return Value();
}

void print(LibraryCall &call, std::string prefix, const std::vector<Term> &terms, SourceRange range,
           bool hex) {
  llvm::SmallVector<mlir::Value> values;
  for (const Term &term : terms) {
    if (const std::string *text = term.constant() ? term.constant()->asString() : nullptr) {
      prefix += (prefix.empty() ? "" : " ") + *text;
      continue;
    }
    mlir::Value value = toTensor(call.emitter, {term, range});
    if (!value)
      return;
    values.push_back(value);
  }
  call.emitter.create<tile::PrintOp>(call.emitter.builder.getStringAttr(prefix), hex, values);
}

Term devicePrint(LibraryCall &call) {
  auto prefix = constantString(call.emitter, call[0]);
  auto hex = constantBool(call.emitter, call[2]);
  if (prefix && hex)
    print(call, *prefix, itemsOf(call[1].term), call[1].range, *hex);
  return Value();
}

Term pythonPrint(LibraryCall &call) {
  print(call, "", itemsOf(call[0].term), call[0].range, false);
  return Value();
}

constexpr LibraryFunction rows[] = {
    {"triton.language.program_id", "axis", gridOp<tile::ProgramIdOp>},
    {"triton.language.num_programs", "axis", gridOp<tile::NumProgramsOp>},
    {"triton.language.multiple_of", "input, values", hint},
    {"triton.language.max_contiguous", "input, values", hint},
    {"triton.language.max_constancy", "input, values", hint},
    {"triton.language.assume", "cond", assume},
    {"triton.language.debug_barrier", "", debugBarrier},
    {"triton.language.static_assert", "cond, msg=''", staticAssert},
    {"triton.language.static_print", "*values, sep=' ', end='', file=None, flush=False", staticPrint},
    {"triton.language.device_assert", "cond, msg='', mask=None", deviceAssert},
    {"triton.language.device_print", "prefix, *args, hex=False", devicePrint},
    {"builtins.print", "*values, sep=' ', end='', file=None, flush=False", pythonPrint},
};

} // namespace

std::span<const LibraryFunction> programRows() { return rows; }

} // namespace tilescope::frontend
