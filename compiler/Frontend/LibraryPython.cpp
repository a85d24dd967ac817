// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens at compile time: the functions of Python itself that a kernel may call, types, constants.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Lowering.h"
#include "compiler/Frontend/Types.h"
#include "compiler/Value/Operators.h"

#include <bit>

namespace tilescope::frontend {

namespace {

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
  if (items.size() < 2) {
    call.emitter.error(call.range, "missing-argument", {IsMax ? "max" : "min", "b"});
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

/// tl.constexpr(x), tl.condition(x, …): what they are given.
Term itself(LibraryCall &call) { return call[0].term; }

Term typeNamed(LibraryCall &call) {
  auto name = constantString(call.emitter, call[0]);
  constexpr auto last = static_cast<int>(ElementType::Float64);
  for (int i = 0; name && i <= last; ++i)
    if (auto element = static_cast<ElementType>(i); tritonName(element) == *name)
      return mlirType(call.emitter.context(), element);
  if (name)
    call.emitter.error(call[0].range, "unknown-option", {*name, "int32, int64, fp16, bf16, fp32"});
  return {};
}

Term blockType(LibraryCall &call) {
  mlir::Type element = constantType(call.emitter, call[0]);
  auto shape = tileShape(call.emitter, call[1]);
  return element && shape ? Term(tile::tileOrScalar(*shape, element)) : Term();
}

//===- Questions about terms ----------------------------------------------------------------------===//

struct Kind {
  std::string_view type; ///< as a symbol says it
  bool (*holds)(const Term &term);
};

bool isText(const Term &term) { return term.constant() && term.constant()->asString(); }
bool isWhole(const Term &term) {
  return term.constant() && (term.constant()->asInt() || term.constant()->asBool());
}

/// What a value is for isinstance: Triton takes the constexpr off before it asks.
constexpr Kind kinds[] = {
    {"triton.language.tensor", [](const Term &t) { return t.value() != nullptr; }},
    {"triton.language.base_value", [](const Term &t) { return t.value() || t.tuple(); }},
    {"triton.language.constexpr", [](const Term &) { return false; }},
    {"triton.language.dtype", [](const Term &t) { return t.type() != nullptr; }},
    {"triton.language.pointer_type", [](const Term &t) { return t.type() && tile::isPointer(t.type()); }},
    {"triton.language.block_type",
     [](const Term &t) { return t.type() && llvm::isa<tile::TileType>(t.type()); }},
    {"triton.language.tuple", [](const Term &t) { return t.tuple() && t.tuple()->type.isNone(); }},
    {"builtins.int", isWhole},
    {"builtins.float", [](const Term &t) { return t.constant() && t.constant()->asFloat(); }},
    {"builtins.bool", [](const Term &t) { return t.constant() && t.constant()->asBool(); }},
    {"builtins.str", isText},
};

/// Is the term of this type? Nothing if the type is none that we know.
std::optional<bool> isOf(const Term &term, const Term &type) {
  if (const TupleTerm *any = type.tuple()) {
    bool found = false;
    for (const Term &one : any->items) {
      std::optional<bool> holds = isOf(term, one);
      if (!holds)
        return std::nullopt;
      found |= *holds;
    }
    return found;
  }
  if (term.tuple() && type.constant() && !term.tuple()->type.isNone())
    if (!type.symbol())
      return type.constant()->identical(term.tuple()->type);
  std::string_view symbol = type.symbol().value_or(""); // tl.core.tensor is tl.tensor
  const auto *row = llvm::find_if(kinds, [&](const Kind &kind) {
    return lastPart(kind.type) == lastPart(symbol) && kind.type.substr(0, 7) == symbol.substr(0, 7);
  });
  return row == std::end(kinds) ? std::nullopt : std::optional(row->holds(term));
}

Term isInstance(LibraryCall &call) {
  if (std::optional<bool> holds = isOf(call[0].term, call[1].term))
    return Value(*holds);
  call.emitter.error(call[1].range, "type-expected", {describe(call[1].term)});
  return {};
}

Term hasAttribute(LibraryCall &call) {
  auto name = constantString(call.emitter, call[1]);
  return name ? Term(Value(call.lowering.findAttribute(call[0], *name).has_value())) : Term();
}

Term getAttribute(LibraryCall &call) {
  const std::string *name = call[1].term.constant() ? call[1].term.constant()->asString() : nullptr;
  if (!name) {
    call.emitter.error(call[1].range, "string-expected", {describe(call[1].term)});
    return {};
  }
  if (std::optional<Term> term = call.lowering.findAttribute(call[0], *name))
    return *term;
  if (!itemsOf(call[2].term).empty())
    return itemsOf(call[2].term)[0];
  call.emitter.error(call[1].range, "unknown-attribute", {describe(call[0].term), *name});
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
    {"triton.language.constexpr", "value", itself},
    {"triton.language.condition", "arg1, disable_licm=False", itself},
    {"triton.language.tuple", "args", toTuple},
    {"triton.language.dtype", "name", typeNamed},
    {"triton.language.pointer_type", "element_ty, address_space=1, const=False", pointerType},
    {"triton.language.block_type", "element_ty, shape", blockType},
    {"triton.next_power_of_2", "n", nextPowerOfTwo},
    {"builtins.len", "obj", length},
    {"builtins.min", "*args", extremum<false>},
    {"builtins.max", "*args", extremum<true>},
    {"builtins.float", "value", toFloat},
    {"builtins.int", "value", toInt},
    {"builtins.list", "iterable", toTuple},
    {"builtins.range", "*args", pythonRange},
    {"builtins.isinstance", "object, type", isInstance},
    {"builtins.hasattr", "object, name", hasAttribute},
    {"builtins.getattr", "object, name, *default", getAttribute},
    {"triton.language.static_range", "*args", pythonRange},
    {"triton.language.range",
     "*args, num_stages=None, loop_unroll_factor=None, disallow_acc_multi_buffer=False, flatten=False, "
     "warp_specialize=False, disable_licm=False",
     pythonRange},
};

} // namespace

std::span<const LibraryFunction> pythonRows() { return rows; }

} // namespace tilescope::frontend
