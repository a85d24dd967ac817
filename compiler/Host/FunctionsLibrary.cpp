// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of torch, triton and Python's library is neither an operation on tensors nor mathematics. The script
// believes that it runs on a machine with one CUDA device.
#include "compiler/Host/Functions.h"
#include "compiler/Value/Operators.h"

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace tilescope::host {

Result<Value> deviceOf(const Value &value) {
  if (value.as<DeviceObject>())
    return value;
  if (value.isNone())
    return deviceValue("cpu", std::nullopt);
  if (auto number = value.index())
    return deviceValue("cuda", *number);
  auto *text = value.asString();
  if (!text)
    return Error{"wrong-argument-type", {"device", "str", std::string(value.typeName())}};
  size_t colon = text->find(':');
  std::string type = text->substr(0, colon);
  std::optional<int64_t> index;
  if (colon != std::string::npos) {
    auto number = Integer::parse(std::string_view(*text).substr(colon + 1));
    index = number ? number->toInt64() : std::nullopt;
  }
  bool known = (type == "cuda" || type == "cpu") && (colon == std::string::npos || index == 0);
  return known ? Result<Value>(deviceValue(type, index)) : Error{"unknown-device", {*text}};
}

namespace {

Result<Value> none(NativeCall &) { return Value(); }
Result<Value> yes(NativeCall &) { return Value(true); }
Result<Value> zero(NativeCall &) { return Value(0); }
Result<Value> one(NativeCall &) { return Value(1); }
Result<Value> firstArgument(NativeCall &call) { return call[0]; }
Result<Value> secondArgumentOrNone(NativeCall &call) { return call.count() > 1 ? call[1] : Value(); }

/// Raises SystemExit, which ends the script unless it is caught.
Result<Value> exitScript(NativeCall &call) {
  call.evaluation.exit(call.site.call, call.site.arguments.positional);
  return Evaluation::raisedAlready();
}

/// A value about which only its name is known: a context, a moment in time, a plan for measuring.
Result<Value> opaque(NativeCall &call) { return makeSymbol(std::string(call.function) + "()"); }

Result<Value> device(NativeCall &call) {
  auto made = deviceOf(call[0]);
  if (!made)
    return call.blame(0, made.error());
  if (call.count() == 2)
    return deviceValue(made->as<DeviceObject>()->type, call[1].index());
  return made;
}

Result<Value> currentDevice(NativeCall &) { return deviceValue("cuda", 0); }

Result<Value> cdiv(NativeCall &call) {
  for (size_t i = 0; i < 2; ++i)
    if (!call[i].index())
      return call.wrongType(i, "int");
  auto up = call.evaluation.binaryOf(syntax::BinaryOperator::Add, call[0], call[1]);
  auto less = up ? call.evaluation.binaryOf(syntax::BinaryOperator::Sub, *up, Value(1)) : up;
  return less ? call.evaluation.binaryOf(syntax::BinaryOperator::FloorDiv, *less, call[1]) : less;
}

Result<Value> nextPowerOf2(NativeCall &call) {
  auto n = call.integer(0);
  if (!n)
    return n.error();
  constexpr int64_t Largest = int64_t(1) << 62;
  if (*n > Largest)
    return call.blame(0, {"integer-too-large", {"63"}});
  return *n <= 0 ? Value(0) : Value(static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(*n))));
}

Result<Value> config(NativeCall &call) {
  auto made = std::make_shared<ConfigObject>();
  auto *constants = call.find(0, "kwargs");
  auto *dict = constants ? constants->as<DictObject>() : nullptr;
  if (!dict)
    return Error{"not-a-dict", {std::string(constants ? constants->typeName() : "NoneType")}};
  for (const auto &entry : dict->table.entries())
    if (auto *name = entry.key.asString())
      made->constants.emplace_back(*name, entry.value);
  constexpr std::string_view Positional[] = {"num_warps", "num_stages", "num_ctas", "maxnreg"};
  for (size_t i = 1; i < std::min(call.count(), std::size(Positional) + 1); ++i)
    made->options.emplace_back(std::string(Positional[i - 1]), call[i]);
  for (const auto &[name, value] : call.site.arguments.keywords)
    if (name == "pre_hook")
      made->preHook = value;
    else if (name != "kwargs")
      made->options.emplace_back(name, value);
  return Value(std::static_pointer_cast<Object>(made));
}

/// triton.jit(function), not as a decorator.
Result<Value> jit(NativeCall &call) {
  auto *function = call[0].as<FunctionObject>();
  if (!function || !function->definition)
    return call.wrongType(0, "function");
  auto kernel = std::make_shared<FunctionObject>();
  kernel->module = function->module;
  kernel->definition = function->definition;
  kernel->scope = function->scope;
  kernel->defaults = function->defaults;
  kernel->decorators = function->decorators;
  kernel->host = function->host;
  kernel->decorators.insert(kernel->decorators.begin(),
                            Decorator{makeSymbol("triton.jit"), {}, {}, call.site.call});
  return Value(std::static_pointer_cast<Object>(kernel));
}

