// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grid, hints, messages, and the functions of Python itself that a kernel may call.
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
  if (!call[0].term.constant() && !call[0].term.tuple()) {
    call.emitter.error(call[0].range, "static-assert-run-time", {describe(call[0].term)});
    return {};
  }
  if (call[0].term.constant() && !truth(*call[0].term.constant())) {
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

//===- Python's own -------------------------------------------------------------------------------===//

Term length(LibraryCall &call) {
  if (const TupleTerm *tuple = call[0].term.tuple())
    return Value(static_cast<int64_t>(tuple->items.size()));
  if (const Value *constant = call[0].term.constant())
    if (Result<int64_t> size = tilescope::length(*constant))
      return Value(*size);
  call.emitter.error(call[0].range, "no-length", {describe(call[0].term)});
  return {};
}

/// min and max of numbers and scalars, as tl.minimum and tl.maximum where one is a run-time value.
template <bool IsMax> Term extremum(LibraryCall &call) {
  std::vector<Term> items = itemsOf(call[0].term);
  if (items.size() == 1 && items[0].tuple())
    items = items[0].tuple()->items;
  if (items.empty()) {
    call.emitter.error(call.range, "missing-argument", {IsMax ? "max" : "min", "args"});
    return {};
  }
  Term result = items[0];
  for (size_t i = 1; i < items.size(); ++i) {
    const Value *a = result.constant(), *b = items[i].constant();
    if (a && b) {
      Result<bool> less = compare(syntax::CompareOperator::Lt, *a, *b);
      if (!less) {
        call.emitter.error(call.range, less.error().id, less.error().arguments);
        return {};
      }
      result = *less == IsMax ? items[i] : result;
      continue;
    }
    CallArguments arguments;
    arguments.positional = {{result, call[0].range}, {items[i], call[0].range}};
    arguments.call = arguments.callee = call.range;
    result = call.lowering.call(
        {makeSymbol(IsMax ? "triton.language.maximum" : "triton.language.minimum"), call.range}, arguments);
  }
  return result;
}

Term toFloat(LibraryCall &call) {
  const Value *constant = call[0].term.constant();
  if (const std::string *text = constant ? constant->asString() : nullptr) {
    std::string_view name = *text;
    bool negative = name.starts_with('-');
    if (negative || name.starts_with('+'))
      name.remove_prefix(1);
    double value = name == "inf" || name == "infinity" ? std::numeric_limits<double>::infinity()
                   : name == "nan"                     ? std::numeric_limits<double>::quiet_NaN()
                                                       : std::strtod(std::string(name).c_str(), nullptr);
    return Value(negative ? -value : value);
  }
  if (call[0].term.isNumber()) {
    if (constant->asFloat())
      return *constant;
    Result<Value> real = tilescope::binary(syntax::BinaryOperator::Mult, *constant, Value(1.0));
    return real ? Term(*real) : Term();
  }
  call.emitter.error(call[0].range, "constant-expected", {describe(call[0].term)});
  return {};
}

Term toInt(LibraryCall &call) {
  if (const Value *constant = call[0].term.constant()) {
    if (auto number = constant->index())
      return Value(*number);
    if (const double *real = constant->asFloat())
      if (auto whole = Integer::fromDouble(*real))
        return Value(*whole);
  }
  call.emitter.error(call[0].range, "constant-expected", {describe(call[0].term)});
  return {};
}

Term toBool(LibraryCall &call) {
  auto value = constantBool(call.emitter, call[0]);
  return value ? Term(Value(*value)) : Term();
}

Term toTuple(LibraryCall &call) { return call[0].term; }

Term pythonRange(LibraryCall &call) {
  auto numbers = constantShape(call.emitter, call[0]);
  if (!numbers)
    return {};
  if (numbers->empty() || numbers->size() > 3 || (numbers->size() == 3 && (*numbers)[2] == 0)) {
    call.emitter.error(call.range, "range-arguments", {std::to_string(numbers->size())});
    return {};
  }
  int64_t start = numbers->size() == 1 ? 0 : (*numbers)[0], stop = (*numbers)[numbers->size() == 1 ? 0 : 1];
  int64_t step = numbers->size() == 3 ? (*numbers)[2] : 1;
  return Value(std::shared_ptr<Object>(std::make_shared<RangeObject>(start, stop, step)));
}

Term constexprOf(LibraryCall &call) {
  if (!call[0].term.value())
    return call[0].term;
  call.emitter.error(call[0].range, "constexpr-of-run-time-value", {describe(call[0].term)});
  return {};
}

Term pointerType(LibraryCall &call) {
  mlir::Type element = constantType(call.emitter, call[0]);
  return element ? Term(mlir::Type(tile::PointerType::get(element))) : Term();
}

Term nextPowerOfTwo(LibraryCall &call) {
  auto number = constantInt(call.emitter, call[0]);
  if (!number)
    return {};
  return Value(*number <= 1 ? int64_t(1)
                            : static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(*number))));
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
    {"triton.language.constexpr", "value", constexprOf},
    {"triton.language.pointer_type", "element_ty, address_space=1", pointerType},
    {"triton.next_power_of_2", "n", nextPowerOfTwo},
    {"builtins.len", "obj", length},
    {"builtins.min", "*args", extremum<false>},
    {"builtins.max", "*args", extremum<true>},
    {"builtins.float", "value", toFloat},
    {"builtins.int", "value", toInt},
    {"builtins.bool", "value", toBool},
    {"builtins.tuple", "iterable", toTuple},
    {"builtins.list", "iterable", toTuple},
    {"builtins.range", "*args", pythonRange},
    {"triton.language.static_range", "*args", pythonRange},
    {"triton.language.range",
     "*args, num_stages=None, loop_unroll_factor=None, disallow_acc_multi_buffer=False, flatten=False, "
     "warp_specialize=False, disable_licm=False",
     pythonRange},
    {"builtins.print", "*values, sep=' ', end='', file=None, flush=False", pythonPrint},
};

} // namespace

std::span<const LibraryFunction> programRows() { return rows; }

} // namespace tilescope::frontend
