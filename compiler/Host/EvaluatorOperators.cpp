// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's operators on everything that host code can hold: tensors go to the tensor library, instances to
// their methods, the rest to Value/Operators.h. What is done with an unknown value is unknown.
#include "compiler/Host/EvaluatorRun.h"
#include "compiler/Host/Functions.h"

#include "compiler/Value/Operators.h"

namespace tilescope::host {

using syntax::BinaryOperator;
using syntax::CompareOperator;
using syntax::UnaryOperator;

namespace {

constexpr std::string_view BinaryMethods[] = {"add", "sub", "mul",     "matmul", "truediv",
                                              "mod", "pow", "lshift",  "rshift", "or",
                                              "xor", "and", "floordiv"};
constexpr std::string_view CompareMethods[] = {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"};
constexpr std::string_view ReflectedCompareMethods[] = {"__eq__", "__ne__", "__gt__",
                                                        "__ge__", "__lt__", "__le__"};

bool isTensor(const Value &value) { return value.as<TensorObject>(); }
bool isInstanceValue(const Value &value) { return value.as<InstanceObject>(); }
bool eitherUnknown(const Value &a, const Value &b) { return isUnknown(a) || isUnknown(b); }

template <typename T> Result<Value> asValue(Result<T> result) {
  return result ? Result<Value>(Value(std::move(*result))) : result.error();
}

/// What str() of an exception shows; nothing if it is none.
std::optional<std::vector<Value>> exceptionArguments(const Value &value) {
  if (auto *exception = value.as<ExceptionObject>())
    return exception->args;
  auto *instance = value.as<InstanceObject>();
  auto *arguments = instance ? instance->attributes.findLocal("args") : nullptr;
  auto *tuple = arguments && isExceptionType(*instance->type) ? arguments->as<TupleObject>() : nullptr;
  return tuple ? std::optional(tuple->items) : std::nullopt;
}

bool isIdentity(CompareOperator op) { return op == CompareOperator::Is || op == CompareOperator::IsNot; }
bool isMembership(CompareOperator op) { return op == CompareOperator::In || op == CompareOperator::NotIn; }

} // namespace

/// Calls a method such as __add__ of an instance; `found` says whether there is one.
Result<Value> Evaluation::special(const Value &object, std::string_view method, std::vector<Value> arguments,
                                  bool &found) {
  found = false;
  if (!isInstanceValue(object))
    return Value();
  auto member = attributeOf(object, method);
  if (!member)
    return Value();
  found = true;
  CallSite site;
  site.call = site.callee = m_at;
  auto result = call(*member, std::move(arguments), site);
  return result ? Result<Value>(*result) : raisedAlready();
}

Result<Value> Evaluation::binaryOf(BinaryOperator op, const Value &left, const Value &right) {
  if (eitherUnknown(left, right))
    return unknown();
  if (isTensor(left) || isTensor(right))
    return tensorBinary(*this, op, left, right);
  bool found = false;
  std::string name(BinaryMethods[static_cast<size_t>(op)]);
  if (auto result = special(left, "__" + name + "__", {right}, found); found)
    return result;
  if (auto result = special(right, "__r" + name + "__", {left}, found); found)
    return result;
  if (auto *text = left.asString(); text && op == BinaryOperator::Mod)
    return asValue(percentFormat(*text, right, [this](const Value &value) { return objectText(value); }));
  auto result = binary(op, left, right);
  if (!result || !result->object())
    return result;
  auto made = length(*result);
  uint64_t size = made ? static_cast<uint64_t>(*made) : 0;
  return steps(result->asString() ? size / 32 : size) ? result : raisedAlready();
}

Result<Value> Evaluation::unaryOf(UnaryOperator op, const Value &operand) {
  if (isUnknown(operand))
    return operand;
  if (op == UnaryOperator::Not) {
    auto truth = truthOf(operand);
    return !truth || isUnknown(*truth) ? truth : Result<Value>(Value(!*truth->asBool()));
  }
  if (isTensor(operand))
    return tensorUnary(*this, op, operand);
  bool found = false;
  std::string_view method = op == UnaryOperator::USub   ? "__neg__"
                            : op == UnaryOperator::UAdd ? "__pos__"
                                                        : "__invert__";
  auto result = special(operand, method, {}, found);
  return found ? result : unary(op, operand);
}

Result<Value> Evaluation::compareOf(CompareOperator op, const Value &left, const Value &right) {
  if (isIdentity(op))
    return eitherUnknown(left, right) ? Result<Value>(unknown()) : asValue(compare(op, left, right));
  if (eitherUnknown(left, right))
    return unknown();
  if (!isMembership(op) && (isTensor(left) || isTensor(right)))
    return tensorCompare(*this, op, left, right);
  bool found = false;
  if (isMembership(op)) {
    auto result = special(right, "__contains__", {left}, found);
    auto truth = found && result ? truthOf(*result) : result;
    bool negate = op == CompareOperator::NotIn;
    if (found)
      return !truth || isUnknown(*truth) ? truth : Result<Value>(Value(*truth->asBool() != negate));
    return asValue(compare(op, left, right));
  }
  size_t row = static_cast<size_t>(op);
  if (auto result = special(left, CompareMethods[row], {right}, found); found)
    return result;
  if (auto result = special(right, ReflectedCompareMethods[row], {left}, found); found)
    return result;
  return asValue(compare(op, left, right));
}

Result<Value> Evaluation::subscriptOf(const Value &value, const Value &index) {
  if (isUnknown(value))
    return value;
  if (isTensor(value))
    return tensorSubscript(*this, value, index);
  if (isUnknown(index))
    return index;
  bool found = false;
  auto result = special(value, "__getitem__", {index}, found);
  return found ? result : subscript(value, index);
}

Result<Value> Evaluation::truthOf(const Value &value) {
  if (isUnknown(value))
    return value;
  if (isTensor(value))
    return tensorTruth(*this, value);
  if (auto symbol = symbolName(value); symbol && !symbol->starts_with("builtins."))
    return Error{"unknown-library", {std::string(*symbol)}};
  bool found = false;
  if (auto result = special(value, "__bool__", {}, found); found)
    return result ? truthOf(*result) : result;
  if (auto result = special(value, "__len__", {}, found); found)
    return result ? truthOf(*result) : result;
  return Value(truth(value));
}

Result<Value> Evaluation::lengthOf(const Value &value) {
  if (isUnknown(value))
    return value;
  if (isTensor(value))
    return tensorLength(*this, value);
  bool found = false;
  auto result = special(value, "__len__", {}, found);
  return found ? result : asValue(length(value));
}

Result<std::vector<Value>> Evaluation::elementsOf(const Value &value) {
  if (isUnknown(value))
    return Error{"unknown", {}};
  if (isTensor(value))
    return tensorElements(*this, value);
  if (auto *iterator = value.as<IteratorObject>()) {
    auto first = iterator->items.begin() + static_cast<std::ptrdiff_t>(iterator->next);
    iterator->next = iterator->items.size();
    return std::vector<Value>(first, iterator->items.end());
  }
  if (auto symbol = symbolName(value))
    return Error{"unknown-library", {std::string(*symbol)}};
  bool found = false;
  if (auto result = special(value, "__iter__", {}, found); found)
    return result ? elementsOf(*result) : Result<std::vector<Value>>(result.error());
  auto items = elements(value);
  return !items || steps(items->size()) ? items : Result<std::vector<Value>>(raisedAlready());
}

Result<std::string> Evaluation::strOf(const Value &value) {
  if (auto *text = value.asString())
    return *text;
  if (auto *device = value.as<DeviceObject>())
    return device->type + (device->index ? ":" + std::to_string(*device->index) : "");
  bool found = false;
  if (auto result = special(value, "__str__", {}, found); found)
    return result ? strOf(*result) : Result<std::string>(result.error());
  if (auto arguments = exceptionArguments(value)) {
    if (arguments->size() == 1)
      return value.typeName() == "KeyError" ? reprOf(arguments->front()) : strOf(arguments->front());
    return arguments->empty() ? Result<std::string>(std::string()) : reprOf(makeTuple(*arguments));
  }
  return reprOf(value);
}

Result<std::string> Evaluation::reprOf(const Value &value) {
  return repr(value, [this](const Value &inner) { return objectText(inner); });
}

Result<std::string> Evaluation::objectText(const Value &value) {
  auto textOf = [](Result<Value> result) -> Result<std::string> {
    if (!result)
      return result.error();
    return result->asString() ? Result<std::string>(*result->asString()) : Error{"unknown", {}};
  };
  if (isUnknown(value))
    return Error{"unknown", {}};
  if (isTensor(value))
    return textOf(tensorText(*this, value));
  bool found = false;
  if (auto result = special(value, "__repr__", {}, found); found)
    return textOf(std::move(result));
  if (auto *device = value.as<DeviceObject>())
    return "device(type='" + device->type + "'" +
           (device->index ? ", index=" + std::to_string(*device->index) + ")" : ")");
  if (auto *instance = value.as<InstanceObject>(); instance && instance->type->isDataclass) {
    std::string text = instance->type->name + "(";
    for (const std::string &field : instance->type->fields) {
      auto *held = instance->attributes.findLocal(field);
      auto shown = held ? reprOf(*held) : Result<std::string>(std::string());
      if (!shown)
        return shown;
      text += (text.back() == '(' ? "" : ", ") + field + "=" + *shown;
    }
    return text + ")";
  }
  if (auto arguments = exceptionArguments(value)) {
    auto inner = reprOf(makeTuple(*arguments));
    if (!inner)
      return inner;
    bool single = arguments->size() == 1; // without the comma of a tuple of one
    return std::string(value.typeName()) + (single ? inner->substr(0, inner->size() - 2) + ")" : *inner);
  }
  if (auto *type = value.as<ClassObject>())
    return "<class '__main__." + type->name + "'>";
  if (auto *function = value.as<FunctionObject>())
    return "<" + std::string(function->typeName()) + " " + std::string(function->name()) + ">";
  if (auto *module = value.as<ModuleObject>())
    return "<module '" + module->name + "'>";
  return "<" + std::string(value.typeName()) + " object>";
}

Result<Value> Evaluation::formatOf(const Value &value, std::string_view spec) {
  if (isUnknown(value))
    return value;
  if (isTensor(value))
    return tensorFormat(*this, value, spec);
  bool found = false;
  if (auto result = special(value, "__format__", {Value(std::string(spec))}, found); found)
    return result;
  bool own = value.asString() || value.asInt() || value.asFloat() || value.asBool();
  if (spec.empty() || !own) {
    if (!spec.empty())
      return Error{"bad-format", {std::string(spec), std::string(value.typeName())}};
    return asValue(strOf(value));
  }
  return asValue(format(value, spec));
}

} // namespace tilescope::host
