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
  if (value.object() && value.object()->kind() > ObjectKind::Range) // of the script: repr() does not know it
    return std::string(value.typeName());
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

Term makeTuple(std::vector<Term> items, std::vector<std::string> fieldNames, Value type) {
  return std::make_shared<const TupleTerm>(
      TupleTerm{std::move(items), std::move(fieldNames), std::move(type)});
}

Term tupleLike(const TupleTerm &like, std::vector<Term> items) {
  return makeTuple(std::move(items), like.fieldNames, like.type);
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
  auto name = symbolName(value);
  if (!name || !name->starts_with("triton."))
    return value;
  constexpr std::string_view core = "triton.language.core.";
  std::string type(*name);
  if (name->starts_with(core))
    type = "triton.language." + type.substr(core.size());
  if (auto element = elementTypeOfSymbol(type))
    return mlirType(context, *element);
  return value;
}

std::optional<Value> toValue(const Term &term) {
  if (const Value *constant = term.constant())
    return *constant;
  if (mlir::Type type = term.type())
    if (auto element = elementType(type))
      return makeSymbol("triton.language." + std::string(languageName(*element)));
  const TupleTerm *tuple = term.tuple();
  if (!tuple)
    return std::nullopt;
  std::vector<Value> items;
  for (const Term &item : tuple->items) {
    std::optional<Value> value = toValue(item);
    if (!value)
      return std::nullopt;
    items.push_back(std::move(*value));
  }
  return Value(std::shared_ptr<Object>(std::make_shared<TupleObject>(std::move(items), tuple->fieldNames)));
}

std::vector<Term> itemsOf(const Term &term) {
  return term.tuple() ? term.tuple()->items : std::vector<Term>{term};
}

//===- Values inside terms ------------------------------------------------------------------------===//

void collectValues(const Term &term, llvm::SmallVectorImpl<mlir::Value> &values) {
  if (mlir::Value value = term.value())
    values.push_back(value);
  if (const BlockTerm *block = term.block())
    values.append(block->values());
  if (const TupleTerm *tuple = term.tuple())
    for (const Term &item : tuple->items)
      collectValues(item, values);
}

namespace {

/// A term like `like`, with `leaf` of what is no tuple.
Term mapLeaves(const Term &like, llvm::function_ref<Term(const Term &)> leaf) {
  const TupleTerm *tuple = like.tuple();
  if (!tuple)
    return leaf(like);
  std::vector<Term> items;
  for (const Term &item : tuple->items)
    items.push_back(mapLeaves(item, leaf));
  return tupleLike(*tuple, std::move(items));
}

Term takeFront(mlir::ValueRange &values) {
  mlir::Value value = values.front();
  values = values.drop_front();
  return value;
}

bool areAlikeTuples(const TupleTerm *a, const TupleTerm *b) {
  return a && b && a->items.size() == b->items.size() && a->fieldNames == b->fieldNames;
}

/// In the form the block has no base yet.
MergedTerm mergeBlocks(const BlockTerm &a, const BlockTerm &b) {
  auto form = std::make_shared<BlockTerm>(a);
  form->base = {};
  MergedTerm result{std::shared_ptr<const BlockTerm>(form), {}};
  for (auto [left, right] : llvm::zip_equal(a.values(), b.values()))
    result.pairs.emplace_back(left, right);
  return result;
}

bool canMerge(const Term &term) { return term.value() || term.isNumber(); }

} // namespace

Term withValues(const Term &like, mlir::ValueRange &values) {
  return mapLeaves(like, [&](const Term &leaf) {
    return leaf.block() ? leaf.block()->withValues(values) : leaf.value() ? takeFront(values) : leaf;
  });
}

Term filled(const Term &form, mlir::ValueRange &values) {
  return mapLeaves(form, [&](const Term &leaf) {
    if (leaf.block() && !leaf.block()->base)
      return leaf.block()->withValues(values);
    return leaf.isError() ? takeFront(values) : leaf;
  });
}

bool haveSameForm(const Term &a, const Term &b) {
  if (a.value() && b.value())
    return a.value().getType() == b.value().getType();
  if (a.block() && b.block())
    return a.block()->isLike(*b.block());
  const TupleTerm *left = a.tuple(), *right = b.tuple();
  if (!left || !right)
    return a.identical(b);
  return areAlikeTuples(left, right) &&
         std::equal(left->items.begin(), left->items.end(), right->items.begin(), haveSameForm);
}

std::optional<MergedTerm> mergeTerms(const Term &a, const Term &b) {
  if (a.identical(b))
    return MergedTerm{a, {}};
  if (canMerge(a) && canMerge(b))
    return MergedTerm{Term(), {{a, b}}};
  if (a.block() && b.block() && a.block()->isLike(*b.block()))
    return mergeBlocks(*a.block(), *b.block());
  const TupleTerm *left = a.tuple(), *right = b.tuple();
  if (!areAlikeTuples(left, right))
    return std::nullopt;
  MergedTerm result;
  std::vector<Term> items;
  for (size_t i = 0; i < left->items.size(); ++i) {
    std::optional<MergedTerm> item = mergeTerms(left->items[i], right->items[i]);
    if (!item)
      return std::nullopt;
    items.push_back(std::move(item->form));
    result.pairs.insert(result.pairs.end(), item->pairs.begin(), item->pairs.end());
  }
  result.form = tupleLike(*left, std::move(items));
  return result;
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
