// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/OperationsCall.h"

#include "compiler/Value/Operators.h"

#include <algorithm>
#include <charconv>

namespace tilescope::host {

namespace {

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

/// A default of a schema: None, True, False, a number, or a name in quotes.
Value literal(std::string_view text) {
  if (text == "None")
    return {};
  if (text == "True" || text == "False")
    return Value(text == "True");
  if (text.front() == '\'')
    return Value(std::string(text.substr(1, text.size() - 2)));
  int64_t integer = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), integer).ptr == text.data() + text.size())
    return Value(integer);
  double real = 0;
  std::from_chars(text.data(), text.data() + text.size(), real);
  return Value(real);
}

/// The names of NumPy that torch takes for its own.
constexpr std::pair<std::string_view, std::string_view> NumpyNames[] = {
    {"axis", "dim"}, {"keepdims", "keepdim"}, {"x", "input"},
    {"a", "input"},  {"x1", "input"},         {"x2", "other"}};

std::string_view torchNameOf(std::string_view keyword) {
  auto row = std::ranges::find(NumpyNames, keyword, &std::pair<std::string_view, std::string_view>::first);
  return row == std::end(NumpyNames) ? keyword : row->second;
}

bool isSequence(const Value &value) {
  return value.as<TupleObject>() || value.as<ListObject>() || value.as<RangeObject>();
}

} // namespace

Call::Call(OperationContext &context, const Operation &operation, const CallArguments &arguments)
    : context(context), m_operation(operation) {
  declare(operation.schema);
  bind(arguments);
}

void Call::declare(std::string_view schema) {
  bool keywordOnly = false;
  while (!schema.empty()) {
    const size_t comma = schema.find(',');
    std::string_view parameter = trimmed(schema.substr(0, comma));
    schema = comma == std::string_view::npos ? std::string_view() : schema.substr(comma + 1);
    if (parameter.front() == '*') {
      keywordOnly = true;
      if (parameter.size() > 1) {
        m_rest = parameter.substr(1);
        m_bound.push_back({*m_rest, makeTuple({}), std::nullopt, false});
      }
      continue;
    }
    const size_t equals = parameter.find('=');
    const bool required = equals == std::string_view::npos;
    m_bound.push_back({parameter.substr(0, equals),
                       required ? Value() : literal(parameter.substr(equals + 1)), std::nullopt, required});
    m_positional += !keywordOnly;
  }
}

void Call::bind(const CallArguments &arguments) {
  const auto &positional = arguments.positional;
  for (size_t i = 0; i < std::min(m_positional, positional.size()); ++i) {
    m_bound[i].value = positional[i];
    m_bound[i].argument = i;
  }
  if (positional.size() > m_positional) {
    if (m_rest) {
      auto &rest = const_cast<Bound &>(*find(*m_rest));
      rest.value = makeTuple({positional.begin() + m_positional, positional.end()});
      rest.argument = m_positional;
    } else {
      fail({"operation-too-many-arguments",
            {std::string(name()), std::to_string(m_positional), std::to_string(positional.size())}});
      context.blamed = m_positional;
    }
  }
  for (size_t i = 0; i < arguments.keywords.size(); ++i) {
    const auto &[keyword, value] = arguments.keywords[i];
    auto *bound = const_cast<Bound *>(find(keyword));
    if (!bound)
      bound = const_cast<Bound *>(find(torchNameOf(keyword)));
    if (bound && !bound->argument) {
      bound->value = value;
      bound->argument = positional.size() + i;
    } else if (!failed()) {
      fail(
          {bound ? "operation-argument-twice" : "operation-unknown-keyword", {std::string(name()), keyword}});
      context.blamed = positional.size() + i;
    }
  }
  for (const Bound &bound : m_bound)
    if (bound.required && !bound.argument)
      fail({"operation-missing-argument", {std::string(name()), std::string(bound.name)}});
}

const Call::Bound *Call::find(std::string_view parameter) const {
  auto found =
      std::find_if(m_bound.begin(), m_bound.end(), [&](const Bound &b) { return b.name == parameter; });
  return found == m_bound.end() ? nullptr : &*found;
}

Error Call::fail(Error error, std::string_view parameter) {
  if (!m_error) {
    m_error = std::move(error);
    if (const Bound *bound = find(parameter))
      context.blamed = bound->argument;
  }
  return *m_error;
}

void Call::wrongType(std::string_view parameter, std::string_view expected) {
  fail({"operation-argument-type",
        {std::string(name()), std::string(parameter), std::string(expected),
         std::string(value(parameter).typeName())}},
       parameter);
}

std::string_view Call::name() const {
  std::string_view name = m_operation.name;
  if (const size_t dot = name.rfind('.'); dot != std::string_view::npos)
    name.remove_prefix(dot + 1);
  return inPlace() ? name.substr(0, name.size() - 1) : name;
}

