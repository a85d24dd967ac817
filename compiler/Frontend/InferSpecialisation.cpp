// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first guess of a kernel's argument types, and what else they may be. The rules are in
// compiler/docs/frontend.md, in the order in which they stand here.
#include "compiler/Frontend/Infer.h"
#include "compiler/Frontend/InferUse.h"
#include "compiler/Frontend/Signature.h"

#include <algorithm>

namespace tilescope::frontend {

using namespace syntax;
using Kind = ArgumentSpec::Kind;

namespace {

bool startsWithAny(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view p) { return name.starts_with(p); });
}

bool containsAny(std::string_view name, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view p) { return name.find(p) != std::string_view::npos; });
}

bool isPointerName(std::string_view name) {
  return name.ends_with("_ptr") || name.ends_with("_ptrs") || name.ends_with("_pointer") ||
         name.ends_with("Ptr") || name == "ptr";
}

bool isRealName(std::string_view name) {
  return startsWithAny(name, {"eps", "alpha", "beta", "scale", "sm_scale", "softmax_scale", "lr", "dropout",
                              "p_drop"}) ||
         name.ends_with("_scale") || name == "p";
}

/// Pointers to places and counts rather than to values.
bool isIndexName(std::string_view name) {
  return containsAny(name, {"index", "indices", "idx", "_ids", "offsets", "seqlen", "lengths", "table"});
}

ArgumentSpec constant(Value value) { return {Kind::Constant, {}, false, std::move(value)}; }
ArgumentSpec scalar(ElementType element) { return {Kind::Scalar, element, false, {}}; }
ArgumentSpec pointer(ElementType element) { return {Kind::Pointer, element, true, {}}; }
ArgumentSpec descriptor(ElementType element, std::vector<int64_t> block) {
  ArgumentSpec spec;
  spec.kind = Kind::Descriptor;
  spec.element = element;
  spec.divisibleBy16 = true;
  spec.blockShape = std::move(block);
  return spec;
}
Value type(std::string_view name) { return makeSymbol("triton.language." + std::string(name)); }

//===- Constants -----------------------------------------------------------------------------------===//

/// A constexpr parameter without a default: tiles are 64 wide, flags are off.
Value guessConstant(std::string_view name, const ParameterUse &use) {
  if (startsWithAny(name, {"IS_", "HAS_", "USE_", "is_", "has_", "use_"}))
    return false;
  if (use.is(WithText))
    return std::string(use.texts.front());
  if (use.is(AsType) || containsAny(name, {"dtype", "DTYPE"}))
    return type("float32");
  if (containsAny(name, {"PRECISION", "precision"}))
    return "tf32";
  if (containsAny(name, {"ACTIVATION", "activation"}))
    return "";
  if (startsWithAny(name, {"GROUP", "group"}))
    return 8;
  if (use.is(AsCount))
    return 4;
  if (use.is(AsTest) && !use.is(AsSize | AsInteger))
    return false;
  if (use.is(WithNone | AsFunction) && !use.is(AsSize | AsInteger))
    return Value();
  if (isRealName(name) && !use.is(AsSize | AsInteger))
    return 1.0;
  return 64;
}

std::vector<ArgumentSpec> otherConstants(const ParameterUse &use) {
  std::vector<ArgumentSpec> result;
  for (std::string_view text : use.texts)
    result.push_back(constant(std::string(text)));
  const bool isFlag = use.is(AsTest);
  auto add = [&](std::initializer_list<Value> values) {
    for (const Value &value : values)
      result.push_back(constant(value));
  };
  if (isFlag)
    add({true, false});
  add({64, 16, 32, 128, 1, 2, 4, 8, 256});
  if (!isFlag)
    add({true, false});
  add({Value(), type("float32"), type("float16"), type("int32"), 0, 3});
  return result;
}

//===- Run-time arguments --------------------------------------------------------------------------===//

