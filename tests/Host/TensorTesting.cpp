// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Host/TensorTesting.h"

#include <fstream>
#include <gtest/gtest.h>

namespace tilescope::host {

using nlohmann::json;

TestContext::TestContext(std::unique_ptr<AddressSpace> space, Mode mode)
    : OperationContext(*space, makeRandom(), mode), m_space(std::move(space)) {}

bool TestContext::settle() {
  auto queue = std::exchange(m_queue, {});
  settled += !queue.empty();
  for (auto &action : queue)
    action();
  return !stop;
}

void TestContext::charge(std::string_view operation, const OperationCost &cost) {
  costs.emplace_back(operation, cost);
}

Result<Value> TestContext::call(std::string_view name, std::vector<Value> positional,
                                std::vector<std::pair<std::string, Value>> keywords) {
  const Operation *operation = name.front() == '.' ? findMember(name.substr(1)) : findFunction(name);
  if (!operation)
    return Error{"no such operation", {std::string(name)}};
  return operation->evaluate(*this, {std::move(positional), std::move(keywords)});
}

TensorPtr TestContext::tensor(std::string_view name, std::vector<Value> positional,
                              std::vector<std::pair<std::string, Value>> keywords) {
  auto result = call(name, std::move(positional), std::move(keywords));
  EXPECT_TRUE(bool(result)) << name << ": " << (result ? "" : result.error().id);
  return result ? tensorOf(*result) : nullptr;
}

json recorded(const std::string &name) {
  std::ifstream file(std::string(TILESCOPE_SOURCE_DIR) + "/tests/Host/data/" + name);
  EXPECT_TRUE(file.good()) << name;
  return json::parse(file);
}

namespace {

/// The formula of record_tensor_operations.py.
Value formula(TestContext &context, const json &spec) {
  const auto type = *elementTypeOfSymbol("torch." + spec["dtype"].get<std::string>());
  auto tensor = *newTensor(context, spec["shape"].get<Dims>(), type, false);
  std::byte *data = contents(*tensor, true);
  for (int64_t i = 0; i < tensor->elements(); ++i) {
    int64_t n = (i * 37 + 11 * spec["seed"].get<int64_t>()) % 101 - 50;
    n = spec["positive"].get<bool>() ? std::abs(n) + 1 : n;
    double value = double(n);
    if (type == ElementType::Bool)
      value = n % 3 == 0;
    else if (isFloat(type))
      value = double(n) / 8;
    else if (type == ElementType::UInt8)
      value = double(std::abs(n));
    chunkStorer<double>(type)(&value, 1, data + i * byteSize(type), 1);
  }
  Value result = valueOf(tensor);
  return spec["transposed"].get<bool>() ? *context.call(".t", {result}) : result;
}

std::vector<Value> all(TestContext &context, const json &items) {
  std::vector<Value> values;
  for (const json &item : items)
    values.push_back(argument(context, item));
  return values;
}

Value encodedObject(TestContext &context, const json &encoded) {
  const std::string kind = encoded.begin().key();
  const json &inner = encoded.begin().value();
  if (kind == "tensor")
    return formula(context, inner);
  if (kind == "integers")
    return valueOf(context.tensor("torch.tensor", {argument(context, inner)}));
  if (kind == "dtype")
    return makeSymbol(inner.get<std::string>());
  if (kind == "float")
    return Value(number(inner));
  if (kind == "tuple")
    return makeTuple(all(context, inner));
  if (kind == "slice") {
    auto parts = all(context, inner);
    return Value(
        std::static_pointer_cast<Object>(std::make_shared<SliceObject>(parts[0], parts[1], parts[2])));
  }
  return Value(EllipsisType());
}

} // namespace

Value argument(TestContext &context, const json &encoded) {
  if (encoded.is_object())
    return encodedObject(context, encoded);
  if (encoded.is_array())
    return makeList(all(context, encoded));
  if (encoded.is_boolean())
    return Value(encoded.get<bool>());
  if (encoded.is_number_integer())
    return Value(encoded.get<int64_t>());
  return encoded.is_string() ? Value(encoded.get<std::string>()) : Value();
}

std::vector<double> values(const TensorObject &tensor) {
  std::vector<double> result;
  auto load = chunkLoader<double>(tensor.type);
  StridedLoop loop(tensor.shape, {loopOperand(tensor, tensor.shape)});
  loop.forEachRun([&](const std::vector<std::byte *> &at, int64_t length) {
    result.resize(result.size() + static_cast<size_t>(length));
    load(at[0], loop.innerStride(0), length, result.data() + result.size() - length);
    return true;
  });
  return result;
}

double number(const json &encoded) {
  if (encoded.is_boolean())
    return encoded.get<bool>();
  return encoded.is_string() ? std::stod(encoded.get<std::string>()) : encoded.get<double>();
}

double ulp(ElementType type, double value) {
  int bits = 53, least = -1022;
  if (type == ElementType::Float32)
    bits = 24, least = -126;
  else if (type == ElementType::Float16)
    bits = 11, least = -14;
  else if (type == ElementType::BFloat16)
    bits = 8, least = -126;
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, std::max(exponent - 1, least) - bits + 1);
}

/// The evaluator's own is not linked here.
Result<Value> deviceOf(const Value &value) {
  const std::string *name = value.asString();
  return Value(std::static_pointer_cast<Object>(
      std::make_shared<DeviceObject>(name && name->starts_with("cuda") ? "cuda" : "cpu", std::nullopt)));
}

} // namespace tilescope::host
