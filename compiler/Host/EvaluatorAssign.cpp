// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets of assignments: names, tuples, attributes, items and slices; augmented assignment; del.
#include "compiler/Host/Descriptor.h"
#include "compiler/Host/EvaluatorRun.h"

#include "compiler/Value/Operators.h"

namespace tilescope::host {

using namespace syntax;

bool Evaluation::assign(const Expr &target, const Value &value) {
  switch (target.kind) {
  case ExprKind::Name:
    assignName(cast<Name>(&target).id, value);
    return true;
  case ExprKind::Tuple:
    return unpack(target.range, cast<Tuple>(&target).elts, value);
  case ExprKind::List:
    return unpack(target.range, cast<List>(&target).elts, value);
  case ExprKind::Starred:
    return assign(*cast<Starred>(&target).value, value);
  case ExprKind::Attribute: {
    auto object = evaluate(*cast<Attribute>(&target).value);
    return object && assignAttribute(cast<Attribute>(&target), *object, value);
  }
  case ExprKind::Subscript: {
    auto object = evaluate(*cast<Subscript>(&target).value);
    auto index = object ? evaluate(*cast<Subscript>(&target).slice) : std::nullopt;
    return index && assignItem(target.range, *object, *index, value);
  }
  default:
    raiseQuietly(true); // a mistake of syntax, which has been reported
    return false;
  }
}

namespace {

/// The nearest scope outside a function's own that has the name, for `nonlocal`.
Scope *enclosingScope(const Scope &scope, std::string_view name) {
  for (Scope *outer = scope.parent().get(); outer; outer = outer->parent().get())
    if (outer->findLocal(name))
      return outer;
  return nullptr;
}

} // namespace

void Evaluation::assignName(std::string_view name, const Value &value) {
  if (auto *tensor = value.as<TensorObject>(); tensor && tensor->storage)
    if (memory.allocation(tensor->storage->allocation).name.empty())
      memory.rename(tensor->storage->allocation, std::string(name));
  Frame &frame = top();
  Scope *scope = frame.scope.get();
  if (frame.names && frame.names->globals.contains(name))
    scope = frame.globals.get();
  else if (frame.names && frame.names->nonlocals.contains(name))
    if (Scope *outer = enclosingScope(*frame.functionScope, name))
      scope = outer;
  scope->set(name, value);
}

bool Evaluation::unpack(SourceRange range, std::span<Expr *const> targets, const Value &value) {
  if (isUnknown(value)) {
    for (const Expr *target : targets)
      if (!assign(*target, value))
        return false;
    return true;
  }
  auto items = elementsOf(value);
  if (!items)
    return raise(range, items.error()), false;
  size_t starred = targets.size();
  for (size_t i = 0; i < targets.size(); ++i)
    if (targets[i]->kind == ExprKind::Starred)
      starred = i;
  bool hasRest = starred < targets.size();
  size_t least = targets.size() - hasRest;
  if (items->size() < least || (!hasRest && items->size() > least))
    return raise(range, {"unpack-mismatch", {std::to_string(least), std::to_string(items->size())}}), false;
  size_t rest = items->size() - least;
  for (size_t i = 0, at = 0; i < targets.size(); ++i) {
    auto first = items->begin() + static_cast<std::ptrdiff_t>(at);
    bool takesRest = i == starred;
    Value part = takesRest ? makeList({first, first + static_cast<std::ptrdiff_t>(rest)}) : *first;
    if (!assign(*targets[i], part))
      return false;
    at += takesRest ? rest : 1;
  }
  return true;
}

bool Evaluation::assignAttribute(const Attribute &target, const Value &object, const Value &value) {
  if (auto *instance = object.as<InstanceObject>()) {
    instance->attributes.set(target.attr, value);
    return true;
  }
  if (auto *type = object.as<ClassObject>()) {
    type->attributes->set(target.attr, value);
    return true;
  }
  if (object.as<TensorObject>())
    return placed(target.range, tensorSetAttribute(*this, object, target.attr, value)).has_value();
  if (object.as<DescriptorObject>())
    return placed(target.range, setDescriptorAttribute(object, target.attr, value)).has_value();
  // Settings of libraries (torch.backends…) change nothing here.
  if (object.as<SymbolObject>() || isUnknown(object))
    return true;
  return raise(target.attrRange,
               {"no-attribute", {std::string(object.typeName()), std::string(target.attr)}}),
         false;
}

bool Evaluation::assignItem(SourceRange range, const Value &object, const Value &index, const Value &value) {
  if (isUnknown(object))
    return true;
  if (object.as<TensorObject>())
    return placed(range, tensorSetItem(*this, object, index, value)).has_value();
  if (auto *dict = object.as<DictObject>()) {
    auto added = dict->table.set(index, value);
    return added ? true : (raise(range, added.error()), false);
  }
  auto *list = object.as<ListObject>();
  if (!list) {
    bool found = false;
    Maybe done = placed(range, special(object, "__setitem__", {index, value}, found));
    return found ? done.has_value()
                 : (raise(range, {"no-item-assignment", {std::string(object.typeName())}}), false);
  }
  if (auto *slice = index.as<SliceObject>())
    return assignSlice(range, *list, *slice, value);
  auto at = position(index, static_cast<int64_t>(list->items.size()));
  if (!at)
    return raise(range, at.error()), false;
  list->items[static_cast<size_t>(*at)] = value;
  return true;
}

bool Evaluation::assignSlice(SourceRange range, ListObject &list, const SliceObject &slice,
                             const Value &value) {
  auto items = elementsOf(value);
  auto which = positions(slice, static_cast<int64_t>(list.items.size()));
  if (!items || !which)
    return raise(range, items ? which.error() : items.error()), false;
  if (which->step == 1) {
    auto first = list.items.begin() + which->start;
    first = list.items.erase(first, first + which->count);
    list.items.insert(first, items->begin(), items->end());
    return true;
  }
  if (static_cast<int64_t>(items->size()) != which->count)
    return raise(range, {"unpack-mismatch", {std::to_string(which->count), std::to_string(items->size())}}),
           false;
  for (int64_t i = 0; i < which->count; ++i)
    list.items[static_cast<size_t>(which->start + i * which->step)] = (*items)[static_cast<size_t>(i)];
  return true;
}

/// In place for lists, dicts, sets and tensors, which other names may share.
Maybe Evaluation::augmented(const AugAssign &statement, const Value &left) {
  auto right = evaluate(*statement.value);
  if (!right)
    return std::nullopt;
  m_at = statement.range;
  if (isUnknown(left) || isUnknown(*right))
    return isUnknown(left) ? left : left.as<TensorObject>() ? left : unknown();
  if (left.as<TensorObject>())
    return placed(statement.range, tensorInPlace(*this, statement.op, left, *right));
  if (auto *list = left.as<ListObject>(); list && statement.op == BinaryOperator::Add) {
    auto items = elementsOf(*right);
    if (!items)
      return raise(statement.value->range, items.error());
    if (!steps(items->size()))
      return std::nullopt;
    list->items.insert(list->items.end(), items->begin(), items->end());
    return left;
  }
  return placed(statement.range, binaryOf(statement.op, left, *right));
}

/// The target's parts are evaluated once.
bool Evaluation::augment(const AugAssign &statement) {
  const Expr &target = *statement.target;
  if (auto *attribute = dynCast<Attribute>(&target)) {
    auto object = evaluate(*attribute->value);
    auto left = object ? placed(target.range, attributeOf(*object, attribute->attr)) : std::nullopt;
    auto result = left ? augmented(statement, *left) : std::nullopt;
    return result && assignAttribute(*attribute, *object, *result);
  }
  if (auto *subscript = dynCast<Subscript>(&target)) {
    auto object = evaluate(*subscript->value);
    auto index = object ? evaluate(*subscript->slice) : std::nullopt;
    auto left = index ? placed(target.range, subscriptOf(*object, *index)) : std::nullopt;
    auto result = left ? augmented(statement, *left) : std::nullopt;
    return result && assignItem(target.range, *object, *index, *result);
  }
  auto left = evaluate(target);
  auto result = left ? augmented(statement, *left) : std::nullopt;
  return result && assign(target, *result);
}

bool Evaluation::remove(const Expr &target) {
  if (auto *name = dynCast<Name>(&target)) {
    bool erased = top().scope->erase(name->id);
    return erased || (raiseUndefined(*name), false);
  }
  if (auto *tuple = dynCast<Tuple>(&target)) {
    for (const Expr *part : tuple->elts)
      if (!remove(*part))
        return false;
    return true;
  }
  if (auto *subscript = dynCast<Subscript>(&target)) {
    auto object = evaluate(*subscript->value);
    auto index = object ? evaluate(*subscript->slice) : std::nullopt;
    if (!index)
      return false;
    if (auto *dict = object->as<DictObject>()) {
      auto erased = dict->table.erase(*index);
      if (erased && *erased)
        return true;
      return raise(target.range, erased ? Error{"key-not-found", {repr(*index)}} : erased.error()), false;
    }
    if (auto *list = object->as<ListObject>()) {
      auto *slice = index->as<SliceObject>();
      if (slice && slice->step.isNone())
        return assignSlice(target.range, *list, *slice, makeList({}));
      auto at = position(*index, static_cast<int64_t>(list->items.size()));
      if (!at)
        return raise(target.range, at.error()), false;
      list->items.erase(list->items.begin() + *at);
      return true;
    }
  }
  return raiseUnsupported(target.range, "del"), false;
}

} // namespace tilescope::host