/// "fp32", "*fp16", `tl.int32`, `tl.pointer_type(tl.float32)`, `int`, `torch.Tensor`.
std::optional<ArgumentSpec> annotated(const Expr *annotation) {
  if (const auto *call = dynCast<Call>(annotation)) {
    const auto *function = dynCast<Attribute>(call->func);
    const auto element = function && function->attr == "pointer_type" && !call->args.empty()
                             ? annotated(call->args[0])
                             : std::nullopt;
    return element ? std::optional(pointer(element->element)) : std::nullopt;
  }
  std::string_view name;
  if (const auto *text = dynCast<Constant>(annotation); text && text->constant == ConstantKind::String)
    name = text->text;
  else if (const auto *attribute = dynCast<Attribute>(annotation))
    name = attribute->attr;
  else if (const auto *bare = dynCast<Name>(annotation))
    name = bare->id;
  if (name.ends_with("Tensor"))
    return pointer(ElementType::Float32);
  if (name.ends_with("pointer_type"))
    return pointer(ElementType::Float32);
  return parseType(name);
}

ElementType pointee(std::string_view name, const ParameterUse &use) {
  if (use.is(ToAddresses) || isIndexName(name))
    return ElementType::Int64;
  return use.is(ToIntegers) ? ElementType::Int32 : ElementType::Float32;
}

ArgumentSpec guessArgument(const Arg &arg, const Value *given, const ParameterUse &use) {
  if (given && given->isNone() && (use.is(WithNone) || !use.is(AsAddress | AsInteger)))
    return constant(Value());
  if (arg.annotation)
    if (std::optional<ArgumentSpec> spec = annotated(arg.annotation))
      return *spec;
  if (given && given->asFloat())
    return scalar(ElementType::Float32);
  if (given && given->asBool())
    return scalar(ElementType::Bool);
  if (use.is(AsDescriptor))
    return descriptor(ElementType::Float32, use.block);
  if (isPointerName(arg.name) || use.is(AsAddress))
    return pointer(pointee(arg.name, use));
  if (use.is(AsNumberOfAddress))
    return scalar(ElementType::Int64);
  return scalar(isRealName(arg.name) && !use.is(AsInteger) ? ElementType::Float32 : ElementType::Int32);
}

std::vector<ArgumentSpec> otherArguments(const ArgumentSpec &first) {
  using enum ElementType;
  std::vector<ArgumentSpec> result;
  auto addPointers = [&] {
    for (ElementType element : {Float32, Int32, Float16, Int64, Int8, Bool, UInt8, BFloat16})
      result.push_back(pointer(element));
  };
  auto addScalars = [&] {
    for (ElementType element : {Int32, Float32, Int64, Bool})
      result.push_back(scalar(element));
  };
  if (first.kind == Kind::Pointer)
    addPointers(), addScalars();
  else
    addScalars(), addPointers();
  for (Value value : {Value(), Value(1), Value(64), Value(true), Value(false)})
    result.push_back(constant(value));
  return result;
}

bool isSame(const ArgumentSpec &a, const ArgumentSpec &b) {
  Specialisation left, right;
  left.arguments = {a};
  right.arguments = {b};
  return left.key() == right.key();
}

/// "tensordesc<fp16[64,32]>".
std::optional<ArgumentSpec> parseDescriptor(std::string_view text) {
  const size_t open = text.find('['), close = text.find("]>");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return std::nullopt;
  const std::optional<ArgumentSpec> element = parseType(text.substr(0, open));
  std::vector<int64_t> block;
  for (std::string_view rest = text.substr(open + 1, close - open - 1); !rest.empty();) {
    const size_t comma = std::min(rest.find(','), rest.size());
    std::string_view size = rest.substr(0, comma);
    size.remove_prefix(std::min(size.find_first_not_of(' '), size.size()));
    const std::optional<Integer> number = Integer::parse(size);
    const std::optional<int64_t> small = number ? number->toInt64() : std::nullopt;
    if (!small || *small < 1)
      return std::nullopt;
    block.push_back(*small);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  if (!element || element->kind != Kind::Scalar || block.empty())
    return std::nullopt;
  return descriptor(element->element, std::move(block));
}

} // namespace

