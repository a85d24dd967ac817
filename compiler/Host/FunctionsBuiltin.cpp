// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's built-in functions, but for conversions and what walks over items.
#include "compiler/Host/Functions.h"

#include "compiler/Value/Operators.h"
#include "compiler/Value/Utf8.h"

#include <cmath>

namespace tilescope::host {
namespace {

using syntax::BinaryOperator;

Result<Value> printed(NativeCall &call) {
  auto option = [&call](std::string_view name, const char *otherwise) {
    auto *value = call.keyword(name);
    return value && value->asString() ? *value->asString() : std::string(otherwise);
  };
  std::string separator = option("sep", " "), line;
  for (size_t i = 0; i < call.count(); ++i) {
    auto text = call.evaluation.strOf(call[i]);
    if (!text)
      return text.error().id == "unknown" ? Result<Value>(Value()) : text.error();
    line += (i ? separator : "") + *text;
  }
  auto *file = call.keyword("file"); // sys.stderr is not what the script prints
  if (!file || file->isNone() || symbolName(*file) == "sys.stdout")
    call.evaluation.print(line + option("end", "\n"));
  return Value();
}

Result<Value> len(NativeCall &call) { return call.evaluation.lengthOf(call[0]); }

Result<Value> absolute(NativeCall &call) {
  const Value &value = call[0];
  if (auto *number = value.asFloat())
    return Value(std::abs(*number));
  if (auto *number = value.asInt())
    return Value(number->isNegative() ? -*number : *number);
  if (auto *flag = value.asBool())
    return Value(int64_t(*flag));
  if (value.as<TensorObject>())
    return findFunction("torch.abs")->evaluate(call.evaluation, call.site.arguments);
  return call.wrongType(0, "int");
}

/// Half to even, at 10^-digits, which is negative.
Integer roundedWhole(const Integer &value, uint64_t digits) {
  Integer unit = Integer::pow(10, digits);
  Integer below = Integer::floorDiv(value, unit);
  Integer twice = (value - below * unit) * 2;
  bool up = twice > unit || (twice == unit && !(below & 1).isZero());
  return (below + Integer(up)) * unit;
}

double roundedReal(double value, int64_t digits) {
  if (!std::isfinite(value) || digits > 323)
    return value;
  if (digits < -308)
    return std::copysign(0.0, value);
  if (digits < 0) {
    double unit = std::pow(10.0, static_cast<double>(-digits));
    return std::nearbyint(value / unit) * unit;
  }
  std::string buffer(static_cast<size_t>(digits) + 340,
                     '\0'); // printf rounds the exact binary value, half to even
  std::snprintf(buffer.data(), buffer.size(), "%.*f", static_cast<int>(digits), value);
  return std::strtod(buffer.c_str(), nullptr);
}

Result<Value> round(NativeCall &call) {
  auto *digits = call.find(1, "ndigits");
  auto places = digits && !digits->isNone() ? digits->index() : std::nullopt;
  if (digits && !digits->isNone() && !places)
    return call.blame(1, {"wrong-argument-type", {"round", "int", std::string(digits->typeName())}});
  const Value &value = call[0];
  if (auto *number = value.asInt()) {
    constexpr int64_t MostDigits = 10'000;
    bool whole = !places || *places >= 0;
    return whole                   ? value
           : *places < -MostDigits ? Value(0)
                                   : Value(roundedWhole(*number, static_cast<uint64_t>(-*places)));
  }
  if (auto *flag = value.asBool())
    return Value(int64_t(*flag));
  if (value.as<TensorObject>())
    return findFunction("torch.round")->evaluate(call.evaluation, call.site.arguments);
  auto *number = value.asFloat();
  if (!number)
    return call.wrongType(0, "float");
  if (places)
    return Value(roundedReal(*number, *places));
  auto whole = Integer::fromDouble(std::nearbyint(*number));
  return whole ? Result<Value>(Value(*whole)) : Error{"not-finite", {repr(value)}};
}

Result<Value> isInstance(NativeCall &call) {
  auto fits = call.evaluation.isInstance(call[0], call[1]);
  return fits ? Result<Value>(Value(*fits)) : call.blame(1, fits.error());
}

Result<Value> type(NativeCall &call) { return call.evaluation.typeOf(call[0]); }

Result<Value> getAttribute(NativeCall &call) {
  auto name = call.text(1);
  if (!name)
    return name.error();
  auto value = call.evaluation.attributeOf(call[0], *name);
  return !value && call.count() == 3 && value.error().id == "no-attribute" ? Result<Value>(call[2]) : value;
}

Result<Value> hasAttribute(NativeCall &call) {
  auto name = call.text(1);
  if (!name)
    return name.error();
  auto value = call.evaluation.attributeOf(call[0], *name);
  if (!value && value.error().id != "no-attribute" && value.error().id != "no-name-in-module")
    return value;
  auto symbol = value ? symbolName(*value) : std::nullopt; // whether a library has it only its tables know
  return Value(value && (!symbol || findNative(*symbol) || findFunction(*symbol)));
}

Result<Value> isCallable(NativeCall &call) {
  const Value &value = call[0];
  return Value(value.as<FunctionObject>() || value.as<BoundMethodObject>() || value.as<ClassObject>() ||
               value.as<SymbolObject>());
}

Result<Value> hashOf(NativeCall &call) {
  auto number = hash(call[0]);
  return number ? Result<Value>(Value(static_cast<int64_t>(*number >> 3))) : number.error();
}

Result<Value> divmod(NativeCall &call) {
  auto quotient = call.evaluation.binaryOf(BinaryOperator::FloorDiv, call[0], call[1]);
  auto rest = quotient ? call.evaluation.binaryOf(BinaryOperator::Mod, call[0], call[1]) : quotient;
  return rest ? makeTuple({*quotient, *rest}) : rest;
}

Result<Value> power(NativeCall &call) {
  if (call.count() == 2)
    return call.evaluation.binaryOf(BinaryOperator::Pow, call[0], call[1]);
  auto *base = call[0].asInt(), *exponent = call[1].asInt(), *modulus = call[2].asInt();
  if (!base || !exponent || !modulus || exponent->isNegative())
    return call.wrongType(base ? exponent && !exponent->isNegative() ? 2 : 1 : 0, "int");
  if (modulus->isZero())
    return Error{"division-by-zero", {}};
  Integer result = Integer::floorMod(1, *modulus), square = Integer::floorMod(*base, *modulus);
  for (Integer left = *exponent; !left.isZero(); left = Integer::shiftRight(left, 1)) {
    if (!call.evaluation.step())
      return Evaluation::raisedAlready();
    if (!(left & 1).isZero())
      result = Integer::floorMod(result * square, *modulus);
    square = Integer::floorMod(square * square, *modulus);
  }
  return Value(result);
}

Result<Value> withPrefix(NativeCall &call, const char *spec) {
  if (!call[0].asInt() && !call[0].asBool())
    return call.wrongType(0, "int");
  auto text = format(call[0], spec);
  return text ? Result<Value>(Value(*text)) : text.error();
}
Result<Value> hexadecimal(NativeCall &call) { return withPrefix(call, "#x"); }
Result<Value> binaryDigits(NativeCall &call) { return withPrefix(call, "#b"); }
Result<Value> octal(NativeCall &call) { return withPrefix(call, "#o"); }

Result<Value> character(NativeCall &call) {
  auto text = format(call[0], "c");
  return text ? Result<Value>(Value(*text)) : call.wrongType(0, "int");
}

Result<Value> codePoint(NativeCall &call) {
  auto *text = call[0].asString();
  if (!text || utf8::count(*text) != 1)
    return call.wrongType(0, "str");
  return Value(static_cast<int64_t>(utf8::decode(*text)));
}

Result<Value> representation(NativeCall &call) {
  auto text = call.evaluation.reprOf(call[0]);
  return text ? Result<Value>(Value(*text)) : text.error();
}

Result<Value> formatted(NativeCall &call) {
  auto spec = call.count() > 1 ? call.text(1) : Result<std::string>(std::string());
  return spec ? call.evaluation.formatOf(call[0], *spec) : spec.error();
}

/// The proxy of super(): the object, whose attributes are looked up from the first base on.
Result<Value> super(NativeCall &call) {
  const Frame &frame = call.evaluation.frame();
  if (!frame.owner)
    return Error{"super-outside-method", {}};
  auto base = std::make_shared<ClassObject>(frame.owner->name);
  base->bases = frame.owner->bases;
  if (!frame.self.as<InstanceObject>())
    return Value(std::static_pointer_cast<Object>(base));
  auto proxy = std::make_shared<InstanceObject>(std::move(base));
  proxy->behind = frame.self.sharedObject();
  return Value(std::static_pointer_cast<Object>(proxy));
}

/// What would reach out of the script: files, the keyboard, code made of text.
Result<Value> noAccess(NativeCall &call) {
  return Error{"no-access", {std::string(call.function.substr(9))}};
}

constexpr NativeFunction Rows[] = {
    {"builtins.print", 0, AnyNumber, "sep end file flush ", printed, true},
    {"builtins.len", 1, 1, "", len},
    {"builtins.abs", 1, 1, "", absolute},
    {"builtins.round", 1, 2, "ndigits ", round},
    {"builtins.isinstance", 2, 2, "", isInstance},
    {"builtins.type", 1, 1, "", type},
    {"builtins.getattr", 2, 3, "", getAttribute},
    {"builtins.hasattr", 2, 2, "", hasAttribute},
    {"builtins.callable", 1, 1, "", isCallable},
    {"builtins.hash", 1, 1, "", hashOf},
    {"builtins.divmod", 2, 2, "", divmod},
    {"builtins.pow", 2, 3, "", power},
    {"builtins.hex", 1, 1, "", hexadecimal},
    {"builtins.bin", 1, 1, "", binaryDigits},
    {"builtins.oct", 1, 1, "", octal},
    {"builtins.chr", 1, 1, "", character},
    {"builtins.ord", 1, 1, "", codePoint},
    {"builtins.repr", 1, 1, "", representation},
    {"builtins.format", 1, 2, "", formatted},
    {"builtins.super", 0, 2, "", super},
    {"builtins.open", 0, AnyNumber, "*", noAccess, true},
    {"builtins.input", 0, AnyNumber, "*", noAccess, true},
    {"builtins.exec", 0, AnyNumber, "*", noAccess, true},
    {"builtins.eval", 0, AnyNumber, "*", noAccess, true},
    {"builtins.compile", 0, AnyNumber, "*", noAccess, true},
    {"builtins.__import__", 0, AnyNumber, "*", noAccess, true},
};

} // namespace

NativeTable builtinFunctions() { return Rows; }

} // namespace tilescope::host
