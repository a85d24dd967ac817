// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation of operators.jsonl answers as Python did (make_operators.py asked it).
#include "compiler/Value/Operators.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

namespace tilescope {
namespace {

using nlohmann::json;
using syntax::BinaryOperator;
using syntax::CompareOperator;
using syntax::UnaryOperator;

Value decode(const json &data);

std::vector<Value> decodeAll(const json &data) {
  std::vector<Value> result;
  for (size_t i = 1; i < data.size(); ++i)
    result.push_back(decode(data[i]));
  return result;
}

Value decodeInteger(std::string text) {
  bool negative = text[0] == '-';
  Integer magnitude = *Integer::parse(negative ? text.substr(1) : text);
  return negative ? -magnitude : magnitude;
}

Value decodeDict(const json &data) {
  auto dict = std::make_shared<DictObject>();
  for (size_t i = 1; i < data.size(); ++i)
    EXPECT_TRUE(dict->table.set(decode(data[i][0]), decode(data[i][1])));
  return Value(std::shared_ptr<Object>(dict));
}

Value decode(const json &data) {
  if (data.is_null())
    return Value();
  if (data.is_boolean())
    return Value(data.get<bool>());
  std::string kind = data[0];
  if (kind == "i")
    return decodeInteger(data[1]);
  if (kind == "f")
    return Value(std::strtod(data[1].get<std::string>().c_str(), nullptr));
  if (kind == "s")
    return Value(data[1].get<std::string>());
  if (kind == "d")
    return decodeDict(data);
  auto items = decodeAll(data);
  if (kind == "t")
    return makeTuple(items);
  if (kind == "l")
    return makeList(items);
  if (kind == "S")
    return *makeSet(items);
  if (kind == "sl")
    return Value(std::shared_ptr<Object>(std::make_shared<SliceObject>(items[0], items[1], items[2])));
  return Value(std::shared_ptr<Object>(
      std::make_shared<RangeObject>(*items[0].index(), *items[1].index(), *items[2].index())));
}

const std::map<std::string, BinaryOperator> Binary{
    {"+", BinaryOperator::Add},    {"-", BinaryOperator::Sub},       {"*", BinaryOperator::Mult},
    {"/", BinaryOperator::Div},    {"//", BinaryOperator::FloorDiv}, {"%", BinaryOperator::Mod},
    {"**", BinaryOperator::Pow},   {"<<", BinaryOperator::LShift},   {">>", BinaryOperator::RShift},
    {"&", BinaryOperator::BitAnd}, {"|", BinaryOperator::BitOr},     {"^", BinaryOperator::BitXor},
    {"@", BinaryOperator::MatMult}};
const std::map<std::string, CompareOperator> Comparison{
    {"==", CompareOperator::Eq},  {"!=", CompareOperator::NotEq},    {"<", CompareOperator::Lt},
    {"<=", CompareOperator::LtE}, {">", CompareOperator::Gt},        {">=", CompareOperator::GtE},
    {"in", CompareOperator::In},  {"not in", CompareOperator::NotIn}};
const std::map<std::string, UnaryOperator> Unary{{"~", UnaryOperator::Invert},
                                                 {"not", UnaryOperator::Not},
                                                 {"u+", UnaryOperator::UAdd},
                                                 {"u-", UnaryOperator::USub}};

/// Which exception of Python an error stands for.
const std::map<std::string, std::set<std::string>> Exceptions{
    {"unsupported-operands", {"TypeError"}},
    {"unsupported-operand", {"TypeError"}},
    {"not-subscriptable", {"TypeError"}},
    {"bad-index-type", {"TypeError"}},
    {"not-iterable", {"TypeError"}},
    {"no-length", {"TypeError"}},
    {"unhashable", {"TypeError"}},
    {"string-membership", {"TypeError"}},
    {"format-needs-number", {"TypeError"}},
    {"bad-template", {"TypeError", "ValueError", "OverflowError"}},
    {"division-by-zero", {"ZeroDivisionError"}},
    {"index-out-of-range", {"IndexError"}},
    {"key-not-found", {"KeyError"}},
    {"negative-shift", {"ValueError"}},
    {"zero-step", {"ValueError"}},
    {"bad-format", {"ValueError", "TypeError", "OverflowError"}},
    {"float-overflow", {"OverflowError"}},
    {"complex-result", {"complex", "OverflowError"}},
    {"integer-too-large", {"OverflowError", "MemoryError"}},
    {"too-many-items", {"MemoryError", "OverflowError"}},
    {"string-too-long", {"MemoryError", "OverflowError"}}};

template <typename T> Result<Value> asValue(Result<T> result) {
  return result ? Result<Value>(Value(*result)) : result.error();
}

Result<Value> asInt(const Value &value) {
  auto whole = Integer::fromDouble(*value.asFloat());
  return whole ? Result<Value>(Value(*whole)) : Error{"float-overflow", {}};
}

Result<Value> evaluate(const std::string &name, const std::vector<Value> &operands) {
  if (auto found = Binary.find(name); found != Binary.end())
    return binary(found->second, operands[0], operands[1]);
  if (auto found = Comparison.find(name); found != Comparison.end())
    return asValue(compare(found->second, operands[0], operands[1]));
  if (auto found = Unary.find(name); found != Unary.end())
    return unary(found->second, operands[0]);
  if (name == "[]")
    return subscript(operands[0], operands[1]);
  if (name == "format")
    return asValue(format(operands[0], *operands[1].asString()));
  if (name == "len")
    return asValue(length(operands[0]));
  if (name == "int")
    return asInt(operands[0]);
  if (name == "float")
    return Value(operands[0].asInt()->toDouble());
  if (name == "iter") {
    auto items = elements(operands[0]);
    return items ? Result<Value>(makeList(*items)) : items.error();
  }
  return operands[0]; // "repr"
}

std::string shown(const Value &value) {
  auto *set = value.as<SetObject>();
  if (!set || set->table.size() == 0)
    return repr(value);
  std::vector<std::string> items;
  for (const auto &entry : set->table.entries())
    items.push_back(repr(entry.key));
  std::sort(items.begin(), items.end());
  std::string result = "{";
  for (const auto &item : items)
    result += (result.size() > 1 ? ", " : "") + item;
  return result + "}";
}

void check(const std::string &line) {
  json row = json::parse(line);
  std::vector<Value> operands;
  for (size_t i = 1; i + 1 < row.size(); ++i)
    operands.push_back(decode(row[i]));
  std::string expected = row.back();
  auto answer = evaluate(row[0], operands);
  if (answer) {
    EXPECT_EQ(shown(*answer), expected) << line;
    return;
  }
  const std::string &id = answer.error().id;
  ASSERT_TRUE(Exceptions.count(id)) << id;
  EXPECT_TRUE(expected[0] == '!' && Exceptions.at(id).count(expected.substr(1))) << id << " for " << line;
}

TEST(Operators, AnswerAsPython) {
  std::ifstream file(TILESCOPE_SOURCE_DIR "/tests/Value/operators.jsonl");
  size_t rows = 0;
  for (std::string line; std::getline(file, line); ++rows)
    check(line);
  EXPECT_GT(rows, 10000u);
}

TEST(Operators, WhatWouldBeTooLargeIsRefused) {
  Value list = makeList({Value(0)});
  auto id = [](const Result<Value> &result) { return result ? std::string("no error") : result.error().id; };
  EXPECT_EQ(id(binary(BinaryOperator::Mult, list, int64_t(1'000'000'000'000))), "too-many-items");
  EXPECT_EQ(id(binary(BinaryOperator::Mult, list, *Integer::parse("99999999999999999999999"))),
            "too-many-items");
  EXPECT_EQ(id(binary(BinaryOperator::Mult, "ab", int64_t(1) << 40)), "string-too-long");
  EXPECT_EQ(id(binary(BinaryOperator::Pow, 10, 1'000'000'000)), "integer-too-large");
  EXPECT_EQ(id(binary(BinaryOperator::Pow, 7, *Integer::parse("99999999999999999999999"))),
            "integer-too-large");
  EXPECT_EQ(id(binary(BinaryOperator::LShift, 1, int64_t(1) << 60)), "integer-too-large");
  Value wide = *binary(BinaryOperator::LShift, 1, 1'000'000);
  EXPECT_EQ(id(binary(BinaryOperator::Mult, wide, wide)), "integer-too-large");
  EXPECT_EQ(format(Value(1), "999999999999d").error().id, "bad-format");
}

TEST(Operators, PowersOfOneNeedNoSpace) {
  Integer huge = *Integer::parse("99999999999999999999999");
  EXPECT_EQ(repr(*binary(BinaryOperator::Pow, -1, huge)), "-1");
  EXPECT_EQ(repr(*binary(BinaryOperator::Pow, 0, huge)), "0");
}

TEST(Text, ContainersThatHoldThemselves) {
  auto list = std::make_shared<ListObject>(std::vector<Value>{Value(1)});
  list->items.push_back(Value(std::shared_ptr<Object>(list)));
  EXPECT_EQ(repr(list->items[1]), "[1, [...]]");
  list->items.clear();
}

Value nested(int depth) {
  Value value = makeList({});
  for (int i = 0; i < depth; ++i)
    value = makeList({value});
  return value;
}

TEST(Objects, DeepNestingEndsInAnErrorNotInTheStack) {
  Value deep = nested(200'000), other = nested(200'000);
  EXPECT_EQ(compare(CompareOperator::Eq, deep, other).error().id, "recursion-limit");
  EXPECT_EQ(repr(deep, ObjectText()).error().id, "recursion-limit");
  Value tuple = makeTuple({});
  for (int i = 0; i < 200'000; ++i)
    tuple = makeTuple({tuple});
  EXPECT_EQ(hash(tuple).error().id, "recursion-limit");
}

TEST(Objects, TupleFlavours) {
  auto text = [](std::vector<std::string> names, std::string className) {
    auto items = std::vector<Value>{Value(2), Value(3)};
    return repr(Value(std::shared_ptr<Object>(std::make_shared<TupleObject>(items, names, className))));
  };
  EXPECT_EQ(text({}, "torch.Size"), "torch.Size([2, 3])");
  EXPECT_EQ(text({"x", "y"}, "Point"), "Point(x=2, y=3)");
  EXPECT_EQ(text({"values", "indices"}, "torch.return_types.max"),
            "torch.return_types.max(\nvalues=2,\nindices=3)");
}

TEST(KeyTable, KeepsOrderAndMeaningOfKeys) {
  KeyTable table;
  for (int i = 0; i < 1000; ++i)
    ASSERT_TRUE(*table.set(Value(i), Value(i * i)));
  EXPECT_FALSE(*table.set(Value(7.0), Value("seven"))); // 7.0 is the key 7
  for (int i = 0; i < 1000; i += 2)
    EXPECT_TRUE(*table.erase(Value(i)));
  EXPECT_FALSE(*table.erase(Value(0)));
  ASSERT_EQ(table.size(), 500u);
  for (size_t i = 0; i < 500; ++i)
    EXPECT_EQ(repr(table.entries()[i].key), std::to_string(2 * i + 1));
  EXPECT_EQ(repr((*table.find(Value(7)))->value), "'seven'");
  EXPECT_EQ(*table.find(Value(8)), nullptr);
  EXPECT_EQ(*table.find(Value("7")), nullptr);
}

TEST(KeyTable, TrueIsOneAndHalfIsFloat16) {
  KeyTable table;
  ASSERT_TRUE(*table.set(Value(1), {}));
  EXPECT_FALSE(*table.set(Value(true), {}));
  ASSERT_TRUE(*table.set(makeSymbol("torch.half"), {}));
  EXPECT_FALSE(*table.set(makeSymbol("torch.float16"), {}));
  EXPECT_TRUE(*table.set(makeSymbol("triton.language.float16"), {}));
}

} // namespace
} // namespace tilescope