/// The words of "a, b" or "a b".
std::vector<Value> wordsOf(const std::string &text) {
  std::vector<Value> words;
  constexpr const char *Separators = ", ";
  for (size_t at = text.find_first_not_of(Separators); at != std::string::npos;) {
    const size_t end = std::min(text.find_first_of(Separators, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(Separators, end);
  }
  return words;
}

/// collections.namedtuple("Pair", ["a", "b"], defaults=(1,)) and typing.NamedTuple("Pair", [("a", int), …]).
Result<Value> namedTuple(NativeCall &call) {
  auto name = call.text(0);
  const Value *given = call.find(1, "field_names");
  if (!name || !given)
    return name ? Error{"too-few-arguments", {std::string(call.function), "2", "1"}} : name.error();
  auto fields =
      given->asString() ? Result<std::vector<Value>>(wordsOf(*given->asString())) : elements(*given);
  if (!fields)
    return fields.error();
  auto type = std::make_shared<ClassObject>(*name);
  type->isNamedTuple = true;
  for (const Value &field : *fields) {
    const auto *pair = field.as<TupleObject>();
    const std::string *word = (pair && !pair->items.empty() ? pair->items[0] : field).asString();
    if (!word)
      return call.wrongType(1, "str");
    type->fields.push_back(*word);
  }
  if (const Value *defaults = call.keyword("defaults"); defaults && !defaults->isNone()) {
    auto values = elements(*defaults);
    if (!values)
      return values.error();
    for (size_t i = 0; i < std::min(values->size(), type->fields.size()); ++i)
      type->attributes->set(type->fields[type->fields.size() - 1 - i], (*values)[values->size() - 1 - i]);
  }
  return Value(std::static_pointer_cast<Object>(type));
}

constexpr NativeFunction Rows[] = {
    {"torch.device", 1, 2, "type index ", device},
    {"torch.cuda.is_available", 0, 0, "", yes},
    {"torch.cuda.device_count", 0, 0, "", one},
    {"torch.cuda.current_device", 0, 0, "", zero},
    {"torch.cuda.set_device", 1, 1, "", none},
    {"torch.cuda.synchronize", 0, 1, "device ", none},
    {"torch.cuda.empty_cache", 0, 0, "", none},
    {"torch.set_grad_enabled", 1, 1, "", opaque},
    {"torch.no_grad", 0, 0, "", opaque},
    {"torch.enable_grad", 0, 0, "", opaque},
    {"torch.inference_mode", 0, 1, "", opaque},
    {"torch.compile", 1, 1, "*", firstArgument},
    {"torch.set_float32_matmul_precision", 1, 1, "", none},
    {"triton.cdiv", 2, 2, "", cdiv},
    {"triton.next_power_of_2", 1, 1, "", nextPowerOf2},
    {"triton.Config", 0, 5, "*", config},
    {"triton.jit", 1, 1, "*", jit},
    {"triton.language.constexpr", 1, 1, "", firstArgument},
    {"triton.runtime.driver.active.get_active_torch_device", 0, 0, "", currentDevice},
    {"triton.runtime.driver.active.get_current_target", 0, 0, "", opaque},
    {"triton.runtime.driver.active.get_current_device", 0, 0, "", zero},
    {"triton.testing.Benchmark", 0, AnyNumber, "*", opaque},
    {"triton.testing.perf_report", 1, 1, "", opaque},
    {"time.time", 0, 0, "", opaque},
    {"time.perf_counter", 0, 0, "", opaque},
    {"time.perf_counter_ns", 0, 0, "", opaque},
    {"time.monotonic", 0, 0, "", opaque},
    {"time.process_time", 0, 0, "", opaque},
    {"time.time_ns", 0, 0, "", opaque},
    {"time.sleep", 1, 1, "", none},
    {"os.getenv", 1, 2, "", secondArgumentOrNone},
    {"os.environ.get", 1, 2, "", secondArgumentOrNone},
    {"sys.path.append", 1, 1, "", none},
    {"sys.path.insert", 2, 2, "", none},
    {"sys.exit", 0, 1, "", exitScript},
    {"builtins.exit", 0, 1, "", exitScript},
    {"builtins.quit", 0, 1, "", exitScript},
    {"builtins.object.__init__", 0, AnyNumber, "*", none, true},
    {"collections.namedtuple", 1, 2, "field_names defaults rename module ", namedTuple},
    {"typing.NamedTuple", 2, 2, "", namedTuple},
    {"typing.TypeVar", 1, AnyNumber, "*", opaque},
    {"typing.cast", 2, 2, "", secondArgumentOrNone},
    {"warnings.filterwarnings", 1, AnyNumber, "*", none},
    {"warnings.simplefilter", 1, AnyNumber, "*", none},
};

struct ConstantRow {
  std::string_view symbol;
  double value;
};
constexpr ConstantRow Constants[] = {
    {"math.pi", std::numbers::pi},
    {"math.e", std::numbers::e},
    {"math.tau", 2 * std::numbers::pi},
    {"math.inf", HUGE_VAL},
    {"math.nan", std::numeric_limits<double>::quiet_NaN()},
    {"torch.pi", std::numbers::pi},
    {"torch.e", std::numbers::e},
    {"torch.inf", HUGE_VAL},
    {"torch.nan", std::numeric_limits<double>::quiet_NaN()},
};

} // namespace

std::optional<Value> libraryConstant(std::string_view symbol) {
  for (const ConstantRow &row : Constants)
    if (row.symbol == symbol)
      return Value(row.value);
  if (symbol == "triton.runtime.driver.active.get_current_target().backend")
    return Value("cuda");
  if (symbol == "typing.TYPE_CHECKING")
    return Value(false);
  return std::nullopt;
}

NativeTable libraryFunctions() { return Rows; }

} // namespace tilescope::host