bool Call::inPlace() const { return m_operation.name.ends_with('_') && !m_operation.name.ends_with("__"); }

TensorPtr Call::destination() {
  if (inPlace())
    return tensorOf(m_bound.front().value);
  return has("out") ? tensor("out") : nullptr;
}

bool Call::has(std::string_view parameter) const {
  const Bound *bound = find(parameter);
  return bound && !bound->value.isNone();
}

const Value &Call::value(std::string_view parameter) const {
  static const Value none;
  const Bound *bound = find(parameter);
  return bound ? bound->value : none;
}

TensorPtr Call::tensor(std::string_view parameter) {
  auto result = tensorOf(value(parameter));
  if (!result)
    wrongType(parameter, "Tensor");
  return result;
}

Operand Call::operand(std::string_view parameter) {
  if (auto tensor = tensorOf(value(parameter)))
    return {tensor, {}};
  return {nullptr, number(parameter)};
}

Number Call::number(std::string_view parameter) {
  if (auto tensor = tensorOf(value(parameter)); tensor && tensor->elements() == 1) {
    if (context.checking())
      return {};
    if (context.settle())
      return elementAt(*tensor, 0);
    fail(stopped());
    return {};
  }
  auto number = numberOf(value(parameter));
  if (!number)
    wrongType(parameter, "float");
  return number.value_or(Number());
}

int64_t Call::integer(std::string_view parameter) {
  auto number = value(parameter).index();
  if (!number)
    wrongType(parameter, "int");
  return number.value_or(0);
}

bool Call::boolean(std::string_view parameter) {
  const bool *flag = value(parameter).asBool();
  if (!flag)
    wrongType(parameter, "bool");
  return flag && *flag;
}

std::string Call::text(std::string_view parameter) {
  const std::string *text = value(parameter).asString();
  if (!text)
    wrongType(parameter, "str");
  return text ? *text : std::string();
}

std::optional<int64_t> Call::optionalInteger(std::string_view parameter) {
  return has(parameter) ? std::optional(integer(parameter)) : std::nullopt;
}

std::optional<Number> Call::optionalNumber(std::string_view parameter) {
  return has(parameter) ? std::optional(number(parameter)) : std::nullopt;
}

std::optional<ElementType> Call::elementType(std::string_view parameter) {
  if (!has(parameter))
    return std::nullopt;
  auto symbol = symbolName(value(parameter));
  auto type = symbol ? elementTypeOfSymbol(*symbol) : std::nullopt;
  if (!type)
    wrongType(parameter, "torch.dtype");
  return type;
}

std::optional<ElementType> Call::soleElementType(std::string_view parameter) const {
  Value given = value(parameter);
  if (isSequence(given)) {
    const auto items = elements(given);
    if (!items || items->size() != 1)
      return std::nullopt;
    given = items->front();
  }
  const auto symbol = symbolName(given);
  return symbol ? elementTypeOfSymbol(*symbol) : std::nullopt;
}

Dims Call::integers(std::string_view parameter) {
  std::vector<Value> items{value(parameter)};
  // size=(2, 3); size=2; *size = (2, 3), ((2, 3),) or ([2, 3],)
  for (int level = 0; level < 2 && items.size() == 1 && isSequence(items[0]); ++level) {
    auto inner = elements(items[0]);
    if (!inner)
      break;
    items = std::move(*inner);
  }
  Dims result;
  for (const Value &item : items) {
    auto number = item.index();
    if (!number)
      wrongType(parameter, "int");
    result.push_back(number.value_or(0));
  }
  return result;
}

std::vector<TensorPtr> Call::tensors(std::string_view parameter) {
  std::vector<TensorPtr> result;
  auto items =
      isSequence(value(parameter)) ? elements(value(parameter)) : Result<std::vector<Value>>(Error{});
  if (items && items->size() == 1 && isSequence((*items)[0])) // *tensors = ([a, b],)
    items = elements((*items)[0]);
  if (!items || items->empty()) {
    wrongType(parameter, "tuple of Tensors");
    return result;
  }
  for (const Value &item : *items) {
    result.push_back(tensorOf(item));
    if (!result.back())
      wrongType(parameter, "tuple of Tensors");
  }
  return result;
}

bool Call::onGpu(bool otherwise) {
  if (!has("device"))
    return otherwise;
  auto device = deviceOf(value("device"));
  if (!device) {
    fail(device.error(), "device");
    return otherwise;
  }
  auto *object = device->as<DeviceObject>();
  return object && object->type == "cuda";
}

int64_t Call::dim(std::string_view parameter, const TensorObject &tensor) {
  auto wrapped = wrapDim(integer(parameter), tensor.rank());
  if (!wrapped)
    fail(wrapped.error(), parameter);
  return wrapped ? *wrapped : 0;
}

} // namespace tilescope::host