std::optional<ArgumentSpec> parseType(std::string_view text) {
  constexpr std::string_view Descriptor = "tensordesc<";
  if (text.starts_with(Descriptor))
    return parseDescriptor(text.substr(Descriptor.size()));
  const bool isPointer = text.starts_with('*');
  text.remove_prefix(isPointer ? 1 : 0);
  const bool isDivisible = text.ends_with(":16");
  text.remove_suffix(isDivisible ? 3 : 0);
  constexpr std::pair<std::string_view, ElementType> Short[] = {
      {"i1", ElementType::Bool},
      {"i8", ElementType::Int8},
      {"i16", ElementType::Int16},
      {"i32", ElementType::Int32},
      {"i64", ElementType::Int64},
      {"u8", ElementType::UInt8},
      {"u16", ElementType::UInt16},
      {"u32", ElementType::UInt32},
      {"u64", ElementType::UInt64},
      {"int", ElementType::Int32},
      {"float", ElementType::Float32},
      {"bool", ElementType::Bool},
      {"fp16", ElementType::Float16},
      {"bf16", ElementType::BFloat16},
      {"fp32", ElementType::Float32},
      {"fp64", ElementType::Float64},
      {"fp8e4nv", ElementType::Float8E4M3FN},
      {"fp8e5", ElementType::Float8E5M2},
      {"int1", ElementType::Bool},
  };
  std::optional<ElementType> element = elementTypeOfSymbol("triton.language." + std::string(text));
  for (const auto &[name, known] : Short)
    if (name == text)
      element = known;
  if (!element)
    return std::nullopt;
  return ArgumentSpec{isPointer ? Kind::Pointer : Kind::Scalar, *element, isPointer || isDivisible, {}};
}

Guess guessSpecialisation(const FunctionObject &kernel, const KnownArguments &certain,
                          const KnownArguments &likely) {
  Guess guess;
  guess.specialisation.isLaunched = false;
  const UseAnalysis uses(kernel);
  const std::vector<const Arg *> declared = parameters(*kernel.definition);
  for (size_t i = 0; i < declared.size(); ++i) {
    const std::string_view name = declared[i]->name;
    if (auto known = certain.find(name); known != certain.end()) {
      guess.specialisation.arguments.push_back(known->second);
      guess.alternatives.emplace_back();
      continue;
    }
    if (declared[i] == kernel.definition->args->vararg) { // nothing is known of `*args`
      guess.specialisation.arguments.push_back({Kind::Tuple, {}, false, {}, {}, {}});
      guess.alternatives.emplace_back();
      continue;
    }
    const ParameterUse use = uses.of(name);
    auto fallback = kernel.defaults.find(std::string(name));
    const Value *given = fallback == kernel.defaults.end() ? nullptr : &fallback->second;
    const bool isConstant = isConstexprParameter(kernel, i);
    ArgumentSpec spec = !isConstant ? guessArgument(*declared[i], given, use)
                                    : constant(given ? *given : guessConstant(name, use));
    std::vector<ArgumentSpec> others = isConstant ? otherConstants(use) : otherArguments(spec);
    if (auto known = likely.find(name); known != likely.end()) {
      others.insert(others.begin(), spec);
      spec = known->second;
    }
    std::erase_if(others, [&](const ArgumentSpec &other) { return isSame(other, spec); });
    guess.specialisation.arguments.push_back(std::move(spec));
    guess.alternatives.push_back(std::move(others));
  }
  return guess;
}

Specialisation inferSpecialisation(const FunctionObject &kernel) {
  return guessSpecialisation(kernel, {}, {}).specialisation;
}

} // namespace tilescope::frontend
