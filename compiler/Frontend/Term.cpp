// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Frontend/Term.h"

#include "compiler/Frontend/Block.h"
#include "compiler/Frontend/Types.h"
#include "compiler/Value/Function.h"
#include "compiler/Value/Operators.h"

namespace tilescope::frontend {

namespace {

bool sameConstant(const Value &a, const Value &b) {
  if (a.identical(b))
    return true;
  if (a.typeName() != b.typeName() || a.as<FunctionObject>())
    return false;
  if (auto name = symbolName(a))
    return name == symbolName(b);
  Result<bool> equal = compare(syntax::CompareOperator::Eq, a, b);
  return equal && *equal;
}

bool sameItems(const TupleTerm &a, const TupleTerm &b) {
  if (a.items.size() != b.items.size())
    return false;
  for (size_t i = 0; i < a.items.size(); ++i)
    if (!a.items[i].identical(b.items[i]))
      return false;
  return true;
}

std::string describeConstant(const Value &value) {
  if (value.isNone())
    return "None";
  if (auto name = symbolName(value))
    return std::string(*name);
  if (const auto *function = value.as<FunctionObject>())
    return "function " + std::string(function->name());
  return "constexpr[" + repr(value) + "]";
}

} // namespace

bool Term::identical(const Term &other) const {
  if (m_data.index() != other.m_data.index())
    return false;
  if (const Value *c = constant())
    return sameConstant(*c, *other.constant());
  if (const TupleTerm *t = tuple())
    return sameItems(*t, *other.tuple());
  if (method())
    return method() == other.method();
  if (const BlockTerm *b = block())
    return b->isLike(*other.block()) && b->values() == other.block()->values();
  return value() == other.value() && type() == other.type();
}

bool Term::hasFormOf(const Term &other) const {
  if (block() && other.block())
    return block()->isLike(*other.block());
  if (!tuple() || !other.tuple())
    return !tuple() == !other.tuple() && !block() == !other.block();
  return std::equal(tuple()->items.begin(), tuple()->items.end(), other.tuple()->items.begin(),
                    other.tuple()->items.end(), [](const Term &a, const Term &b) { return a.hasFormOf(b); });
}

Term makeTuple(std::vector<Term> items, std::vector<std::string> fieldNames) {
  return std::make_shared<const TupleTerm>(TupleTerm{std::move(items), std::move(fieldNames)});
}

Term makeTerm(mlir::MLIRContext *context, const Value &value) {
  const std::vector<Value> *items = nullptr;
  std::vector<std::string> fields;
  if (const auto *tuple = value.as<TupleObject>()) {
    items = &tuple->items;
    fields = tuple->fieldNames;
  } else if (const auto *list = value.as<ListObject>()) {
    items = &list->items;
  }
  if (items) {
    std::vector<Term> terms;
    for (const Value &item : *items)
      terms.push_back(makeTerm(context, item));
    return makeTuple(std::move(terms), std::move(fields));
  }
  if (auto name = symbolName(value); name && name->starts_with("triton."))
    if (auto element = elementTypeOfSymbol(*name))
      return mlirType(context, *element);
  return value;
}

std::vector<Term> itemsOf(const Term &term) {
  return term.tuple() ? term.tuple()->items : std::vector<Term>{term};
}

std::string describe(const Term &term) {
  if (const Value *constant = term.constant())
    return describeConstant(*constant);
  if (mlir::Value value = term.value())
    return typeName(value.getType());
  if (mlir::Type type = term.type())
    return typeName(type);
  if (const TupleTerm *tuple = term.tuple()) {
    std::string text;
    for (const Term &item : tuple->items)
      text += (text.empty() ? "" : ", ") + describe(item);
    return "(" + text + (tuple->items.size() == 1 ? ",)" : ")");
  }
  if (const BlockTerm *block = term.block())
    return describe(*block);
  return term.method() ? "method " + std::string(term.method()->name) : std::string();
}

} // namespace tilescope::frontend
