// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `value.name` for everything that has attributes.
#include "compiler/Host/Descriptor.h"
#include "compiler/Host/EvaluatorRun.h"
#include "compiler/Host/Functions.h"

#include <algorithm>

namespace tilescope::host {

namespace {

Error noAttribute(const Value &value, std::string_view name) {
  return {"no-attribute", {std::string(value.typeName()), std::string(name)}};
}

bool isDecoratedWith(const FunctionObject &function, std::string_view symbol) {
  return std::any_of(function.decorators.begin(), function.decorators.end(),
                     [symbol](const Decorator &decorator) { return symbolName(decorator.callee) == symbol; });
}

/// The attribute of a class or of what it derives from, and the class that has it.
const Value *findInClass(const std::shared_ptr<ClassObject> &type, std::string_view name,
                         std::shared_ptr<ClassObject> &owner) {
  if (auto *value = type->attributes->findLocal(name)) {
    owner = type;
    return value;
  }
  for (const Value &base : type->bases)
    if (base.as<ClassObject>())
      if (auto *value = findInClass(shared<ClassObject>(base), name, owner))
        return value;
  return nullptr;
}

/// The base of a library that an attribute may come from, or empty.
std::string_view opaqueBase(const ClassObject &type) {
  for (const Value &base : type.bases) {
    if (auto symbol = symbolName(base); symbol && !symbol->starts_with("builtins."))
      return *symbol;
    if (auto *parent = base.as<ClassObject>())
      if (auto opaque = opaqueBase(*parent); !opaque.empty())
        return opaque;
  }
  return {};
}

} // namespace

Result<Value> Evaluation::bound(const Value &self, const Value &member,
                                const std::shared_ptr<ClassObject> &owner) {
  auto *function = member.as<FunctionObject>();
  if (!function || isDecoratedWith(*function, "builtins.staticmethod") || function->isJit())
    return member;
  if (isDecoratedWith(*function, "builtins.classmethod"))
    return makeObject<BoundMethodObject>(Value(std::static_pointer_cast<Object>(owner)), member, owner);
  Value method = makeObject<BoundMethodObject>(self, member, owner);
  if (!isDecoratedWith(*function, "builtins.property"))
    return method;
  CallSite site;
  site.call = site.callee = m_at;
  auto value = call(method, {}, site);
  return value ? Result<Value>(*value) : raisedAlready();
}

Result<Value> Evaluation::instanceAttribute(const Value &value, std::string_view name) {
  auto *instance = value.as<InstanceObject>();
  if (auto *own = instance->attributes.findLocal(name))
    return *own;
  if (name == "__class__")
    return Value(std::static_pointer_cast<Object>(instance->type));
  std::shared_ptr<ClassObject> owner;
  if (auto *member = findInClass(instance->type, name, owner)) {
    Value held = *member; // a call may change the class
    return bound(instance->behind ? Value(instance->behind) : value, held, owner);
  }
  if (auto base = opaqueBase(*instance->type); !base.empty())
    return Error{"unknown-library", {std::string(base)}};
  if (!instance->behind && findNativeMethod(value.typeName(), name))
    return makeObject<BoundMethodObject>(value, Value(std::string(name)));
  if (instance->behind && name == "__init__") // that of object, or of an exception of Python's
    return makeSymbol("builtins.object.__init__");
  return noAttribute(value, name);
}

Result<Value> Evaluation::classAttribute(const Value &value, std::string_view name) {
  auto type = shared<ClassObject>(value);
  std::shared_ptr<ClassObject> owner;
  if (name == "__name__")
    return Value(type->name);
  auto *member = findInClass(type, name, owner);
  if (!member && name == "apply" && opaqueBase(*type) == "torch.autograd.Function")
    return makeObject<BoundMethodObject>(value, Value(std::string(name)));
  if (!member)
    return noAttribute(value, name);
  auto *function = member->as<FunctionObject>();
  if (function && isDecoratedWith(*function, "builtins.classmethod"))
    return makeObject<BoundMethodObject>(value, *member, type);
  return *member;
}

Result<Value> Evaluation::symbolAttribute(const SymbolObject &symbol, std::string_view name) {
  std::string full = symbol.name + "." + std::string(name);
  if (auto constant = libraryConstant(full))
    return *constant;
  if (auto known = typeAttribute(symbol.name, name))
    return *known;
  if (name == "__name__")
    return Value(symbol.name.substr(symbol.name.rfind('.') + 1));
  return makeSymbol(std::move(full));
}

Result<Value> Evaluation::functionAttribute(const Value &value, std::string_view name) {
  auto *function = value.as<FunctionObject>();
  if (name == "__name__")
    return Value(std::string(function->name()));
  if (name == "fn" && function->isJit())
    return value;
  if (isDecoratedWith(*function, "triton.testing.perf_report") && name == "run")
    return makeSymbol("triton.testing.perf_report.run");
  return noAttribute(value, name);
}

namespace {

Value itself(const std::string &text) { return Value(text); }

Result<Value> deviceAttribute(const Value &value, std::string_view name) {
  auto *device = value.as<DeviceObject>();
  if (name == "type")
    return itself(device->type);
  if (name == "index")
    return device->index ? Value(*device->index) : Value();
  return noAttribute(value, name);
}

Result<Value> configAttribute(const Value &value, std::string_view name) {
  auto *config = value.as<ConfigObject>();
  for (const auto &[key, held] : config->options)
    if (key == name)
      return held;
  if (name != "kwargs")
    return noAttribute(value, name);
  auto dict = std::make_shared<DictObject>();
  for (const auto &[key, held] : config->constants)
    (void)dict->table.set(Value(key), held); // a str can be a key
  return Value(std::shared_ptr<Object>(std::move(dict)));
}

Result<Value> exceptionAttribute(const Value &value, std::string_view name) {
  auto *exception = value.as<ExceptionObject>();
  if (name == "args")
    return makeTuple(exception->args);
  if (name == "code" && exception->className == "SystemExit")
    return exception->args.empty() ? Value() : exception->args[0];
  return noAttribute(value, name);
}

std::optional<Value> fieldOf(const Value &value, std::string_view name) {
  auto *tuple = value.as<TupleObject>();
  if (!tuple)
    return std::nullopt;
  for (size_t i = 0; i < tuple->fieldNames.size(); ++i)
    if (tuple->fieldNames[i] == name)
      return tuple->items[i];
  return std::nullopt;
}

} // namespace

Result<Value> Evaluation::attributeOf(const Value &value, std::string_view name) {
  if (isUnknown(value))
    return value;
  if (auto *symbol = value.as<SymbolObject>())
    return symbolAttribute(*symbol, name);
  if (value.as<TensorObject>()) {
    auto *member = findMember(name);
    if (!member)
      return noAttribute(value, name);
    if (member->kind == Operation::Kind::Attribute)
      return member->evaluate(*this, {{value}, {}});
    return makeObject<BoundMethodObject>(value, Value(std::string(name)));
  }
  if (value.as<InstanceObject>())
    return instanceAttribute(value, name);
  if (value.as<ClassObject>())
    return classAttribute(value, name);
  if (value.as<FunctionObject>())
    return functionAttribute(value, name);
  if (auto *module = value.as<ModuleObject>()) {
    auto *found = module->scope->findLocal(name);
    return found ? Result<Value>(*found) : Error{"no-name-in-module", {module->name, std::string(name)}};
  }
  if (value.as<DeviceObject>())
    return deviceAttribute(value, name);
  if (value.as<ConfigObject>())
    return configAttribute(value, name);
  if (value.as<DescriptorObject>())
    return descriptorAttribute(value, name);
  if (value.as<ExceptionObject>())
    return exceptionAttribute(value, name);
  if (auto field = fieldOf(value, name))
    return *field;
  if (findNativeMethod(value.typeName(), name) ||
      (value.as<TupleObject>() && findNativeMethod("tuple", name)))
    return makeObject<BoundMethodObject>(value, Value(std::string(name)));
  return noAttribute(value, name);
}

std::vector<std::string> Evaluation::attributeNames(const Value &value) {
  std::vector<std::string> names = nativeMethodNames(value.typeName());
  auto add = [&names](const Scope &scope) {
    names.insert(names.end(), scope.names().begin(), scope.names().end());
  };
  if (auto *instance = value.as<InstanceObject>()) {
    add(instance->attributes);
    add(*instance->type->attributes);
  }
  if (auto *type = value.as<ClassObject>())
    add(*type->attributes);
  if (auto *module = value.as<ModuleObject>())
    add(*module->scope);
  if (value.as<TensorObject>())
    for (std::string_view member : memberNames())
      names.emplace_back(member);
  return names;
}

Value Evaluation::typeOf(const Value &value) {
  if (auto *instance = value.as<InstanceObject>())
    return Value(std::static_pointer_cast<Object>(instance->type));
  std::string_view name = value.typeName();
  if (value.as<TensorObject>())
    return makeSymbol("torch.Tensor");
  if (value.as<DescriptorObject>())
    return makeSymbol("triton.tools.tensor_descriptor.TensorDescriptor");
  return makeSymbol(value.as<DeviceObject>() || value.as<ConfigObject>() ? std::string(name)
                                                                         : "builtins." + std::string(name));
}

namespace {

constexpr std::string_view BuiltinPrefix = "builtins.";

std::string_view builtinName(const Value &value) {
  auto name = symbolName(value);
  return name && name->starts_with(BuiltinPrefix) ? name->substr(BuiltinPrefix.size()) : std::string_view();
}

/// Is `type`, a class of the script, `wanted` or derived from it?
bool derives(const ClassObject &type, const Value &wanted) {
  if (wanted.object() == &type || builtinName(wanted) == "object")
    return true;
  return std::any_of(type.bases.begin(), type.bases.end(), [&wanted](const Value &base) {
    if (auto *parent = base.as<ClassObject>())
      return derives(*parent, wanted);
    std::string_view exception = builtinName(wanted);
    return base.identical(wanted) || (!exception.empty() && derivesFrom(builtinName(base), exception));
  });
}

} // namespace

Result<bool> Evaluation::isInstance(const Value &value, const Value &type) {
  if (auto *tuple = type.as<TupleObject>()) {
    for (const Value &each : tuple->items)
      if (auto fits = isInstance(value, each); !fits || *fits)
        return fits;
    return false;
  }
  if (!type.as<ClassObject>() && !type.as<SymbolObject>())
    return Error{"not-a-type", {std::string(type.typeName())}};
  if (auto *instance = value.as<InstanceObject>())
    return derives(*instance->type, type);
  std::string_view name = builtinName(type);
  if (name.empty())
    return type.identical(typeOf(value));
  if (auto *exception = value.as<ExceptionObject>())
    return derivesFrom(exception->className, name);
  return name == value.typeName() || name == "object" || (name == "int" && value.asBool()) ||
         (name == "tuple" && value.as<TupleObject>());
}

} // namespace tilescope::host
